"""The answers as columns of equal length, one row per entry of an answer, for files.

An empty answer has one row without a value.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from batchwright.analysis.answer_table import AnswerTable, time_text
from batchwright.analysis.columns import TextColumn

FIELD_PREFIX = "field_"
"""Starts the names of columns with fields of the dataset."""


@dataclass(frozen=True)
class LongColumn:
    """A column of a file; a missing value is None. `is_number`: all other values are numbers."""

    name: str
    values: list[Any]
    is_number: bool = False


def long_columns(table: AnswerTable, reasons: Sequence[str]) -> list[LongColumn]:
    """Return the columns of all answers; `reasons` has the reason of exclusion of each, empty if included."""
    answers, entries = _rows(table)
    participants, tasks = table.participants.take(answers), table.tasks.take(answers)
    questions = table.questions
    codes = table.question_codes[answers].tolist()
    options = np.append(table.options, -1)[entries].tolist()
    pairs = list(zip(codes, options, strict=True))
    columns = [
        LongColumn("answer", [table.ids[row] for row in answers.tolist()]),
        LongColumn("participant", participants.texts()),
        LongColumn("task", tasks.texts()),
        LongColumn("datapoint", _by_code(tasks, table.datapoints)),
        LongColumn("question", [questions[code].id for code in codes]),
        LongColumn("question_text", [questions[code].title for code in codes]),
        LongColumn("kind", [str(questions[code].kind) for code in codes]),
        LongColumn(
            "option",
            [questions[code].options[option].label if option >= 0 else None for code, option in pairs],
        ),
        LongColumn("value", _optional(table.values.take(entries))),
        LongColumn("number", _numbers(np.append(table.numbers, np.nan)[entries]), is_number=True),
        LongColumn("unit", _optional(table.units.take(entries))),
        LongColumn("explanation", _optional(table.explanations.take(entries))),
        LongColumn("file", _optional(table.files.take(entries))),
        LongColumn("answered_at", [time_text(time) or None for time in table.times[answers].tolist()]),
        LongColumn("seconds", _numbers(table.seconds[answers]), is_number=True),
        LongColumn("excluded", [reasons[row] or None for row in answers.tolist()]),
    ]
    for name, column in table.fields.items():
        columns.append(LongColumn(FIELD_PREFIX + name, _optional(column.take(tasks.codes))))
    return columns


def _rows(table: AnswerTable) -> tuple[np.ndarray, np.ndarray]:
    """Return the answer and the entry of each row, in the order of the answers; -1 for no entry."""
    empty = np.flatnonzero(table.is_empty)
    answers = np.concatenate([table.entry_answers, empty])
    entries = np.concatenate([np.arange(len(table.entry_answers)), np.full(len(empty), -1)])
    order = np.argsort(answers, kind="stable")
    return answers[order], entries[order]


def _by_code(column: TextColumn, values: Sequence[str]) -> list[str]:
    return [values[code] for code in column.codes.tolist()]


def _optional(column: TextColumn) -> list[str | None]:
    values = (*column.values, None)
    return [values[code] for code in column.codes.tolist()]


def _numbers(numbers: np.ndarray) -> list[float | None]:
    return [number if math.isfinite(number) else None for number in numbers.tolist()]
