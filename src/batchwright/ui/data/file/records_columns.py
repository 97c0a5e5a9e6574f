"""The columns of the records table: their widths, which share that of the table, and which are hidden."""

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication

from batchwright.schema.model import FieldType
from batchwright.ui.data.file.records_model import RowsModel
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.tables.table import Table

_TEXT = (3.0, 150)
_ADDRESS = (2.6, 130)
_OTHER = (1.5, 96)
"""Share of the width that a column takes, and its minimum width in pixels at 100 %."""

_MAX_WIDTH = 560
_DIGIT, _PADDING = "0", 26


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

    def __init__(self, table: Table, model: RowsModel) -> None:
        super().__init__(table)
        self._table, self._model, self._head = table, model, table.horizontalHeader()
        self._is_resizing = False
        self._shares_width = True
        self._head.sectionResized.connect(self._on_section_resized)
        model.file_shown.connect(self._reset)
        model.headerDataChanged.connect(self.share_width)
        model.rowsInserted.connect(self.share_width)
        theme().on_changed(self._reset_widths)

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

    def show(self, column: int) -> None:
        """Show a hidden column of the file, counted from zero; all are shown for -1."""
        for at in self.hidden if column < 0 else [column]:
            self._table.setColumnHidden(at + 1, False)
        self._on_hidden_changed()

    def hide(self, column: int) -> None:
        """Hide a column of the file, counted from zero."""
        self._table.setColumnHidden(column + 1, True)
        self._on_hidden_changed()

    def _on_hidden_changed(self) -> None:
        self.share_width()
        self.hidden_changed.emit()

    def _reset(self) -> None:
        """Show all columns of another file, in its order."""
        for column in self.hidden:
            self._table.setColumnHidden(column + 1, False)
        if self._head.sectionsMoved():
            for section in range(self._head.count()):
                self._head.moveSection(self._head.visualIndex(section), section)
        self.hidden_changed.emit()
        self._reset_widths()

    def _reset_widths(self) -> None:
        self._shares_width = True
        self.share_width()

    def share_width(self, *_args: object) -> None:
        """Give each column its share of the width, but at least its minimum."""
        columns = self._model.columns
        if not columns or not self._shares_width:
            return
        px, table = theme().px, self._table
        first = px(_PADDING) + max(self._number_width(), self._heading_width(self._model.position_heading))
        shown = [at for at in range(len(columns)) if not self._head.isSectionHidden(at + 1)]
        weights, minimums = zip(*(self._width_of(columns[at]) for at in shown), strict=True)
        widths = _shares(table.viewport().width() - first, weights, [px(minimum) for minimum in minimums])
        widths = [min(width, px(_MAX_WIDTH)) for width in widths]
        self._is_resizing = True
        # Qt needs 50 microseconds for a column that is resized by itself, and nothing for the default width.
        self._head.setDefaultSectionSize(Counter(widths).most_common(1)[0][0])
        table.setColumnWidth(0, first)
        for at, width in zip(shown, widths, strict=True):
            table.setColumnWidth(at + 1, width)
        self._is_resizing = False

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
        if not self._is_resizing and is_dragged:
            self._shares_width = False
