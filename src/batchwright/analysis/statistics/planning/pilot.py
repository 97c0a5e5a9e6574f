"""What the answers of a pilot tell about those of a study: the values that its plan assumes."""

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from batchwright.analysis.statistics.agreement.agreement_results import (
    ALPHA,
    AgreementRow,
    first_alphas,
    metrics_of,
    rated_units,
    total_agreement_rows,
)
from batchwright.analysis.statistics.agreement.distances import Metric
from batchwright.analysis.statistics.choices import chosen_by, closest_to_half
from batchwright.analysis.statistics.comparisons.strengths import StrengthModel
from batchwright.analysis.statistics.comparisons.system_results import (
    Comparisons,
    SystemFields,
    comparison_questions,
    comparisons_of,
    system_results,
)
from batchwright.analysis.statistics.numbers import number_entries, number_questions
from batchwright.analysis.statistics.planning.assumptions import Assumptions, StudyMeasure
from batchwright.analysis.statistics.planning.interval_widths import variation_of
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.questions import QuestionKind
from batchwright.analysis.store.text_columns import UnusableField
from batchwright.base.i18n import _
from batchwright.base.local_formats import joined, quoted

_LEAST, _MOST = 0.02, 0.98
"""The ends of expected shares: a pilot in which all agree says little about further answers."""


class PilotAnswers(NamedTuple):
    """Answers without excluded ones, and the fields that name the systems in them, if they are known."""

    table: AnswerTable
    systems: SystemFields | None = None


class UnusablePilot(Exception):
    """A pilot says nothing about a measure; the message says for people why."""


@dataclass(frozen=True)
class Pilot:
    """What a pilot tells."""

    assumptions: Assumptions
    about: str
    """What was estimated: the title of a question, with its option, unit or systems."""
    answers: int
    seconds: float
    """The median of seconds per task; NaN if unknown."""


def questions_with(table: AnswerTable, measure: StudyMeasure) -> list[int]:
    """The indexes of the questions that a measure can be about."""
    kinds = [question.kind for question in table.questions]
    match measure:
        case StudyMeasure.SHARE:
            return [i for i, kind in enumerate(kinds) if kind in (QuestionKind.CHOICE, QuestionKind.CHOICES)]
        case StudyMeasure.MEAN:
            return number_questions(table)
        case StudyMeasure.AGREEMENT:
            return [i for i, kind in enumerate(kinds) if kind in (QuestionKind.CHOICE, QuestionKind.NUMBER)]
        case _comparisons:
            return comparison_questions(table)


def pilot_of(answers: PilotAnswers, start: Assumptions, question: str = "") -> Pilot:
    """Estimate what a measure assumes from answers; what they do not tell is that of `start`.

    Args:
        answers: the answers.
        start: the measure, and what is assumed otherwise.
        question: the id of the question; else the first one that the measure can be about.

    Raises:
        UnusablePilot: no answers are of any use for the measure, or the fields do not name systems.
    """
    table, systems = answers
    found = [index for index in questions_with(table, start.measure) if len(table.answers_of(index)) > 1]
    if question:
        found = [index for index in found if table.questions[index].id == question]
    if not found:
        raise UnusablePilot(_("The answers of the pilot have no question that this can be planned from."))
    index = found[0]
    match start.measure:
        case StudyMeasure.SHARE:
            changed, about = _share(table, index, start)
        case StudyMeasure.MEAN:
            changed, about = _mean(table, index, start)
        case StudyMeasure.AGREEMENT:
            changed, about = _agreement(table, index, start)
        case _comparisons:
            if systems is None:
                raise UnusablePilot(_("Say which fields name the systems that the pilot compares."))
            changed, about = _systems(_compared(table, index, systems), start)
    title = table.questions[index].title
    text = _("“{question}”: {about}").format(question=title, about=about) if about else quoted(title)
    return Pilot(changed, text, len(table.answers_of(index)), _seconds(table))


def _compared(table: AnswerTable, index: int, systems: SystemFields) -> Comparisons:
    try:
        return comparisons_of(table, index, systems)
    except UnusableField as error:
        missing = _("The answers have no field “{field}”.").format(field=error)
        raise UnusablePilot(error.reason or missing) from None


def _seconds(table: AnswerTable) -> float:
    seconds = table.seconds[np.isfinite(table.seconds)]
    return float(np.median(seconds)) if len(seconds) else math.nan


def _with_likeness(
    start: Assumptions, values: np.ndarray, records: np.ndarray, participants: np.ndarray
) -> Assumptions:
    """The assumptions with how alike values about a record, and those of a participant, are."""
    by_record, by_person = (variation_of(values, codes).correlation for codes in (records, participants))
    return replace(
        start,
        correlation=by_record if math.isfinite(by_record) else start.correlation,
        of_participants=by_person if math.isfinite(by_person) else start.of_participants,
    )


def _share(table: AnswerTable, index: int, start: Assumptions) -> tuple[Assumptions, str]:
    """The option whose share is closest to half, whose interval is the widest."""
    found = closest_to_half(table, index)
    if found is None:
        raise UnusablePilot(_("The answers of the pilot have no question that this can be planned from."))
    option, share = found
    answers, chosen = chosen_by(table, index, option)
    alike = _with_likeness(start, chosen, table.tasks.codes[answers], table.participants.codes[answers])
    return replace(alike, expected=_open(share.share)), share.label


def _mean(table: AnswerTable, index: int, start: Assumptions) -> tuple[Assumptions, str]:
    """The numbers in the unit with most of them."""
    unit, entries = max(number_entries(table, index), key=lambda found: len(found[1]), default=("", None))
    if entries is None or len(entries) < 2:
        raise UnusablePilot(_("The answers of the pilot have fewer than two numbers."))
    values, answers = table.numbers[entries], table.entry_answers[entries]
    deviation = float(values.std(ddof=1))
    if not deviation > 0:
        raise UnusablePilot(
            _("All numbers of the pilot are the same, so that they do not tell how others vary.")
        )
    alike = _with_likeness(start, values, table.tasks.codes[answers], table.participants.codes[answers])
    return replace(alike, expected=float(values.mean()), deviation=deviation), unit


def _agreement(table: AnswerTable, index: int, start: Assumptions) -> tuple[Assumptions, str]:
    question = table.questions[index]
    rows = first_alphas(total_agreement_rows(table, index))
    if not rows or not math.isfinite(rows[0].value):
        raise UnusablePilot(_("No record of the pilot has several answers, so that agreement is unknown."))
    if question.kind is QuestionKind.NUMBER:
        return _agreement_on_numbers(table, index, start, rows[0])
    ((_unit, ratings),) = rated_units(table, index)
    frequencies = np.bincount(ratings.values, minlength=len(ratings.domain)) / len(ratings.values)
    found = replace(
        start,
        expected=_open(rows[0].value),
        options=max(2, len(ratings.domain)),
        largest_share=_open(max(float(frequencies.max()), 1 / max(2, len(ratings.domain)))),
        metric=Metric.NOMINAL if metrics_of(question, ratings)[0] is Metric.NOMINAL else Metric.ORDINAL,
    )
    return found, ""


def _agreement_on_numbers(
    table: AnswerTable, index: int, start: Assumptions, row: AgreementRow
) -> tuple[Assumptions, str]:
    """Numbers in the unit of a coefficient; by their ratios if that is what is planned."""
    is_ratio = start.metric is Metric.RATIO
    rows = total_agreement_rows(table, index)
    wanted = (str(Metric.RATIO), row.unit)
    of_ratios = [of for of in rows if is_ratio and of.coefficient == ALPHA and (of.metric, of.unit) == wanted]
    found = replace(start, expected=_open((of_ratios or [row])[0].value))
    if not of_ratios:
        return replace(found, metric=Metric.INTERVAL), row.unit
    numbers = next(
        table.numbers[entries] for unit, entries in number_entries(table, index) if unit == row.unit
    )
    return replace(found, relative_deviation=max(_LEAST, float(numbers.std() / numbers.mean()))), row.unit


def _systems(comparisons: Comparisons, start: Assumptions) -> tuple[Assumptions, str]:
    """The two strongest systems, or for the order, the differences of all neighbours, and their mean."""
    scored = comparisons.scored
    if len(scored.scores) < 2:
        raise UnusablePilot(_("The pilot has fewer than two comparisons with a winner or a tie."))
    rows = system_results("", comparisons, StrengthModel(is_regularised=True)).systems
    compared = [row for row in rows if row.comparisons]
    ties = min(_MOST, float((scored.scores == 1 / 2).mean()))
    low, high = np.minimum(scored.left, scored.right), np.maximum(scored.left, scored.right)
    scores = np.where(scored.left == low, scored.scores, 1 - scored.scores)
    _pairs, pair = np.unique(low * len(comparisons.systems) + high, return_inverse=True)
    means = np.bincount(pair.reshape(-1), weights=scores) / np.bincount(pair.reshape(-1))
    rests = scores - means[pair.reshape(-1)]
    alike = _with_likeness(start, rests, scored.tasks, scored.participants)
    steps = len(compared) - 1 if start.measure is StudyMeasure.ORDER else 1
    gap = (compared[0].strength - compared[steps].strength) / steps
    rate = min(_MOST, max(1 / (1 + math.exp(-gap)), 0.51))
    values = [row.strength for row in compared]
    gaps = (
        tuple(above - below for above, below in pairwise(values))
        if start.measure is StudyMeasure.ORDER
        else ()
    )
    about = joined(row.system for row in compared[: steps + 1])
    ties = min(ties, 2 * (1 - rate) * 0.99)
    return replace(alike, expected=rate, ties=ties, systems=len(compared), gaps=gaps), about


def _open(share: float) -> float:
    return min(_MOST, max(_LEAST, share))
