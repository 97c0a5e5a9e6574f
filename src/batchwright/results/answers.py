"""Answers as people read them: for each participant and task one sheet, with the answer to each question."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from batchwright.layout.answers import answer_text
from batchwright.layout.answers.judging import option_of
from batchwright.layout.model import Choice, FreeText
from batchwright.layout.option_values import as_text
from batchwright.records.json_values import Json
from batchwright.results.questions import Question, questions_of
from batchwright.wire.local import is_simulated
from batchwright.wire.responses import ResponseRecord


@dataclass(frozen=True)
class Answer:
    """One answer in words; `chosen` are the numbers of the options chosen, `other` what is no option now."""

    text: str
    chosen: tuple[int, ...] = ()
    other: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sheet:
    """What one participant answered to one task, by the id of the question."""

    participant: str
    task_id: str
    title: str
    """What the record is known by: its first hidden value; empty when it has none."""
    answers: Mapping[str, Answer]
    answered_at: datetime | None

    @property
    def is_simulated(self) -> bool:
        """Whether no person answered."""
        return is_simulated(self.participant)

    @property
    def words(self) -> str:
        """Everything that searching looks at, in small letters."""
        texts = (answer.text for answer in self.answers.values())
        return "\n".join((self.participant, self.task_id, self.title, *texts)).casefold()


@dataclass(frozen=True)
class Answers:
    """All answers of a batch, the newest sheet first."""

    questions: tuple[Question, ...] = ()
    sheets: tuple[Sheet, ...] = ()

    @property
    def count(self) -> int:
        """How many answers there are."""
        return sum(len(sheet.answers) for sheet in self.sheets)

    @property
    def people(self) -> tuple[str, ...]:
        """The participants, in the order of their newest answers."""
        return tuple(dict.fromkeys(sheet.participant for sheet in self.sheets))

    @property
    def tasks(self) -> int:
        """How many tasks have an answer."""
        return len({sheet.task_id for sheet in self.sheets})

    @property
    def newest(self) -> datetime | None:
        """When the last answer came."""
        return max((sheet.answered_at for sheet in self.sheets if sheet.answered_at), default=None)


def gather(records: Iterable[ResponseRecord], batch_items: Json) -> Answers:
    """The answers of a batch; a question that its layout no longer asks stands at the end, by its id."""
    questions = dict(questions_of(batch_items))
    sheets: dict[tuple[str, str], list[ResponseRecord]] = {}
    gone: dict[str, None] = {}
    for record in records:
        sheets.setdefault((record.participant_id, record.task_id or ""), []).append(record)
        if record.response.instruction_id not in questions:
            gone[record.response.instruction_id] = None
    made = [_sheet(key, group, questions) for key, group in sheets.items()]
    made.sort(key=_moment, reverse=True)
    return Answers((*questions.values(), *map(_forgotten, gone)), tuple(made))


def _sheet(key: tuple[str, str], records: list[ResponseRecord], questions: Mapping[str, Question]) -> Sheet:
    participant, task_id = key
    answers = {
        record.response.instruction_id: _answer(record, questions.get(record.response.instruction_id))
        for record in records
    }
    hidden = next((record.metadata for record in records if record.metadata), {})
    title = next((as_text(value) for value in hidden.values() if value not in (None, "")), "")
    moments = [record.created_at for record in records if record.created_at is not None]
    return Sheet(participant, task_id, title, answers, max(moments, default=None))


def _answer(record: ResponseRecord, question: Question | None) -> Answer:
    given = record.response.answer
    if question is None:
        return Answer(", ".join(as_text(_value(entry)) for entry in given))
    text = answer_text(question.item, list(given))
    if not isinstance(question.item, Choice):
        return Answer(text)
    values = [_value(entry) for entry in given]
    numbers = [option_of(question.item.options, value) for value in values]
    other = tuple(as_text(value) for value, number in zip(values, numbers, strict=True) if number is None)
    return Answer(text, tuple(number for number in numbers if number is not None), other)


def _value(entry: Json) -> Json:
    return entry.get("value", entry.get("file_name", "")) if isinstance(entry, Mapping) else entry


def _forgotten(id: str) -> Question:
    return Question(id, FreeText(key=id, attributes={"type": "free_text", "description": id}))


def _moment(sheet: Sheet) -> float:
    return sheet.answered_at.timestamp() if sheet.answered_at else 0.0
