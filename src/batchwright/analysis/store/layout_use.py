"""Which versions of the layout the answers were given to."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from batchwright.analysis.store.answer_table import NO_TIME, time_text
from batchwright.analysis.store.headings import Heading
from batchwright.analysis.store.layout_versions import LayoutTimeline, LayoutVersions
from batchwright.analysis.store.questions import AnalysedQuestion
from batchwright.base.i18n import N_


@dataclass(frozen=True)
class VersionRow:
    """A version of the layout, the time from which tasks had it first, and its answers."""

    version: Annotated[int, Heading(N_("Version"))]
    since: Annotated[str, Heading(N_("Tasks had it from"))]
    """Empty if it is not known."""
    questions: Annotated[int, Heading(N_("Questions"))]
    answers: Annotated[int, Heading(N_("Answers"))]


@dataclass(frozen=True)
class LayoutUse:
    """To which versions answers were given, and of how many answers that is not known."""

    versions: tuple[VersionRow, ...] = ()
    """The versions with answers; empty if there is only one."""
    unknown: int = 0
    """Number of answers whose layout is not known; they have the wording of the oldest one that is."""
    differing: int = 0
    """Number of questions that these versions ask differently."""


def layout_use(
    layouts: LayoutVersions,
    times: np.ndarray,
    timelines: np.ndarray,
    questions: Sequence[AnalysedQuestion],
) -> LayoutUse:
    """The versions that answers were given to.

    Args:
        layouts: the versions.
        times: the time of each answer.
        timelines: the index of the timeline of each answer.
        questions: the questions with answers.
    """
    rows = _version_rows(layouts, times, timelines)
    ids = [wording.instruction for item in questions for wording in (item.wordings or (item,))]
    differing = sum(count > 1 for id, count in Counter(ids).items() if id)
    return LayoutUse(tuple(rows), int(np.count_nonzero(layouts.are_unknown(times, timelines))), differing)


def _version_rows(layouts: LayoutVersions, times: np.ndarray, timelines: np.ndarray) -> list[VersionRow]:
    if not layouts.has_several:
        return []
    counts = Counter(layouts.version_numbers(times, timelines).tolist())
    found = {
        number: (timeline, period)
        for timeline, numbers in reversed(list(zip(layouts.timelines, layouts.numbers, strict=True)))
        for number, period in reversed(list(zip(numbers, timeline.periods, strict=True)))
    }
    first = {number: found[number] for number in sorted(counts)}
    rows = [
        VersionRow(number, _since(timeline, period.since), len(period.questions), counts[number])
        for number, (timeline, period) in first.items()
    ]
    return rows if len(rows) > 1 else []


def _since(timeline: LayoutTimeline, since: int) -> str:
    return time_text(since if since >= timeline.known_since else NO_TIME)
