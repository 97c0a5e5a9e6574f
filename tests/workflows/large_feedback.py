"""A program of its own that sends one feedback file, so that its memory can be measured.

Arguments: URL, token and workspace of a service, the file, a folder for the program's database, and after how
many bytes to stop. It prints a JSON object: bytes sent, bytes in total, the SHA-256 stored with the job, and
by how many kilobytes the memory has grown since the first bytes were sent.
"""

import asyncio
import json
import resource
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from batchwright.client.job_monitoring.status import JobKind
from batchwright.local.database import open_database
from batchwright.local.sent_files import SentFiles
from batchwright.workflows.send_feedback import send_feedback
from tests.workflows.contexts import context_at

WARM_UP_BYTES = 16 << 20
"""Bytes after which everything that is allocated once has been allocated."""


class EnoughSent(Exception):
    """As many bytes were sent as requested."""


def peak_memory() -> int:
    """The peak memory of this program, in kilobytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def progress_recorder(figures: dict[str, int], most: int) -> Callable[[int, int | None], None]:
    """A progress callback that records into `figures` and stops the upload after `most` bytes."""

    def on_progress(done: int, total: int | None) -> None:
        if done <= WARM_UP_BYTES:
            figures["before"] = peak_memory()
        figures.update(done=done, total=total or 0, grown=peak_memory() - figures["before"])
        if most <= done < figures["total"]:
            raise EnoughSent

    return on_progress


async def main(url: str, token: str, workspace: str, file: str, folder: str, most: str) -> None:
    figures: dict[str, int] = {}

    async with context_at(Path(folder), url, token=token, workspace=workspace) as context:
        with closing(open_database(Path(folder))) as database, suppress(EnoughSent):
            await send_feedback(
                context, SentFiles(database), Path(file), progress_recorder(figures, int(most))
            )
        (row,) = await context.jobs.rows_for(JobKind.UPLOAD, {"feedback": workspace})
        sha256 = str(row.detail.get("sha256", ""))
    print(json.dumps({**figures, "sha256": sha256}))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
