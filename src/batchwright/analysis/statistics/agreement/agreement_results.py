"""Agreement of participants: all coefficients that fit a question, and the records with most disagreement."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from batchwright.analysis.statistics.agreement.coefficients import (
    alpha_of_units,
    disagreement_of_units,
    fleiss_kappa,
    gwet_ac1,
    gwet_ac2,
    interval_alpha,
    krippendorff_alpha,
    percent_agreement,
    percent_agreement_of_units,
)
from batchwright.analysis.statistics.agreement.distances import (
    MAX_DOMAIN,
    Metric,
    Weighting,
    similarities,
    squared_distances,
)
from batchwright.analysis.statistics.agreement.intraclass import intraclass_correlations
from batchwright.analysis.statistics.agreement.jackknife import Coefficient, Estimate, estimate
from batchwright.analysis.statistics.agreement.rater_pairs import cohen_estimate
from batchwright.analysis.statistics.agreement.ratings import Ratings, ratings_of, selects
from batchwright.analysis.statistics.groups import category_fields, field_groups
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.headings import Heading
from batchwright.analysis.store.questions import AnalysedQuestion, MeasurementLevel, QuestionKind
from batchwright.analysis.store.text_columns import TextColumn, sorted_codes
from batchwright.base.i18n import N_, _, ngettext

ALPHA = N_("Krippendorff's alpha")
PERCENT = N_("percent agreement")
FLEISS = N_("Fleiss' kappa")
COHEN = N_("Cohen's kappa")
WEIGHTED = N_("weighted kappa")
AC1 = N_("Gwet's AC1")
AC2 = N_("Gwet's AC2")

COEFFICIENTS: dict[str, Callable[[np.ndarray], Coefficient]] = {
    PERCENT: percent_agreement,
    FLEISS: fleiss_kappa,
    AC1: gwet_ac1,
}
"""The coefficients that depend on the patterns of ratings only."""
MAX_OPTIONS = 50
"""Maximum number of options for which agreement is computed per option."""
MAX_RECORDS = 1000
"""Maximum number of records in the list of disagreement."""
FEW_DIFFERING = 10
"""Number of records with differing answers below which intervals are not reliable.

In simulations of 5 to 200 records of which fewer were expected to differ, 61 to 100 % of the intervals
covered the truth, least if one option prevailed, and up to 83 % of the samples had none. Of 10 and more, 89
to 98 % did, and 93 to 98 % of 20 and more (`tests/analysis/statistics/agreement/test_agreement_coverage.py`).
"""
_COHEN_RATERS = 2
"""Number of raters that Cohen's kappa compares."""


@dataclass(frozen=True)
class AgreementRow:
    """A coefficient of agreement about a question, one unit of measure, field value or option."""

    question: str
    unit: Annotated[str, Heading(N_("Unit"))]
    field: Annotated[str, Heading(N_("Field"))]
    field_value: Annotated[str, Heading(N_("Value"))]
    option: Annotated[str, Heading(N_("Value of the option"))]
    """The label of an option: agreement on whether it was selected. Empty: about the whole answer."""
    coefficient: Annotated[str, Heading(N_("Coefficient"), words=_)]
    metric: Annotated[str, Heading(N_("Metric"), words=_)]
    value: Annotated[float, Heading(N_("Agreement"), interval=("low", "high"))]
    low: float
    high: float
    records: Annotated[int, Heading(N_("Records"))]
    """Units with at least two ratings; of two-way intraclass correlations, those that all raters rated."""
    differing: Annotated[int, Heading(N_("Records that differ"))]
    """Units whose ratings differ. With few of them, intervals are less reliable, see `interval_warning`."""
    raters: Annotated[int, Heading(N_("Participants"))]
    ratings: Annotated[int, Heading(N_("Answers"))]


@dataclass(frozen=True)
class DisagreementRow:
    """A task with different answers: the mean distance of its pairs of answers."""

    question: str
    unit: Annotated[str, Heading(N_("Unit"))]
    task: Annotated[str, Heading(N_("Task"), N_("Record"))]
    datapoint: Annotated[str, Heading(N_("Datapoint"))]
    ratings: Annotated[int, Heading(N_("Answers"))]
    disagreement: Annotated[float, Heading(N_("Disagreement"))]
    """From 0 for equal answers; 1 if all pairs are as different as possible.

    Of numbers, it is in squared units; of ordinal ones, in squared numbers of answers.
    """


def agreement_rows(table: AnswerTable) -> list[AgreementRow]:
    """Compute agreement about every question with options or numbers, in total, by field, and by option."""
    groups = {name: field_groups(table.fields[name]) for name in category_fields(table)}
    return [row for part in _parts(table, groups) for row in _rows(part)]


def total_agreement_rows(table: AnswerTable, index: int) -> list[AgreementRow]:
    """Compute agreement about one question, in total."""
    return [row for part in _totals(table, index) for row in _rows(part)]


def partial_agreement_rows(table: AnswerTable, index: int, field: str = "") -> list[AgreementRow]:
    """Compute agreement about one question by option, and by the values of a field if one is given."""
    groups = field_groups(table.fields[field]) if field else None
    rows: list[AgreementRow] = []
    for whole in _totals(table, index):
        parts = [*_parts_by_option(whole)]
        parts += _parts_by_field(whole, field, groups) if groups is not None else ()
        rows += [row for part in parts for row in _rows(part)]
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
    """The metrics that fit a question, the one to report first."""
    if question.kind is QuestionKind.CHOICES:
        return [Metric.MASI, Metric.JACCARD]
    if question.level is MeasurementLevel.ORDINAL and (
        question.is_scale or question.kind is QuestionKind.NUMBER
    ):
        return [Metric.ORDINAL, Metric.NOMINAL] if question.is_scale else [Metric.ORDINAL]
    if question.kind is QuestionKind.NUMBER:
        is_ratio = all(isinstance(value, float) and value >= 0 for value in ratings.domain)
        return [Metric.INTERVAL, Metric.RATIO] if is_ratio else [Metric.INTERVAL]
    if question.level is MeasurementLevel.INTERVAL and question.is_scale:
        return [Metric.INTERVAL, Metric.ORDINAL, Metric.NOMINAL]
    return [Metric.ORDINAL, Metric.INTERVAL, Metric.NOMINAL] if question.is_scale else [Metric.NOMINAL]


def first_alphas(rows: Sequence[AgreementRow]) -> list[AgreementRow]:
    """Krippendorff's alpha of each question and unit in total, with the metric that fits best."""
    first: dict[tuple[str, str], AgreementRow] = {}
    for row in rows:
        if row.coefficient == ALPHA and not row.field and not row.option:
            first.setdefault((row.question, row.unit), row)
    return list(first.values())


def languages_note(table: AnswerTable) -> str:
    """What holds for answers in several languages, in each of which a record has a task; else empty."""
    if len(np.unique(table.timelines)) < 2:
        return ""
    return _(
        "A record counts once for each language: answers in one language are not compared with those in "
        "another."
    )


def interval_warning(differing: int) -> str:
    """Why intervals are not reliable, given the records with differing answers; empty if they are."""
    if not differing:
        return _(
            "No record has answers that differ, so no interval can be computed. Answers about other records "
            "may agree less."
        )
    if differing >= FEW_DIFFERING:
        return ""
    return ngettext(
        "Answers differ about only {count} record. With fewer than {few}, 61 to 100 % of the 95 % "
        "intervals of agreement contained the true value in simulations.",
        "Answers differ about only {count} records. With fewer than {few}, 61 to 100 % of the 95 % "
        "intervals of agreement contained the true value in simulations.",
        differing,
    ).format(count=differing, few=FEW_DIFFERING)


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
    is_interval = question.is_scale and question.level is not MeasurementLevel.ORDINAL
    metric = Metric.INTERVAL if is_interval else metrics_of(question, ratings)[0]
    sizes = ratings.sizes
    if metric is Metric.INTERVAL:
        numbers = _centred_numbers(ratings)
        sums, squares = (np.bincount(ratings.units, weights=numbers**power) for power in (1, 2))
        total = 2 * np.maximum(sizes * squares - sums**2, 0)
    elif len(ratings.domain) > MAX_DOMAIN:
        return
    else:
        distances = _distances(ratings, metric)
        total = disagreement_of_units(ratings.units, ratings.values, distances) * (sizes - 1)
    disagreement = total / np.maximum(sizes * (sizes - 1), 1)
    order = np.lexsort((ratings.unit_codes, -sizes, -disagreement))[:MAX_RECORDS]
    for row in order[disagreement[order] > 0].tolist():
        code = int(ratings.unit_codes[row])
        yield DisagreementRow(
            question.id,
            unit,
            table.tasks.values[code],
            table.datapoints[code],
            int(sizes[row]),
            float(disagreement[row]),
        )


@dataclass(frozen=True, eq=False)
class _Part:
    """Ratings of a question in one unit of measure: all, those of a field value, or those about an option."""

    question: AnalysedQuestion
    scope: tuple[str, str, str, str]
    """Unit of measure, field, its value, and option."""
    ratings: Ratings
    metrics: list[Metric]


def _parts(table: AnswerTable, groups: Mapping[str, TextColumn]) -> Iterator[_Part]:
    for index in range(len(table.questions)):
        for whole in _totals(table, index):
            yield whole
            for name, column in groups.items():
                yield from _parts_by_field(whole, name, column)
            yield from _parts_by_option(whole)


def _totals(table: AnswerTable, index: int) -> Iterator[_Part]:
    question = table.questions[index]
    for unit, ratings in rated_units(table, index):
        yield _Part(question, (unit, "", "", ""), ratings, metrics_of(question, ratings))


def _parts_by_field(whole: _Part, name: str, groups: TextColumn) -> Iterator[_Part]:
    ratings = whole.ratings
    codes = groups.codes[ratings.unit_codes]
    for code in np.unique(codes).tolist():
        scope = (whole.scope[0], name, groups.values[code], "")
        part = ratings.of_units(codes == code)
        yield _Part(whole.question, scope, part, whole.metrics[:1])


def _parts_by_option(whole: _Part) -> Iterator[_Part]:
    """Yield for each option the ratings as yes or no: whether it was selected."""
    question, ratings = whole.question, whole.ratings
    if len(question.options) > MAX_OPTIONS:
        return
    for index, option in enumerate(question.options):
        part = ratings.as_yes_or_no(selects(question, ratings, index))
        yield _Part(question, ("", "", "", option.label), part, [Metric.NOMINAL])


def _rows(part: _Part) -> Iterator[AgreementRow]:
    ratings = part.ratings
    if not ratings.paired_units:
        return
    raters = len(np.unique(ratings.raters))
    counts = (ratings.paired_units, ratings.differing_units, raters, len(ratings.values))

    def row(name: str, metric: str, result: Estimate) -> AgreementRow:
        value = (result.value, *result.interval)
        return AgreementRow(part.question.id, *part.scope, name, metric, *value, *counts)

    is_nominal = part.question.kind is QuestionKind.CHOICE or part.metrics == [Metric.NOMINAL]
    names = list(COEFFICIENTS) if is_nominal else [PERCENT]
    yield from (row(*found) for found in coefficient_estimates(ratings, part.metrics, names))
    if is_nominal and raters == _COHEN_RATERS and len(ratings.domain) <= MAX_DOMAIN:
        yield row(COHEN, "", cohen_estimate(ratings))
    if any(part.scope[1:]):
        return
    if part.question.is_scale and len(ratings.domain) <= MAX_OPTIONS:
        yield from (row(*found) for found in _weighted_estimates(ratings, raters))
    has_numbers = part.question.is_scale or part.question.kind is QuestionKind.NUMBER
    if has_numbers and part.question.level is not MeasurementLevel.ORDINAL:
        for found in intraclass_correlations(ratings):
            result = row(str(found.form), found.form.model, Estimate(found.value, found.interval))
            yield replace(result, records=found.units)


def _weighted_estimates(ratings: Ratings, raters: int) -> Iterator[tuple[str, str, Estimate]]:
    """Coefficients of a scale in which values agree in part, with the weighting as their metric."""
    patterns = ratings.patterns
    if patterns is None:
        return
    for weighting in Weighting:
        equal = similarities(weighting, ratings.domain)
        coefficient = gwet_ac2(patterns.rows, equal)
        found = estimate(coefficient, patterns.weights, ratings.paired_units, lowest=-math.inf)
        yield AC2, str(weighting), found
        if raters == _COHEN_RATERS:
            yield WEIGHTED, str(weighting), cohen_estimate(ratings, weighting)


def coefficient_estimates(
    ratings: Ratings, metrics: Sequence[Metric], names: Sequence[str]
) -> list[tuple[str, str, Estimate]]:
    """Compute alpha with each metric, and other coefficients by name.

    Each result has the name of the coefficient, its metric (empty for those without one) and the estimate.
    Left out is what would compare too many different values.
    """
    domain, patterns = ratings.domain, ratings.patterns
    limit = MAX_OPTIONS if Metric.INTERVAL in metrics else MAX_DOMAIN
    if patterns is None or len(domain) > limit:
        return _estimates_of_units(ratings, metrics, names)
    coefficients = {
        **{(ALPHA, str(metric)): krippendorff_alpha(patterns.rows, metric, domain) for metric in metrics},
        **{(name, ""): COEFFICIENTS[name](patterns.rows) for name in names},
    }
    return _estimates(coefficients, patterns.weights, ratings.paired_units)


def _estimates_of_units(
    ratings: Ratings, metrics: Sequence[Metric], names: Sequence[str]
) -> list[tuple[str, str, Estimate]]:
    """Compute the same for many different values, whose patterns and distances take too much memory.

    Left out are metrics other than the interval metric for too many values, and kappa and AC1.
    """
    metrics = [metric for metric in metrics if metric is Metric.INTERVAL or len(ratings.domain) <= MAX_DOMAIN]
    names = [name for name in names if name == PERCENT]
    ratings = ratings.in_order_of_values()
    coefficients = {
        **{(ALPHA, str(metric)): _alpha_of_units(ratings, metric) for metric in metrics},
        **{(name, ""): percent_agreement_of_units(ratings.units, ratings.values) for name in names},
    }
    return _estimates(coefficients, np.ones(ratings.unit_count, dtype=np.int64), ratings.paired_units)


def _estimates(
    coefficients: Mapping[tuple[str, str], Coefficient], weights: np.ndarray, units: int
) -> list[tuple[str, str, Estimate]]:
    return [
        (*label, estimate(coefficient, weights, units, lowest=0 if label[0] == PERCENT else -1))
        for label, coefficient in coefficients.items()
    ]


def _alpha_of_units(ratings: Ratings, metric: Metric) -> Coefficient:
    if metric is Metric.INTERVAL:
        numbers = _centred_numbers(ratings)
        numbers /= np.abs(numbers).max() or 1
        sums, squares = (np.bincount(ratings.units, weights=numbers**power) for power in (1, 2))
        return interval_alpha(ratings.sizes, sums, squares)
    return alpha_of_units(ratings.units, ratings.values, _distances(ratings, metric))


def _distances(ratings: Ratings, metric: Metric) -> np.ndarray:
    """The squared distances of values; ordinal ones are from the ratings of the units with several."""
    paired = ratings.values[ratings.sizes[ratings.units] > 1]
    totals = np.bincount(paired, minlength=len(ratings.domain))
    return squared_distances(metric, ratings.domain, totals)


def _centred_numbers(ratings: Ratings) -> np.ndarray:
    """The number of each rating minus their mean, so that sums of squares lose no digits."""
    numbers = np.array(ratings.domain, dtype=np.float64)
    return (numbers - numbers.mean())[ratings.values]
