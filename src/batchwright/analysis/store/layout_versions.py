"""The versions of a layout that answers were given to, and the wordings of each question in them.

A layout may be changed while there are answers; those stay with the layout that their tasks had. Each answer
belongs to the version that was set up last before it was given. A question that was asked differently in some
versions, or had other options, has several wordings; `joined_wordings` combines them for statistics.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import groupby
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
class LayoutVersions:
    """The layouts that the tasks of a batch had, or the pages of a collection; the oldest first."""

    periods: tuple[LayoutPeriod, ...] = ()
    known_since: int = FIRST
    """Answers that were given earlier have the questions of the first period, which need not be theirs."""

    @classmethod
    def single(cls, questions: Sequence[AnalysedQuestion], *, is_known: bool = True) -> "LayoutVersions":
        """One layout for all answers."""
        return cls((LayoutPeriod(FIRST, tuple(questions)),), FIRST if is_known else LAST)

    @classmethod
    def of(
        cls, layouts: Iterable[tuple[datetime, Sequence[AnalysedQuestion]]], known_since: datetime | None
    ) -> "LayoutVersions":
        """Layouts with the times from which tasks had them, the oldest first.

        The layout of answers given before `known_since` is not known; None: it is of no answer.
        """
        periods: list[LayoutPeriod] = []
        for since, questions in layouts:
            if not periods or periods[-1].questions != tuple(questions):
                periods.append(LayoutPeriod(_milliseconds(since), tuple(questions)))
        return cls(tuple(periods), LAST if known_since is None else _milliseconds(known_since))

    @property
    def has_several(self) -> bool:
        """Whether there are different versions."""
        return len(self.periods) > 1

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The number of the version in each period, from 1; a layout that returns keeps its number."""
        found: dict[tuple[AnalysedQuestion, ...], int] = {}
        return tuple(found.setdefault(period.questions, len(found) + 1) for period in self.periods)

    def period_indexes(self, times: np.ndarray) -> np.ndarray:
        """The index of the period of each answer by its time; the last one without a time."""
        starts = np.array([period.since for period in self.periods[1:]], dtype=np.int64)
        return np.where(times == FIRST, len(starts), np.searchsorted(starts, times, side="right"))

    def version_numbers(self, times: np.ndarray) -> np.ndarray:
        """The number of the version of each answer by its time."""
        return np.array(self.numbers, dtype=np.int64)[self.period_indexes(times)]

    @cached_property
    def questions(self) -> tuple[AnalysedQuestion, ...]:
        """All wordings, with unique ids: in the order of the newest layout, then removed questions."""
        return tuple(dict.fromkeys(wording.question for wording in self.wordings))

    @cached_property
    def newest_questions(self) -> frozenset[str]:
        """Ids of the questions in the newest layout."""
        return frozenset(question.id for period in self.periods[-1:] for question in period.questions)

    @cached_property
    def wordings(self) -> tuple[Wording, ...]:
        """The wordings of all questions, the newest one of each first; they cover all times."""
        places: dict[str, int] = {}
        found: defaultdict[str, list[tuple[LayoutPeriod, int, AnalysedQuestion]]] = defaultdict(list)
        for period, number in zip(self.periods, self.numbers, strict=True):
            for place, question in enumerate(period.questions):
                places[question.id] = place
                found[question.id].append((period, number, question))
        order = sorted(found, key=lambda id: (id not in self.newest_questions, places[id]))
        return tuple(wording for id in order for wording in _wordings(id, found[id]))


def _wordings(id: str, found: Sequence[tuple[LayoutPeriod, int, AnalysedQuestion]]) -> Iterator[Wording]:
    """Yield the wordings of a question, the newest first, from the periods that have it."""
    versions: defaultdict[AnalysedQuestion, set[int]] = defaultdict(set)
    for _period, number, question in found:
        versions[question].add(number)
    until, newest = LAST, found[-1][2]
    spans = [(question, next(group)[0].since) for question, group in groupby(found, lambda entry: entry[2])]
    for index, (question, since) in reversed(list(enumerate(spans))):
        since = since if index else FIRST
        if len(versions) > 1:
            numbers = tuple(sorted(versions[question]))
            unique_id = id if question == newest else f"{id}@{numbers[0]}"
            question = replace(question, id=unique_id, instruction=id, versions=numbers)
        yield Wording(question, id, since, until)
        until = since


def _milliseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)
