"""Console output in which control characters from files and services are escaped."""

import json
import sys
import unicodedata

_ALLOWED = "\n\t"
_ESCAPED_CATEGORIES = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
"""Unicode categories that control a console or hide text: control, format, line and paragraph separators."""


def print_message(text: object) -> None:
    """Print a message to standard error."""
    print(harmless(str(text)), file=sys.stderr, flush=True)


def print_result(text: object) -> None:
    """Print a result to standard output."""
    print(harmless(str(text)))


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
