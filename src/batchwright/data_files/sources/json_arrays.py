"""Tables in JSON files: an array of objects, of arrays or of single values, alone or inside objects."""

import codecs
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, TypeAlias

from batchwright.base.i18n import _, ngettext
from batchwright.base.json_cursor import JsonCursor
from batchwright.base.json_values import Json, is_array, is_object
from batchwright.data_files.column_names import distinct_names
from batchwright.data_files.rows import EmptyFile, UnreadableFile
from batchwright.data_files.sources.nested_values import Records, flat_table
from batchwright.data_files.sources.source import SourceChoice, SourceOptions, SourceTable

_SEARCHED_CHARACTERS = 1 << 22
"""Characters in which arrays are looked for."""
_LONGEST_ELEMENT = 64_000_000
"""Characters of one element; it is parsed at once and then needs several times the memory."""
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
    """Whether it begins with an object or an array."""

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
        arrays = _arrays(stream)
        if not arrays:
            raise UnreadableFile(
                _("No array of records was found in “{name}”.").format(name=path.name),
                _('Records are the elements of an array, as in [{"prompt": "…"}, …].'),
            )
        longest = max(arrays, key=lambda array: (array.has_records, array.elements))
        array = next((array for array in arrays if array.name == options.array), longest)
        stream.seek(0)
        elements = enumerate(_elements(stream, array.path), 1)
        choice = SourceChoice(
            "array", _("Array"), tuple((one.name, _title(one)) for one in arrays), array.name
        )
        yield _table(elements, options, (choice,) if array.path else ())


def _title(array: _FoundArray) -> str:
    text = ngettext("{path} ({count} element)", "{path} ({count} elements)", array.elements)
    return text.format(path=array.name, count=array.elements)


def _arrays(stream: BinaryIO) -> list[_FoundArray]:
    """The arrays in a text that are not in other arrays, as far as they are among the searched characters."""
    with _errors_as_unreadable(cursor := _cursor(stream)):
        return list(_found_arrays(cursor, ()))


def _found_arrays(cursor: JsonCursor, path: _Path) -> Iterator[_FoundArray]:
    if cursor.peek() == "{" and len(path) < _DEEPEST_ARRAY:
        for key in cursor.member_keys():
            yield from _found_arrays(cursor, (*path, key))
            if cursor.position > _SEARCHED_CHARACTERS:
                return
    elif cursor.accept("["):
        count, has_records = 0, False
        for value, _text in cursor.rest_of_array():
            count, has_records = count + 1, has_records or is_object(value) or is_array(value)
            if not path or cursor.position > _SEARCHED_CHARACTERS:
                break
        yield _FoundArray(path, count, has_records)
    else:
        cursor.skip()


def _elements(stream: BinaryIO, path: _Path) -> Iterator[Json]:
    cursor = _cursor(stream)
    with _errors_as_unreadable(cursor):
        for value, _text in cursor.array_at(path):
            yield value


def _cursor(stream: BinaryIO) -> JsonCursor:
    start = stream.read(2)
    stream.seek(0)
    is_utf_16 = start in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    return JsonCursor(stream.read, "utf-16" if is_utf_16 else "utf-8-sig", _LONGEST_ELEMENT)


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


def _table(elements: _Elements, options: SourceOptions, choices: tuple[SourceChoice, ...]) -> SourceTable:
    first = next(elements, None)
    if first is None:
        raise EmptyFile
    _number, value = first
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
