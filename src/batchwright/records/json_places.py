"""Where a text that is no JSON goes wrong, as line and column counted from 1.

Python's reader names the place of a wrong character. The functions here find the places that it
does not name; they are called only once something is known to be wrong.
"""

import json
import re
from collections.abc import Callable

Place = tuple[int, int]

_STRING = r'"(?:[^"\\]|\\.)*"'
_WORD = re.compile(_STRING + r'|[^\s\[\]{}:,"]+', re.DOTALL)
_KEY_OR_BRACKET = re.compile(rf"(?P<key>{_STRING})\s*:|{_STRING}|[\[\]{{}}]", re.DOTALL)
_BRACKET = re.compile(_STRING + r"|[\[\]{}]", re.DOTALL)


def of_byte(fault: UnicodeDecodeError) -> Place:
    """The place of the byte that is not UTF-8."""
    return _after(fault.object[: fault.start].decode())


def of_word(text: str, can_be_read: Callable[[str], bool]) -> Place:
    """The place of the first text, number or name that cannot be read by itself."""
    words = (found for found in _WORD.finditer(text) if not can_be_read(found[0]))
    return next((_after(text[: found.start()]) for found in words), _after(text))


def of_level(text: str, deepest: int) -> Place:
    """The place of the first bracket that opens more than `deepest` levels."""
    level = 0
    for found in _BRACKET.finditer(text):
        level += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found[0], 0)
        if level > deepest:
            return _after(text[: found.start()])
    return _after(text)


def of_doubled_key(text: str) -> Place:
    """The place of the first key that its object has already."""
    open_keys: list[set[str]] = []
    for found in _KEY_OR_BRACKET.finditer(text):
        match found[0]:
            case "{" | "[":
                open_keys.append(set())
            case "}" | "]":
                open_keys.pop()
            case _ if found["key"]:
                key = json.loads(found["key"])
                if key in open_keys[-1]:
                    return _after(text[: found.start()])
                open_keys[-1].add(key)
    return _after(text)


def _after(before: str) -> Place:
    return before.count("\n") + 1, len(before) - before.rfind("\n")
