"""Ratings: which values the participants gave to each unit, for the coefficients of agreement.

A unit is a task. Units with equal counts of values are combined to one pattern with a weight: a million
ratings of a question with few options are a few dozen patterns, which can be resampled a thousand times.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.questions import AnalysedQuestion, QuestionKind

MAX_CELLS = 20_000_000
"""Maximum number of cells of `counts`."""
_MAX_PATTERN_CELLS = 4_000_000
_LARGEST_KEY = 2**62
_BITS = 32
"""Options of a set that are stored in one number."""

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
    derived_patterns: "Patterns | None" = None
    """The patterns, if they follow from those of other ratings."""

    @property
    def unit_count(self) -> int:
        """Number of units with a rating."""
        return len(self.unit_codes)

    @cached_property
    def sizes(self) -> np.ndarray:
        """The number of ratings of each unit."""
        return np.bincount(self.units, minlength=self.unit_count)

    @property
    def paired_units(self) -> int:
        """Number of units with at least two ratings."""
        return int((self.sizes > 1).sum())

    @property
    def differing_units(self) -> int:
        """Number of units whose ratings differ."""
        if self.patterns is not None:
            return int(self.patterns.weights[(self.patterns.rows > 0).sum(axis=1) > 1].sum())
        cells = np.sort(self.units * len(self.domain) + self.values)
        different = cells[np.diff(cells, prepend=-1) != 0]
        return int((np.bincount(different // len(self.domain)) > 1).sum())

    @cached_property
    def counts(self) -> np.ndarray:
        """How often each unit got each value: a row per unit, a column per value."""
        width = len(self.domain)
        cells = np.bincount(self.units * width + self.values, minlength=self.unit_count * width)
        return cells.reshape(self.unit_count, width)

    @property
    def is_countable(self) -> bool:
        """Whether `counts` is not too large."""
        return self.unit_count * len(self.domain) <= MAX_CELLS

    @cached_property
    def patterns(self) -> "Patterns | None":
        """The different rows of `counts`, without computing that; None if even these are too many."""
        if self.derived_patterns is not None:
            return self.derived_patterns
        width, (examples, of_units) = len(self.domain), self._different_units
        if len(examples) * width > _MAX_PATTERN_CELLS:
            return None
        entries = np.flatnonzero(np.isin(self.units, examples))
        cells = of_units[self.units[entries]] * width + self.values[entries]
        rows = np.bincount(cells, minlength=len(examples) * width).reshape(len(examples), width)
        return Patterns(rows, of_units)

    @cached_property
    def _different_units(self) -> tuple[np.ndarray, np.ndarray]:
        """A unit of each pattern, in an order that depends on values only, and the patterns of all units."""
        width = len(self.domain)
        values = np.sort(self.units * width + self.values) % max(width, 1)
        starts = np.cumsum(self.sizes) - self.sizes
        of_units, examples, count = np.zeros(self.unit_count, dtype=np.int64), [], 0
        for size in np.unique(self.sizes).tolist():
            units = np.flatnonzero(self.sizes == size)
            first, codes = different_rows(values[starts[units][:, None] + np.arange(size)], width)
            of_units[units] = codes + count
            examples.append(units[first])
            count += len(first)
        return np.concatenate([np.zeros(0, dtype=np.int64), *examples]), of_units

    def in_order_of_values(self) -> "Ratings":
        """The ratings with the units in an order that does not depend on tasks and raters."""
        order = np.argsort(self._different_units[1], kind="stable")
        positions = np.empty(len(order), dtype=np.int64)
        positions[order] = np.arange(len(order))
        return replace(
            self, units=positions[self.units], unit_codes=self.unit_codes[order], derived_patterns=None
        )

    def of_units(self, is_included: np.ndarray) -> "Ratings":
        """The ratings of some units: a boolean per unit. The domain stays the same."""
        if is_included.all():
            return self
        new_units = np.cumsum(is_included) - 1
        is_selected = is_included[self.units]
        return replace(
            self,
            units=new_units[self.units[is_selected]],
            raters=self.raters[is_selected],
            values=self.values[is_selected],
            unit_codes=self.unit_codes[is_included],
            derived_patterns=self.patterns and self.patterns.of(is_included),
        )

    def as_yes_or_no(self, is_yes: np.ndarray) -> "Ratings":
        """The ratings as yes or no, given which values of the domain are yes."""
        return replace(
            self,
            values=is_yes.astype(np.int64)[self.values],
            domain=("no", "yes"),
            derived_patterns=self.patterns and self.patterns.as_yes_or_no(is_yes),
        )


@dataclass(frozen=True, eq=False)
class Patterns:
    """How often each value was given, for the units in which these numbers differ."""

    rows: np.ndarray
    """A row per pattern, a column per value."""
    of_units: np.ndarray
    """The pattern of each unit."""

    @cached_property
    def weights(self) -> np.ndarray:
        """The number of units with each pattern."""
        return np.bincount(self.of_units, minlength=len(self.rows))

    def of(self, is_included: np.ndarray) -> "Patterns":
        """The patterns of some units: a boolean per unit."""
        used, of_units = np.unique(self.of_units[is_included], return_inverse=True)
        return Patterns(self.rows[used], of_units.reshape(-1))

    def as_yes_or_no(self, is_yes: np.ndarray) -> "Patterns":
        """How often each unit got no and yes, given which values are yes."""
        yes = self.rows @ is_yes
        rows = np.stack([self.rows.sum(axis=1) - yes, yes], axis=1)
        examples, codes = different_rows(rows, int(rows.max(initial=0)) + 1)
        return Patterns(rows[examples], codes[self.of_units])


def different_rows(matrix: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray]:
    """The index of an example of each different row, and which of these each row equals.

    Values are below `width`. Columns are combined to one number as long as that is not too large.
    """
    codes, largest = np.zeros(len(matrix), dtype=np.int64), 1
    for column in matrix.T:
        if largest * width > _LARGEST_KEY:
            codes = np.unique(codes, return_inverse=True)[1].reshape(-1)
            largest = len(matrix)
        codes, largest = codes * width + column, largest * width
    _codes, examples, inverse = np.unique(codes, return_index=True, return_inverse=True)
    return examples, inverse.reshape(-1)


def ratings_of(table: AnswerTable, index: int, unit_of_measure: str = "") -> Ratings:
    """The ratings of a question; numbers only in one unit of measure. Texts and files have none."""
    question, entries = table.questions[index], table.entries_of(index)
    if question.kind is QuestionKind.CHOICES:
        return _set_ratings(table, index)
    if question.kind is QuestionKind.CHOICE:
        entries = entries[table.options[entries] >= 0]
        return _ratings(
            table, table.entry_answers[entries], *_option_values(question, table.options[entries])
        )
    units = np.array([unit == unit_of_measure for unit in (*table.units.values, "")], dtype=bool)
    entries = entries[np.isfinite(table.numbers[entries]) & units[table.units.codes[entries]]]
    domain, values = np.unique(table.numbers[entries], return_inverse=True)
    return _ratings(table, table.entry_answers[entries], domain.tolist(), values.reshape(-1))


def selects(question: AnalysedQuestion, ratings: Ratings, option: int) -> np.ndarray:
    """Whether each value of the domain selects an option of the question."""
    if question.kind is QuestionKind.CHOICES:
        return np.array([isinstance(value, frozenset) and option in value for value in ratings.domain])
    if question.is_scale:
        return np.array(ratings.domain, dtype=np.float64) == question.options[option].number
    return np.arange(len(ratings.domain)) == option


def _option_values(question: AnalysedQuestion, options: np.ndarray) -> tuple[list[Value], np.ndarray]:
    """The domain of a single choice and the values; on a scale, options are in numerical order."""
    if not question.is_scale:
        return [option.value for option in question.options], options.astype(np.int64)
    numbers = np.array([option.number for option in question.options], dtype=np.float64)
    domain, index = np.unique(numbers, return_inverse=True)
    return domain.tolist(), index.reshape(-1)[options]


def _set_ratings(table: AnswerTable, index: int) -> Ratings:
    """The sets of options that answers selected; an empty answer is the empty set."""
    answers, entries = table.answers_of(index), table.entries_of(index)
    positions = np.searchsorted(answers, table.entry_answers[entries])
    bits = _selected_bits(positions, table.options[entries] + 1, len(answers))
    examples, codes = different_rows(bits, 2**_BITS)
    sets = [
        frozenset(
            number * _BITS + bit - 1
            for number, column in enumerate(row)
            for bit in range(_BITS)
            if column >> bit & 1
        )
        for row in bits[examples].tolist()
    ]
    order = sorted(range(len(sets)), key=lambda index: sorted(sets[index]))
    ranks = np.empty(len(sets), dtype=np.int64)
    ranks[order] = np.arange(len(sets))
    return _ratings(table, answers, [sets[index] for index in order], ranks[codes])


def _selected_bits(answers: np.ndarray, options: np.ndarray, count: int) -> np.ndarray:
    """A row per answer with a bit for each option from 0 that it selected, `_BITS` in each column."""
    width = int(options.max(initial=0)) + 1
    cells = np.sort(answers * width + options)
    cells = cells[np.diff(cells, prepend=-1) != 0]
    answers, options = np.divmod(cells, width)
    columns = [
        np.bincount(answers[part], weights=2.0 ** (options[part] - start), minlength=count)
        for start in range(0, width, _BITS)
        for part in [(options >= start) & (options < start + _BITS)]
    ]
    return np.stack(columns, axis=1).astype(np.int64)


def _ratings(table: AnswerTable, answers: np.ndarray, domain: Sequence[Value], values: np.ndarray) -> Ratings:
    """Create ratings from answers; only the first of a participant to a task is used."""
    tasks, raters = table.tasks.codes[answers], table.participants.codes[answers]
    keys = tasks.astype(np.int64) * (len(table.participants.values) + 1) + raters
    first = np.sort(np.unique(keys, return_index=True)[1])
    codes, units = np.unique(tasks[first], return_inverse=True)
    return Ratings(units.reshape(-1), raters[first], values[first], tuple(domain), codes)
