"""Flattens records with nested values to rows: paths such as `meta.author.name` become columns."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, TypeAlias

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject, is_array, is_object, to_json
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.sources.source import Row, SourceChoice, SourceOptions, SourceTable

SEPARATOR = "; "
"""What stands between the values of a list that are joined."""

MAX_COLUMNS = 10_000
"""Columns that nested values may have; objects with ids as keys would have one for each id."""

_FIRST_ROWS, _FIRST_CHARACTERS = 1000, 1 << 22
"""Rows that are read for the columns, and characters in them, whichever are fewer."""

Records: TypeAlias = Iterable[tuple[int, JsonObject]]
"""The number of each record in its source, from 1, and its values."""


def flat_table(
    records: Records, options: SourceOptions, choices: tuple[SourceChoice, ...] = ()
) -> SourceTable:
    """The table of records: a column for each path, known from the first records and appended by others.

    Lists are joined with `SEPARATOR`; lists with objects or lists in them are written as JSON. For
    `options.flatten`, the elements of a list have rows of their own instead, with the other values repeated.
    """
    flattening = _Flattening(options.flatten)
    rows = flattening.rows(records)
    first, characters = list[Row](), 0
    for number, cells in rows:
        first.append((number, cells))
        characters += sum(len(cell) for cell in cells if isinstance(cell, str))
        if len(first) == _FIRST_ROWS or characters > _FIRST_CHARACTERS:
            break
    lists = dict.fromkeys(chain(flattening.lists, [options.flatten] if options.flatten else []))
    text = _("A row per element of “{path}”")
    values = tuple((path, text.format(path=path)) for path in lists)
    flatten = SourceChoice("flatten", _("Lists"), (("", _("Lists joined")), *values), options.flatten)
    return SourceTable(flattening.columns, chain(first, rows), (*choices, *([flatten] if lists else [])))


class _Flattening:
    """Flattens records; `columns` and `lists` have the paths found so far."""

    def __init__(self, elements_of: str) -> None:
        self._elements_of = elements_of
        self.columns: list[str] = []
        self.lists: dict[str, None] = {}
        self._positions: dict[str, int] = {}

    def rows(self, records: Records) -> Iterator[Row]:
        """Yield a row for each record, or for each element of the list.

        Raises:
            UnreadableFile: there are more columns than `MAX_COLUMNS`.
        """
        known = self._positions.keys()
        for number, record in records:
            nested = [value for value in record.values() if value.__class__ in _CONTAINERS]
            for flat in self._flat_records(record) if nested else (record,):
                if not flat.keys() <= known:
                    self._add_columns(flat)
                yield number, list(map(flat.get, self.columns))

    def _flat_records(self, record: JsonObject) -> Sequence[JsonObject]:
        flat: dict[str, Json] = {}
        elements = self._add_values(record, "", flat)
        if not elements:
            return (flat,)
        return [{**flat, **self._flat_element(element, flat)} for element in elements]

    def _add_values(self, record: JsonObject, prefix: str, flat: dict[str, Json]) -> Sequence[Json]:
        """Add the values of a record to `flat`, by their paths; returns the elements of the list."""
        elements: Sequence[Json] = ()
        values: Iterable[tuple[str, Any]] = record.items()
        for key, value in values:
            path = f"{prefix}{key}"
            if value.__class__ is dict:
                elements = self._add_values(value, f"{path}.", flat) or elements
                continue
            if value.__class__ is list:
                if value:
                    self.lists[path] = None
                if path == self._elements_of:
                    elements = value
                    continue
                value = _joined(value)
            flat[path if path not in flat else _free(path, flat)] = value
        return elements

    def _flat_element(self, element: Json, taken: Mapping[str, Json]) -> JsonObject:
        flat: dict[str, Json] = {}
        if is_object(element):
            self._add_values(element, f"{self._elements_of}.", flat)
        else:
            flat[self._elements_of] = _joined(element) if is_array(element) else element
        return {_free(path, taken): value for path, value in flat.items()}

    def _add_columns(self, names: Iterable[str]) -> None:
        for name in names:
            if name not in self._positions:
                self._positions[name] = len(self.columns)
                self.columns.append(name)
        if len(self.columns) > MAX_COLUMNS:
            reason = _("The values of the records would have more than {most} columns.")
            remedy = _("Objects whose keys are ids need a list instead, with the id as a value.")
            raise UnreadableFile(reason.format(most=MAX_COLUMNS), remedy)


_CONTAINERS = frozenset({dict, list})
"""The classes of nested values as the readers create them."""


def _joined(values: Sequence[Any]) -> str:
    try:
        return SEPARATOR.join(values)
    except TypeError:  # some are no texts
        pass
    if any(value.__class__ in _CONTAINERS for value in values):
        return to_json(values)
    return SEPARATOR.join(
        value if isinstance(value, str) else "" if value is None else to_json(value) for value in values
    )


def _free(path: str, taken: Mapping[str, Json]) -> str:
    """The path, with a number if the record has a key of this name, too."""
    free, number = path, 1
    while free in taken:
        number += 1
        free = f"{path}_{number}"
    return free
