"""The state of Home: recent studies and connections. Contains no widgets."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from PySide6.QtCore import QObject, Signal

from batchwright.base.i18n import N_, _, ngettext
from batchwright.base.local_time import local_time
from batchwright.client.local_service import ServiceStatus
from batchwright.local.connections import Connection
from batchwright.local.recent_studies import Recent
from batchwright.ui.connections.labels import at_connection_phrase
from batchwright.ui.core.formatting import clock, day, number, short_datetime, short_folder
from batchwright.ui.home.service_status_text import service_status_text
from batchwright.ui.widgets.statuses import BATCH, DRAFT, Status, status_of

_BATCH_CREATED = Status("neutral", "stack", N_("Batch created"))
_COLLECTION_CREATED = Status("neutral", "cards", N_("Created"))
"""For a batch whose status was never fetched."""


@dataclass(frozen=True)
class RecentStudyRow:
    """A recent study as displayed texts."""

    recent: Recent
    name: str
    file: str
    folder: str
    state: Status
    note: str
    """The number of errors, or where the batch is and when its status was fetched."""
    opened: str


class HomeState(QObject):
    """Holds what Home shows; `changed` is emitted with every change.

    Args:
        now: returns the current local time.
    """

    changed = Signal()

    def __init__(self, now: Callable[[], datetime], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._now = now
        self.rows: tuple[RecentStudyRow, ...] = ()
        self.connections: tuple[Connection, ...] = ()
        self.service = service_status_text(ServiceStatus())

    @property
    def is_first_run(self) -> bool:
        """Whether there are no recent studies."""
        return not self.rows

    @property
    def greeting(self) -> str:
        """A greeting and the number of drafts."""
        drafts = sum(row.state is DRAFT for row in self.rows)
        count = ngettext("{count} study is a draft.", "{count} studies are drafts.", drafts)
        return f"{self._salutation()} {count.format(count=number(drafts))}" if drafts else self._salutation()

    def show(self, recents: tuple[Recent, ...], connections: tuple[Connection, ...]) -> None:
        """Set the recent studies and connections."""
        self.connections = connections
        self.rows = tuple(self._row(recent) for recent in recents)
        self.changed.emit()

    def show_service(self, status: ServiceStatus) -> None:
        """Set the status of the local service."""
        self.service = service_status_text(status)
        self.changed.emit()

    def _row(self, recent: Recent) -> RecentStudyRow:
        return RecentStudyRow(
            recent,
            recent.name,
            recent.path.name,
            short_folder(recent.path.parent),
            state=_state(recent),
            note=self._note(recent),
            opened=_when(local_time(recent.at), self._now()),
        )

    def _note(self, recent: Recent) -> str:
        """The number of errors, or where the batch or collection is, and when its status was fetched."""
        if recent.errors:
            text = ngettext("Layout has {count} error", "Layout has {count} errors", recent.errors)
            return text.format(count=number(recent.errors))
        connection = recent.batch_at or recent.collection_at
        if connection is None:
            return _("No problems")
        titles = {connection.name: connection.title for connection in self.connections}
        where = titles.get(connection, connection)
        if recent.batch_at is None:
            return _("Collection {there}").format(there=at_connection_phrase(where))
        if recent.seen_at is None:
            return _("Batch {there}").format(there=at_connection_phrase(where))
        time = short_datetime(recent.seen_at, self._now())
        return _("{connection}, as of {time}").format(connection=where, time=time)

    def _salutation(self) -> str:
        hour = self._now().hour
        if hour < 5 or hour >= 18:
            return _("Good evening.")
        return _("Good morning.") if hour < 12 else _("Good afternoon.")


def _state(recent: Recent) -> Status:
    """The last known status of the batch, or that a collection was created."""
    if recent.batch_at is None:
        return _COLLECTION_CREATED if recent.collection_at else DRAFT
    return status_of(BATCH, recent.batch_state) if recent.batch_state else _BATCH_CREATED


def _when(at: datetime, now: datetime) -> str:
    days = (now.date() - at.date()) // timedelta(days=1)
    if days == 0:
        return _("Today, {time}").format(time=clock(at))
    if days == 1:
        return _("Yesterday")
    return day(at, with_year=at.year != now.year)
