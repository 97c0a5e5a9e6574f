"""Console output in which control characters from files and services are escaped."""

import json
import sys
import unicodedata

from batchwright.base.json_values import Json, to_json

_ALLOWED = "\n\t"
_ESCAPED_CATEGORIES = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
"""Unicode categories that control a console or hide text: control, format, line and paragraph separators."""


def print_message(text: object) -> None:
    """Print a message to standard error."""
    print(harmless(str(text)), file=sys.stderr, flush=True)


def print_result(text: object) -> None:
    """Print a result to standard output."""
    print(harmless(str(text)))


def print_json(value: Json, *, indent: int) -> None:
    """Print a value to standard output as JSON.

    Where that is not UTF-8, as in a file or a pipe on Windows, other characters than ASCII are escaped.
    """
    text = harmless(to_json(value, indent=indent))
    is_unicode = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
    print(text if is_unicode else _ascii_json(text))


def _ascii_json(text: str) -> str:
    """A JSON text in which all other characters than ASCII, which only strings can have, are escaped."""
    return "".join(sign if sign.isascii() else _escaped(sign) for sign in text)


def harmless(text: str) -> str:
    """Escape the characters that a console would interpret instead of showing them."""
    if text.isprintable():
        return text
    return "".join(
        character
        if character in _ALLOWED or unicodedata.category(character) not in _ESCAPED_CATEGORIES
        else _escaped(character)
        for character in text
    )


def _escaped(character: str) -> str:
    return json.dumps(character)[1:-1]  # JSON escapes, so that JSON output stays valid
