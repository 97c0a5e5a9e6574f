"""Joins the fields of the dataset to the tasks of an answer table.

Fields come from the datapoints in an export, from the metadata of answers, and from a data file, in which a
record is found by the values that are known.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from batchwright.analysis.answer_table import AnswerTable
from batchwright.analysis.columns import TextColumn
from batchwright.base.cooperative import yielding_gil
from batchwright.base.json_values import Json, JsonObject, is_object
from batchwright.data_files.formats import Format
from batchwright.data_files.profiling import as_text, cells
from batchwright.data_files.reader import columns, rows


def with_fields(table: AnswerTable, records: Mapping[str, Mapping[str, str]]) -> AnswerTable:
    """Return the table with the values of records, by task id; a missing value stays missing."""
    names = dict.fromkeys(name for record in records.values() for name in record)
    by_task = [records.get(task, {}) for task in table.tasks.values]
    fields = {name: TextColumn.of(record.get(name) for record in by_task) for name in names}
    return replace(table, fields={**table.fields, **fields})


def known_values(records: Iterable[Json], datapoints: Mapping[str, JsonObject]) -> dict[str, dict[str, str]]:
    """Return what is known of each task's record: its datapoint, otherwise the metadata of an answer."""
    known = {task: _texts(datapoint) for task, datapoint in datapoints.items()}
    for record in yielding_gil(records):
        if is_object(record) and is_object(metadata := record.get("metadata")):
            known.setdefault(str(record.get("task_id") or ""), _texts(metadata))
    return known


def with_data_file(
    table: AnswerTable, known: Mapping[str, Mapping[str, str]], path: Path, file_format: Format
) -> AnswerTable:
    """Return the table with the records of a data file, where exactly one has the known values of a task.

    The datapoint of such a task is the number of the record, from 1.

    Raises:
        UnreadableFile: the file cannot be read.
        OSError: it cannot be opened.
    """
    names = columns(path, file_format)
    file_records = [
        {name: as_text(value) for name, value in cells(names, row.content) if name and value is not None}
        for row in yielding_gil(rows(path, file_format))
    ]
    file_names = {name for record in file_records for name in record}
    keys = tuple(sorted({name for values in known.values() for name in values} & file_names))
    numbers = _unique_numbers(file_records, keys) if keys else {}
    matches = {task: numbers.get(_values(known.get(task, {}), keys)) for task in table.tasks.values}
    found = {task: file_records[number] for task, number in matches.items() if number is not None}
    datapoints = tuple(
        task if (number := matches[task]) is None else str(number + 1) for task in table.tasks.values
    )
    complete = {task: {**known.get(task, {}), **found.get(task, {})} for task in table.tasks.values}
    return replace(with_fields(table, complete), datapoints=datapoints)


def _unique_numbers(
    records: Sequence[Mapping[str, str]], keys: Sequence[str]
) -> dict[tuple[str, ...], int | None]:
    """Return the index of each record by its values of `keys`; None if several have the same."""
    numbers: dict[tuple[str, ...], int | None] = {}
    for number, record in enumerate(yielding_gil(records)):
        values = _values(record, keys)
        numbers[values] = None if values in numbers else number
    return numbers


def _values(record: Mapping[str, str], keys: Sequence[str]) -> tuple[str, ...]:
    return tuple(record.get(key, "") for key in keys)


def _texts(values: JsonObject) -> dict[str, str]:
    return {name: as_text(value) for name, value in values.items() if value is not None}
