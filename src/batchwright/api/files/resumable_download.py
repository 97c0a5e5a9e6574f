"""A download in one or more attempts (RFC 9110, 13.1.5 and 14)."""

from collections.abc import Mapping
from http import HTTPStatus

from batchwright.api.files.file_streams import IncomingFile


class ResumableDownload:
    """A file received in one or more attempts; each continues after the bytes of the last one if possible.

    Only bytes of the same content are combined: storage must identify it with a strong `ETag`, support
    ranges, and announce its length.
    """

    def __init__(self, file: IncomingFile) -> None:
        self.file = file
        self.total: int | None = None
        """Total size in bytes; None if it was not announced."""
        self._etag = ""

    def headers(self) -> Mapping[str, str]:
        """The headers that request the rest of the same content, or all of it if it has changed."""
        if not (self._etag and self.file.size):
            return {}
        return {"Range": f"bytes={self.file.size}-", "If-Range": self._etag}

    async def accept_response(self, status: int, headers: Mapping[str, str]) -> bool:
        """Prepare for the body of a successful response; return whether it is the requested part.

        Raises:
            OSError: the disk has not enough space.
        """
        expected_size = _content_length(headers)
        if status == HTTPStatus.PARTIAL_CONTENT:
            if not self._is_remainder(headers.get("content-range", "")):
                return False
        else:
            await self.file.restart()
            self._etag = _strong_etag(headers) if expected_size is not None else ""
        self.total = None if expected_size is None else self.file.size + expected_size
        await self.file.require_space(expected_size or 0)
        return True

    def _is_remainder(self, content_range: str) -> bool:
        """Whether a `Content-Range` starts where the last attempt ended, and extends to the end."""
        if not self._etag or self.total is None:
            return False
        return content_range == f"bytes {self.file.size}-{self.total - 1}/{self.total}"


def _content_length(headers: Mapping[str, str]) -> int | None:
    """The size of the body in bytes; None if it was not announced or refers to compressed content."""
    announced = headers.get("content-length", "")
    is_plain = headers.get("content-encoding", "identity") == "identity"
    return int(announced) if announced.isdecimal() and is_plain else None


def _strong_etag(headers: Mapping[str, str]) -> str:
    """The strong `ETag` of the content; empty if there is none or ranges are not supported."""
    etag = headers.get("etag", "")
    supports_ranges = headers.get("accept-ranges", "").lower() == "bytes"
    return etag if supports_ranges and etag.startswith('"') else ""
