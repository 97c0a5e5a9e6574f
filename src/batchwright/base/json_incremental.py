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

from batchwright.base.i18n import _
from batchwright.base.json_error_positions import position_of_duplicate_key
from batchwright.base.json_values import (
    DECODER,
    DECODING,
    DEEPEST,
    DEEPEST_WRAPPED,
    InvalidJson,
    Json,
    located,
    parse,
    too_deep,
)

_BLANK = re.compile(r"[ \t\n\r]*")
_PIECE_BYTES = 1 << 18
"""Number of bytes decoded at once."""


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
        cursor = _Cursor(content)
        yield from cursor.array() if name is None else cursor.entries(name)
    except (ValueError, RecursionError) as error:
        parse(content, DEEPEST_WRAPPED)  # raises with a better message and the position
        raise InvalidJson(error.reason if isinstance(error, InvalidJson) else str(error)) from None


class _Cursor:
    """A position in a text that advances with each parsed element.

    The text is decoded piece by piece: decoding half a gigabyte at once would block other threads for 0.2 s.
    """

    def __init__(self, content: bytes) -> None:
        self._content, self._decoded = content, 0
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._text, self._at = "", 0
        self._start = 0
        """Where the current or next value starts; the text before it is not needed any more."""

    def entries(self, name: str) -> Iterator[tuple[Json, str]]:
        """The entries with their texts of one array of the object; its other values are read and dropped."""
        self._expect("{")
        if not self._accept("}"):
            yield from self._member(name)
            while self._accept(","):
                yield from self._member(name)
            self._expect("}")
        self._expect_end()

    def array(self) -> Iterator[tuple[Json, str]]:
        """The entries with their texts of the array that the text is."""
        self._expect("[")
        yield from self._rest_of_array()
        self._expect_end()

    def _member(self, name: str) -> Iterator[tuple[Json, str]]:
        key = self._value()
        if not isinstance(key, str):
            raise InvalidJson(_("a key in double quotes is missing"))
        self._expect(":")
        if key == name and self._accept("["):
            yield from self._rest_of_array()
        elif self._value() is not None and key == name:
            raise InvalidJson(_("there is no array under “{name}”").format(name=name))

    def _rest_of_array(self) -> Iterator[tuple[Json, str]]:
        if self._accept("]"):
            return
        yield self._entry()
        while not self._accept("]"):
            self._expect(",")
            yield self._entry()

    def _entry(self) -> tuple[Json, str]:
        value = self._value()
        return value, self._text[self._start : self._at]

    def _value(self) -> Json:
        self._skip_blanks()
        value = self._decode()
        while self._at == len(self._text) and self._decode_more():  # a number may go on
            value = self._decode()
        text, start, end = self._text, self._start, self._at
        brackets = text.count("[", start, end) + text.count("{", start, end)
        if brackets > DEEPEST_WRAPPED and too_deep(value, DEEPEST_WRAPPED):
            raise InvalidJson(_("arrays and objects are nested too deeply"))
        return value

    def _accept(self, sign: str) -> bool:
        self._skip_blanks()
        is_found = self._text.startswith(sign, self._at)
        self._at += len(sign) if is_found else 0
        return is_found

    def _expect(self, sign: str) -> None:
        if not self._accept(sign):
            raise InvalidJson(_("“{sign}” is missing").format(sign=sign))

    def _expect_end(self) -> None:
        self._skip_blanks()
        if self._at < len(self._text):
            raise InvalidJson(_("there is unexpected content after the end"))

    def _skip_blanks(self) -> None:
        while True:
            if (blank := _BLANK.match(self._text, self._at)) is not None:
                self._at = blank.end()
            self._start = self._at
            if self._at < len(self._text) or not self._decode_more():
                return

    def _decode(self) -> Json:
        """Parse the value at `_start`; more text is decoded until it is complete."""
        while True:
            try:
                value: Json
                value, self._at = DECODER.raw_decode(self._text, self._start)
            except json.JSONDecodeError:
                if not self._decode_more():
                    raise
            else:
                return value

    def _decode_more(self) -> bool:
        """Decode at least as much text again as remains from `_start`; returns False at the end."""
        if self._decoded == len(self._content):
            return False
        self._text, self._at, self._start = self._text[self._start :], self._at - self._start, 0
        end = min(self._decoded + max(_PIECE_BYTES, len(self._text)), len(self._content))
        piece = self._content[self._decoded : end]
        self._text += self._decoder.decode(piece, final=end == len(self._content))
        self._decoded = end
        return True


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
