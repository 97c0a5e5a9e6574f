"""A random part of the rows: a sample, and the records of a pilot."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

import numpy as np
from typing_extensions import override

from batchwright.base.i18n import N_, _, ngettext
from batchwright.base.plain_numbers import plain_text
from batchwright.prepare.columns import SAMPLE, STRATUM, WEIGHT
from batchwright.prepare.designs.samples import equal_amounts, proportional_amounts, stratified_sample
from batchwright.prepare.problems import StepProblem
from batchwright.prepare.random_numbers import RandomNumbers
from batchwright.prepare.reports import BalanceRow
from batchwright.prepare.steps.step import Step, StepResult, require_columns
from batchwright.prepare.tables import AddedColumn, ArrangedTable, PreparedTable


class StrataSizes(StrEnum):
    """How many rows are drawn from each stratum."""

    PROPORTIONAL = "proportional"
    EQUAL = "equal"
    GIVEN = "given"


@dataclass(frozen=True)
class SampleRows(Step):
    """Draw rows at random; the order stays."""

    label: ClassVar[str] = N_("Sample")
    least: ClassVar[Mapping[str, int]] = {"size": 0}
    size: int
    stratum: str = ""
    """The column with the stratum of each row; empty for a sample of all rows."""
    sizes: StrataSizes = StrataSizes.PROPORTIONAL
    given: tuple[tuple[str, int], ...] = ()
    """The number of rows of each stratum, by its value."""
    distinct: tuple[str, ...] = ()
    """Of rows with the same values in these columns, only the first is used; empty: all are.

    Rows without any of the values are all used.
    """
    seed: int = 1

    @override
    def __call__(self, table: PreparedTable) -> StepResult:
        require_columns(table, [*self.distinct, *filter(None, [self.stratum])])
        random = RandomNumbers(self.seed, "sample")
        rows = distinct_rows(table, self.distinct)
        notes = _note_about_repeated(table.length - len(rows))
        if not self.stratum:
            chosen = rows[random.sample(len(rows), self.size)]
            return StepResult(
                ArrangedTable(table, chosen), (*notes, *_note_about_few(len(chosen), self.size))
            )
        strata = table.numbered(self.stratum)
        names = [*table.texts(self.stratum, strata.first_rows), ""]
        codes = np.where(strata.of_rows < 0, len(strata.first_rows), strata.of_rows)[rows]
        sizes = np.bincount(codes, minlength=len(names))
        amounts = self._amounts(names, sizes, random)
        chosen = rows[stratified_sample(codes, amounts, random)]
        of_chosen = np.where(strata.of_rows < 0, -1, strata.of_rows)[chosen]
        added = {STRATUM: AddedColumn(of_chosen, names)}
        if self.sizes is not StrataSizes.PROPORTIONAL:
            weights = [
                plain_text(size / max(1, amount), digits=6)
                for size, amount in zip(sizes, amounts, strict=True)
            ]
            added[WEIGHT] = AddedColumn(codes[np.searchsorted(rows, chosen)], weights)
        wanted = sum(amount for _name, amount in self.given) if self.sizes is StrataSizes.GIVEN else self.size
        balance = tuple(
            BalanceRow(_("Rows of a stratum"), name or _("(none)"), int(count))
            for name, count in zip(names, amounts, strict=True)
            if name or count
        )
        missing = int(((amounts == 0) & (sizes > 0)).sum())
        notes = (*notes, *_note_about_few(len(chosen), wanted), *_note_about_strata(missing))
        return StepResult(ArrangedTable(table, chosen, added), notes, balance)

    def _amounts(self, names: Sequence[str], sizes: np.ndarray, random: RandomNumbers) -> np.ndarray:
        if self.sizes is StrataSizes.PROPORTIONAL:
            return proportional_amounts(sizes, self.size)
        if self.sizes is StrataSizes.EQUAL:
            return equal_amounts(sizes, self.size, random)
        amounts, known = dict(self.given), frozenset(names)
        unknown = [name for name in amounts if name not in known]
        if unknown:
            text = _("“{name}” is not in the column “{column}”.")
            raise StepProblem(text.format(name=unknown[0], column=self.stratum))
        return np.minimum([amounts.get(name, 0) for name in names], sizes)


class PilotUse(StrEnum):
    """Which rows stay: all with a column that says which is which, or one part."""

    MARKED = "marked"
    PILOT = "pilot"
    MAIN = "main"


@dataclass(frozen=True)
class HoldOutPilot(Step):
    """Draw rows for a pilot, which the main study does not use again."""

    label: ClassVar[str] = N_("Pilot")
    least: ClassVar[Mapping[str, int]] = {"size": 0}
    size: int
    use: PilotUse = PilotUse.MARKED
    together: str = ""
    """The column whose rows with the same value are in the same part; empty: each row for itself."""
    seed: int = 1

    @override
    def __call__(self, table: PreparedTable) -> StepResult:
        require_columns(table, filter(None, [self.together]))
        units = table.numbered(self.together).of_rows if self.together else np.arange(table.length)
        random = RandomNumbers(self.seed, "pilot")
        count = int(units.max(initial=-1)) + 1
        is_pilot = np.isin(units, random.sample(count, self.size))
        parts = {PilotUse.MARKED: is_pilot | True, PilotUse.PILOT: is_pilot, PilotUse.MAIN: ~is_pilot}
        rows = np.flatnonzero(parts[self.use])
        added = {SAMPLE: AddedColumn(is_pilot[rows].astype(np.int64), ("main", "pilot"))}
        counts = (_("Pilot"), int(is_pilot.sum())), (_("Main study"), int((~is_pilot).sum()))
        balance = tuple(BalanceRow(_("Rows of a part"), name, count) for name, count in counts)
        return StepResult(ArrangedTable(table, rows, added), self._notes(count), balance)

    def _notes(self, count: int) -> tuple[str, ...]:
        if not self.together or count >= self.size:
            return _note_about_few(count, self.size)
        text = ngettext(
            "There is only {count} value of “{column}”, fewer than {wanted}.",
            "There are only {count} values of “{column}”, fewer than {wanted}.",
            count,
        )
        return (text.format(count=count, column=self.together, wanted=self.size),)


def distinct_rows(table: PreparedTable, columns: Sequence[str]) -> np.ndarray:
    """The first row with each combination of values in some columns, and all rows without any of them."""
    if not columns:
        return np.arange(table.length)
    values = np.stack([*table.codes(columns).values()])
    is_empty = (values < 0).all(axis=0)
    _values, first = np.unique(values, axis=1, return_index=True)
    return np.union1d(first, np.flatnonzero(is_empty))


def _note_about_repeated(count: int) -> tuple[str, ...]:
    if not count:
        return ()
    text = ngettext(
        "{count} row repeats another one, and is left out.",
        "{count} rows repeat others, and are left out.",
        count,
    )
    return (text.format(count=count),)


def _note_about_strata(missing: int) -> tuple[str, ...]:
    if not missing:
        return ()
    text = ngettext(
        "{count} stratum has no row in the sample, which says nothing about it.",
        "{count} strata have no row in the sample, which says nothing about them.",
        missing,
    )
    return (text.format(count=missing),)


def _note_about_few(count: int, wanted: int) -> tuple[str, ...]:
    if count >= wanted:
        return ()
    text = ngettext(
        "There is only {count} row, fewer than {wanted}.",
        "There are only {count} rows, fewer than {wanted}.",
        count,
    )
    return (text.format(count=count, wanted=wanted),)
