"""The files sent before, as a table (look.md 9)."""

from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt
from typing_extensions import override

from batchwright.local.sent_files import SentFile
from batchwright.ui.kit.tables import CellRole, Index, Words, spoken
from batchwright.ui.measures import size, when
from batchwright.words import _


class SentModel(QAbstractTableModel):
    """A row for each file."""

    _files: Sequence[SentFile] = ()

    def show_files(self, files: Sequence[SentFile]) -> None:
        """Show these files."""
        if files != self._files:
            self.beginResetModel()
            self._files = files
            self.endResetModel()

    @override
    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._files)

    @override
    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(_heads())

    @override
    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if role == Qt.ItemDataRole.DisplayRole and orientation is Qt.Orientation.Horizontal:
            return _heads()[section]
        return None

    @override
    def data(self, index: Index | QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        cell = _cell(self._files[index.row()], index.column())
        if role == CellRole.CELL:
            return cell
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return spoken(cell)
        return None


def _heads() -> tuple[str, ...]:
    return _("File"), _("Size"), _("Sent to"), _("When")


def _cell(file: SentFile, column: int) -> Words:
    where = _("{connection}, {workspace}").format(connection=file.connection, workspace=file.workspace_id)
    return (
        Words(file.name, is_name=True),
        Words(size(file.size), tone="text2"),
        Words(where, tone="text2"),
        Words(when(file.sent_at), tone="text2"),
    )[column]
