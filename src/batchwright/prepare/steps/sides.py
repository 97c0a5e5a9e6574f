"""Which of two outputs stands on the left."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from typing_extensions import override

from batchwright.base.i18n import N_, _, ngettext
from batchwright.prepare.columns import GOLD_ANSWER, SYSTEM_LEFT, SYSTEM_RIGHT
from batchwright.prepare.designs.sides import drawn_sides
from batchwright.prepare.problems import StepProblem
from batchwright.prepare.random_numbers import RandomNumbers
from batchwright.prepare.reports import BalanceRow
from batchwright.prepare.steps.step import Step, StepResult, require_columns
from batchwright.prepare.tables import PreparedTable, SwappedTable

_LEFT, _RIGHT = "left", "right"


@dataclass(frozen=True)
class DrawSides(Step):
    """Draw which of two outputs stands on the left, balanced for each pair of systems and each system.

    What belongs to an output changes sides with it: all columns whose names differ by `left` and `right`.
    """

    label: ClassVar[str] = N_("Sides")
    left: str = SYSTEM_LEFT
    """The column with the system whose output is in the left columns."""
    right: str = SYSTEM_RIGHT
    known: str = GOLD_ANSWER
    """The column with known answers, if there are any; rows with one stay as they are: it may be a side."""
    seed: int = 1

    @override
    def __call__(self, table: PreparedTable) -> StepResult:
        if SYSTEM_LEFT == self.left not in table.columns:
            raise StepProblem(_("There are no pairs yet: add the step “Pairs”, and move it before this one."))
        require_columns(table, [self.left, self.right])
        codes = np.stack([*table.codes([self.left, self.right]).values()])
        is_known = np.zeros(table.length, bool)
        if self.known in table.columns:
            is_known = table.codes([self.known])[self.known] >= 0
        has_systems = (codes >= 0).all(axis=0)
        rows = np.flatnonzero(has_systems & ~is_known)
        _systems, first, inverse = np.unique(codes[:, rows], return_index=True, return_inverse=True)
        order = np.argsort(first)
        numbers = np.argsort(order)[inverse.reshape(2, -1)]
        first_systems, second_systems = numbers
        is_first_left = drawn_sides(first_systems, second_systems, RandomNumbers(self.seed, "sides"))
        is_swapped = np.zeros(table.length, bool)
        is_swapped[rows] = ~is_first_left
        swapped = SwappedTable(table, self._pairs(table), is_swapped)
        names = self._names(table, rows, first[order])
        left = np.where(is_first_left, first_systems, second_systems)
        right = np.where(is_first_left, second_systems, first_systems)
        notes = (*_note_about_known(int((has_systems & is_known).sum())), *_notes(int((~has_systems).sum())))
        return StepResult(swapped, notes, _balance(left, right, names))

    def _pairs(self, table: PreparedTable) -> list[tuple[str, str]]:
        pairs = columns_of_sides(table.columns)
        if (self.left, self.right) not in pairs:
            pairs.append((self.left, self.right))
        if len(pairs) == 1:
            text = _("No columns have names that differ by “{left}” and “{right}” only.")
            raise StepProblem(text.format(left=_LEFT, right=_RIGHT))
        return pairs

    def _names(self, table: PreparedTable, rows: np.ndarray, first: np.ndarray) -> list[str]:
        """The name of each system, given its first place among the left ones and then the right ones."""
        left = table.texts(self.left, rows[first[first < len(rows)]])
        right = table.texts(self.right, rows[first[first >= len(rows)] - len(rows)])
        names = iter(left), iter(right)
        return [next(names[place >= len(rows)]) for place in first.tolist()]


def columns_of_sides(columns: Sequence[str]) -> list[tuple[str, str]]:
    """The columns of the left side, each with that of the right side."""
    left, right = (_with_word(columns, word) for word in (_LEFT, _RIGHT))
    return [(column, right[others]) for others, column in left.items() if others in right]


def _with_word(columns: Sequence[str], word: str) -> dict[tuple[str, str], str]:
    """The columns with a word in any case at their end or beginning, by what is before and after it."""
    found = {}
    for column in columns:
        if column.lower().endswith(word):
            found[column[: -len(word)], ""] = column
        elif column.lower().startswith(word):
            found["", column[len(word) :]] = column
    return found


def _note_about_known(count: int) -> tuple[str, ...]:
    if not count:
        return ()
    text = ngettext(
        "{count} row with a known answer stays as it is, since the answer may be a side.",
        "{count} rows with known answers stay as they are, since the answers may be sides.",
        count,
    )
    return (text.format(count=count),)


def _notes(without: int) -> tuple[str, ...]:
    if not without:
        return ()
    text = ngettext(
        "{count} row without two systems stays as it is.",
        "{count} rows without two systems stay as they are.",
        without,
    )
    return (text.format(count=without),)


def _balance(left: np.ndarray, right: np.ndarray, names: Sequence[str]) -> tuple[BalanceRow, ...]:
    count = len(names)
    rows = []
    sides = np.bincount(left, minlength=count).tolist(), np.bincount(right, minlength=count).tolist()
    for name, on_left, on_right in zip(names, *sides, strict=True):
        rows.append(BalanceRow(_("System on the left"), name, on_left))
        rows.append(BalanceRow(_("System on the right"), name, on_right))
    pairs, turned = left * count + right, right * count + left
    found, place = np.unique(np.concatenate((pairs, turned)), return_inverse=True)
    times = np.bincount(place[: len(pairs)], minlength=len(found))
    for pair, number in zip(found.tolist(), times.tolist(), strict=True):
        a, b = divmod(pair, count)
        rows.append(BalanceRow(_("Left | right"), f"{names[a]} | {names[b]}", number))
    return tuple(rows)
