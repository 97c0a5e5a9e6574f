"""The precision of studies for which there is no formula: simulated, and analysed like real answers."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from batchwright.analysis.statistics.agreement.agreement_results import coefficient_estimates
from batchwright.analysis.statistics.agreement.distances import Metric
from batchwright.analysis.statistics.agreement.ratings import Ratings
from batchwright.analysis.statistics.comparisons.bradley_terry import Games
from batchwright.analysis.statistics.comparisons.strengths import (
    ComparedGames,
    StrengthModel,
    strengths,
)
from batchwright.analysis.statistics.intervals import LEVEL
from batchwright.analysis.statistics.planning.assumptions import Assumptions, Precision, StudyMeasure, Target
from batchwright.analysis.store.sampling import Clusters

_FEWEST_RUNS = 30
"""Number of studies after which it may be clear whether a target is met."""
_CLEAR = 3.0
"""Number of standard errors from a target from which it is clear."""
_ROUNDED_TO = 0.05
"""To what part of their standard deviation simulated numbers are rounded."""
_NODES, _HALVINGS = 40, 50
"""Of the quadrature of mean distances, and of the search for a variance: far more precise than a plan."""
USUAL_RUNS = 200
"""Number of studies that are simulated: the error of a power of 80 % is 3 points then."""


@dataclass(frozen=True)
class Simulation:
    """How studies are simulated."""

    seed: int = 0
    runs: int = USUAL_RUNS
    """The number of studies for each number of records."""
    step: Callable[[float], object] = lambda _fraction: None
    """Called with the fraction done; raises to end the work."""


def simulated_precision(assumptions: Assumptions, records: int, answers: int, how: Simulation) -> Precision:
    """The precision of a study of agreement, or of the order of systems.

    The records of a study are the first ones of each larger study with the same seed, so that differences of
    sizes are not those of random numbers.
    """
    *_earlier, (precision, _error) = _precisions(assumptions, records, answers, how)
    return precision


def meets_target(
    assumptions: Assumptions, records: int, answers: int, target: Target, how: Simulation
) -> bool:
    """Whether a study meets a target; no further studies are simulated once that is clear."""
    is_met = False
    for number, (precision, error) in enumerate(_precisions(assumptions, records, answers, how), start=1):
        is_met = target.is_met(precision)
        least, most = (
            Precision(precision.half_width - sign * error.half_width, precision.power + sign * error.power)
            for sign in (-_CLEAR, _CLEAR)
        )
        if number >= _FEWEST_RUNS and target.is_met(least) == target.is_met(most):
            break
    return is_met


def _precisions(
    assumptions: Assumptions, records: int, answers: int, how: Simulation
) -> Iterator[tuple[Precision, Precision]]:
    """Yield the precision of the first studies, with its standard error, after each of them."""
    simulate = _agreement if assumptions.measure is StudyMeasure.AGREEMENT else _order
    has_power = assumptions.measure is StudyMeasure.ORDER or assumptions.reference is not None
    count, total, squares, found = 0, 0.0, 0.0, 0
    for run in range(1, how.runs + 1):
        how.step((run - 1) / how.runs)
        half, is_found = simulate(assumptions, records, answers, np.random.default_rng([how.seed, run]))
        if math.isfinite(half):
            count, total, squares = count + 1, total + half, squares + half**2
        found += is_found
        half_width, error, share = math.inf, 0.0, found / run
        if 2 * count > run:
            half_width = total / count
            error = math.sqrt(max(0.0, squares / count - half_width**2) / count)
        power_error = math.sqrt((share * (1 - share) + 1 / run) / run)
        power = share if has_power else math.nan
        yield Precision(half_width, power), Precision(error, power_error)


def _agreement(
    assumptions: Assumptions, records: int, answers: int, random: np.random.Generator
) -> tuple[float, bool]:
    """The half width of alpha, and whether its interval excludes the reference."""
    if assumptions.has_options:
        values, count = _drawn_options(assumptions, records, answers, random), assumptions.options
        is_scale = assumptions.metric is Metric.ORDINAL
        domain = tuple(float(value) if is_scale else str(value) for value in range(count))
    else:
        numbers = _drawn_numbers(assumptions, records, answers, random)
        different, values = np.unique(numbers, return_inverse=True)
        domain = tuple(different.tolist())
    units, raters = np.divmod(np.arange(records * answers), answers)
    ratings = Ratings(units, raters, values.reshape(-1), domain, np.arange(records))
    ((_name, _metric, found),) = coefficient_estimates(ratings, [assumptions.metric], [])
    low, high = found.interval
    reference = assumptions.reference
    return (high - low) / 2, reference is not None and not low <= reference <= high


def _drawn_options(
    assumptions: Assumptions, records: int, answers: int, random: np.random.Generator
) -> np.ndarray:
    """The option of each answer, record by record.

    It is the true one of its record with a probability whose square is alpha, and else drawn with the
    frequencies of the options; so alpha is the expected one with every metric.
    """
    count = assumptions.options
    largest = assumptions.largest_share or 1 / count
    frequencies = np.array([largest, *[(1 - largest) / (count - 1)] * (count - 1)])
    size = records, answers + 1
    of_values, of_knowledge = random.spawn(2)
    drawn, chances = of_values.choice(count, size, p=frequencies), of_knowledge.random((records, answers))
    return np.where(chances < math.sqrt(assumptions.expected), drawn[:, :1], drawn[:, 1:]).reshape(-1)


def _drawn_numbers(
    assumptions: Assumptions, records: int, answers: int, random: np.random.Generator
) -> np.ndarray:
    """The number of each answer, record by record, rounded as people do.

    Numbers that are compared by their differences are normally distributed: alpha is their intraclass
    correlation. Of those that are compared by their ratios, the logarithms are.
    """
    is_ratio = assumptions.metric is Metric.RATIO
    spread = math.sqrt(math.log1p(assumptions.relative_deviation**2)) if is_ratio else 1.0
    alike = likeness_of_logarithms(assumptions.expected, spread) if is_ratio else assumptions.expected
    of_records, of_answers = random.spawn(2)
    drawn = math.sqrt(alike) * of_records.normal(size=(records, 1))
    drawn = drawn + math.sqrt(1 - alike) * of_answers.normal(size=(records, answers))
    rounded = spread * _ROUNDED_TO * np.round(drawn / _ROUNDED_TO).reshape(-1)
    return np.exp(rounded) if is_ratio else rounded


@cache
def likeness_of_logarithms(alpha: float, spread: float) -> float:
    """The intraclass correlation of the logarithms of numbers whose alpha by ratios is given.

    The distance of two numbers is the squared hyperbolic tangent of half the difference of their logarithms.

    Args:
        alpha: from 0 to 1.
        spread: the standard deviation of the logarithms, which are normally distributed.
    """
    nodes, weights = np.polynomial.hermite_e.hermegauss(_NODES)

    def mean_distance(variance: float) -> float:
        """The mean distance of two numbers, given the variance of the differences of logarithms."""
        distances = np.tanh(math.sqrt(variance) * nodes / 2) ** 2
        return float((weights * distances).sum() / weights.sum())

    low, high = 0.0, 2 * spread**2
    wanted = (1 - alpha) * mean_distance(high)
    for _halving in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if mean_distance(middle) < wanted else (low, middle)
    return 1 - low / (2 * spread**2)


def _order(
    assumptions: Assumptions, records: int, answers: int, random: np.random.Generator
) -> tuple[float, bool]:
    """The mean half width of the differences of neighbouring systems, and whether all are found.

    Pairs of systems are equally often compared, with sides in turn, as *Prepare* does. The chance of winning
    differs between records as a beta distribution whose intraclass correlation is the expected one.
    """
    count = assumptions.systems
    one, other = np.triu_indices(count, 1)
    rounds, pair = np.divmod(np.arange(records), len(one))
    is_turned = rounds % 2 == 1
    left, right = np.where(is_turned, other[pair], one[pair]), np.where(is_turned, one[pair], other[pair])
    values = np.array(assumptions.strengths)
    rates = 1 / (1 + np.exp(values[right] - values[left]))
    chances = np.clip((rates - assumptions.ties / 2) / (1 - assumptions.ties), 0, 1)
    of_chances, of_answers = random.spawn(2)
    of_records = correlated_chances(chances, assumptions.correlation if answers > 1 else 0.0, of_chances)
    drawn = of_answers.random((records, answers, 2))
    scores = np.where(
        drawn[:, :, 0] < assumptions.ties, 1 / 2, (drawn[:, :, 1] < of_records[:, None]).astype(np.float64)
    ).reshape(-1)
    rows, participants = np.divmod(np.arange(records * answers), answers)
    games = Games(left[rows], right[rows], scores, np.ones(len(scores)))
    found = strengths(ComparedGames(games, rows, participants, Clusters.RECORDS), count, StrengthModel())
    neighbours = [
        (stronger < weaker and p < 1 - LEVEL, (high - low) / 2)
        for stronger, weaker, (_value, low, high), p in found.differences
        if abs(stronger - weaker) == 1
    ]
    if len(neighbours) < count - 1:
        return math.nan, False
    return float(np.mean([half for _is_found, half in neighbours])), all(found for found, _half in neighbours)


def correlated_chances(chances: np.ndarray, correlation: float, random: np.random.Generator) -> np.ndarray:
    """A chance for each record, so that answers have an intraclass correlation; the means are given."""
    if correlation <= 0:
        return chances
    if correlation >= 1:
        return (random.random(len(chances)) < chances).astype(np.float64)
    size = 1 / correlation - 1
    is_open = (chances > 0) & (chances < 1)
    safe = np.where(is_open, chances, 1 / 2)
    return np.where(is_open, random.beta(safe * size, (1 - safe) * size), chances)
