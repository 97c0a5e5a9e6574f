"""Where something is, in the middle of a sentence: on this computer, or at a service by its name."""

from batchwright.base.i18n import _
from batchwright.local.connections import THIS_COMPUTER


def connection_phrase(title: str) -> str:
    """What a connection of this title is called in the middle of a sentence."""
    return _("this computer") if title == THIS_COMPUTER.title else title


def live_phrase(live: str) -> str:
    """Where something is: at the live service of this title, or on this computer if that is empty."""
    return at_connection_phrase(live) if live else _("on this computer")


def at_connection_phrase(title: str) -> str:
    """Where something is that is at the connection of this title."""
    return _("on this computer") if title == THIS_COMPUTER.title else _("at {title}").format(title=title)
