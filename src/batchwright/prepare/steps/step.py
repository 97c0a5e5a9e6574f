"""A step of the preparation of a study: what it makes of a table, and what it says about it."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from typing_extensions import override

from batchwright.base.i18n import N_, _
from batchwright.prepare.problems import StepProblem
from batchwright.prepare.reports import BalanceRow
from batchwright.prepare.tables import PreparedTable


class StepResult(NamedTuple):
    """The table after a step, sentences about what it did, and how balanced the result is."""

    table: PreparedTable
    notes: tuple[str, ...] = ()
    balance: tuple[BalanceRow, ...] = ()


@dataclass(frozen=True)
class Step(ABC):
    """A step and its options. With the same table, it always has the same result."""

    label: ClassVar[str]
    """The name of the step, in English."""
    least: ClassVar[Mapping[str, int]] = {}
    """The smallest numbers that options can have."""

    @abstractmethod
    def __call__(self, table: PreparedTable) -> StepResult:
        """Make the step.

        Raises:
            StepProblem: it cannot be made with this table.
        """


@dataclass(frozen=True)
class SwitchedOff(Step):
    """A step that is not made for now."""

    label: ClassVar[str] = N_("Switched off")

    @override
    def __call__(self, table: PreparedTable) -> StepResult:
        return StepResult(table)


def require_columns(table: PreparedTable, columns: Iterable[str]) -> None:
    """Check that a table has columns.

    Raises:
        StepProblem: it has not; the first missing one is named. Or none was chosen: its name is empty.
    """
    for column in columns:
        if column not in table.columns:
            if not column:
                raise StepProblem(_("Choose a column."))
            raise StepProblem(_("There is no column “{column}”.").format(column=column))
