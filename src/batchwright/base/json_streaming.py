"""Streaming parser for a long array in a JSON object: only one entry is in memory at a time."""

import re
from collections.abc import Iterator

from batchwright.base.i18n import _
from batchwright.base.json_values import DECODER, DEEPEST_WRAPPED, InvalidJson, Json, parse, too_deep

_BLANK = re.compile(r"[ \t\n\r]*")


def iter_array(content: bytes, name: str) -> Iterator[Json]:
    """Yield the entries of the array under `name` in an object; nothing if it is absent or null.

    Raises:
        InvalidJson: the text is not such an object, or is rejected by `parse`; entries before the error were
            yielded.
    """
    try:
        yield from _Cursor(content.decode("utf-8-sig")).entries(name)
    except (ValueError, RecursionError) as error:
        parse(content, DEEPEST_WRAPPED)  # raises with a better message and the position
        raise InvalidJson(error.reason if isinstance(error, InvalidJson) else str(error)) from None


class _Cursor:
    """A position in a text that advances with each parsed element."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0

    def entries(self, name: str) -> Iterator[Json]:
        """The entries of one array of the object; its other values are read and dropped."""
        self._need("{")
        if not self._takes("}"):
            yield from self._member(name)
            while self._takes(","):
                yield from self._member(name)
            self._need("}")
        self._skip_blanks()
        if self._at < len(self._text):
            raise InvalidJson(_("something follows after the end"))

    def _member(self, name: str) -> Iterator[Json]:
        key = self._value()
        if not isinstance(key, str):
            raise InvalidJson(_("a key in double quotes is missing"))
        self._need(":")
        if key == name and self._takes("["):
            yield from self._rest_of_array()
        elif self._value() is not None and key == name:
            raise InvalidJson(_("there is no array under “{name}”").format(name=name))

    def _rest_of_array(self) -> Iterator[Json]:
        if self._takes("]"):
            return
        yield self._value()
        while not self._takes("]"):
            self._need(",")
            yield self._value()

    def _value(self) -> Json:
        self._skip_blanks()
        begin = self._at
        value: Json
        value, self._at = DECODER.raw_decode(self._text, begin)
        text, end = self._text, self._at
        opened = text.count("[", begin, end) + text.count("{", begin, end)
        if opened > DEEPEST_WRAPPED and too_deep(value, DEEPEST_WRAPPED):
            raise InvalidJson(_("arrays and objects are nested too deeply"))
        return value

    def _takes(self, sign: str) -> bool:
        self._skip_blanks()
        is_there = self._text.startswith(sign, self._at)
        self._at += len(sign) if is_there else 0
        return is_there

    def _need(self, sign: str) -> None:
        if not self._takes(sign):
            raise InvalidJson(_("“{sign}” is missing").format(sign=sign))

    def _skip_blanks(self) -> None:
        if (blank := _BLANK.match(self._text, self._at)) is not None:
            self._at = blank.end()
