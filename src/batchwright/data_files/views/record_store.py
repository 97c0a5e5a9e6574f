"""The values of all records in a column store, which filters, sorts, searches and counts them.

The database is a file in a temporary folder, so that memory stays bounded for files of any size. Every method
blocks, and is called in the child process only (`answering`).
"""

import errno
import os
from array import array
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from batchwright.base.files.disk_errors import disk_error
from batchwright.base.i18n import _
from batchwright.base.text import without_lone_surrogates
from batchwright.base.urls import is_https_url, is_media_url
from batchwright.data_files.views.record_query import (
    MAX_COLUMNS,
    RECORD_NUMBER,
    ColumnCounts,
    ConditionKind,
    CountsQuestion,
    MarksQuestion,
    RecordCondition,
    RecordMarks,
    RecordQuery,
    RecordView,
    Search,
)
from batchwright.schema.model import MEDIA_EXTENSIONS, FieldType

_MEMORY, _MOST_MEMORY = 96, 1536
"""Megabytes that the column store uses, and those that it may use if it cannot answer otherwise."""
_THREADS = 2
"""More of them need more memory at once, and take processors from the window and the service."""
MOST_FREQUENT = 8
"""Values that are listed as the most frequent ones."""
_FAR = 3
"""A length is conspicuous this many interquartile ranges beyond the quartiles (Tukey's outer fences)."""

_CONFIG = {
    "memory_limit": f"{_MEMORY}MB",
    "threads": _THREADS,
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "enable_external_access": "false",
}


class RecordStore:
    """The first `MAX_COLUMNS` columns of the records added so far, as texts; an empty value is NULL."""

    def __init__(self, folder: Path, columns: int) -> None:
        """Create the store in a folder.

        Raises:
            OSError: it cannot be written, here and in `add`.
        """
        self._columns, self._path = min(columns, MAX_COLUMNS), folder / "records.db"
        self._memory = _MEMORY
        self._connection: Any = self._run(lambda: duckdb.connect(str(self._path), config=_CONFIG))
        names = ", ".join(["record UINTEGER", *(f"c{number} VARCHAR" for number in range(self._columns))])
        self._run(lambda: self._connection.execute(f"CREATE TABLE records ({names})"))
        for type in FieldType:
            self._connection.create_function(
                f"bad_{type.name.lower()}", _address_test(type), ["VARCHAR"], "BOOLEAN"
            )
        self.count = 0
        """The number of records."""
        self._equal_records: int | None = None
        """The number of records that are equal to another one, once it was counted."""

    def close(self) -> None:
        """Close the database."""
        self._connection.close()

    def add(self, columns: Sequence[Sequence[str | None]]) -> None:
        """Add records, as one sequence of values for each of the columns stored."""
        count = len(columns[0])
        part = {"record": np.arange(self.count, self.count + count, dtype=np.uint32)}
        for number, values in enumerate(columns):
            part[f"c{number}"] = np.array(_stored(values), dtype=object)
        self._connection.register("part", part)
        self._run(lambda: self._connection.execute("INSERT INTO records SELECT * FROM part"))
        self._connection.unregister("part")
        self.count += count
        self._equal_records = None

    def view(self, query: RecordQuery, *, is_complete: bool) -> RecordView:
        """The answer to a query."""
        values: dict[str, Any] = {}
        try:
            hit = "false" if query.search is None else self._search(query.search, values)
            where = " AND ".join(self._conditions(query.conditions, values)) or "true"
            order = ", ".join([*self._order(query), "record"])
            if query.is_file_order and query.search is None:
                return RecordView(query, read=self.count, is_complete=is_complete)
            sql = f"SELECT record, {hit} AS hit FROM records WHERE {where} ORDER BY {order}"
            found = self._run(lambda: self._connection.execute(sql, values).fetchnumpy())
        except (duckdb.InvalidInputException, duckdb.ConversionException) as error:
            reason = str(error).splitlines()[0].partition(": ")[2]
            problem = _("The regular expression is not valid: {reason}").format(reason=reason)
            return RecordView(query, read=self.count, is_complete=is_complete, problem=problem)
        rows = np.flatnonzero(np.ma.filled(found["hit"], fill_value=False))
        shown = None if query.is_file_order else _numbers(found["record"])
        return RecordView(query, shown, _numbers(rows), self.count, is_complete)

    def counts(self, question: CountsQuestion, *, is_complete: bool) -> ColumnCounts:
        """What is known of the values of a column."""
        name = f"c{question.column}"
        ((filled, shortest, longest, q1, q3),) = self._fetch(
            f"WITH lengths AS (SELECT length({name}) AS chars, count(*) AS times FROM records "
            f"WHERE {name} IS NOT NULL GROUP BY chars), "
            "sums AS (SELECT chars, sum(times) OVER (ORDER BY chars) AS upto, sum(times) OVER () AS total "
            "FROM lengths) "
            "SELECT max(total), min(chars), max(chars), min(chars) FILTER (4 * upto >= total), "
            "min(chars) FILTER (4 * upto >= 3 * total) FROM sums"
        )
        range_ = max(1, (q3 or 0) - (q1 or 0))
        below, above = (q1 or 0) - _FAR * range_, (q3 or 0) + _FAR * range_
        ((short, long),) = self._fetch(
            f"SELECT count(*) FILTER (length({name}) < {below}), count(*) FILTER (length({name}) > {above}) "
            "FROM records"
        )
        ((distinct, repeated),) = self._fetch(
            "SELECT count(*), coalesce(sum(times) FILTER (times > 1), 0) FROM "
            f"(SELECT count(*) AS times FROM records WHERE {name} IS NOT NULL GROUP BY hash({name}))"
        )
        frequent = self._frequent(name) if repeated else []
        return ColumnCounts(
            question,
            read=self.count,
            is_complete=is_complete,
            empty=self.count - int(filled or 0),
            distinct=distinct,
            shortest=shortest or 0,
            longest=longest or 0,
            repeated=int(repeated),
            frequent=tuple(frequent),
            short=short,
            short_below=below,
            long=long,
            long_above=above,
            bad_addresses=self._bad_addresses(question),
            repeated_records=self._repeated_records(),
        )

    def _frequent(self, name: str) -> list[tuple[Any, ...]]:
        """The most frequent values that occur more than once, each with its number of records."""
        return self._fetch(
            f"SELECT {name}, count(*) AS times FROM records WHERE {name} IS NOT NULL "
            f"GROUP BY {name} HAVING times > 1 ORDER BY times DESC, {name} LIMIT {MOST_FREQUENT}"
        )

    def marks(self, question: MarksQuestion, *, is_complete: bool) -> RecordMarks:
        """What is conspicuous among the records."""
        questions = (CountsQuestion(at, type) for at, type in enumerate(question.types[: self._columns]))
        columns = tuple(self.counts(each, is_complete=is_complete) for each in questions)
        mostly_distinct = (
            counts.question.column
            for counts in columns
            if counts.repeated and 2 * counts.repeated < self.count - counts.empty
        )
        return RecordMarks(
            question,
            is_complete,
            columns,
            {column: self._repeated(column) for column in mostly_distinct},
            self._repeated(None),
        )

    def _repeated(self, column: int | None) -> "array[int]":
        """The indexes of the records whose value in a column another record has, too."""
        (sql,) = self._conditions((RecordCondition(ConditionKind.REPEATED, column),), {})
        sql = f"SELECT record FROM records WHERE {sql} ORDER BY record"
        found = self._run(lambda: self._connection.execute(sql).fetchnumpy())
        return _numbers(found["record"])

    def _bad_addresses(self, question: CountsQuestion) -> int | None:
        if question.type is None or not _is_address(question.type):
            return None
        condition = RecordCondition(ConditionKind.BAD_ADDRESS, question.column, question.type)
        (sql,) = self._conditions((condition,), {})
        return int(self._fetch(f"SELECT count(*) FROM records WHERE {sql}")[0][0])

    def _repeated_records(self) -> int:
        if self._equal_records is None:
            sql = f"SELECT count(*) AS times FROM records GROUP BY {self._digest} HAVING times > 1"
            self._equal_records = int(self._fetch(f"SELECT coalesce(sum(times), 0) FROM ({sql})")[0][0])
        return self._equal_records

    @property
    def _digest(self) -> str:
        """An expression for 64 bits that equal records share, and others practically never."""
        return f"hash({', '.join(f'c{number}' for number in range(self._columns))})"

    def _fetch(self, sql: str) -> list[tuple[Any, ...]]:
        return list(self._run(lambda: self._connection.execute(sql).fetchall()))

    def _run(self, query: Callable[[], Any]) -> Any:
        """Run a query, with more memory if it needs more.

        Raises:
            OSError: it needs more than it may use, or its file cannot be written.
        """
        while True:
            try:
                return query()
            except duckdb.OutOfMemoryException:
                if self._memory >= _MOST_MEMORY:
                    raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM)) from None
                self._memory *= 2
                self._connection.execute(f"SET memory_limit = '{self._memory}MB'")
            except (duckdb.IOException, duckdb.TransactionException) as error:
                raise disk_error(error, self._path) from None

    def _order(self, query: RecordQuery) -> Iterator[str]:
        """Yield the keys of the order: numbers by value, then texts without regard to case; empty last."""
        if query.sorted_by is None:
            return
        name, direction = f"c{query.sorted_by}", "DESC" if query.is_descending else "ASC"
        number = _NUMBER.format(name=name)
        if self._fetch(f"SELECT count(*) FROM records WHERE {number} IS NOT NULL") != [(0,)]:
            yield f"{number} {direction} NULLS LAST"
        yield f"lower({name}) {direction} NULLS LAST"

    def _search(self, search: Search, values: dict[str, Any]) -> str:
        """The condition that finds something in a record."""
        values["search"] = without_lone_surrogates(search.text)
        test = (
            "regexp_matches({name}, $search, 'i')"
            if search.is_pattern
            else "contains(lower({name}), lower($search))"
        )
        tests = (f"coalesce({test.format(name=f'c{number}')}, false)" for number in range(self._columns))
        return f"({' OR '.join(tests)})"

    def _conditions(self, conditions: Sequence[RecordCondition], values: dict[str, Any]) -> Iterator[str]:
        """Yield each condition as SQL; the parameters are added to `values`."""
        for number, condition in enumerate(conditions):
            name, parameter = f"c{condition.column}", f"value{number}"
            if condition.kind in _PARAMETER:
                value = condition.value
                values[parameter] = _parameter(value)
            match condition.kind:
                case ConditionKind.REPEATED if condition.column is None:
                    digest = self._digest
                    yield f"{digest} IN (SELECT {digest} FROM records GROUP BY ALL HAVING count(*) > 1)"
                case ConditionKind.REPEATED:
                    yield (
                        f"{name} IN (SELECT {name} FROM records WHERE {name} IS NOT NULL "
                        f"GROUP BY {name} HAVING count(*) > 1)"
                    )
                case ConditionKind.BAD_ADDRESS:
                    yield f"coalesce(bad_{FieldType(str(condition.value)).name.lower()}({name}), false)"
                case kind:
                    yield _TESTS[kind].format(name=name, value=f"${parameter}")


_NUMBER = (
    "CASE WHEN {name} BETWEEN '+' AND ':' OR {name} < '!' "
    "THEN TRY_CAST(replace({name}, ',', '.') AS DOUBLE) END"
)
"""A value as a number with a decimal point or comma; NULL for a text, also one that may mean infinity."""

_TESTS = {
    ConditionKind.EMPTY: "{name} IS NULL",
    ConditionKind.FILLED: "{name} IS NOT NULL",
    ConditionKind.EQUAL: "{name} = {value}",
    ConditionKind.CONTAINS: "contains(lower({name}), lower({value}))",
    ConditionKind.SHORTER: "length({name}) < {value}",
    ConditionKind.LONGER: "length({name}) > {value}",
    ConditionKind.ONE_OF: "{name} IN (SELECT unnest({value}::VARCHAR[]))",
}
_PARAMETER = {kind for kind, test in _TESTS.items() if "{value}" in test}


def _parameter(value: str | int | tuple[str, ...]) -> object:
    """The value of a condition as a parameter of SQL."""
    if isinstance(value, tuple):
        return [_text(each) for each in value]
    return _text(value) if isinstance(value, str) else value


def _stored(values: Sequence[str | None]) -> list[str | None]:
    """Values as they are stored, like `_text`."""
    return [(value if value.isascii() else _text(value)) if value else None for value in values]


def _text(value: str | None) -> str | None:
    """A value as it is stored; NULL if it is empty."""
    if not value:
        return None
    return value if value.isascii() else without_lone_surrogates(value)


def _numbers(values: Any) -> "array[int]":
    numbers = array(RECORD_NUMBER)
    numbers.frombytes(values.astype(np.uint32).tobytes())
    return numbers


def _is_address(type: FieldType) -> bool:
    return type is FieldType.IMAGE_URL or type in MEDIA_EXTENSIONS


def _address_test(type: FieldType) -> Any:
    """A function that returns whether a value is not a valid address for a type of field."""
    if type is FieldType.IMAGE_URL:
        return lambda value: not is_https_url(value)
    extensions = MEDIA_EXTENSIONS.get(type, ())
    return lambda value: not is_media_url(value, extensions)
