"""Ratings: which values the participants gave to each unit, for the coefficients of agreement.

A unit is a task. Units with equal counts of values are combined to one pattern with a weight: a million
ratings of a question with few options are a few dozen patterns, which can be resampled a thousand times.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from batchwright.analysis.answer_table import AnswerTable
from batchwright.analysis.questions import AnalysedQuestion, QuestionKind

MAX_CELLS = 20_000_000
"""Maximum number of cells of a matrix of units and values; beyond it, agreement is not computed."""
_LARGEST_KEY = 2**62

Value = float | str | frozenset[int]


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings of units; row, rater and value of each. A rater rates a unit at most once."""

    units: np.ndarray
    raters: np.ndarray
    values: np.ndarray
    """Indexes in `domain`."""
    domain: tuple[Value, ...]
    """All possible values: numbers in ascending order, texts of options, or sets of options."""
    unit_codes: np.ndarray
    """The task code of each unit."""

    @property
    def unit_count(self) -> int:
        """Number of units with a rating."""
        return len(self.unit_codes)

    @cached_property
    def is_countable(self) -> bool:
        """Whether a matrix of units and values is not too large."""
        return self.unit_count * len(self.domain) <= MAX_CELLS

    @cached_property
    def counts(self) -> np.ndarray:
        """How often each unit got each value: a row per unit, a column per value."""
        width = len(self.domain)
        cells = np.bincount(self.units * width + self.values, minlength=self.unit_count * width)
        return cells.reshape(self.unit_count, width)

    @cached_property
    def patterns(self) -> tuple[np.ndarray, np.ndarray]:
        """The different rows of `counts`, and the number of units with each."""
        counts = self.counts
        base = int(counts.max(initial=0)) + 1
        if base ** counts.shape[1] > _LARGEST_KEY:
            rows, weights = np.unique(counts, axis=0, return_counts=True)
            return rows, weights
        keys = counts @ (base ** np.arange(counts.shape[1], dtype=np.int64))
        _keys, first, weights = np.unique(keys, return_index=True, return_counts=True)
        return counts[first], weights

    def of_units(self, is_included: np.ndarray) -> "Ratings":
        """Return the ratings of some units: a boolean per unit. The domain stays the same."""
        new_units = np.cumsum(is_included) - 1
        kept = is_included[self.units]
        return replace(
            self,
            units=new_units[self.units[kept]],
            raters=self.raters[kept],
            values=self.values[kept],
            unit_codes=self.unit_codes[is_included],
        )

    def is_value(self, value: int) -> "Ratings":
        """Return the ratings as yes or no: whether each has this value."""
        return replace(self, values=(self.values == value).astype(np.int64), domain=("no", "yes"))

    def has_option(self, option: int) -> "Ratings":
        """Return the ratings as yes or no: whether each set contains this option."""
        contains = np.array([isinstance(value, frozenset) and option in value for value in self.domain])
        return replace(self, values=contains.astype(np.int64)[self.values], domain=("no", "yes"))


def ratings_of(table: AnswerTable, question: int, unit_of_measure: str = "") -> Ratings:
    """Return the ratings of a question; numbers only in one unit of measure. Texts and files have none."""
    asked = table.questions[question]
    if asked.kind is QuestionKind.CHOICES:
        return _set_ratings(table, question)
    entries = table.entries_of(question)
    if asked.kind is QuestionKind.CHOICE:
        entries = entries[table.options[entries] >= 0]
        return _ratings(table, table.entry_answers[entries], *_option_values(asked, table.options[entries]))
    units = np.array([unit == unit_of_measure for unit in (*table.units.values, "")], dtype=bool)
    entries = entries[np.isfinite(table.numbers[entries]) & units[table.units.codes[entries]]]
    domain, values = np.unique(table.numbers[entries], return_inverse=True)
    return _ratings(table, table.entry_answers[entries], domain.tolist(), values.reshape(-1))


def create_ratings(rows: Sequence[Sequence[Value | None]]) -> Ratings:
    """Return the ratings in a matrix with a row per rater and a column per unit; None is missing."""
    given = [(unit, rater, value) for rater, row in enumerate(rows) for unit, value in enumerate(row)]
    rated = [(unit, rater, value) for unit, rater, value in given if value is not None]
    domain = sorted({value for _unit, _rater, value in rated}, key=_sort_key)
    index: dict[Hashable, int] = {value: number for number, value in enumerate(domain)}
    units, raters, values = (
        np.array(column, dtype=np.int64)
        for column in zip(*((unit, rater, index[value]) for unit, rater, value in rated), strict=True)
    )
    codes, compact = np.unique(units, return_inverse=True)
    return Ratings(compact.reshape(-1), raters, values, tuple(domain), codes)


def _option_values(question: AnalysedQuestion, options: np.ndarray) -> tuple[list[Value], np.ndarray]:
    """Return the domain of a single choice and the values; on a scale, options are in numerical order."""
    if not question.is_scale:
        return [option.value for option in question.options], options.astype(np.int64)
    numbers = np.array([option.number for option in question.options], dtype=np.float64)
    domain, index = np.unique(numbers, return_inverse=True)
    return domain.tolist(), index.reshape(-1)[options]


def _set_ratings(table: AnswerTable, question: int) -> Ratings:
    """Return the sets of options that answers selected; an empty answer is the empty set."""
    answers = table.answers_of(question)
    entries = table.entries_of(question)
    sets: dict[int, set[int]] = {}
    for answer, option in zip(
        table.entry_answers[entries].tolist(), table.options[entries].tolist(), strict=True
    ):
        sets.setdefault(answer, set()).add(option)
    index: dict[frozenset[int], int] = {}
    values = [index.setdefault(frozenset(sets.get(answer, ())), len(index)) for answer in answers.tolist()]
    return _ratings(table, answers, list(index), np.array(values, dtype=np.int64))


def _ratings(table: AnswerTable, answers: np.ndarray, domain: Sequence[Value], values: np.ndarray) -> Ratings:
    """Create ratings from answers; only the first of a participant to a task is used."""
    tasks, raters = table.tasks.codes[answers], table.participants.codes[answers]
    keys = tasks.astype(np.int64) * (len(table.participants.values) + 1) + raters
    first = np.sort(np.unique(keys, return_index=True)[1])
    codes, units = np.unique(tasks[first], return_inverse=True)
    return Ratings(units.reshape(-1), raters[first], values[first], tuple(domain), codes)


def _sort_key(value: Value) -> tuple[float, str, tuple[int, ...]]:
    if isinstance(value, frozenset):
        return 0, "", tuple(sorted(value))
    return (0, value, ()) if isinstance(value, str) else (value, "", ())
