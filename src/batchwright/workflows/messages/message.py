"""`Message`, a text for the user, and `describe`, which returns the message for any exception."""

from dataclasses import dataclass, replace
from functools import singledispatch
from textwrap import shorten

from batchwright.base.i18n import _
from batchwright.base.urls import redact_urls

MAX_CHARS = 240
"""Maximum characters shown of an unexpected error; the traceback has the whole text."""


@dataclass(frozen=True)
class Message:
    """What happened, in one sentence; what to do next; and whether it is a bug of this program."""

    what: str
    remedy: str
    is_bug: bool = False
    help_address: str = ""
    """Where the help explains it, such as `messages.md#not-found`."""

    def __str__(self) -> str:
        return f"{self.what}\n{self.remedy}" if self.remedy else self.what


@singledispatch
def _unexpected(error: BaseException) -> Message:
    what = _("Unexpected error: {kind}: {text}")
    remedy = _(
        "Nothing was lost: everything you edited, saved or sent is still there. Try again. If it happens "
        "again, save a support report (Help menu) and send it to the developers of Batchwright."
    )
    first = next(iter(redact_urls(str(error)).strip().splitlines()), "")
    return Message(
        what.format(kind=type(error).__name__, text=shorten(first, MAX_CHARS)), remedy, is_bug=True
    )


register = _unexpected.register
"""Registers the message for exceptions of the annotated class."""


def describe(error: BaseException) -> Message:
    """The message for any exception; an exception without a registered message is shown as a bug."""
    message = _unexpected.dispatch(type(error))(error)
    return message if message.help_address else replace(message, help_address=help_address(type(error)))


def help_address(kind: type[BaseException]) -> str:
    """The address of the help's entry about the messages for a class of exceptions."""
    return f"messages.md#{anchor(_unexpected.dispatch(kind).__name__)}"


def anchor(function: str) -> str:
    """The anchor of the help's entry about the messages of a registered function, by its name."""
    return function.strip("_").replace("_", "-")
