"""The answer table: one row per answer, and one row per entry of an answer.

An answer is that of one participant to one question of one task. Its entries are the selected options, the
text, the number with its unit, or the files; an empty answer has none. Columns of texts store each text once
and refer to it by number (`TextColumn`), so that a million answers are counted in milliseconds with numpy
alone. DuckDB would add 68 MB to the program for the same; the wheel of Polars alone has 54 MB.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property

import numpy as np

from batchwright.analysis.columns import TextColumn, TextColumnBuilder
from batchwright.analysis.questions import AnalysedQuestion, QuestionKind, removed_question
from batchwright.base.cooperative import yielding_gil
from batchwright.base.json_values import Json, JsonObject, is_array, is_object
from batchwright.layout.item_types.typed_text import parse_number
from batchwright.layout.option_values import as_text, comparison_key

NO_TIME = np.iinfo(np.int64).min
"""Stands for an unknown time."""


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

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def is_empty(self) -> np.ndarray:
        """Whether each answer is without entries."""
        filled = np.zeros(len(self), dtype=bool)
        filled[self.entry_answers] = True
        return ~filled

    @cached_property
    def seconds(self) -> np.ndarray:
        """Seconds from the same participant's answers to the previous task to each answer.

        NaN for the first task of a participant and for unknown times. The answers of a task are sent
        together, so this is the time the page took, including pauses.
        """
        return seconds_since_previous_task(self.participants.codes, self.tasks.codes, self.times)

    def field_column(self, name: str) -> TextColumn:
        """Return the values of a field by answer."""
        return self.fields[name].take(self.tasks.codes)

    def where(self, is_included: np.ndarray) -> "AnswerTable":
        """Return the table with some of the answers: a boolean per answer. Codes stay the same."""
        if bool(is_included.all()):
            return self
        new_rows = np.cumsum(is_included) - 1
        entries = is_included[self.entry_answers]
        return replace(
            self,
            ids=tuple(id for id, included in zip(self.ids, is_included.tolist(), strict=True) if included),
            participants=self.participants.take(is_included),
            tasks=self.tasks.take(is_included),
            question_codes=self.question_codes[is_included],
            times=self.times[is_included],
            entry_answers=new_rows[self.entry_answers[entries]],
            options=self.options[entries],
            values=self.values.take(entries),
            numbers=self.numbers[entries],
            units=self.units.take(entries),
            explanations=self.explanations.take(entries),
            files=self.files.take(entries),
        )

    def entries_of(self, question: int) -> np.ndarray:
        """Return the indexes of the entries of the answers to a question."""
        return np.flatnonzero(self.question_codes[self.entry_answers] == question)

    def answers_of(self, question: int) -> np.ndarray:
        """Return the indexes of the answers to a question."""
        return np.flatnonzero(self.question_codes == question)


def create_table(records: Iterable[Json], questions: Sequence[AnalysedQuestion]) -> AnswerTable:
    """Create the table from response records (wire reference, 7.1 and 10.3); a repeated id is used once.

    Questions that are not in `questions` come last, as texts. What is not a record is omitted.
    """
    builder = _TableBuilder(questions)
    for record in yielding_gil(records):
        if is_object(record) and is_object(response := record.get("response")):
            builder.append(record, response)
    return builder.table()


class _TableBuilder:
    """Collects the columns of the table."""

    def __init__(self, questions: Sequence[AnalysedQuestion]) -> None:
        self._questions = list(questions)
        self._question_codes = {question.id: index for index, question in enumerate(questions)}
        self._ids: dict[str, None] = {}
        self._participants, self._tasks = TextColumnBuilder(), TextColumnBuilder()
        self._codes: list[int] = []
        self._times: list[int] = []
        self._answers: list[int] = []
        self._options: list[int] = []
        self._numbers: list[float] = []
        self._values, self._units = TextColumnBuilder(), TextColumnBuilder()
        self._explanations, self._files = TextColumnBuilder(), TextColumnBuilder()

    def append(self, record: JsonObject, response: JsonObject) -> None:
        row = len(self._ids)
        id = str(record.get("id") or f"row {row + 1}")
        if id in self._ids:
            return
        self._ids[id] = None
        self._participants.append(str(record.get("participant_id") or ""))
        self._tasks.append(str(record.get("task_id") or ""))
        self._times.append(_milliseconds(record.get("created_at")))
        code = self._code(str(response.get("instruction_id") or ""))
        self._codes.append(code)
        entries = response.get("answer")
        for entry in entries if is_array(entries) else ():
            self._append_entry(row, self._questions[code], entry)

    def _code(self, id: str) -> int:
        code = self._question_codes.setdefault(id, len(self._questions))
        if code == len(self._questions):
            self._questions.append(removed_question(id))
        return code

    def _append_entry(self, row: int, question: AnalysedQuestion, entry: Json) -> None:
        parts: JsonObject = entry if is_object(entry) else {"value": entry}
        value = parts.get("value")
        text = None if "value" not in parts else value if isinstance(value, str) else as_text(value)
        self._answers.append(row)
        option = question.option_codes.get(comparison_key(value), -1) if question.options else -1
        self._options.append(option)
        self._values.append(text)
        self._numbers.append(_number(question, option, text))
        unit = parts.get("unit")
        self._units.append(None if unit is None else as_text(unit))
        explanation = parts.get("explanation")
        self._explanations.append(None if explanation is None else as_text(explanation))
        key = parts.get("file_key")
        self._files.append(None if key is None else str(parts.get("file_name") or key))

    def table(self) -> AnswerTable:
        tasks = self._tasks.column()
        return AnswerTable(
            questions=tuple(self._questions),
            ids=tuple(self._ids),
            participants=self._participants.column(),
            tasks=tasks,
            question_codes=np.array(self._codes, dtype=np.int32),
            times=np.array(self._times, dtype=np.int64),
            entry_answers=np.array(self._answers, dtype=np.int64),
            options=np.array(self._options, dtype=np.int32),
            values=self._values.column(),
            numbers=np.array(self._numbers, dtype=np.float64),
            units=self._units.column(),
            explanations=self._explanations.column(),
            files=self._files.column(),
            datapoints=tasks.values,
        )


def seconds_since_previous_task(participants: np.ndarray, tasks: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Return the seconds from the end of a participant's previous task; NaN if there is none, or no time."""
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
    """Return a time as `2026-03-03T08:00:00.001Z`; empty if unknown."""
    if milliseconds == NO_TIME:
        return ""
    moment = datetime.fromtimestamp(milliseconds // 1000, UTC).replace(tzinfo=None)
    return f"{moment.isoformat()}.{milliseconds % 1000:03}Z"


def _milliseconds(value: Json) -> int:
    if not isinstance(value, str):
        return int(NO_TIME)
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return int(NO_TIME)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * 1000)


def _number(question: AnalysedQuestion, option: int, text: str | None) -> float:
    if option >= 0:
        number = question.options[option].number
        return np.nan if number is None else number
    if question.kind is not QuestionKind.NUMBER or text is None:
        return float("nan")
    parsed = parse_number(text)
    return float("nan") if parsed is None else float(parsed)
