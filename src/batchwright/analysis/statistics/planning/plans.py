"""How many records and answers a study needs for a precision, and how precise a budget makes it."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from statistics import NormalDist

from batchwright.analysis.statistics.intervals import Z, level_quantile
from batchwright.analysis.statistics.planning.assumptions import (
    USUAL_POWER,
    Assumptions,
    Precision,
    StudyMeasure,
    Target,
    UnusableAssumption,
)
from batchwright.analysis.statistics.planning.interval_widths import (
    Amount,
    effective_answers,
    error_of,
    interval_width,
)
from batchwright.analysis.statistics.planning.simulated_studies import (
    Simulation,
    meets_target,
    simulated_precision,
)
from batchwright.base.i18n import _
from batchwright.layout.working_time import WorkingTime

_ANSWERS = (1, 2, 3, 5, 10)
MOST_RECORDS = 10**7
"""The largest number of records that is planned by a formula."""
MOST_SIMULATED = 100_000
"""The largest number of answers in a simulated study."""
_CLOSE_ENOUGH = 1.02
"""Ratio of two numbers of records between which no further study is simulated."""
_LONGER = 1.05
"""By what the number of records is multiplied if all simulated studies show that it is not enough."""
_SHOWN_STEP = 0.01
"""The smallest step of the fraction that is reported."""
_MOST_SIZES = 20
"""About how many sizes of studies are simulated to find one."""


@dataclass(frozen=True)
class PlanRow:
    """A study with so many answers about each record: its size, and how precise it is expected to be."""

    answers_per_record: int
    records: int
    """0 if no number of records that can be planned is enough."""
    answers: int
    participants: int
    half_width: float
    """Of the 95 % interval."""
    power: float

    @property
    def precision(self) -> Precision:
        """How precise it is expected to be."""
        return Precision(self.half_width, self.power)

    @property
    def is_possible(self) -> bool:
        """Whether there is such a study."""
        return self.records > 0

    def seconds(self, time: WorkingTime) -> float:
        """How long all participants work together."""
        return time.together(self.participants, self.answers)


class Aim(StrEnum):
    """What a plan starts from."""

    PRECISION = "precision"
    """How exact the result is to be."""
    POWER = "power"
    """How often a difference, or the order of systems, is to be found."""
    BUDGET = "budget"
    """A number of answers."""


@dataclass(frozen=True)
class PlanRequest:
    """What a plan is computed from; of the last values, the one that the aim needs counts."""

    assumptions: Assumptions
    aim: Aim
    half_width: float
    power: float = USUAL_POWER
    budget: int = 1000
    seed: int = 0
    """Of simulated studies."""

    @classmethod
    def of(cls, measure: StudyMeasure) -> "PlanRequest":
        """The usual one for a measure."""
        assumptions = Assumptions.of(measure)
        aim = Aim.POWER if measure is StudyMeasure.ORDER else Aim.PRECISION
        return cls(assumptions, aim, assumptions.usual_half_width)

    @property
    def target(self) -> Target:
        """What is wanted; nothing, for a budget."""
        match self.aim:
            case Aim.PRECISION:
                return Target(half_width=self.half_width)
            case Aim.POWER:
                return Target(power=self.power)
            case _budget:
                return Target()

    def checked(self) -> "PlanRequest":
        """The request, if there can be a plan.

        Raises:
            UnusableAssumption: the assumptions exclude each other.
        """
        _check(self.assumptions, self.target)
        return self

    def rows(self, step: Callable[[float], object] = lambda _fraction: None) -> list[PlanRow]:
        """The plan, a row for each usual number of answers about a record.

        Args:
            step: called with the fraction done; raises to end the work.

        Raises:
            UnusableAssumption: the assumptions exclude each other.
        """
        answers, how = usual_answers(self.assumptions.measure), Simulation(self.seed, step=step)
        if self.aim is Aim.BUDGET:
            return list(afforded(self.assumptions, self.budget, answers, how))
        return list(needed(self.assumptions, self.target, answers, how))


def least_answers(measure: StudyMeasure) -> int:
    """How many answers about a record a measure needs."""
    return 2 if measure is StudyMeasure.AGREEMENT else 1


def usual_answers(measure: StudyMeasure) -> list[int]:
    """The numbers of answers about a record that are compared."""
    return [number for number in _ANSWERS if number >= least_answers(measure)]


def needed(
    assumptions: Assumptions, target: Target, answers: Sequence[int], how: Simulation | None = None
) -> Iterator[PlanRow]:
    """Yield the smallest study that meets a target, for each number of answers about a record.

    Raises:
        UnusableAssumption: the assumptions exclude each other.
    """
    how = how or Simulation()
    _check(assumptions, target)
    for place, number in enumerate(answers):
        part = _part(how, place, len(answers))
        most = MOST_SIMULATED // number if assumptions.measure.is_simulated else MOST_RECORDS
        found = _fewest(assumptions, target, number, most, part)
        yield found or PlanRow(number, 0, 0, 0, math.nan, math.nan)


def _check(assumptions: Assumptions, target: Target) -> None:
    """Raise `UnusableAssumption` if there can be no plan."""
    assumptions.checked()
    has_reference = assumptions.reference not in (None, assumptions.expected)
    if target.power and not has_reference and assumptions.measure is not StudyMeasure.ORDER:
        raise UnusableAssumption(_("The expected value must differ from the other one."))


def afforded(
    assumptions: Assumptions, budget: int, answers: Sequence[int], how: Simulation | None = None
) -> Iterator[PlanRow]:
    """Yield the study with at most so many answers, for each number of answers about a record.

    Raises:
        UnusableAssumption: the assumptions exclude each other.
    """
    assumptions, how = assumptions.checked(), how or Simulation()
    for place, number in enumerate(answers):
        part = _part(how, place, len(answers))
        records = budget // number
        if assumptions.measure.is_simulated and budget > MOST_SIMULATED:
            records = 0
        yield (
            plan_row(assumptions, records, number, part)
            if records
            else PlanRow(number, 0, 0, 0, math.nan, math.nan)
        )


def planned_rows(request: PlanRequest, on_progress: Callable[[float], object]) -> list[PlanRow]:
    """The plan of a checked request, for a child process; each per cent done is a message."""
    shown = 0.0

    def step(fraction: float) -> None:
        nonlocal shown
        if fraction >= shown + _SHOWN_STEP:
            shown = fraction
            on_progress(fraction)

    return request.rows(step)


def plan_row(assumptions: Assumptions, records: int, answers: int, how: Simulation) -> PlanRow:
    """A study of a size, with its precision."""
    found = _precision(assumptions, records, answers, how)
    people = _participants(assumptions, records, answers)
    return PlanRow(answers, records, records * answers, people, *found)


def _participants(assumptions: Assumptions, records: int, answers: int) -> int:
    """Each task group is answered by as many participants as there are answers about a record."""
    return math.ceil(records / assumptions.tasks_per_participant) * answers


def _precision(assumptions: Assumptions, records: int, answers: int, how: Simulation) -> Precision:
    if assumptions.measure.is_simulated:
        return simulated_precision(assumptions, records, answers, how)
    return precision(assumptions, records, answers)


def precision(assumptions: Assumptions, records: int, answers: int) -> Precision:
    """The precision of a share, mean or win rate.

    The power is that of the interval: the probability that it is above or below the reference, as expected.
    The bound is the error of the reference with Wilson's interval (Wilson, 1927), and a t quantile of the
    error with that of a mean.
    """
    people = _participants(assumptions, records, answers)
    of_pair = records / assumptions.pairs
    amount = Amount(of_pair, answers, min(people, of_pair * answers))
    variation, is_share = assumptions.variation, assumptions.measure.is_share
    width = interval_width(variation, amount, assumptions.clusters, is_share=is_share)
    error, reference = error_of(variation, amount, assumptions.clusters), assumptions.reference
    if reference is None or math.isinf(width):
        return Precision(width / 2, math.nan if reference is None else 0.0)
    deviation, distance = math.sqrt(error.square), abs(assumptions.expected - reference)
    if is_share:
        size = effective_answers(variation.mean * (1 - variation.mean), error, amount)
        bound = Z * math.sqrt(reference * (1 - reference) / size)
    else:
        bound = level_quantile(error.degrees) * deviation
    return Precision(width / 2, NormalDist().cdf((distance - bound) / deviation))


def _fewest(
    assumptions: Assumptions, target: Target, answers: int, most: int, how: Simulation
) -> PlanRow | None:
    """The study with the fewest records that meets a target; None if none with at most so many does."""
    is_simulated = assumptions.measure.is_simulated
    closeness = _CLOSE_ENOUGH if is_simulated else 1.0
    sizes = iter(range(_MOST_SIZES))

    def part() -> Simulation:
        return _part(how, next(sizes, _MOST_SIZES - 1), _MOST_SIZES)

    def is_met(records: int) -> bool:
        if is_simulated:
            return meets_target(assumptions, records, answers, target, part())
        return target.is_met(precision(assumptions, records, answers))

    below, above = 0, 2 * assumptions.pairs
    while not is_met(above):
        if above >= most:
            return None
        below, above = above, min(2 * above, most)
    while above - below > 1 and above > closeness * below:
        middle = (below + above) // 2
        below, above = (below, middle) if is_met(middle) else (middle, above)
    found = plan_row(assumptions, above, answers, part())
    while not target.is_met(found.precision) and above < most:  # it was taken as clear too early
        above = min(math.ceil(above * _LONGER), most)
        found = plan_row(assumptions, above, answers, part())
    return found


def _part(how: Simulation, place: int, count: int) -> Simulation:
    """The simulation whose progress is one of several parts of the whole."""
    whole: Callable[[float], object] = how.step
    return replace(how, step=lambda fraction: whole((place + fraction) / count))
