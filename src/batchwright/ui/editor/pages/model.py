"""The Qt model of the page list."""

from collections.abc import Collection, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.layout.model import Page
from batchwright.layout.nodes import Node
from batchwright.layout.rules.problems import Severity
from batchwright.ui.editor.problem_signs import severity_text
from batchwright.ui.widgets.models import TableModel


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
        for number, (old, new) in enumerate(zip(before, rows_data, strict=True)):
            if old is new:
                continue
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
            Qt.ItemDataRole.AccessibleTextRole: ", ".join(
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


def page_list_rows(
    pages: Sequence[Node],
    names: Mapping[str, str],
    worst: Mapping[int, Severity],
    before: Sequence[PageListRow] = (),
) -> list[PageListRow]:
    """The row of each page. A row of `before` at the same index is reused if nothing in it changed."""
    rows: list[PageListRow] = []
    for number, (page, old) in enumerate(zip_longest(pages, before[: len(pages)])):
        name, severity = names.get(page.key, ""), worst.get(number)
        is_same = old is not None and old.page is page and old.worst_severity is severity and old.name == name
        rows.append(old if is_same else PageListRow(page, name, severity))
    return rows
