"""What the Feedback stage shows: files on their way, and those sent before. It knows no widgets."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import partial
from itertools import count
from pathlib import Path
from time import monotonic

from PySide6.QtCore import QObject, QTimer, Signal

from batchwright.base.i18n import _
from batchwright.client.errors import needs_sign_in
from batchwright.client.transfer_rate import UNKNOWN, TransferRate
from batchwright.local.sent_files import QueuedFile, SentFile
from batchwright.ui.core.background_tasks import TaskMessage, Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.workflows.send_feedback import FileRejected, check, send_feedback

AT_ONCE = 2
"""How many files go out at a time."""
_DRAW = 100
"""Milliseconds between two drawings of what moves."""


class FeedbackFileState(Enum):
    """How a file stands."""

    HELD = auto()
    """Checked; nobody has said yet that it is to go."""
    WAITING = auto()
    SENDING = auto()
    SENT = auto()
    FAILED = auto()
    INTERRUPTED = auto()
    """The program ended before it had arrived; it is sent again only on request."""
    CANCELLED = auto()
    REFUSED = auto()
    """The service would not take it, so it is not sent."""


OVER = frozenset({FeedbackFileState.SENT, FeedbackFileState.CANCELLED, FeedbackFileState.REFUSED})
"""What a person who tidies up wants to be gone."""


@dataclass(frozen=True)
class FeedbackFile:
    """A file of the list: how it stands, how many of its bytes have gone, and why it did not go."""

    number: int
    path: Path
    size: int
    state: FeedbackFileState
    at: str = ""
    """The name of the connection that it is sent to, once somebody has said that it is to go."""
    done: int = 0
    pace: TransferRate = UNKNOWN
    is_offline: bool = False
    """Whether the network is away while it is sent, and is waited for."""
    row_id: int | None = None
    """Where the queue stores it, so that it survives the end of the program."""
    sent: SentFile | None = None
    reason: str = ""

    @property
    def part(self) -> float:
        """How much has gone, from 0 to 1."""
        return self.done / self.size if self.size else 0.0


class FeedbackState(QObject):
    """Holds the list and sends what waits; `changed` follows everything, `all_sent` the end of the last."""

    changed = Signal()
    all_sent = Signal(int)

    def __init__(
        self,
        session: ConnectionSession,
        tasks: Tasks,
        describe: Callable[[BaseException], TaskMessage],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.session = session
        self._tasks, self._describe = tasks, describe
        self._entries: dict[int, FeedbackFile] = {}
        self._numbers = count(1)
        self._went = 0
        self.history: tuple[SentFile, ...] = ()
        self.is_loading = True
        self.fault: TaskMessage | None = None
        """Why the history could not be read."""
        self._due = QTimer(self)
        self._due.setSingleShot(True)
        self._due.setInterval(_DRAW)
        self._due.timeout.connect(self.changed)

    @property
    def entries(self) -> tuple[FeedbackFile, ...]:
        """The files, in the order in which they were given."""
        return tuple(self._entries.values())

    def count(self, *states: FeedbackFileState) -> int:
        """How many files stand so."""
        return sum(entry.state in states for entry in self.entries)

    def read_history(self) -> None:
        """Read what was sent before, and what another run of the program did not get sent."""
        self._tasks.start("read the feedback files", self._read_history)

    async def add(self, paths: Iterable[Path]) -> tuple[int, ...]:
        """Put files on the list, checked; returns the numbers of those that can go."""
        added = []
        for path in paths:
            entry = await asyncio.to_thread(_checked, next(self._numbers), path)
            self._entries[entry.number] = entry
            added.append(entry)
        self.changed.emit()
        return tuple(entry.number for entry in added if entry.state is FeedbackFileState.HELD)

    async def enqueue(self, numbers: Iterable[int]) -> None:
        """Store that files are to be sent; what cannot be stored is told, and can be sent all the same."""
        entries = [self._entries[number] for number in numbers if number in self._entries]
        here = self.session.connection.name
        wanted = [(entry.at or here, entry.path, entry.size) for entry in entries]
        with self._tasks.reporting("store the feedback queue"):
            files = await self.session.sent_files()
            row_ids = await asyncio.to_thread(files.enqueue, wanted)
            for entry, row_id in zip(entries, row_ids, strict=True):
                self._set(entry.number, row_id=row_id)

    def send(self, numbers: Iterable[int]) -> None:
        """Send files, those first that were given first."""
        for number in numbers:
            at = self._entries[number].at or self.session.connection.name
            self._set(number, state=FeedbackFileState.WAITING, at=at, done=0, reason="")
        self._go_on()

    def cancel(self, number: int) -> None:
        """Send a file no further."""
        self._dequeue(number)
        if self._entries[number].state is FeedbackFileState.SENDING:
            self._tasks.cancel(_task(number))
        self._set(number, state=FeedbackFileState.CANCELLED)
        self._go_on()

    def retry(self, number: int) -> None:
        """Send a file that did not get through, to where it was to go."""
        if self._entries[number].row_id is None:
            self._tasks.start(f"store feedback file {number}", lambda: self.enqueue((number,)))
        self.send((number,))

    def remove(self, number: int) -> None:
        """Take a file off the list."""
        self._dequeue(number)
        self._entries.pop(number, None)
        self.changed.emit()

    def clear_over(self) -> None:
        """Take off the list what was sent, cancelled or refused."""
        self._entries = {n: entry for n, entry in self._entries.items() if entry.state not in OVER}
        self.changed.emit()

    def _dequeue(self, number: int) -> None:
        """Forget that a file is to be sent."""
        entry = self._entries.get(number)
        if entry is not None and entry.row_id is not None:
            row_id = entry.row_id
            self._set(number, row_id=None)

            async def forget() -> None:
                files = await self.session.sent_files()
                await asyncio.to_thread(files.dequeue, (row_id,))

            self._tasks.start(f"forget queued feedback file {row_id}", forget)

    def _go_on(self) -> None:
        """Begin what waits, as far as there is room."""
        for entry in self.entries:
            if entry.state is FeedbackFileState.WAITING and self.count(FeedbackFileState.SENDING) < AT_ONCE:
                self._set(entry.number, state=FeedbackFileState.SENDING, pace=UNKNOWN, is_offline=False)
                self._tasks.start(_task(entry.number), partial(self._send, entry.number))
        if self._went and not self.count(FeedbackFileState.WAITING, FeedbackFileState.SENDING):
            went, self._went = self._went, 0
            self.all_sent.emit(went)
        self.changed.emit()

    async def _send(self, number: int) -> None:
        try:
            entry = self._entries[number]
            sent = await self.session.sent_files()
            arrived = await self.session.at_work(
                lambda bench, waits: send_feedback(
                    bench,
                    sent,
                    entry.path,
                    lambda done, _all: self._moved(number, done),
                    waits,
                    entry.row_id,
                ),
                partial(self._show_outage, number, is_offline=True),
                entry.at,
                back=partial(self._show_outage, number, is_offline=False),
            )
        except asyncio.CancelledError:
            self._set(number, state=FeedbackFileState.CANCELLED)
            raise
        except Exception as fault:
            # It is told at the file, where it can be tried again.
            message = self._describe(fault)
            # Somebody was asked for a token, and gave none: no other file needs to be tried.
            alike = self._waiting(entry.at) if needs_sign_in(fault) else ()
            for one in (number, *alike):
                self._set(one, state=FeedbackFileState.FAILED, reason=f"{message.what} {message.remedy}")
        else:
            self._went += 1
            self.history = (arrived, *self.history)
            self._set(number, state=FeedbackFileState.SENT, sent=arrived)
            self._dequeue(number)
        self._go_on()

    def _waiting(self, at: str) -> tuple[int, ...]:
        """The files that wait to be sent to a connection."""
        return tuple(
            one.number for one in self.entries if (one.state, one.at) == (FeedbackFileState.WAITING, at)
        )

    def _moved(self, number: int, done: int) -> None:
        if number in self._entries:
            entry = self._entries[number]
            pace = entry.pace.after(done, monotonic())
            self._entries[number] = replace(entry, done=done, pace=pace, is_offline=False)
        if not self._due.isActive():
            self._due.start()

    def _show_outage(self, number: int, *, is_offline: bool) -> None:
        self._set(number, is_offline=is_offline)
        self.changed.emit()

    def _set(self, number: int, **changes: object) -> None:
        if number in self._entries:
            entry = self._entries[number]
            self._entries[number] = replace(entry, **changes)  # type: ignore[arg-type]  # named by the dataclass

    async def _read_history(self) -> None:
        try:
            files = await self.session.sent_files()
            self.history = tuple(await asyncio.to_thread(files.latest))
            for queued in await asyncio.to_thread(files.take_interrupted):
                entry = self._interrupted(queued)
                self._entries[entry.number] = entry
        except Exception as fault:
            # A list that cannot be read is replaced by why.
            self.fault = self._describe(fault)
        else:
            self.fault = None
        self.is_loading = False
        self.changed.emit()

    def _interrupted(self, queued: QueuedFile) -> FeedbackFile:
        said = _("Batchwright ended before it had arrived at {connection}. Retry to send it again.")
        reason = said.format(connection=self.session.title_of(queued.connection))
        return FeedbackFile(
            next(self._numbers),
            queued.path,
            queued.size,
            FeedbackFileState.INTERRUPTED,
            queued.connection,
            row_id=queued.row_id,
            reason=reason,
        )


def _checked(number: int, path: Path) -> FeedbackFile:
    try:
        return FeedbackFile(number, path, check(path), FeedbackFileState.HELD)
    except FileRejected as fault:
        size = path.stat().st_size if path.is_file() else 0
        return FeedbackFile(number, path, size, FeedbackFileState.REFUSED, reason=str(fault))
    except OSError as fault:
        said = _("It cannot be read: {reason}.").format(reason=fault.strerror or fault)
        return FeedbackFile(number, path, 0, FeedbackFileState.REFUSED, reason=said)


def _task(number: int) -> str:
    return f"send feedback file {number}"
