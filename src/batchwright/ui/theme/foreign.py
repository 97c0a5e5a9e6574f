"""Sanitizing of text from files and services before it is displayed.

A right-to-left override reverses the surrounding text, a NUL ends a name for screen readers and window
managers, and a line break does not fit into a single line. They are replaced by `\N{REPLACEMENT CHARACTER}`;
line breaks are kept in multi-line texts. Marks and letters of right-to-left scripts stay as they are.
"""

import re
from typing import Final

_LINE_BREAKS: Final = re.compile("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_UNSAFE: Final = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f"  # control characters
    "\u202a-\u202e\u2066-\u2069"  # embeddings, overrides and isolates (Unicode Bidirectional Algorithm, 2)
    "\ud800-\udfff]"  # lone surrogates
)
_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"


def sanitize(text: str) -> str:
    """Sanitize a text for a multi-line widget."""
    return _UNSAFE.sub(_REPLACEMENT, _LINE_BREAKS.sub("\n", text))


def sanitize_line(text: str) -> str:
    """Sanitize a text for a single line: line breaks and tabs become spaces."""
    return sanitize(text).replace("\n", " ").replace("\t", " ")


MAX_LAYOUT_CHARACTERS: Final = 10_000
_MAX_LAYOUT_LINES: Final = 500
"""Maximum of a text that is laid out: more is never visible, but takes Qt seconds."""


def cut_for_layout(text: str) -> str:
    """The beginning of a text that is to be laid out, with an ellipsis if it is cut."""
    start = text[:MAX_LAYOUT_CHARACTERS]
    lines = start.splitlines(keepends=True)
    if len(lines) > _MAX_LAYOUT_LINES:
        start = "".join(lines[:_MAX_LAYOUT_LINES])
    return text if len(start) == len(text) else f"{start}…"
