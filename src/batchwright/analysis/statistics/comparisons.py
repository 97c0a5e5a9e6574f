"""Comparisons of two systems side by side: results per system, whichever side it was on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np

from batchwright.analysis.statistics.bootstrap import RESAMPLES, samples_of, standard_error_interval
from batchwright.analysis.statistics.bradley_terry import connected_parts, strengths, strengths_with_order
from batchwright.analysis.statistics.intervals import effective_size_for_ranks, wilson
from batchwright.analysis.statistics.ratings import different_rows
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.headings import Heading
from batchwright.analysis.store.questions import Outcome
from batchwright.analysis.store.text_columns import UnusableField, sorted_codes
from batchwright.base.i18n import N_, _

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
    """The results of a system in one question.

    The win rate is the share of wins and half the ties among its comparisons with an outcome.
    """

    question: str
    system: Annotated[str, Heading(N_("System"))]
    comparisons: Annotated[int, Heading(N_("Comparisons"))]
    wins: Annotated[int, Heading(N_("Wins"))]
    ties: Annotated[int, Heading(N_("Ties"))]
    losses: Annotated[int, Heading(N_("Losses"))]
    none: Annotated[int, Heading(N_("Neither"))]
    """Answers that found neither side good; they are no comparisons."""
    win_rate: Annotated[float, Heading(N_("Win rate"), is_share=True, interval=("win_low", "win_high"))]
    win_low: float
    win_high: float
    strength: Annotated[float, Heading(N_("Strength"), interval=("strength_low", "strength_high"))]
    """Logarithmic Bradley–Terry strength; the mean of the systems in the same part is 0."""
    strength_low: float
    strength_high: float
    part: Annotated[int, Heading(N_("Part"))] = 1
    """The number of the group of systems that have won against each other, directly or through others.

    Strengths are comparable within it; a system alone in its part has none.
    """


@dataclass(frozen=True)
class PairRow:
    """The comparisons of a system with another; the win rate is that of `SystemRow`."""

    question: str
    system: Annotated[str, Heading(N_("System"))]
    opponent: Annotated[str, Heading(N_("Opponent"))]
    wins: Annotated[int, Heading(N_("Wins"))]
    ties: Annotated[int, Heading(N_("Ties"))]
    losses: Annotated[int, Heading(N_("Losses"))]
    win_rate: Annotated[float, Heading(N_("Win rate"), is_share=True, interval=("low", "high"))]
    low: float
    high: float


@dataclass(frozen=True)
class OrderRow:
    """The effect of the left side in the Bradley–Terry model, as a logarithm of odds; 0 is no effect."""

    question: str
    effect: Annotated[float, Heading(N_("Effect of the left side"), interval=("low", "high"))]
    low: float
    high: float


@dataclass(frozen=True)
class PositionRow:
    """How often the left side won; without a bias, and with each system on both sides equally often, half."""

    question: str
    left: Annotated[int, Heading(N_("Left"))]
    right: Annotated[int, Heading(N_("Right"))]
    left_share: Annotated[float, Heading(N_("Share of left"), is_share=True, interval=("low", "high"))]
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
    """The indexes of the questions that compare a left and a right side."""
    return [index for index, question in enumerate(table.questions) if question.is_comparison]


def comparisons_of(table: AnswerTable, question: int, fields: SystemFields) -> Comparisons:
    """The comparisons in the answers to a question.

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


def system_rows(
    question: str, comparisons: Comparisons, seed: int, *, has_order: bool = False
) -> tuple[list[SystemRow], list[OrderRow]]:
    """The results of all systems, the strongest first, and the order effect if the model has one."""
    results, none = _task_results(comparisons), _counts_of_none(comparisons)
    parts, of_strengths = _strengths(results, len(comparisons.systems), seed, has_order=has_order)
    rows = []
    for index, system in enumerate(comparisons.systems):
        of_system = results.of(index)
        won, tied, lost = of_system.totals()
        counts = won + tied + lost, won, tied, lost, int(none[index])
        strength = of_strengths.systems[index]
        rows.append(SystemRow(question, system, *counts, *_win_rate(of_system), *strength, parts[index]))
    rows.sort(key=lambda row: (row.part, -_finite(row.strength), -_finite(row.win_rate), row.system))
    return rows, [OrderRow(question, *of_strengths.order)] if has_order else []


def pair_rows(question: str, comparisons: Comparisons) -> Iterator[PairRow]:
    """Yield the comparisons of each system with each other one."""
    results = _task_results(comparisons)
    for first, system in enumerate(comparisons.systems):
        of_system = results.of(first)
        for second, opponent in enumerate(comparisons.systems):
            found = of_system.against(second)
            if len(found.tasks):
                yield PairRow(question, system, opponent, *found.totals(), *_win_rate(found))


def position_rows(table: AnswerTable, questions: Sequence[int]) -> list[PositionRow]:
    """The check for a bias of position of several questions."""
    return [position_row(table, question) for question in questions]


def position_row(table: AnswerTable, question: int) -> PositionRow:
    """Count how often each side won; needs no systems."""
    entries, options = table.entries_of(question), table.questions[question].options
    tasks = table.tasks.codes[table.entry_answers[entries]]
    left, right = (
        np.bincount(tasks[is_side[table.options[entries]]], minlength=len(table.tasks.values))
        for side in (Outcome.LEFT, Outcome.RIGHT)
        for is_side in [np.array([*(option.outcome is side for option in options), False])]
    )
    nobody, sides = np.zeros(len(left)), np.zeros(len(left))
    rate = _win_rate(_TaskResults(sides, sides, left, right, nobody, np.ones(len(left))))
    return PositionRow(table.questions[question].id, int(left.sum()), int(right.sum()), *rate)


def _systems(table: AnswerTable, fields: SystemFields) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """The left and right system of each task, as indexes of the sorted names."""
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


class _TaskResults(NamedTuple):
    """The different results of tasks: an array of each."""

    left: np.ndarray
    right: np.ndarray
    won: np.ndarray
    """How many answers prefer the left system."""
    lost: np.ndarray
    ties: np.ndarray
    tasks: np.ndarray
    """How many tasks have this result."""

    def of(self, system: int) -> "_TaskResults":
        """The results of a system, as if it were always on the left."""
        is_left, is_right = self.left == system, self.right == system
        mirrored = (self.right, self.left, self.lost, self.won, self.ties, self.tasks)
        columns = zip(self, mirrored, strict=True)
        return _TaskResults(*(np.concatenate([one[is_left], other[is_right]]) for one, other in columns))

    def totals(self) -> tuple[int, int, int]:
        """The numbers of wins, ties and losses of the left system."""
        won, tied, lost = (int(count @ self.tasks) for count in (self.won, self.ties, self.lost))
        return won, tied, lost

    def against(self, opponent: int) -> "_TaskResults":
        """The results against the right system."""
        return _TaskResults(*(column[self.right == opponent] for column in self))


def _task_results(comparisons: Comparisons) -> _TaskResults:
    """The different results of tasks, without those that found neither side good."""
    is_scored = ~np.isnan(comparisons.scores)
    left, right, scores = (
        column[is_scored] for column in (comparisons.left, comparisons.right, comparisons.scores)
    )
    _tasks, first, task_of = np.unique(comparisons.tasks[is_scored], return_index=True, return_inverse=True)
    counts = [np.bincount(task_of.reshape(-1), weights=scores == score) for score in (1, 0, 1 / 2)]
    results = np.stack([left[first], right[first], *counts], axis=1).astype(np.int64)
    examples, codes = different_rows(results, int(results.max(initial=0)) + 1)
    columns = *results[examples].T, np.bincount(codes, minlength=len(examples))
    return _TaskResults(*columns)


def _counts_of_none(comparisons: Comparisons) -> np.ndarray:
    """The number of answers without a good side, by system."""
    is_none, count = np.isnan(comparisons.scores), len(comparisons.systems)
    sides = comparisons.left[is_none], comparisons.right[is_none]
    return np.bincount(np.concatenate(sides), minlength=count)


_NOTHING = (float("nan"),) * 3


class _Strengths(NamedTuple):
    """The strengths and the order effect, each with the ends of its interval."""

    systems: list[tuple[float, float, float]]
    order: tuple[float, float, float]


def _strengths(
    results: _TaskResults, count: int, seed: int, *, has_order: bool
) -> tuple[list[int], _Strengths]:
    """The number of the part of each system, and the strengths in all parts; the part with most wins is 1.

    An order effect is only estimated if all systems are in one part.
    """
    wins = np.zeros((count, count))
    np.add.at(wins, (results.left, results.right), (results.won + results.ties / 2) * results.tasks)
    np.add.at(wins, (results.right, results.left), (results.lost + results.ties / 2) * results.tasks)
    parts = connected_parts(wins)
    parts.sort(key=lambda part: -float(wins[part].sum() / max(1.0, wins[part].sum() + wins[:, part].sum())))
    numbers, found = [0] * count, _Strengths([_NOTHING] * count, _NOTHING)
    for number, part in enumerate(parts, start=1):
        place = np.full(count, -1)
        place[part] = np.arange(len(part))
        is_inside = (place[results.left] >= 0) & (place[results.right] >= 0)
        inside = _TaskResults(*(column[is_inside] for column in results))
        inside = inside._replace(left=place[inside.left], right=place[inside.right])
        of_part = _strengths_of_part(inside, len(part), seed, has_order=has_order and len(parts) == 1)
        for system, strength in zip(part.tolist(), of_part.systems, strict=True):
            numbers[system], found.systems[system] = number, strength
        found = found._replace(order=of_part.order)
    return numbers, found


def _strengths_of_part(results: _TaskResults, count: int, seed: int, *, has_order: bool) -> _Strengths:
    """The strengths of systems of which each has won against each other, with a bootstrap over tasks.

    A tie is half a win for both.
    """
    if count < 2 or not len(results.tasks):
        return _Strengths([_NOTHING] * count, _NOTHING)
    won, lost = results.won + results.ties / 2, results.lost + results.ties / 2
    pairs = results.left * count + results.right

    def fitted(rows: np.ndarray) -> np.ndarray:
        """The strengths, and last the order effect if the model has one."""
        cells = (
            np.stack([np.bincount(pairs, weights=side * row, minlength=count * count) for row in rows])
            for side in (won, lost)
        )
        wins, losses = (cell.reshape(len(rows), count, count) for cell in cells)
        if has_order:
            of_systems, order = strengths_with_order(wins, losses)
            return np.concatenate([of_systems, order[:, None]], axis=1)
        return strengths(wins + losses.transpose(0, 2, 1))

    values = fitted(results.tasks[None, :].astype(np.float64))[0]
    samples = RESAMPLES if len(results.tasks) <= _MANY else _FEWER_RESAMPLES
    block = max(1, _BLOCK_CELLS // (count * count))
    fits = np.concatenate(
        [
            fitted(rows[start : start + block])
            for rows in samples_of(results.tasks, samples, seed)
            for start in range(0, len(rows), block)
        ]
    )
    tasks = int(results.tasks.sum())
    found = [
        (value, *standard_error_interval(value, column, tasks))
        for value, column in zip(values.tolist(), fits.T, strict=True)
    ]
    return _Strengths(found[:count], found[count] if has_order else _NOTHING)


def part_sentences(rows: Sequence[SystemRow], pairs: Sequence[PairRow]) -> list[str]:
    """Why the systems of one question are in several parts; empty if they are in one."""
    parts: dict[int, list[str]] = {}
    for row in rows:
        parts.setdefault(row.part, []).append(row.system)
    if len(parts) < 2:
        return []
    part_of = {row.system: row.part for row in rows}
    outside = [row for row in pairs if part_of[row.system] != part_of[row.opponent]]
    sentences = []
    for number, systems in parts.items():
        here = [row for row in outside if part_of[row.system] == number]
        names = ", ".join(f"“{system}”" for system in systems)
        if not here:
            sentences.append(_("Not compared with other systems: {names}.").format(names=names))
        elif not any(row.losses for row in here):
            sentences.append(_("Has never lost to others: {names}.").format(names=names))
        elif not any(row.wins for row in here):
            sentences.append(_("Has never won against others: {names}.").format(names=names))
    why = _("Strengths are comparable only among systems that have won against each other (see Part).")
    return [*sentences, why]


def _win_rate(results: _TaskResults) -> tuple[float, float, float]:
    """The share of wins and half the ties of the left system, with its interval.

    Ties make the scores of answers vary less than wins and losses of the same rate would, as if there were
    more answers.
    """
    sizes, scores = results.won + results.ties + results.lost, results.won + results.ties / 2
    count, records = int(sizes @ results.tasks), int((sizes > 0) @ results.tasks)
    score = float(scores @ results.tasks)
    rate = score / count if count else float("nan")
    squares = float((results.won + results.ties / 4) @ results.tasks)
    spread, between = squares - score * rate, float((scores - rate * sizes) ** 2 @ results.tasks)
    effective = effective_size_for_ranks(count, records, spread, between)
    if spread > 0:
        effective *= score * (1 - rate) / spread
    return rate, *wilson(score, count, effective)


def _finite(value: float) -> float:
    return value if np.isfinite(value) else -np.inf
