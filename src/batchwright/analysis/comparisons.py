"""Comparisons of two systems side by side: results per system, whichever side it was on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from batchwright.analysis.answer_table import AnswerTable
from batchwright.analysis.bootstrap import RESAMPLES, percentile_interval, samples_of
from batchwright.analysis.bradley_terry import strengths
from batchwright.analysis.columns import UnusableField, sorted_codes
from batchwright.analysis.intervals import wilson
from batchwright.analysis.questions import Outcome
from batchwright.analysis.ratings import different_rows

MAX_SYSTEMS = 50
_MANY = 50_000
"""Number of different results of tasks above which fewer samples are drawn."""
_FEWER_RESAMPLES = 200
_BLOCK_CELLS = 5_000_000
"""Maximum number of cells of win matrices that are fitted at once."""


@dataclass(frozen=True)
class SystemFields:
    """The fields that name the systems; without `right`, it is the other one of exactly two systems."""

    left: str
    right: str = ""


@dataclass(frozen=True)
class SystemRow:
    """The results of a system in one question. Rates are shares of its comparisons with an outcome."""

    question: str
    system: str
    comparisons: int
    wins: int
    ties: int
    losses: int
    none: int
    """Answers that found neither side good; they are no comparisons."""
    win_rate: float
    win_low: float
    win_high: float
    tie_rate: float
    tie_low: float
    tie_high: float
    loss_rate: float
    loss_low: float
    loss_high: float
    strength: float
    """Logarithmic Bradley–Terry strength; the mean of all systems is 0. Empty if it has no maximum."""
    strength_low: float
    strength_high: float


@dataclass(frozen=True)
class PairRow:
    """The comparisons of a system with another; `win_rate` is the share of those that are not ties."""

    question: str
    system: str
    opponent: str
    wins: int
    ties: int
    losses: int
    win_rate: float
    low: float
    high: float


@dataclass(frozen=True)
class PositionRow:
    """How often the left side won; without a bias for a position, and with sides drawn at random, half."""

    question: str
    left: int
    right: int
    left_share: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Comparisons:
    """The comparisons in the answers to a question: a row per answer that has an outcome and two systems."""

    systems: tuple[str, ...]
    tasks: np.ndarray
    left: np.ndarray
    right: np.ndarray
    scores: np.ndarray
    """1 if the left system won, 0 if the right one did, 0.5 for a tie, NaN if neither was good."""


def comparison_questions(table: AnswerTable) -> list[int]:
    """Return the indexes of the questions that compare a left and a right side."""
    return [index for index, question in enumerate(table.questions) if question.is_comparison]


def comparisons_of(table: AnswerTable, question: int, fields: SystemFields) -> Comparisons:
    """Return the comparisons in the answers to a question.

    Raises:
        UnusableField: a field is missing, or a single field has more or fewer than two values.
    """
    left, right, systems = _systems(table, fields)
    entries = table.entries_of(question)
    outcomes = [option.outcome for option in table.questions[question].options]
    scores_by_option = np.array([_SCORES.get(outcome, -1.0) for outcome in outcomes] + [-1.0])
    scores = scores_by_option[table.options[entries]]
    tasks = table.tasks.codes[table.entry_answers[entries]]
    sides = left[tasks], right[tasks]
    is_known = (scores != -1) & (sides[0] >= 0) & (sides[1] >= 0) & (sides[0] != sides[1])
    return Comparisons(systems, tasks[is_known], sides[0][is_known], sides[1][is_known], scores[is_known])


_SCORES: dict[Outcome | None, float] = {
    Outcome.LEFT: 1.0,
    Outcome.RIGHT: 0.0,
    Outcome.TIE: 0.5,
    Outcome.NONE: np.nan,
}


def system_rows(question: str, comparisons: Comparisons, seed: int) -> list[SystemRow]:
    """Return the results of all systems, the strongest first."""
    wins, ties, none = _matrices(comparisons)
    values, lows, highs = _strengths(comparisons, seed)
    rows = []
    for index, system in enumerate(comparisons.systems):
        won, tied, lost = int(wins[index].sum()), int(ties[index].sum()), int(wins[:, index].sum())
        total = won + tied + lost
        rates = [
            value for count in (won, tied, lost) for value in (_share(count, total), *wilson(count, total))
        ]
        rates += [float(column[index]) for column in (values, lows, highs)]
        rows.append(SystemRow(question, system, total, won, tied, lost, int(none[index]), *rates))
    return sorted(rows, key=lambda row: (-_order(row.strength), -_order(row.win_rate), row.system))


def pair_rows(question: str, comparisons: Comparisons) -> Iterator[PairRow]:
    """Yield the comparisons of each system with each other one."""
    wins, ties, _none = _matrices(comparisons)
    for first, system in enumerate(comparisons.systems):
        for second, opponent in enumerate(comparisons.systems):
            won, tied, lost = int(wins[first, second]), int(ties[first, second]), int(wins[second, first])
            if won + tied + lost:
                rate = (_share(won, won + lost), *wilson(won, won + lost))
                yield PairRow(question, system, opponent, won, tied, lost, *rate)


def position_rows(table: AnswerTable, questions: Sequence[int]) -> list[PositionRow]:
    """Return the check for a bias of position of several questions."""
    return [position_row(table, question) for question in questions]


def position_row(table: AnswerTable, question: int) -> PositionRow:
    """Count how often each side won; needs no systems."""
    options = table.questions[question].options
    counts = np.bincount(table.options[table.entries_of(question)] + 1, minlength=len(options) + 1)[1:]
    left, right = (
        sum(int(count) for option, count in zip(options, counts, strict=True) if option.outcome is side)
        for side in (Outcome.LEFT, Outcome.RIGHT)
    )
    share = _share(left, left + right)
    return PositionRow(table.questions[question].id, left, right, share, *wilson(left, left + right))


def _systems(table: AnswerTable, fields: SystemFields) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """Return the left and right system of each task, as indexes of the sorted names."""
    columns = [table.fields[name] for name in (fields.left, fields.right) if name in table.fields]
    if len(columns) < (2 if fields.right else 1):
        raise UnusableField(fields.right if fields.left in table.fields else fields.left)
    systems = tuple(
        sorted({column.values[code] for column in columns for code in sorted_codes(column.values)})
    )
    if len(systems) < 2 or len(systems) > (MAX_SYSTEMS if fields.right else 2):
        raise UnusableField(fields.left)
    index = {system: number for number, system in enumerate(systems)}
    sides = [
        np.array([index[value] for value in column.values] + [-1], dtype=np.int64)[column.codes]
        for column in columns
    ]
    other = np.where(sides[0] >= 0, 1 - sides[0], -1)
    return sides[0], sides[1] if fields.right else other, systems


def _matrices(comparisons: Comparisons) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return wins and ties by system and opponent, and the number of answers without a good side."""
    count = len(comparisons.systems)
    left, right, scores = comparisons.left, comparisons.right, comparisons.scores
    wins, ties = np.zeros((count, count), dtype=np.int64), np.zeros((count, count), dtype=np.int64)
    np.add.at(wins, (left[scores == 1], right[scores == 1]), 1)
    np.add.at(wins, (right[scores == 0], left[scores == 0]), 1)
    is_tie, is_none = scores == 1 / 2, np.isnan(scores)
    np.add.at(ties, (left[is_tie], right[is_tie]), 1)
    none = np.bincount(left[is_none], minlength=count) + np.bincount(right[is_none], minlength=count)
    return wins, ties + ties.T, none


def _strengths(comparisons: Comparisons, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the strengths and their intervals from a bootstrap over tasks."""
    count = len(comparisons.systems)
    pairs, won, lost, weights = _task_patterns(comparisons)
    if not len(pairs):
        return (np.full(count, np.nan),) * 3
    mirrored = pairs % count * count + pairs // count

    def win_matrices(rows: np.ndarray) -> np.ndarray:
        cells = [
            np.bincount(pairs, weights=won * row, minlength=count * count)
            + np.bincount(mirrored, weights=lost * row, minlength=count * count)
            for row in rows
        ]
        return np.stack(cells).reshape(len(rows), count, count)

    value = strengths(win_matrices(weights[None, :].astype(np.float64)))[0]
    samples = RESAMPLES if len(weights) <= _MANY else _FEWER_RESAMPLES
    draws = np.concatenate([win_matrices(block) for block in samples_of(weights, samples, seed)])
    block = max(1, _BLOCK_CELLS // (count * count))
    fits = [strengths(draws[start : start + block]) for start in range(0, samples, block)]
    tasks = int(weights.sum())
    ends = [percentile_interval(column, tasks) for column in np.concatenate(fits).T]
    return value, np.array([end.low for end in ends]), np.array([end.high for end in ends])


def _task_patterns(comparisons: Comparisons) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the different results of tasks: left * systems + right, wins of both sides, number of tasks.

    A tie is half a win for both.
    """
    is_scored = ~np.isnan(comparisons.scores)
    pair_of = comparisons.left[is_scored] * len(comparisons.systems) + comparisons.right[is_scored]
    scores = comparisons.scores[is_scored]
    _tasks, first, task_of = np.unique(comparisons.tasks[is_scored], return_index=True, return_inverse=True)
    doubled = [np.bincount(task_of.reshape(-1), weights=2 * one) for one in (scores, 1 - scores)]
    results = np.stack([pair_of[first], *doubled], axis=1).astype(np.int64)
    examples, codes = different_rows(results, int(results.max(initial=0)) + 1)
    pairs, won, lost = results[examples].T
    return pairs, won / 2, lost / 2, np.bincount(codes, minlength=len(pairs))


def _share(count: int, total: int) -> float:
    return count / total if total else float("nan")


def _order(value: float) -> float:
    return value if np.isfinite(value) else -np.inf
