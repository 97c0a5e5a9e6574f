"""Parses JSON files piece by piece, so that a large file does not block other threads.

Python's parser holds the GIL while it parses one value. Here it parses the values of the two outermost levels
one by one: of a layout, page by page. Measured with 16 MB: the event loop stalls for at most 0.3 s instead of
1.1 s; in a worker process, parsing takes three times as long and stalls it for 1.2 s.

`parse_file` returns the whole value. `iter_array` keeps only one entry of a long array in memory.
"""

import codecs
import json
import re
from collections import Counter
from collections.abc import Iterator
from io import BytesIO

from batchwright.base.i18n import _
from batchwright.base.json_texts.json_cursor import JsonCursor
from batchwright.base.json_texts.json_error_positions import position_of_duplicate_key
from batchwright.base.json_values import (
    DECODING,
    DEEPEST,
    DEEPEST_WRAPPED,
    InvalidJson,
    Json,
    located,
    parse,
    too_deep,
)


def iter_array(content: bytes, name: str) -> Iterator[Json]:
    """Yield the entries of the array under `name` in an object; nothing if it is absent or null.

    Raises:
        InvalidJson: the text is not such an object, or is rejected by `parse`; entries before the error were
            yielded.
    """
    for value, _text_of_value in _entries(content, name):
        yield value


def iter_array_texts(content: bytes, name: str) -> Iterator[str]:
    """Yield the JSON texts of the entries that `iter_array` yields; raises the same errors."""
    for _value, text in _entries(content, name):
        yield text


def iter_entry_texts(content: bytes) -> Iterator[str]:
    """Yield the JSON texts of the entries of an array; raises the same errors as `iter_array`."""
    for _value, text in _entries(content, None):
        yield text


def _entries(content: bytes, name: str | None) -> Iterator[tuple[Json, str]]:
    """Yield the values and the texts of the entries of an array; without a name, the content is the array."""
    try:
        cursor = JsonCursor(BytesIO(content).read)
        yield from cursor.array() if name is None else cursor.entries(name)
    except (ValueError, RecursionError) as error:
        parse(content, DEEPEST_WRAPPED)  # raises with a better message and the position
        raise InvalidJson(error.reason if isinstance(error, InvalidJson) else str(error)) from None


_INCREMENTAL_LEVELS = 2
"""Number of outer levels that are parsed incrementally; deeper values are parsed at once."""

_BLANKS = re.compile(r"[ \t\n\r]*")


def parse_file(content: bytes, deepest: int = DEEPEST) -> Json:
    """Parse a JSON file: UTF-8, with or without a byte order mark, or UTF-16 with one.

    Raises:
        InvalidJson: with the position of the first error; a duplicate key is an error, too.
    """
    text = _text(content)
    try:
        value, end = _IncrementalParser(text, deepest).value(_skip_whitespace(text, 0), _INCREMENTAL_LEVELS)
        if _skip_whitespace(text, end) != len(text):
            raise _NotIncremental
    except _DuplicateKey as error:
        key = str(error)
        reason = _("the key “{key}” occurs twice in one object").format(key=key)
        raise InvalidJson(reason, *position_of_duplicate_key(text, key)) from None
    except InvalidJson:
        raise
    except (_NotIncremental, ValueError, RecursionError):
        return parse(text, deepest)  # raises, with the position of the error
    return value


class _DuplicateKey(Exception):
    """An object has a key twice, so that one of its values would be lost."""


class _NotIncremental(Exception):
    """The text is not JSON, or is nested too deeply."""


def _unique_keys(pairs: list[tuple[str, Json]]) -> Json:
    read = dict(pairs)
    if len(read) < len(pairs):
        keys = Counter(key for key, _value in pairs)
        raise _DuplicateKey(next(key for key, times in keys.items() if times > 1))
    return read


_DECODER = json.JSONDecoder(object_pairs_hook=_unique_keys, **DECODING)


def _text(content: bytes) -> str:
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return content.decode("utf-16")
        except UnicodeDecodeError:
            raise InvalidJson(_("invalid UTF-16")) from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        parse(content)  # raises, with the position
        raise


class _IncrementalParser:
    """Parses the outer levels recursively; raises `_NotIncremental` if the text is invalid or too deep."""

    def __init__(self, text: str, deepest: int) -> None:
        self._text, self._deepest = text, deepest

    def value(self, at: int, levels: int) -> tuple[Json, int]:
        """Parse the value at `at`, its outer `opened` levels incrementally; return it and its end."""
        first = self._text[at : at + 1]
        if levels and first == "[":
            return self._array(at + 1, levels - 1)
        if levels and first == "{":
            return self._object(at + 1, levels - 1)
        return self._leaf(at, _INCREMENTAL_LEVELS - levels)

    def _leaf(self, at: int, depth: int) -> tuple[Json, int]:
        """Parse a value at once that is nested in `around` others."""
        text, most = self._text, self._deepest - depth
        value: Json
        try:
            value, end = _DECODER.raw_decode(text, at)
        except ValueError as error:
            if isinstance(error, json.JSONDecodeError) and error.pos == at:
                raise  # the error may be what precedes, such as a comma
            raise located(error, text, at) from None
        if text.count("[", at, end) + text.count("{", at, end) > most and too_deep(value, most):
            raise _NotIncremental
        return value, end

    def _array(self, at: int, levels: int) -> tuple[Json, int]:
        entries: list[Json] = []
        at = _skip_whitespace(self._text, at)
        if self._text[at : at + 1] == "]":
            return entries, at + 1
        while True:
            entry, at = self.value(at, levels)
            entries.append(entry)
            at, is_last = self._next(at, "]")
            if is_last:
                return entries, at

    def _object(self, at: int, levels: int) -> tuple[Json, int]:
        pairs: list[tuple[str, Json]] = []
        at = _skip_whitespace(self._text, at)
        if self._text[at : at + 1] == "}":
            return {}, at + 1
        while True:
            if self._text[at : at + 1] != '"':
                raise _NotIncremental
            key, at = _DECODER.raw_decode(self._text, at)
            at = _skip_whitespace(self._text, at)
            if self._text[at : at + 1] != ":":
                raise _NotIncremental
            value, at = self.value(_skip_whitespace(self._text, at + 1), levels)
            pairs.append((key, value))
            at, is_last = self._next(at, "}")
            if is_last:
                return _unique_keys(pairs), at

    def _next(self, at: int, close: str) -> tuple[int, bool]:
        """The start of the next entry, or the end of the array or object after the last one."""
        at = _skip_whitespace(self._text, at)
        sign = self._text[at : at + 1]
        if sign == close:
            return at + 1, True
        if sign != ",":
            raise _NotIncremental
        return _skip_whitespace(self._text, at + 1), False


def _skip_whitespace(text: str, at: int) -> int:
    """The index of the next character that is not white space."""
    match = _BLANKS.match(text, at)
    return at if match is None else match.end()
