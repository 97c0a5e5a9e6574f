"""Choices: how often each option was selected, in total and by the values of dataset fields."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from batchwright.analysis.statistics.clusters import Cells, Spread, spread
from batchwright.analysis.statistics.groups import category_fields, field_groups
from batchwright.analysis.statistics.intervals import effective_size_for_ranks, wilson
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.headings import Heading, words_of
from batchwright.analysis.store.questions import OUTCOME_TEXTS, QuestionKind
from batchwright.analysis.store.sampling import scaled_weights
from batchwright.analysis.store.text_columns import TextColumn
from batchwright.base.i18n import N_, _

NO_OPTION, OTHER_VALUE = N_("no option"), N_("not an option")
"""The labels of answers without an option, and of values that are none, in files of all languages."""


@dataclass(frozen=True)
class OptionShare:
    """How many answers selected an option, in total or of those with one value of a field.

    If a question allows several options, the shares add up to more than 1. An answer without any option has a
    row of its own, with an empty `option`, and so do values that are not options. Records without a value of
    the field have an empty `field_value`.
    """

    question: str
    field: Annotated[str, Heading(N_("Field"))]
    """Empty: all answers."""
    field_value: Annotated[str, Heading(N_("Value"))]
    option: Annotated[str, Heading(N_("Value of the option"))]
    label: Annotated[str, Heading(N_("Label"), words=_, only_where=("option", ""))]
    outcome: Annotated[str, Heading(N_("Meaning"), words=words_of(OUTCOME_TEXTS))]
    """`left`, `right`, `tie` or `none` in a comparison, otherwise empty."""
    count: Annotated[int, Heading(N_("Count"))]
    answers: Annotated[int, Heading(N_("Answers"))]
    share: Annotated[float, Heading(N_("Share"), is_share=True, interval=("low", "high"))]
    low: float
    high: float


def option_shares(table: AnswerTable, question: int) -> list[OptionShare]:
    """Count the options of a question over all answers."""
    all_tasks = TextColumn(np.zeros(len(table.tasks.values), dtype=np.int32), ("",))
    return list(_shares(table, question, "", all_tasks))


def option_shares_by_field(table: AnswerTable, question: int, name: str) -> list[OptionShare]:
    """Count the options of a question for each value of a field, or range of its numbers, in their order."""
    return list(_shares(table, question, name, field_groups(table.fields[name])))


def all_option_shares(table: AnswerTable) -> list[OptionShare]:
    """Count the options of every question with options, in total and by every field with categories."""
    shares: list[OptionShare] = []
    fields = category_fields(table)
    for index, question in enumerate(table.questions):
        if question.kind in (QuestionKind.CHOICE, QuestionKind.CHOICES):
            shares += option_shares(table, index)
            for name in fields:
                shares += option_shares_by_field(table, index, name)
    return shares


def closest_to_half(table: AnswerTable, question: int) -> tuple[int, OptionShare] | None:
    """The option whose share is closest to half, whose interval is the widest; None without shares."""
    shares = option_shares(table, question)[: len(table.questions[question].options)]
    known = [(option, share) for option, share in enumerate(shares) if math.isfinite(share.share)]
    return min(known, key=lambda found: abs(found[1].share - 1 / 2), default=None)


def chosen_by(table: AnswerTable, question: int, option: int) -> tuple[np.ndarray, np.ndarray]:
    """The indexes of the answers to a question, and 1 for those that selected an option, 0 for others."""
    answers = table.answers_of(question)
    chosen = np.isin(answers, table.entry_answers[table.options == option])
    return answers, chosen.astype(np.float64)


def _shares(table: AnswerTable, index: int, name: str, groups: TextColumn) -> Iterator[OptionShare]:
    """Yield the shares in each group of tasks that has answers, or in the only group."""
    question, answers = table.questions[index], table.answers_of(index)
    size, width = len(groups.values), len(question.options) + 2
    chosen = _Chosen(table, answers, groups, _chosen_options(table, index, width), width)
    counts, totals, shares = chosen.counts.tolist(), chosen.totals.tolist(), chosen.shares
    sizes = chosen.sizes.tolist()
    found = chosen.spread()
    clusters, between = (np.broadcast_to(values, shares.shape).tolist() for values in found)
    outcomes = [option.outcome or "" if question.is_comparison else "" for option in question.options]
    options = [
        *(
            (option.value, option.label, str(outcome))
            for option, outcome in zip(question.options, outcomes, strict=True)
        ),
        ("", OTHER_VALUE, ""),
        ("", NO_OPTION, ""),
    ]
    for group, value in enumerate(groups.values):
        total, weighted = int(totals[group]), sizes[group]
        if not total and size > 1:
            continue
        for place, option_names in enumerate(options):
            count = int(counts[group][place])
            if not count and place >= len(question.options):
                continue
            share = float(shares[group, place])
            arguments = clusters[group][place], weighted * share * (1 - share), between[group][place]
            ends = wilson(share * weighted, weighted, effective_size_for_ranks(weighted, *arguments))
            yield OptionShare(question.id, name, value, *option_names, count, total, share, *ends)


class _Chosen:
    """Which options were chosen, in each group of tasks: arrays by group, and by group × option.

    Args:
        table: the answers.
        answers: the answers to the question.
        groups: the groups of tasks.
        chosen: answer * width + option for each option that an answer selected.
        width: the number of options.
    """

    def __init__(
        self,
        table: AnswerTable,
        answers: np.ndarray,
        groups: TextColumn,
        chosen: np.ndarray,
        width: int,
    ) -> None:
        chosen_answers, options = np.divmod(chosen, width)
        self._table, self._answers, self._options = table, answers, options
        self._size, self._width = len(groups.values), width
        self._chosen = np.searchsorted(answers, chosen_answers)
        self._tasks = table.tasks.codes[answers]
        self._groups = groups.codes[self._tasks].astype(np.int64)
        self.totals = np.bincount(self._groups, minlength=self._size)
        """The number of answers."""
        weights = table.sampling.weights_of(self._tasks)
        self._weights, self.sizes = scaled_weights(weights, self._groups, self._size)
        """The weight of each answer, and the number of answers that have one."""
        self._places = self._groups[self._chosen] * width + options
        self.counts = self._by_option(np.ones(len(options)))
        """The number of answers that chose an option."""
        weighted = self._by_option(self._weights[self._chosen])
        sizes = np.broadcast_to(self.sizes[:, None], weighted.shape)
        self.shares = np.divide(weighted, sizes, out=np.full(weighted.shape, np.nan), where=sizes > 0)
        """The weighted shares of answers that chose an option."""

    def _by_option(self, values: np.ndarray) -> np.ndarray:
        found = np.bincount(self._places, weights=values, minlength=self._size * self._width)
        return found.reshape(self._size, self._width)

    def spread(self) -> Spread:
        """The spread of the clusters of answers, by option."""
        people = self._table.participants.codes[self._answers]
        return spread(self._table.sampling.clusters, self._tasks, people, self._size, self._cells)

    def _cells(self, codes: np.ndarray) -> Cells:
        """The clusters, from the weights of those that chose an option and those of all answers."""
        width = int(codes.max(initial=0)) + 1
        cells, cell_of = np.unique(self._groups * width + codes, return_inverse=True)
        cell_of, group_of = cell_of.reshape(-1), cells // width
        sizes = np.bincount(cell_of, weights=self._weights, minlength=len(cells))
        pairs, pair_of = np.unique(cell_of[self._chosen] * self._width + self._options, return_inverse=True)
        chosen = np.bincount(pair_of.reshape(-1), weights=self._weights[self._chosen], minlength=len(pairs))
        cell, option = np.divmod(pairs, self._width)
        places, shape = group_of[cell] * self._width + option, self.shares.shape
        squares, products = (
            np.bincount(places, weights=values, minlength=self.shares.size).reshape(shape)
            for values in (chosen**2, chosen * sizes[cell])
        )
        of_answers = np.bincount(group_of, weights=sizes**2, minlength=self._size)[:, None]
        between = squares - 2 * self.shares * products + self.shares**2 * of_answers
        return Cells(group_of, sizes, between)


def _chosen_options(table: AnswerTable, index: int, width: int) -> np.ndarray:
    """Answer * width + option for each option that an answer selected, counted once.

    After the options come, in place of one, values that are not an option, and answers without any value.
    """
    entries, answers = table.entries_of(index), table.answers_of(index)
    options = table.options[entries].astype(np.int64)
    chosen = table.entry_answers[entries] * width + np.where(options < 0, width - 2, options)
    empty = answers[table.is_empty[answers]] * width + width - 1
    chosen = np.sort(np.concatenate([chosen, empty]))
    return chosen[np.diff(chosen, prepend=-1) != 0]
