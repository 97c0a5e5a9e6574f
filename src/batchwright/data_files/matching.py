"""Finds records of a file by some of their values."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from batchwright.base.cooperative import yielding_gil
from batchwright.data_files.formats import Format
from batchwright.data_files.profiling import as_text, cells
from batchwright.data_files.reader import columns, rows


def find_records(
    path: Path,
    file_format: Format,
    criteria: Sequence[Mapping[str, str]],
    is_stopped: Callable[[], bool] = lambda: False,
) -> list[dict[str, str] | None]:
    """The only record with the values of each entry of `criteria`, as text; None if there is not exactly one.

    All keys that occur in `criteria` are compared; a missing value equals an empty one. Yields the GIL
    regularly, for use in a thread of the window's process; stops once `is_stopped` is true.

    Raises:
        UnreadableFile: the file as a whole cannot be read.
        OSError: it cannot be opened.
    """
    keys = tuple(dict.fromkeys(key for values in criteria for key in values))
    if not keys:
        return [None] * len(criteria)
    criteria_values = {_values(values, keys) for values in yielding_gil(criteria)}
    matches: dict[tuple[str, ...], dict[str, str] | None] = {}
    names = columns(path, file_format)
    for entry in yielding_gil(rows(path, file_format)):
        if is_stopped():
            break
        record = {
            name: as_text(value) for name, value in cells(names, entry.content) if name and value is not None
        }
        values = _values(record, keys)
        if record and values in criteria_values:
            matches[values] = None if values in matches else record
    return [matches.get(_values(values, keys)) for values in yielding_gil(criteria)]


def _values(record: Mapping[str, str], keys: Sequence[str]) -> tuple[str, ...]:
    return tuple(record.get(key, "") for key in keys)
