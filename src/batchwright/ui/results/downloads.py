"""Report and export on their way to where a person wants them, one at a time. No widgets."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from time import monotonic

from PySide6.QtCore import QObject, Signal

from batchwright.client.transfer_rate import UNKNOWN, TransferRate
from batchwright.ui.core.background_tasks import TaskMessage, Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.study.study_model import Study
from batchwright.workflows.download_verified import (
    VerifiedDownload,
    deliver_safe_report,
    download_verified_answers,
    download_verified_export,
    download_verified_report,
)

_TASK = "results download"


class DownloadKind(StrEnum):
    """What can be taken away."""

    REPORT = "report"
    SAFE_REPORT = "safe report"
    """The report with cells that a spreadsheet shows as text and never runs as formulas."""
    EXPORT = "export"
    ANSWERS = "answers"
    """Everything that the service tells of answers now, as JSON; an export may be older (wire.md 15)."""


@dataclass(frozen=True)
class DownloadState:
    """A file on its way: bytes that have come, bytes in all where anybody knows, and how fast it moves.

    It is of a batch at a connection, whichever is the study's by now.
    """

    what: DownloadKind
    path: Path
    batch_id: str
    at: str
    done: int = 0
    total: int | None = None
    pace: TransferRate = UNKNOWN
    is_waiting: bool = False
    """Whether the network is away, and is waited for."""

    @property
    def part(self) -> float | None:
        """How much has come, from 0 to 1; None where nobody knows."""
        return self.done / self.total if self.total else None


_DELIVER = {
    DownloadKind.REPORT: download_verified_report,
    DownloadKind.SAFE_REPORT: deliver_safe_report,
    DownloadKind.EXPORT: download_verified_export,
    DownloadKind.ANSWERS: download_verified_answers,
}


class Downloads(QObject):
    """Fetches a file of the study's batch, and proves it."""

    changed = Signal()
    delivered = Signal(object, object)
    """What was fetched, a `DownloadKind`, and the file with its proofs, `VerifiedDownload`."""
    missed = Signal(object, object)
    """A `DownloadState` failed, with the `TaskMessage` why; the earlier file is unchanged."""

    def __init__(
        self,
        study: Study,
        session: ConnectionSession,
        tasks: Tasks,
        describe: Callable[[BaseException], TaskMessage],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._study, self._session, self._tasks, self._describe = study, session, tasks, describe
        self.fetching: DownloadState | None = None
        self.older: VerifiedDownload | None = None
        """The export that was fetched last, while it lacks answers that came later."""

    def forget_older(self) -> None:
        """Tell of no older export any more."""
        if self.older is not None:
            self.older = None
            self.changed.emit()

    def fetch(self, what: DownloadKind, path: Path) -> None:
        """Fetch report or export to `path`; over an older file of the name once the new one is whole."""
        batch_id = self._batch_id
        if batch_id is not None:
            self.fetch_again(DownloadState(what, path, batch_id, self._session.connection.name))

    def fetch_again(self, wanted: DownloadState) -> None:
        """Fetch what was wanted before, also where another study is open by now."""
        self._tasks.start(_TASK, lambda: self._fetch(wanted))

    def stop(self) -> None:
        """Fetch nothing any more."""
        self._tasks.cancel(_TASK)

    @property
    def _batch_id(self) -> str | None:
        return self._study.remote(self._session.connection.name).batch_id

    async def _fetch(self, wanted: DownloadState) -> None:
        self._show(wanted)
        try:
            delivered = await self._deliver(wanted)
        except Exception as fault:
            # Told with a way to try again, but for what nobody foresaw.
            message = self._describe(fault)
            if message.is_bug:
                raise
            self.missed.emit(wanted, message)
        else:
            if wanted.what not in (DownloadKind.REPORT, DownloadKind.SAFE_REPORT):
                self.older = delivered if delivered.newer and wanted.batch_id == self._batch_id else None
            self.delivered.emit(wanted.what, delivered)
        finally:
            self._show(None)

    async def _deliver(self, wanted: DownloadState) -> VerifiedDownload:
        far = wanted

        def told(done: int, total: int | None) -> None:
            nonlocal far
            far = replace(wanted, done=done, total=total, pace=far.pace.after(done, monotonic()))
            self._show(far)

        def away() -> None:
            self._show(replace(far, is_waiting=True))

        def back() -> None:
            self._show(far)

        deliver = _DELIVER[wanted.what]
        return await self._session.at_work(
            lambda bench, waits: deliver(bench, wanted.batch_id, wanted.path, told, waits),
            away,
            wanted.at,
            back=back,
        )

    def _show(self, fetching: DownloadState | None) -> None:
        self.fetching = fetching
        self.changed.emit()
