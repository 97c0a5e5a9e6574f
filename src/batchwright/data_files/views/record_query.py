"""What can be asked about the records of a file, and the answers, as values."""

from array import array
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from batchwright.schema.model import FieldType

MAX_COLUMNS = 1_000
"""Columns that can be searched, filtered and sorted; further ones are only shown."""

RECORD_NUMBER = "I"
"""The type code of arrays of record indexes and rows: four bytes each."""


class ConditionKind(Enum):
    """What a record fulfils to be shown."""

    EMPTY = auto()
    FILLED = auto()
    EQUAL = auto()
    CONTAINS = auto()
    """The value contains a text; case does not matter."""
    REPEATED = auto()
    """Another record has the same value, or the same values in all columns."""
    SHORTER = auto()
    """The value has fewer characters than a number."""
    LONGER = auto()
    """The value has more characters than a number."""
    BAD_ADDRESS = auto()
    """The value is not a valid address for a type of field."""
    ONE_OF = auto()
    """The value is one of several."""


@dataclass(frozen=True)
class RecordCondition:
    """A condition on the value in a column, counted from zero; on the whole record if `column` is None."""

    kind: ConditionKind
    column: int | None
    value: str | int | tuple[str, ...] = ""


@dataclass(frozen=True)
class Search:
    """A text or a regular expression to look for in all columns, or in one; case does not matter."""

    text: str
    is_pattern: bool = False


@dataclass(frozen=True)
class RecordQuery:
    """Which records are shown, in which order, and what is looked for among them.

    `sorted_by` is a column counted from zero; None for the order of the file.
    """

    conditions: tuple[RecordCondition, ...] = ()
    sorted_by: int | None = None
    is_descending: bool = False
    search: Search | None = None

    @property
    def is_file_order(self) -> bool:
        """Whether all records are shown in the order of the file."""
        return not self.conditions and self.sorted_by is None

    def with_order(self, column: int | None, *, is_descending: bool = False) -> "RecordQuery":
        """The same, sorted by a column counted from zero; in the order of the file for None."""
        return replace(self, sorted_by=column, is_descending=is_descending)

    def with_text(self, column: int, text: str) -> "RecordQuery":
        """The same with another text that values in a column contain; with none if it is empty."""
        kept = (
            condition
            for condition in self.conditions
            if (condition.kind, condition.column) != (ConditionKind.CONTAINS, column)
        )
        added = (RecordCondition(ConditionKind.CONTAINS, column, text),) if text else ()
        return replace(self, conditions=(*kept, *added))

    def text_of(self, column: int) -> str:
        """The text that values in a column contain; empty if there is no such condition."""
        texts = (
            str(condition.value)
            for condition in self.conditions
            if (condition.kind, condition.column) == (ConditionKind.CONTAINS, column)
        )
        return next(texts, "")

    def with_condition(self, condition: RecordCondition) -> "RecordQuery":
        """The same with one more condition."""
        others = tuple(other for other in self.conditions if other != condition)
        return replace(self, conditions=(*others, condition))


def _no_numbers() -> "array[int]":
    return array(RECORD_NUMBER)


@dataclass(frozen=True)
class RecordView:
    """The answer to a query, over the records read so far.

    `order` has the index of the record in each row; None for the order of the file. `hits` are the rows in
    which the search finds something, in ascending order. `problem` says why the search cannot be used.
    """

    query: RecordQuery
    order: "array[int] | None" = None
    hits: "array[int]" = field(default_factory=_no_numbers)
    read: int = 0
    is_complete: bool = True
    problem: str = ""


@dataclass(frozen=True)
class CountsQuestion:
    """A question about the values in a column, counted from zero; `type` is that of its field."""

    column: int
    type: FieldType | None = None


@dataclass(frozen=True)
class ColumnCounts:
    """What is known of the values of a column over all records read so far; lengths in characters.

    `repeated` are the records whose value another record has, too. `short` and `long` are the records whose
    value is conspicuously shorter than `short_below`, or longer than `long_above`. `bad_addresses` is None if
    the field is not for addresses.
    """

    question: CountsQuestion
    read: int
    is_complete: bool
    empty: int
    distinct: int
    shortest: int
    longest: int
    repeated: int
    frequent: Sequence[tuple[str, int]]
    """The most frequent values, each with its number of records; values that occur once are left out."""
    short: int
    short_below: int
    long: int
    long_above: int
    bad_addresses: int | None
    repeated_records: int
    """Records that are equal to another one in all columns."""


@dataclass(frozen=True)
class MarksQuestion:
    """A question about what is conspicuous in all columns; `types` are those of their fields."""

    types: tuple[FieldType | None, ...]


@dataclass(frozen=True)
class RecordMarks:
    """What is conspicuous among the records.

    `repeated` has the indexes of the records whose value another record has, too, by column, in ascending
    order. Columns are left out whose values repeat more often than not, as those of categories do.
    """

    question: MarksQuestion
    is_complete: bool
    columns: tuple[ColumnCounts, ...]
    """The counts of each column that is stored."""
    repeated: "Mapping[int, array[int]]"
    repeated_records: "array[int]"
    """The indexes of the records that are equal to another one, in ascending order."""

    def is_repeated(self, record: int, column: int | None) -> bool:
        """Whether another record has the same value in a column; in all columns for None."""
        records = self.repeated_records if column is None else self.repeated.get(column)
        if not records:
            return False
        at = bisect_left(records, record)
        return at < len(records) and records[at] == record
