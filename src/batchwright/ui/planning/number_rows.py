"""The number fields of the planner: which value each has, for which measures, and a sentence about it."""

from collections.abc import Callable
from dataclasses import dataclass

from batchwright.analysis.statistics.agreement.distances import Metric
from batchwright.analysis.statistics.planning.assumptions import StudyMeasure
from batchwright.analysis.statistics.planning.plans import Aim, PlanRequest
from batchwright.analysis.store.sampling import Clusters
from batchwright.base.i18n import N_

_EVERY = frozenset(StudyMeasure)
_SHARES = frozenset({StudyMeasure.SHARE, StudyMeasure.WIN_RATE})
_COMPARED = frozenset({StudyMeasure.WIN_RATE, StudyMeasure.ORDER})
_OTHERS = _EVERY - _SHARES
_MOST = 1e9


@dataclass(frozen=True)
class NumberRow:
    """A number field; a value in per cent is shown a hundred times as large."""

    name: str
    """The attribute of the assumptions, or of the request."""
    label: str
    hint: str
    measures: frozenset[StudyMeasure]
    least: float
    most: float
    decimals: int = 0
    suffix: str = ""
    is_percent: bool = False
    is_wanted: bool = False
    """Whether it belongs to what is wanted, and not to what is assumed."""
    is_needed: Callable[[PlanRequest], bool] = lambda _request: True

    def is_shown(self, request: PlanRequest) -> bool:
        """Whether a request needs it."""
        return request.assumptions.measure in self.measures and self.is_needed(request)

    def value(self, request: PlanRequest) -> float:
        """The number to show."""
        found = getattr(request if self.is_wanted else request.assumptions, self.name)
        return float(found or 0) * (100 if self.is_percent else 1)

    def stored(self, shown: float) -> float:
        """The value for a number that was entered."""
        value = shown / 100 if self.is_percent else shown
        return value if self.decimals or self.is_percent else int(value)


def _has(aim: Aim) -> Callable[[PlanRequest], bool]:
    return lambda request: request.aim is aim


def _has_reference(request: PlanRequest) -> bool:
    return request.assumptions.reference is not None


def _has_several_pairs(request: PlanRequest) -> bool:
    return request.assumptions.pairs > 1


def _has_options(request: PlanRequest) -> bool:
    return request.assumptions.has_options


def _has_ratios(request: PlanRequest) -> bool:
    return request.assumptions.metric is Metric.RATIO


def _is_about_participants(request: PlanRequest) -> bool:
    return request.assumptions.clusters is not Clusters.RECORDS


_NOT_A_LINE = N_("0: as different as any others. 1: always the same.")

NUMBER_ROWS = (
    NumberRow(
        "half_width",
        N_("Exact to ±"),
        N_("The true share is at most so many points away, in 95 of 100 such studies."),
        _SHARES,
        *(0.1, 49, 1, N_(" points")),
        is_percent=True,
        is_wanted=True,
        is_needed=_has(Aim.PRECISION),
    ),
    NumberRow(
        "half_width",
        N_("Exact to ±"),
        N_("The true value is at most so far away, in 95 of 100 such studies."),
        frozenset({StudyMeasure.MEAN, StudyMeasure.AGREEMENT}),
        *(0.001, _MOST, 3),
        is_wanted=True,
        is_needed=_has(Aim.PRECISION),
    ),
    NumberRow(
        "half_width",
        N_("Differences exact to ±"),
        N_("In logarithms of odds: 0.4 is a win rate of 60 % against 50 %."),
        frozenset({StudyMeasure.ORDER}),
        *(0.01, 10, 2),
        is_wanted=True,
        is_needed=_has(Aim.PRECISION),
    ),
    NumberRow(
        "power",
        N_("Found in"),
        N_("How many of 100 such studies would find it. 80 % is usual."),
        _EVERY,
        *(10, 99, 0, N_(" %")),
        is_percent=True,
        is_wanted=True,
        is_needed=_has(Aim.POWER),
    ),
    NumberRow(
        "budget",
        N_("Answers in total"),
        N_("All answers that you can afford."),
        _EVERY,
        *(10, 100_000),
        is_wanted=True,
        is_needed=_has(Aim.BUDGET),
    ),
    NumberRow(
        "reference",
        N_("Different from"),
        N_("The value that the result has to differ from."),
        _SHARES,
        *(0.1, 99.9, 1, N_(" %")),
        is_percent=True,
        is_needed=_has_reference,
    ),
    NumberRow(
        "reference",
        N_("Different from"),
        N_("The value that the result has to differ from."),
        frozenset({StudyMeasure.MEAN, StudyMeasure.AGREEMENT}),
        *(-_MOST, _MOST, 2),
        is_needed=_has_reference,
    ),
    NumberRow(
        "expected",
        N_("Expected share"),
        N_("About as many answers will choose the option. 50 % needs the most records."),
        frozenset({StudyMeasure.SHARE}),
        *(1, 99, 1, N_(" %")),
        is_percent=True,
    ),
    NumberRow(
        "expected",
        N_("Expected win rate"),
        N_("How often the better system is preferred."),
        frozenset({StudyMeasure.WIN_RATE}),
        *(1, 99, 1, N_(" %")),
        is_percent=True,
    ),
    NumberRow(
        "expected",
        N_("Each system beats the next in"),
        N_("Of the systems from best to worst. The closer to 50 %, the more records are needed."),
        frozenset({StudyMeasure.ORDER}),
        *(50.5, 99, 1, N_(" %")),
        is_percent=True,
    ),
    NumberRow(
        "expected",
        N_("Expected alpha"),
        N_("0.8 is often asked for; 0.67 allows tentative conclusions."),
        frozenset({StudyMeasure.AGREEMENT}),
        *(0.01, 0.99, 2),
    ),
    NumberRow(
        "expected",
        N_("Expected mean"),
        N_("What the average will be."),
        frozenset({StudyMeasure.MEAN}),
        *(-_MOST, _MOST, 2),
        is_needed=_has_reference,
    ),
    NumberRow(
        "deviation",
        N_("Standard deviation"),
        N_("How far numbers usually are from their average; about 1 on a scale from 1 to 5."),
        frozenset({StudyMeasure.MEAN}),
        *(0.001, _MOST, 3),
    ),
    NumberRow(
        "correlation",
        N_("Likeness of answers to one record"),
        _NOT_A_LINE,
        _EVERY - {StudyMeasure.AGREEMENT},
        *(0, 1, 2),
    ),
    NumberRow(
        "of_participants",
        N_("Likeness of one participant's answers"),
        _NOT_A_LINE,
        frozenset({StudyMeasure.SHARE, StudyMeasure.MEAN, StudyMeasure.WIN_RATE}),
        *(0, 1, 2),
        is_needed=_is_about_participants,
    ),
    NumberRow("systems", N_("Systems"), N_("Each is compared with each other one."), _COMPARED, *(2, 20)),
    NumberRow(
        "part_of_pairs",
        N_("Pairs for each prompt"),
        N_("Of all pairs of systems. Fewer need more prompts."),
        _COMPARED,
        *(1, 100, 0, N_(" %")),
        is_percent=True,
        is_needed=_has_several_pairs,
    ),
    NumberRow(
        "ties",
        N_("Ties"),
        N_("How many answers find both equally good."),
        _COMPARED,
        *(0, 90, 0, N_(" %")),
        is_percent=True,
    ),
    NumberRow(
        "options",
        N_("Options"),
        N_("How many answers there are to choose from."),
        frozenset({StudyMeasure.AGREEMENT}),
        *(2, 50),
        is_needed=_has_options,
    ),
    NumberRow(
        "largest_share",
        N_("Most frequent option"),
        N_("Its share of all answers; 0 if all options are as frequent."),
        frozenset({StudyMeasure.AGREEMENT}),
        *(0, 98, 0, N_(" %")),
        is_percent=True,
        is_needed=_has_options,
    ),
    NumberRow(
        "relative_deviation",
        N_("Deviation from the mean"),
        N_("The standard deviation of the numbers as a part of their mean."),
        frozenset({StudyMeasure.AGREEMENT}),
        *(1, 300, 0, N_(" %")),
        is_percent=True,
        is_needed=_has_ratios,
    ),
    NumberRow(
        "tasks_per_participant",
        N_("Tasks per participant"),
        N_("The size of the task groups."),
        _EVERY,
        *(1, 10_000),
    ),
    NumberRow(
        "seed",
        N_("Seed"),
        N_("Studies are simulated. The same seed gives the same plan again."),
        frozenset({StudyMeasure.AGREEMENT, StudyMeasure.ORDER}),
        *(0, _MOST),
        is_wanted=True,
    ),
)
