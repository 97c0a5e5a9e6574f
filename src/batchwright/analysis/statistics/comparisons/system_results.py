"""Comparisons of two systems side by side: results per system, whichever side it was on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

import numpy as np

from batchwright.analysis.statistics.clusters import cells_in_groups, spread
from batchwright.analysis.statistics.comparisons.bradley_terry import Games
from batchwright.analysis.statistics.comparisons.strengths import (
    ComparedGames,
    DifferenceRow,
    StrengthModel,
    difference_rows,
    strengths,
)
from batchwright.analysis.statistics.intervals import effective_size_for_ranks, wilson
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.headings import Heading
from batchwright.analysis.store.questions import Outcome
from batchwright.analysis.store.sampling import Sampling, scaled_weights
from batchwright.analysis.store.text_columns import UnusableField, sorted_codes
from batchwright.base.i18n import N_, _, ngettext
from batchwright.base.local_formats import count_text, joined, quoted

MAX_SYSTEMS = 200
_MAX_PARTS = 8
"""Maximum number of parts of a design that are named in a sentence each."""


MAXIMUM_LIKELIHOOD, REGULARISED = N_("maximum likelihood"), N_("regularised")


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

    Strengths are comparable within it; a system alone in its part has none. Regularised ones all are.
    """
    estimate: Annotated[str, Heading(N_("Estimate"), words=_)] = MAXIMUM_LIKELIHOOD
    """How the strength was estimated."""

    @property
    def is_regularised(self) -> bool:
        """Whether the strength is a regularised one."""
        return self.estimate == REGULARISED


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
    participants: np.ndarray
    sampling: Sampling

    @property
    def scored(self) -> "Comparisons":
        """Those that did not find neither side good."""
        return self.where(~np.isnan(self.scores))

    def where(self, rows: np.ndarray) -> "Comparisons":
        """Some of the comparisons: a boolean for each."""
        return replace(
            self,
            tasks=self.tasks[rows],
            left=self.left[rows],
            right=self.right[rows],
            scores=self.scores[rows],
            participants=self.participants[rows],
        )


@dataclass(frozen=True)
class SystemResults:
    """The results of the systems in one question."""

    systems: list[SystemRow]
    """The strongest first."""
    differences: list[DifferenceRow]
    orders: list[OrderRow]
    """The effect of the left side, if the model has one."""


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
    answers = table.entry_answers[entries]
    tasks = table.tasks.codes[answers]
    sides = left[tasks], right[tasks]
    found = Comparisons(systems, tasks, *sides, scores, table.participants.codes[answers], table.sampling)
    return found.where((scores != -1) & (sides[0] >= 0) & (sides[1] >= 0) & (sides[0] != sides[1]))


_SCORES: dict[Outcome | None, float] = {
    Outcome.LEFT: 1.0,
    Outcome.RIGHT: 0.0,
    Outcome.TIE: 0.5,
    Outcome.NONE: np.nan,
}


def system_results(question: str, comparisons: Comparisons, model: StrengthModel) -> SystemResults:
    """The results of all systems, their differences, and the order effect if the model has one."""
    scored, names = comparisons.scored, comparisons.systems
    weights = scored.sampling.weights_of(scored.tasks)
    weighted = scored.where(weights > 0)
    games = Games(weighted.left, weighted.right, weighted.scores, weights[weights > 0])
    compared = ComparedGames(games, weighted.tasks, weighted.participants, weighted.sampling.clusters)
    found = strengths(compared, len(names), model)
    sides = _both_sides(scored)
    rates, none = _win_rates(sides, sides.systems, len(names)), _counts_of_none(comparisons)
    estimate = REGULARISED if model.is_regularised else MAXIMUM_LIKELIHOOD
    rows = []
    for index, system in enumerate(names):
        counts = rates.comparisons(index), *rates.outcomes(index), int(none[index])
        strength, part = found.systems[index], found.parts[index]
        rows.append(SystemRow(question, system, *counts, *rates.rate(index), *strength, part, estimate))
    rows.sort(key=lambda row: (row.part, -_finite(row.strength), -_finite(row.win_rate), row.system))
    orders = [OrderRow(question, *found.order)] if model.has_order else []
    return SystemResults(rows, difference_rows(question, names, found), orders)


def pair_rows(question: str, comparisons: Comparisons) -> Iterator[PairRow]:
    """Yield the comparisons of each system with each other one."""
    sides, count = _both_sides(comparisons.scored), len(comparisons.systems)
    pairs, pair_of = np.unique(sides.systems.astype(np.int64) * count + sides.opponents, return_inverse=True)
    rates = _win_rates(sides, pair_of.reshape(-1), len(pairs))
    for index, pair in enumerate(pairs.tolist()):
        system, opponent = (comparisons.systems[code] for code in divmod(pair, count))
        yield PairRow(question, system, opponent, *rates.outcomes(index), *rates.rate(index))


def scores_of(comparisons: Comparisons, system: int) -> tuple[np.ndarray, np.ndarray]:
    """The scores of a system in its comparisons with an outcome, and the record of each."""
    sides = _both_sides(comparisons.scored)
    rows = sides.systems == system
    return sides.scores[rows], sides.tasks[rows]


def position_rows(table: AnswerTable, questions: Sequence[int]) -> list[PositionRow]:
    """The check for a bias of position of several questions."""
    return [position_row(table, question) for question in questions]


def position_row(table: AnswerTable, question: int) -> PositionRow:
    """Count how often each side won; needs no systems."""
    entries, options = table.entries_of(question), table.questions[question].options
    is_side = np.array([*(option.outcome in (Outcome.LEFT, Outcome.RIGHT) for option in options), False])
    is_left = np.array([*(option.outcome is Outcome.LEFT for option in options), False])
    entries = entries[is_side[table.options[entries]]]
    answers = table.entry_answers[entries]
    scores = is_left[table.options[entries]].astype(np.float64)
    nobody = np.zeros(len(answers), dtype=np.int64)
    sides = _Sides(
        nobody, nobody, scores, table.tasks.codes[answers], table.participants.codes[answers], table.sampling
    )
    rates = _win_rates(sides, nobody, 1)
    left, _ties, right = rates.outcomes(0)
    return PositionRow(table.questions[question].id, left, right, *rates.rate(0))


def _systems(table: AnswerTable, fields: SystemFields) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """The left and right system of each task, as indexes of the sorted names."""
    columns = [table.fields[name] for name in (fields.left, fields.right) if name in table.fields]
    if len(columns) < (2 if fields.right else 1):
        raise UnusableField(fields.right if fields.left in table.fields else fields.left)
    systems = tuple(
        sorted({column.values[code] for column in columns for code in sorted_codes(column.values)})
    )
    if len(systems) < 2 or len(systems) > (MAX_SYSTEMS if fields.right else 2):
        raise UnusableField(fields.left, _wrong_number(fields, len(systems)))
    index = {system: number for number, system in enumerate(systems)}
    sides = [
        np.array([index[value] for value in column.values] + [-1], dtype=np.int64)[column.codes]
        for column in columns
    ]
    other = np.where(sides[0] >= 0, 1 - sides[0], -1)
    return sides[0], sides[1] if fields.right else other, systems


def _wrong_number(fields: SystemFields, count: int) -> str:
    """Why fields that name so many systems cannot be used."""
    names = quoted(fields.left)
    if fields.right:
        names = _("{before} and {last}").format(before=names, last=quoted(fields.right))
    if fields.right and count > MAX_SYSTEMS:
        text = _("The fields {fields} name {count} systems; at most {most} can be compared.")
        return text.format(fields=names, count=count_text(count), most=count_text(MAX_SYSTEMS))
    if count > 1:
        text = _(
            "The field {fields} names {count} systems. With more than two, a second field must name the "
            "system on the right."
        )
        return text.format(fields=names, count=count_text(count))
    text = ngettext(
        "Only {count} system is named by {fields}; two are needed.",
        "Only {count} systems are named by {fields}; two are needed.",
        count,
    )
    return text.format(fields=names, count=count_text(count))


class _Sides(NamedTuple):
    """Comparisons as seen by a system: an array of each."""

    systems: np.ndarray
    opponents: np.ndarray
    scores: np.ndarray
    """1 if the system won, 0 if it lost, 0.5 for a tie."""
    tasks: np.ndarray
    participants: np.ndarray
    sampling: Sampling


def _both_sides(scored: Comparisons) -> _Sides:
    """Each comparison as seen by the left system, and by the right one."""
    return _Sides(
        np.concatenate([scored.left, scored.right]),
        np.concatenate([scored.right, scored.left]),
        np.concatenate([scored.scores, 1 - scored.scores]),
        np.tile(scored.tasks, 2),
        np.tile(scored.participants, 2),
        scored.sampling,
    )


class _WinRates(NamedTuple):
    """The win rates of groups of comparisons: an array of each."""

    won: np.ndarray
    tied: np.ndarray
    lost: np.ndarray
    sizes: np.ndarray
    """The numbers of comparisons with a weight."""
    rates: np.ndarray
    """The shares of wins and half the ties, weighted."""
    totals: np.ndarray
    """The sums of the squared differences of scores from their rate, weighted."""
    clusters: np.ndarray
    between: np.ndarray

    def outcomes(self, group: int) -> tuple[int, int, int]:
        """The numbers of wins, ties and losses of a group."""
        return int(self.won[group]), int(self.tied[group]), int(self.lost[group])

    def comparisons(self, group: int) -> int:
        """The number of comparisons of a group."""
        return sum(self.outcomes(group))

    def rate(self, group: int) -> tuple[float, float, float]:
        """The win rate of a group, with its interval.

        Ties make the scores of answers vary less than wins and losses of the same rate would, as if there
        were more answers.
        """
        count, rate, total = int(self.sizes[group]), float(self.rates[group]), float(self.totals[group])
        clusters, between = float(self.clusters[group]), float(self.between[group])
        effective = effective_size_for_ranks(count, clusters, total, between)
        if total > 0:
            effective *= count * rate * (1 - rate) / total
        return rate, *wilson(rate * count, count, effective)


def _win_rates(sides: _Sides, groups: np.ndarray, count: int) -> _WinRates:
    """The win rates of `count` groups of comparisons, given the group of each."""
    won, tied, lost = (
        np.bincount(groups, weights=sides.scores == score, minlength=count) for score in (1, 1 / 2, 0)
    )
    weights, sizes = scaled_weights(sides.sampling.weights_of(sides.tasks), groups, count)
    scores = np.bincount(groups, weights=weights * sides.scores, minlength=count)
    rates = np.divide(scores, sizes, out=np.full(count, np.nan), where=sizes > 0)
    rests = sides.scores - rates[groups]
    totals = np.bincount(groups, weights=weights * rests**2, minlength=count)
    found = spread(
        sides.sampling.clusters,
        sides.tasks,
        sides.participants,
        count,
        lambda codes: cells_in_groups(codes, groups, count, weights, weights * rests),
    )
    return _WinRates(won, tied, lost, sizes, rates, totals, found.clusters, found.between)


def _counts_of_none(comparisons: Comparisons) -> np.ndarray:
    """The number of answers without a good side, by system."""
    is_none, count = np.isnan(comparisons.scores), len(comparisons.systems)
    sides = comparisons.left[is_none], comparisons.right[is_none]
    return np.bincount(np.concatenate(sides), minlength=count)


def part_sentences(rows: Sequence[SystemRow], pairs: Sequence[PairRow]) -> list[str]:
    """Why the systems of one question are in several parts; empty if they are in one."""
    parts: dict[int, list[str]] = {}
    for row in rows:
        parts.setdefault(row.part, []).append(row.system)
    if len(parts) < 2:
        return []
    part_of = {row.system: row.part for row in rows}
    results: dict[int, tuple[int, int]] = {}
    for pair in pairs:
        number = part_of[pair.system]
        if number != part_of[pair.opponent]:
            wins, losses = results.get(number, (0, 0))
            results[number] = wins + pair.wins, losses + pair.losses
    sentences = []
    for number, systems in list(parts.items())[:_MAX_PARTS]:
        names = joined(quoted(system) for system in systems)
        if number not in results:
            sentences.append(_("Not compared with other systems: {names}.").format(names=names))
            continue
        wins, losses = results[number]
        if not losses:
            sentences.append(_("Has never lost to others: {names}.").format(names=names))
        elif not wins:
            sentences.append(_("Has never won against others: {names}.").format(names=names))
    if len(parts) > _MAX_PARTS:
        text = _("Further parts: {count}.")
        sentences.append(text.format(count=count_text(len(parts) - _MAX_PARTS)))
    why = _("Strengths are comparable only among systems that have won against each other (see Part).")
    return [*sentences, why]


def _finite(value: float) -> float:
    return value if np.isfinite(value) else -np.inf
