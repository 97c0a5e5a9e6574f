"""The model of a file's records; pages are requested as they scroll into view."""

import dataclasses
from array import array
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, is_array, is_object
from batchwright.base.local_formats import joined
from batchwright.data_files.checking import Rejection
from batchwright.data_files.profiling import as_text
from batchwright.data_files.rows import ParsedRecord
from batchwright.data_files.views.record_query import RecordMarks, RecordView
from batchwright.schema.model import FieldType, Schema
from batchwright.schema.record_validator import RAW, RecordError
from batchwright.ui.data.file.shown_edits import ShownEdits
from batchwright.ui.data.labels import EXCLUDED_ICON, TYPE_ICONS, counts_text, position_heading
from batchwright.ui.theme.glyphs import icon
from batchwright.ui.widgets.tables.models import TableModel
from batchwright.ui.widgets.tables.table import CellRole, TextCell, accessible_text

PAGE_SIZE = 64
"""Records per page."""

_MAX_PAGES = 48
"""Pages cached."""

_MAX_CELL_CHARS = 300
"""Characters of a value kept per cell; more are never visible."""

_MAX_CHARS_WITHOUT_TIP = 24
"""Texts of up to this many characters need no tooltip."""


class RowsModel(TableModel):
    """A column with the line numbers, then the columns of the file.

    `page_requested` is emitted for a page with visible rows, repeatedly until `set_page` provides it.
    """

    page_requested = Signal(int)
    file_shown = Signal()
    """Another file is shown."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns: tuple[str, ...] = ()
        self.position_heading = position_heading(counts_lines=True)
        """What the numbers of the records count."""
        self._count = 0
        self._pages: OrderedDict[int, Sequence[ParsedRecord[Json]]] = OrderedDict()
        self._types: Mapping[str, FieldType] = {}
        self._rejections: Mapping[int, Rejection] = {}
        self._view: RecordView | None = None
        self._edited: Mapping[str, array[int]] = {}
        self._edits: ShownEdits | None = None
        self._old_pages: set[int] = set()
        """Pages that are shown as they were before the file was converted with other edits."""
        self._marks: RecordMarks | None = None
        self._filtered: frozenset[int | None] = frozenset()
        self._changes: Mapping[str, Sequence[str]] = {}

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the file."""
        return self._columns

    def type_of(self, column: str) -> FieldType | None:
        """The type of a column in the schema; None if it is left out."""
        return self._types.get(column)

    def show_file(
        self, columns: tuple[str, ...], first: Sequence[ParsedRecord[Json]], *, counts_lines: bool = True
    ) -> None:
        """Show another file, starting with its first records, which are numbered by lines or rows."""
        self.beginResetModel()
        self.position_heading = position_heading(counts_lines=counts_lines)
        self._columns, self._count, self._rejections, self._view = columns, len(first), {}, None
        self._marks = None
        self._pages.clear()
        self._old_pages.clear()
        self._edits = None
        if first:
            self._pages[0] = first
        self.endResetModel()
        self.file_shown.emit()

    def show_view(self, view: RecordView | None) -> None:
        """Show the records of a view, and mark its hits; for None, all in the order of the file."""
        is_same_order = self._order is None and (view is None or view.order is None)
        if is_same_order:
            self._view = view
            self._refresh()
            return
        self.beginResetModel()
        self._view = view
        self._pages.clear()
        self._old_pages.clear()
        self.endResetModel()

    @property
    def _order(self) -> "array[int] | None":
        """The index of the record in each row; None for the order of the file."""
        return None if self._view is None else self._view.order

    def records_of(self, page: int) -> Sequence[int]:
        """The indexes of the records on a page."""
        top = page * PAGE_SIZE
        order = self._order
        return (
            range(top, min(top + PAGE_SIZE, self._count)) if order is None else order[top : top + PAGE_SIZE]
        )

    def record_index(self, row: int) -> int:
        """The index of the record in a row."""
        order = self._order
        return row if order is None else order[row]

    def row_of(self, record: int) -> int | None:
        """The row of a record, by its index; None if the view leaves it out."""
        order = self._order
        if order is None:
            return record
        try:
            return order.index(record)
        except ValueError:
            return None

    def is_hit(self, row: int) -> bool:
        """Whether the search has found something in a row."""
        if self._view is None:
            return False
        at = bisect_left(self._view.hits, row)
        return at < len(self._view.hits) and self._view.hits[at] == row

    def show_count(self, count: int) -> None:
        """Increase the number of records of the file."""
        if count <= self._count:
            return
        if self._order is not None:
            self._count = count
            return
        self.beginInsertRows(QModelIndex(), self._count, count - 1)
        if self._count < PAGE_SIZE:
            self._pages.pop(0, None)
        self._count = count
        self.endInsertRows()

    def set_page(self, page: int, entries: Sequence[ParsedRecord[Json]]) -> None:
        """Store and show the records of a page, unless it has other records by now."""
        if not entries or page * PAGE_SIZE >= self.row_count():
            return
        if self.record_index(page * PAGE_SIZE) != entries[0].record_index:
            return
        self._pages[page] = entries
        self._old_pages.discard(page)
        while len(self._pages) > _MAX_PAGES:
            self._pages.popitem(last=False)
        top = page * PAGE_SIZE
        last = min(top + len(entries), self.row_count()) - 1
        if last >= top:
            self.dataChanged.emit(self.index(top, 0), self.index(last, self.columnCount() - 1))

    def has_page(self, page: int) -> bool:
        """Whether a page is cached."""
        return page in self._pages

    def show_schema(self, schema: Schema | None) -> None:
        """Show the types of the columns."""
        self._types = {} if schema is None else {key: field.type for key, field in schema.fields.items()}
        if self._columns:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.columnCount() - 1)
        self._refresh()

    def show_marks(self, marks: RecordMarks | None) -> None:
        """Mark what is conspicuous among the records."""
        if marks is not self._marks:
            self._marks = marks
            self._refresh()

    def show_filtered(self, columns: frozenset[int | None]) -> None:
        """Mark the columns, counted from zero, on which there are conditions."""
        if columns != self._filtered:
            self._filtered = columns
            if self._columns:
                self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.columnCount() - 1)

    def show_edited(self, edited: "Mapping[str, array[int]]") -> None:
        """Mark the cells that were edited: the indexes of their records by column, in ascending order."""
        if edited is not self._edited:
            self._edited = edited
            self._refresh()

    def show_edits(self, edits: ShownEdits | None) -> None:
        """Show the records with edits; for None, as they are in the file, which was converted again."""
        if edits is None and self._edits is not None:
            for number, page in self._pages.items():
                self._pages[number] = [self._edits.record(entry) for entry in page]
            self._old_pages = set(self._pages)
        self._edits = edits
        self._refresh()

    def show_column_changes(self, changes: Mapping[str, Sequence[str]]) -> None:
        """Mark the columns that were changed beside the file: what was done to each, as phrases."""
        if changes != self._changes:
            self._changes = changes
            if self._columns:
                self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.columnCount() - 1)

    def _is_edited(self, record: int, column: str) -> bool:
        mark = None if self._edits is None else self._edits.mark(record, column)
        if mark is not None:
            return mark
        records = self._edited.get(column)
        if records is None:
            return False
        at = bisect_left(records, record)
        return at < len(records) and records[at] == record

    def show_rejections(self, rejections: Mapping[int, Rejection]) -> None:
        """Mark the cells that cause rejections, by the index of the record."""
        if rejections is not self._rejections:
            self._rejections = rejections
            self._refresh()

    def record(self, row: int) -> ParsedRecord[Json] | None:
        """A record; None while its page is being read."""
        number, at = divmod(row, PAGE_SIZE)
        page = self._pages.get(number)
        if page is None or number in self._old_pages:
            self.page_requested.emit(number)
        if page is None:
            return None
        self._pages.move_to_end(number)
        entry = page[at] if at < len(page) else None
        return entry if entry is None or self._edits is None else self._edits.record(entry)

    def column_of(self, field: str) -> int:
        """The table column of a field; that of the line numbers if it is not a column of the file."""
        return self._columns.index(field) + 1 if field in self._columns else 0

    @override
    def row_count(self) -> int:
        order = self._order
        return self._count if order is None else len(order)

    @override
    def column_count(self) -> int:
        return len(self._columns) + 1 if self._columns else 0

    @override
    def heading(self, column: int, role: int) -> object:
        if column == 0:
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            return self.position_heading if role == Qt.ItemDataRole.DisplayRole else None
        name = self._columns[column - 1]
        if role == Qt.ItemDataRole.DisplayRole:
            return name
        if role == Qt.ItemDataRole.DecorationRole:
            type = self._types.get(name)
            glyph, tone = EXCLUDED_ICON if type is None else TYPE_ICONS[type]
            if column - 1 in self._filtered:
                return icon("funnel-simple", "accent_text")
            return icon(glyph, "accent_text" if name in self._changes else tone)
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join((*self._changes.get(name, ()), *self._counts_of(column)))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            states = {_("changed"): name in self._changes, _("filtered"): column - 1 in self._filtered}
            return joined((name, *(state for state, applies in states.items() if applies)))
        return None

    @override
    def value(self, row: int, column: int, role: int) -> object:
        if role not in (CellRole.CELL, Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        entry = self.record(row)
        if entry is None:
            return None
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tooltip(entry, column)
        cell, notes = self._cell(entry, column), []
        if column > 0 and self._is_edited(entry.record_index, self._columns[column - 1]):
            notes.append(_("changed"))
            cell = dataclasses.replace(cell, marker="accent_text")
        if column == 0 and self.is_hit(row):
            notes.append(_("search hit"))
            cell = dataclasses.replace(cell, tone="accent_text", is_name=True)
        if (mark := self._mark(entry, column)) is not None:
            notes.append(mark.text)
            cell = dataclasses.replace(cell, glyph=mark.glyph)
        return cell if role == CellRole.CELL else joined((accessible_text(cell), *notes))

    def value_text(self, row: int, column: int) -> str:
        """The value of a cell as text; empty if it is missing or not read yet."""
        entry = self.record(row)
        if entry is None or column == 0:
            return ""
        value = self._value(entry, column)
        return "" if value is None else as_text(value)

    def _cell(self, entry: ParsedRecord[Json], column: int) -> TextCell:
        error = self._rejections.get(entry.record_index)
        if column == 0:
            has_error = error is not None and (error.field == RAW or error.field not in self._columns)
            return TextCell(str(entry.line), tone="text2", is_number=True, has_error=has_error)
        name = self._columns[column - 1]
        if isinstance(entry.content, RecordError):
            return TextCell(entry.content.reason if column == 1 else "", tone="err")
        value = self._value(entry, column)
        has_error = error is not None and error.field == name
        if value in (None, ""):
            return TextCell(_("empty"), tone="text3", is_missing=True, has_error=has_error)
        type = self._types.get(name)
        return TextCell(_line(value), tone="text" if type is FieldType.TEXT else "text2", has_error=has_error)

    def _counts_of(self, column: int) -> Sequence[str]:
        """What all values of a column are like, as a sentence if they are counted."""
        columns = () if self._marks is None else self._marks.columns
        return [counts_text(columns[column - 1])] if column <= len(columns) else ()

    def _mark(self, entry: ParsedRecord[Json], column: int) -> "_Mark | None":
        """What is conspicuous about a cell; about the record in the column of the line numbers."""
        marks, record = self._marks, entry.record_index
        if marks is None or column > len(marks.columns):
            return None
        if column == 0:
            is_repeated = marks.is_repeated(record, None)
            return _Mark("copy", _("equal to another record")) if is_repeated else None
        value, counts = self._value(entry, column), marks.columns[column - 1]
        if value in (None, ""):
            return None
        length = len(as_text(value))
        if length < counts.short_below:
            return _Mark("ruler", _("conspicuously short"))
        if length > counts.long_above:
            return _Mark("ruler", _("conspicuously long"))
        # A record that is equal to another one has a mark of its own.
        is_repeated = marks.is_repeated(record, column - 1) and not marks.is_repeated(record, None)
        return _Mark("copy", _("occurs more than once")) if is_repeated else None

    def _tooltip(self, entry: ParsedRecord[Json], column: int) -> str:
        error = self._rejections.get(entry.record_index)
        if error is not None and self.column_of(error.field) == column:
            return error.reason
        if (mark := self._mark(entry, column)) is not None:
            return mark.text
        if column == 0 or isinstance(entry.content, RecordError):
            return ""
        value = self._value(entry, column)
        text = as_text(value) if value not in (None, "") else ""
        return text if len(text) > _MAX_CHARS_WITHOUT_TIP or "\n" in text else ""

    def _value(self, entry: ParsedRecord[Json], column: int) -> Json:
        """The value of a record in a column, by position: a header may contain a name twice."""
        content = entry.content
        if is_array(content):
            return content[column - 1] if column <= len(content) else None
        return content.get(self._columns[column - 1]) if is_object(content) else None

    def _refresh(self) -> None:
        if self.row_count() and self._columns:
            self.dataChanged.emit(self.index(0, 0), self.index(self.row_count() - 1, self.columnCount() - 1))


@dataclasses.dataclass(frozen=True)
class _Mark:
    """What is conspicuous about a cell: an icon, and a phrase."""

    glyph: str
    text: str


def _line(value: Json) -> str:
    """The start of a value, on one line."""
    return _valid_unicode(" ".join(as_text(value)[:_MAX_CELL_CHARS].split()))


def _valid_unicode(text: str) -> str:
    """A text with lone surrogates replaced, which Qt does not accept."""
    return text.encode("utf-8", "replace").decode()
