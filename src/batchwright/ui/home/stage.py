"""Home: the first run, and every later one (look.md, home)."""

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtWidgets import QStackedLayout, QWidget

from batchwright.ui.home.first_run import FirstRunPage
from batchwright.ui.home.recent_page import RecentStudiesPage
from batchwright.ui.home.state import HomeState
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.window_controller import WindowController


def build_home(frame: StageContext, desk: WindowController) -> QWidget:
    """The stage of one window."""
    return HomeStage(frame, desk, HomeState(lambda: datetime.now().astimezone()))


class HomeStage(QWidget):
    """Shows the welcome while there is nothing to come back to, and the studies afterwards.

    Each is built when it is first shown.
    """

    def __init__(self, frame: StageContext, desk: WindowController, model: HomeState) -> None:
        super().__init__()
        self._window, self._model = desk, model
        model.setParent(self)
        self._first_run: FirstRunPage | None = None
        self._returning: RecentStudiesPage | None = None
        self._pages = QStackedLayout(self)
        desk.files.recents_changed.connect(self._refresh)
        desk.connections.changed.connect(self._refresh)
        desk.session.changed.connect(self._refresh)
        desk.service_changed.connect(self._on_service_changed)
        model.show_service(desk.service_status)
        model.changed.connect(self.show_home)
        self._refresh()

    def regions(self) -> Sequence[QWidget]:
        """The parts that F6 walks through."""
        if self._returning is not None and self._pages.currentWidget() is self._returning:
            return self._returning.regions()
        return [self._welcome()]

    def show_home(self) -> None:
        """Draw everything anew."""
        self._pages.setCurrentWidget(self._welcome() if self._model.is_first_run else self._studies())

    def _refresh(self) -> None:
        self._model.show(self._window.files.recents, self._window.connections.all)

    def _on_service_changed(self) -> None:
        self._model.show_service(self._window.service_status)

    def _welcome(self) -> QWidget:
        if self._first_run is None:
            self._first_run = FirstRunPage(self._window)
            self._pages.addWidget(self._first_run)
        self._first_run.show_service(self._model.service)
        self._first_run.show_connections()
        return self._first_run

    def _studies(self) -> QWidget:
        if self._returning is None:
            self._returning = RecentStudiesPage(self._window)
            self._pages.addWidget(self._returning)
        self._returning.show_home(self._model, self._window.session.connection)
        return self._returning
