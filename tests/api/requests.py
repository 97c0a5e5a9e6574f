"""Helpers of the API tests: a client at a URL, with retries but without pauses."""

from itertools import repeat
from pathlib import Path

from batchwright.api.client import ApiClient, connect
from batchwright.api.files.file_streams import IncomingFile, OnProgress, TransferResult
from batchwright.api.files.resumable_download import ResumableDownload
from batchwright.api.http.retry import RetryPolicy

TOKEN = "canary-7Qx2mVb9LrT4"
"""A token that may occur only in the header of requests to the service."""

USER = {"id": "65a9f0c1d2e3f40516273849", "email": "researcher@example.org"}
BATCH = {"id": "0193a7c0-0020-7020-8a1b-4c5d6e7f0020", "status": "UNINITIALISED", "name": "Preferences"}


class Sleeps:
    """A sleep function that returns at once and records the requested delays."""

    def __init__(self) -> None:
        self.delays: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.delays.append(seconds)


def retries(attempts: int = 5, sleep: Sleeps | None = None) -> RetryPolicy:
    """A retry policy with this many attempts and no pauses."""
    return RetryPolicy(delays=lambda: repeat(0.0, attempts - 1), sleep=sleep or Sleeps())


def client_at(url: str, *, retries: RetryPolicy | None = None) -> ApiClient:
    """A client that is connected to a URL; `async with` closes it."""
    return connect(url, TOKEN, retry_policy=retries or NO_PAUSES)


async def download(
    service: ApiClient, url: str, path: Path, on_progress: OnProgress | None = None
) -> TransferResult:
    """Download a file from one URL."""
    async with IncomingFile(path) as file:
        await service.transfers.download(url, ResumableDownload(file), on_progress)
        return await file.commit()


NO_PAUSES = retries()
