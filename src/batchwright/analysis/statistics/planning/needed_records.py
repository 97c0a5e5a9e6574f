"""Sample size: how many records, and answers about each, an interval of a wanted width needs.

Both are separate, as more answers about the same records do not tell how other records would differ. Answers
are as variable, and those about a record as alike, as the answers so far. Planning uses the normal
distribution, so that the intervals of fewer than ten records are wider.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Annotated, NamedTuple

import numpy as np

from batchwright.analysis.charts import DECIMAL, PERCENT, count_text
from batchwright.analysis.statistics.choices import option_shares
from batchwright.analysis.statistics.comparisons.system_results import Comparisons, SystemRow, scores_of
from batchwright.analysis.statistics.intervals import Z
from batchwright.analysis.statistics.numbers import number_questions, numbers_by_unit
from batchwright.analysis.statistics.planning.sample_size import PrecisionKind
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.headings import Heading
from batchwright.analysis.store.questions import QuestionKind
from batchwright.analysis.store.sampling import Clusters
from batchwright.base.i18n import N_, _, ngettext

USUAL_WIDTH = 10
"""The wanted width, in per cent: of shares, points; of means, per cent of the standard deviation."""
_ANSWERS = (1, 2, 3, 5, 10)
"""Numbers of answers about each record for which records are computed."""
_MOST = 10**9
"""The largest number of records that is computed."""

_NEEDED = {
    PrecisionKind.SHARE: N_("Records needed for an interval of “{about}” with a width of {width}: {needs}."),
    PrecisionKind.MEAN: N_("Records needed for an interval of the mean with a width of {width}: {needs}."),
    PrecisionKind.WIN_RATE: N_(
        "Records with “{about}” needed for an interval of its win rate with a width of {width}: {needs}."
    ),
}


@dataclass(frozen=True)
class NeededRow:
    """How many records an interval of a wanted width needs, with so many answers about each of them."""

    question: str
    unit: Annotated[str, Heading(N_("Unit"))]
    kind: Annotated[PrecisionKind, Heading(N_("Kind"))]
    about: Annotated[str, Heading(N_("About"))]
    """The option or system whose share is closest to half, or empty for a mean."""
    width: Annotated[float, Heading(N_("Wanted width"))]
    correlation: Annotated[float, Heading(N_("Correlation within records"))]
    """How alike answers about the same record are; NaN if no record has several answers."""
    answers_per_record: Annotated[int, Heading(N_("Answers per record"))]
    records: Annotated[int, Heading(N_("Records"))]
    answers: Annotated[int, Heading(N_("Answers"))]
    least_width: Annotated[float, Heading(N_("Narrowest width with the records so far"))]
    """The width with very many answers about each of the records so far."""


class Variation(NamedTuple):
    """How values of answers vary, and how alike those about a record are."""

    mean: float
    variance: float
    correlation: float
    records: int


def variation_of(values: np.ndarray, records: np.ndarray) -> Variation:
    """The variation of the values of answers, given the record of each.

    The correlation is the intraclass correlation of a one-way analysis of variance, from 0 to 1: Donner, A.
    (1986). A review of inference procedures for the intraclass correlation coefficient in the one-way random
    effects model. International Statistical Review, 54, 67–82.
    """
    _codes, record_of = np.unique(records, return_inverse=True)
    sizes, sums = (np.bincount(record_of.reshape(-1), weights=row) for row in (np.ones(len(values)), values))
    count, number = len(values), len(sizes)
    mean = float(values.mean())
    total = float(((values - mean) ** 2).sum())
    between = float((sizes * (sums / sizes - mean) ** 2).sum())
    variance = total / (count - 1) if count > 1 else math.nan
    if number < 2 or count == number:
        return Variation(mean, variance, math.nan, number)
    of_records, of_answers = between / (number - 1), max(0.0, total - between) / (count - number)
    size = (count - float((sizes**2).sum()) / count) / (number - 1)
    spread = of_records + (size - 1) * of_answers
    correlation = (of_records - of_answers) / spread if spread > 0 else math.nan
    return Variation(mean, variance, min(1.0, max(0.0, correlation)), number)


def interval_width(variation: Variation, records: float, answers: float, *, is_share: bool) -> float:
    """The width of the interval with so many records and answers about each; that of Wilson for a share."""
    alike = 1 + (answers - 1) * variation.correlation if answers > 1 else 1.0
    if math.isinf(answers):
        alike, answers = variation.correlation, 1.0
    error = variation.variance * alike / (records * answers)
    if not is_share:
        return 2 * Z * math.sqrt(error)
    of_share = variation.mean * (1 - variation.mean)
    if not error or not of_share:
        return 0.0
    size = of_share / error
    return 2 * Z / (1 + Z * Z / size) * math.sqrt(error + Z * Z / (4 * size * size))


def needed_records(variation: Variation, width: float, answers: int, *, is_share: bool) -> int:
    """The smallest number of records whose interval is at most as wide, with so many answers about each."""
    low, high = 1, _MOST
    while low < high:
        middle = (low + high) // 2
        if interval_width(variation, middle, answers, is_share=is_share) <= width:
            high = middle
        else:
            low = middle + 1
    return low


def needed_rows(table: AnswerTable, per_cent: int) -> list[NeededRow]:
    """The records that the share closest to half of every choice, and every mean, needs.

    None if intervals are about participants, or without a wanted width. In a survey, whose units are
    participants, the records are participants.
    """
    rows: list[NeededRow] = []
    if not _is_planned(table, per_cent):
        return rows
    for index, question in enumerate(table.questions):
        if question.kind in (QuestionKind.CHOICE, QuestionKind.CHOICES):
            rows += _share_rows(table, index, per_cent)
    for index in number_questions(table):
        for unit, numbers, records in numbers_by_unit(table, index):
            subject = table.questions[index].id, unit, PrecisionKind.MEAN, ""
            variation = variation_of(numbers, records)
            rows += _rows(subject, variation, per_cent / 100 * math.sqrt(variation.variance))
    return rows


def needed_for_systems(comparisons: Comparisons, rows: Sequence[SystemRow], per_cent: int) -> list[NeededRow]:
    """The records with the system whose win rate is closest to half, given the results of one question."""
    compared = [row for row in rows if row.comparisons > 1 and 0 < row.win_rate < 1]
    if not compared or not per_cent or comparisons.sampling.clusters is not Clusters.RECORDS:
        return []
    closest = min(compared, key=lambda row: abs(row.win_rate - 1 / 2))
    scores, records = scores_of(comparisons, comparisons.systems.index(closest.system))
    subject = closest.question, "", PrecisionKind.WIN_RATE, closest.system
    return list(_rows(subject, variation_of(scores, records), per_cent / 100))


def needed_sentence(rows: Sequence[NeededRow], *, is_survey: bool = False) -> str:
    """How many records one interval of a wanted width needs, and what more answers cannot do.

    In a survey, how many participants.
    """
    first = rows[0]
    form = DECIMAL if first.kind is PrecisionKind.MEAN else PERCENT
    if is_survey:
        of = _("“{about}”").format(about=first.about) if first.about else _("the mean")
        text = _("Participants needed for an interval of {about} with a width of {width}: {needs}.")
        return text.format(about=of, width=form.short(first.width), needs=count_text(first.answers))
    needs = ", ".join(map(_need, rows))
    text = _(_NEEDED[first.kind]).format(about=first.about, width=form.short(first.width), needs=needs)
    if math.isnan(first.least_width):
        return text
    least = _("With the records so far, even very many answers about each leave a width of {width}.")
    return f"{text} {least.format(width=form.short(first.least_width))}"


def _need(row: NeededRow) -> str:
    text = ngettext(
        "{records} with {count} answer each", "{records} with {count} answers each", row.answers_per_record
    )
    return text.format(records=count_text(row.records), count=count_text(row.answers_per_record))


def needed_sentences(rows: Sequence[NeededRow], *, is_survey: bool = False) -> list[str]:
    """A sentence for each interval of a question."""
    parts = groupby(rows, key=lambda row: (row.unit, row.kind, row.about))
    return [needed_sentence(list(members), is_survey=is_survey) for _subject, members in parts]


def _is_planned(table: AnswerTable, per_cent: int) -> bool:
    return per_cent > 0 and table.sampling.clusters is Clusters.RECORDS


def _share_rows(table: AnswerTable, index: int, per_cent: int) -> Iterator[NeededRow]:
    question, answers = table.questions[index], table.answers_of(index)
    shares = [share for share in option_shares(table, index)[: len(question.options)] if share.answers > 1]
    if not shares:
        return
    place = min(range(len(shares)), key=lambda place: abs(shares[place].share - 1 / 2))
    chosen = np.isin(answers, table.entry_answers[table.options == place])
    subject = question.id, "", PrecisionKind.SHARE, shares[place].label
    variation = variation_of(chosen.astype(np.float64), table.tasks.codes[answers])
    if variation.variance > 0:
        yield from _rows(subject, variation, per_cent / 100)


def _rows(
    subject: tuple[str, str, PrecisionKind, str], variation: Variation, width: float
) -> Iterator[NeededRow]:
    if not math.isfinite(variation.variance) or not variation.variance > 0:
        return
    is_share, is_known = subject[2] is not PrecisionKind.MEAN, math.isfinite(variation.correlation)
    least = (
        interval_width(variation, variation.records, math.inf, is_share=is_share) if is_known else math.nan
    )
    for answers in _ANSWERS if is_known else _ANSWERS[:1]:
        records = needed_records(variation, width, answers, is_share=is_share)
        numbers = answers, records, answers * records
        yield NeededRow(*subject, width, variation.correlation, *numbers, least)
