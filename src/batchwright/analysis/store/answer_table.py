"""The answer table: one row per answer, and one row per entry of an answer.

An answer is that of one participant to one question of one task. Its entries are the selected options, the
text, the number with its unit, or the files; an empty answer has none. Columns of texts store each text once
and refer to it by number (`TextColumn`), so that statistics of a million answers take numpy milliseconds.
`answer_store` creates the table.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import compress

import numpy as np

from batchwright.analysis.store.layout_versions import LayoutVersions
from batchwright.analysis.store.questions import AnalysedQuestion
from batchwright.analysis.store.sampling import Sampling
from batchwright.analysis.store.text_columns import TextColumn

NO_TIME = np.iinfo(np.int64).min
"""Stands for an unknown time."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, eq=False)
class PageTimes:
    """How long the page of each answer took, by all answers: excluded ones took time, too."""

    participants: np.ndarray
    tasks: np.ndarray
    times: np.ndarray

    @cached_property
    def seconds(self) -> np.ndarray:
        """Computed when it is first read, and once for all tables with some of the answers."""
        return seconds_since_previous_task(self.participants, self.tasks, self.times)


@dataclass(frozen=True, eq=False)
class AnswerTable:
    """All answers. Columns of answers come first, then those of entries, then those of tasks."""

    questions: tuple[AnalysedQuestion, ...]
    ids: tuple[str, ...]
    participants: TextColumn
    tasks: TextColumn
    question_codes: np.ndarray
    """Indexes in `questions`."""
    times: np.ndarray
    """Milliseconds since the start of 1970, UTC; `NO_TIME` if unknown."""
    page_times: PageTimes
    """Of all answers, whichever are in the table."""
    places_in_all: np.ndarray
    """The index of each answer among all answers."""
    entry_answers: np.ndarray
    """The answer of each entry, ascending."""
    options: np.ndarray
    """Index of the selected option; -1 if the value is not an option."""
    values: TextColumn
    """The value as text: of the selected option, the text, or the number; missing for a file."""
    numbers: np.ndarray
    """The value as a number; NaN if it is not one."""
    units: TextColumn
    explanations: TextColumn
    files: TextColumn
    fields: Mapping[str, TextColumn] = field(default_factory=dict)
    """Values of the dataset's fields. Their rows are the codes of `tasks`."""
    datapoints: tuple[str, ...] = ()
    """The datapoint of each task, by code: the number of its record in the data file, otherwise the task."""
    is_survey: bool = False
    """Whether the units of statistics are participants (`survey_units`); else they are records."""
    timelines: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """Index of the timeline of each answer in `layouts`."""
    layouts: LayoutVersions = LayoutVersions()  # noqa: RUF009 - frozen
    """The versions of the layout that the answers were given to."""
    sampling: Sampling = Sampling()  # noqa: RUF009 - frozen
    """What intervals are about, and the weights of records."""

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def is_empty(self) -> np.ndarray:
        """Whether each answer is without entries."""
        filled = np.zeros(len(self), dtype=bool)
        filled[self.entry_answers] = True
        return ~filled

    @property
    def seconds(self) -> np.ndarray:
        """Seconds from the same participant's answers to the previous task to each answer.

        NaN for the first task of a participant and for unknown times. The answers of a task are sent
        together, so this is the time the page took, including pauses. Answers that are left out do not change
        the seconds of the others.
        """
        return self.page_times.seconds[self.places_in_all]

    @property
    def survey_units(self) -> "AnswerTable":
        """The table with participants as units in place of tasks, if the answers belong to no task.

        The answers to a collection do not: each participant answers every question once.
        """
        if any(self.tasks.values):
            return self
        return replace(
            self,
            tasks=self.participants,
            datapoints=self.participants.values,
            fields={},
            is_survey=True,
        )

    def where(self, is_included: np.ndarray) -> "AnswerTable":
        """The table with some of the answers: a boolean per answer. Codes stay the same."""
        if bool(is_included.all()):
            return self
        new_rows = np.cumsum(is_included) - 1
        entries = is_included[self.entry_answers]
        return replace(
            self,
            ids=tuple(compress(self.ids, is_included.tolist())),
            participants=self.participants.take(is_included),
            tasks=self.tasks.take(is_included),
            question_codes=self.question_codes[is_included],
            times=self.times[is_included],
            places_in_all=self.places_in_all[is_included],
            timelines=self.timelines[is_included],
            entry_answers=new_rows[self.entry_answers[entries]],
            options=self.options[entries],
            values=self.values.take(entries),
            numbers=self.numbers[entries],
            units=self.units.take(entries),
            explanations=self.explanations.take(entries),
            files=self.files.take(entries),
        )

    def question_index(self, id: str) -> int | None:
        """The index of a question by its id; None if there is none."""
        return next((index for index, question in enumerate(self.questions) if question.id == id), None)

    def entries_of(self, question: int) -> np.ndarray:
        """The indexes of the entries of the answers to a question."""
        return np.flatnonzero(self.question_codes[self.entry_answers] == question)

    def answers_of(self, question: int) -> np.ndarray:
        """The indexes of the answers to a question."""
        return np.flatnonzero(self.question_codes == question)


def seconds_since_previous_task(participants: np.ndarray, tasks: np.ndarray, times: np.ndarray) -> np.ndarray:
    """The seconds from the end of a participant's previous task; NaN if there is none, or no time."""
    seconds = np.full(len(times), np.nan)
    timed = np.flatnonzero(times != NO_TIME)
    if not len(timed):
        return seconds
    width = int(tasks.max()) + 1
    pairs, pair_of = np.unique(
        participants[timed].astype(np.int64) * width + tasks[timed], return_inverse=True
    )
    people = pairs // width
    ends = np.full(len(pairs), NO_TIME)
    np.maximum.at(ends, pair_of, times[timed])
    order = np.lexsort((ends, people))
    is_same_person = people[order][1:] == people[order][:-1]
    elapsed = np.full(len(ends), np.nan)
    elapsed[order[1:]] = np.where(is_same_person, np.diff(ends[order]) / 1000, np.nan)
    seconds[timed] = elapsed[pair_of]
    return seconds


def time_text(milliseconds: int) -> str:
    """A time as `2026-03-03T08:00:00.001Z`; empty if unknown."""
    if milliseconds == NO_TIME:
        return ""
    return f"{moment(milliseconds).replace(tzinfo=None, microsecond=0).isoformat()}.{milliseconds % 1000:03}Z"


def moment(milliseconds: int) -> datetime:
    """The time that a table has as milliseconds; on Windows, `fromtimestamp` knows none before 1970."""
    return _EPOCH + timedelta(milliseconds=milliseconds)
