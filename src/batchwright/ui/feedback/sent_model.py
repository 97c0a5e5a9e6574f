"""The table model of the files sent before."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.local.sent_files import SentFile
from batchwright.ui.core.formatting import short_datetime, size
from batchwright.ui.widgets.models import TableModel
from batchwright.ui.widgets.tables import CellRole, TextCell, accessible_text


class SentModel(TableModel):
    """A row for each file."""

    _files: Sequence[SentFile] = ()

    def show_files(self, files: Sequence[SentFile]) -> None:
        """Show these files."""
        if files != self._files:
            self.beginResetModel()
            self._files = files
            self.endResetModel()

    @override
    def row_count(self) -> int:
        return len(self._files)

    @override
    def column_count(self) -> int:
        return len(_heads())

    @override
    def heading(self, column: int, role: int) -> object:
        return _heads()[column] if role == Qt.ItemDataRole.DisplayRole else None

    @override
    def value(self, row: int, column: int, role: int) -> object:
        cell = _cell(self._files[row], column)
        if role == CellRole.CELL:
            return cell
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return accessible_text(cell)
        return None


def _heads() -> tuple[str, ...]:
    return _("File"), _("Size"), _("Sent to"), _("When")


def _cell(file: SentFile, column: int) -> TextCell:
    where = _("{connection}, {workspace}").format(connection=file.connection, workspace=file.workspace_id)
    return (
        TextCell(file.name, is_name=True),
        TextCell(size(file.size), tone="text2"),
        TextCell(where, tone="text2"),
        TextCell(short_datetime(file.sent_at), tone="text2"),
    )[column]
