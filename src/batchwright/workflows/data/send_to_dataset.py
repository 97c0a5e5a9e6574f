"""Uploading a file to a V3 or V4 dataset (wire reference, 4.5)."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from batchwright.api.files.file_streams import OnProgress, TransferResult
from batchwright.base.i18n import _
from batchwright.client.checkpoint import require_unchanged
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.status import JobKind
from batchwright.client.presigned_retry import with_presigned_retry
from batchwright.client.resilient_run import RecoveryHooks, run_resiliently
from batchwright.data_files.index import file_stamp
from batchwright.data_files.rows import UnreadableFile
from batchwright.wire.datasets import UploadUrl, media_type_for


def require_accepted_name(path: Path, extensions: Sequence[str]) -> None:
    """Check that a dataset accepts a file with this name, before a dataset is created for it.

    Raises:
        UnreadableFile: the file name has none of the accepted extensions.
    """
    if path.suffix.lower() not in extensions:
        text = _("A dataset does not accept a file called “{name}”: the name must end in {endings}.")
        raise UnreadableFile(
            text.format(name=path.name, endings=_(" or ").join(extensions)),
            _("Save it as one of these, then try again."),
        )


async def send_to_dataset(
    context: WorkflowContext,
    dataset_id: str,
    path: Path,
    request_address: Callable[[WorkflowContext], Awaitable[UploadUrl]],
    has_arrived: Callable[[WorkflowContext, UploadUrl], Awaitable[bool]],
    on_progress: OnProgress,
    hooks: RecoveryHooks | None,
) -> tuple[UploadUrl, TransferResult]:
    """Upload a file, with a new upload URL whenever the current one has expired.

    Args:
        context: the context of the connection.
        dataset_id: the dataset.
        path: the file.
        request_address: requests an upload URL from the service.
        has_arrived: checks, after a lost response, whether the file that was sent to a URL has arrived.
        on_progress: called with the bytes sent; starts again at 0 when the upload restarts.
        hooks: as in `run_resiliently`.

    Returns:
        The upload URL that was used, and size and digest of the file.

    Raises:
        PresignedUrlExpired: storage accepted none of the URLs.
        FileChanged: the file changed during the upload.
        ApiError: a request failed permanently.
        OSError: the file cannot be read.
    """
    stamp = await asyncio.to_thread(file_stamp, path)
    async with context.jobs.local_job(JobKind.UPLOAD, {"dataset_id": dataset_id}, path.name) as local_job:

        async def send(address: UploadUrl) -> tuple[UploadUrl, TransferResult]:
            async def upload(context: WorkflowContext) -> TransferResult:
                await require_unchanged(path, stamp)
                local_job.start_transfer(stamp[0])
                return await context.service.transfers.upload(
                    path,
                    address.upload_url,
                    content_type=address.content_type or media_type_for(path.name),
                    on_progress=local_job.progress_callback(on_progress),
                    has_arrived=lambda: has_arrived(context, address),
                )

            return address, local_job.record_transfer(
                await run_resiliently(context, upload, hooks, local_job)
            )

        return await with_presigned_retry(
            lambda: run_resiliently(context, request_address, hooks, local_job),
            send,
            path.name,
            context.notify,
        )
