"""The Home stage."""

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtWidgets import QStackedLayout, QWidget

from batchwright.ui.home.first_run import FirstRunPage
from batchwright.ui.home.recent_page import RecentStudiesPage
from batchwright.ui.home.state import HomeState
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.window_controller import WindowController


def build_home(context: StageContext, controller: WindowController) -> QWidget:
    """Create the Home stage of a window."""
    return HomeStage(context, controller, HomeState(lambda: datetime.now().astimezone()))


class HomeStage(QWidget):
    """Shows the first-run page while there are no recent studies, otherwise the list of them.

    Each page is created when it is first shown.
    """

    def __init__(self, context: StageContext, controller: WindowController, state: HomeState) -> None:
        super().__init__()
        self._controller, self._state = controller, state
        state.setParent(self)
        self._first_run: FirstRunPage | None = None
        self._recent_page: RecentStudiesPage | None = None
        self._pages = QStackedLayout(self)
        controller.files.recents_changed.connect(self._refresh)
        controller.connections.changed.connect(self._refresh)
        controller.session.changed.connect(self._refresh)
        controller.service_changed.connect(self._on_service_changed)
        state.show_service(controller.service_status)
        state.changed.connect(self.show_home)
        self._refresh()

    def regions(self) -> Sequence[QWidget]:
        """The focus regions for F6."""
        if self._recent_page is not None and self._pages.currentWidget() is self._recent_page:
            return self._recent_page.regions()
        return [self._welcome()]

    def show_home(self) -> None:
        """Update the whole stage."""
        self._pages.setCurrentWidget(self._welcome() if self._state.is_first_run else self._studies())

    def _refresh(self) -> None:
        self._state.show(self._controller.files.recents, self._controller.connections.all)

    def _on_service_changed(self) -> None:
        self._state.show_service(self._controller.service_status)

    def _welcome(self) -> QWidget:
        if self._first_run is None:
            self._first_run = FirstRunPage(self._controller)
            self._pages.addWidget(self._first_run)
        self._first_run.show_service(self._state.service)
        self._first_run.show_connections()
        return self._first_run

    def _studies(self) -> QWidget:
        if self._recent_page is None:
            self._recent_page = RecentStudiesPage(self._controller)
            self._pages.addWidget(self._recent_page)
        self._recent_page.show_home(self._state, self._controller.session.connection)
        return self._recent_page
