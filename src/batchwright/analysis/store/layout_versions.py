"""The versions of a layout that answers were given to, and the wordings of each question in them.

A layout may be changed while there are answers; those stay with the layout that their tasks had. Each answer
belongs to the version that was set up last before it was given. A question that was asked differently in some
versions, or had other options, has several wordings; `joined_wordings` combines them for statistics.

The batches of a study in several languages are set up each by itself, and their questions have ids of their
own. A question in another language is shown as in the version of the first batch that asks for the same
values; among several, the one with the same questions is taken, or the one that was set up nearest in time.
"""

from bisect import bisect_left
from collections import ChainMap, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from itertools import chain, groupby
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from batchwright.analysis.store.questions import AnalysedQuestion

FIRST, LAST = int(np.iinfo(np.int64).min), int(np.iinfo(np.int64).max)
"""Times before and after all answers; the first one also stands for an unknown time."""


class LayoutPeriod(NamedTuple):
    """A time from which tasks had a layout: milliseconds since 1970, UTC."""

    since: int
    questions: tuple[AnalysedQuestion, ...]


@dataclass(frozen=True)
class Wording:
    """A question as it was for the answers given from `since` to `until`."""

    question: AnalysedQuestion
    instruction: str
    """The id that answers name."""
    since: int
    until: int


@dataclass(frozen=True)
class LayoutTimeline:
    """The layouts that the tasks of a batch had, or the pages of a collection; the oldest first."""

    periods: tuple[LayoutPeriod, ...] = ()
    known_since: int = FIRST
    """Answers that were given earlier have the questions of the first period, which need not be theirs."""
    instructions: Mapping[str, str] = field(default_factory=dict, hash=False)
    """The ids that answers name, by those of the questions, as far as they differ."""

    @classmethod
    def of(
        cls, layouts: Iterable[tuple[datetime, Sequence[AnalysedQuestion]]], known_since: datetime | None
    ) -> "LayoutTimeline":
        """Layouts with the times from which tasks had them, the oldest first.

        The layout of answers given before `known_since` is not known; None: it is of no answer.
        """
        periods: list[LayoutPeriod] = []
        for since, questions in layouts:
            if not periods or periods[-1].questions != tuple(questions):
                periods.append(LayoutPeriod(_milliseconds(since), tuple(questions)))
        return cls(tuple(periods), LAST if known_since is None else _milliseconds(known_since))

    @classmethod
    def single(cls, questions: Sequence[AnalysedQuestion], *, is_known: bool = True) -> "LayoutTimeline":
        """One layout for all answers."""
        return cls((LayoutPeriod(FIRST, tuple(questions)),), FIRST if is_known else LAST)

    @property
    def question_ids(self) -> frozenset[str]:
        """The ids of all questions."""
        return frozenset(question.id for period in self.periods for question in period.questions)

    @property
    def instruction_ids(self) -> Iterator[str]:
        """The ids that answers name; some several times."""
        yield from self.instructions.values()
        for period in self.periods:
            for question in period.questions:
                yield self.instructions.get(question.id, question.id)

    def period_indexes(self, times: np.ndarray) -> np.ndarray:
        """The index of the period of each answer by its time; the last one without a time."""
        starts = np.array([period.since for period in self.periods[1:]], dtype=np.int64)
        return np.where(times == FIRST, len(starts), np.searchsorted(starts, times, side="right"))

    def described_by(self, first: "LayoutTimeline") -> "LayoutTimeline":
        """The timeline with the questions of another batch where both ask for the same values.

        A question that was removed has ids that only one of the timelines knows: it says nothing about which
        layouts are the same.
        """
        common = first.question_ids & self.question_ids
        others = [_AskedLayout.of(period, common) for period in first.periods]
        same: defaultdict[tuple[object, ...], list[_AskedLayout]] = defaultdict(list)
        for other in others:
            same[other.asked].append(other)
        periods: list[LayoutPeriod] = []
        for period in self.periods:
            layout = _AskedLayout.of(period, common)
            alike = same.get(layout.asked)
            order = [layout.nearest(alike)] if alike else sorted(others, key=layout.difference)
            questions = ChainMap(*(other.questions for other in order))
            pairs = zip(layout.asked, period.questions, strict=True)
            described = tuple(questions.get(values, question) for values, question in pairs)
            periods.append(LayoutPeriod(period.since, described))
        return replace(self, periods=tuple(periods))


@dataclass(frozen=True)
class LayoutVersions:
    """The layouts of all answers that are shown together: a timeline for each batch or collection.

    Where there are several, the first one describes the questions.
    """

    timelines: tuple[LayoutTimeline, ...] = ()

    @classmethod
    def single(cls, questions: Sequence[AnalysedQuestion]) -> "LayoutVersions":
        """One layout for all answers."""
        return cls((LayoutTimeline.single(questions),))

    @classmethod
    def joined(cls, timelines: Sequence[LayoutTimeline]) -> "LayoutVersions":
        """The layouts of the batches of a study, whose questions have the same ids in all timelines."""
        return cls((*timelines[:1], *(other.described_by(timelines[0]) for other in timelines[1:])))

    @property
    def has_several(self) -> bool:
        """Whether there are different versions."""
        return len(set(chain.from_iterable(self.numbers))) > 1

    @cached_property
    def numbers(self) -> tuple[tuple[int, ...], ...]:
        """The number of the version in each period of each timeline, from 1.

        A layout that returns keeps its number.
        """
        found: dict[tuple[AnalysedQuestion, ...], int] = {}
        return tuple(
            tuple(found.setdefault(period.questions, len(found) + 1) for period in timeline.periods)
            for timeline in self.timelines
        )

    @cached_property
    def questions(self) -> tuple[AnalysedQuestion, ...]:
        """All wordings, with unique ids: in the order of the newest layout, then removed questions."""
        return tuple(dict.fromkeys(wording.question for wording in self.wordings))

    @cached_property
    def newest_questions(self) -> frozenset[str]:
        """Ids of the questions in the newest layout."""
        return frozenset(
            question.id
            for timeline in self.timelines[:1]
            for period in timeline.periods[-1:]
            for question in period.questions
        )

    @cached_property
    def wordings(self) -> tuple[Wording, ...]:
        """The wordings of all questions, the newest one of each first; they cover all times."""
        places: dict[str, int] = {}
        found: defaultdict[str, list[list[_QuestionInPeriod]]] = defaultdict(
            lambda: [[] for _one in self.timelines]
        )
        for index, (timeline, numbers) in enumerate(zip(self.timelines, self.numbers, strict=True)):
            for period, number in zip(timeline.periods, numbers, strict=True):
                for place, question in enumerate(period.questions):
                    if not index or question.id not in places:
                        places[question.id] = place
                    found[question.id][index].append((period.since, number, question))
        order = sorted(found, key=lambda id: (id not in self.newest_questions, places[id]))
        ids = [timeline.instructions for timeline in self.timelines]
        return tuple(wording for id in order for wording in _wordings(id, found[id], ids))

    def version_numbers(self, times: np.ndarray, timelines: np.ndarray) -> np.ndarray:
        """The number of the version of each answer by its time and the index of its timeline."""
        found = np.zeros(len(times), dtype=np.int64)
        for index, (timeline, numbers) in enumerate(zip(self.timelines, self.numbers, strict=True)):
            is_here = timelines == index
            found[is_here] = np.array(numbers, dtype=np.int64)[timeline.period_indexes(times[is_here])]
        return found

    def are_unknown(self, times: np.ndarray, timelines: np.ndarray) -> np.ndarray:
        """Whether the layout of each answer is not known."""
        known = np.array([timeline.known_since for timeline in self.timelines] or [FIRST], dtype=np.int64)
        return times < known[timelines]

    def timeline_indexes(self, instructions: Sequence[str]) -> np.ndarray:
        """The index of the timeline of each id that answers name; 0 if it is in none."""
        found = {
            instruction: index
            for index, timeline in reversed(list(enumerate(self.timelines)))
            for instruction in timeline.instruction_ids
        }
        return np.array([found.get(id, 0) for id in instructions], dtype=np.int64)


_QuestionInPeriod = tuple[int, int, AnalysedQuestion]
"""The start of a period, the number of its version, and a question in it."""


def _wordings(
    id: str, found: Sequence[Sequence[_QuestionInPeriod]], instructions: Sequence[Mapping[str, str]]
) -> Iterator[Wording]:
    """Yield the wordings of a question, the newest first, from the periods of each timeline that have it."""
    described = next(filter(None, found))
    versions: defaultdict[AnalysedQuestion, set[int]] = defaultdict(set)
    for _since, number, question in chain.from_iterable(found):
        versions[question].add(number)
    newest = described[-1][2]
    for asked, ids in zip(found, instructions, strict=True):
        instruction = ids.get(id, id)
        if not asked and instruction == id:
            continue
        until = LAST
        groups = groupby(asked or described[-1:], _question)
        spans = [(question, next(group)[0]) for question, group in groups]
        for index, (question, since) in reversed(list(enumerate(spans))):
            since = since if index else FIRST
            if len(versions) > 1:
                numbers = tuple(sorted(versions[question]))
                unique_id = id if question == newest else f"{id}@{numbers[0]}"
                question = replace(question, id=unique_id, instruction=id, versions=numbers)
            yield Wording(question, instruction, since, until)
            until = since


def _question(found: _QuestionInPeriod) -> AnalysedQuestion:
    return found[2]


def _asked_values(question: AnalysedQuestion) -> object:
    """What a question asks for."""
    return question.id, question.kind, tuple(option.value for option in question.options)


class _AskedLayout(NamedTuple):
    """The layout of a period by what its questions ask for, in whatever language."""

    since: int
    asked: tuple[object, ...]
    questions: dict[object, AnalysedQuestion]
    """The questions by what they ask for."""
    common: frozenset[object]
    """What the questions ask for that both timelines have."""

    @classmethod
    def of(cls, period: LayoutPeriod, common: Container[str]) -> "_AskedLayout":
        """The layout of a period; `common` has the ids of the questions that both timelines have."""
        asked = tuple(map(_asked_values, period.questions))
        questions = dict(zip(asked, period.questions, strict=True))
        in_both = frozenset(values for values, question in questions.items() if question.id in common)
        return cls(period.since, asked, questions, in_both)

    def difference(self, other: "_AskedLayout") -> tuple[int, int]:
        """How much two layouts differ: in the questions that both timelines have, and in time."""
        return len(self.common ^ other.common), abs(other.since - self.since)

    def nearest(self, others: "Sequence[_AskedLayout]") -> "_AskedLayout":
        """The one of several layouts, in the order of their times, that was set up nearest in time."""
        later = bisect_left(others, self.since, key=attrgetter("since"))
        return min(others[max(0, later - 1) : later + 1], key=lambda other: abs(other.since - self.since))


def _milliseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)
