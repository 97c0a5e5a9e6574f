"""Model of the report of a batch, a CSV file with a pre-signed URL (wire reference, section 7.2)."""

from pydantic import Field

from batchwright.wire.base import ResponseBody
from batchwright.wire.ids import Timestamp


class DownloadLink(ResponseBody):
    """GET `/batches/{id}/report/`: the URL of the file, to be used byte for byte."""

    url: str = Field(repr=False)
    expires_at: Timestamp | None = None
    http_method: str = "GET"
