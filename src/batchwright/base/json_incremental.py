"""Parses JSON files piece by piece, so that a long one does not block other threads.

Python's parser holds the GIL while it reads one value. Here it is given one value after the other of the
outermost arrays and objects: of a layout, page by page. Measured with 16 MB: the event loop stalls for at
most 0.3 s instead of 1.1 s; in a worker process, parsing takes three times as long and stalls for 1.2 s.
"""

import codecs
import json
import re

from batchwright.base.i18n import _
from batchwright.base.json_error_positions import position_of_duplicate_key
from batchwright.base.json_values import DECODING, DEEPEST, InvalidJson, Json, located, parse, too_deep

_OPENED = 2
"""How many levels are taken apart; what stands deeper is read in one piece."""

_BLANKS = re.compile(r"[ \t\n\r]*")


def parse_file(content: bytes, deepest: int = DEEPEST) -> Json:
    """The JSON in a file: UTF-8, with or without a byte order mark, or UTF-16 with one; no key stands twice.

    Raises:
        NotJson: with the place of the first fault.
    """
    text = _text(content)
    try:
        value, end = _Reading(text, deepest).value(_blanks(text, 0), _OPENED)
        if _blanks(text, end) != len(text):
            raise _Otherwise
    except _Doubled as fault:
        key = str(fault)
        reason = _("the key “{key}” stands twice in one object").format(key=key)
        raise InvalidJson(reason, *position_of_duplicate_key(text, key)) from None
    except InvalidJson:
        raise
    except (_Otherwise, ValueError, RecursionError):
        return parse(text, deepest)  # which raises, with the place of the fault
    return value


class _Doubled(Exception):
    """A key stands twice in one object, and one of its values would be lost."""


class _Otherwise(Exception):
    """The text is no JSON, or is nested too deeply."""


def _once(pairs: list[tuple[str, Json]]) -> Json:
    read = dict(pairs)
    if len(read) < len(pairs):
        keys = [key for key, _value in pairs]
        raise _Doubled(next(key for n, key in enumerate(keys) if key in keys[:n]))
    return read


_DECODER = json.JSONDecoder(object_pairs_hook=_once, **DECODING)


def _text(content: bytes) -> str:
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return content.decode("utf-16")
        except UnicodeDecodeError:
            raise InvalidJson(_("invalid UTF-16")) from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        parse(content)  # which raises, with the place
        raise


class _Reading:
    """Reads a text from its outside in; whatever is wrong, and whatever is too deep, is `_Otherwise`."""

    def __init__(self, text: str, deepest: int) -> None:
        self._text, self._deepest = text, deepest

    def value(self, at: int, opened: int) -> tuple[Json, int]:
        """The value that begins here, `opened` levels of it to be taken apart, and where it ends."""
        first = self._text[at : at + 1]
        if opened and first == "[":
            return self._array(at + 1, opened - 1)
        if opened and first == "{":
            return self._object(at + 1, opened - 1)
        return self._piece(at, _OPENED - opened)

    def _piece(self, at: int, around: int) -> tuple[Json, int]:
        """A value read in one piece, inside so many others."""
        text, most = self._text, self._deepest - around
        value: Json
        try:
            value, end = _DECODER.raw_decode(text, at)
        except ValueError as error:
            if isinstance(error, json.JSONDecodeError) and error.pos == at:
                raise  # what is wrong may be what stands before, such as a comma
            raise located(error, text, at) from None
        if text.count("[", at, end) + text.count("{", at, end) > most and too_deep(value, most):
            raise _Otherwise
        return value, end

    def _array(self, at: int, opened: int) -> tuple[Json, int]:
        entries: list[Json] = []
        at = _blanks(self._text, at)
        if self._text[at : at + 1] == "]":
            return entries, at + 1
        while True:
            entry, at = self.value(at, opened)
            entries.append(entry)
            at, is_last = self._next(at, "]")
            if is_last:
                return entries, at

    def _object(self, at: int, opened: int) -> tuple[Json, int]:
        pairs: list[tuple[str, Json]] = []
        at = _blanks(self._text, at)
        if self._text[at : at + 1] == "}":
            return {}, at + 1
        while True:
            if self._text[at : at + 1] != '"':
                raise _Otherwise
            key, at = _DECODER.raw_decode(self._text, at)
            at = _blanks(self._text, at)
            if self._text[at : at + 1] != ":":
                raise _Otherwise
            value, at = self.value(_blanks(self._text, at + 1), opened)
            pairs.append((key, value))
            at, is_last = self._next(at, "}")
            if is_last:
                return _once(pairs), at

    def _next(self, at: int, close: str) -> tuple[int, bool]:
        """Where the next entry begins, or, after the last one, where the whole ends."""
        at = _blanks(self._text, at)
        sign = self._text[at : at + 1]
        if sign == close:
            return at + 1, True
        if sign != ",":
            raise _Otherwise
        return _blanks(self._text, at + 1), False


def _blanks(text: str, at: int) -> int:
    """Where the next sign stands that is not blank."""
    found = _BLANKS.match(text, at)
    return at if found is None else found.end()
