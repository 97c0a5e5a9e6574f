"""Comparisons of two outputs each, made from a table with one output in each row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

import numpy as np
from typing_extensions import override

from batchwright.base.i18n import N_, _, ngettext
from batchwright.base.local_formats import joined, percent_text, quoted
from batchwright.base.text import truncate
from batchwright.prepare.columns import BLOCK, PAIR_ID, SAMPLE, SYSTEM_LEFT, SYSTEM_RIGHT, WEIGHT, NumberTexts
from batchwright.prepare.designs.pair_designs import (
    Outputs,
    PairBalance,
    Pairs,
    all_pairs,
    balanced_pairs,
    number_of_pairs,
    pair_balance,
    pairs_with,
)
from batchwright.prepare.designs.samples import equal_amounts
from batchwright.prepare.problems import StepProblem
from batchwright.prepare.random_numbers import RandomNumbers
from batchwright.prepare.reports import BalanceRow
from batchwright.prepare.steps.step import Step, StepResult, require_columns
from batchwright.prepare.tables import AddedColumn, MergedTable, Numbered, PreparedTable

MAX_SYSTEMS = 200
MAX_PAIRS = 5_000_000
_COLUMNS_AT_ONCE, _VALUES_AT_ONCE = 8, 2**24
"""Columns that are compared in one pass over the records: so many, and more of a short table."""
_OF_RECORDS = (SAMPLE, WEIGHT)
"""The columns of other steps that a pair needs as they are."""
_NAMED, _PROMPT_CHARS = 5, 40
"""Prompts with missing outputs that a note names, and how many characters of each."""


class PairChoice(StrEnum):
    """Which outputs of a prompt are compared."""

    ALL = "all"
    PER_PROMPT = "per_prompt"
    """A number of pairs of each prompt."""
    BUDGET = "budget"
    """A number of pairs of all prompts together."""
    REFERENCE = "reference"
    """Each output with the one of a reference."""


@dataclass(frozen=True)
class ComparePairs(Step):
    """Compare the outputs for each prompt with each other, two in each record.

    Each output becomes a column for the left and one for the right side; so does every other column that
    differs between the outputs for a prompt. The others stay as they are.
    """

    label: ClassVar[str] = N_("Pairs")
    least: ClassVar[Mapping[str, int]] = {"amount": 1}
    prompt: str
    """The column by which outputs belong together."""
    system: str
    """The column that says which system an output is from."""
    outputs: tuple[str, ...]
    choice: PairChoice = PairChoice.ALL
    amount: int = 1
    """The number of pairs of each prompt, or of all together."""
    reference: str = ""
    """The system that all others are compared with."""
    block: str = ""
    """The column with the block of each prompt, in which all systems are to be connected; empty: none."""
    seed: int = 1

    @override
    def __call__(self, table: PreparedTable) -> StepResult:
        needed = [self.prompt, self.system, *filter(None, [self.block])]
        require_columns(table, [*needed, *self.outputs])
        first = dict.fromkeys((*needed, *self.outputs, *table.columns))
        table.codes([*first][: max(_COLUMNS_AT_ONCE, len(needed) + len(self.outputs))])  # in one pass
        prompts, systems = table.numbered(self.prompt), table.numbered(self.system)
        if len(systems.first_rows) > MAX_SYSTEMS:
            text = _(
                "The column “{column}” has more than {most} different values. Choose the one with systems."
            )
            raise StepProblem(text.format(column=self.system, most=MAX_SYSTEMS))
        has_both = (prompts.of_rows >= 0) & (systems.of_rows >= 0)
        is_usable = has_both & self._has_output(table)
        rows, repeated = _one_each(prompts, systems, np.flatnonzero(is_usable))
        used, of_rows = np.unique(systems.of_rows[rows], return_inverse=True)
        outputs = Outputs(prompts.of_rows[rows], of_rows)
        names = table.texts(self.system, systems.first_rows[used])
        blocks = self._blocks(table, prompts)
        pairs = self._pairs(outputs, names, blocks)
        if not len(pairs.first):
            raise StepProblem(_("No prompt has outputs of two systems."))
        places = np.stack((rows[pairs.first], rows[pairs.second]), axis=1)
        balance = pair_balance(outputs, pairs, blocks)
        notes = (
            *_notes_about_rows(repeated, int((has_both & ~is_usable).sum()), int((~has_both).sum())),
            *self._notes_about_missing(table, outputs, prompts, names),
            *_notes_about_balance(balance),
        )
        return StepResult(self._merged(table, prompts, places), notes, _balance_rows(balance, names))

    def _has_output(self, table: PreparedTable) -> np.ndarray:
        """Whether each row has a value in a column with outputs."""
        codes = table.codes(self.outputs)
        return np.any([codes[column] >= 0 for column in self.outputs], axis=0) | (not self.outputs)

    def _blocks(self, table: PreparedTable, prompts: Numbered) -> np.ndarray | None:
        """The block of each prompt; that of its first row."""
        return table.numbered(self.block).of_rows[prompts.first_rows] + 1 if self.block else None

    def _pairs(self, outputs: Outputs, names: Sequence[str], blocks: np.ndarray | None) -> Pairs:
        possible, random = number_of_pairs(outputs), RandomNumbers(self.seed, "pairs")
        if self.choice is PairChoice.REFERENCE:
            if self.reference not in names:
                text = _("“{name}” is not in the column “{column}”.")
                raise StepProblem(text.format(name=self.reference, column=self.system))
            return pairs_with(outputs, names.index(self.reference))
        amounts = {
            PairChoice.ALL: possible,
            PairChoice.PER_PROMPT: np.minimum(possible, self.amount),
            PairChoice.BUDGET: equal_amounts(possible, self.amount, random),
        }[self.choice]
        if amounts.sum() > MAX_PAIRS:
            text = _("There would be {count} pairs. Choose at most {most} of them.")
            raise StepProblem(text.format(count=int(amounts.sum()), most=MAX_PAIRS))
        if (amounts == possible).all():
            return all_pairs(outputs)
        return balanced_pairs(outputs, amounts, random, blocks)

    def _merged(self, table: PreparedTable, prompts: Numbered, places: np.ndarray) -> PreparedTable:
        sources: dict[str, tuple[int, str]] = {}
        shared = _shared_columns(table, prompts)
        if different := [
            column for column in _OF_RECORDS if column in table.columns and column not in shared
        ]:
            text = _(
                "The rows of a “{prompt}” differ in “{column}”, of which a pair has only one. Move this step "
                "before the one that has made it, or let that one keep the rows of a “{prompt}” together."
            )
            raise StepProblem(text.format(prompt=self.prompt, column=different[0]))
        for column in table.columns:
            if column == self.system:
                names = [SYSTEM_LEFT, SYSTEM_RIGHT]
            elif column in self.outputs or column not in shared:
                names = [f"{column}_left", f"{column}_right"]
            else:
                names = [column]
            for side, name in enumerate(names):
                if name in sources:
                    raise StepProblem(_("There is a column “{column}” already.").format(column=name))
                sources[name] = (side, column)
        if self.block:
            sources[BLOCK] = (0, self.block)
        numbers = AddedColumn(np.arange(len(places)), NumberTexts(len(places)))
        return MergedTable(table, places, sources, {PAIR_ID: numbers})

    def _notes_about_missing(
        self, table: PreparedTable, outputs: Outputs, prompts: Numbered, names: Sequence[str]
    ) -> list[str]:
        """Which prompts do not have outputs of all systems."""
        sizes = np.bincount(outputs.prompts, minlength=len(prompts.first_rows))
        incomplete = np.flatnonzero(sizes < len(names))
        if not len(incomplete):
            return []
        text = ngettext(
            "{count} prompt has no output of some systems: {names}.",
            "{count} prompts have no output of some systems: {names}.",
            len(incomplete),
        )
        named, first = [], incomplete[: _NAMED + 1]
        of_prompts = table.texts(self.prompt, prompts.first_rows[first])
        for prompt, shown in zip(first.tolist(), of_prompts, strict=True):
            present = {*outputs.systems[outputs.prompts == prompt].tolist()}
            missing = [name for code, name in enumerate(names) if code not in present]
            named.append(f"{quoted(truncate(shown, _PROMPT_CHARS))} ({joined(missing, _NAMED)})")
        return [text.format(count=len(incomplete), names=joined(named, _NAMED))]


def _one_each(prompts: Numbered, systems: Numbered, complete: np.ndarray) -> tuple[np.ndarray, int]:
    """The first complete row of each prompt and system, in ascending order, and how many others there are."""
    both = prompts.of_rows[complete] * max(1, len(systems.first_rows)) + systems.of_rows[complete]
    _codes, first = np.unique(both, return_index=True)
    return complete[np.sort(first)], len(complete) - len(first)


def _shared_columns(table: PreparedTable, prompts: Numbered) -> set[str]:
    """The columns in which all rows of each prompt have the same value."""
    first, has_prompt = prompts.first_rows[prompts.of_rows], prompts.of_rows >= 0
    shared = set[str]()
    at_once = max(_COLUMNS_AT_ONCE, _VALUES_AT_ONCE // max(1, table.length))
    for start in range(0, len(table.columns), at_once):
        for column, codes in table.codes(table.columns[start : start + at_once]).items():
            if (codes == codes[first])[has_prompt].all():
                shared.add(column)
    return shared


def _notes_about_rows(repeated: int, without_output: int, without_both: int) -> list[str]:
    notes = []
    if repeated:
        text = ngettext(
            "{count} row repeats a prompt and a system, and is left out.",
            "{count} rows repeat a prompt and a system, and are left out.",
            repeated,
        )
        notes.append(text.format(count=repeated))
    if without_output:
        text = ngettext(
            "{count} row without an output is left out.",
            "{count} rows without an output are left out.",
            without_output,
        )
        notes.append(text.format(count=without_output))
    if without_both:
        text = ngettext(
            "{count} row without a prompt or a system is left out.",
            "{count} rows without a prompt or a system are left out.",
            without_both,
        )
        notes.append(text.format(count=without_both))
    return notes


def efficiency_note(efficiency: float) -> str:
    """A sentence about the efficiency of a design, from 0 to 1."""
    text = _("Differences between systems are estimated {percent} as precisely as by a complete design.")
    return text.format(percent=percent_text(efficiency, 0 if round(efficiency, 3) == 1 else 1))


def _notes_about_balance(balance: PairBalance) -> list[str]:
    notes = [efficiency_note(balance.efficiency)]
    if count := len(balance.unconnected_blocks):
        text = ngettext(
            "In {count} block, not all systems are connected by comparisons: it has too few.",
            "In {count} blocks, not all systems are connected by comparisons: they have too few.",
            count,
        )
        notes.append(text.format(count=count))
    return notes


def _balance_rows(balance: PairBalance, names: Sequence[str]) -> tuple[BalanceRow, ...]:
    systems = [
        BalanceRow(_("Comparisons of a system"), name, int(count))
        for name, count in zip(names, balance.of_systems, strict=True)
    ]
    pairs = [
        BalanceRow(_("Comparisons of a pair"), f"{names[a]} | {names[b]}", int(balance.counts[a, b]))
        for a, b in zip(*np.triu_indices(len(names), 1), strict=True)
    ]
    return (*systems, *pairs)
