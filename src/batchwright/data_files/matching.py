"""Records of a file found again by some of their values."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from batchwright.base.cooperative import yielding_gil
from batchwright.data_files.formats import Format
from batchwright.data_files.profiling import as_text, cells
from batchwright.data_files.reader import columns, rows

LONGEST_VALUE = 10_000
"""Characters of a value that are returned."""


def find_records(
    path: Path,
    form: Format,
    wanted: Sequence[Mapping[str, str]],
    is_stopped: Callable[[], bool] = lambda: False,
) -> list[dict[str, str] | None]:
    """The records of a file that have the values of `wanted`, as text; None where that is not exactly one.

    For a thread beside one that paints; once `is_stopped` says so, nothing more is read.

    A value that a record lacks counts as an empty one. All of `wanted` are compared by all their keys.

    Raises:
        UnreadableFile: the file as a whole cannot be read.
        OSError: it cannot be opened.
    """
    keys = tuple(dict.fromkeys(key for values in wanted for key in values))
    if not keys:
        return [None] * len(wanted)
    sought = {_values(values, keys) for values in yielding_gil(wanted)}
    found: dict[tuple[str, ...], dict[str, str] | None] = {}
    names = columns(path, form)
    for entry in yielding_gil(rows(path, form)):
        if is_stopped():
            break
        record = {
            name: as_text(value)[:LONGEST_VALUE]
            for name, value in cells(names, entry.content)
            if name and value is not None
        }
        values = _values(record, keys)
        if record and values in sought:
            found[values] = None if values in found else record
    return [found.get(_values(values, keys)) for values in yielding_gil(wanted)]


def _values(record: Mapping[str, str], keys: Sequence[str]) -> tuple[str, ...]:
    return tuple(record.get(key, "") for key in keys)
