"""Choices: how often each option was selected, in total and by the values of dataset fields."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from batchwright.analysis.statistics.groups import category_fields, field_groups
from batchwright.analysis.statistics.intervals import effective_size_for_ranks, wilson
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.headings import Heading
from batchwright.analysis.store.questions import QuestionKind
from batchwright.analysis.store.text_columns import TextColumn
from batchwright.base.i18n import N_, _


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
    label: Annotated[str, Heading(N_("Label"))]
    outcome: Annotated[str, Heading(N_("Meaning"))]
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


def _shares(table: AnswerTable, index: int, name: str, groups: TextColumn) -> Iterator[OptionShare]:
    """Yield the shares in each group of tasks that has answers, or in the only group."""
    question, answers = table.questions[index], table.answers_of(index)
    size, width = len(groups.values), len(question.options) + 2
    answers_of_tasks = np.bincount(table.tasks.codes[answers], minlength=len(groups.codes))
    totals, records, squares = (
        np.bincount(groups.codes, weights=weights, minlength=size).tolist()
        for weights in (answers_of_tasks, answers_of_tasks > 0, answers_of_tasks**2)
    )
    answer, option = np.divmod(_chosen_options(table, index, width), width)
    tasks = table.tasks.codes[answer].astype(np.int64)
    cells, chosen = np.unique(tasks * width + option, return_counts=True)
    task, option = np.divmod(cells, width)
    counts, chosen_squares, products = (
        np.bincount(groups.codes[task] * width + option, weights=weights, minlength=size * width)
        .reshape(size, width)
        .tolist()
        for weights in (chosen, chosen**2, chosen * answers_of_tasks[task])
    )
    outcomes = [option.outcome or "" if question.is_comparison else "" for option in question.options]
    options = [
        *(
            (option.value, option.label, str(outcome))
            for option, outcome in zip(question.options, outcomes, strict=True)
        ),
        ("", _("not an option"), ""),
        ("", _("no option"), ""),
    ]
    for group, value in enumerate(groups.values):
        total = int(totals[group])
        if not total and size > 1:
            continue
        for place, option_names in enumerate(options):
            count = int(counts[group][place])
            if not count and place >= len(question.options):
                continue
            share = count / total if total else math.nan
            of_records = chosen_squares[group][place] - 2 * share * products[group][place]
            between = of_records + share**2 * squares[group]
            spread = total * share * (1 - share)
            effective = effective_size_for_ranks(total, int(records[group]), spread, between)
            ends = wilson(count, total, effective)
            yield OptionShare(question.id, name, value, *option_names, count, total, share, *ends)


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
