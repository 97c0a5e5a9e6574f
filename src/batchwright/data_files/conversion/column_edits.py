"""Changes of whole columns beside a data file: other names, types and columns made from others.

Each is a frozen value that says which columns there are after it and is called with a record. It does not
look at other records, so that a file of any size is converted row by row.
"""

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cached_property
from typing import Any, ClassVar

from typing_extensions import override

from batchwright.base.i18n import N_, _
from batchwright.base.json_values import Json, JsonObject, is_array, is_object, is_valid_unicode
from batchwright.base.local_formats import joined, quoted
from batchwright.base.text import is_blank
from batchwright.base.urls import is_https_url
from batchwright.data_files.profiling import as_text
from batchwright.schema.parsing import MAX_KEY_CHARS

MAX_PARTS = 100
"""The most columns that one is split into."""

_NOTHING = (None, "")


class ValueType(StrEnum):
    """What the values of a column are read as."""

    NUMBER = "number"
    TEXT = "text"
    TRUTH = "truth"
    ADDRESS = "address"


@dataclass(frozen=True)
class ColumnEdit(ABC):
    """A change of the columns of a table.

    An empty value is an absent key, before and after a change.
    """

    label: ClassVar[str]
    """The name of the change in the undo menu, in English."""

    @property
    @abstractmethod
    def needed(self) -> tuple[str, ...]:
        """The columns without which it cannot be made."""

    @property
    @abstractmethod
    def created(self) -> tuple[str, ...]:
        """The names of the columns that it adds."""

    @property
    @abstractmethod
    def text(self) -> str:
        """What it does, as a phrase."""

    @abstractmethod
    def columns(self, columns: Sequence[str]) -> tuple[str, ...]:
        """The columns of a table after the change."""

    @abstractmethod
    def __call__(self, record: JsonObject) -> JsonObject:
        """A record after the change; the given one stays as it is."""

    def is_unread(self, record: JsonObject) -> bool:
        """Whether a record has a value that stays as it is, because it cannot be read in this way."""
        del record
        return False

    def problem(self, columns: Sequence[str]) -> str:
        """Why the change cannot be made in a table with these columns; empty if it can."""
        known = set(columns)
        missing = [name for name in self.needed if name not in known]
        if missing:
            return _("There is no column “{column}”.").format(column=missing[0])
        return _name_problem(self.created, columns)


@dataclass(frozen=True)
class RenameColumn(ColumnEdit):
    """Another name for a column."""

    label: ClassVar[str] = N_("Rename column")
    column: str
    name: str

    @property
    @override
    def needed(self) -> tuple[str, ...]:
        return (self.column,)

    @property
    @override
    def created(self) -> tuple[str, ...]:
        return (self.name,)

    @property
    @override
    def text(self) -> str:
        return _("Rename “{column}” to “{name}”").format(column=self.column, name=self.name)

    @override
    def columns(self, columns: Sequence[str]) -> tuple[str, ...]:
        return _distinct(self.name if name == self.column else name for name in columns)

    @override
    def __call__(self, record: JsonObject) -> JsonObject:
        if self.column not in record:
            return _without(record, self.name)
        return {
            self.name if key == self.column else key: value
            for key, value in record.items()
            if key != self.name
        }


@dataclass(frozen=True)
class LeaveOutColumn(ColumnEdit):
    """A column that the records do not have."""

    label: ClassVar[str] = N_("Leave out column")
    column: str

    @property
    @override
    def needed(self) -> tuple[str, ...]:
        return (self.column,)

    @property
    @override
    def created(self) -> tuple[str, ...]:
        return ()

    @property
    @override
    def text(self) -> str:
        return _("Leave out “{column}”").format(column=self.column)

    @override
    def columns(self, columns: Sequence[str]) -> tuple[str, ...]:
        return tuple(name for name in columns if name != self.column)

    @override
    def __call__(self, record: JsonObject) -> JsonObject:
        return _without(record, self.column)

    @override
    def problem(self, columns: Sequence[str]) -> str:
        if tuple(columns) == self.needed:
            return _("A table needs a column.")
        return super().problem(columns)


@dataclass(frozen=True)
class ReadColumn(ColumnEdit):
    """A type that the values of a column are read as; those that cannot be stay as they are."""

    label: ClassVar[str] = N_("Change type of values")
    column: str
    type: ValueType

    @property
    @override
    def needed(self) -> tuple[str, ...]:
        return (self.column,)

    @property
    @override
    def created(self) -> tuple[str, ...]:
        return ()

    @property
    @override
    def text(self) -> str:
        match self.type:
            case ValueType.NUMBER:
                text = _("Read “{column}” as numbers")
            case ValueType.TEXT:
                text = _("Read “{column}” as text")
            case ValueType.TRUTH:
                text = _("Read “{column}” as true and false")
            case ValueType.ADDRESS:
                text = _("Read “{column}” as addresses")
        return text.format(column=self.column)

    @override
    def columns(self, columns: Sequence[str]) -> tuple[str, ...]:
        return tuple(columns)

    @override
    def __call__(self, record: JsonObject) -> JsonObject:
        value = record.get(self.column)
        if value is None:
            return record
        read = _READERS[self.type](value)
        if read is None or read is value:
            return record
        return {**record, self.column: read} if read != "" else _without(record, self.column)

    @override
    def is_unread(self, record: JsonObject) -> bool:
        value = record.get(self.column)
        return value not in _NOTHING and _READERS[self.type](value) is None


@dataclass(frozen=True)
class SplitColumn(ColumnEdit):
    """Columns with the parts of a text, behind the one with the text; the last one has all that is left."""

    label: ClassVar[str] = N_("Split column")
    column: str
    separator: str
    names: tuple[str, ...]

    @property
    @override
    def needed(self) -> tuple[str, ...]:
        return (self.column,)

    @property
    @override
    def created(self) -> tuple[str, ...]:
        return self.names

    @property
    @override
    def text(self) -> str:
        text = _("Split “{column}” at “{separator}” into {names}")
        return text.format(column=self.column, separator=self.separator, names=_quoted(self.names))

    @override
    def columns(self, columns: Sequence[str]) -> tuple[str, ...]:
        return _with_behind(columns, self.column, self.names)

    @override
    def __call__(self, record: JsonObject) -> JsonObject:
        value = record.get(self.column)
        text = "" if value is None else as_text(value)
        parts = text.split(self.separator, len(self.names) - 1)
        return _with_values(record, dict(zip(self.names, map(str.strip, parts), strict=False)), self.names)

    @override
    def problem(self, columns: Sequence[str]) -> str:
        if not self.separator:
            return _("Enter the text at which the values are split.")
        if not 2 <= len(self.names) <= MAX_PARTS:
            return _("A column is split into 2 to {most} columns.").format(most=MAX_PARTS)
        return super().problem(columns)


@dataclass(frozen=True)
class JoinColumns(ColumnEdit):
    """A column with the values of several ones, and a text between those that are not empty."""

    label: ClassVar[str] = N_("Join columns")
    joined: tuple[str, ...]
    separator: str
    name: str

    @property
    @override
    def needed(self) -> tuple[str, ...]:
        return self.joined

    @property
    @override
    def created(self) -> tuple[str, ...]:
        return (self.name,)

    @property
    @override
    def text(self) -> str:
        return _("Join {columns} as “{name}”").format(columns=_quoted(self.joined), name=self.name)

    @override
    def columns(self, columns: Sequence[str]) -> tuple[str, ...]:
        positions = {name: position for position, name in enumerate(columns)}
        last = max(self.joined, key=positions.__getitem__)
        return _with_behind(columns, last, (self.name,))

    @override
    def __call__(self, record: JsonObject) -> JsonObject:
        values = (record.get(name) for name in self.joined)
        text = self.separator.join(as_text(value) for value in values if value not in _NOTHING)
        return _with_values(record, {self.name: text}, (self.name,))

    @override
    def problem(self, columns: Sequence[str]) -> str:
        if len(set(self.joined)) < 2:
            return _("Choose at least two columns.")
        return super().problem(columns)


_PLACE = re.compile(r"\{\{|\}\}|\{([^{}]+)\}")
"""A name of a column in braces, or a brace that is written twice and stands for one."""


@dataclass(frozen=True)
class FillColumn(ColumnEdit):
    """A column with a text in which names in braces stand for the values of a record.

    If there is a column of this name, its values are replaced. A record without any of the values gets none.
    """

    label: ClassVar[str] = N_("Fill column")
    column: str
    template: str

    @property
    @override
    def needed(self) -> tuple[str, ...]:
        return _distinct(self._names)

    @property
    @override
    def created(self) -> tuple[str, ...]:
        return (self.column,)

    @property
    @override
    def text(self) -> str:
        text = _("Fill “{column}” with “{template}”")
        return text.format(column=self.column, template=self.template)

    @override
    def columns(self, columns: Sequence[str]) -> tuple[str, ...]:
        return _distinct((*columns, self.column))

    @cached_property
    def _names(self) -> tuple[str, ...]:
        """The names in braces, one for each place."""
        return tuple(found[1] for found in _PLACE.finditer(self.template) if found[1])

    @cached_property
    def _pattern(self) -> str:
        """The template for `%`, with a `%s` for each name."""
        text = self.template.replace("%", "%%")
        return _PLACE.sub(lambda found: "%s" if found[1] else found[0][0], text)

    @override
    def __call__(self, record: JsonObject) -> JsonObject:
        values = map(record.get, self._names)
        texts = [value if type(value) is str else "" if value is None else as_text(value) for value in values]
        if any(texts) or not texts:
            return {**record, self.column: self._pattern % tuple(texts)}
        return _without(record, self.column)

    @override
    def problem(self, columns: Sequence[str]) -> str:
        if not self.template:
            return _("Enter a text, with names of columns in braces.")
        known = set(columns)
        unknown = [name for name in self.needed if name not in known]
        if unknown:
            text = _("There is no column “{column}”, which the text names in braces.")
            return text.format(column=unknown[0])
        return _name_problem(self.created, [name for name in columns if name != self.column])


def _name_problem(created: Sequence[str], columns: Sequence[str]) -> str:
    """Why columns of these names cannot be added to others; empty if they can."""
    for number, name in enumerate(created):
        if is_blank(name):
            return _("Enter a name.")
        if len(name) > MAX_KEY_CHARS:
            return _("A name has at most {most} characters.").format(most=MAX_KEY_CHARS)
        if not is_valid_unicode(name):
            return _("The name is not valid text.")
        if name in columns or name in created[:number]:
            return _("There is a column “{column}” already.").format(column=name)
    return ""


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _with_behind(columns: Sequence[str], column: str, added: Sequence[str]) -> tuple[str, ...]:
    """The columns with others behind one of them."""
    at = list(columns).index(column) + 1
    others = [[name for name in part if name not in added] for part in (columns[:at], columns[at:])]
    return (*others[0], *added, *others[1])


def _without(record: JsonObject, column: str) -> JsonObject:
    return {key: value for key, value in record.items() if key != column} if column in record else record


def _with_values(record: JsonObject, values: Mapping[str, str], names: Sequence[str]) -> JsonObject:
    """A record with texts as the values of columns; what is empty is left out."""
    filled = {name: value for name, value in values.items() if value}
    if len(filled) < len(names) and not record.keys().isdisjoint(names):
        record = {key: value for key, value in record.items() if key not in names or key in filled}
    return {**record, **filled}


def _quoted(names: Sequence[str]) -> str:
    return joined(quoted(name) for name in names)


_WHOLE = re.compile(r"[+-]?[0-9]{1,4000}")
_POINT = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")
_COMMA = re.compile(r"[+-]?[0-9]+,(?:[0-9]{1,2}|[0-9]{4,})")
"""A number with a decimal comma; three digits behind a comma may as well be thousands."""


def _number(value: Json) -> Json:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value
    text = value.strip() if isinstance(value, str) else "no number"
    if _WHOLE.fullmatch(text):
        return int(text)
    if _COMMA.fullmatch(text):
        text = text.replace(",", ".")
    if len(text) > _MAX_NUMBER_CHARS or not _POINT.fullmatch(text):
        return None
    number = float(text)
    return number if math.isfinite(number) else None


_MAX_NUMBER_CHARS = 400


def _truth(value: Json) -> Json:
    if isinstance(value, bool):
        return value
    return _TRUTHS.get(as_text(value).strip().lower())


FALSE_TEXTS = ("false", "no", "f", "n", "0", "0.0", "off")
"""The texts, in lower case, that say false."""
_TRUTHS = {
    **dict.fromkeys(("true", "yes", "t", "y", "1", "1.0", "on"), True),
    **dict.fromkeys(FALSE_TEXTS, False),
}


def _text(value: Json) -> Json:
    return value if isinstance(value, str) else as_text(value)


def _address(value: Json) -> Json:
    """An https address without spaces around it; `https://` is added to one without a scheme."""
    if is_array(value) or is_object(value):
        return None
    text = as_text(value).strip()
    if "://" not in text and "." in text.partition("/")[0]:
        text = f"https://{text.removeprefix('//')}"
    elif text.startswith("//"):
        text = f"https:{text}"
    return text if is_https_url(text) else None


_READERS: Mapping[ValueType, Callable[[Json], Json]] = {
    ValueType.NUMBER: _number,
    ValueType.TEXT: _text,
    ValueType.TRUTH: _truth,
    ValueType.ADDRESS: _address,
}
"""Functions that return a value as it is read; None if it cannot be."""

_KINDS: Mapping[str, type[ColumnEdit]] = {
    "rename": RenameColumn,
    "leave_out": LeaveOutColumn,
    "read": ReadColumn,
    "split": SplitColumn,
    "join": JoinColumns,
    "fill": FillColumn,
}
_KIND = "change"
"""The key of a stored change of columns that has its kind."""


def write_column_edit(edit: ColumnEdit) -> JsonObject:
    """A change of columns as it is stored in a study."""
    kind = next(kind for kind, type in _KINDS.items() if type is edit.__class__)
    values = {entry.name: getattr(edit, entry.name) for entry in fields(edit)}
    stored = {name: list(value) if isinstance(value, tuple) else str(value) for name, value in values.items()}
    return {_KIND: kind, **stored}


def as_step(edit: ColumnEdit) -> JsonObject:
    """A change of columns as a step of a preparation."""
    stored = write_column_edit(edit)
    options = {name: value for name, value in stored.items() if name != _KIND}
    return {"step": stored[_KIND], **options}


def read_column_edit(entry: Mapping[str, Json]) -> ColumnEdit | None:
    """A change of columns that is stored in a study; None if it cannot be used."""
    kind = _KINDS.get(str(entry.get(_KIND)))
    if kind is None or entry.keys() != {_KIND, *(found.name for found in fields(kind))}:
        return None
    values: dict[str, Any] = {}
    for name, value in entry.items():
        if name == _KIND:
            continue
        is_list = name in ("names", "joined")
        if is_list and is_array(value) and all(isinstance(part, str) for part in value):
            values[name] = tuple(value)
        elif isinstance(value, str) and not is_list:
            values[name] = value
        else:
            return None
    if kind is ReadColumn:
        if values["type"] not in tuple(ValueType):
            return None
        values["type"] = ValueType(values["type"])
    return kind(**values)
