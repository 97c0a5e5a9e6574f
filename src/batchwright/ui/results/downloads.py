"""Report and export on their way to where a person wants them, one at a time. No widgets."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from time import monotonic

from PySide6.QtCore import QObject, Signal

from batchwright.api.transfer_rate import UNKNOWN, Pace
from batchwright.ui.core.background_tasks import Message, Tasks
from batchwright.ui.core.session import Session
from batchwright.ui.study.study_model import Study
from batchwright.workflows.download_verified import (
    Delivered,
    deliver_answers,
    deliver_export,
    deliver_report,
    deliver_safe_report,
)

_TASK = "results download"


class What(StrEnum):
    """What can be taken away."""

    REPORT = "report"
    SAFE_REPORT = "safe report"
    """The report with cells that a spreadsheet shows as text and never runs as formulas."""
    EXPORT = "export"
    ANSWERS = "answers"
    """Everything that the service tells of answers now, as JSON; an export may be older (wire.md 15)."""


@dataclass(frozen=True)
class Fetching:
    """A file on its way: bytes that have come, bytes in all where anybody knows, and how fast it moves.

    It is of a batch at a connection, whichever is the study's by now.
    """

    what: What
    path: Path
    batch_id: str
    at: str
    done: int = 0
    total: int | None = None
    pace: Pace = UNKNOWN
    is_waiting: bool = False
    """Whether the network is away, and is waited for."""

    @property
    def part(self) -> float | None:
        """How much has come, from 0 to 1; None where nobody knows."""
        return self.done / self.total if self.total else None


_DELIVER = {
    What.REPORT: deliver_report,
    What.SAFE_REPORT: deliver_safe_report,
    What.EXPORT: deliver_export,
    What.ANSWERS: deliver_answers,
}


class Downloads(QObject):
    """Fetches a file of the study's batch, and proves it."""

    changed = Signal()
    delivered = Signal(object, object)
    """What was fetched, a `What`, and the file with its proofs, `Delivered`."""
    missed = Signal(object, object)
    """What could not be fetched, a `Fetching`, and the `Message` why; what was at its place still is."""

    def __init__(
        self,
        study: Study,
        session: Session,
        tasks: Tasks,
        describe: Callable[[BaseException], Message],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._study, self._session, self._tasks, self._describe = study, session, tasks, describe
        self.fetching: Fetching | None = None
        self.older: Delivered | None = None
        """The export that was fetched last, while it lacks answers that came later."""

    def forget_older(self) -> None:
        """Tell of no older export any more."""
        if self.older is not None:
            self.older = None
            self.changed.emit()

    def fetch(self, what: What, path: Path) -> None:
        """Fetch report or export to `path`; over an older file of the name once the new one is whole."""
        batch_id = self._batch_id
        if batch_id is not None:
            self.fetch_again(Fetching(what, path, batch_id, self._session.connection.name))

    def fetch_again(self, wanted: Fetching) -> None:
        """Fetch what was wanted before, also where another study is open by now."""
        self._tasks.start(_TASK, lambda: self._fetch(wanted))

    def stop(self) -> None:
        """Fetch nothing any more."""
        self._tasks.cancel(_TASK)

    @property
    def _batch_id(self) -> str | None:
        return self._study.remote(self._session.connection.name).batch_id

    async def _fetch(self, wanted: Fetching) -> None:
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
            if wanted.what not in (What.REPORT, What.SAFE_REPORT):
                self.older = delivered if delivered.newer and wanted.batch_id == self._batch_id else None
            self.delivered.emit(wanted.what, delivered)
        finally:
            self._show(None)

    async def _deliver(self, wanted: Fetching) -> Delivered:
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

    def _show(self, fetching: Fetching | None) -> None:
        self.fetching = fetching
        self.changed.emit()
