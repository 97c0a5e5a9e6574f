"""Sending a file to a dataset, of either generation (wire.md 4.5)."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from batchwright.api.file_streams import Moved, OnProgress
from batchwright.base.i18n import _
from batchwright.client.context import Workbench
from batchwright.client.job_monitoring.status import JobKind
from batchwright.client.presigned_retry import with_fresh_addresses
from batchwright.client.resilient_run import Waits, outlasting
from batchwright.data_files.index import stamp_of
from batchwright.data_files.rows import Unreadable
from batchwright.wire.datasets import UploadUrl, upload_type
from batchwright.workflows.unchanged import see_that_unchanged


def see_that_taken(path: Path, extensions: Sequence[str]) -> None:
    """Look whether a dataset takes a file of this name, before one is made for it.

    Raises:
        Unreadable: it takes files whose names end otherwise.
    """
    if path.suffix.lower() not in extensions:
        sentence = _("A dataset takes no file called “{name}”: the name has to end in {endings}.")
        raise Unreadable(
            sentence.format(name=path.name, endings=_(" or ").join(extensions)),
            _("Save it as one of these, then try again."),
        )


async def send_to_dataset(
    bench: Workbench,
    dataset_id: str,
    path: Path,
    ask: Callable[[Workbench], Awaitable[UploadUrl]],
    has_arrived: Callable[[Workbench, UploadUrl], Awaitable[bool]],
    on_progress: OnProgress,
    waits: Waits | None,
) -> tuple[UploadUrl, Moved]:
    """Send a file, with a new address whenever the one before is not accepted any more.

    Args:
        bench: where to.
        dataset_id: the dataset.
        path: the file.
        ask: has the service make an address.
        has_arrived: looks, after a lost answer, whether the file is there by an address all the same.
        on_progress: begins again at 0 when the sending does.
        waits: as `outlasting` has it.

    Returns:
        the address that it went by, and what was sent.

    Raises:
        Expired: no address was accepted.
        FileChanged: the file changed meanwhile.
        ApiError: a request failed for good.
        OSError: the file cannot be read.
    """
    stamp = await asyncio.to_thread(stamp_of, path)
    async with bench.watching.doing(JobKind.UPLOAD, {"dataset_id": dataset_id}, path.name) as doing:

        async def send(address: UploadUrl) -> tuple[UploadUrl, Moved]:
            async def upload(bench: Workbench) -> Moved:
                await see_that_unchanged(path, stamp)
                doing.starts(stamp[0])
                return await bench.service.transfers.upload(
                    path,
                    address.upload_url,
                    content_type=address.content_type or upload_type(path.name),
                    on_progress=doing.telling(on_progress),
                    has_arrived=lambda: has_arrived(bench, address),
                )

            return address, doing.came_to(await outlasting(bench, upload, waits, doing))

        return await with_fresh_addresses(
            lambda: outlasting(bench, ask, waits, doing), send, path.name, bench.tell
        )
