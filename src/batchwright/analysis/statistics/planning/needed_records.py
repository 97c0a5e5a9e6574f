"""Sample size: how many records, and answers about each, an interval of a wanted width needs.

Both are separate, as more answers about the same records do not tell how other records would differ. Answers
are as variable, and those about a record as alike, as the answers so far.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Annotated

from batchwright.analysis.charts import DECIMAL, PERCENT
from batchwright.analysis.statistics.choices import chosen_by, closest_to_half
from batchwright.analysis.statistics.comparisons.system_results import Comparisons, SystemRow, scores_of
from batchwright.analysis.statistics.numbers import number_entries, number_questions
from batchwright.analysis.statistics.planning.interval_widths import (
    Amount,
    Variation,
    interval_width,
    needed_records,
    variation_of,
)
from batchwright.analysis.statistics.planning.sample_size import PRECISION_TEXTS, PrecisionKind
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.headings import Heading, words_of
from batchwright.analysis.store.questions import QuestionKind
from batchwright.analysis.store.sampling import Clusters
from batchwright.base.i18n import N_, _, ngettext
from batchwright.base.local_formats import count_text, joined, quoted

USUAL_WIDTH = 10
"""The wanted width, in per cent: of shares, points; of means, per cent of the standard deviation."""
_ANSWERS = (1, 2, 3, 5, 10)
"""Numbers of answers about each record for which records are computed."""

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
    kind: Annotated[PrecisionKind, Heading(N_("Kind"), words=words_of(PRECISION_TEXTS))]
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
        for unit, entries in number_entries(table, index):
            subject = table.questions[index].id, unit, PrecisionKind.MEAN, ""
            records = table.tasks.codes[table.entry_answers[entries]]
            variation = variation_of(table.numbers[entries], records)
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
        of = quoted(first.about) if first.about else _("the mean")
        text = _("Participants needed for an interval of {about} with a width of {width}: {needs}.")
        return text.format(about=of, width=form.short(first.width), needs=count_text(first.answers))
    needs = joined(map(_need, rows))
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
    found = closest_to_half(table, index)
    if found is None or found[1].answers < 2:
        return
    option, share = found
    answers, chosen = chosen_by(table, index, option)
    subject = share.question, "", PrecisionKind.SHARE, share.label
    variation = variation_of(chosen, table.tasks.codes[answers])
    if variation.variance > 0:
        yield from _rows(subject, variation, per_cent / 100)


def _rows(
    subject: tuple[str, str, PrecisionKind, str], variation: Variation, width: float
) -> Iterator[NeededRow]:
    if not math.isfinite(variation.variance) or not variation.variance > 0:
        return
    is_share, is_known = subject[2] is not PrecisionKind.MEAN, math.isfinite(variation.correlation)
    many = Amount(variation.records, math.inf)
    least = interval_width(variation, many, is_share=is_share) if is_known else math.nan
    for answers in _ANSWERS if is_known else _ANSWERS[:1]:
        records = needed_records(variation, width, answers, is_share=is_share)
        numbers = answers, records, answers * records
        yield NeededRow(*subject, width, variation.correlation, *numbers, least)
