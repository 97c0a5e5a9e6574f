"""The Home stage: the page of the first run; later the recent studies, the connections and the templates."""

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHeaderView, QStackedLayout, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.local.connections import Connection
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.home.connection_cards import ConnectionList
from batchwright.ui.home.first_run import FirstRunPage
from batchwright.ui.home.state import HomeState, RecentStudyRow
from batchwright.ui.home.template_cards import OwnTemplates, template_grid
from batchwright.ui.program.window_controller import WindowController
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.theme import theme
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.headings import SectionHeading, StageHeader
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.surfaces import Panel
from batchwright.ui.widgets.tables.models import TableModel
from batchwright.ui.widgets.tables.table import (
    TWO_LINE_ROW_HEIGHT,
    Cell,
    CellRole,
    IconCell,
    Table,
    TextCell,
    accessible_text,
)

_WIDTHS = (0, 130, 230, 150)
"""Widths of the columns at 100 %; the first one takes the remaining width."""
_STATUS_COLUMN = 2
_MIN_NAME_WIDTH = 220
_COLUMNS_BY_PRIORITY = (1, 3, _STATUS_COLUMN)
"""The other columns in the order of their importance; the last ones are hidden first."""


class RecentModel(TableModel):
    """One row per study."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: Sequence[RecentStudyRow] = ()
        self._is_collapsed = False

    def set_collapsed(self, *, is_collapsed: bool) -> None:
        """Show the note below the name while its column is hidden."""
        if is_collapsed != self._is_collapsed:
            self._is_collapsed = is_collapsed
            if self.rows:
                last = self.index(len(self.rows) - 1, len(_WIDTHS) - 1)
                self.dataChanged.emit(self.index(0, 0), last)

    def set_rows(self, rows: Sequence[RecentStudyRow]) -> None:
        """Show these studies."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def _cell(self, row: RecentStudyRow, column: int) -> Cell:
        below = f"{row.file} · {row.note if self._is_collapsed else row.folder}"
        cells: tuple[Cell, ...] = (
            IconCell("file-text", "question", TextCell(row.name, below, is_name=True)),
            row.state,
            TextCell(row.note, tone="text2"),
            TextCell(row.opened, tone="text2"),
        )
        return cells[column]

    @override
    def row_count(self) -> int:
        return len(self.rows)

    @override
    def column_count(self) -> int:
        return len(_WIDTHS)

    @override
    def value(self, row: int, column: int, role: int) -> object:
        line = self.rows[row]
        if role == CellRole.CELL:
            return self._cell(line, column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return accessible_text(self._cell(line, column))
        if role == Qt.ItemDataRole.ToolTipRole:
            return line.note if column else str(line.recent.path)
        return None

    @override
    def heading(self, column: int, role: int) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            return (_("Study"), _("State"), _("Details"), _("Opened"))[column]
        return None


class RecentTable(Table):
    """The table; it is as tall as its rows."""

    open_requested = Signal(object)
    """Emits the `Recent` to open."""
    removal_requested = Signal(object)
    """Emits the `Recent` to remove from the list."""

    def __init__(self) -> None:
        self._model = RecentModel()
        super().__init__(_("Recent studies"), self._model, row_height=TWO_LINE_ROW_HEIGHT, radius=9)
        head = self.horizontalHeader()
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        head.setStretchLastSection(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(self._on_clicked)
        theme().on_changed(self._update_columns)
        theme().on_changed(self._update_height)

    def show_rows(self, rows: Sequence[RecentStudyRow]) -> None:
        """Set the studies; the selection is kept if they are unchanged."""
        if rows and rows == self._model.rows:
            return
        self._model.set_rows(rows)
        self._update_height()

    def _update_height(self) -> None:
        """Set the height to that of the header and all rows."""
        head = self.horizontalHeader()
        header_height = max(head.minimumHeight(), head.sizeHint().height())
        self.setFixedHeight(header_height + self._model.rowCount() * self.row_height)

    def _update_columns(self) -> None:
        """Hide the columns that do not fit beside the names."""
        available_width = self.width() - theme().px(_MIN_NAME_WIDTH)
        for section in _COLUMNS_BY_PRIORITY:
            self.setColumnHidden(section, False)  # a hidden one has no width
            self.set_column_width(section, _WIDTHS[section])
            width = self.columnWidth(section)
            self.setColumnHidden(section, width > available_width)
            available_width -= width
        self._model.set_collapsed(is_collapsed=self.isColumnHidden(_STATUS_COLUMN))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_columns()

    def _on_clicked(self, index: QModelIndex) -> None:
        self.open_requested.emit(self._model.rows[index.row()].recent)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if index.isValid() and event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._on_clicked(index)
        elif index.isValid() and event.key() == Qt.Key.Key_Delete:
            self.removal_requested.emit(self._model.rows[index.row()].recent)
        else:
            super().keyPressEvent(event)


class RecentPanel(Panel):
    """The table in a panel."""

    help_address = "home.md#open-a-study"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(10, parent=parent)
        self.table = RecentTable()
        column(self.table, margins=1, parent=self)


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
        for text, glyph, action in (
            (_("Try the sample study"), "play-circle", ActionId.TRY_SAMPLE),
            (_("Open a data file"), "table", ActionId.OPEN_DATA),
            (_("Open a study"), "folder-open", ActionId.OPEN),
        ):
            button = Button(text, glyph=glyph, height=ButtonSize.STAGE)
            button.clicked.connect(lambda *_of, action=action: controller.run_action(action))
            self._header.add_buttons(button)
        self._header.show_primary(_("New study"), glyph="plus")
        main = column(gap=0)
        main.add(
            SectionHeading(_("Recent studies"), help_address="home.md#open-a-study"),
            10,
            self._recent,
            24,
            SectionHeading(_("Templates"), _("Batches come with sample data"), help_address="templates.md"),
            12,
            template_grid(3, controller.open_template),
            OwnTemplates(controller.library, 3),
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
        self._header.primary.clicked.connect(lambda: controller.run_action(ActionId.NEW))
        self._recent.table.open_requested.connect(lambda recent: controller.open_path(recent.path))
        self._recent.table.removal_requested.connect(controller.files.remove_recent)
        self._connections.add_button.clicked.connect(controller.add_connection)
        self._connections.chosen.connect(controller.choose_connection)
        self._connections.change_requested.connect(controller.change_connection)
        self._connections.removal_requested.connect(controller.remove_connection)
        self._connections.restart_requested.connect(controller.restart_service)


def build_home(context: StageContext, controller: WindowController) -> QWidget:
    """Create the Home stage of a window."""
    return HomeStage(context, controller, HomeState(lambda: datetime.now().astimezone()))


class HomeStage(QWidget):
    """Shows the first-run page while there are no recent studies, otherwise the list of them.

    Each page is created when it is first shown.
    """

    def __init__(self, _context: StageContext, controller: WindowController, state: HomeState) -> None:
        super().__init__()
        self._controller, self.state = controller, state
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
        self._pages.setCurrentWidget(self._welcome() if self.state.is_first_run else self._studies())

    def _refresh(self) -> None:
        self.state.show(self._controller.files.recents, self._controller.connections.all)

    def _on_service_changed(self) -> None:
        self.state.show_service(self._controller.service_status)

    def _welcome(self) -> QWidget:
        if self._first_run is None:
            self._first_run = FirstRunPage(self._controller)
            self._pages.addWidget(self._first_run)
        self._first_run.show_service(self.state.service)
        self._first_run.show_connections()
        return self._first_run

    def _studies(self) -> QWidget:
        if self._recent_page is None:
            self._recent_page = RecentStudiesPage(self._controller)
            self._pages.addWidget(self._recent_page)
        self._recent_page.show_home(self.state, self._controller.session.connection)
        return self._recent_page
