"""Agreement of participants: all coefficients that fit a question, and the records with most disagreement."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from batchwright.analysis.answer_table import AnswerTable
from batchwright.analysis.bootstrap import Estimate, estimate
from batchwright.analysis.choices import category_fields
from batchwright.analysis.coefficients import (
    Coefficient,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac1,
    interval_alpha,
    krippendorff_alpha,
    percent_agreement,
)
from batchwright.analysis.columns import sorted_codes
from batchwright.analysis.distances import MAX_DOMAIN, Metric, squared_distances
from batchwright.analysis.questions import AnalysedQuestion, QuestionKind
from batchwright.analysis.ratings import Ratings, ratings_of

ALPHA = "Krippendorff's alpha"
PERCENT = "percent agreement"
FLEISS = "Fleiss' kappa"
COHEN = "Cohen's kappa"
AC1 = "Gwet's AC1"

MAX_OPTIONS = 50
"""Maximum number of options for which agreement is computed per option."""
MAX_RECORDS = 1000
"""Maximum number of records in the list of disagreement."""
_TWO = 2


@dataclass(frozen=True)
class AgreementRow:
    """A coefficient of agreement about a question, one unit of measure, field value or option."""

    question: str
    unit: str
    field: str
    field_value: str
    option: str
    """The label of an option: agreement on whether it was selected. Empty: about the whole answer."""
    coefficient: str
    metric: str
    value: float
    low: float
    high: float
    records: int
    """Units with at least two ratings."""
    raters: int
    ratings: int
    resamples: int


@dataclass(frozen=True)
class DisagreementRow:
    """A task with different answers: the mean distance of its pairs of answers."""

    question: str
    unit: str
    task: str
    datapoint: str
    ratings: int
    disagreement: float
    """From 0 for equal answers; 1 if all pairs are as different as possible (numbers: in squared units)."""


def agreement_rows(table: AnswerTable, seed: int) -> list[AgreementRow]:
    """Compute agreement about every question with options or numbers, in total, by field, and by option."""
    rows: list[AgreementRow] = []
    fields = category_fields(table)
    for index, question in enumerate(table.questions):
        for unit, ratings in rated_units(table, index):
            rows += _rows(question, (unit, "", "", ""), ratings, metrics_of(question, ratings), seed)
            for name in fields:
                column = table.fields[name].codes[ratings.unit_codes]
                for code in sorted_codes(table.fields[name].values):
                    part = ratings.of_units(column == code)
                    place = (unit, name, table.fields[name].values[code], "")
                    rows += _rows(
                        question, place, part, metrics_of(question, ratings)[:1], seed, only_alpha=True
                    )
            rows += _option_rows(question, ratings, seed)
    return rows


def rated_units(table: AnswerTable, index: int) -> Iterator[tuple[str, Ratings]]:
    """Yield the ratings of a question in each unit of measure, if a task has at least two."""
    question = table.questions[index]
    if question.kind in (QuestionKind.TEXT, QuestionKind.FILE):
        return
    units = ["", *(table.units.values[code] for code in sorted_codes(table.units.values))]
    for unit in units if question.kind is QuestionKind.NUMBER else [""]:
        ratings = ratings_of(table, index, unit)
        if len(ratings.values) > ratings.unit_count:
            yield unit, ratings


def metrics_of(question: AnalysedQuestion, ratings: Ratings) -> list[Metric]:
    """Return the metrics that fit a question, the one to report first."""
    if question.kind is QuestionKind.CHOICES:
        return [Metric.MASI, Metric.JACCARD]
    if question.kind is QuestionKind.NUMBER:
        is_ratio = all(isinstance(value, float) and value >= 0 for value in ratings.domain)
        return [Metric.INTERVAL, Metric.RATIO] if is_ratio else [Metric.INTERVAL]
    return [Metric.ORDINAL, Metric.INTERVAL, Metric.NOMINAL] if question.is_scale else [Metric.NOMINAL]


def alpha_estimate(ratings: Ratings, metric: Metric, seed: int) -> Estimate | None:
    """Compute Krippendorff's alpha with its interval; None if there are too many different values."""
    if metric is Metric.INTERVAL and len(ratings.domain) > MAX_OPTIONS:
        coefficient, weights = _interval_moments(ratings)
        return estimate(coefficient, weights, seed)
    if not ratings.is_countable or (len(ratings.domain) > MAX_DOMAIN and metric is not Metric.NOMINAL):
        return None
    patterns, weights = ratings.patterns
    return estimate(krippendorff_alpha(patterns, metric, ratings.domain), weights, seed)


def disagreement_rows(table: AnswerTable) -> list[DisagreementRow]:
    """List the tasks whose answers differ, question by question, the most different ones first."""
    rows: list[DisagreementRow] = []
    for index, question in enumerate(table.questions):
        for unit, ratings in rated_units(table, index):
            rows += _disagreements(table, question, unit, ratings)
    return rows


def _disagreements(
    table: AnswerTable, question: AnalysedQuestion, unit: str, ratings: Ratings
) -> Iterator[DisagreementRow]:
    metric = Metric.INTERVAL if question.is_scale else metrics_of(question, ratings)[0]
    sizes = np.bincount(ratings.units, minlength=ratings.unit_count)
    if metric is Metric.INTERVAL:
        numbers = np.array(ratings.domain, dtype=np.float64)[ratings.values]
        sums, squares = (np.bincount(ratings.units, weights=numbers**power) for power in (1, 2))
        total = 2 * (sizes * squares - sums**2)
    elif not ratings.is_countable or len(ratings.domain) > MAX_DOMAIN:
        return
    else:
        counts = ratings.counts
        total = ((counts @ squared_distances(metric, ratings.domain, sizes)) * counts).sum(axis=1)
    disagreement = total / np.maximum(sizes * (sizes - 1), 1)
    order = np.lexsort((ratings.unit_codes, -sizes, -disagreement))[:MAX_RECORDS]
    for row in order[disagreement[order] > 0].tolist():
        code = int(ratings.unit_codes[row])
        place = (table.tasks.values[code], table.datapoints[code])
        yield DisagreementRow(question.id, unit, *place, int(sizes[row]), float(disagreement[row]))


def _rows(
    question: AnalysedQuestion,
    place: tuple[str, str, str, str],
    ratings: Ratings,
    metrics: list[Metric],
    seed: int,
    *,
    only_alpha: bool = False,
) -> Iterator[AgreementRow]:
    """Yield the coefficients; `place` is unit of measure, field, its value, and option."""
    sizes = np.bincount(ratings.units, minlength=ratings.unit_count)
    numbers = (int((sizes > 1).sum()), len(np.unique(ratings.raters)), len(ratings.values))
    if not numbers[0]:
        return

    def row(name: str, metric: str, result: Estimate) -> AgreementRow:
        ends = (result.value, *result.interval)
        return AgreementRow(question.id, *place, name, metric, *ends, *numbers, result.resamples)

    for metric in metrics:
        if result := alpha_estimate(ratings, metric, seed):
            yield row(ALPHA, str(metric), result)
    if only_alpha or not ratings.is_countable:
        return
    patterns, weights = ratings.patterns
    coefficients: list[tuple[str, Coefficient]] = [(PERCENT, percent_agreement(patterns))]
    if question.kind is QuestionKind.CHOICE:
        coefficients += [(FLEISS, fleiss_kappa(patterns)), (AC1, gwet_ac1(patterns))]
    for name, coefficient in coefficients:
        yield row(name, "", estimate(coefficient, weights, seed))
    if question.kind is QuestionKind.CHOICE and numbers[1] == _TWO:
        yield row(COHEN, "", cohen_estimate(ratings, seed))


def cohen_estimate(ratings: Ratings, seed: int) -> Estimate:
    """Compute Cohen's kappa of two raters over the units that both rated."""
    raters = np.unique(ratings.raters)
    values = np.full((ratings.unit_count, _TWO), -1)
    values[ratings.units, (ratings.raters == raters[1]).astype(int)] = ratings.values
    pairs, weights = np.unique(values[(values >= 0).all(axis=1)], axis=0, return_counts=True)
    return estimate(cohen_kappa(pairs), weights, seed)


def _option_rows(question: AnalysedQuestion, ratings: Ratings, seed: int) -> Iterator[AgreementRow]:
    """Yield alpha for whether each option was selected."""
    if question.is_scale or len(question.options) > MAX_OPTIONS:
        return
    is_set = question.kind is QuestionKind.CHOICES
    for index, option in enumerate(question.options):
        part = ratings.has_option(index) if is_set else ratings.is_value(index)
        place = ("", "", "", option.label)
        yield from _rows(question, place, part, [Metric.NOMINAL], seed, only_alpha=True)


def _interval_moments(ratings: Ratings) -> tuple[Coefficient, np.ndarray]:
    numbers = np.array(ratings.domain, dtype=np.float64)
    numbers = (numbers - numbers.mean())[
        ratings.values
    ]  # alpha does not change; sums of squares lose no digits
    counts = np.bincount(ratings.units, minlength=ratings.unit_count)
    sums, squares = (np.bincount(ratings.units, weights=numbers**power) for power in (1, 2))
    return interval_alpha(counts, sums, squares), np.ones(ratings.unit_count, dtype=np.int64)
