"""Positions of errors in invalid JSON, as line and column counted from 1.

Python's parser reports the position of an unexpected character. These functions find the positions that it
does not report; they are called only after an error was found. They search at most `MAX_SEARCHED_CHARS`
characters, in constant memory and releasing the GIL regularly, and return `UNKNOWN_POSITION` if they find
nothing.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from batchwright.base.cooperative import yielding_gil

Position: TypeAlias = "tuple[int, int] | tuple[None, None]"

UNKNOWN_POSITION: Position = (None, None)

MAX_SEARCHED_CHARS = 64 * 1024 * 1024
"""Number of characters that are searched."""

# Possessive, bounded quantifiers: no pattern backtracks, or blocks other threads for long.
_STRING_PART = re.compile(r'(?:[^"\\]{1,4096}+|\\.){0,64}+', re.DOTALL)
_READABLE = re.compile(
    r"(?:[\s\[\]{}:,]{1,4096}+|\"[^\"\\]{0,4096}+\"|true|false|null|-?[0-9.]{1,300}+(?![0-9.eE])){0,256}+",
    re.ASCII,
)
"""Valid values, and the characters between values."""
_TOKEN = re.compile(r'[^\s\[\]{}:,"]++', re.ASCII)
_BRACKET_OR_QUOTE = re.compile(r'[\[\]{}"]')
_COLON = re.compile(r"[ \t\r\n]*+:")


def position_of_byte(error: UnicodeDecodeError) -> Position:
    """The position of a byte that is not UTF-8."""
    before = error.object[: error.start].decode()
    return position_of_index(before, len(before))


def position_of_bad_token(text: str, can_be_read: Callable[[str], bool], start: int = 0) -> Position:
    """The position of the first number or name after `start` that cannot be parsed."""
    tokens = yielding_gil(_unreadable_tokens(text, start))
    return next(
        (position_of_index(text, index) for index, token in tokens if not can_be_read(token)),
        UNKNOWN_POSITION,
    )


def position_of_level(text: str, deepest: int) -> Position:
    """The position of the first bracket that is nested deeper than `deepest` levels."""
    level = 0
    for index, _end in yielding_gil(_brackets_and_strings(text)):
        level += {"[": 1, "{": 1, "]": -1, "}": -1}.get(text[index], 0)
        if level > deepest:
            return position_of_index(text, index)
    return UNKNOWN_POSITION


def position_of_duplicate_key(text: str, key: str) -> Position:
    """The position at which an object has `key` for the second time."""
    has_key: list[bool] = []
    for index, end in yielding_gil(_brackets_and_strings(text)):
        match text[index]:
            case "{" | "[":
                has_key.append(False)
            case "}" | "]":
                has_key.pop()
            case _ if _is_string(text[index:end], key) and _COLON.match(text, end):
                if has_key[-1]:
                    return position_of_index(text, index)
                has_key[-1] = True
    return UNKNOWN_POSITION


def position_of_index(text: str, index: int) -> Position:
    """The position of the character at `index`."""
    return text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index)


def _unreadable_tokens(text: str, index: int) -> Iterator[tuple[int, str]]:
    """Yield numbers and names outside strings that may be invalid, each with its index."""
    last = min(len(text), index + MAX_SEARCHED_CHARS)
    while index < last:
        if (readable := _READABLE.match(text, index)) is not None and readable.end() > index:
            index = readable.end()
        elif (token := _TOKEN.match(text, index)) is not None:
            yield index, token[0]
            index = token.end()
        else:
            index = _end_of_string(text, index)


def _brackets_and_strings(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each bracket and each string; brackets inside strings are skipped."""
    end, last = 0, min(len(text), MAX_SEARCHED_CHARS)
    while (bracket := _BRACKET_OR_QUOTE.search(text, end, last)) is not None:
        index = bracket.start()
        end = _end_of_string(text, index) if bracket[0] == '"' else index + 1
        yield index, end


def _is_string(quoted: str, string: str) -> bool:
    """Whether `quoted` is a JSON representation of `string`."""
    return json.loads(quoted) == string if "\\" in quoted else quoted[1:-1] == string


def _end_of_string(text: str, index: int) -> int:
    """The end of the string that starts at `index`, or of the text if the string is not terminated."""
    index += 1
    while (part := _STRING_PART.match(text, index)) is not None and part.end() > index:
        index = part.end()
    return min(index + 1, len(text))
