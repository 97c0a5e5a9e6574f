"""Where a text that is no JSON goes wrong, as line and column counted from 1.

Python's reader names the place of a wrong character. The functions here find the places that it
does not name; they are called only once something is known to be wrong. A place is searched for in
at most `MAX_SEARCHED_CHARS` characters, in constant memory, and in steps so short that other threads go
on meanwhile; it is `UNKNOWN_POSITION` where it was not found.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from batchwright.base.cooperative import yielding_gil

Position: TypeAlias = "tuple[int, int] | tuple[None, None]"

UNKNOWN_POSITION: Position = (None, None)

MAX_SEARCHED_CHARS = 64 * 1024 * 1024
"""How many characters are searched for a place."""

# Possessive quantifiers, each with a bound: no pattern goes back, or keeps other threads waiting.
_STRING_PART = re.compile(r'(?:[^"\\]{1,4096}+|\\.){0,64}+', re.DOTALL)
_READABLE = re.compile(
    r"(?:[\s\[\]{}:,]{1,4096}+|\"[^\"\\]{0,4096}+\"|true|false|null|-?[0-9.]{1,300}+(?![0-9.eE])){0,256}+",
    re.ASCII,
)
"""Values that can be read by themselves, and what stands between values."""
_TOKEN = re.compile(r'[^\s\[\]{}:,"]++', re.ASCII)
_BRACKET_OR_QUOTE = re.compile(r'[\[\]{}"]')
_COLON = re.compile(r"[ \t\r\n]*+:")


def position_of_byte(fault: UnicodeDecodeError) -> Position:
    """The place of the byte that is not UTF-8."""
    before = fault.object[: fault.start].decode()
    return position_of_index(before, len(before))


def position_of_bad_token(text: str, can_be_read: Callable[[str], bool], start: int = 0) -> Position:
    """The place of the first number or name, from `start` on, that cannot be read by itself."""
    words = yielding_gil(_unreadable_tokens(text, start))
    return next(
        (position_of_index(text, index) for index, word in words if not can_be_read(word)), UNKNOWN_POSITION
    )


def position_of_level(text: str, deepest: int) -> Position:
    """The place of the first bracket that opens more than `deepest` levels."""
    level = 0
    for index, _end in yielding_gil(_brackets_and_strings(text)):
        level += {"[": 1, "{": 1, "]": -1, "}": -1}.get(text[index], 0)
        if level > deepest:
            return position_of_index(text, index)
    return UNKNOWN_POSITION


def position_of_duplicate_key(text: str, key: str) -> Position:
    """The place where an object has this key for the second time."""
    is_there: list[bool] = []
    for index, end in yielding_gil(_brackets_and_strings(text)):
        match text[index]:
            case "{" | "[":
                is_there.append(False)
            case "}" | "]":
                is_there.pop()
            case _ if _is_string(text[index:end], key) and _COLON.match(text, end):
                if is_there[-1]:
                    return position_of_index(text, index)
                is_there[-1] = True
    return UNKNOWN_POSITION


def position_of_index(text: str, index: int) -> Position:
    """The place of the character at an index of the text."""
    return text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index)


def _unreadable_tokens(text: str, index: int) -> Iterator[tuple[int, str]]:
    """The numbers and names that are not clearly readable, each with its index; none within strings."""
    last = min(len(text), index + MAX_SEARCHED_CHARS)
    while index < last:
        if (readable := _READABLE.match(text, index)) is not None and readable.end() > index:
            index = readable.end()
        elif (word := _TOKEN.match(text, index)) is not None:
            yield index, word[0]
            index = word.end()
        else:
            index = _end_of_string(text, index)


def _brackets_and_strings(text: str) -> Iterator[tuple[int, int]]:
    """Where each bracket and each string of a text begins and ends; brackets within strings are none."""
    end, last = 0, min(len(text), MAX_SEARCHED_CHARS)
    while (found := _BRACKET_OR_QUOTE.search(text, end, last)) is not None:
        index = found.start()
        end = _end_of_string(text, index) if found[0] == '"' else index + 1
        yield index, end


def _is_string(quoted: str, string: str) -> bool:
    """Whether this is how the string is written in JSON, or one of the ways."""
    return json.loads(quoted) == string if "\\" in quoted else quoted[1:-1] == string


def _end_of_string(text: str, index: int) -> int:
    """Where the string that begins at an index ends, or the text, where nothing ends the string."""
    index += 1
    while (part := _STRING_PART.match(text, index)) is not None and part.end() > index:
        index = part.end()
    return min(index + 1, len(text))
