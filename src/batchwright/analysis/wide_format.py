"""The answers with one row per participant and task, for statistics programs: a column per question.

Names are short and plain, because these programs restrict them: `q1` is the first question, `q1_2` whether
its second option was selected, `q1_unit` and `q1_text` what was given with it. The codebook explains them.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from batchwright.analysis.answer_table import AnswerTable, time_text
from batchwright.analysis.groups import MAX_GROUPS
from batchwright.analysis.questions import AnalysedQuestion, QuestionKind
from batchwright.base.i18n import _

SEPARATOR = "; "


@dataclass(frozen=True)
class WideColumn:
    """A column of a file; a missing value is None."""

    name: str
    label: str
    values: list[Any]
    is_number: bool = False
    value_labels: Mapping[float, str] = field(default_factory=dict)
    """What numbers stand for."""
    question: str = ""
    """The id of the question; empty for other columns."""


@dataclass(frozen=True)
class CodebookRow:
    """A column, or one of its values, in the file with one row per participant and task."""

    column: str
    label: str
    question: str
    value: str
    value_label: str
    count: int
    """How many rows have a value, or this one."""


def wide_columns(table: AnswerTable, reasons: Sequence[str]) -> list[WideColumn]:
    """Return the columns; `reasons` has the reason of exclusion of each answer, empty if included."""
    keys = table.participants.codes.astype(np.int64) * (len(table.tasks.values) + 1) + table.tasks.codes
    _keys, first, row_of = np.unique(keys, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))  # rows in the order of the answers
    rows, first = rank[row_of.reshape(-1)], np.sort(first)
    tasks = table.tasks.take(first)
    columns = [
        WideColumn("participant", _("Participant"), table.participants.take(first).texts()),
        WideColumn("task", _("Task"), tasks.texts()),
        WideColumn("datapoint", _("Datapoint"), [table.datapoints[code] for code in tasks.codes.tolist()]),
        WideColumn("answered_at", _("Time of the answer"), _times(table, rows, len(first))),
        WideColumn("excluded", _("Reason of exclusion"), _reasons(reasons, rows, len(first))),
    ]
    for index, question in enumerate(table.questions):
        columns += _question_columns(table, index, question, rows, len(first))
    for number, (name, column) in enumerate(table.fields.items(), start=1):
        values = [text or None for text in column.take(tasks.codes).texts()]
        columns.append(WideColumn(f"field{number}", name, values))
    return columns


def codebook_rows(columns: Sequence[WideColumn]) -> Iterator[CodebookRow]:
    """Yield each column, followed by its values if they have labels or are few."""
    for column in columns:
        counts = Counter(value for value in column.values if value is not None)
        yield CodebookRow(column.name, column.label, column.question, "", "", counts.total())
        if column.value_labels:
            for value, label in column.value_labels.items():
                yield CodebookRow(
                    column.name, column.label, column.question, f"{value:g}", label, counts[value]
                )
        elif column.name.startswith("field") and len(counts) <= MAX_GROUPS:
            for text in sorted(counts):
                yield CodebookRow(column.name, column.label, "", text, "", counts[text])


def option_numbers(question: AnalysedQuestion) -> list[float]:
    """Return the number that stands for each option: its value on a scale, otherwise its position from 1."""
    if question.is_scale:
        return [option.number or 0.0 for option in question.options]
    return [float(number) for number in range(1, len(question.options) + 1)]


def _times(table: AnswerTable, rows: np.ndarray, count: int) -> list[str | None]:
    latest = np.full(count, np.iinfo(np.int64).min)
    np.maximum.at(latest, rows, table.times)
    return [time_text(time) or None for time in latest.tolist()]


def _reasons(reasons: Sequence[str], rows: np.ndarray, count: int) -> list[str | None]:
    """Return the reasons for the answers in each row."""
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
        """Return the texts of each row, joined; None without one."""
        joined: dict[int, str] = {}
        for row, text in zip(entry_rows, values, strict=True):
            if text:
                joined[row] = f"{joined[row]}{SEPARATOR}{text}" if row in joined else text
        return [joined.get(row) for row in range(count)]

    options = table.options[entries].tolist()
    if question.kind is QuestionKind.CHOICE:
        numbers, chosen = option_numbers(question), dict(zip(entry_rows, options, strict=True))
        labels = dict(zip(numbers, (option.label for option in question.options), strict=True))
        values = [numbers[chosen[row]] if chosen.get(row, -1) >= 0 else None for row in range(count)]
        yield WideColumn(name, question.title, values, True, labels, question.id)
    elif question.kind is QuestionKind.CHOICES:
        yield from _option_columns(table, index, question, rows, count)
    elif question.kind is QuestionKind.NUMBER:
        found = dict(zip(entry_rows, table.numbers[entries].tolist(), strict=True))
        given = [value if math.isfinite(value := found.get(row, math.nan)) else None for row in range(count)]
        yield WideColumn(name, question.title, given, is_number=True, question=question.id)
    elif question.kind is QuestionKind.FILE:
        yield WideColumn(name, question.title, texts(table.files.take(entries).texts()), question=question.id)
    else:
        yield WideColumn(
            name, question.title, texts(table.values.take(entries).texts()), question=question.id
        )
    for suffix, column in (("unit", table.units), ("text", table.explanations)):
        more = texts(column.take(entries).texts())
        if any(more):
            yield WideColumn(f"{name}_{suffix}", question.title, more, question=question.id)


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
        yield WideColumn(f"q{index + 1}_{number + 1}", title, values, True, labels, question.id)
