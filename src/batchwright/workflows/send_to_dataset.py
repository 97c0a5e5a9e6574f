"""Sending a file to a dataset, of either generation (wire.md 4.5)."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from batchwright.api.files import Moved, OnProgress
from batchwright.jobs.sights import JobKind
from batchwright.wire.datasets import UploadUrl, upload_type
from batchwright.workflows.fresh_addresses import with_fresh_addresses
from batchwright.workflows.workbench import Workbench


async def send_to_dataset(
    bench: Workbench,
    dataset_id: str,
    path: Path,
    ask: Callable[[], Awaitable[UploadUrl]],
    has_arrived: Callable[[UploadUrl], Awaitable[bool]],
    on_progress: OnProgress,
) -> tuple[UploadUrl, Moved]:
    """Send a file, with a new address whenever the one before is not accepted any more.

    Args:
        bench: where to.
        dataset_id: the dataset.
        path: the file.
        ask: has the service make an address.
        has_arrived: looks, after a lost answer, whether the file is there by an address all the same.
        on_progress: begins again at 0 when the sending does.

    Returns:
        the address that it went by, and what was sent.

    Raises:
        Expired: no address was accepted.
        ApiError: a request failed for good.
        OSError: the file cannot be read.
    """
    async with bench.watching.doing(JobKind.UPLOAD, {"dataset_id": dataset_id}, path.name) as doing:

        async def send(address: UploadUrl) -> tuple[UploadUrl, Moved]:
            sent = await bench.service.transfers.upload(
                path,
                address.upload_url,
                content_type=address.content_type or upload_type(path.name),
                on_progress=doing.telling(on_progress),
                has_arrived=lambda: has_arrived(address),
            )
            return address, doing.came_to(sent)

        return await with_fresh_addresses(ask, send, path.name, bench.tell)
