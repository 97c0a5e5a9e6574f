"""A message for people, and the one function that makes it of any error."""

from dataclasses import dataclass
from functools import singledispatch
from textwrap import shorten

from batchwright.base.i18n import _
from batchwright.base.urls import redact_urls

MAX_CHARS = 240
"""Characters of an error that nobody foresaw; the whole of it is in the traceback."""


@dataclass(frozen=True)
class Message:
    """What happened, in one sentence; what to do; and whether it is a fault of this program."""

    what: str
    remedy: str
    is_bug: bool = False

    def __str__(self) -> str:
        return f"{self.what}\n{self.remedy}" if self.remedy else self.what


@singledispatch
def describe(error: BaseException) -> Message:
    """The message for any exception; one that nobody foresaw is told as a fault of ours."""
    what = _("Unexpected error: {kind}: {text}")
    remedy = _("Please report it to the developers of Batchwright, with these two lines.")
    first = next(iter(redact_urls(str(error)).strip().splitlines()), "")
    return Message(
        what.format(kind=type(error).__name__, text=shorten(first, MAX_CHARS)), remedy, is_bug=True
    )
