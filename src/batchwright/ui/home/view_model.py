"""What Home shows: the studies opened lately and the connections. It knows no widgets."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from PySide6.QtCore import QDate, QLocale, QObject, QTime, Signal

from batchwright.local.connections import Connection
from batchwright.local.recents import Recent
from batchwright.words import _, ngettext


@dataclass(frozen=True)
class RecentLine:
    """A study opened lately, in words."""

    recent: Recent
    name: str
    folder: str
    is_draft: bool
    stands: str
    """What there is to say of it beside its state."""
    opened: str


class HomeViewModel(QObject):
    """Holds what Home shows and tells of changes.

    Args:
        now: the time, by the clock on the wall.
    """

    changed = Signal()

    def __init__(self, now: Callable[[], datetime], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._now = now
        self.lines: tuple[RecentLine, ...] = ()
        self.connections: tuple[Connection, ...] = ()

    @property
    def is_first_run(self) -> bool:
        """Whether there is nothing to come back to."""
        return not self.lines

    @property
    def sentence(self) -> str:
        """A greeting, and how many studies are worked on."""
        drafts = sum(line.is_draft for line in self.lines)
        count = ngettext("{count} study is a draft.", "{count} studies are drafts.", drafts)
        return f"{self._greeting()} {count.format(count=drafts)}" if drafts else self._greeting()

    def show(self, recents: tuple[Recent, ...], connections: tuple[Connection, ...]) -> None:
        """Show these studies and connections."""
        self.lines = tuple(self._line(recent) for recent in recents)
        self.connections = connections
        self.changed.emit()

    def _line(self, recent: Recent) -> RecentLine:
        return RecentLine(
            recent,
            recent.name,
            _short(recent.path.parent),
            is_draft=recent.batch_at is None,
            stands=_stands(recent),
            opened=_when(recent.at.astimezone(), self._now()),
        )

    def _greeting(self) -> str:
        hour = self._now().hour
        if hour < 5 or hour >= 18:
            return _("Good evening.")
        return _("Good morning.") if hour < 12 else _("Good afternoon.")


def _stands(recent: Recent) -> str:
    if recent.errors:
        words = ngettext("Layout has {count} error", "Layout has {count} errors", recent.errors)
        return words.format(count=recent.errors)
    if recent.batch_at is not None:
        return _("Batch on {connection}").format(connection=recent.batch_at)
    return _("No problems")


def _when(at: datetime, now: datetime) -> str:
    days = (now.date() - at.date()) // timedelta(days=1)
    locale = QLocale()
    if days == 0:
        time = locale.toString(QTime(at.hour, at.minute), QLocale.FormatType.ShortFormat)
        return _("Today, {time}").format(time=time)
    if days == 1:
        return _("Yesterday")
    date = QDate(at.year, at.month, at.day)
    return locale.toString(date, "d MMM" if at.year == now.year else "d MMM yyyy")


def _short(folder: Path) -> str:
    """A folder with the home folder as a tilde."""
    home = Path.home()
    return f"~/{folder.relative_to(home).as_posix()}" if folder.is_relative_to(home) else str(folder)
