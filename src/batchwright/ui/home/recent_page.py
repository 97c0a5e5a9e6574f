"""Home for those who come back: their studies, the templates, the connections (look.md, home)."""

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
"""Qt's own limit."""


class RecentStudiesPage(QWidget):
    """What is shown when there is something to come back to."""

    def __init__(self, desk: WindowController) -> None:
        super().__init__()
        self._header = StageHeader(_("Home"))
        self._recent = RecentPanel()
        self._connections = ConnectionList(is_offered=desk.connections.environment_credentials is not None)
        self._build(desk)
        self._connect(desk)
        theme().on_changed(self._update_geometry)

    def regions(self) -> Sequence[QWidget]:
        """The parts that F6 walks through."""
        return [self._header, self._recent, self._connections]

    def show_home(self, model: HomeState, chosen: Connection) -> None:
        """Draw everything anew; `chosen` is where requests go."""
        self._header.show_subtitle(model.greeting)
        self._recent.table.show_rows(model.rows)
        self._connections.show_connections(model.connections, chosen)
        self._connections.show_service(model.service)

    def _build(self, desk: WindowController) -> None:
        open_study = Button(_("Open project"), glyph="folder-open", height=ButtonSize.STAGE)
        open_study.clicked.connect(lambda: desk.run_action("open"))
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
            TemplateGrid(TEMPLATES, 3, desk.open_template),
            None,
        )
        ground = QWidget()
        self._line = row(gap=28, margins=(24, 18, 24, 20), parent=ground)
        self._line.addLayout(main, 1)
        self._line.addWidget(self._connections, 0, Qt.AlignmentFlag.AlignTop)
        whole = column(self._header, gap=0, parent=self)
        whole.addWidget(VerticalScrollArea(ground), 1)

    def _update_geometry(self) -> None:
        """Put the connections beside the studies, or below them where there is no room."""
        is_narrow = self.width() < theme().px(_NARROW_BELOW)
        down, right = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._line.setDirection(down if is_narrow else right)
        self._connections.setMinimumWidth(0 if is_narrow else theme().px(_SIDE_WIDTH))
        self._connections.setMaximumWidth(_ANY_WIDTH if is_narrow else theme().px(_SIDE_WIDTH))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_geometry()

    def _connect(self, desk: WindowController) -> None:
        self._header.primary.clicked.connect(lambda: desk.run_action("new"))
        self._recent.table.open_requested.connect(lambda recent: desk.open_path(recent.path))
        self._recent.table.forget_requested.connect(desk.files.forget_recent)
        self._connections.add_button.clicked.connect(desk.add_connection)
        self._connections.chosen.connect(desk.choose_connection)
        self._connections.change_requested.connect(desk.change_connection)
        self._connections.removal_requested.connect(desk.remove_connection)
        self._connections.restart_requested.connect(desk.restart_service)
