"""Truncating and cleaning text that is quoted in messages; texts that show nothing."""

import re
from unicodedata import bidirectional

_CONTROLS = (
    "\0-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f"
)
"""The control and format characters of Unicode, as ranges."""

_EMPTY_LETTERS = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufe00-\ufe0f"
"""Letters, marks and symbols that show nothing, and variation selectors, as ranges."""

VISIBLE_CHARACTER = rf"[^\s{_CONTROLS}{_EMPTY_LETTERS}]"
"""A pattern for a character that shows something, for regular expressions and JSON Schema."""

_VISIBLE = re.compile(VISIBLE_CHARACTER)


def truncate(text: str, most: int = 60) -> str:
    """Truncate a text to `most` characters with an ellipsis; lone surrogates are written as escapes.

    A message that quotes it stays readable and can be encoded as UTF-8.
    """
    start = text[: most + 1].encode(errors="backslashreplace").decode()
    return start if len(start) <= most else start[: most - 1] + "…"


def without_lone_surrogates(text: str) -> str:
    """Replace each lone surrogate with the replacement character, so that the text can be stored and sent."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def is_blank(text: str) -> bool:
    """Whether a text shows nothing: it is empty, or has only spaces, control and invisible characters."""
    return _VISIBLE.search(text) is None


def runs_right_to_left(text: str, *, in_mirrored_layout: bool) -> bool:
    """Whether a text is written from right to left: by its first letter.

    In a mirrored layout, so is each text with such letters, although it may start with a foreign name.
    """
    return _has_right_to_left(text) if in_mirrored_layout else is_right_to_left(text)


def _has_right_to_left(text: str) -> bool:
    """Whether a text has a letter of a script that is written from right to left."""
    return not text.isascii() and any(bidirectional(letter) in {"R", "AL"} for letter in text)


def is_right_to_left(text: str) -> bool:
    """Whether the first letter of a text belongs to a script that is written from right to left."""
    if text.isascii():
        return False
    directions = (bidirectional(letter) for letter in text)
    return next((direction != "L" for direction in directions if direction in {"L", "R", "AL"}), False)
