"""Sample size: how precise results are now, and with more answers."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from batchwright.analysis.answer_table import AnswerTable
from batchwright.analysis.intervals import mean_interval, wilson
from batchwright.analysis.numbers import number_questions, number_summaries
from batchwright.analysis.questions import QuestionKind

MORE = (0, 50, 100, 200, 500, 1000, 5000)
"""Numbers of further answers; 0 is now."""


@dataclass(frozen=True)
class PrecisionRow:
    """The width of an interval with more answers, if these are like the ones so far."""

    question: str
    unit: str
    about: str
    """The option whose interval is the widest, or the mean."""
    more: int
    answers: int
    width: float


def precision_rows(table: AnswerTable, numbers: Sequence[int] = MORE) -> list[PrecisionRow]:
    """Return the widths of the widest share of every choice, and of every mean.

    `numbers` are the numbers of further answers.
    """
    rows: list[PrecisionRow] = []
    for index, question in enumerate(table.questions):
        if question.kind in (QuestionKind.CHOICE, QuestionKind.CHOICES):
            rows += _of_shares(table, index, numbers)
    for index in number_questions(table):
        for summary in number_summaries(table, index):
            for more in numbers if summary.count > 1 else ():
                count = summary.count + more
                width = mean_interval(summary.mean, summary.deviation, count).width
                rows.append(PrecisionRow(summary.question, summary.unit, "mean", more, count, width))
    return rows


def _of_shares(table: AnswerTable, index: int, numbers: Sequence[int]) -> Iterator[PrecisionRow]:
    question, answers = table.questions[index], len(table.answers_of(index))
    options = table.options[table.entries_of(index)]
    counts = np.bincount(options[options >= 0], minlength=len(question.options)).tolist()
    if not answers or not counts:
        return
    widest = min(range(len(counts)), key=lambda option: abs(counts[option] / answers - 1 / 2))
    for more in numbers:
        yield PrecisionRow(
            question.id,
            "",
            question.options[widest].label,
            more,
            answers + more,
            share_width(counts[widest] / answers, answers + more),
        )


def share_width(share: float, answers: int) -> float:
    """Return the width of the Wilson interval of a share with this many answers."""
    low, high = wilson(min(answers, math.floor(share * answers + 1 / 2)), answers)
    return high - low
