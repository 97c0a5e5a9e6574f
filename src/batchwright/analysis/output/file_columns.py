"""The answers as columns of equal length, for files.

The long columns have one row per entry of an answer; an empty answer has one row without a value. The wide
columns have one row per participant and task, for statistics programs, and a column per question. Names of
wide columns are short and plain, because SPSS restricts them: `q1` is the first question, `q1_2` whether its
second option was selected, `q1_unit` and `q1_text` are the unit and the explanation. Tables that are read by
people have headings with the words of the question or the name of the field. The codebook explains both.
"""

import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum, auto
from itertools import compress
from itertools import count as counting
from typing import Any

import numpy as np

from batchwright.analysis.statistics.agreement.final_answers import FinalAnswer, FinalAnswers
from batchwright.analysis.statistics.agreement.labels import SEPARATOR
from batchwright.analysis.statistics.groups import MAX_GROUPS
from batchwright.analysis.statistics.participants.repeated_answers import are_repeated
from batchwright.analysis.store.answer_rows import FIELD_PREFIX
from batchwright.analysis.store.answer_table import AnswerTable, time_text
from batchwright.analysis.store.questions import AnalysedQuestion, QuestionKind
from batchwright.analysis.store.text_columns import TextColumn
from batchwright.base.i18n import _
from batchwright.base.plain_numbers import plain_text

_HEADING_CHARS = 40
"""Characters of a question in a heading."""
_FIELD_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)([.][0-9]+)?")
MISSING = "missing"
"""What the values that mean that there is no answer stand for."""


class ColumnType(Enum):
    """The type of a column in files that have types."""

    TEXT = auto()
    NUMBER = auto()
    TIME = auto()


@dataclass(frozen=True)
class FileColumn:
    """A column of a file, with its values as text files have them; a missing value is None.

    Times are texts such as `2026-03-03T08:00:00.001Z`. Numbers of fields are texts, too.
    """

    name: str
    values: list[Any]
    type: ColumnType = ColumnType.TEXT

    @property
    def typed(self) -> "FileColumn":
        """The column for a file with types: its numbers are numbers, its times are `datetime` in UTC."""
        convert = _CONVERSIONS.get(self.type)
        if convert is None:
            return self
        return replace(self, values=[None if value is None else convert(value) for value in self.values])


_CONVERSIONS: Mapping[ColumnType, Callable[[Any], object]] = {
    ColumnType.NUMBER: lambda value: value if isinstance(value, int | float) else float(value),
    ColumnType.TIME: datetime.fromisoformat,
}


def column_names(columns: Sequence[FileColumn]) -> list[str]:
    """The header of a file."""
    return [column.name for column in columns]


def long_columns(
    table: AnswerTable, reasons: Sequence[str], finals: Sequence[FinalAnswer] = ()
) -> list[FileColumn]:
    """The columns of all answers.

    Args:
        table: the answers.
        reasons: the reason of exclusion of each answer, empty if included.
        finals: the final answers about records; without any, they have no column.
    """
    answers, entries = _rows(table)
    participants, tasks = table.participants.take(answers), table.tasks.take(answers)
    questions = table.questions
    codes = table.question_codes[answers].tolist()
    options = np.append(table.options, -1)[entries].tolist()
    pairs = list(zip(codes, options, strict=True))
    columns = [
        FileColumn("answer", [table.ids[row] for row in answers.tolist()]),
        FileColumn("participant", participants.texts()),
        FileColumn("task", tasks.texts()),
        FileColumn("datapoint", _by_code(tasks, table.datapoints)),
        FileColumn("question", [questions[code].id for code in codes]),
        FileColumn("question_text", [questions[code].title for code in codes]),
        FileColumn("kind", [str(questions[code].kind) for code in codes]),
        FileColumn(
            "option",
            [questions[code].options[option].label if option >= 0 else None for code, option in pairs],
        ),
        FileColumn("value", _optional(table.values.take(entries))),
        FileColumn("number", _numbers(np.append(table.numbers, np.nan)[entries]), type=ColumnType.NUMBER),
        FileColumn("unit", _optional(table.units.take(entries))),
        FileColumn("explanation", _optional(table.explanations.take(entries))),
        FileColumn("file", _optional(table.files.take(entries))),
        FileColumn(
            "answered_at",
            [time_text(time) or None for time in table.times[answers].tolist()],
            ColumnType.TIME,
        ),
        FileColumn("seconds", _numbers(table.seconds[answers]), type=ColumnType.NUMBER),
        FileColumn("excluded", [reasons[row] or None for row in answers.tolist()]),
    ]
    if finals:
        columns.append(FileColumn("final_answer", _final_values(questions, codes, tasks.texts(), finals)))
    if table.layouts.has_several:
        versions = table.layouts.version_numbers(table.times[answers], table.timelines[answers])
        columns.append(FileColumn("version", versions.tolist(), type=ColumnType.NUMBER))
    for name, column in table.fields.items():
        type = _field_type(column.values)
        values = _optional(column.take(tasks.codes))
        if type is ColumnType.NUMBER:
            values = [value or None for value in values]
        columns.append(FileColumn(FIELD_PREFIX + name, values, type))
    return columns


def _field_type(values: Iterable[str]) -> ColumnType:
    """NUMBER if all values are numbers that no other text stands for; `007` and long ids are texts."""
    texts = set(values) - {""}
    are_numbers = bool(texts) and all(
        _FIELD_NUMBER.fullmatch(text) and sum(map(str.isdigit, text)) <= sys.float_info.dig for text in texts
    )
    if are_numbers and len(set(map(float, texts))) == len(texts):
        return ColumnType.NUMBER
    return ColumnType.TEXT


def _rows(table: AnswerTable) -> tuple[np.ndarray, np.ndarray]:
    """The answer and the entry of each row, in the order of the answers; -1 for no entry."""
    empty = np.flatnonzero(table.is_empty)
    answers = np.concatenate([table.entry_answers, empty])
    entries = np.concatenate([np.arange(len(table.entry_answers)), np.full(len(empty), -1)])
    order = np.argsort(answers, kind="stable")
    return answers[order], entries[order]


def _final_values(
    questions: Sequence[AnalysedQuestion],
    codes: Sequence[int],
    tasks: Sequence[str],
    finals: Sequence[FinalAnswer],
) -> list[str | None]:
    """The final answer that belongs to each row, given its question and task."""
    by_question = [FinalAnswers(finals).of_question(question) for question in questions]
    return [by_question[code].get(task) for code, task in zip(codes, tasks, strict=True)]


def _by_code(column: TextColumn, values: Sequence[str]) -> list[str]:
    return [values[code] for code in column.codes.tolist()]


def _optional(column: TextColumn) -> list[str | None]:
    values = (*column.values, None)
    return [values[code] for code in column.codes.tolist()]


def _numbers(numbers: np.ndarray) -> list[float | None]:
    return [number if math.isfinite(number) else None for number in numbers.tolist()]


@dataclass(frozen=True)
class WideColumn(FileColumn):
    """A column of the file with one row per participant and task, with its entries of the codebook."""

    label: str = ""
    value_labels: Mapping[float, str] = field(default_factory=dict)
    """The meanings of numbers."""
    question: str = ""
    """The id of the question; empty for other columns."""
    roles: Mapping[float, str] = field(default_factory=dict)
    """What numbers stand for in results, such as `missing` or `left`."""
    level: str = ""
    """The level of the question, if a researcher has chosen one."""
    has_order: bool = False
    """Whether the values with labels are a scale."""
    excluded_rows: Sequence[bool] = ()
    """Whether the value of each row is excluded."""

    @property
    def heading(self) -> str:
        """The name in tables: that of the field, or of the question with its first words."""
        if self.name.startswith("field"):
            return FIELD_PREFIX + self.label
        words = "_".join(re.findall(r"\w+", self.label.casefold())) if self.question else ""
        return f"{self.name}_{words[:_HEADING_CHARS].strip('_')}".rstrip("_")

    def for_people(self) -> FileColumn:
        """The column with its heading; codes are written as in the codebook: `1` instead of `1.0`."""
        codes = {value: int(value) for value in self.value_labels if value.is_integer()}
        values = [codes.get(value, value) for value in self.values] if codes else self.values
        return FileColumn(self.heading, values, self.type)


@dataclass(frozen=True)
class CodebookRow:
    """A column, or one of its values, in the file with one row per participant and task."""

    column: str
    """The name of the column in SPSS files."""
    heading: str
    """Its name in tables."""
    label: str
    question: str
    value: str
    value_label: str
    role: str
    """The level of the question, or what the value stands for in results: `missing`, `left` and so on."""
    count: int
    """How many rows have a value, or this one, and are not excluded."""
    count_excluded: int
    """How many further rows have it and are excluded."""


def wide_columns(
    table: AnswerTable, reasons: Sequence[str], finals: Sequence[FinalAnswer] = ()
) -> list[WideColumn]:
    """The columns.

    Args:
        table: the answers.
        reasons: the reason of exclusion of each answer, empty if included.
        finals: the final answers about records; questions without any have no column for them.

    Of repeated answers, the last one that is not excluded counts.
    """
    counts = ~are_repeated(table, np.array([bool(reason) for reason in reasons], dtype=bool))
    table, reasons = table.where(counts), list(compress(reasons, counts.tolist()))
    keys = table.participants.codes.astype(np.int64) * (len(table.tasks.values) + 1) + table.tasks.codes
    _keys, first, row_of = np.unique(keys, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))  # rows in the order of the answers
    rows, first = rank[row_of.reshape(-1)], np.sort(first)
    tasks = table.tasks.take(first)
    fields: list[WideColumn] = []
    columns = [
        WideColumn("participant", table.participants.take(first).texts(), label=_("Participant")),
        *_task_columns(table, tasks),
        WideColumn(
            "answered_at", _times(table, rows, len(first)), ColumnType.TIME, _("Time of the answer (UTC)")
        ),
        WideColumn("excluded", _reasons(reasons, rows, len(first)), label=_("Reason of exclusion")),
    ]
    for number, (name, column) in enumerate(table.fields.items(), start=1):
        values = [text or None for text in column.take(tasks.codes).texts()]
        fields.append(WideColumn(f"field{number}", values, _field_type(column.values), name))
    is_excluded = np.array([bool(reason) for reason in reasons], dtype=bool)
    excluded_rows = _excluded_rows(rows, is_excluded, len(first))
    about_rows = [replace(column, excluded_rows=excluded_rows) for column in (*columns, *fields)]
    decided = FinalAnswers(finals)
    about_questions = [
        replace(column, excluded_rows=excluded_rows)
        for index, question in enumerate(table.questions)
        for answers in [table.answers_of(index)]
        for excluded_rows in [_excluded_rows(rows[answers], is_excluded[answers], len(first))]
        for column in (
            *_question_columns(table, index, question, rows, len(first)),
            *_final_column(index, question, tasks, decided.of_question(question)),
        )
    ]
    return [*about_rows[: len(columns)], *about_questions, *about_rows[len(columns) :]]


def _final_column(
    index: int, question: AnalysedQuestion, tasks: TextColumn, finals: Mapping[str, str]
) -> Iterator[WideColumn]:
    """Yield the column with the final answer about the record of each row, if there are any."""
    if not any(task in finals for task in tasks.values):
        return
    values = [finals.get(task) for task in tasks.texts()]
    name, title = f"q{index + 1}_final", _("{question}: final answer").format(question=question.title)
    numbers = dict(zip((of.value for of in question.options), option_numbers(question), strict=True))
    if question.kind is not QuestionKind.CHOICE or not numbers.keys() >= {*values} - {None}:
        yield WideColumn(name, values, label=title, question=question.id)
        return
    labels = {numbers[option.value]: option.label for option in question.options}
    coded = [None if value is None else numbers[value] for value in values]
    yield WideColumn(name, coded, ColumnType.NUMBER, title, labels, question.id, has_order=question.is_scale)


def _excluded_rows(rows: np.ndarray, is_excluded: np.ndarray, count: int) -> list[bool]:
    """Whether each row has answers, and all of them are excluded: the row and whether it is, per answer."""
    included = np.bincount(rows[~is_excluded], minlength=count)
    excluded: list[bool] = ((included == 0) & (np.bincount(rows, minlength=count) > 0)).tolist()
    return excluded


def _task_columns(table: AnswerTable, tasks: TextColumn) -> Iterator[WideColumn]:
    """Yield the columns that say what each row is about; in a survey it is the participant."""
    if not table.is_survey:
        yield WideColumn("task", tasks.texts(), label=_("Task"))
        yield WideColumn("datapoint", _by_code(tasks, table.datapoints), label=_("Datapoint"))


def codebook_rows(columns: Sequence[WideColumn]) -> Iterator[CodebookRow]:
    """Yield each column, followed by its values if they have labels, stand for something, or are few."""
    for column in columns:
        counts = Counter(column.values)
        excluded = Counter(compress(column.values, column.excluded_rows))
        for counter in (counts, excluded):
            del counter[None]
        names = column.name, column.heading, column.label, column.question
        included = counts.total() - excluded.total()
        yield CodebookRow(*names, "", "", column.level, included, excluded.total())
        texts = list(counts)
        if column.value_labels or column.roles:
            values = column.value_labels or dict.fromkeys(column.roles, "")
            listed = [(value, plain_text(value), label) for value, label in values.items()]
        elif column.name.startswith("field") and len(texts) <= MAX_GROUPS:
            listed = [(text, text, "") for text in sorted(texts)]
        else:
            listed = []
        for value, text, label in listed:
            role = column.roles.get(value, "")
            count = counts[value] - excluded[value]
            yield CodebookRow(*names, text, label, role, count, excluded[value])


def option_numbers(question: AnalysedQuestion) -> list[float]:
    """The number that stands for each option: its value on a scale, otherwise its position from 1.

    On a scale, options that mean missing and have no number get the following ones.
    """
    if question.is_scale:
        highest = max(option.number or 0.0 for option in question.options)
        further = counting(math.floor(highest) + 1)
        return [
            float(next(further)) if option.number is None else option.number for option in question.options
        ]
    return [float(number) for number in range(1, len(question.options) + 1)]


def _times(table: AnswerTable, rows: np.ndarray, count: int) -> list[str | None]:
    latest = np.full(count, np.iinfo(np.int64).min)
    np.maximum.at(latest, rows, table.times)
    return [time_text(time) or None for time in latest.tolist()]


def _reasons(reasons: Sequence[str], rows: np.ndarray, count: int) -> list[str | None]:
    """The reasons for the answers in each row."""
    by_row: dict[int, dict[str, None]] = {}
    for row, reason in zip(rows.tolist(), reasons, strict=True):
        if reason:
            by_row.setdefault(row, {})[reason] = None
    return [SEPARATOR.join(by_row[row]) if row in by_row else None for row in range(count)]


def _question_columns(
    table: AnswerTable, index: int, question: AnalysedQuestion, rows: np.ndarray, count: int
) -> Iterator[WideColumn]:
    name, entries = f"q{index + 1}", table.entries_of(index)
    entry_rows = rows[table.entry_answers[entries]].tolist()

    def texts(values: Sequence[str]) -> list[str | None]:
        """The texts of each row, joined; None without one."""
        joined: dict[int, str] = {}
        for row, text in zip(entry_rows, values, strict=True):
            if text:
                joined[row] = f"{joined[row]}{SEPARATOR}{text}" if row in joined else text
        return [joined.get(row) for row in range(count)]

    options = table.options[entries].tolist()
    if question.kind is QuestionKind.CHOICE:
        option_values, chosen = option_numbers(question), dict(zip(entry_rows, options, strict=True))
        labels = dict(zip(option_values, (option.label for option in question.options), strict=True))
        values = [option_values[chosen[row]] if chosen.get(row, -1) >= 0 else None for row in range(count)]
        roles = _roles_of_options(question, option_values)
        level = str(question.level or "")
        yield WideColumn(
            name,
            values,
            ColumnType.NUMBER,
            question.title,
            labels,
            question.id,
            roles,
            level,
            has_order=question.is_scale,
        )
    elif question.kind is QuestionKind.CHOICES:
        yield from _option_columns(table, index, question, rows, count)
    elif question.kind is QuestionKind.NUMBER:
        found = dict(zip(entry_rows, table.numbers[entries].tolist(), strict=True))
        numbers = [
            value if math.isfinite(value := found.get(row, math.nan)) else None for row in range(count)
        ]
        missing = dict.fromkeys(question.missing_numbers, MISSING)
        level = str(question.level or "")
        number = ColumnType.NUMBER
        yield WideColumn(name, numbers, number, question.title, {}, question.id, missing, level)
    elif question.kind is QuestionKind.FILE:
        files = texts(table.files.take(entries).texts())
        yield WideColumn(name, files, label=question.title, question=question.id)
    else:
        answers = texts(table.values.take(entries).texts())
        yield WideColumn(name, answers, label=question.title, question=question.id)
    for suffix, column in (("unit", table.units), ("text", table.explanations)):
        more = texts(column.take(entries).texts())
        if any(more):
            yield WideColumn(f"{name}_{suffix}", more, label=question.title, question=question.id)


def _roles_of_options(question: AnalysedQuestion, numbers: Sequence[float]) -> dict[float, str]:
    """What the numbers of options stand for: a missing answer, or something about two sides."""
    return {
        number: MISSING if option.is_missing else str(option.outcome)
        for number, option in zip(numbers, question.options, strict=True)
        if option.is_missing or (question.is_comparison and option.outcome)
    }


def _option_columns(
    table: AnswerTable, index: int, question: AnalysedQuestion, rows: np.ndarray, count: int
) -> Iterator[WideColumn]:
    """Yield for each option whether it was selected: 1 or 0; missing without an answer."""
    answered = np.zeros(count, dtype=bool)
    answered[rows[table.answers_of(index)]] = True
    entries = table.entries_of(index)
    for number, option in enumerate(question.options):
        selected = np.zeros(count, dtype=bool)
        selected[rows[table.entry_answers[entries[table.options[entries] == number]]]] = True
        values = [
            float(chosen) if given else None
            for chosen, given in zip(selected.tolist(), answered.tolist(), strict=True)
        ]
        labels = {0.0: _("not selected"), 1.0: _("selected")}
        title = f"{question.title}: {option.label}"
        roles = {1.0: MISSING} if option.is_missing else {}
        name = f"q{index + 1}_{number + 1}"
        yield WideColumn(name, values, ColumnType.NUMBER, title, labels, question.id, roles)
