"""The report of a batch, a CSV behind a pre-signed address (wire reference, 7.2)."""

from pydantic import Field

from batchwright.wire.base import ResponseBody
from batchwright.wire.ids import Timestamp


class DownloadLink(ResponseBody):
    """GET `/batches/{id}/report/`: where the file is, to be used byte for byte."""

    url: str = Field(repr=False)
    expires_at: Timestamp | None = None
    http_method: str = "GET"
