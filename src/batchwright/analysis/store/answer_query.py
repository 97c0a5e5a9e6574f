"""Which answers are listed and in which order, and what a row of the list contains. Imports no library."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from batchwright.analysis.store.questions import AnalysedQuestion


class AnswerColumn(StrEnum):
    """A column of the list of answers; for those of the dataset see `FieldColumn`."""

    ANSWERED_AT = "answered_at"
    PARTICIPANT = "participant"
    TASK = "task"
    DATAPOINT = "datapoint"
    QUESTION = "question"
    """Sorted in the order of the layout."""
    ANSWER = "answer"
    """Sorted by number where there is one, otherwise by text."""
    EXPLANATION = "explanation"
    UNIT = "unit"
    FILE = "file"
    PAGE_SECONDS = "page_seconds"
    IS_NEW = "is_new"
    EXCLUSION = "exclusion"
    """The reason why the answer is excluded."""


@dataclass(frozen=True)
class FieldColumn:
    """The column of a field of the dataset."""

    name: str


Column: TypeAlias = AnswerColumn | FieldColumn


@dataclass(frozen=True)
class AnswerQuery:
    """Conditions that answers must all meet, and their order. An empty condition is met by every answer.

    Answers that are equal in the sorted column are ordered by time and id, whatever the direction; those
    without a value come last.
    """

    search: str = ""
    """A text in the answer, the participant, the task, or a value of the dataset; in any case of letters."""
    questions: tuple[str, ...] = ()
    """Ids of questions, of which it answers one."""
    options: tuple[tuple[str, int], ...] = ()
    """Question ids and indexes of options, of which one is selected."""
    participants: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    """Ids of answers."""
    fields: tuple[tuple[str, str], ...] = ()
    """Names and values of fields of the dataset, all of which its task has."""
    since: datetime | None = None
    until: datetime | None = None
    """The end of the time range, which is not part of it."""
    only_new: bool = False
    only_excluded: bool = False
    sort: Column = AnswerColumn.ANSWERED_AT
    is_descending: bool = True


@dataclass(frozen=True)
class AnswerEntry:
    """A selected option, a text, a number, or a file. What it does not have is None."""

    option: int | None
    """Index of the selected option."""
    label: str | None
    """Label of the selected option."""
    value: str | None
    number: float | None
    unit: str | None
    explanation: str | None
    file_name: str | None
    file_key: str | None
    content_type: str | None
    """Media type of the file."""


@dataclass(frozen=True)
class AnswerRow:
    """An answer as a row of the list."""

    number: int
    """Its place in the order of arrival, from 0."""
    id: str
    participant: str
    task: str
    """The id of the task; empty in a collection."""
    datapoint: str
    """The number of the record in the data file if it is known, otherwise the task."""
    question: AnalysedQuestion
    text: str
    """The labels of the selected options, the number with its unit, the text, or the names of the files."""
    entries: tuple[AnswerEntry, ...]
    answered_at: datetime | None
    page_seconds: float | None
    """Seconds from the participant's previous task to this one; None if unknown."""
    is_new: bool
    exclusion: str
    """Why it is excluded; empty if it is not."""
    fields: Mapping[str, str]
    """Known values of the dataset's fields."""


@dataclass(frozen=True)
class AnswerSummary:
    """How many answers, participants and tasks there are, and the times of the first and last answer."""

    answers: int = 0
    participants: int = 0
    tasks: int = 0
    oldest: datetime | None = None
    newest: datetime | None = None
