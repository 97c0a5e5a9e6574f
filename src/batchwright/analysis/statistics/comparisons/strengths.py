"""Strengths of compared systems, and their differences, with intervals from the same estimate."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from batchwright.analysis.statistics.comparisons.bradley_terry import (
    Games,
    connected_parts,
    fit,
    wins_of,
)
from batchwright.analysis.statistics.comparisons.estimates import (
    NOTHING,
    Answered,
    ModelEstimate,
    Value,
    cluster_covariances,
)
from batchwright.analysis.statistics.intervals import LEVEL, t_probability
from batchwright.analysis.store.headings import Heading
from batchwright.analysis.store.sampling import Clusters
from batchwright.analysis.store.text_columns import number_of_different
from batchwright.base.i18n import N_, _
from batchwright.base.local_formats import count_text


@dataclass(frozen=True)
class StrengthModel:
    """How strengths are estimated."""

    has_order: bool = False
    """Whether there is an effect of the left side."""
    is_regularised: bool = False
    """Whether each system also has half a win and half a loss against one imagined system."""


@dataclass(frozen=True)
class DifferenceRow:
    """The difference of the strengths of two systems, the stronger one first, as a logarithm of odds."""

    question: str
    system: Annotated[str, Heading(N_("System"))]
    opponent: Annotated[str, Heading(N_("Opponent"))]
    difference: Annotated[float, Heading(N_("Difference of strengths"), interval=("low", "high"))]
    low: float
    high: float
    adjusted_p: Annotated[float, Heading(N_("p, adjusted"))]
    """The probability of such a difference between equal systems, adjusted for all pairs of the question."""
    differs: Annotated[str, Heading(N_("Differ"), words=_)]
    """`yes` if the adjusted probability is below 5 %."""


@dataclass(frozen=True, eq=False)
class ComparedGames:
    """The comparisons that strengths are estimated from, and what makes them alike."""

    games: Games
    records: np.ndarray
    participants: np.ndarray
    clusters: Clusters

    def inside(self, part: np.ndarray, count: int) -> "ComparedGames":
        """The comparisons of systems of a part with each other, numbered in the part."""
        place = np.full(count, -1)
        place[part] = np.arange(len(part))
        left, right = place[self.games.left], place[self.games.right]
        rows = (left >= 0) & (right >= 0)
        games = Games(left[rows], right[rows], self.games.scores[rows], self.games.weights[rows])
        return ComparedGames(games, self.records[rows], self.participants[rows], self.clusters)


@dataclass(frozen=True, eq=False)
class Strengths:
    """The strengths of all systems, by index."""

    systems: Sequence[Value]
    parts: Sequence[int]
    """The number of the part of each system; strengths are comparable within it."""
    order: Value
    differences: Sequence[tuple[int, int, Value, float]]
    """Of each pair in the same part: the stronger and the weaker system, the difference, the adjusted p."""


def strengths(compared: ComparedGames, count: int, model: StrengthModel) -> Strengths:
    """The strengths of `count` systems; those in the part with most wins come in part 1.

    Regularised strengths of all systems are comparable. An order effect is only estimated if all are.
    """
    won, lost = wins_of(compared.games, count)
    wins = won + lost.T
    parts = [np.arange(count)] if model.is_regularised else connected_parts(wins)
    parts.sort(key=lambda part: -float(wins[part].sum() / max(1.0, wins[part].sum() + wins[:, part].sum())))
    systems, numbers, order = [NOTHING] * count, [0] * count, NOTHING
    differences: list[tuple[int, int, Value, float]] = []
    for number, part in enumerate(parts, start=1):
        has_order = model.has_order and len(parts) == 1
        inside = compared.inside(part, count)
        estimate = _estimate(inside, len(part), has_order=has_order, is_regularised=model.is_regularised)
        for place, system in enumerate(part.tolist()):
            numbers[system] = number
            systems[system] = estimate.value((place, 1)) if estimate else NOTHING
        if estimate is not None:
            order = estimate.value((len(part), 1)) if has_order else NOTHING
            differences += _differences(estimate, part.tolist())
    return Strengths(systems, numbers, order, _adjusted(differences))


def _estimate(
    compared: ComparedGames, count: int, *, has_order: bool, is_regularised: bool
) -> ModelEstimate | None:
    """Fit the model.

    The factor for values that can be chosen freely is that of statsmodels and of Stata's linear models, with
    records in place of comparisons: further answers about the same records tell nothing about others.
    """
    if count < 2 or not len(compared.records):
        return None
    games = compared.games
    found = fit(games, count, has_order=has_order, is_regularised=is_regularised)
    if found is None:
        return None
    records = number_of_different(compared.records)
    free = (records - 1) / max(1, records - found.parameters)
    answered = Answered(compared.records, compared.participants, games.weights, compared.clusters)
    matrices, degrees = cluster_covariances(lambda codes: free * found.covariance(games, codes), answered)
    further = [found.inverse] if is_regularised else []
    return ModelEstimate(found.values, [*matrices, *further], degrees)


def _differences(estimate: ModelEstimate, part: Sequence[int]) -> Iterator[tuple[int, int, Value, float]]:
    """Yield each pair with its difference and the p value of equal strengths."""
    ranks = sorted(range(len(part)), key=lambda place: -float(estimate.values[place]))
    for first, stronger in enumerate(ranks):
        for weaker in ranks[first + 1 :]:
            contrast = (stronger, 1.0), (weaker, -1.0)
            value, error = estimate.value(*contrast), estimate.error(*contrast)
            p = 2 * (1 - t_probability(value[0] / error, estimate.degrees)) if error else math.nan
            yield part[stronger], part[weaker], value, p


def _adjusted(
    differences: Sequence[tuple[int, int, Value, float]],
) -> list[tuple[int, int, Value, float]]:
    """The differences with p values that are adjusted for all of them.

    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of
    Statistics, 6, 65–70.
    """
    adjusted = holm([p for _stronger, _weaker, _value, p in differences])
    return [
        (stronger, weaker, value, p)
        for (stronger, weaker, value, _p), p in zip(differences, adjusted, strict=True)
    ]


def holm(values: Sequence[float]) -> list[float]:
    """P values adjusted for all of them with Holm's method; NaN is none."""
    tested = sorted((p, place) for place, p in enumerate(values) if not math.isnan(p))
    adjusted, least = [math.nan] * len(values), 0.0
    for rank, (p, place) in enumerate(tested):
        least = max(least, min(1.0, p * (len(tested) - rank)))
        adjusted[place] = least
    return adjusted


def difference_rows(question: str, systems: Sequence[str], found: Strengths) -> list[DifferenceRow]:
    """The differences of all pairs of systems whose strengths are comparable."""
    return [
        DifferenceRow(question, systems[stronger], systems[weaker], *value, p, "yes" if p < 1 - LEVEL else "")
        for stronger, weaker, value, p in found.differences
    ]


def multiplicity_sentence(rows: Sequence[DifferenceRow]) -> str:
    """What it means that several differences in one question are tested; empty if there is one at most."""
    tested = sum(not math.isnan(row.adjusted_p) for row in rows)
    if tested < 2:
        return ""
    differing = sum(bool(row.differs) for row in rows)
    text = _(
        "Pairs of systems that differ: {differing} of {count}. p is adjusted for all of them, so that equal "
        "systems are said to differ in at most 5 % of such studies; the intervals are those of single pairs."
    )
    return text.format(differing=count_text(differing), count=count_text(tested))
