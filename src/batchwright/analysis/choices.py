"""Choices: how often each option was selected, in total and by the values of dataset fields."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from batchwright.analysis.answer_table import AnswerTable
from batchwright.analysis.columns import TextColumn, sorted_codes
from batchwright.analysis.intervals import wilson
from batchwright.analysis.questions import AnalysedQuestion, QuestionKind

MAX_GROUPS = 50
"""Maximum number of different values of a field by which answers are grouped: more are not categories."""


@dataclass(frozen=True)
class OptionShare:
    """How many answers selected an option, in total or of those with one value of a field.

    If a question allows several options, the shares add up to more than 1. An answer without any option has a
    row of its own, with an empty `option`, and so do values that are not options.
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
    return list(_shares(table, question, "", "", np.ones(len(table), dtype=bool)))


def option_shares_by_field(table: AnswerTable, question: int, name: str) -> list[OptionShare]:
    """Count the options of a question for each value of a field, in the order of the values."""
    column = table.field_column(name)
    return [
        share
        for code in sorted_codes(column.values)
        for share in _shares(table, question, name, column.values[code], column.codes == code)
    ]


def category_fields(table: AnswerTable) -> list[str]:
    """Return the fields whose values are categories: at least 2 different ones, and at most `MAX_GROUPS`.

    A field with a different value in every task is not used as a category.
    """
    return [name for name, column in table.fields.items() if _is_category(column)]


def _is_category(column: TextColumn) -> bool:
    distinct = len(column.values)
    return 1 < distinct <= MAX_GROUPS and distinct < int((column.codes >= 0).sum())


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


def _shares(
    table: AnswerTable, index: int, name: str, value: str, is_included: np.ndarray
) -> Iterator[OptionShare]:
    question = table.questions[index]
    is_answer = (table.question_codes == index) & is_included
    answers = int(is_answer.sum())
    entries = np.flatnonzero(is_answer[table.entry_answers])
    width = len(question.options) + 1
    chosen = np.unique(table.entry_answers[entries] * width + table.options[entries] + 1) % width - 1
    counts = np.bincount(chosen[chosen >= 0], minlength=len(question.options)).tolist()
    for option, count in zip(question.options, counts, strict=True):
        outcome = str(option.outcome or "")
        yield _share(question, name, value, (option.value, option.label, outcome), count, answers)
    if other := int((chosen < 0).sum()):
        yield _share(question, name, value, ("", "not an option", ""), other, answers)
    if empty := int((is_answer & table.is_empty).sum()):
        yield _share(question, name, value, ("", "no option", ""), empty, answers)


def _share(
    question: AnalysedQuestion, name: str, value: str, option: tuple[str, str, str], count: int, answers: int
) -> OptionShare:
    low, high = wilson(count, answers)
    share = count / answers if answers else math.nan
    return OptionShare(question.id, name, value, *option, count, answers, share, low, high)
