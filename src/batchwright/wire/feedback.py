"""Models of feedback files on completed studies (wire reference, section 11)."""

from pathlib import PurePosixPath

from pydantic import Field

from batchwright.wire.base import ResponseBody
from batchwright.wire.ids import Timestamp

EXTENSIONS = (".csv", ".xls", ".xlsx", ".json", ".txt", ".pdf")
"""Accepted file extensions, in lower case."""

MAX_BYTES = 5 * 1024**3
"""Maximum size of a file in bytes (specification: 5 GB)."""


class FeedbackUploadUrl(ResponseBody):
    """GET `/submissions/signals/upload-url/{filename}`: the upload URL, to be used byte for byte."""

    upload_url: str = Field(repr=False)
    http_method: str = "PUT"
    expires_at: Timestamp | None = None


def is_feedback_file(filename: str) -> bool:
    """Whether a file has an accepted extension, in any case."""
    return PurePosixPath(filename).suffix.lower() in EXTENSIONS
