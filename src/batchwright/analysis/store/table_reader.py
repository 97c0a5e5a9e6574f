"""Reads the columns of an answer table from the database of an answer store."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from batchwright.analysis.store.answer_table import NO_TIME, AnswerTable, PageTimes
from batchwright.analysis.store.layout_versions import LayoutVersions
from batchwright.analysis.store.questions import LARGEST_NUMBER, AnalysedQuestion
from batchwright.analysis.store.text_columns import TextColumn

PART_ROWS = 20_000
"""Rows that are converted to Python values at once, while the interpreter lock is held."""


def read_table(
    reader: Any,
    questions: tuple[AnalysedQuestion, ...],
    question_ids: Sequence[str],
    instruction_ids: Sequence[str],
    layouts: LayoutVersions,
) -> AnswerTable:
    """Read the columns of an answer table; `questions` has all questions with answers."""
    answers = _numpy(
        reader, "SELECT participant, task, question, instruction, time FROM answers ORDER BY number"
    )
    entries = _numpy(
        reader,
        'SELECT answer, coalesce("option", -1)::INTEGER AS "option", amount '
        "FROM entries ORDER BY answer, place",
    )
    index_of = {question.id: index for index, question in enumerate(questions)}
    indexes = np.array([index_of.get(id, -1) for id in question_ids], dtype=np.int32)
    tasks = tuple(ordered_texts(reader, "tasks", "id"))
    names = [name for (name,) in reader.execute("SELECT name FROM fields ORDER BY number").fetchall()]
    times = np.ma.filled(answers["time"], NO_TIME)
    return AnswerTable(
        questions=questions,
        ids=tuple(ordered_texts(reader, "answers", "id")),
        participants=TextColumn(answers["participant"], tuple(ordered_texts(reader, "participants", "id"))),
        tasks=TextColumn(answers["task"], tasks),
        question_codes=indexes[answers["question"]],
        times=times,
        page_times=PageTimes(answers["participant"], answers["task"], times),
        places_in_all=np.arange(len(times)),
        entry_answers=entries["answer"].astype(np.int64),
        options=entries["option"],
        values=_entry_texts(reader, "value"),
        numbers=_computable(np.ma.filled(entries["amount"], np.nan)),
        units=_entry_texts(reader, "unit"),
        explanations=_entry_texts(reader, "explanation"),
        files=_entry_texts(reader, "file"),
        fields={name: _field(reader, number, len(tasks)) for number, name in enumerate(names)},
        datapoints=tuple(ordered_texts(reader, "tasks", "datapoint")),
        timelines=layouts.timeline_indexes(instruction_ids)[answers["instruction"]],
        layouts=layouts,
    )


def _computable(numbers: np.ndarray) -> np.ndarray:
    """Numbers with NaN in place of those that are too large for statistics."""
    return np.where(np.abs(numbers) <= LARGEST_NUMBER, numbers, np.nan)


def _entry_texts(reader: Any, column: str) -> TextColumn:
    """A column of texts of entries; each text has the number of its first appearance."""
    reader.execute(
        f"""
        CREATE OR REPLACE TEMP TABLE texts AS
        SELECT {column} AS text, (row_number() OVER (ORDER BY min((answer, place))) - 1)::INTEGER AS number
        FROM entries WHERE {column} IS NOT NULL GROUP BY {column}
        """
    )
    texts = tuple(ordered_texts(reader, "texts", "text"))
    if not texts:
        ((count,),) = reader.execute("SELECT count(*) FROM entries").fetchall()
        return TextColumn(np.full(count, -1, dtype=np.int32), ())
    codes = _numpy(
        reader,
        f"""
        SELECT coalesce(t.number, -1)::INTEGER AS code
        FROM entries e LEFT JOIN texts t ON t.text = e.{column} ORDER BY e.answer, e.place
        """,
    )["code"]
    return TextColumn(codes, texts)


def _field(reader: Any, number: int, tasks: int) -> TextColumn:
    """The values of a field by task number."""
    values = reader.execute("SELECT task, value FROM field_values WHERE field = ? ORDER BY task", [number])
    texts: list[str | None] = [None] * tasks
    while part := values.fetchmany(PART_ROWS):
        for task, text in part:
            texts[task] = text
    return TextColumn.of(texts)


def ordered_texts(reader: Any, table: str, column: str) -> Iterator[str]:
    """Yield the texts of a table in the order of their numbers."""
    found = reader.execute(f"SELECT {column} FROM {table} ORDER BY number")
    while part := found.fetchmany(PART_ROWS):
        for (text,) in part:
            yield text


def _numpy(reader: Any, sql: str) -> dict[str, Any]:
    columns: dict[str, Any] = reader.execute(sql).fetchnumpy()
    return columns
