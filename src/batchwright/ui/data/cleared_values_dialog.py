"""The values that a migration has cleared: datapoint, field and reason of each."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtWidgets import QHeaderView
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.formatting import abbreviated_id, number
from batchwright.ui.theme import theme
from batchwright.ui.widgets.dialogs import WIDE, Dialog
from batchwright.ui.widgets.models import TableModel
from batchwright.ui.widgets.tables import ROW_HEIGHT, CellRole, Table, TextCell
from batchwright.wire.migrations import MigrationJob, NulledField

_DATAPOINT, _FIELD, _REASON = range(3)
_MAX_ROWS = 10


class ClearedValuesModel(TableModel):
    """Cleared values, as the service lists them."""

    def __init__(self, cleared: Sequence[NulledField], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cleared = cleared

    @override
    def row_count(self) -> int:
        return len(self._cleared)

    @override
    def column_count(self) -> int:
        return 3

    @override
    def heading(self, column: int, role: int) -> object:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return (_("Datapoint"), _("Field"), _("Reason"))[column]

    @override
    def value(self, row: int, column: int, role: int) -> object:
        one = self._cleared[row]
        if role == CellRole.CELL and column == _DATAPOINT:
            return TextCell(abbreviated_id(one.datapoint_id), tone="text2", is_number=False)
        if role == CellRole.CELL and column == _FIELD:
            return TextCell(one.field, is_name=True)
        if role == CellRole.CELL:
            return TextCell(one.reason)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return (one.datapoint_id, one.field, one.reason)[column]
        return None


class ClearedValuesDialog(Dialog):
    """Lists the cleared values, read-only."""

    def __init__(self, job: MigrationJob) -> None:
        cleared = job.errors or ()
        super().__init__(_("Cleared values"), _sentence(job, len(cleared)), _("Close"), width=WIDE)
        self.cancel_button.hide()
        self.table = _ClearedValuesTable(cleared)
        self.add(self.table)


class _ClearedValuesTable(Table):
    """A table as high as its rows, up to ten rows."""

    def __init__(self, cleared: Sequence[NulledField]) -> None:
        super().__init__(_("Cleared values"), ClearedValuesModel(cleared))
        self._rows = min(len(cleared), _MAX_ROWS)
        head = self.horizontalHeader()
        head.setStretchLastSection(True)
        head.setSectionResizeMode(_FIELD, QHeaderView.ResizeMode.ResizeToContents)
        self.setColumnWidth(_DATAPOINT, theme().px(120))
        self.setColumnWidth(_FIELD, theme().px(140))

    @override
    def sizeHint(self) -> QSize:
        return QSize(theme().px(WIDE), theme().px(36) + self._rows * theme().px(ROW_HEIGHT) + 4)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(240), theme().px(36) + min(self._rows, 3) * theme().px(ROW_HEIGHT))


def _sentence(job: MigrationJob, listed: int) -> str:
    failed = job.failed_count or 0
    text = ngettext(
        "{count} record has values that did not fit and were cleared.",
        "{count} records have values that did not fit and were cleared.",
        failed,
    ).format(count=number(failed))
    if listed < failed:
        return text + " " + _("The service lists the first {count}.").format(count=number(listed))
    return text
