"""Records whose right answers are known: where they stand, and attention checks among them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from typing_extensions import override

from batchwright.base.i18n import N_, _, ngettext
from batchwright.base.json_values import JsonObject
from batchwright.prepare.columns import GOLD_ANSWER, WEIGHT
from batchwright.prepare.designs.known_answers import mixed_in
from batchwright.prepare.problems import StepProblem
from batchwright.prepare.random_numbers import RandomNumbers
from batchwright.prepare.reports import BalanceRow
from batchwright.prepare.steps.groups import note_about_known
from batchwright.prepare.steps.step import Step, StepResult, require_columns
from batchwright.prepare.tables import AddedColumn, AppendedTable, ArrangedTable, PreparedTable
from batchwright.schema.model import GROUPING_COLUMN


@dataclass(frozen=True)
class AttentionChecks(Step):
    """Add a record for each of some answers, which its text asks for; in a weighted sample, it counts 0."""

    label: ClassVar[str] = N_("Attention checks")
    answers: tuple[str, ...]
    texts: Mapping[str, str] = field(default_factory=dict)
    """The text of each column, in which `{answer}` stands for the answer."""

    @override
    def __call__(self, table: PreparedTable) -> StepResult:
        require_columns(table, self.texts)
        weight: JsonObject = {WEIGHT: "0"} if WEIGHT in table.columns else {}
        records: list[JsonObject] = [
            {
                **weight,
                **{column: text.replace("{answer}", answer) for column, text in self.texts.items()},
                GOLD_ANSWER: answer,
            }
            for answer in self.answers
        ]
        without_group = len(records) if GROUPING_COLUMN in table.columns else 0
        return StepResult(AppendedTable(table, records), note_about_known(without_group))


@dataclass(frozen=True)
class KnownAnswers(Step):
    """Mix the records with known answers into the task groups, at random places spread over each group.

    Each is used as often as each other one, give or take one, and none is twice in a group. Participants who
    answer several groups meet none twice if there are as many as all groups have together.
    """

    label: ClassVar[str] = N_("Known answers")
    least: ClassVar[Mapping[str, int]] = {"per_group": 1}
    per_group: int = 1
    answer: str = GOLD_ANSWER
    """The column with known answers; empty for all other records."""
    seed: int = 1

    @override
    def __call__(self, table: PreparedTable) -> StepResult:
        if GROUPING_COLUMN not in table.columns:
            raise StepProblem(_("Divide the rows among task groups first, then mix in known answers."))
        require_columns(table, [self.answer])
        answers = table.numbered(self.answer)
        known, others = np.flatnonzero(answers.of_rows >= 0), np.flatnonzero(answers.of_rows < 0)
        if not len(known):
            text = _("No row has a value in the column “{column}”.")
            raise StepProblem(text.format(column=self.answer))
        if not len(others):
            raise StepProblem(_("There are no rows to divide among groups."))
        if len(known) < self.per_group:
            text = ngettext(
                "There is {count} known answer, fewer than in each group.",
                "There are {count} known answers, fewer than in each group.",
                len(known),
            )
            raise StepProblem(text.format(count=len(known)))
        groups = table.numbered(GROUPING_COLUMN)
        of_others = groups.of_rows[others]
        if (of_others < 0).any():
            raise StepProblem(_("Some rows are in no task group."))
        by_group = np.argsort(of_others, kind="stable")
        numbers, of_rows = np.unique(of_others[by_group], return_inverse=True)
        per_group = np.full(len(numbers), self.per_group)
        mixed = mixed_in(of_rows, len(known), per_group, RandomNumbers(self.seed, "known"))
        places = np.where(mixed.is_known, 0, others[by_group][np.where(mixed.is_known, 0, mixed.index)])
        places[mixed.is_known] = known[mixed.index[mixed.is_known]]
        names = table.texts(GROUPING_COLUMN, groups.first_rows[numbers])
        first_answers = table.texts(self.answer, answers.first_rows)
        added = {
            GROUPING_COLUMN: AddedColumn(mixed.groups, names),
            GOLD_ANSWER: AddedColumn(answers.of_rows[places], first_answers),
        }
        times = np.bincount(mixed.index[mixed.is_known], minlength=len(known))
        balance = tuple(
            BalanceRow(_("Known answers in a number of groups"), str(number), int(count))
            for number, count in zip(*np.unique(times, return_counts=True), strict=True)
        )
        notes = (_note_about_repeated(int(times.max()), len(known) // self.per_group),)
        return StepResult(ArrangedTable(table, places, added), notes, balance)


def _note_about_repeated(most: int, different: int) -> str:
    """What a participant may meet who answers several groups, which the service assigns in any order."""
    if most == 1:
        return _("Each known answer is in one group only: no participant meets it twice.")
    text = _(
        "A known answer is in up to {most} groups: a participant who answers several of them may meet it "
        "again."
    )
    if different < 2:
        return text.format(most=most)
    apart = _("Up to {different} groups that follow each other have different ones.")
    return f"{text} {apart}".format(most=most, different=different)
