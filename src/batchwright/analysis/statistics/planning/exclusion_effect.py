"""What exclusions change: the main figures of each question with all answers and without excluded ones."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite, nan
from typing import Annotated, NamedTuple

from batchwright.analysis.statistics.agreement.agreement_results import AgreementRow, first_alphas
from batchwright.analysis.statistics.choices import OptionShare
from batchwright.analysis.statistics.comparisons.system_results import SystemRow
from batchwright.analysis.statistics.numbers import NumberSummary
from batchwright.analysis.store.headings import Heading, words_of
from batchwright.base.i18n import N_, NC_


class FigureKind(StrEnum):
    """What a figure is."""

    SHARE = "share"
    MEAN = "mean"
    MEDIAN = "median"
    AGREEMENT = "agreement"
    WIN_RATE = "win rate"


_FIGURE_TEXTS = {
    FigureKind.SHARE: N_("Share"),
    FigureKind.MEAN: N_("Mean"),
    FigureKind.MEDIAN: N_("Median"),
    FigureKind.AGREEMENT: N_("Alpha"),
    FigureKind.WIN_RATE: N_("Win rate"),
}


@dataclass(frozen=True)
class ExclusionEffectRow:
    """A figure with all answers, and without the excluded ones; missing if it cannot be computed."""

    question: str
    kind: Annotated[FigureKind, Heading(N_("Kind"), words=words_of(_FIGURE_TEXTS))]
    about: Annotated[str, Heading(N_("About"))]
    """The option, the unit, the metric of agreement, or the system."""
    all_answers: Annotated[float, Heading(N_("With all answers"), interval=("all_low", "all_high"))]
    all_low: float
    all_high: float
    without: Annotated[float, Heading(N_("Without excluded answers"), interval=("low", "high"))]
    low: float
    high: float
    change: Annotated[float, Heading(NC_("difference", "Change"))]


@dataclass(frozen=True)
class MainFigures:
    """The results from which the main figures are taken; agreement and systems may be those of all parts."""

    shares: Sequence[OptionShare]
    numbers: Sequence[NumberSummary]
    agreement: Sequence[AgreementRow]
    systems: Sequence[SystemRow]


class _Figure(NamedTuple):
    value: float
    low: float
    high: float


_Key = tuple[str, FigureKind, str]
_NO_FIGURE = _Figure(nan, nan, nan)


def exclusion_effect_rows(
    questions: Sequence[str], with_all: MainFigures, without: MainFigures
) -> list[ExclusionEffectRow]:
    """Compare the figures that exist, question by question; `questions` are their ids in order."""
    before, after = dict(_figures(with_all)), dict(_figures(without))
    place = {id: number for number, id in enumerate(questions)}
    keys = sorted({**before, **after}, key=lambda key: place[key[0]])
    rows = []
    for key in keys:
        old, new = before.get(key, _NO_FIGURE), after.get(key, _NO_FIGURE)
        if isfinite(old.value) or isfinite(new.value):
            rows.append(ExclusionEffectRow(*key, *old, *new, new.value - old.value))
    return rows


def _figures(of: MainFigures) -> Iterator[tuple[_Key, _Figure]]:
    for share in of.shares:
        yield (share.question, FigureKind.SHARE, share.label), _Figure(share.share, share.low, share.high)
    for row in of.numbers:
        mean, median = (row.mean, row.mean_low, row.mean_high), (row.median, row.median_low, row.median_high)
        if isfinite(row.mean):
            yield (row.question, FigureKind.MEAN, row.unit), _Figure(*mean)
        yield (row.question, FigureKind.MEDIAN, row.unit), _Figure(*median)
    for alpha in first_alphas(of.agreement):
        about = f"{alpha.metric}, {alpha.unit}" if alpha.unit else alpha.metric
        yield (alpha.question, FigureKind.AGREEMENT, about), _Figure(alpha.value, alpha.low, alpha.high)
    for system in of.systems:
        ends = system.win_rate, system.win_low, system.win_high
        yield (system.question, FigureKind.WIN_RATE, system.system), _Figure(*ends)
