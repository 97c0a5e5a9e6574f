"""Numbers: location, spread and histogram of the answers to a question, separately for each unit."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

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
from batchwright.analysis.store.questions import Level, QuestionKind
from batchwright.analysis.store.text_columns import sorted_codes
from batchwright.base.i18n import N_

MAX_BINS = 30


@dataclass(frozen=True)
class NumberSummary:
    """Statistics of the numbers in one unit; numbers in different units are never combined."""

    question: str
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
    of = table.questions[question]
    rows = [_summary(of.id, unit, table, entries) for unit, entries in _entries_by_unit(table, question)]
    return [_without_mean(row) for row in rows] if of.level is Level.ORDINAL else rows


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


def _summary(id: str, unit: str, table: AnswerTable, entries: np.ndarray) -> NumberSummary:
    numbers, tasks = table.numbers[entries], table.tasks.codes[table.entry_answers[entries]]
    is_valid = np.isfinite(numbers)
    valid, tasks = numbers[is_valid], tasks[is_valid]
    count, invalid = len(valid), len(numbers) - len(valid)
    if not count:
        return NumberSummary(id, unit, 0, invalid, *[math.nan] * 11)
    mean = float(valid.mean())
    deviation = float(valid.std(ddof=1)) if count > 1 else math.nan
    least, lower, median, upper, most = np.quantile(valid, [0, 0.25, 0.5, 0.75, 1]).tolist()
    return NumberSummary(
        id,
        unit,
        count,
        invalid,
        mean,
        *_mean_interval(valid, mean, deviation, tasks),
        deviation,
        least,
        lower,
        median,
        *_median_interval(valid, median, tasks),
        upper,
        most,
    )


def _without_mean(row: NumberSummary) -> NumberSummary:
    return replace(row, mean=math.nan, mean_low=math.nan, mean_high=math.nan, deviation=math.nan)


def _mean_interval(numbers: np.ndarray, mean: float, deviation: float, tasks: np.ndarray) -> Interval:
    count, records, total, between = _spread(numbers - mean, tasks)
    return mean_interval(mean, deviation, effective_size(count, records, total, between), records - 1)


def _median_interval(numbers: np.ndarray, median: float, tasks: np.ndarray) -> Interval:
    """The interval of a median: the rank of its ends is that for the effective number of answers."""
    effective = effective_size_for_ranks(*_spread(np.sign(numbers - median), tasks))
    independent = median_rank(math.floor(effective))
    if not independent:
        return NO_INTERVAL
    rank = math.floor(independent * len(numbers) / effective)
    low, high = np.partition(numbers, [rank - 1, len(numbers) - rank])[[rank - 1, len(numbers) - rank]]
    return Interval(float(low), float(high))


def _spread(differences: np.ndarray, tasks: np.ndarray) -> tuple[int, int, float, float]:
    """The arguments of `effective_size`, given the differences of answers from their middle."""
    sums = np.bincount(tasks, weights=differences)
    records = int(np.count_nonzero(np.bincount(tasks)))
    return len(tasks), records, float((differences**2).sum()), float((sums**2).sum())


def _edges(numbers: np.ndarray) -> np.ndarray:
    """The edges of the bins: the Freedman-Diaconis or Sturges rule, at most `MAX_BINS`."""
    low, high = float(numbers.min()), float(numbers.max())
    quartiles = np.quantile(numbers, [0.25, 0.75])
    width = 2 * float(quartiles[1] - quartiles[0]) / len(numbers) ** (1 / 3)
    sturges = math.ceil(math.log2(len(numbers))) + 1
    bins = max(sturges, math.ceil(min((high - low) / width, MAX_BINS)) if width else 1)
    return np.histogram_bin_edges(numbers, bins=min(bins, MAX_BINS))
