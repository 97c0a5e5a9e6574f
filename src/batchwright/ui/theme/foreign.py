"""Sanitizing of text from files and services before it is displayed.

A right-to-left override reverses the surrounding text, a NUL ends a name for screen readers and window
managers, and a line break does not fit into a single line. They are replaced by `\N{REPLACEMENT CHARACTER}`;
line breaks are kept in multi-line texts. Marks and letters of right-to-left scripts stay as they are.

A text that takes Qt long to lay out is cut, so the result is only shown, and never stored or sent. Fields in
which such a text is edited show parts of it (`editor.inspector.text_binding`), or its beginning without
changing it (`widgets.long_texts`).
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

MAX_LAYOUT_CHARACTERS: Final = 10_000
_MAX_LAYOUT_LINES: Final = 500
"""Maximum of a text that is laid out: more is never visible, but takes Qt seconds."""
MAX_LINE_CHARACTERS: Final = 2_000
"""Maximum of a text on a single line: more does not fit on any screen."""
_MAX_PARAGRAPH: Final = 8_000
_MAX_TEXT: Final = 200_000
"""Maximum characters of one paragraph and of a whole text in a field that scrolls: Qt lays out this much in
less than 30 ms."""


def sanitize(text: str) -> str:
    """Sanitize and cut a text for a multi-line widget."""
    return _safe(_cut(text, MAX_LAYOUT_CHARACTERS))


def sanitize_line(text: str) -> str:
    """Sanitize and cut a text for a single line: line breaks and tabs become spaces."""
    return _safe(_cut(text, MAX_LINE_CHARACTERS)).replace("\n", " ").replace("\t", " ")


def is_too_long(text: str) -> bool:
    """Whether Qt takes noticeably long to lay out a text in a field."""
    if len(text) <= _MAX_PARAGRAPH:
        return False
    return len(text) > _MAX_TEXT or max(map(len, text.split("\n"))) > _MAX_PARAGRAPH


def _safe(text: str) -> str:
    """A text with plain line breaks and visible replacements of unsafe characters."""
    return _UNSAFE.sub(_REPLACEMENT, _LINE_BREAKS.sub("\n", text))


def _cut(text: str, most: int) -> str:
    """The beginning of a text that is to be laid out, with an ellipsis if it is cut."""
    start = text[:most]
    lines = start.splitlines(keepends=True)
    if len(lines) > _MAX_LAYOUT_LINES:
        start = "".join(lines[:_MAX_LAYOUT_LINES])
    return text if len(start) == len(text) else f"{start}…"
