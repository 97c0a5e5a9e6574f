"""Reads a JSON text piece by piece: its values one by one, with the memory of one of them."""

import codecs
import json
import re
from collections.abc import Callable, Iterator, Sequence

from batchwright.base.i18n import _
from batchwright.base.json_values import DECODER, DEEPEST_WRAPPED, InvalidJson, Json, located, too_deep

_BLANK = re.compile(r"[ \t\n\r]*")
_PIECE_BYTES = 1 << 18
"""Number of bytes decoded at once."""
_MOST_AFTER_NUMBER = len("e+0")
"""Characters with which a number that was read goes on for certain, if it does."""


class JsonCursor:
    """A position in a text that advances with each parsed element.

    The text is read and decoded piece by piece: decoding half a gigabyte at once would block other threads
    for 0.2 s.

    Args:
        read: returns up to so many bytes of the text; none at its end.
        encoding: a byte order mark of UTF-8 is skipped.
        longest: characters that one value may have.

    All methods raise `InvalidJson` or another `ValueError` if the text is not JSON; `located_error` has the
    position.
    """

    def __init__(
        self, read: Callable[[int], bytes], encoding: str = "utf-8-sig", longest: int | None = None
    ) -> None:
        self._read, self._is_at_end = read, False
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._longest = longest
        self._text, self._at = "", 0
        self._start = 0
        """Where the current or next value starts; the text before it is not needed any more."""
        self._dropped, self._dropped_lines, self._dropped_columns = 0, 0, 0

    @property
    def position(self) -> int:
        """The number of characters before the cursor."""
        return self._dropped + self._at

    def entries(self, name: str) -> Iterator[tuple[Json, str]]:
        """The entries with their texts of one array of the object; its other values are read and dropped."""
        for key in self.member_keys():
            if key == name and self.accept("["):
                yield from self.rest_of_array()
            elif self.value() is not None and key == name:
                raise InvalidJson(_("there is no array under “{name}”").format(name=name))
        self.expect_end()

    def array(self) -> Iterator[tuple[Json, str]]:
        """The entries with their texts of the array that the text is."""
        self._expect("[")
        yield from self.rest_of_array()
        self.expect_end()

    def array_at(self, path: Sequence[str]) -> Iterator[tuple[Json, str]]:
        """The entries with their texts of the array under these keys; the text is read to its end.

        Everything else is read and dropped; if the path occurs twice, both arrays are read.
        """
        yield from self._array_at(path)
        self.expect_end()

    def _array_at(self, path: Sequence[str]) -> Iterator[tuple[Json, str]]:
        if not path:
            self._expect("[")
            yield from self.rest_of_array()
            return
        for key in self.member_keys():
            if key == path[0] and self.peek() == ("{" if path[1:] else "["):
                yield from self._array_at(path[1:])
            else:
                self.skip()

    def member_keys(self) -> Iterator[str]:
        """The keys of an object; after each, the caller advances over its value."""
        self._expect("{")
        if self.accept("}"):
            return
        yield self._key()
        while self.accept(","):
            yield self._key()
        self._expect("}")

    def rest_of_array(self) -> Iterator[tuple[Json, str]]:
        """The entries of an array whose bracket was read, with their texts."""
        if self.accept("]"):
            return
        yield self._entry()
        while not self.accept("]"):
            self._expect(",")
            yield self._entry()

    def skip(self, depth: int = 0) -> None:
        """Advance over a value, with the memory of one value in its arrays."""
        if depth < DEEPEST_WRAPPED and self.peek() == "{":
            for _key in self.member_keys():
                self.skip(depth + 1)
        elif self.peek() == "[":
            self.accept("[")
            for _entry in self.rest_of_array():
                pass
        else:
            self.value()

    def value(self) -> Json:
        """Parse the next value."""
        self._skip_blanks()
        value = self._decode()
        while len(self._text) - self._at < _MOST_AFTER_NUMBER and self._decode_more():  # a number may go on
            value = self._decode()
        text, start, end = self._text, self._start, self._at
        brackets = text.count("[", start, end) + text.count("{", start, end)
        if brackets > DEEPEST_WRAPPED and too_deep(value, DEEPEST_WRAPPED):
            raise InvalidJson(_("arrays and objects are nested too deeply"))
        return value

    def peek(self) -> str:
        """The next character that is not white space; empty at the end."""
        self._skip_blanks()
        return self._text[self._at : self._at + 1]

    def accept(self, sign: str) -> bool:
        """Advance over a sign; returns False if another one is next."""
        self._skip_blanks()
        is_found = self._text.startswith(sign, self._at)
        self._at += len(sign) if is_found else 0
        return is_found

    def expect_end(self) -> None:
        """Require that nothing but white space follows."""
        self._skip_blanks()
        if self._at < len(self._text):
            raise InvalidJson(_("there is unexpected content after the end"))

    def located_error(self, error: ValueError) -> InvalidJson:
        """An error that a method raised, with its position in the whole text, from its first error on."""
        if isinstance(error, InvalidJson) and error.line is None:
            line, column = (
                self._text.count("\n", 0, self._at) + 1,
                self._at - self._text.rfind("\n", 0, self._at),
            )
            reason = error.reason
        else:
            found = located(error, self._text, self._start)
            reason, line, column = found.reason, found.line or 1, found.column or 1
        column += self._dropped_columns if line == 1 else 0
        return InvalidJson(reason, self._dropped_lines + line, column)

    def _expect(self, sign: str) -> None:
        if not self.accept(sign):
            raise InvalidJson(_("“{sign}” is missing").format(sign=sign))

    def _key(self) -> str:
        key = self.value()
        if not isinstance(key, str):
            raise InvalidJson(_("a key in double quotes is missing"))
        self._expect(":")
        return key

    def _entry(self) -> tuple[Json, str]:
        value = self.value()
        return value, self._text[self._start : self._at]

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
        if self._is_at_end:
            return False
        self._drop(self._start)
        if self._longest is not None and len(self._text) > self._longest:
            raise InvalidJson(_("a value has more than {most} MB").format(most=self._longest // 1_000_000))
        piece = self._read(max(_PIECE_BYTES, len(self._text)))
        self._is_at_end = not piece
        self._text += self._decoder.decode(piece, final=not piece)
        return True

    def _drop(self, end: int) -> None:
        text = self._text
        self._dropped += end
        self._dropped_lines += text.count("\n", 0, end)
        newline = text.rfind("\n", 0, end)
        self._dropped_columns = end - newline - 1 if newline >= 0 else self._dropped_columns + end
        self._text, self._at, self._start = text[end:], self._at - end, 0
