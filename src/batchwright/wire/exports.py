"""Export jobs of batches and collections (wire reference, 8)."""

from enum import StrEnum

from pydantic import Field

from batchwright.wire.base import Open, ResponseBody
from batchwright.wire.ids import Timestamp


class ExportStatus(StrEnum):
    """How far an export has come (specification, Export job status)."""

    GENERATING = "generating"
    COMPLETE = "complete"
    FAILED = "failed"


class ExportJob(ResponseBody):
    """The answer to both calls about exports, with status 200 and 202 alike.

    A complete or failed one may come without `export_id`: keep the one from the 202.
    """

    status: Open[ExportStatus]
    export_id: str | None = None
    url: str | None = Field(default=None, repr=False)
    """Where to fetch the ZIP while `complete`; pre-signed, to be used byte for byte."""
    expires_at: Timestamp | None = None
    reason: str | None = None
    """Why it has failed; our own service says so, others need not."""

    @property
    def settled(self) -> bool:
        """Whether a client stops looking: at every status but `generating`, unknown ones included."""
        return self.status != ExportStatus.GENERATING
