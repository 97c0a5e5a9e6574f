"""Models of export jobs of batches and collections (wire reference, section 8)."""

from enum import StrEnum

from pydantic import Field

from batchwright.wire.base import Open, ResponseBody
from batchwright.wire.ids import Timestamp


class ExportStatus(StrEnum):
    """Status of an export (specification, Export job status)."""

    GENERATING = "generating"
    COMPLETE = "complete"
    FAILED = "failed"


class ExportJob(ResponseBody):
    """The response to both export calls, with status 200 and 202 alike.

    A complete or failed job may lack `export_id`: keep the one from the 202 response.
    """

    status: Open[ExportStatus]
    export_id: str | None = None
    url: str | None = Field(default=None, repr=False)
    """URL of the ZIP archive while `complete`; pre-signed, to be used byte for byte."""
    expires_at: Timestamp | None = None
    reason: str | None = None
    """Why it failed; the service on this computer sends it, others may not."""

    @property
    def settled(self) -> bool:
        """Whether polling ends: at every status but `generating`, including unknown ones."""
        return self.status != ExportStatus.GENERATING
