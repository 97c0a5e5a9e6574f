"""Numbers: location, spread and histogram of the answers to a question, separately for each unit.

Location and spread also for each value of a dataset field.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

import numpy as np

from batchwright.analysis.statistics.clusters import cells_in_groups, spread
from batchwright.analysis.statistics.groups import category_fields, field_groups
from batchwright.analysis.statistics.intervals import (
    NO_INTERVAL,
    Interval,
    effective_size,
    effective_size_for_ranks,
    mean_interval,
    median_rank,
)
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.headings import Heading
from batchwright.analysis.store.questions import MeasurementLevel, QuestionKind
from batchwright.analysis.store.sampling import Sampling
from batchwright.analysis.store.text_columns import sorted_codes
from batchwright.base.i18n import N_

MAX_BINS = 30
_ROUNDING = 1e-9


@dataclass(frozen=True)
class NumberSummary:
    """Statistics of the numbers in one unit, in total or of the records with one value of a field.

    Numbers in different units are never combined. Records without a value of the field have an empty
    `field_value`.
    """

    question: str
    field: Annotated[str, Heading(N_("Field"))]
    """Empty: all answers."""
    field_value: Annotated[str, Heading(N_("Value"))]
    unit: Annotated[str, Heading(N_("Unit"))]
    """Empty: without a unit."""
    count: Annotated[int, Heading(N_("Count"))]
    not_numbers: Annotated[int, Heading(N_("Not a number"))]
    """How many answers in this unit are not a number."""
    mean: Annotated[float, Heading(N_("Mean"), interval=("mean_low", "mean_high"))]
    mean_low: float
    mean_high: float
    deviation: Annotated[float, Heading(N_("Standard deviation"))]
    minimum: Annotated[float, Heading(N_("Minimum"))]
    lower_quartile: Annotated[float, Heading(N_("Lower quartile"))]
    median: Annotated[float, Heading(N_("Median"), interval=("median_low", "median_high"))]
    median_low: float
    median_high: float
    upper_quartile: Annotated[float, Heading(N_("Upper quartile"))]
    maximum: Annotated[float, Heading(N_("Maximum"))]


@dataclass(frozen=True)
class HistogramBin:
    """A bin of a histogram: from `low` up to `high`, which only the last bin includes."""

    question: str
    unit: Annotated[str, Heading(N_("Unit"))]
    low: Annotated[float, Heading(N_("From"))]
    high: Annotated[float, Heading(N_("To"))]
    count: Annotated[int, Heading(N_("Count"))]


def number_summaries(table: AnswerTable, question: int) -> list[NumberSummary]:
    """Summarize the numbers of a question, one row for each unit; ordinal numbers have no mean."""
    scope = table.questions[question].id, "", ""
    return [
        _summary(scope, unit, table, question, entries) for unit, entries in _entries_by_unit(table, question)
    ]


def number_summaries_by_field(table: AnswerTable, question: int, name: str) -> list[NumberSummary]:
    """Summarize them for each value of a field, or range of its numbers, in their order."""
    id, groups = table.questions[question].id, field_groups(table.fields[name])
    rows: list[NumberSummary] = []
    for unit, entries in _entries_by_unit(table, question):
        codes = groups.codes[table.tasks.codes[table.entry_answers[entries]]]
        in_order = entries[np.argsort(codes, kind="stable")]
        ends = np.cumsum(np.bincount(codes, minlength=len(groups.values)))
        for value, part in zip(groups.values, np.split(in_order, ends[:-1]), strict=True):
            if len(part):
                rows.append(_summary((id, name, value), unit, table, question, part))
    return rows


def all_number_summaries(table: AnswerTable) -> list[NumberSummary]:
    """Summarize the numbers of every question that has some, in total and by every field with categories."""
    fields = category_fields(table)
    rows: list[NumberSummary] = []
    for index in number_questions(table):
        rows += number_summaries(table, index)
        for name in fields:
            rows += number_summaries_by_field(table, index, name)
    return rows


def histograms(table: AnswerTable, question: int) -> list[HistogramBin]:
    """Count the numbers of a question in bins of equal width, separately for each unit."""
    id = table.questions[question].id
    bins: list[HistogramBin] = []
    for unit, entries in _entries_by_unit(table, question):
        valid = table.numbers[entries][np.isfinite(table.numbers[entries])]
        if len(valid):
            counts, edges = np.histogram(valid, bins=_edges(valid))
            ends = edges.tolist()
            bins += map(
                HistogramBin, [id] * len(counts), [unit] * len(counts), ends, ends[1:], counts.tolist()
            )
    return bins


def number_questions(table: AnswerTable) -> list[int]:
    """The indexes of the questions with numbers: typed numbers, and choices on a scale."""
    return [
        index
        for index, question in enumerate(table.questions)
        if question.kind is QuestionKind.NUMBER or question.is_scale
    ]


def number_entries(table: AnswerTable, question: int) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the entries with numbers in each unit of a question."""
    for unit, entries in _entries_by_unit(table, question):
        valid = entries[np.isfinite(table.numbers[entries])]
        if len(valid):
            yield unit, valid


def group_medians(numbers: np.ndarray, groups: np.ndarray, count: int) -> np.ndarray:
    """The median of the numbers in each of `count` groups; NaN in a group without numbers."""
    in_order = np.append(numbers[np.lexsort((numbers, groups))], np.nan)
    sizes = np.bincount(groups, minlength=count)
    starts = np.cumsum(sizes) - sizes
    medians = (in_order[starts + np.maximum(sizes - 1, 0) // 2] + in_order[starts + sizes // 2]) / 2
    return np.where(sizes > 0, medians, np.nan)


def _entries_by_unit(table: AnswerTable, question: int) -> Iterator[tuple[str, np.ndarray]]:
    entries = table.entries_of(question)
    units = table.units.codes[entries]
    if (units < 0).any():
        yield "", entries[units < 0]
    for code in sorted_codes(table.units.values):
        if (units == code).any():
            yield table.units.values[code], entries[units == code]


def _summary(
    scope: tuple[str, str, str], unit: str, table: AnswerTable, question: int, entries: np.ndarray
) -> NumberSummary:
    """The statistics of entries; `scope` is the question, the field and its value."""
    is_valid = np.isfinite(table.numbers[entries])
    count, invalid = int(is_valid.sum()), int((~is_valid).sum())
    valid = _Numbers.of(table, entries[is_valid])
    if not len(valid.values):
        return NumberSummary(*scope, unit, count, invalid, *[math.nan] * 11)
    mean, deviation = valid.mean, valid.deviation
    least, lower, median, upper, most = valid.quantiles([0, 0.25, 0.5, 0.75, 1])
    row = NumberSummary(
        *scope,
        unit,
        count,
        invalid,
        mean,
        *valid.mean_interval(),
        deviation,
        least,
        lower,
        median,
        *valid.median_interval(median),
        upper,
        most,
    )
    return _without_mean(row) if table.questions[question].level is MeasurementLevel.ORDINAL else row


def _without_mean(row: NumberSummary) -> NumberSummary:
    return replace(row, mean=math.nan, mean_low=math.nan, mean_high=math.nan, deviation=math.nan)


@dataclass(frozen=True, eq=False)
class _Numbers:
    """Numbers in one unit, with the weights and clusters of their answers."""

    values: np.ndarray
    weights: np.ndarray
    """With mean 1."""
    tasks: np.ndarray
    participants: np.ndarray
    sampling: Sampling

    @classmethod
    def of(cls, table: AnswerTable, entries: np.ndarray) -> "_Numbers":
        """The numbers of the entries of a table that have a weight above 0."""
        weights = table.sampling.weights_of(table.tasks.codes[table.entry_answers[entries]])
        entries = entries[weights > 0]
        answers = table.entry_answers[entries]
        tasks, people = table.tasks.codes[answers], table.participants.codes[answers]
        return cls(table.numbers[entries], weights[weights > 0], tasks, people, table.sampling)

    @cached_property
    def mean(self) -> float:
        """The weighted mean."""
        return float((self.weights * self.values).sum() / len(self.values))

    @cached_property
    def deviation(self) -> float:
        """The weighted standard deviation; NaN for a single number."""
        squares = float((self.weights * (self.values - self.mean) ** 2).sum())
        return math.sqrt(squares / (len(self.values) - 1)) if len(self.values) > 1 else math.nan

    def quantiles(self, shares: Sequence[float]) -> list[float]:
        """The weighted quantiles; interpolated only if all weights are the same."""
        if self.sampling.weights is None:
            return [float(value) for value in np.quantile(self.values, shares)]
        found = np.quantile(self.values, shares, weights=self.weights, method="inverted_cdf")
        return [float(value) for value in found]

    def mean_interval(self) -> Interval:
        """The interval of the mean."""
        count, clusters, total, between = self._spread(self.values - self.mean)
        effective = effective_size(count, clusters, total, between)
        return mean_interval(self.mean, self.deviation, effective, clusters - 1)

    def median_interval(self, median: float) -> Interval:
        """The interval of a median: the rank of its ends is that for the effective number of answers."""
        effective = effective_size_for_ranks(*self._spread(np.sign(self.values - median)))
        independent = median_rank(math.floor(effective))
        if not independent:
            return NO_INTERVAL
        rank = math.floor(independent * len(self.values) / effective)
        order = np.argsort(self.values, kind="stable")
        sums = np.cumsum(self.weights[order]) - _ROUNDING
        low, high = np.searchsorted(sums, [rank - 1, len(sums) - rank], side="right")
        ends = self.values[order[[low, min(high, len(sums) - 1)]]]
        return Interval(float(ends[0]), float(ends[1]))

    def _spread(self, differences: np.ndarray) -> tuple[int, float, float, float]:
        """The arguments of `effective_size`, given the differences of numbers from their middle."""
        weighted, groups = self.weights * differences, np.zeros(len(self.values), dtype=np.int64)
        found = spread(
            self.sampling.clusters,
            self.tasks,
            self.participants,
            1,
            lambda codes: cells_in_groups(codes, groups, 1, self.weights, weighted),
        )
        total = float((weighted * differences).sum())
        return len(self.values), float(found.clusters[0]), total, float(found.between[0])


def _edges(numbers: np.ndarray) -> np.ndarray:
    """The edges of the bins: the Freedman-Diaconis or Sturges rule, at most `MAX_BINS`."""
    low, high = float(numbers.min()), float(numbers.max())
    quartiles = np.quantile(numbers, [0.25, 0.75])
    width = 2 * float(quartiles[1] - quartiles[0]) / len(numbers) ** (1 / 3)
    sturges = math.ceil(math.log2(len(numbers))) + 1
    bins = max(sturges, math.ceil(min((high - low) / width, MAX_BINS)) if width else 1)
    if low == high:
        low, high = low - 0.5, max(high + 0.5, math.nextafter(high, math.inf))
    return _distinct_edges(low, high, min(bins, MAX_BINS))


def _distinct_edges(low: float, high: float, bins: int) -> np.ndarray:
    """The edges of bins of equal width; fewer bins if there are not enough floating-point numbers between."""
    edges = np.linspace(low, high, bins + 1)
    return edges if bins == 1 or (np.diff(edges) > 0).all() else _distinct_edges(low, high, bins // 2)
