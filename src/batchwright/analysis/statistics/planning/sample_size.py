"""Sample size: how precise results are now, and with more answers.

Further answers are like those so far, and about further records with as many answers each, so that widths
decrease as if all answers were independent.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Annotated

from batchwright.analysis.statistics.agreement.agreement_results import AgreementRow, first_alphas
from batchwright.analysis.statistics.choices import option_shares
from batchwright.analysis.statistics.comparisons.system_results import SystemRow
from batchwright.analysis.statistics.intervals import mean_interval, wilson
from batchwright.analysis.statistics.numbers import number_questions, number_summaries
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.headings import Heading, words_of
from batchwright.analysis.store.questions import QuestionKind
from batchwright.base.i18n import N_

USUAL_NUMBERS = (0, 50, 100, 200, 500, 1000, 5000)
"""Numbers of further answers for which the precision is computed; 0 is now."""

_DIGITS = 9
"""Decimal places after which widths are the same; those of two systems are, but for rounding."""


class PrecisionKind(StrEnum):
    """What an interval is about."""

    SHARE = "share"
    MEAN = "mean"
    AGREEMENT = "agreement"
    WIN_RATE = "win rate"


PRECISION_TEXTS = {
    PrecisionKind.SHARE: N_("Share"),
    PrecisionKind.MEAN: N_("Mean"),
    PrecisionKind.AGREEMENT: N_("Alpha"),
    PrecisionKind.WIN_RATE: N_("Win rate"),
}
"""What intervals are about for people, to be translated."""


@dataclass(frozen=True)
class PrecisionRow:
    """The width of an interval with more answers, if these are like the ones so far."""

    question: str
    unit: Annotated[str, Heading(N_("Unit"))]
    kind: Annotated[PrecisionKind, Heading(N_("Kind"), words=words_of(PRECISION_TEXTS))]
    about: Annotated[str, Heading(N_("About"))]
    """The option or system whose interval is the widest, the metric of agreement, or empty for a mean."""
    more: Annotated[int, Heading(N_("More answers"))]
    answers: Annotated[int, Heading(N_("Answers"))]
    width: Annotated[float, Heading(N_("Width of the interval"))]


def further_answers(more: int) -> list[int]:
    """The usual numbers of further answers, and another one."""
    return sorted({*USUAL_NUMBERS, more})


def precision_rows(table: AnswerTable, numbers: Sequence[int] = USUAL_NUMBERS) -> list[PrecisionRow]:
    """The widths of the widest share of every choice, and of every mean.

    `numbers` are the numbers of further answers.
    """
    rows: list[PrecisionRow] = []
    for index, question in enumerate(table.questions):
        if question.kind in (QuestionKind.CHOICE, QuestionKind.CHOICES):
            rows += _share_rows(table, index, numbers)
    for index in number_questions(table):
        for summary in number_summaries(table, index):
            now = summary.mean_high - summary.mean_low
            for more in numbers if math.isfinite(now) else ():
                count = summary.count + more
                ratio = mean_interval(0, 1, count).width / mean_interval(0, 1, summary.count).width
                subject = (summary.question, summary.unit, PrecisionKind.MEAN, "")
                rows.append(PrecisionRow(*subject, more, count, now * ratio))
    return rows


def agreement_precision(
    agreement: Sequence[AgreementRow], numbers: Sequence[int] = USUAL_NUMBERS
) -> list[PrecisionRow]:
    """The widths of the interval of Krippendorff's alpha of every question.

    The width decreases with the square root of the number of answers.
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
    """The widths of the widest win rate of every question.

    Further answers are spread over the systems like those so far.
    """
    rows: list[PrecisionRow] = []
    for question, group in groupby(systems, key=lambda row: row.question):
        members = list(group)
        answers = sum(row.comparisons + row.none for row in members) // 2
        compared = [row for row in members if math.isfinite(row.win_high - row.win_low)]
        if not compared:
            continue
        widest = max(compared, key=lambda row: round(row.win_high - row.win_low, _DIGITS))
        for more in numbers:
            count = widest.comparisons + round(more * widest.comparisons / answers)
            ratio = _width_ratio(widest.win_rate, widest.comparisons, count)
            subject = (question, "", PrecisionKind.WIN_RATE, widest.system)
            width = (widest.win_high - widest.win_low) * ratio
            rows.append(PrecisionRow(*subject, more, answers + more, width))
    return rows


def _share_rows(table: AnswerTable, index: int, numbers: Sequence[int]) -> Iterator[PrecisionRow]:
    question = table.questions[index]
    shares = [
        share
        for share in option_shares(table, index)[: len(question.options)]
        if math.isfinite(share.high - share.low)
    ]
    if not shares:
        return
    widest = min(shares, key=lambda share: abs(share.share - 1 / 2))
    for more in numbers:
        count = widest.answers + more
        width = (widest.high - widest.low) * _width_ratio(widest.share, widest.answers, count)
        yield PrecisionRow(question.id, "", PrecisionKind.SHARE, widest.label, more, count, width)


def share_width(share: float, answers: int) -> float:
    """The width of the Wilson interval of a share with this many independent answers."""
    low, high = wilson(min(answers, math.floor(share * answers + 1 / 2)), answers)
    return high - low


def _width_ratio(share: float, answers: int, later: int) -> float:
    """By what the width of the interval of a share is multiplied with more answers."""
    return share_width(share, later) / share_width(share, answers)
