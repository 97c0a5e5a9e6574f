"""The columns of the records table: their widths, their order, and which are hidden."""

from collections import Counter
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication

from batchwright.data_files.column_names import distinct_names
from batchwright.data_files.views.record_query import MAX_COLUMNS
from batchwright.schema.model import FieldType
from batchwright.ui.data.records.column_arrangement import ColumnArrangement
from batchwright.ui.data.records.records_model import RowsModel
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.tables.table import CellRole, Table, TextCell

_TEXT = (3.0, 150)
_ADDRESS = (2.6, 130)
_OTHER = (1.5, 96)
"""Share of the width that a column takes, and its minimum width in pixels at 100 %."""

_MAX_WIDTH = 560
_DIGIT, _PADDING = "0", 46
_HEADING_PADDING = 58
"""Space in a heading beside its text, for the icon of the type and the sort indicator."""
_DEBOUNCE_MS = 250
"""Milliseconds after the last step of a drag, before `arranged` is emitted."""


def _shares(total: int, weights: Sequence[float], minimums: Sequence[int]) -> list[int]:
    """Share a width by weight. What some columns need to reach their minimum is taken from the others.

    The shares exceed `total` only if the minimums do.
    """
    widths = list(minimums)
    flexible = set(range(len(weights)))
    while flexible:
        fixed = sum(width for number, width in enumerate(widths) if number not in flexible)
        unit = (total - fixed) / sum(weights[number] for number in flexible)
        too_narrow = {number for number in flexible if int(unit * weights[number]) < minimums[number]}
        if not too_narrow:
            for number in flexible:
                widths[number] = int(unit * weights[number])
            break
        flexible -= too_narrow
    return widths


class RecordColumns(QObject):
    """Arranges the columns of a table of records; they share the width until the user resizes one."""

    hidden_changed = Signal()
    """Other columns are hidden."""
    arranged = Signal()
    """The user has changed the `arrangement`."""

    def __init__(self, table: Table, model: RowsModel) -> None:
        super().__init__(table)
        self._table, self._model, self._head = table, model, table.horizontalHeader()
        self._is_arranging = False
        """Whether the program moves and resizes columns, and not the user."""
        self._widths: dict[int, int] = {}
        """The width of each column in pixels at 100 %; empty while they share that of the table."""
        self._arranged_soon = QTimer(self, singleShot=True, interval=_DEBOUNCE_MS)
        self._arranged_soon.timeout.connect(self.arranged)
        self._head.sectionResized.connect(self._on_section_resized)
        self._head.sectionMoved.connect(self._on_section_moved)
        self._head.sectionHandleDoubleClicked.connect(self._on_handle_double_clicked)
        model.file_shown.connect(lambda: self.arrange(ColumnArrangement()))
        model.headerDataChanged.connect(self.share_width)
        model.rowsInserted.connect(self.share_width)
        theme().on_changed(self._apply_widths)

    @property
    def hidden(self) -> list[int]:
        """The hidden columns of the file, counted from zero."""
        if not self._head.hiddenSectionCount():
            return []
        return [at for at in range(len(self._model.columns)) if self._head.isSectionHidden(at + 1)]

    @property
    def shown(self) -> list[int]:
        """The columns of the file that are shown, counted from zero, in the order in which they are shown."""
        head = self._head
        sections = (head.logicalIndex(place) for place in range(head.count()))
        return [section - 1 for section in sections if section and not head.isSectionHidden(section)]

    @property
    def can_hide(self) -> bool:
        """Whether another column would be left if one was hidden."""
        return len(self.hidden) + 1 < len(self._model.columns)

    @property
    def arrangement(self) -> ColumnArrangement:
        """What the user has changed; nothing of a file with very many columns."""
        names, head = self._names, self._head
        if len(names) > MAX_COLUMNS:
            return ColumnArrangement()
        order = [head.logicalIndex(place) - 1 for place in range(1, head.count())]
        return ColumnArrangement(
            tuple(names[at] for at in order) if order != sorted(order) else (),
            tuple(names[at] for at in self.hidden),
            {names[at]: width for at, width in self._widths.items()},
        )

    def arrange(self, arrangement: ColumnArrangement) -> None:
        """Arrange the columns; those that the arrangement does not name are shown last."""
        names, head = self._names, self._head
        if len(names) > MAX_COLUMNS:
            arrangement = ColumnArrangement()
        places = {name: place for place, name in enumerate(arrangement.order)}
        order = sorted(range(len(names)), key=lambda at: places.get(names[at], len(places)))
        hidden = set(arrangement.hidden) if not set(names) <= set(arrangement.hidden) else set()
        with QSignalBlocker(head):  # the table would lay out all columns for each one that is moved
            for place, at in enumerate(order, 1):
                if head.visualIndex(at + 1) != place:
                    head.moveSection(head.visualIndex(at + 1), place)
        self._table.viewport().update()
        self._is_arranging = True
        is_hidden = set(self.hidden)
        for at, name in enumerate(names):
            if (at in is_hidden) != (name in hidden):
                self._table.setColumnHidden(at + 1, name in hidden)
        self._is_arranging = False
        self._widths = {
            at: arrangement.widths[name] for at, name in enumerate(names) if name in arrangement.widths
        }
        self._apply_widths()
        self.hidden_changed.emit()

    def show(self, column: int) -> None:
        """Show a hidden column of the file, counted from zero; all are shown for -1."""
        for at in self.hidden if column < 0 else [column]:
            self._table.setColumnHidden(at + 1, False)
        self._on_hidden_changed()

    def hide(self, column: int) -> None:
        """Hide a column of the file, counted from zero."""
        self._table.setColumnHidden(column + 1, True)
        self._on_hidden_changed()

    def can_move(self, column: int, step: int) -> bool:
        """Whether a column has another one that is shown at its right (1) or its left (-1)."""
        shown = self.shown
        return column in shown and 0 <= shown.index(column) + step < len(shown)

    def move(self, column: int, step: int) -> None:
        """Move a column past the one at its right (1) or its left (-1)."""
        shown, head = self.shown, self._head
        beside = shown[shown.index(column) + step]
        head.moveSection(head.visualIndex(column + 1), head.visualIndex(beside + 1))

    def fit(self, column: int) -> None:
        """Give a column the width of its heading and of the values that are visible."""
        model, table, px = self._model, self._table, theme().px
        metrics = QFontMetrics(theme().font(TextRole.SMALL))
        top, bottom = table.rowAt(0), table.rowAt(table.viewport().height() - 1)
        rows = range(max(0, top), (model.rowCount() if bottom < 0 else bottom + 1))
        cells = (model.index(at, column + 1).data(CellRole.CELL) for at in rows)
        texts = [cell.text for cell in cells if isinstance(cell, TextCell)]
        width = max((metrics.horizontalAdvance(text) for text in texts), default=0) + px(_PADDING)
        heading = QFontMetrics(theme().font(TextRole.HEAD)).horizontalAdvance(model.columns[column])
        self._resize({column + 1: min(px(_MAX_WIDTH), max(width, heading + px(_HEADING_PADDING)))})
        self._store_widths()
        self.arranged.emit()

    def reset(self) -> None:
        """Show all columns in the order of the file, with widths that share that of the table."""
        self.arrange(ColumnArrangement())
        self.arranged.emit()

    @property
    def _names(self) -> Sequence[str]:
        """The names by which arrangements know the columns."""
        return distinct_names(self._model.columns)

    def _on_hidden_changed(self) -> None:
        self.share_width()
        self.hidden_changed.emit()
        self.arranged.emit()

    def _apply_widths(self) -> None:
        """Give the columns the widths that the user has chosen, at the current text size."""
        if self._widths:
            self._resize({at + 1: theme().px(width) for at, width in self._widths.items()})
        else:
            self.share_width()

    def _resize(self, widths: Mapping[int, int]) -> None:
        """Set the widths of sections in pixels."""
        self._is_arranging = True
        for section, width in widths.items():
            self._head.resizeSection(section, width)
        self._is_arranging = False

    def _store_widths(self) -> None:
        """Keep the widths of all columns as they are."""
        scale, shown = theme().scale, self.shown
        self._widths |= {at: round(self._head.sectionSize(at + 1) / scale) for at in shown}

    def share_width(self, *_args: object) -> None:
        """Give each column its share of the width, but at least its minimum."""
        columns = self._model.columns
        if not columns or self._widths:
            return
        px, table = theme().px, self._table
        first = px(_PADDING) + max(self._number_width(), self._heading_width(self._model.position_heading))
        shown = [at for at in range(len(columns)) if not self._head.isSectionHidden(at + 1)]
        weights, minimums = zip(*(self._width_of(columns[at]) for at in shown), strict=True)
        widths = _shares(table.viewport().width() - first, weights, [px(minimum) for minimum in minimums])
        widths = [min(width, px(_MAX_WIDTH)) for width in widths]
        # Qt needs 50 microseconds for a column that is resized by itself, and nothing for the default width.
        self._head.setDefaultSectionSize(Counter(widths).most_common(1)[0][0])
        self._resize({0: first, **{at + 1: width for at, width in zip(shown, widths, strict=True)}})

    def _width_of(self, column: str) -> tuple[float, int]:
        type = self._model.type_of(column)
        if type is FieldType.TEXT:
            return _TEXT
        return _OTHER if type in (None, FieldType.METADATA, FieldType.TASK_GROUP_ID) else _ADDRESS

    def _number_width(self) -> int:
        metrics = self._table.fontMetrics()
        return metrics.horizontalAdvance(_DIGIT) * len(str(2 * self._model.rowCount() + 100))

    def _heading_width(self, text: str) -> int:
        self._table.ensurePolished()
        return theme().font(TextRole.HEAD).pixelSize() * len(text) * 2 // 3

    def _on_section_resized(self) -> None:
        """Keep the widths from now on if the user has resized a section, and not the window."""
        is_dragged = QApplication.mouseButtons() != Qt.MouseButton.NoButton and self._table.underMouse()
        if not self._is_arranging and is_dragged:
            self._store_widths()
            self._arranged_soon.start()

    def _on_section_moved(self) -> None:
        if not self._is_arranging:
            self.arranged.emit()

    def _on_handle_double_clicked(self, section: int) -> None:
        if section > 0:
            self.fit(section - 1)
