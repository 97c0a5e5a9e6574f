"""Feedback files about completed studies (wire reference, 11)."""

from pathlib import PurePosixPath

from pydantic import Field

from batchwright.wire.base import ResponseBody
from batchwright.wire.ids import Timestamp

EXTENSIONS = (".csv", ".xls", ".xlsx", ".json", ".txt", ".pdf")
"""The formats accepted, by extension in lower case."""

MAX_BYTES = 5 * 1024**3
"""Bytes of the largest file accepted (specification, 5 GB)."""


class FeedbackUploadUrl(ResponseBody):
    """GET `/submissions/signals/upload-url/{filename}`: where to PUT the file, byte for byte."""

    upload_url: str = Field(repr=False)
    http_method: str = "PUT"
    expires_at: Timestamp | None = None


def is_feedback_file(filename: str) -> bool:
    """Whether a file's extension, in any case, is one of those accepted."""
    return PurePosixPath(filename).suffix.lower() in EXTENSIONS
