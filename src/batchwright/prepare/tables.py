"""Tables on their way from the data file to what is uploaded: each makes its rows from those of another one.

No table has its rows in memory. What a step decides about all rows, such as which of them are compared, is an
array of numbers; rows are made when they are shown or written. Values are compared by hash codes of 63 bits:
in a million rows, two different ones have the same code once in ten million files.
"""

import mmap
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import NamedTuple, TypeAlias, cast

import numpy as np
from typing_extensions import override

from batchwright.base.json_values import DECODER, Json, JsonObject
from batchwright.data_files.profiling import as_text

BLOCK_ROWS = 4096
"""Rows that are made together."""

_KEPT_COLUMNS = 16
"""Columns of a table whose codes are kept, 8 bytes for each row."""

Record: TypeAlias = dict[str, Json]
"""A record, which belongs to whoever has asked for it."""


class Numbered(NamedTuple):
    """The different values of a column, numbered from 0 in the order in which they appear."""

    of_rows: np.ndarray
    """The number of the value of each row; -1 for none."""
    first_rows: np.ndarray
    """The first row with each value."""


class PreparedTable(ABC):
    """A table of records, in which a missing value is an absent key."""

    def __init__(self, columns: Sequence[str], length: int) -> None:
        self.columns = tuple(columns)
        self.length = length
        self._codes: dict[str, np.ndarray] = {}

    @abstractmethod
    def rows(self, indexes: np.ndarray) -> list[Record]:
        """The records at some indexes."""

    @abstractmethod
    def codes(self, columns: Collection[str]) -> dict[str, np.ndarray]:
        """The hash code of the text of each value of some columns; -1 for a missing value."""

    def knows_codes(self, columns: Collection[str]) -> bool:
        """Whether the codes of columns have been read from the records."""
        return self._codes.keys() >= {*columns}

    def codes_of_rows(self, columns: Collection[str]) -> dict[str, np.ndarray]:
        """The codes of columns, read from every record unless they are known.

        Reading the records takes longer than their codes, so that other columns are read with them, unless
        there are many.
        """
        codes = self._codes
        if unread := [column for column in columns if column not in codes]:
            others = self.columns if len(self.columns) <= _KEPT_COLUMNS else ()
            codes = codes | codes_of(self.row_blocks(), dict.fromkeys((*others, *unread)))
            self._codes = dict([*codes.items()][-_KEPT_COLUMNS:])
        return {column: codes[column] for column in columns}

    def all_rows(self) -> Iterator[Record]:
        """Every record in its order."""
        return chain.from_iterable(self.row_blocks())

    def row_blocks(self) -> Iterator[list[Record]]:
        """Every record in its order, in lists of those that are made together."""
        return map(self.rows, blocks(np.arange(self.length)))

    def numbered(self, column: str) -> Numbered:
        """The different values of a column."""
        codes = self.codes([column])[column]
        present = np.flatnonzero(codes >= 0)
        _values, first, inverse = np.unique(codes[present], return_index=True, return_inverse=True)
        order = np.argsort(first)
        numbers = np.empty(len(order), np.int64)
        numbers[order] = np.arange(len(order))
        of_rows = np.full(len(codes), -1)
        of_rows[present] = numbers[inverse]
        return Numbered(of_rows, present[first[order]])

    def texts(self, column: str, indexes: np.ndarray) -> list[str]:
        """The values of a column in some rows as texts; empty for none."""
        values = (row.get(column) for block in blocks(indexes) for row in self.rows(block))
        return ["" if value is None else as_text(value) for value in values]


class RecordsTable(PreparedTable):
    """The records of a JSONL file to which a data file was converted, without lines that are no objects."""

    def __init__(self, content: "mmap.mmap | bytes", offsets: "array[int]", columns: Sequence[str]) -> None:
        bounds = np.append(np.array(offsets, np.int64), len(content))
        starts, ends = bounds[:-1], bounds[1:]
        is_object = np.frombuffer(content, np.uint8)[starts] == _OBJECT
        super().__init__(columns, int(is_object.sum()))
        self._content = content
        self._starts, self._ends = (starts, ends) if is_object.all() else (starts[is_object], ends[is_object])

    @override
    def rows(self, indexes: np.ndarray) -> list[Record]:
        content, starts, ends = self._content, self._starts[indexes].tolist(), self._ends[indexes].tolist()
        lines = [content[start:end] for start, end in zip(starts, ends, strict=True)]
        # As one array, they are read in half the time that each for itself takes.
        records: list[Record] = DECODER.decode(f"[{b','.join(lines).decode()}]")
        return records

    @override
    def codes(self, columns: Collection[str]) -> dict[str, np.ndarray]:
        return self.codes_of_rows(columns)


class ChangedTable(PreparedTable):
    """A table in which each record is changed for itself."""

    def __init__(
        self,
        table: PreparedTable,
        columns: Sequence[str],
        changed: Iterable[str],
        change: Callable[[JsonObject], JsonObject],  # returns a dictionary of its own, or the same one
    ) -> None:
        super().__init__(columns, table.length)
        self._table, self._changed, self._change = table, frozenset(changed), change

    @override
    def rows(self, indexes: np.ndarray) -> list[Record]:
        return cast("list[Record]", [*map(self._change, self._table.rows(indexes))])

    @override
    def codes(self, columns: Collection[str]) -> dict[str, np.ndarray]:
        if self._changed.isdisjoint(columns) and self._table.knows_codes(columns):
            return self._table.codes(columns)
        return self.codes_of_rows(columns)

    @override
    def knows_codes(self, columns: Collection[str]) -> bool:
        is_known_below = self._changed.isdisjoint(columns) and self._table.knows_codes(columns)
        return is_known_below or super().knows_codes(columns)


class AppendedTable(PreparedTable):
    """A table with a few records behind its last one."""

    def __init__(self, table: PreparedTable, records: Sequence[JsonObject]) -> None:
        columns = (*table.columns, *(key for record in records for key in record))
        super().__init__(tuple(dict.fromkeys(columns)), table.length + len(records))
        self._table, self._records = table, records

    @override
    def rows(self, indexes: np.ndarray) -> list[Record]:
        is_added = indexes >= self._table.length
        if not is_added.any():
            return self._table.rows(indexes)
        of_table = iter(self._table.rows(indexes[~is_added]))
        return [
            dict(self._records[index - self._table.length]) if is_here else next(of_table)
            for index, is_here in zip(indexes.tolist(), is_added.tolist(), strict=True)
        ]

    @override
    def knows_codes(self, columns: Collection[str]) -> bool:
        return self._table.knows_codes([column for column in columns if column in self._table.columns])

    @override
    def codes(self, columns: Collection[str]) -> dict[str, np.ndarray]:
        codes = self._table.codes([column for column in columns if column in self._table.columns])
        none = np.full(self._table.length, -1)
        added = codes_of([self._records], columns)
        return {column: np.append(codes.get(column, none), added[column]) for column in columns}


@dataclass(frozen=True, eq=False)
class AddedColumn:
    """A column with values of a list: the place of the value of each row there; -1 for none."""

    places: np.ndarray
    values: Sequence[Json]

    @cached_property
    def codes(self) -> np.ndarray:
        """The hash code of the value of each row; -1 for none."""
        return np.append(np.fromiter(map(text_code, self.values), np.int64), -1)[self.places]


class ArrangedTable(PreparedTable):
    """Rows of a table in another order, some of them left out or repeated, with added columns."""

    def __init__(
        self, table: PreparedTable, places: np.ndarray, added: Mapping[str, AddedColumn] | None = None
    ) -> None:
        self._added = added or {}
        super().__init__(tuple(dict.fromkeys((*table.columns, *self._added))), len(places))
        self._table, self._places = table, places

    @override
    def rows(self, indexes: np.ndarray) -> list[Record]:
        rows = self._table.rows(self._places[indexes])
        add_values(rows, self._added, indexes)
        return rows

    @override
    def knows_codes(self, columns: Collection[str]) -> bool:
        return self._table.knows_codes([column for column in columns if column not in self._added])

    @override
    def codes(self, columns: Collection[str]) -> dict[str, np.ndarray]:
        codes = self._table.codes([column for column in columns if column not in self._added])
        return {column: of_table[self._places] for column, of_table in codes.items()} | _codes_of_added(
            self._added, columns
        )


class MergedTable(PreparedTable):
    """Records that are made of several rows of a table each, such as the two outputs of a comparison.

    `places` has a row of indexes for each record. Each column comes from one of these rows: `sources` has the
    number of the row among them, and the column there.
    """

    def __init__(
        self,
        table: PreparedTable,
        places: np.ndarray,
        sources: Mapping[str, tuple[int, str]],
        added: Mapping[str, AddedColumn] | None = None,
    ) -> None:
        self._added = added or {}
        super().__init__(tuple(dict.fromkeys((*sources, *self._added))), len(places))
        self._table, self._places, self._sources = table, places, sources

    @override
    def rows(self, indexes: np.ndarray) -> list[Record]:
        parts = [self._table.rows(places) for places in self._places[indexes].T]
        sources = [(name, part, key) for name, (part, key) in self._sources.items()]
        merged = [
            {name: value for name, part, key in sources if (value := rows[part].get(key)) is not None}
            for rows in zip(*parts, strict=True)
        ]
        add_values(merged, self._added, indexes)
        return merged

    @override
    def knows_codes(self, columns: Collection[str]) -> bool:
        return self._table.knows_codes({self._sources[key][1] for key in columns if key not in self._added})

    @override
    def codes(self, columns: Collection[str]) -> dict[str, np.ndarray]:
        sources = {column: self._sources[column] for column in columns if column not in self._added}
        codes = self._table.codes({key for _part, key in sources.values()})
        merged = {column: codes[key][self._places[:, part]] for column, (part, key) in sources.items()}
        return merged | _codes_of_added(self._added, columns)


class SwappedTable(PreparedTable):
    """A table in which the values of two columns are exchanged in some rows, in each of several pairs."""

    def __init__(
        self, table: PreparedTable, pairs: Sequence[tuple[str, str]], is_swapped: np.ndarray
    ) -> None:
        super().__init__(table.columns, table.length)
        self._table, self._is_swapped = table, is_swapped
        self._pairs = tuple(pairs)
        self._others = {one: other for pair in pairs for one, other in (pair, pair[::-1])}

    @override
    def rows(self, indexes: np.ndarray) -> list[Record]:
        rows = self._table.rows(indexes)
        for place in np.flatnonzero(self._is_swapped[indexes]).tolist():
            row = rows[place]
            for one, other in self._pairs:
                first, second = row.pop(one, None), row.pop(other, None)
                if second is not None:
                    row[one] = second
                if first is not None:
                    row[other] = first
        return rows

    @override
    def knows_codes(self, columns: Collection[str]) -> bool:
        return self._table.knows_codes({*columns, *(self._others.get(column, column) for column in columns)})

    @override
    def codes(self, columns: Collection[str]) -> dict[str, np.ndarray]:
        others = {column: self._others.get(column, column) for column in columns}
        codes = self._table.codes({*columns, *others.values()})
        return {
            column: np.where(self._is_swapped, codes[others[column]], codes[column]) for column in columns
        }


def _codes_of_added(added: Mapping[str, AddedColumn], columns: Collection[str]) -> dict[str, np.ndarray]:
    return {column: added[column].codes for column in columns if column in added}


def add_values(rows: Sequence[Record], added: Mapping[str, AddedColumn], indexes: np.ndarray) -> None:
    """Give records the values of added columns, which replace their own."""
    for name, column in added.items():
        values = column.values
        for row, place in zip(rows, column.places[indexes].tolist(), strict=True):
            if place >= 0:
                row[name] = values[place]
            else:
                row.pop(name, None)


def blocks(indexes: np.ndarray) -> Iterator[np.ndarray]:
    """Divide indexes into those of rows that are made together."""
    return (indexes[start : start + BLOCK_ROWS] for start in range(0, len(indexes), BLOCK_ROWS))


def codes_of(row_blocks: Iterable[Sequence[JsonObject]], columns: Collection[str]) -> dict[str, np.ndarray]:
    """The codes of columns of records; see `PreparedTable.codes`."""
    codes = {column: array("q") for column in columns}
    for rows in row_blocks:
        for column, of_column in codes.items():
            values = [row.get(column) for row in rows]
            if {*map(type, values)} == {str}:
                of_rows = np.fromiter(map(hash, values), np.int64, len(values)) & _POSITIVE
            else:
                of_rows = np.fromiter(map(text_code, values), np.int64, len(values))
            of_column.frombytes(of_rows.tobytes())
    return {column: np.frombuffer(of_column, np.int64) for column, of_column in codes.items()}


def text_code(value: Json) -> int:
    """The hash code of the text of a value, which is not the same in another process; -1 for None."""
    if value is None:
        return -1
    return hash(value if type(value) is str else as_text(value)) & _POSITIVE


_POSITIVE = 2**63 - 1


_OBJECT = ord("{")


@contextmanager
def records_table(path: Path, offsets: "array[int]", columns: Sequence[str]) -> Iterator[PreparedTable]:
    """The table of a JSONL file, given the byte offset of each line; lines that are no objects are left out.

    Raises:
        OSError: the file cannot be opened.
    """
    with path.open("rb") as file:
        if not offsets:
            yield RecordsTable(b"", offsets, columns)
            return
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            yield RecordsTable(content, offsets, columns)
