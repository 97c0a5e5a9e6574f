"""The state of the Feedback stage: files to send, and those sent before. It has no widgets."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import count
from pathlib import Path
from time import monotonic
from uuid import uuid4

from PySide6.QtCore import QObject, QTimer, Signal

from batchwright.base.i18n import _
from batchwright.client.job_monitoring.transfer_rate import UNKNOWN, TransferRate
from batchwright.local.sent_files import QueuedFile, SentFile
from batchwright.ui.core.background_tasks import TaskMessage, Tasks
from batchwright.ui.core.operations import Operation, OperationRun, OperationRunner, OperationState
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.subject import Subject
from batchwright.workflows.send_feedback import FileRejected, require_accepted_file, send_feedback

AT_ONCE = 2
"""Maximum number of files sent at a time."""
_REDRAW_INTERVAL_MS = 100


class FeedbackFileState(Enum):
    """The state of a file in the list."""

    UNCONFIRMED = auto()
    """Checked, but the user has not confirmed yet that it is sent."""
    WAITING = auto()
    SENDING = auto()
    SENT = auto()
    FAILED = auto()
    INTERRUPTED = auto()
    """The program ended before the upload did; it is sent again only on request."""
    CANCELLED = auto()
    REFUSED = auto()
    """The service would reject it, so it is not sent."""


FINISHED = frozenset({FeedbackFileState.SENT, FeedbackFileState.CANCELLED, FeedbackFileState.REFUSED})
"""The states of files that “Clear finished” removes from the list."""

_STATES = {
    OperationState.QUEUED: FeedbackFileState.WAITING,
    OperationState.RUNNING: FeedbackFileState.SENDING,
    OperationState.WAITING: FeedbackFileState.SENDING,
    OperationState.OFFLINE: FeedbackFileState.SENDING,
    OperationState.SUCCEEDED: FeedbackFileState.SENT,
    OperationState.FAILED: FeedbackFileState.FAILED,
    OperationState.NEEDS_SIGN_IN: FeedbackFileState.FAILED,
    OperationState.CANCELLED: FeedbackFileState.CANCELLED,
}


@dataclass(frozen=True)
class FeedbackUpload(Operation):
    """The upload of one file; it belongs to the window, regardless of the open study."""

    done: int = 0
    """Bytes sent."""
    size: int = 0
    """Of the file that is being sent, in bytes; 0 until its first bytes were sent."""
    may_have_arrived: bool = False
    """Whether all of it was sent at least once."""
    rate: TransferRate = UNKNOWN


@dataclass(frozen=True)
class FeedbackFile:
    """A file in the list, with the progress of its upload."""

    number: int
    path: Path
    size: int
    """In bytes."""
    state: FeedbackFileState
    connection: str = ""
    """The name of the connection that it is sent to; empty until sending it was confirmed."""
    done: int = 0
    """Bytes sent."""
    rate: TransferRate = UNKNOWN
    may_have_arrived: bool = False
    """Whether all of it was sent at least once, although it may count as cancelled."""
    is_offline: bool = False
    """Whether the service does not respond while the file is sent; sending continues when it does."""
    row_id: int | None = None
    """Its row in the queue, which is stored in the database and so survives a crash."""
    sent: SentFile | None = None
    reason: str = ""
    """Why it was not sent."""

    @property
    def fraction(self) -> float:
        """The fraction sent, from 0 to 1."""
        return self.done / self.size if self.size else 0.0


_open_windows: set[str] = set()
"""Identifies the windows whose files are being sent; files of others wait for Retry."""


class FeedbackState(QObject):
    """The files of the window: the list, the uploads, and the history."""

    changed = Signal()
    """The list or the history has changed; for what uploads change, emitted at most every 100 ms."""
    all_sent = Signal(object)
    """The last upload has ended; the argument has each `SentFile` sent since no upload was running."""

    def __init__(self, session: ConnectionSession, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session, self._tasks = session, tasks
        self._window = window = uuid4().hex
        _open_windows.add(window)
        self.destroyed.connect(lambda: _open_windows.discard(window))
        self.operations = OperationRunner(
            Subject(lambda: "window", parent=self), session, tasks, self, at_once=AT_ONCE
        )
        """Uploads: they belong to the window, regardless of the open study."""
        self._files: dict[int, FeedbackFile] = {}
        self._numbers = count(1)
        self._just_sent: list[SentFile] = []
        self.history: tuple[SentFile, ...] = ()
        self.is_loading = True
        self.error: TaskMessage | None = None
        """Why the history could not be read."""
        self._with_upload: dict[int, tuple[FeedbackFile, Operation | None, FeedbackFile]] = {}
        """By number: a file, its upload, and both combined, which stays the same object until one changes."""
        self._redraw = QTimer(self)
        self._redraw.setSingleShot(True)
        self._redraw.setInterval(_REDRAW_INTERVAL_MS)
        self._redraw.timeout.connect(self.changed)
        self.operations.changed.connect(self._on_operations_changed)
        self.operations.finished.connect(self._on_finished)

    @property
    def files(self) -> tuple[FeedbackFile, ...]:
        """The files, in the order in which they were added."""
        return tuple(map(self._with_progress, self._files.values()))

    def count(self, *states: FeedbackFileState) -> int:
        """Number of files in one of these states."""
        return sum(file.state in states for file in self.files)

    def read_history(self) -> None:
        """Read which files were sent before, and which an earlier run of the program did not finish."""
        self._tasks.start("read the feedback files", self._read_history)

    async def add(self, paths: Iterable[Path]) -> tuple[int, ...]:
        """Check files and add them to the list; returns the numbers of those that can be sent."""
        added = []
        for path in paths:
            file = await asyncio.to_thread(_checked, next(self._numbers), path)
            self._files[file.number] = file
            added.append(file)
        self.changed.emit()
        return tuple(file.number for file in added if file.state is FeedbackFileState.UNCONFIRMED)

    def confirm(self, numbers: Iterable[int], connection: str) -> None:
        """Record the connection that files are sent to, even if another one is current by then."""
        for number in numbers:
            self._set(number, connection=connection)

    async def enqueue(self, numbers: Iterable[int]) -> None:
        """Add files to the stored queue of uploads; an error is shown, and they can be sent nevertheless."""
        files = [self._files[number] for number in numbers if number in self._files]
        current = self.session.connection.name
        rows = [(file.connection or current, file.path, file.size) for file in files]
        with self._tasks.reporting("store the feedback queue"):
            sent_files = await self.session.sent_files()
            row_ids = await asyncio.to_thread(sent_files.enqueue, rows, self._window)
            ended = []
            for file, row_id in zip(files, row_ids, strict=True):
                if self._has_ended(file):
                    ended.append(row_id)
                else:
                    self._set(file.number, row_id=row_id)
            if ended:
                await asyncio.to_thread(sent_files.dequeue, ended)

    def send(self, numbers: Iterable[int]) -> None:
        """Send files, in the order in which they are given; none that was cancelled or removed meanwhile."""
        for number in numbers:
            file = self._files.get(number)
            if file is not None and not self._has_ended(file):
                self._start_upload(file)
        self.changed.emit()

    def cancel(self, number: int) -> None:
        """Stop sending a file."""
        self._dequeue(number)
        self._set(number, state=FeedbackFileState.CANCELLED)
        self.operations.cancel(_key(number))
        self.changed.emit()

    def retry(self, number: int) -> None:
        """Send a file again, to the same connection."""
        file = self._files[number]
        self._start_upload(file)
        self.changed.emit()
        if file.row_id is None:
            self._tasks.start(f"store feedback file {number}", lambda: self.enqueue((number,)))

    def remove(self, number: int) -> None:
        """Remove a file from the list."""
        self._dequeue(number)
        self._remove(number)
        self.changed.emit()

    def clear_finished(self) -> None:
        """Remove the files from the list that were sent, cancelled or rejected."""
        for file in self.files:
            if file.state in FINISHED:
                self._remove(file.number)
        self.changed.emit()

    def _remove(self, number: int) -> None:
        self._files.pop(number, None)
        self._with_upload.pop(number, None)
        self.operations.remove(_key(number))

    def _has_ended(self, file: FeedbackFile) -> bool:
        """Whether a file need not be sent any more; also true if it is no longer in the list."""
        current = self._files.get(file.number)
        return current is None or self._with_progress(current).state in FINISHED

    def _start_upload(self, file: FeedbackFile) -> None:
        connection = file.connection or self.session.connection.name
        self._set(file.number, connection=connection)
        may_have_arrived = False

        async def work(run: OperationRun) -> SentFile:
            rate = UNKNOWN

            def on_progress(done: int, total: int | None) -> None:
                nonlocal rate, may_have_arrived
                may_have_arrived |= done == total
                rate = rate.after(done, monotonic())
                run.update(
                    done=done,
                    size=total or 0,
                    may_have_arrived=may_have_arrived,
                    rate=rate,
                    fraction=done / total if total else None,
                )

            sent_files = await self.session.sent_files()
            return await send_feedback(run.context, sent_files, file.path, on_progress, run.hooks, row_id())

        def row_id() -> int | None:
            return self._files[file.number].row_id if file.number in self._files else None

        def on_success(sent: SentFile) -> None:
            self._just_sent.append(sent)
            self.history = (sent, *self.history)
            self._set(file.number, sent=sent, size=sent.size)
            self._dequeue(file.number)

        title = _("Uploading {name}").format(name=file.path.name)
        upload = FeedbackUpload(_key(file.number), title, connection, shows_error=True)
        self.operations.start(upload, work, on_success)

    def _with_progress(self, file: FeedbackFile) -> FeedbackFile:
        upload = self.operations.get(_key(file.number))
        if not isinstance(upload, FeedbackUpload):
            return file
        known = self._with_upload.get(file.number)
        if known is not None and known[0] is file and known[1] is upload:
            return known[2]
        changed = replace(
            file,
            state=_STATES[upload.state],
            done=upload.done,
            size=upload.size or file.size,
            rate=upload.rate,
            may_have_arrived=upload.may_have_arrived,
            is_offline=upload.state is OperationState.OFFLINE,
            reason=f"{upload.error.what} {upload.error.remedy}" if upload.error is not None else "",
        )
        self._with_upload[file.number] = file, upload, changed
        return changed

    def _dequeue(self, number: int) -> None:
        """Remove a file from the queue: it need not be sent any more."""
        file = self._files.get(number)
        if file is not None and file.row_id is not None:
            row_id = file.row_id
            self._set(number, row_id=None)

            async def dequeue() -> None:
                sent_files = await self.session.sent_files()
                await asyncio.to_thread(sent_files.dequeue, (row_id,))

            self._tasks.start(f"remove queued feedback file {row_id}", dequeue)

    def _on_operations_changed(self) -> None:
        if not self._redraw.isActive():
            self._redraw.start()

    def _on_finished(self) -> None:
        if self.operations.current is not None:
            return
        self.changed.emit()
        if self._just_sent:
            sent_files, self._just_sent = self._just_sent, []
            self.all_sent.emit(sent_files)

    def _set(self, number: int, **changes: object) -> None:
        if number in self._files:
            file = self._files[number]
            self._files[number] = replace(file, **changes)  # type: ignore[arg-type]  # named by the dataclass

    async def _read_history(self) -> None:
        try:
            sent_files = await self.session.sent_files()
            self.history = tuple(await asyncio.to_thread(sent_files.latest))
            for queued in await asyncio.to_thread(
                sent_files.claim_interrupted, self._window, frozenset(_open_windows)
            ):
                file = self._interrupted(queued)
                self._files[file.number] = file
        except Exception as error:
            # The error is shown in place of the history.
            self.error = self._tasks.message(error)
        else:
            self.error = None
        self.is_loading = False
        self.changed.emit()

    def _interrupted(self, queued: QueuedFile) -> FeedbackFile:
        template = _(
            "Batchwright closed before the upload to {connection} was complete. Retry to send it again."
        )
        if queued.is_of_this_run:
            template = _(
                "The window was closed before the upload to {connection} was complete. Retry to send it "
                "again."
            )
        reason = template.format(connection=self.session.title_of(queued.connection))
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
        return FeedbackFile(number, path, require_accepted_file(path), FeedbackFileState.UNCONFIRMED)
    except FileRejected as error:
        size = path.stat().st_size if path.is_file() else 0
        return FeedbackFile(number, path, size, FeedbackFileState.REFUSED, reason=str(error))
    except OSError as error:
        reason = _("It cannot be read: {reason}.").format(reason=error.strerror or error)
        return FeedbackFile(number, path, 0, FeedbackFileState.REFUSED, reason=reason)


def _key(number: int) -> str:
    return f"feedback file {number}"
