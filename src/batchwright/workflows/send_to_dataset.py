"""Sending a file to a dataset, of either generation (wire reference, 4.5)."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from batchwright.api.file_streams import OnProgress, TransferResult
from batchwright.base.i18n import _
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.status import JobKind
from batchwright.client.presigned_retry import with_presigned_retry
from batchwright.client.resilient_run import RecoveryHooks, run_resiliently
from batchwright.data_files.index import file_stamp
from batchwright.data_files.rows import UnreadableFile
from batchwright.wire.datasets import UploadUrl, media_type_for
from batchwright.workflows.unchanged import require_unchanged


def require_accepted_name(path: Path, extensions: Sequence[str]) -> None:
    """Look whether a dataset takes a file of this name, before one is made for it.

    Raises:
        UnreadableFile: it takes files whose names end otherwise.
    """
    if path.suffix.lower() not in extensions:
        sentence = _("A dataset does not accept a file called “{name}”: the name must end in {endings}.")
        raise UnreadableFile(
            sentence.format(name=path.name, endings=_(" or ").join(extensions)),
            _("Save it as one of these, then try again."),
        )


async def send_to_dataset(
    bench: WorkflowContext,
    dataset_id: str,
    path: Path,
    ask: Callable[[WorkflowContext], Awaitable[UploadUrl]],
    has_arrived: Callable[[WorkflowContext, UploadUrl], Awaitable[bool]],
    on_progress: OnProgress,
    waits: RecoveryHooks | None,
) -> tuple[UploadUrl, TransferResult]:
    """Send a file, with a new address whenever the one before is not accepted any more.

    Args:
        bench: where to.
        dataset_id: the dataset.
        path: the file.
        ask: has the service make an address.
        has_arrived: looks, after a lost answer, whether the file is there by an address all the same.
        on_progress: begins again at 0 when the sending does.
        waits: as `run_resiliently` has it.

    Returns:
        the address that it went by, and what was sent.

    Raises:
        PresignedUrlExpired: no address was accepted.
        FileChanged: the file changed meanwhile.
        ApiError: a request failed for good.
        OSError: the file cannot be read.
    """
    stamp = await asyncio.to_thread(file_stamp, path)
    async with bench.jobs.local_job(JobKind.UPLOAD, {"dataset_id": dataset_id}, path.name) as doing:

        async def send(address: UploadUrl) -> tuple[UploadUrl, TransferResult]:
            async def upload(bench: WorkflowContext) -> TransferResult:
                await require_unchanged(path, stamp)
                doing.start_transfer(stamp[0])
                return await bench.service.transfers.upload(
                    path,
                    address.upload_url,
                    content_type=address.content_type or media_type_for(path.name),
                    on_progress=doing.progress_callback(on_progress),
                    has_arrived=lambda: has_arrived(bench, address),
                )

            return address, doing.record_transfer(await run_resiliently(bench, upload, waits, doing))

        return await with_presigned_retry(
            lambda: run_resiliently(bench, ask, waits, doing), send, path.name, bench.notify
        )
