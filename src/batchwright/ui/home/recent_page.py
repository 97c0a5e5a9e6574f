"""The page of Home with recent studies, templates and connections."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.local.connections import Connection
from batchwright.ui.home.connection_cards import ConnectionList
from batchwright.ui.home.recent_list import RecentPanel
from batchwright.ui.home.state import HomeState
from batchwright.ui.home.template_cards import TemplateGrid
from batchwright.ui.study.templates import TEMPLATES
from batchwright.ui.theme import theme
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.headings import SectionHeading, StageHeader
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.window_controller import WindowController

_SIDE_WIDTH = 290
_NARROW_BELOW = 840
_ANY_WIDTH = (1 << 24) - 1
"""The value of Qt's `QWIDGETSIZE_MAX`."""


class RecentStudiesPage(QWidget):
    """Shown when there are recent studies."""

    def __init__(self, controller: WindowController) -> None:
        super().__init__()
        self._header = StageHeader(_("Home"))
        self._recent = RecentPanel()
        self._connections = ConnectionList(
            has_token_in_environment=controller.connections.environment_credentials is not None
        )
        self._build(controller)
        self._connect(controller)
        theme().on_changed(self._update_geometry)

    def regions(self) -> Sequence[QWidget]:
        """The focus regions for F6."""
        return [self._header, self._recent, self._connections]

    def show_home(self, state: HomeState, chosen: Connection) -> None:
        """Update the whole page; `chosen` is the current connection."""
        self._header.show_subtitle(state.greeting)
        self._recent.table.show_rows(state.rows)
        self._connections.show_connections(state.connections, chosen)
        self._connections.show_service(state.service)

    def _build(self, controller: WindowController) -> None:
        open_study = Button(_("Open project"), glyph="folder-open", height=ButtonSize.STAGE)
        open_study.clicked.connect(lambda: controller.run_action("open"))
        self._header.add_buttons(open_study)
        self._header.show_primary(_("New study"), glyph="plus")
        main = column(gap=0)
        main.add(
            SectionHeading(_("Recent projects")),
            10,
            self._recent,
            24,
            SectionHeading(_("Templates"), _("Each comes with sample data")),
            12,
            TemplateGrid(TEMPLATES, 3, controller.open_template),
            None,
        )
        content = QWidget()
        self._layout = row(gap=28, margins=(24, 18, 24, 20), parent=content)
        self._layout.addLayout(main, 1)
        self._layout.addWidget(self._connections, 0, Qt.AlignmentFlag.AlignTop)
        layout = column(self._header, gap=0, parent=self)
        layout.addWidget(VerticalScrollArea(content), 1)

    def _update_geometry(self) -> None:
        """Place the connections beside the studies, or below them in a narrow window."""
        is_narrow = self.width() < theme().px(_NARROW_BELOW)
        down, right = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._layout.setDirection(down if is_narrow else right)
        self._connections.setMinimumWidth(0 if is_narrow else theme().px(_SIDE_WIDTH))
        self._connections.setMaximumWidth(_ANY_WIDTH if is_narrow else theme().px(_SIDE_WIDTH))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_geometry()

    def _connect(self, controller: WindowController) -> None:
        self._header.primary.clicked.connect(lambda: controller.run_action("new"))
        self._recent.table.open_requested.connect(lambda recent: controller.open_path(recent.path))
        self._recent.table.removal_requested.connect(controller.files.remove_recent)
        self._connections.add_button.clicked.connect(controller.add_connection)
        self._connections.chosen.connect(controller.choose_connection)
        self._connections.change_requested.connect(controller.change_connection)
        self._connections.removal_requested.connect(controller.remove_connection)
        self._connections.restart_requested.connect(controller.restart_service)
