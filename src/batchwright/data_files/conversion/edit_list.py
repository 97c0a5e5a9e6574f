"""What is changed beside a data file, which itself stays as it is: values of cells, and whole columns.

Edits are applied in their order, so that each one sees the columns and values that the user saw. One of a
cell finds its record again in a newer version of the file: by the whole content that the record had before,
otherwise by the value in a field that identifies records.
"""

import hashlib
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from typing import ClassVar, TypeAlias

from batchwright.base.i18n import N_
from batchwright.base.json_values import InvalidJson, Json, JsonObject, is_array, is_object, parse, to_json
from batchwright.data_files.conversion.column_edits import (
    ColumnEdit,
    LeaveOutColumn,
    RenameColumn,
    read_column_edit,
    write_column_edit,
)
from batchwright.data_files.profiling import as_text

_KEY_NAMES = ("id", "uuid", "key")
_DIGEST_BYTES = 10


@dataclass(frozen=True)
class CellEdit:
    """Another value for one cell; an empty one removes it."""

    label: ClassVar[str] = N_("Change value")
    column: str
    before: str
    value: str
    record: int
    """The index of the record when it was edited."""
    digest: str
    """That of its content before this edit (`record_digest`)."""
    key_field: str = ""
    key: str = ""
    """The value of the field that identifies records; both are empty if there is none."""


@dataclass(frozen=True)
class ReplacementEdit:
    """Another text for all places where a text is found, in any column; case does not matter."""

    label: ClassVar[str] = N_("Replace text")
    text: str
    replacement: str


Edit: TypeAlias = CellEdit | ReplacementEdit | ColumnEdit
Record: TypeAlias = Mapping[str, Json]


def record_digest(record: Record) -> str:
    """A digest of the values that are not empty; the order of the keys does not matter."""
    filled = {key: value for key, value in sorted(record.items()) if value not in (None, "")}
    return hashlib.blake2b(to_json(filled).encode("utf-8", "replace"), digest_size=_DIGEST_BYTES).hexdigest()


def cell_edit(columns: Sequence[str], index: int, record: Record, column: str, value: str) -> CellEdit:
    """An edit of a record as it is now."""
    before = record.get(column)
    names = (name for name in columns if name.lower() in _KEY_NAMES or name.lower().endswith("_id"))
    key_field = next((name for name in names if name != column and record.get(name) not in (None, "")), "")
    return CellEdit(
        column,
        before="" if before is None else as_text(before),
        value=value,
        record=index,
        digest=record_digest(record),
        key_field=key_field,
        key=as_text(record[key_field]) if key_field else "",
    )


@dataclass(frozen=True)
class UsableEdits:
    """The edits that can be made in a table, in their order.

    `columns` are those of the table afterwards, and `unusable` the changes of columns that cannot be made in
    it, each with the reason.
    """

    edits: tuple[Edit, ...]
    columns: tuple[str, ...]
    unusable: tuple[tuple[ColumnEdit, str], ...] = ()


def usable_edits(edits: Sequence[Edit], columns: Sequence[str]) -> UsableEdits:
    """The edits that can be made in a table with these columns."""
    usable: list[Edit] = []
    unusable: list[tuple[ColumnEdit, str]] = []
    names = tuple(columns)
    for edit in edits:
        if not isinstance(edit, ColumnEdit):
            usable.append(edit)
        elif problem := edit.problem(names):
            unusable.append((edit, problem))
        else:
            usable.append(edit)
            names = edit.columns(names)
    return UsableEdits(tuple(usable), names, tuple(unusable))


def columns_after(edits: Sequence[Edit], columns: Sequence[str]) -> tuple[str, ...]:
    """The columns of a table after edits that can be made in it."""
    for edit in edits:
        columns = edit.columns(columns) if isinstance(edit, ColumnEdit) else columns
    return tuple(columns)


def have_columns(edits: Sequence[Edit], columns: Sequence[str]) -> bool:
    """Whether a table with these columns has those that each edit needs."""
    for edit in edits:
        if isinstance(edit, CellEdit) and edit.column not in columns:
            return False
        if isinstance(edit, ColumnEdit):
            if edit.problem(columns):
                return False
            columns = edit.columns(columns)
    return True


def changes_by_column(edits: Sequence[Edit]) -> dict[str, list[str]]:
    """What changes of columns have done to each column that there is after them, as phrases."""
    changes: dict[str, list[str]] = {}
    for edit in edits:
        match edit:
            case RenameColumn(old, new):
                changes[new] = [*changes.pop(old, ()), edit.text]
            case LeaveOutColumn(name):
                changes.pop(name, None)
            case ColumnEdit():
                for name in edit.created or edit.needed:
                    changes.setdefault(name, []).append(edit.text)
    return changes


@dataclass
class RecordEditor:
    """Applies usable edits to the records of a file, one after the other.

    `placed` has the index of the record of each edit of a cell; without it, each edit belongs to the record
    that has its index, if that has the content of then.
    """

    edits: Sequence[Edit]
    placed: Mapping[CellEdit, int] | None = None
    applied: set[CellEdit] = field(default_factory=set)
    edited_cells: dict[str, "array[int]"] = field(default_factory=dict)
    """The indexes of the records that edits of values have changed, by column, in ascending order."""
    unread: Counter[ColumnEdit] = field(default_factory=Counter)
    """The number of values that stay as they are, because they cannot be read in another type."""

    def __post_init__(self) -> None:
        self._by_index: dict[int, list[tuple[int, Edit]]] = {}
        self._of_all = [
            (number, edit) for number, edit in enumerate(self.edits) if not isinstance(edit, CellEdit)
        ]
        for number, edit in enumerate(self.edits):
            if isinstance(edit, CellEdit):
                index = edit.record if self.placed is None else self.placed.get(edit)
                if index is not None:
                    self._by_index.setdefault(index, []).append((number, edit))

    def edit_record(self, index: int, record: JsonObject) -> JsonObject:
        """A record with the edits that belong to it."""
        own = self._by_index.get(index)
        edits = sorted((*own, *self._of_all), key=_number_of) if own else self._of_all
        plain = edited = record
        for _number, edit in edits:
            if isinstance(edit, ReplacementEdit):
                edited = _replaced(edited, edit)
            elif not isinstance(edit, CellEdit):
                before, plain = plain, self._with_columns(edit, plain)
                edited = plain if edited is before else edit(edited)
            elif self.placed is not None or record_digest(edited) == edit.digest:
                edited = _with_value(edited, edit.column, edit.value)
                self.applied.add(edit)
        if edited is not plain:
            for column in {**plain, **edited}:
                if plain.get(column) != edited.get(column):
                    self.edited_cells.setdefault(column, array("I")).append(index)
        return edited

    def _with_columns(self, edit: ColumnEdit, record: JsonObject) -> JsonObject:
        """A record after a change of columns; a value that stays because it cannot be read is counted."""
        after = edit(record)
        if after is record and edit.is_unread(record):
            self.unread[edit] += 1
        return after

    @property
    def unfound(self) -> list[CellEdit]:
        """The edits of cells that have found no record so far."""
        return [edit for edit in self.edits if isinstance(edit, CellEdit) and edit not in self.applied]


def _number_of(entry: tuple[int, Edit]) -> int:
    return entry[0]


def place(edits: Sequence[Edit], records: Iterable[tuple[int, Json]]) -> dict[CellEdit, int]:
    """The index of the record of each edit of a cell, in another version of the file.

    `records` are all records with their indexes, before any edit. That is the record with the content of then
    (of several, the one at the same index, or the first), otherwise the only record with the same key. Edits
    that find no record are left out.
    """
    parts = _parts(edits)
    placed: dict[CellEdit, int] = {}
    with_key: dict[tuple[int, str, str], list[int]] = {}
    for index, record in records:
        if not is_object(record):
            continue
        state = record
        for part in parts:
            for key in part.keys_of(state):
                found = with_key.setdefault((part.number, *key), [])
                found.append(index)
                del found[2:]
            state = part.placed_by_content(index, state, placed)
    for part in parts:
        for edit in part.edits:
            candidates = with_key.get((part.number, edit.key_field, edit.key), [])
            if edit not in placed and len(candidates) == 1:
                placed[edit] = candidates[0]
    return placed


@dataclass(frozen=True)
class _Part:
    """Consecutive edits of cells, and the edit of all records behind them; None behind the last ones."""

    number: int
    edits: Sequence[CellEdit]
    last: ReplacementEdit | ColumnEdit | None
    by_digest: Mapping[str, list[CellEdit]]
    """The edits by the digest of their record."""

    @cached_property
    def _keys(self) -> set[tuple[str, str]]:
        """The names and values of the fields that identify their records."""
        return {(edit.key_field, edit.key) for edit in self.edits if edit.key_field}

    @cached_property
    def _key_fields(self) -> set[str]:
        return {name for name, _key in self._keys}

    def keys_of(self, state: Record) -> Iterator[tuple[str, str]]:
        """Yield the fields of a record, each with its value, that identify a record of an edit."""
        for name in self._key_fields & state.keys():
            key = (name, as_text(state[name]))
            if key in self._keys:
                yield key

    def placed_by_content(self, index: int, state: JsonObject, placed: dict[CellEdit, int]) -> JsonObject:
        """A record after this part; the edits that belong to it by its content are added to `placed`."""
        while self.by_digest and (edit := _next_edit(self.by_digest, state, index, placed)) is not None:
            placed[edit] = index
            state = _with_value(state, edit.column, edit.value)
        if self.last is None:
            return state
        return _replaced(state, self.last) if isinstance(self.last, ReplacementEdit) else self.last(state)


def _parts(edits: Sequence[Edit]) -> list[_Part]:
    parts: list[_Part] = []
    cells: list[CellEdit] = []
    for edit in (*edits, None):
        if isinstance(edit, CellEdit):
            cells.append(edit)
            continue
        by_digest: dict[str, list[CellEdit]] = {}
        for cell in cells:
            by_digest.setdefault(cell.digest, []).append(cell)
        parts.append(_Part(len(parts), cells, edit, by_digest))
        cells = []
    return parts


def _next_edit(
    by_digest: Mapping[str, list[CellEdit]], state: Record, index: int, placed: Mapping[CellEdit, int]
) -> CellEdit | None:
    """The edit that belongs to a record in this state."""
    for edit in by_digest.get(record_digest(state), ()):
        at = placed.get(edit)
        if at is None or (at != index and edit.record == index):
            return edit
    return None


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(re.escape(text), re.IGNORECASE)


def _replaced(record: JsonObject, edit: ReplacementEdit) -> JsonObject:
    pattern = _pattern(edit.text)
    changed = {
        key: _typed(pattern.sub(lambda _found: edit.replacement, text), value)
        for key, value in record.items()
        if value is not None and pattern.search(text := as_text(value))
    }
    if not changed:
        return record
    edited = {**record, **changed}
    return {key: value for key, value in edited.items() if value != "" or key not in changed}


def _with_value(record: JsonObject, column: str, value: str) -> JsonObject:
    """A record with a value in place of the one it has; without any if it is empty."""
    if value == "":
        return {key: kept for key, kept in record.items() if key != column}
    return {**record, column: _typed(value, record.get(column))}


def _typed(text: str, before: Json) -> Json:
    """The value of a text in place of another one; a number stays one if the text is one."""
    return text if before is None or isinstance(before, str) else _json(text)


def taken_back(record: JsonObject, edit: CellEdit) -> JsonObject:
    """A record as it was before an edit; as it is if that belongs to another record."""
    others = {key: kept for key, kept in record.items() if key != edit.column}
    for value in (edit.before, _json(edit.before)):
        before = {**others, edit.column: value} if edit.before else others
        if record_digest(before) == edit.digest:
            return before
    value = record.get(edit.column)
    is_edited = ("" if value is None else as_text(value)) == edit.value
    return _with_value(record, edit.column, edit.before) if is_edited else record  # in a newer version


def _json(text: str) -> Json:
    """The JSON value that a text stands for, or else the text."""
    try:
        return parse(text)
    except InvalidJson:
        return text


def write_edits(edits: Sequence[Edit]) -> list[Json]:
    """Edits as they are stored in a study."""
    return [write_column_edit(edit) if isinstance(edit, ColumnEdit) else dict(vars(edit)) for edit in edits]


def read_edits(stored: Json) -> tuple[Edit, ...]:
    """The edits that are stored in a study; what cannot be used is left out."""
    entries = stored if is_array(stored) else ()
    return tuple(edit for entry in entries if is_object(entry) and (edit := _read_edit(entry)) is not None)


def _read_edit(entry: Record) -> Edit | None:
    if (column_edit := read_column_edit(entry)) is not None:
        return column_edit
    texts = {name: value for name, value in entry.items() if isinstance(value, str)}
    record = entry.get("record")
    if entry.keys() == texts.keys() == _REPLACEMENT:
        return ReplacementEdit(**texts)
    if entry.keys() == _CELL_EDIT and len(texts) == len(entry) - 1 and type(record) is int:
        return CellEdit(**texts, record=record)
    return None


_REPLACEMENT = {entry.name for entry in fields(ReplacementEdit)}
_CELL_EDIT = {entry.name for entry in fields(CellEdit)}
