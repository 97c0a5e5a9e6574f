"""What is planned: a figure to estimate, what is assumed about the answers, and how precise it is to be."""

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import accumulate
from typing import NamedTuple

from batchwright.analysis.statistics.agreement.distances import Metric
from batchwright.analysis.statistics.planning.interval_widths import Variation
from batchwright.analysis.store.sampling import Clusters
from batchwright.base.i18n import _


class StudyMeasure(StrEnum):
    """The figure that a study is about."""

    SHARE = "share"
    """The share of answers that choose an option."""
    MEAN = "mean"
    """The mean of a rating or another number."""
    WIN_RATE = "win-rate"
    """How often a system wins against another one; a tie is half a win."""
    AGREEMENT = "agreement"
    """Krippendorff's alpha."""
    ORDER = "order"
    """The order of several systems, each compared with each other one."""

    @property
    def is_simulated(self) -> bool:
        """Whether there is no formula for its interval."""
        return self in (StudyMeasure.AGREEMENT, StudyMeasure.ORDER)

    @property
    def is_share(self) -> bool:
        """Whether its values and widths are shares, which are shown in per cent."""
        return self in (StudyMeasure.SHARE, StudyMeasure.WIN_RATE)


class UnusableAssumption(Exception):
    """Assumptions that exclude each other; the message says for people what is wrong."""


USUAL_VALUES = {
    StudyMeasure.SHARE: 0.5,
    StudyMeasure.MEAN: 0.0,
    StudyMeasure.WIN_RATE: 0.6,
    StudyMeasure.AGREEMENT: 0.7,
    StudyMeasure.ORDER: 0.6,
}
"""The expected value of each measure where nothing is known; that of the order is a win rate."""
USUAL_HALF_WIDTHS = {
    StudyMeasure.SHARE: 0.05,
    StudyMeasure.MEAN: 0.1,
    StudyMeasure.WIN_RATE: 0.05,
    StudyMeasure.AGREEMENT: 0.1,
    StudyMeasure.ORDER: 0.3,
}
"""The wanted half widths where none is chosen; that of a mean is a part of the standard deviation."""

TENTATIVE_ALPHA = 0.667
"""The alpha from which tentative conclusions are acceptable: Krippendorff (2019), chapter 12."""
USUAL_POWER = 0.8
"""The wanted power where none is chosen."""


@dataclass(frozen=True)
class Assumptions:
    """What is assumed about the answers. Each measure uses some of it."""

    measure: StudyMeasure
    expected: float
    """The share, mean, win rate or alpha; of the order, how often each system wins against the next one."""
    deviation: float = 1.0
    """The standard deviation of a number."""
    correlation: float = 0.3
    """How alike answers about the same record are: 0 like any others, 1 always the same."""
    of_participants: float = 0.1
    """How alike the answers of the same participant are, if intervals are about further participants."""
    ties: float = 0.0
    """The share of ties among comparisons."""
    systems: int = 2
    """How many systems are compared, each with each other one equally often."""
    part_of_pairs: float = 1.0
    """The share of all pairs of systems that are compared for the same prompt."""
    gaps: tuple[float, ...] = ()
    """How much stronger each system is than the next one, as logarithms of odds; empty: as expected."""
    options: int = 3
    """How many options participants choose from, for agreement."""
    largest_share: float = 0.0
    """The share of the most frequent option, for agreement; 0: all are as frequent."""
    metric: Metric = Metric.NOMINAL
    """How answers are compared, for agreement: options without or in an order, or numbers."""
    relative_deviation: float = 0.5
    """The standard deviation of numbers as a part of their mean, for agreement by their ratios."""
    reference: float | None = None
    """The value from which the figure is to be told apart; None: only the width counts."""
    tasks_per_participant: int = 10
    clusters: Clusters = Clusters.RECORDS
    """What intervals are about; those of agreement, and the order, are always about records."""

    @classmethod
    def of(cls, measure: StudyMeasure) -> "Assumptions":
        """Those where nothing is known."""
        reference = 1 / 2 if measure is StudyMeasure.WIN_RATE else None
        systems = 4 if measure is StudyMeasure.ORDER else 2
        return cls(measure, USUAL_VALUES[measure], reference=reference, systems=systems)

    @property
    def has_options(self) -> bool:
        """Whether agreement is about options, and not about numbers."""
        return self.metric in (Metric.NOMINAL, Metric.ORDINAL)

    @property
    def is_compared(self) -> bool:
        """Whether records are comparisons of two systems."""
        return self.measure in (StudyMeasure.WIN_RATE, StudyMeasure.ORDER)

    @property
    def pairs(self) -> int:
        """How many pairs of systems share the records; 1 if these are no comparisons."""
        return self.systems * (self.systems - 1) // 2 if self.is_compared else 1

    @property
    def strengths(self) -> tuple[float, ...]:
        """The strengths of the systems, as logarithms of odds, the strongest first."""
        gaps = self.gaps or (math.log(self.expected / (1 - self.expected)),) * (self.systems - 1)
        return tuple(-below for below in accumulate(gaps, initial=0.0))

    def prompts(self, records: int) -> int:
        """How many prompts have so many comparisons."""
        return math.ceil(records / max(1.0, self.pairs * self.part_of_pairs))

    @property
    def variation(self) -> Variation:
        """How the values of answers vary. A tie is half a win, so that ties vary less."""
        variance = self.deviation**2
        if self.measure.is_share:
            variance = self.expected * (1 - self.expected)
        if self.measure is StudyMeasure.WIN_RATE:
            variance -= self.ties / 4
        return Variation(self.expected, variance, self.correlation, 0, self.of_participants)

    @property
    def usual_half_width(self) -> float:
        """The wanted half width where none is chosen."""
        half = USUAL_HALF_WIDTHS[self.measure]
        return half * self.deviation if self.measure is StudyMeasure.MEAN else half

    @property
    def proposed_reference(self) -> float:
        """A value from which the figure could be told apart."""
        match self.measure:
            case StudyMeasure.MEAN:
                return self.expected - self.deviation / 2
            case StudyMeasure.AGREEMENT:
                return min(TENTATIVE_ALPHA, self.expected - 0.1)
            case _share:
                return 0.5 if self.expected != 1 / 2 else 0.4

    @property
    def usual_target(self) -> "Target":
        """What is wanted where nothing is chosen: a power for the order of systems, else a half width."""
        if self.measure is StudyMeasure.ORDER:
            return Target(power=USUAL_POWER)
        return Target(half_width=self.usual_half_width)

    def checked(self) -> "Assumptions":
        """The assumptions, if they can all be true.

        Raises:
            UnusableAssumption: they exclude each other.
        """
        if self.measure is not StudyMeasure.MEAN and not 0 < self.expected < 1:
            raise UnusableAssumption(_("The expected value must be between 0 and 1, and neither of them."))
        if self.measure.is_share and self.reference is not None and not 0 < self.reference < 1:
            raise UnusableAssumption(
                _("The value to differ from must be between 0 and 1, and neither of them.")
            )
        if self.measure is StudyMeasure.ORDER and self.expected <= 1 / 2:
            raise UnusableAssumption(_("Each system must win against the next one in more than half."))
        if self.measure is StudyMeasure.MEAN and not self.deviation > 0:
            raise UnusableAssumption(_("The standard deviation must be greater than 0."))
        if self.is_compared and self.ties >= 2 * min(self.expected, 1 - self.expected):
            raise UnusableAssumption(
                _("With so many ties, the win rate cannot be so far from half: a tie is half a win.")
            )
        if self.correlation + self.of_participants > 1 and self.clusters is Clusters.BOTH:
            raise UnusableAssumption(
                _("How alike answers about a record are, and those of a participant, is at most 1 together.")
            )
        if self.largest_share and self.largest_share < 1 / self.options:
            raise UnusableAssumption(
                _("The most frequent option cannot have a smaller share than all options on average.")
            )
        return self

    def with_changes(self, **changes: object) -> "Assumptions":
        """The assumptions with those changes that are not None.

        Another distance or number of systems makes all gaps as expected.
        """
        given = {name: value for name, value in changes.items() if value is not None}
        if {"expected", "systems"} & given.keys():
            given.setdefault("gaps", ())
        return replace(self, **given)  # type: ignore[arg-type]


class Precision(NamedTuple):
    """How precise a study is expected to be."""

    half_width: float
    """Half of the mean width of the interval; infinite if there is usually none."""
    power: float = math.nan
    """The probability that the figure is told apart from the reference; of the order, that it is found."""


@dataclass(frozen=True)
class Target:
    """What is wanted: a half width, a power, or both."""

    half_width: float = math.inf
    power: float = 0.0

    def is_met(self, precision: Precision) -> bool:
        """Whether a study is as precise."""
        return precision.half_width <= self.half_width and not precision.power < self.power
