"""Stores a version of the study after each save, send and setup, in a worker thread."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

from PySide6.QtCore import QObject, Signal

from batchwright.base.i18n import _
from batchwright.local.versions import NewVersion, VersionStore
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.study_model import Study
from batchwright.ui.widgets.notices import Notice, NoticeSeverity

_log = logging.getLogger(__name__)

_TASK = "store versions"

OpenStore = Callable[[], Awaitable[VersionStore]]


def current_time() -> datetime:
    """The current time."""
    return datetime.now(UTC)


class VersionRecorder(QObject):
    """Stores versions in the order in which they were created. An error affects only the history.

    Args:
        context: the window.
        study: emits `version_created`.
        open_store: opens the version store, when it is first needed.
        now: returns the current time.
    """

    stored = Signal(str)
    """A version of the study with this id was stored."""

    def __init__(
        self, context: StageContext, study: Study, open_store: OpenStore, now: Callable[[], datetime]
    ) -> None:
        super().__init__(context.window)
        self._context, self._open_store, self._now = context, open_store, now
        self._waiting: list[tuple[NewVersion, datetime]] = []
        self._writing = asyncio.Lock()
        self._has_failed = False
        study.version_created.connect(self._on_version_created)

    async def store_waiting(self) -> None:
        """Store the versions that are not stored yet; awaited before the window is closed."""
        async with self._writing:
            while self._waiting:
                await self._store(*self._waiting.pop(0))

    def _on_version_created(self, version: NewVersion) -> None:
        self._waiting.append((version, self._now()))
        self._context.tasks.start(_TASK, self.store_waiting)

    async def _store(self, version: NewVersion, at: datetime) -> None:
        try:
            store = await self._open_store()
            await asyncio.to_thread(store.store, version, at)
        except Exception as error:
            _log.exception("A version of the study was not stored")
            if not self._has_failed:
                self._has_failed = True
                self._show_failure(error)
        else:
            self._has_failed = False
            self.stored.emit(version.study_id)

    def _show_failure(self, error: Exception) -> None:
        message = self._context.tasks.message(error)
        text = " ".join(filter(None, (_("The study itself is not affected."), message.what, message.remedy)))
        self._context.notices.show_notice(
            Notice(NoticeSeverity.WARNING, _("This version was not added to the history"), text)
        )
