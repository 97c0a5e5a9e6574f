"""What a look at a job tells: how far it is, and whether and how it has ended.

One function for each kind of job turns the service's answer into a sight; what a status means is said in the
specification under States and transitions.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from batchwright.records.json_values import JsonObject
from batchwright.wire.batches import BatchState, BatchStatus
from batchwright.wire.bodies import AnswerBody, payload
from batchwright.wire.exports import ExportJob, ExportStatus
from batchwright.wire.imports import ImportJob, ImportStatus


class JobKind(StrEnum):
    """What kinds of jobs are watched."""

    IMPORT = "import"
    SETUP = "setup"
    EXPORT = "export"


class Ending(StrEnum):
    """How a job has ended."""

    DONE = "done"
    PARTLY = "partly"
    """Ended, with something left out."""
    FAILED = "failed"
    GONE = "gone"
    """The service knows no such job any more."""


@dataclass(frozen=True)
class Sight:
    """What one look at a job showed.

    `state` is the service's own word, shown even when nobody here knows it; `detail` holds counts, reasons
    and the like, as they came.
    """

    state: str
    ending: Ending | None = None
    detail: JsonObject = field(default_factory=dict)

    @property
    def settled(self) -> bool:
        """Whether there is nothing left to wait for."""
        return self.ending is not None


_IMPORTS: dict[str, Ending] = {
    ImportStatus.COMPLETE: Ending.DONE,
    ImportStatus.PARTIAL: Ending.PARTLY,
    ImportStatus.FAILED: Ending.FAILED,
}
_SETUPS: dict[str, Ending] = {BatchStatus.READY: Ending.DONE, BatchStatus.ERROR: Ending.FAILED}
_EXPORTS: dict[str, Ending] = {ExportStatus.COMPLETE: Ending.DONE, ExportStatus.FAILED: Ending.FAILED}


def import_sight(job: ImportJob) -> Sight:
    """An import job; `pending_schema` is no end, since the first schema releases it (wire.md 4.6)."""
    return Sight(job.status, _IMPORTS.get(job.status), _detail(job))


def setup_sight(batch: BatchState) -> Sight:
    """The status of a batch whose setup was accepted (wire.md 5.3)."""
    return Sight(batch.status, _SETUPS.get(batch.status), _detail(batch))


def export_sight(job: ExportJob) -> Sight:
    """An export job; its address is left out, since it is a secret and expires (wire.md 8)."""
    kept = {name: value for name, value in _detail(job).items() if name != "url"}
    return Sight(job.status, _EXPORTS.get(job.status), kept)


def _detail(answer: AnswerBody) -> JsonObject:
    return {name: value for name, value in payload(answer).items() if name != "status"}
