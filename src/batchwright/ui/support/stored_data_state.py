"""What the service on this computer stores, and the operation on it that is running. No widgets."""

import asyncio
from collections.abc import Awaitable, Callable

from PySide6.QtCore import QObject, Signal

from batchwright.base.i18n import _, ngettext
from batchwright.client.context import WorkflowContext
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.formatting import number
from batchwright.ui.core.session import ConnectionSession
from batchwright.wire.service_data import DeletedData, RestoredData, ServiceData
from batchwright.workflows.service_data import fetch_stored_data

_WORK, _COUNTING = "work on stored data", "count stored data"

Work = Callable[[WorkflowContext], Awaitable[str]]
"""Does something at the service; returns what it did, in a sentence."""


class StoredDataState(QObject):
    """Runs one operation at a time, and fetches what is stored after each that has not failed."""

    changed = Signal()

    def __init__(self, session: ConnectionSession, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session, self._tasks = session, tasks
        self.data: ServiceData | None = None
        """None until it was fetched."""
        self.activity = ""
        """What is being done; empty while nothing is."""
        self.is_cancelled = False
        """Whether the user has cancelled it; it may take a while to end."""
        self.fraction: float | None = None
        """The fraction of it that is done, if known."""
        self.note = ""
        """What the last operation did, or why it failed."""
        self.has_failed = False

    def refresh(self) -> None:
        """Fetch what is stored."""
        self._tasks.start(_COUNTING, self._fetch)

    def start(self, activity: str, work: Work, if_cancelled: str) -> None:
        """Start an operation, unless one is running.

        Args:
            activity: what is being done.
            work: does it.
            if_cancelled: what is noted if it is cancelled.
        """
        self._tasks.start(_WORK, lambda: self._run(activity, work, if_cancelled))

    def cancel(self) -> None:
        """End the operation that is running; what the service was asked to delete is deleted all the same.

        Only once: cancelled again, an operation that waits for its end would not say how it has ended.
        """
        if self.activity and not self.is_cancelled:
            self.is_cancelled = True
            self.changed.emit()
            self._tasks.cancel(_WORK)
            self._tasks.cancel(_COUNTING)

    def on_fraction(self, fraction: float | None) -> None:
        """Show the fraction that is done."""
        self.fraction = fraction
        self.changed.emit()

    async def _run(self, activity: str, work: Work, if_cancelled: str) -> None:
        self.note, self.has_failed = "", False
        self._begin(activity)
        try:
            self.note = await work(await self._session.local_context())
        except asyncio.CancelledError:
            self.note = if_cancelled
            self.refresh()
            raise
        except Exception as error:
            self._note_failure(error)
        else:
            await self._fetch()
        finally:
            self._end()

    async def _fetch(self) -> None:
        self._begin(_("Counting what is stored"))
        try:
            self.data = await fetch_stored_data(await self._session.local_context())
        except Exception as error:
            self._note_failure(error)
        finally:
            self._end()

    def _begin(self, activity: str) -> None:
        self.activity, self.is_cancelled, self.fraction = activity, False, None
        self.changed.emit()

    def _note_failure(self, error: Exception) -> None:
        message = self._tasks.message(error)
        self.note, self.has_failed = f"{self.note} {message.what} {message.remedy}".strip(), True
        if message.is_bug:
            raise error

    def _end(self) -> None:
        self.activity, self.is_cancelled = "", False
        self.changed.emit()


def deleted_text(deleted: DeletedData) -> str:
    """What was deleted, in sentences."""
    texts = []
    if deleted.studies or deleted.participants:
        text = _(
            "Deleted. Studies: {studies}; participants: {participants}; answers: {answers}; files: {files}."
        )
        texts.append(
            text.format(
                studies=number(deleted.studies),
                participants=number(deleted.participants),
                answers=number(deleted.answers),
                files=number(deleted.files),
            )
        )
    if deleted.unused:
        text = _("Deleted datasets without a study, and feedback files: {count}.")
        texts.append(text.format(count=number(deleted.unused)))
    if not texts:
        texts.append(_("Nothing was found that could be deleted."))
    if deleted.in_use:
        text = ngettext(
            "{count} study is left, because a job of it is running.",
            "{count} studies are left, because jobs of them are running.",
            deleted.in_use,
        )
        texts.append(text.format(count=number(deleted.in_use)))
    if not deleted.is_erased:
        texts.append(_("Copies in free space of the database are erased when the service starts again."))
    return " ".join(texts)


def restored_text(restored: RestoredData) -> str:
    """What was restored, in sentences."""
    text = _("Restored. Studies: {studies}; answers: {answers}.")
    texts = [text.format(studies=number(restored.studies), answers=number(restored.answers))]
    if restored.deleted_again:
        text = _("Participants who were deleted on request since then are deleted again: {count}.")
        texts.append(text.format(count=number(restored.deleted_again)))
    return " ".join(texts)
