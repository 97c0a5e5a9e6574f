"""Values that were mended beside a data file, which itself stays as it is.

Edits are applied in their order. One of a cell finds its record again in a newer version of the file: by the
whole content that the record had before the edit, otherwise by the value in a field that identifies records.
"""

import hashlib
import re
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TypeAlias

from batchwright.base.json_values import InvalidJson, Json, JsonObject, is_array, is_object, parse, to_json
from batchwright.data_files.profiling import as_text

_KEY_NAMES = ("id", "uuid", "key")
_DIGEST_BYTES = 10


@dataclass(frozen=True)
class CellEdit:
    """Another value for one cell; an empty one removes it."""

    column: str
    before: str
    value: str
    record: int
    """The index of the record when it was mended."""
    digest: str
    """That of its content before this edit (`record_digest`)."""
    key_field: str = ""
    key: str = ""
    """The value of the field that identifies records; both are empty if there is none."""


@dataclass(frozen=True)
class ReplacementEdit:
    """Another text for all places where a text is found, in any column; case does not matter."""

    text: str
    replacement: str


Edit: TypeAlias = CellEdit | ReplacementEdit
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


@dataclass
class Mender:
    """Applies edits to the records of a file, one after the other.

    `placed` has the index of the record of each edit of a cell; without it, each edit belongs to the record
    that has its index, if that has the content of then.
    """

    edits: Sequence[Edit]
    placed: Mapping[CellEdit, int] | None = None
    applied: set[CellEdit] = field(default_factory=set)
    mended: dict[str, "array[int]"] = field(default_factory=dict)
    """The indexes of the records with another value than in the file, by column, in ascending order."""

    def __post_init__(self) -> None:
        self._by_index: dict[int, list[tuple[int, Edit]]] = {}
        self._replacements = [
            (number, edit) for number, edit in enumerate(self.edits) if isinstance(edit, ReplacementEdit)
        ]
        self._patterns = {edit: _pattern(edit) for _number, edit in self._replacements}
        for number, edit in enumerate(self.edits):
            if isinstance(edit, CellEdit):
                index = edit.record if self.placed is None else self.placed.get(edit)
                if index is not None:
                    self._by_index.setdefault(index, []).append((number, edit))

    def mend(self, index: int, record: JsonObject) -> JsonObject:
        """A record with the edits that belong to it."""
        edits = self._by_index.get(index)
        if edits is None and not self._replacements:
            return record
        mended = record
        for _number, edit in sorted((*(edits or ()), *self._replacements), key=lambda entry: entry[0]):
            if isinstance(edit, ReplacementEdit):
                mended = _replaced(mended, self._patterns[edit], edit.replacement)
            elif self.placed is not None or record_digest(mended) == edit.digest:
                mended = _with_value(mended, edit.column, edit.value)
                self.applied.add(edit)
        for column in {**record, **mended}:
            if record.get(column) != mended.get(column):
                self.mended.setdefault(column, array("I")).append(index)
        return mended

    @property
    def unfound(self) -> list[CellEdit]:
        """The edits of cells that have found no record so far."""
        return [edit for edit in self.edits if isinstance(edit, CellEdit) and edit not in self.applied]


def place(edits: Sequence[Edit], records: Iterable[tuple[int, Json]]) -> dict[CellEdit, int]:
    """The index of the record of each edit of a cell, in another version of the file.

    `records` are all records with their indexes. That is the record with the content of then (of several, the
    one at the same index, or the first), otherwise the only record with the same key. Edits that find no
    record are left out.
    """
    segments = _segments(edits)
    keys = {(edit.key_field, edit.key) for edit in edits if isinstance(edit, CellEdit) and edit.key_field}
    key_fields = {name for name, _key in keys}
    placed: dict[CellEdit, int] = {}
    with_key: dict[tuple[str, str], list[int]] = {}
    for index, record in records:
        if not is_object(record):
            continue
        for name in key_fields & record.keys():
            entry = (name, as_text(record[name]))
            if entry in keys:
                with_key.setdefault(entry, []).append(index)
                del with_key[entry][2:]
        _place_by_content(segments, index, record, placed)
    for edit in edits:
        if isinstance(edit, CellEdit) and edit not in placed:
            candidates = with_key.get((edit.key_field, edit.key), [])
            if len(candidates) == 1:
                placed[edit] = candidates[0]
    return placed


def _place_by_content(
    segments: "Sequence[_Segment]", index: int, record: JsonObject, placed: dict[CellEdit, int]
) -> None:
    """Add the edits that belong to a record by its content, which they change one after the other."""
    state = record
    for by_digest, replacement in segments:
        while by_digest and (found := _next_edit(by_digest, state, index, placed)) is not None:
            placed[found] = index
            state = _with_value(state, found.column, found.value)
        if replacement is not None:
            state = _replaced(state, _pattern(replacement), replacement.replacement)


_Segment: TypeAlias = tuple[dict[str, list[CellEdit]], ReplacementEdit | None]
"""Edits of cells by the digest of their record, and the replacement after them."""


def _segments(edits: Sequence[Edit]) -> list[_Segment]:
    segments: list[_Segment] = []
    by_digest: dict[str, list[CellEdit]] = {}
    for edit in edits:
        if isinstance(edit, ReplacementEdit):
            segments.append((by_digest, edit))
            by_digest = {}
        else:
            by_digest.setdefault(edit.digest, []).append(edit)
    return [*segments, (by_digest, None)]


def _next_edit(
    by_digest: Mapping[str, list[CellEdit]], state: Record, index: int, placed: Mapping[CellEdit, int]
) -> CellEdit | None:
    """The edit that belongs to a record in this state."""
    for edit in by_digest.get(record_digest(state), ()):
        at = placed.get(edit)
        if at is None or (at != index and edit.record == index):
            return edit
    return None


def _pattern(edit: ReplacementEdit) -> re.Pattern[str]:
    return re.compile(re.escape(edit.text), re.IGNORECASE)


def _replaced(record: JsonObject, pattern: re.Pattern[str], replacement: str) -> JsonObject:
    changed = {
        key: pattern.sub(lambda _found: replacement, value)
        for key, value in record.items()
        if isinstance(value, str) and pattern.search(value)
    }
    mended = {**record, **changed}
    return {key: value for key, value in mended.items() if value != "" or key not in changed}


def _with_value(record: JsonObject, column: str, value: str) -> JsonObject:
    """A record with a value in place of the one it has; a number stays one if the text is one."""
    before = record.get(column)
    if value == "":
        return {key: kept for key, kept in record.items() if key != column}
    return {**record, column: value if before is None or isinstance(before, str) else _json(value)}


def _json(text: str) -> Json:
    """The JSON value that a text stands for, or else the text."""
    try:
        return parse(text)
    except InvalidJson:
        return text


def write_edits(edits: Sequence[Edit]) -> list[Json]:
    """Edits as they are stored in a study."""
    return [dict(vars(edit)) for edit in edits]


def read_edits(stored: Json) -> tuple[Edit, ...]:
    """The edits that are stored in a study; what cannot be used is left out."""
    entries = stored if is_array(stored) else ()
    return tuple(edit for entry in entries if is_object(entry) and (edit := _read_edit(entry)) is not None)


def _read_edit(entry: Record) -> Edit | None:
    texts = {name: value for name, value in entry.items() if isinstance(value, str)}
    record = entry.get("record")
    if entry.keys() == texts.keys() == _REPLACEMENT:
        return ReplacementEdit(**texts)
    if entry.keys() == _CELL_EDIT and len(texts) == len(entry) - 1 and type(record) is int:
        return CellEdit(**texts, record=record)
    return None


_REPLACEMENT = {entry.name for entry in fields(ReplacementEdit)}
_CELL_EDIT = {entry.name for entry in fields(CellEdit)}
