"""Adds the fields of a data file to answers, by the values of the records that are already known.

These are the datapoints in an export, or the metadata of answers.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.base.cooperative import yielding_gil
from batchwright.base.json_values import Json
from batchwright.data_files.formats import Format
from batchwright.data_files.profiling import cells
from batchwright.data_files.reader import columns, rows


def add_data_file(store: AnswerStore, path: Path, file_format: Format) -> None:
    """Add the records of a data file to the tasks of which exactly one record has the known values.

    The datapoint of such a task is the number of the record, from 1.

    Raises:
        UnreadableFile: the file cannot be read.
        OSError: it cannot be opened.
    """
    names, task_values = columns(path, file_format), store.task_values()
    file_records = [
        {name: _text(value) for name, value in cells(names, row.content) if name and value is not None}
        for row in yielding_gil(rows(path, file_format))
    ]
    file_names = {name for record in file_records for name in record}
    keys = tuple(sorted(file_names & set(store.fields)))
    numbers = _unique_numbers(file_records, keys) if keys else {}
    matches = {
        task: number
        for task, values in yielding_gil(task_values.items())
        if (number := numbers.get(_values(values, keys))) is not None
    }
    store.set_fields(
        {task: {**task_values[task], **file_records[number]} for task, number in matches.items()},
        {task: str(number + 1) for task, number in matches.items()},
    )


def _text(value: Json) -> str:
    """A value as the store does: arrays and objects without spaces."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _unique_numbers(
    records: Sequence[Mapping[str, str]], keys: Sequence[str]
) -> dict[tuple[str, ...], int | None]:
    """The index of each record by its values of `keys`; None if several have the same."""
    numbers: dict[tuple[str, ...], int | None] = {}
    for number, record in enumerate(yielding_gil(records)):
        values = _values(record, keys)
        numbers[values] = None if values in numbers else number
    return numbers


def _values(record: Mapping[str, str], keys: Sequence[str]) -> tuple[str, ...]:
    return tuple(record.get(key, "") for key in keys)
