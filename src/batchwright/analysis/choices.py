"""Choices: how often each option was selected, in total and by the values of dataset fields."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from batchwright.analysis.answer_table import AnswerTable
from batchwright.analysis.columns import TextColumn
from batchwright.analysis.groups import category_fields, field_groups
from batchwright.analysis.intervals import wilson
from batchwright.analysis.questions import AnalysedQuestion, QuestionKind
from batchwright.base.i18n import _


@dataclass(frozen=True)
class OptionShare:
    """How many answers selected an option, in total or of those with one value of a field.

    If a question allows several options, the shares add up to more than 1. An answer without any option has a
    row of its own, with an empty `option`, and so do values that are not options. Records without a value of
    the field have an empty `field_value`.
    """

    question: str
    field: str
    """Empty: all answers."""
    field_value: str
    option: str
    label: str
    outcome: str
    """`left`, `right`, `tie` or `none` in a comparison, otherwise empty."""
    count: int
    answers: int
    share: float
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
    question = table.questions[index]
    answers = table.answers_of(index)
    group_of = groups.codes[table.tasks.codes]
    size, width = len(groups.values), len(question.options) + 1
    totals = np.bincount(group_of[answers], minlength=size)
    empty = np.bincount(group_of[answers[table.is_empty[answers]]], minlength=size)
    chosen = _chosen_options(table, index, width)
    cells = group_of[chosen // width] * width + chosen % width
    counts = np.bincount(cells, minlength=size * width).reshape(size, width)
    for group, value in enumerate(groups.values):
        total = int(totals[group])
        if not total and size > 1:
            continue
        other, *selected = counts[group].tolist()
        for option, count in zip(question.options, selected, strict=True):
            names = (option.value, option.label, str(option.outcome or ""))
            yield _share(question, name, value, names, count, total)
        if other:
            yield _share(question, name, value, ("", _("not an option"), ""), other, total)
        if without := int(empty[group]):
            yield _share(question, name, value, ("", _("no option"), ""), without, total)


def _chosen_options(table: AnswerTable, index: int, width: int) -> np.ndarray:
    """Return answer * width + option + 1 for each option that an answer selected, counted once."""
    entries = table.entries_of(index)
    chosen = table.entry_answers[entries] * width + table.options[entries] + 1
    if not (np.diff(table.entry_answers[entries]) == 0).any():
        return chosen
    chosen = np.sort(chosen)
    return chosen[np.diff(chosen, prepend=-1) != 0]


def _share(
    question: AnalysedQuestion, name: str, value: str, option: tuple[str, str, str], count: int, answers: int
) -> OptionShare:
    low, high = wilson(count, answers)
    share = count / answers if answers else math.nan
    return OptionShare(question.id, name, value, *option, count, answers, share, low, high)
