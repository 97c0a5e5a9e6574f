"""The Qt model of the page list."""

from collections.abc import Collection, Mapping, Sequence
from itertools import compress, count
from operator import is_not
from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.base.local_formats import joined
from batchwright.layout.comparing.changed_pages import changed_pages
from batchwright.layout.model import Page
from batchwright.layout.nodes import Node
from batchwright.layout.rules.problems import Severity
from batchwright.ui.editor.core.problem_signs import severity_text
from batchwright.ui.widgets.tables.models import TableModel


class PageListRow(NamedTuple):
    """The display data of one page. A tuple, because a thousand of them may be compared or created at each
    edit.
    """

    page: Node
    name: str
    worst_severity: Severity | None = None

    @property
    def position(self) -> str:
        """When the page is shown: `intro`, `body` or `outro`."""
        return self.page.position if isinstance(self.page, Page) else "body"

    @property
    def position_label(self) -> str:
        """The title of the position, or empty for a page that is shown for each record."""
        return {"intro": _("Intro"), "outro": _("Outro")}.get(self.position, "")

    @property
    def display_name(self) -> str:
        """The name of the page, or else the title of its position."""
        return self.name or self.position_label


class PageListModel(TableModel):
    """The pages of the layout. Editing a name emits `rename_requested`."""

    rename_requested = Signal(str, str)
    """The key of a page and its new name."""
    pages_changed = Signal(object)
    """The content of the pages at these indexes changed, or other pages took their places; the texts are the
    same.

    `dataChanged` is not emitted in this case, because it would make a list view lay out all of its rows
    again.
    """

    def __init__(self) -> None:
        super().__init__()
        self._rows: Sequence[PageListRow] = ()

    def show_rows(self, rows_data: Sequence[PageListRow]) -> None:
        """Replace the rows."""
        before, self._rows = self._rows, rows_data
        if before is rows_data:
            return
        if len(before) != len(rows_data):
            self._rows = before
            self.beginResetModel()
            self._rows = rows_data
            self.endResetModel()
            return
        changed: list[int] = []
        for number in list(compress(count(), map(is_not, before, rows_data))):
            old, new = before[number], rows_data[number]
            if old[1:] != new[1:] or old.position != new.position:
                self.dataChanged.emit(self.index(number, 0), self.index(number, 0))
            else:
                changed.append(number)
        if changed:
            self.pages_changed.emit(changed)

    def row_of(self, key: str) -> int | None:
        """The index of the page with this key, or None."""
        return next((number for number, row_data in enumerate(self._rows) if row_data.page.key == key), None)

    def rows_of(self, keys: Collection[str]) -> list[int]:
        """The indexes of the pages with these keys, in ascending order."""
        return [number for number, row_data in enumerate(self._rows) if row_data.page.key in keys]

    def row_at(self, number: int) -> PageListRow | None:
        """The row at an index, or None."""
        return self._rows[number] if 0 <= number < len(self._rows) else None

    @override
    def row_count(self) -> int:
        return len(self._rows)

    @override
    def cell_flags(self, row: int, column: int) -> Qt.ItemFlag:
        return super().cell_flags(row, column) | Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsDragEnabled

    @override
    def value(self, row: int, column: int, role: int) -> object:
        row_data = self._rows[row]
        if role == Qt.ItemDataRole.EditRole:
            return row_data.name
        if role == Qt.ItemDataRole.AccessibleDescriptionRole and row_data.worst_severity is not None:
            return severity_text(row_data.worst_severity)
        values = {
            Qt.ItemDataRole.DisplayRole: row_data.display_name,
            Qt.ItemDataRole.ToolTipRole: row_data.display_name,
            Qt.ItemDataRole.AccessibleTextRole: joined(
                dict.fromkeys(label for label in (row_data.display_name, row_data.position_label) if label)
            ),
        }
        if role not in values:
            return None
        text = values[Qt.ItemDataRole(role)]
        number = _("Page {number}").format(number=row + 1)
        return f"{number} {text}" if text else number

    @override
    def set_value(self, row: int, column: int, value: object) -> bool:
        self.rename_requested.emit(self._rows[row].page.key, str(value))
        return True


class PageListRows:
    """The rows of the page list, updated where the pages, their names or their problems have changed."""

    def __init__(self) -> None:
        self._pages: Sequence[Node] = ()
        self._names: Mapping[str, str] = {}
        self._worst: Mapping[int, Severity] = {}
        self._rows: Sequence[PageListRow] = ()

    def update(
        self, pages: Sequence[Node], names: Mapping[str, str], worst: Mapping[int, Severity]
    ) -> Sequence[PageListRow]:
        """The rows, of which unchanged ones are the same objects; `worst` is by page number."""
        changed, shown = changed_pages(self._pages, pages), list(self._rows)
        is_renamed, worst_before = names is not self._names and names != self._names, self._worst
        is_reordered = len(changed.before) != len(changed.after)
        self._pages, self._names, self._worst = pages, names, worst
        stop = changed.start + len(changed.after)
        shown[changed.start : changed.start + len(changed.before)] = map(
            self._row, range(changed.start, stop)
        )
        numbers = {number for number, _severity in worst.items() ^ worst_before.items()}
        for number in range(len(pages)) if is_renamed or is_reordered else numbers:
            if number < len(shown) and shown[number] != (row := self._row(number)):
                shown[number] = row
        self._rows = shown
        return shown

    def _row(self, number: int) -> PageListRow:
        page = self._pages[number]
        return PageListRow(page, self._names.get(page.key, ""), self._worst.get(number))
