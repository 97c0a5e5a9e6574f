"""Task groups: a participant answers the tasks of one group, in their order."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from typing_extensions import override

from batchwright.base.i18n import N_, _, ngettext
from batchwright.base.local_formats import count_text
from batchwright.prepare.columns import BLOCK, COPY_OF, GOLD_ANSWER, IS_SHARED, RECORD_ID, NumberTexts
from batchwright.prepare.designs.groups import (
    Grouped,
    Order,
    dealt_groups,
    groups_of_topics,
    ordered,
    repeated_keys,
    with_shared_rows,
)
from batchwright.prepare.problems import StepProblem
from batchwright.prepare.random_numbers import RandomNumbers
from batchwright.prepare.reports import BalanceRow
from batchwright.prepare.steps.step import Step, StepResult, require_columns
from batchwright.prepare.tables import AddedColumn, ArrangedTable, PreparedTable
from batchwright.schema.model import GROUPING_COLUMN

MAX_SHARED = 5_000_000
"""The most rows of all groups that are shared ones."""


@dataclass(frozen=True)
class TaskGroups(Step):
    """Divide rows among task groups, and give each group its order.

    Rows with known answers are in no group; the step for them mixes them in.
    """

    label: ClassVar[str] = N_("Task groups")
    least: ClassVar[Mapping[str, int]] = {"shared": 0, "repeats": 0}
    size: int = 10
    """The most rows of a group, without shared and repeated ones; 0 for any number of a topic."""
    topic: str = ""
    """The column with the topic; each topic gets groups of its own. Empty: rows are dealt at random."""
    apart: str = ""
    """The column of which no two rows with the same value are in a group, if there are enough groups."""
    shared: int = 0
    """The number of rows, drawn at random, that are in every group."""
    repeats: int = 0
    """The number of rows of each group that come again in its second half."""
    order: Order = Order.SHUFFLED
    block: str = ""
    """The column of the blocks, for blocked order."""
    known: str = GOLD_ANSWER
    """The column with known answers, if there are any."""
    seed: int = 1

    @override
    def __call__(self, table: PreparedTable) -> StepResult:
        columns = (self.topic, self.apart, self.block)
        require_columns(table, filter(None, columns))
        if self.order is Order.BLOCKED and not self.block:
            raise StepProblem(_("Choose the column of the blocks."))
        if self.size < (0 if self.topic else 1):
            raise StepProblem(_("A group has at least one row."))
        if self.size and 2 * self.repeats > self.size + self.shared:
            raise StepProblem(_("At most half of the rows of a group can be repeated."))
        random = RandomNumbers(self.seed, "groups")
        is_known = np.zeros(table.length, bool)
        if self.known in table.columns:
            is_known = table.codes([self.known])[self.known] >= 0
        usable = np.flatnonzero(~is_known)
        shared = usable[random.sample(len(usable), self.shared)]
        own = np.setdiff1d(usable, shared)
        if not len(own):
            raise StepProblem(_("There are no rows to divide among groups."))
        keys = _complete_codes(table, self.apart)
        groups = np.full(table.length, -1)
        if self.topic:
            apart = _compact(keys[own]) if self.apart else None
            topics = _compact(_complete_codes(table, self.topic)[own])
            groups[own] = groups_of_topics(topics, self.size or None, random, apart)
        else:
            groups[own] = dealt_groups(_compact(keys[own]), self.size, random)
        if (copies := len(shared) * len(np.unique(groups[own]))) > MAX_SHARED:
            text = _("Shared rows would be there {count} times in all. Share fewer, or make larger groups.")
            raise StepProblem(text.format(count=count_text(copies)))
        rows, of_rows = with_shared_rows(own, groups[own], shared)
        blocks = _complete_codes(table, self.block)[rows] if self.block else None
        grouped = ordered(rows, of_rows, self.order, random, blocks, self.repeats)
        places = np.concatenate((grouped.rows, np.flatnonzero(is_known)))
        of_places = np.concatenate((grouped.groups, np.full(int(is_known.sum()), -1)))
        names = NumberTexts(table.length)
        added = {GROUPING_COLUMN: AddedColumn(of_places, names)}
        if self.block:
            numbered = table.numbered(self.block)
            added[BLOCK] = AddedColumn(numbered.of_rows[places], table.texts(self.block, numbered.first_rows))
        if self.shared or self.repeats:
            added[RECORD_ID] = AddedColumn(places, names)
            is_shared = np.isin(places, shared)
            added[IS_SHARED] = AddedColumn(np.where(is_shared, 0, -1), ("yes",))
            is_copy = np.zeros(len(places), bool)
            is_copy[: len(grouped.rows)] = grouped.is_copy
            added[COPY_OF] = AddedColumn(np.where(is_copy, places, -1), names)
        repeated = repeated_keys(keys[rows], of_rows) if self.apart else 0
        notes = (
            *self._notes(repeated),
            *self._note_about_copies(grouped),
            *note_about_known(int(is_known.sum())),
        )
        return StepResult(ArrangedTable(table, places, added), notes, _balance(grouped.groups))

    def _notes(self, repeated: int) -> tuple[str, ...]:
        if not repeated:
            return ()
        text = ngettext(
            "{count} row is in a group with another one that has the same “{column}”.",
            "{count} rows are in a group with others that have the same “{column}”.",
            repeated,
        )
        return (text.format(count=repeated, column=self.apart),)

    def _note_about_copies(self, grouped: Grouped) -> tuple[str, ...]:
        copies = np.bincount(grouped.groups, weights=grouped.is_copy)
        few = int((copies[np.unique(grouped.groups)] < self.repeats).sum())
        if not few:
            return ()
        text = ngettext(
            "In {count} group, fewer than {repeats} rows come again: at most half of a group does.",
            "In {count} groups, fewer than {repeats} rows come again: at most half of a group does.",
            few,
        )
        return (text.format(count=few, repeats=self.repeats),)


def note_about_known(count: int) -> tuple[str, ...]:
    """That rows with known answers are in no group, if there are any."""
    if not count:
        return ()
    text = ngettext(
        "{count} row with a known answer is in no group yet. Add the step “Known answers” behind this one.",
        "{count} rows with known answers are in no group yet. Add the step “Known answers” behind this one.",
        count,
    )
    return (text.format(count=count),)


def _complete_codes(table: PreparedTable, column: str) -> np.ndarray:
    """The codes of a column, in which each missing value has its own; all are different without a column."""
    rows = np.arange(table.length)
    if not column:
        return rows
    numbered = table.numbered(column)
    return np.where(numbered.of_rows < 0, len(numbered.first_rows) + rows, numbered.of_rows)


def _compact(codes: np.ndarray) -> np.ndarray:
    """The same codes without gaps."""
    return np.unique(codes, return_inverse=True)[1]


def _balance(groups: np.ndarray) -> tuple[BalanceRow, ...]:
    sizes, counts = np.unique(np.unique(groups, return_counts=True)[1], return_counts=True)
    return tuple(
        BalanceRow(_("Groups with a number of rows"), str(size), int(count))
        for size, count in zip(sizes, counts, strict=True)
    )
