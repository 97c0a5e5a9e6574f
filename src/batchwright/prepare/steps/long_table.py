"""A row for each output, made from a table with the outputs of all systems in each row."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from typing_extensions import override

from batchwright.base.i18n import N_, _
from batchwright.base.json_values import JsonObject
from batchwright.prepare.problems import StepProblem
from batchwright.prepare.steps.step import Step, StepResult, require_columns
from batchwright.prepare.tables import AddedColumn, ArrangedTable, ChangedTable, PreparedTable


@dataclass(frozen=True)
class OutputsInRows(Step):
    """Make a row of each output; the column that it was in names its system. Missing outputs get no row."""

    label: ClassVar[str] = N_("A row for each output")
    outputs: tuple[str, ...]
    """The columns with outputs, named after systems."""
    system: str = "system"
    """The new column with the name of the system."""
    output: str = "output"
    """The new column with its output."""

    @override
    def __call__(self, table: PreparedTable) -> StepResult:
        require_columns(table, self.outputs or [""])
        others = [column for column in table.columns if column not in self.outputs]
        for name, taken in ((self.system, (*table.columns, self.output)), (self.output, others)):
            if name in taken:
                raise StepProblem(_("There is a column “{column}” already.").format(column=name))
        rows, systems = np.nonzero(np.stack([*table.codes(self.outputs).values()], axis=1) >= 0)
        repeated = ArrangedTable(table, rows, {self.system: AddedColumn(systems, self.outputs)})
        columns = (*others, self.system, self.output)
        return StepResult(ChangedTable(repeated, columns, [self.output], self._change))

    def _change(self, record: JsonObject) -> JsonObject:
        kept = {key: value for key, value in record.items() if key not in self.outputs}
        return {**kept, self.output: record[str(record[self.system])]}
