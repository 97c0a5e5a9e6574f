"""Going on with a download where it was cut, as far as storage knows how to (RFC 9110, 13.1.5 and 14)."""

from collections.abc import Mapping
from http import HTTPStatus

from batchwright.api.file_streams import IncomingFile


class ResumableDownload:
    """A file being received in one or more attempts, each going on with the last one's bytes if it can.

    Only bytes of the very same content are put together: storage has to mark it (a strong `ETag`), to give
    ranges of it, and to say how long it is.
    """

    def __init__(self, file: IncomingFile) -> None:
        self.file = file
        self.total: int | None = None
        """Bytes in all; None where nobody said."""
        self._etag = ""

    def headers(self) -> Mapping[str, str]:
        """What to ask for: the rest of the same content, or all of it where it has changed."""
        if not (self._etag and self.file.size):
            return {}
        return {"Range": f"bytes={self.file.size}-", "If-Range": self._etag}

    async def accept_response(self, status: int, headers: Mapping[str, str]) -> bool:
        """Get ready for the body of a good answer; whether it fits what was asked for.

        Raises:
            OSError: the disk has no room for it.
        """
        coming = _content_length(headers)
        if status == HTTPStatus.PARTIAL_CONTENT:
            if not self._is_remainder(headers.get("content-range", "")):
                return False
        else:
            await self.file.restart()
            self._etag = _strong_etag(headers) if coming is not None else ""
        self.total = None if coming is None else self.file.size + coming
        await self.file.require_space(coming or 0)
        return True

    def _is_remainder(self, given: str) -> bool:
        """Whether a `Content-Range` begins where the last attempt ended, and goes to the end."""
        if not self._etag or self.total is None:
            return False
        return given == f"bytes {self.file.size}-{self.total - 1}/{self.total}"


def _content_length(headers: Mapping[str, str]) -> int | None:
    """Bytes of the body; None where nobody said, or told of another form of it."""
    announced = headers.get("content-length", "")
    is_plain = headers.get("content-encoding", "identity") == "identity"
    return int(announced) if announced.isdecimal() and is_plain else None


def _strong_etag(headers: Mapping[str, str]) -> str:
    """What says that content is the same, byte for byte; empty where nothing does, or no part is given."""
    mark = headers.get("etag", "")
    gives_parts = headers.get("accept-ranges", "").lower() == "bytes"
    return mark if gives_parts and mark.startswith('"') else ""
