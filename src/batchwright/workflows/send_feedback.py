"""Sending a feedback file about a completed study (specification, Feedback; wire reference, 11)."""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from batchwright.api.files.file_streams import OnProgress, TransferResult
from batchwright.base.database import StorageUnavailable
from batchwright.base.i18n import _
from batchwright.base.local_formats import joined
from batchwright.base.text import without_lone_surrogates
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.local_job import LocalJob
from batchwright.client.job_monitoring.status import JobKind
from batchwright.client.presigned_retry import with_presigned_retry
from batchwright.client.resilient_run import RecoveryHooks, run_resiliently
from batchwright.local.sent_files import SentFile, SentFiles
from batchwright.wire.feedback import EXTENSIONS, MAX_BYTES, FeedbackUploadUrl, is_feedback_file


class FileRejected(Exception):
    """The service would not accept a file; the text is a sentence with the reason."""


def require_accepted_file(path: Path) -> int:
    """The size in bytes of a file that the service accepts; do not call it on the event loop.

    Raises:
        FileRejected: the service does not accept its format or its size.
        OSError: the file cannot be read.
    """
    if path.is_dir():
        raise FileRejected(_("This is a folder. Choose the files in it."))
    size = path.stat().st_size
    if not is_feedback_file(path.name):
        names = joined(extension[1:] for extension in EXTENSIONS[:-1])
        text = _("The service accepts {formats} and {last}.")
        raise FileRejected(text.format(formats=names, last=EXTENSIONS[-1][1:]))
    if size > MAX_BYTES:
        raise FileRejected(_("The file is larger than 5 GB. Split it, and send the parts."))
    return size


async def send_feedback(
    context: WorkflowContext,
    sent: SentFiles,
    path: Path,
    on_progress: OnProgress,
    hooks: RecoveryHooks | None = None,
    row_id: int | None = None,
) -> SentFile:
    """Send a file and record it in the history; an upload URL that expires meanwhile is renewed.

    Does not raise if it cannot be recorded: it was sent.

    Args:
        context: the context of the connection.
        sent: the history of sent files.
        path: the file.
        on_progress: called with the bytes sent; starts again at 0 when the upload restarts.
        hooks: as in `run_resiliently`.
        row_id: the row ID of the file in the queue; the row is removed once the file has been sent.

    Raises:
        FileRejected: the service would not accept it.
        FileChanged: the file changed during the upload.
        PresignedUrlExpired: no upload URL was valid for long enough.
        OSError: the file cannot be read.
        ApiError: any other failure, after the last attempt.
    """
    size = await asyncio.to_thread(require_accepted_file, path)
    async with context.jobs.local_job(
        JobKind.UPLOAD, {"feedback": context.workspace_id}, path.name
    ) as local_job:
        result = local_job.record_transfer(await _send(context, path, size, local_job, on_progress, hooks))
    context.notify(_("Sent {name}.").format(name=path.name))
    name, connection = without_lone_surrogates(path.name), context.id_recorder.connection
    sent_file = SentFile(name, result.size, connection, context.workspace_id, datetime.now(UTC))
    with suppress(StorageUnavailable):
        await asyncio.to_thread(sent.add, sent_file, row_id)
    return sent_file


async def _send(
    context: WorkflowContext,
    path: Path,
    size: int,
    local_job: LocalJob,
    on_progress: OnProgress,
    hooks: RecoveryHooks | None,
) -> TransferResult:
    """Upload the file, keeping each upload URL for as long as it is valid.

    A file sent twice to one URL is stored once; sent to two URLs, it is stored twice.
    """

    def request_address(context: WorkflowContext) -> Awaitable[FeedbackUploadUrl]:
        return context.service.feedback.upload_url(path.name, context.workspace_id)

    def send(address: FeedbackUploadUrl) -> Awaitable[TransferResult]:
        def upload(context: WorkflowContext) -> Awaitable[TransferResult]:
            local_job.start_transfer(size)
            report_progress = local_job.progress_callback(on_progress)
            return context.service.transfers.upload(path, address.upload_url, on_progress=report_progress)

        return run_resiliently(context, upload, hooks, local_job)

    return await with_presigned_retry(
        lambda: run_resiliently(context, request_address, hooks, local_job), send, path.name, context.notify
    )
