"""Text from a file or a service: no character of it may change how other text is read.

A right-to-left override turns the words around it, a NUL ends a name for screen readers and window managers,
and a line break moves what stands below. They are shown as `\N{REPLACEMENT CHARACTER}`, and line breaks as
such only where there are several lines. Marks and letters of right-to-left scripts stay as they are.
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
    """A text for a place with several lines."""
    return _UNSAFE.sub(_REPLACEMENT, _LINE_BREAKS.sub("\n", text))


def sanitize_line(text: str) -> str:
    """A text for a place with one line: its line breaks and tabs become blanks."""
    return sanitize(text).replace("\n", " ").replace("\t", " ")
