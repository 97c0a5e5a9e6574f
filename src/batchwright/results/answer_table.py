"""The table of answers: one row per participant and task, with the answer to each question as text.

Each row has a title that distinguishes its record from the others of the batch.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from batchwright.base.cooperative import yielding_gil
from batchwright.base.json_values import Json
from batchwright.layout.item_types.registry import Choice, FreeText
from batchwright.layout.option_values import as_text, option_of
from batchwright.results.questions import AnsweredQuestion, questions_of
from batchwright.wire.collections import AnswerRecord
from batchwright.wire.local_routes import is_simulated

MAX_TITLE_CHARS = 160
"""Maximum number of characters of a title."""

_MAX_FIELDS = 2
"""Maximum number of fields in a title."""

_ID_SUFFIX_CHARS = 8
"""Number of characters from the end of a key that are appended to identical titles."""

_MIN_DISTINCT_SHARE = 0.9
"""A preferred field is used if it has this fraction of the distinct values of the best field."""


def titles_of(records: Mapping[str, Mapping[str, str]], preferred: Sequence[str]) -> dict[str, str]:
    """Create a title for each record, under the keys of `records`; empty for a record without values.

    The field with the most distinct values is used, `preferred` fields first, and a second field where values
    of the first are equal. White space is collapsed and long values are truncated. Titles that are still
    equal end with the last characters of their key, the id of a task.
    """
    fields: list[str] = []
    titles = dict.fromkeys(records, "")
    names = _ordered_names(records.values(), preferred)
    while len(fields) < _MAX_FIELDS and (name := _most_distinct_field(records, titles, names, fields)):
        fields.append(name)
        for key, record in yielding_gil(records.items()):
            values = (_single_line(record.get(field, "")) for field in fields)
            titles[key] = " · ".join(filter(None, values))[:MAX_TITLE_CHARS]
    return _distinct(titles)


def _distinct(titles: dict[str, str]) -> dict[str, str]:
    """Append the end of the key to titles that several records share."""
    times = Counter(yielding_gil(titles.values()))
    return {
        key: _with_end(title, key) if title and times[title] > 1 else title
        for key, title in yielding_gil(titles.items())
    }


def _with_end(title: str, key: str) -> str:
    end = " · " + _single_line(key)[-_ID_SUFFIX_CHARS:]
    return title[: MAX_TITLE_CHARS - len(end)] + end


def _ordered_names(records: Iterable[Mapping[str, str]], preferred: Sequence[str]) -> tuple[str, ...]:
    names_seen: dict[str, None] = {}
    for record in yielding_gil(records):
        names_seen.update(dict.fromkeys(record))
    return (
        *(name for name in preferred if name in names_seen),
        *(name for name in names_seen if name not in preferred),
    )


def _most_distinct_field(
    records: Mapping[str, Mapping[str, str]],
    titles: Mapping[str, str],
    names: Sequence[str],
    fields: Sequence[str],
) -> str | None:
    """Return the field that best distinguishes records whose titles are equal so far; None if none does."""
    times = Counter(yielding_gil(titles.values()))
    alike = [records[key] for key, title in yielding_gil(titles.items()) if times[title] > 1 or not title]
    counts = {
        name: len({line for record in yielding_gil(alike) if (line := _single_line(record.get(name, "")))})
        for name in names
        if name not in fields
    }
    most = max(counts.values(), default=0)
    least = 1 if not fields else 2
    if most < least:
        return None
    return next(name for name, count in counts.items() if count >= _MIN_DISTINCT_SHARE * most)


def _single_line(text: str) -> str:
    return " ".join(text[: 4 * MAX_TITLE_CHARS].split())[:MAX_TITLE_CHARS]


@dataclass(frozen=True)
class Answer:
    """An answer as text; `chosen`: indexes of selected options, `other`: values that are not options now."""

    text: str
    chosen: tuple[int, ...] = ()
    other_values: tuple[str, ...] = ()


@dataclass(frozen=True)
class TaskAnswers:
    """The answers of one participant to one task, by id of the question."""

    participant: str
    task_id: str
    title: str
    """Distinguishes the record from others; empty if no values of it are known."""
    record: Mapping[str, str]
    """Known values of the record by field: its metadata, or all values if the data file has it."""
    is_record_complete: bool
    """Whether `record` is complete."""
    answers: Mapping[str, Answer]
    answered_at: datetime | None
    search_text: str
    """The text that is searched besides the title, in lower case."""
    submission: str = ""
    """The id of the submission to a collection, which a participant may answer more than once."""

    @property
    def has_task(self) -> bool:
        """Whether they answer a task; a collection has none."""
        return bool(self.task_id)

    @property
    def is_simulated(self) -> bool:
        """Whether the participant is simulated."""
        return is_simulated(self.participant)

    def is_same_task(self, other: "TaskAnswers") -> bool:
        """Whether `other` has the same participant and task, or submission to a collection."""
        return (self.participant, self.task_id, self.submission) == (
            other.participant,
            other.task_id,
            other.submission,
        )


@dataclass(frozen=True)
class Answers:
    """All answers of a batch, newest task first; created by `group_answers`."""

    questions: tuple[AnsweredQuestion, ...] = ()
    sheets: tuple[TaskAnswers, ...] = ()
    count: int = 0
    """Number of answers."""
    participants: tuple[str, ...] = ()
    """The participants, ordered by their newest answers."""
    tasks: int = 0
    """Number of tasks with an answer."""
    newest: datetime | None = None
    """Time of the latest answer."""


def group_answers(records: Iterable[AnswerRecord], batch_items: Json) -> Answers:
    """Group the answers of a batch by participant and task, and those of a collection by submission.

    Questions that are no longer in its layout come last, titled with their id. The records are iterated once
    and not kept, so a long list can be passed while it is being parsed.
    """
    questions = dict(questions_of(batch_items))
    builders: dict[tuple[str, str, str], _TaskAnswersBuilder] = {}
    removed_ids: dict[str, None] = {}
    for record in records:
        id = record.response.instruction_id
        submission = "" if record.task_id else record.submission_id or ""
        key = record.participant_id, record.task_id or "", submission
        builder = builders.get(key) or builders.setdefault(key, _TaskAnswersBuilder())
        builder.add(record, _answer(record, questions.get(id)))
        if id not in questions:
            removed_ids[id] = None
    metadata: dict[str, Mapping[str, str]] = {}
    for (_person, task_id, _submission), builder in yielding_gil(builders.items()):
        metadata.setdefault(task_id, builder.metadata)
    titles = titles_of(metadata, ())
    sheets = [
        replace(builder.sheet(person, task_id, titles[task_id], metadata[task_id]), submission=submission)
        for (person, task_id, submission), builder in yielding_gil(builders.items())
    ]
    sheets.sort(key=_answer_time, reverse=True)
    return Answers(
        (*questions.values(), *map(_removed_question, removed_ids)),
        tuple(sheets),
        sum(len(sheet.answers) for sheet in sheets),
        tuple(dict.fromkeys(sheet.participant for sheet in sheets)),
        len({sheet.task_id for sheet in sheets}),
        sheets[0].answered_at if sheets else None,
    )


def with_records(
    answers: Answers, records: Mapping[str, Mapping[str, str]], preferred: Sequence[str]
) -> Answers:
    """Add complete records, by id of their task, and create titles that also use their fields.

    `preferred` are the fields that participants see; titles use them if possible.
    """
    if not records:
        return answers
    records_by_task = {
        sheet.task_id: records.get(sheet.task_id, sheet.record) for sheet in yielding_gil(answers.sheets)
    }
    titles = titles_of(records_by_task, preferred)
    sheets = tuple(
        replace(
            sheet,
            title=titles[sheet.task_id],
            record=records_by_task[sheet.task_id],
            is_record_complete=sheet.task_id in records,
        )
        for sheet in yielding_gil(answers.sheets)
    )
    return replace(answers, sheets=sheets)


class _TaskAnswersBuilder:
    """Collects the answers of one participant to one task."""

    def __init__(self) -> None:
        self._answers: dict[str, Answer] = {}
        self.metadata: Mapping[str, str] = {}
        """The metadata values of the record that are not empty."""
        self._answered_at: datetime | None = None

    def add(self, record: AnswerRecord, answer: Answer) -> None:
        self._answers[record.response.instruction_id] = answer
        moment = record.created_at
        if moment is not None and (self._answered_at is None or moment > self._answered_at):
            self._answered_at = moment
        if not self.metadata and record.metadata:
            self.metadata = {
                key: as_text(value) for key, value in record.metadata.items() if value not in (None, "")
            }

    def sheet(self, participant: str, task_id: str, title: str, metadata: Mapping[str, str]) -> TaskAnswers:
        texts = (answer.text for answer in self._answers.values())
        searched = "\n".join((participant, task_id, *metadata.values(), *texts)).casefold()
        return TaskAnswers(
            participant,
            task_id,
            title,
            metadata,
            is_record_complete=False,
            answers=self._answers,
            answered_at=self._answered_at,
            search_text=searched,
        )


def _answer(record: AnswerRecord, question: AnsweredQuestion | None) -> Answer:
    entries = record.response.answer
    if question is None:
        return Answer(", ".join(as_text(_value(entry)) for entry in entries))
    text = question.item.format_answer(list(entries))
    if not isinstance(question.item, Choice):
        return Answer(text)
    values = [_value(entry) for entry in entries]
    numbers = [option_of(question.item.options, value) for value in values]
    other = tuple(as_text(value) for value, number in zip(values, numbers, strict=True) if number is None)
    return Answer(text, tuple(number for number in numbers if number is not None), other)


def _value(entry: Json) -> Json:
    return entry.get("value", entry.get("file_name", "")) if isinstance(entry, Mapping) else entry


def _removed_question(id: str) -> AnsweredQuestion:
    return AnsweredQuestion(id, FreeText(key=id, attributes={"type": "free_text", "description": id}))


def _answer_time(sheet: TaskAnswers) -> float:
    return sheet.answered_at.timestamp() if sheet.answered_at else 0.0
