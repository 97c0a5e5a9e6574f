"""Printing to a console: what files and services say is shown, and never obeyed."""

import json
import sys
import unicodedata

_HARMLESS = "\n\t"
_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
"""Categories of characters that steer a console or hide text: control, direction, line and page breaks."""


def say(text: object) -> None:
    """Print words for people to standard error."""
    print(harmless(str(text)), file=sys.stderr, flush=True)


def put(text: object) -> None:
    """Print a result to standard output."""
    print(harmless(str(text)))


def harmless(text: str) -> str:
    """A text with every character spelt out that a console would obey instead of showing it."""
    if text.isprintable():
        return text
    return "".join(
        sign if sign in _HARMLESS or unicodedata.category(sign) not in _UNSEEN else _spelt(sign)
        for sign in text
    )


def _spelt(sign: str) -> str:
    return json.dumps(sign)[1:-1]  # so that JSON stays JSON
