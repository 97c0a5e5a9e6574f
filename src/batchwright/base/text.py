"""Truncating and cleaning text that is quoted in messages; texts that show nothing."""

import unicodedata

_EMPTY_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that are letters, marks or symbols to Unicode, but show nothing."""


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
    return all(map(_shows_nothing, text.strip()))


def _shows_nothing(character: str) -> bool:
    return (
        character.isspace()
        or character in _EMPTY_LETTERS
        or unicodedata.category(character) in ("Cc", "Cf")
        or "\ufe00" <= character <= "\ufe0f"  # variation selectors
    )
