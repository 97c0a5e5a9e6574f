"""The dialog with the first rows after a step, and its balance table."""

from collections.abc import Mapping, Sequence

from batchwright.base.i18n import _
from batchwright.base.json_values import JsonObject
from batchwright.prepare.reports import BalanceRow, StepReport
from batchwright.ui.core.formatting import number, records
from batchwright.ui.data.cells_model import CellsModel
from batchwright.ui.data.prepare.step_forms import STEP_FORMS
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.tables.table import FittedTable, TextCell
from batchwright.ui.widgets.text import Label

_WIDTH, _ROWS, _BALANCE_ROWS = 860, 8, 6
_MAX_COLUMNS = 40
_COLUMN, _NAME = 150, 480


class StepResultDialog(Dialog):
    """Shows what a step has made of the table; without a step, the table before the first one."""

    help_address = "prepare.md"

    def __init__(self, report: StepReport, step: JsonObject | None) -> None:
        title = _("The table before the first step")
        if step is not None:
            label = _(STEP_FORMS[str(step["step"])].label)
            title = _("After step {number}: {label}").format(number=report.number, label=label)
        super().__init__(title, records(report.count), _("Close"), width=_WIDTH)
        self.cancel_button.hide()
        columns = report.columns[:_MAX_COLUMNS]
        rows = [[_cell(record, name) for name in columns] for record in report.records]
        self.add(Label(_("The first rows"), TextRole.SMALL_NAME))
        self._add_table(_("The first rows"), columns, rows, _ROWS, [_COLUMN] * len(columns))
        for note in report.notes:
            self.add(Label(note, TextRole.SMALL, "text2", wraps=True))
        if report.balance:
            self.add(Label(_("Balance"), TextRole.SMALL_NAME))
            headings = _("What is counted"), _("Of"), _("Count")
            cells = [[*map(TextCell, _texts(row))] for row in report.balance]
            self._add_table(_("Balance"), headings, cells, _BALANCE_ROWS, [_NAME // 2, _NAME // 2, _COLUMN])

    def _add_table(
        self,
        name: str,
        headings: Sequence[str],
        rows: Sequence[Sequence[TextCell]],
        most: int,
        widths: Sequence[int],
    ) -> None:
        model = CellsModel(headings, rows, self)
        table = FittedTable(name, model, width=_WIDTH - 60, min_rows=1, max_rows=most)
        table.horizontalHeader().setStretchLastSection(True)
        for section, width in enumerate(widths):
            table.set_column_width(section, width)
        self.add(table)


def _cell(record: Mapping[str, str], name: str) -> TextCell:
    value = record.get(name)
    return TextCell(" ".join(value.split())) if value else TextCell(_("empty"), "text3", is_missing=True)


def _texts(row: BalanceRow) -> tuple[str, str, str]:
    return row.subject, row.name, number(row.count)
