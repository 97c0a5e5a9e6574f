"""Sample size: how precise results are now, and with more answers."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

import numpy as np

from batchwright.analysis.agreement import AgreementRow, first_alphas
from batchwright.analysis.answer_table import AnswerTable
from batchwright.analysis.comparisons import SystemRow
from batchwright.analysis.intervals import mean_interval, wilson
from batchwright.analysis.numbers import number_questions, number_summaries
from batchwright.analysis.questions import QuestionKind

USUAL_NUMBERS = (0, 50, 100, 200, 500, 1000, 5000)
"""Numbers of further answers for which the precision is computed; 0 is now."""


class PrecisionKind(StrEnum):
    """What an interval is about."""

    SHARE = "share"
    MEAN = "mean"
    AGREEMENT = "agreement"
    WIN_RATE = "win rate"


@dataclass(frozen=True)
class PrecisionRow:
    """The width of an interval with more answers, if these are like the ones so far."""

    question: str
    unit: str
    kind: PrecisionKind
    about: str
    """The option or system whose interval is the widest, the metric of agreement, or empty for a mean."""
    more: int
    answers: int
    width: float


def further_answers(more: int) -> list[int]:
    """Return the usual numbers of further answers, and another one."""
    return sorted({*USUAL_NUMBERS, more})


def precision_rows(table: AnswerTable, numbers: Sequence[int] = USUAL_NUMBERS) -> list[PrecisionRow]:
    """Return the widths of the widest share of every choice, and of every mean.

    `numbers` are the numbers of further answers.
    """
    rows: list[PrecisionRow] = []
    for index, question in enumerate(table.questions):
        if question.kind in (QuestionKind.CHOICE, QuestionKind.CHOICES):
            rows += _share_rows(table, index, numbers)
    for index in number_questions(table):
        for summary in number_summaries(table, index):
            for more in numbers if summary.count > 1 else ():
                count = summary.count + more
                width = mean_interval(summary.mean, summary.deviation, count).width
                subject = (summary.question, summary.unit, PrecisionKind.MEAN, "")
                rows.append(PrecisionRow(*subject, more, count, width))
    return rows


def agreement_precision(
    agreement: Sequence[AgreementRow], numbers: Sequence[int] = USUAL_NUMBERS
) -> list[PrecisionRow]:
    """Return the widths of the interval of Krippendorff's alpha of every question.

    Further answers are about further records, as many for each as so far. The width then decreases with the
    square root of their number.
    """
    return [
        PrecisionRow(
            row.question,
            row.unit,
            PrecisionKind.AGREEMENT,
            row.metric,
            more,
            row.ratings + more,
            (row.high - row.low) * math.sqrt(row.ratings / (row.ratings + more)),
        )
        for row in first_alphas(agreement)
        if math.isfinite(row.high - row.low)
        for more in numbers
    ]


def win_precision(systems: Sequence[SystemRow], numbers: Sequence[int] = USUAL_NUMBERS) -> list[PrecisionRow]:
    """Return the widths of the widest win rate of every question.

    Further answers are spread over the systems like those so far.
    """
    rows: list[PrecisionRow] = []
    for question, group in groupby(systems, key=lambda row: row.question):
        members = list(group)
        answers = sum(row.comparisons + row.none for row in members) // 2
        compared = [row for row in members if row.comparisons]
        if not compared:
            continue
        widest = max(compared, key=lambda row: row.win_high - row.win_low)
        for more in numbers:
            count = widest.comparisons + round(more * widest.comparisons / answers)
            width = share_width(widest.win_rate, count)
            subject = (question, "", PrecisionKind.WIN_RATE, widest.system)
            rows.append(PrecisionRow(*subject, more, answers + more, width))
    return rows


def _share_rows(table: AnswerTable, index: int, numbers: Sequence[int]) -> Iterator[PrecisionRow]:
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
            PrecisionKind.SHARE,
            question.options[widest].label,
            more,
            answers + more,
            share_width(counts[widest] / answers, answers + more),
        )


def share_width(share: float, answers: int) -> float:
    """Return the width of the Wilson interval of a share with this many answers."""
    low, high = wilson(min(answers, math.floor(share * answers + 1 / 2)), answers)
    return high - low
