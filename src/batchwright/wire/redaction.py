"""What signs an address is as secret as a token, and is left out of every text that people see."""

import re

_SIGNED = re.compile(r"((?:https?://|/)[^\s?<>]{1,2000})\?[^\s<>]+", re.IGNORECASE)


def redact_urls(text: str) -> str:
    """A text with the queries of its addresses left out: those of pre-signed ones are their signatures."""
    return _SIGNED.sub(r"\1?...", text)
