"""A program of its own that sends one feedback file, so that its memory can be measured.

Arguments: address, token and workspace of a service, the file, a folder to remember things in, and after how
many bytes to stop. It prints a JSON object: bytes sent, bytes in all, the SHA-256 that is kept with the job,
and the kilobytes by which the program has grown since its first pieces went out.
"""

import json
import resource
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.status import JobKind
from batchwright.local.database import open_database
from batchwright.local.sent_files import SentFiles
from batchwright.workflows.send_feedback import send_feedback
from tests.workflows.contexts import run_with_context

WARM = 16 << 20
"""Bytes after which everything that is needed once is there."""


class Enough(Exception):
    """As much was sent as was wanted."""


def largest_so_far() -> int:
    """The most kilobytes that this program has had in memory."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def watched(seen: dict[str, int], most: int) -> Callable[[int, int | None], None]:
    """Keeps what it is told of the sending, and stops it when most has gone out."""

    def moved(done: int, total: int | None) -> None:
        if done <= WARM:
            seen["before"] = largest_so_far()
        seen.update(done=done, total=total or 0, grown=largest_so_far() - seen["before"])
        if most <= done < seen["total"]:
            raise Enough

    return moved


def main(url: str, token: str, workspace: str, file: str, folder: str, most: str) -> None:
    result: dict[str, int] = {}

    async def work(context: WorkflowContext) -> str:
        with closing(open_database(Path(folder))) as database, suppress(Enough):
            await send_feedback(context, SentFiles(database), Path(file), watched(result, int(most)))
        (row,) = await context.jobs.rows_for(JobKind.UPLOAD, {"feedback": workspace})
        return str(row.detail.get("sha256", ""))

    sha256 = run_with_context(Path(folder), url, work, token=token, workspace=workspace)
    print(json.dumps({**result, "sha256": sha256}))


if __name__ == "__main__":
    main(*sys.argv[1:])
