"""Tables in JSON files: an array of objects, of arrays or of single values, alone or inside objects.

An object with the records by their numbers is a table, too (`json_by_index`).
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, TypeAlias

from batchwright.base.i18n import _, ngettext
from batchwright.base.json_texts.json_cursor import JsonCursor
from batchwright.base.json_values import Json, is_array, is_object
from batchwright.data_files.column_names import distinct_names
from batchwright.data_files.rows import EmptyFile, UnreadableFile
from batchwright.data_files.sources.json_by_index import records_by_index
from batchwright.data_files.sources.nested_values import MAX_COLUMNS, Records, flat_table
from batchwright.data_files.sources.source import SourceChoice, SourceOptions, SourceTable

_SEARCHED_CHARACTERS = 1 << 22
"""Characters in which arrays are looked for once one was found."""
_LONGEST_ELEMENT = 64_000_000
"""Characters of one element; it is parsed at once and then needs several times the memory."""
_KEYS_OF_NAMES = frozenset(("columns", "fields", "header", "headers"))
"""Keys of arrays with the names of columns, beside the array with the rows."""
_DEEPEST_ARRAY = 8
"""Objects around an array that is offered."""

_Path: TypeAlias = tuple[str, ...]
_Elements: TypeAlias = Iterator[tuple[int, Json]]
"""The number of each element, from 1, and its value."""


@dataclass(frozen=True)
class _FoundArray:
    """An array with the number of elements among the searched characters."""

    path: _Path
    elements: int
    has_records: bool
    """Whether it has an object or an array among them."""
    names: tuple[str, ...]
    """The elements, if all are texts that may be the names of columns."""

    @property
    def name(self) -> str:
        return ".".join(self.path)


@contextmanager
def open_table(path: Path, options: SourceOptions) -> Iterator[SourceTable]:
    """Open the table in an array; one that is not there is replaced by the proposed one, the longest.

    Raises:
        UnreadableFile: it is no JSON, or has no array.
        OSError: it cannot be opened.
    """
    with path.open("rb") as stream:
        cursor = _cursor(stream)
        with _errors_as_unreadable(cursor):
            records = records_by_index(stream, _LONGEST_ELEMENT)
            stream.seek(0)
            arrays = _arrays(cursor) if records is None else []
        if records is not None:
            yield flat_table(_checked(records, cursor), options)
            return
        if not arrays:
            raise UnreadableFile(
                _("No array of records was found in “{name}”.").format(name=path.name),
                _('Records are the elements of an array, as in [{"prompt": "…"}, …].'),
            )
        longest = max(arrays, key=_likelihood)
        array = next((array for array in arrays if array.name == options.array), longest)
        stream.seek(0)
        elements = enumerate(_elements(stream, array.path), 1)
        choice = SourceChoice(
            "array", _("Array"), tuple((one.name, _title(one)) for one in arrays), array.name
        )
        names = _names_for(array, arrays)
        yield _table(elements, options, (choice,) if array.path else (), names)


def _likelihood(array: _FoundArray) -> tuple[bool, bool, int]:
    """The higher, the more likely an array has the records; a schema describes them."""
    return array.has_records, "schema" not in array.path, array.elements


def _title(array: _FoundArray) -> str:
    text = ngettext("{path} ({count} element)", "{path} ({count} elements)", array.elements)
    return text.format(path=array.name, count=array.elements)


def _arrays(cursor: JsonCursor) -> list[_FoundArray]:
    """The arrays in a text that are not in other arrays: the first one with records, and others near it."""
    found: list[_FoundArray] = []
    _add_arrays(cursor, (), found)
    return found


def _add_arrays(cursor: JsonCursor, path: _Path, found: list[_FoundArray]) -> None:
    if cursor.peek() == "{" and len(path) < _DEEPEST_ARRAY:
        for key in cursor.member_keys():
            _add_arrays(cursor, (*path, key), found)
            if cursor.position > _SEARCHED_CHARACTERS and any(array.has_records for array in found):
                return
    elif cursor.accept("["):
        count, has_records, names = 0, False, list[str]()
        for value, _text in cursor.rest_of_array():
            count, has_records = count + 1, has_records or is_object(value) or is_array(value)
            if isinstance(value, str) and count <= MAX_COLUMNS:
                names.append(value)
            if not path or (has_records and cursor.position > _SEARCHED_CHARACTERS):
                break
        found.append(_FoundArray(path, count, has_records, tuple(names) if len(names) == count else ()))
    else:
        cursor.skip()


def _names_for(array: _FoundArray, arrays: Sequence[_FoundArray]) -> tuple[str, ...]:
    """The names of columns in an array beside one with rows that are arrays; empty if there is none."""
    beside = {
        other.path[-1]: other.names for other in arrays if other.path and other.path[:-1] == array.path[:-1]
    }
    return next((names for key, names in beside.items() if names and key in _KEYS_OF_NAMES), ())


def _checked(records: Records, cursor: JsonCursor) -> Records:
    with _errors_as_unreadable(cursor):
        yield from records


def _elements(stream: BinaryIO, path: _Path) -> Iterator[Json]:
    cursor = _cursor(stream)
    with _errors_as_unreadable(cursor):
        for value, _text in cursor.array_at(path):
            yield value


def _cursor(stream: BinaryIO) -> JsonCursor:
    encoding = json.detect_encoding(stream.read(4))
    stream.seek(0)
    return JsonCursor(stream.read, encoding, _LONGEST_ELEMENT)


@contextmanager
def _errors_as_unreadable(cursor: JsonCursor) -> Iterator[None]:
    try:
        yield
    except UnreadableFile:
        raise
    except UnicodeDecodeError:
        raise UnreadableFile(_("The file is not encoded as UTF-8."), _("Save it as UTF-8.")) from None
    except RecursionError:
        raise UnreadableFile(_("Arrays and objects are nested too deeply.")) from None
    except ValueError as error:
        text = _("The file is not valid JSON: {reason}.")
        raise UnreadableFile(
            text.format(reason=cursor.located_error(error)), _("Export it again, or correct it in an editor.")
        ) from None


def _table(
    elements: _Elements, options: SourceOptions, choices: tuple[SourceChoice, ...], names: Sequence[str]
) -> SourceTable:
    first = next(elements, None)
    if first is None:
        raise EmptyFile
    _number, value = first
    if is_array(value) and len(names) == len(value):
        rows = _records_of_arrays(chain((first,), elements), distinct_names(names))
        return flat_table(rows, options, choices)
    if is_array(value):
        return _table_of_arrays(value, chain((first,), elements), options, choices)
    return flat_table(_records(chain((first,), elements)), options, choices)


def _records(elements: _Elements) -> Records:
    """Records are elements that are objects; others have one value."""
    for number, value in elements:
        yield number, value if is_object(value) else {"value": value}


def _table_of_arrays(
    first: Sequence[Json], elements: _Elements, options: SourceOptions, choices: tuple[SourceChoice, ...]
) -> SourceTable:
    """The table of rows that are arrays, the first of which may have the names of the columns."""
    has_header = bool(first) and all(isinstance(cell, str) and cell for cell in first)
    header_row = int(has_header) if options.header_row is None else min(options.header_row, 1)
    texts = ((1, _("Header in row {number}").format(number=1)), (0, _("No header")))
    choice = SourceChoice("header_row", _("Header"), texts, header_row)
    names = distinct_names([str(cell) for cell in first]) if header_row else ()
    return flat_table(
        _records_of_arrays(islice(elements, header_row, None), names), options, (*choices, choice)
    )


def _records_of_arrays(elements: _Elements, names: Sequence[str]) -> Records:
    for number, value in elements:
        if not is_array(value):
            raise UnreadableFile(
                _("Element {number} of the array is no array, as those before it.").format(number=number)
            )
        yield (
            number,
            {
                names[index] if index < len(names) else f"column_{index + 1}": cell
                for index, cell in enumerate(value)
            },
        )
