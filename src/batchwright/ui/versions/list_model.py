"""The table model of the versions: the time, and below it the cause and what changed."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.local.versions import Version
from batchwright.ui.versions.labels import CAUSES, version_time
from batchwright.ui.widgets.tables.table import Cell, CellModel, IconCell, TextCell


class VersionsModel(CellModel):
    """The versions, newest first, with the summaries that are known."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._versions: tuple[Version, ...] = ()
        self._summaries: Mapping[int, str] = {}

    def show_versions(self, versions: tuple[Version, ...], summaries: Mapping[int, str]) -> None:
        """Show versions and summaries; the selection is kept if the versions are the same."""
        if versions != self._versions:
            self.beginResetModel()
            self._versions, self._summaries = versions, dict(summaries)
            self.endResetModel()
        elif summaries != self._summaries:
            self._summaries = dict(summaries)
            self.dataChanged.emit(self.index(0, 0), self.index(len(versions) - 1, 0))

    @override
    def row_count(self) -> int:
        return len(self._versions)

    @override
    def headings(self) -> Sequence[str]:
        return (_("Version"),)

    @override
    def cell(self, row: int, column: int) -> Cell:
        version = self._versions[row]
        _cause, glyph = CAUSES[version.cause]
        return IconCell(glyph, "content", TextCell(version_time(version), self._subtitle(row), is_name=True))

    @override
    def tooltip(self, row: int, column: int) -> str | None:
        return self._subtitle(row)

    def _subtitle(self, row: int) -> str:
        """The cause, and what changed since the version before."""
        version = self._versions[row]
        cause, _glyph = CAUSES[version.cause]
        is_oldest = row == len(self._versions) - 1
        changes = _("oldest version") if is_oldest else self._summaries.get(version.row_id, "")
        return _("{cause}: {changes}").format(cause=_(cause), changes=changes) if changes else _(cause)
