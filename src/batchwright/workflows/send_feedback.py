"""Sending a feedback file about a completed study (specification, Feedback; wire reference, 11)."""

import asyncio
from collections.abc import Awaitable
from pathlib import Path

from batchwright.api.file_streams import OnProgress, TransferResult
from batchwright.base.i18n import _
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.status import JobKind
from batchwright.client.local_job import LocalJob
from batchwright.client.presigned_retry import with_presigned_retry
from batchwright.client.resilient_run import RecoveryHooks, run_resiliently
from batchwright.local.sent_files import SentFile, SentFiles
from batchwright.wire.feedback import EXTENSIONS, MAX_BYTES, FeedbackUploadUrl, is_feedback_file


class FileRejected(Exception):
    """The service would not accept a file; the text is a sentence with the reason."""


def require_accepted_file(path: Path) -> int:
    """Return the size in bytes of a file that the service accepts; do not call it on the event loop.

    Raises:
        FileRejected: the service does not accept its format or its size.
        OSError: the file cannot be read.
    """
    if path.is_dir():
        raise FileRejected(_("This is a folder. Choose the files in it."))
    size = path.stat().st_size
    if not is_feedback_file(path.name):
        names = ", ".join(extension[1:] for extension in EXTENSIONS[:-1])
        sentence = _("The service accepts {formats} and {last}.")
        raise FileRejected(sentence.format(formats=names, last=EXTENSIONS[-1][1:]))
    if size > MAX_BYTES:
        raise FileRejected(_("The file is larger than 5 GB. Split it, and send the parts."))
    if not size:
        raise FileRejected(_("The file is empty. There is nothing to send."))
    return size


async def send_feedback(
    bench: WorkflowContext,
    sent: SentFiles,
    path: Path,
    on_progress: OnProgress,
    waits: RecoveryHooks | None = None,
    row_id: int | None = None,
) -> SentFile:
    """Send a file and record it in the history; an upload URL that expires meanwhile is renewed.

    Args:
        bench: the context of the connection.
        sent: the history of sent files.
        path: the file.
        on_progress: called with the bytes sent; starts again at 0 when the upload restarts.
        waits: as in `run_resiliently`.
        row_id: the row ID of the file in the queue; the row is removed once the file has been sent.

    Raises:
        FileRejected: the service would not accept it.
        FileChanged: the file changed during the upload.
        PresignedUrlExpired: no upload URL was valid for long enough.
        OSError: the file cannot be read.
        ApiError: any other failure, after the last attempt.
    """
    size = await asyncio.to_thread(require_accepted_file, path)
    async with bench.jobs.local_job(JobKind.UPLOAD, {"feedback": bench.workspace_id}, path.name) as doing:
        moved = doing.record_transfer(await _send(bench, path, size, doing, on_progress, waits))
    bench.notify(_("Sent {name}.").format(name=path.name))
    where = bench.id_recorder.connection, bench.workspace_id
    return await asyncio.to_thread(sent.add, path.name, moved.size, *where, row_id)


async def _send(
    bench: WorkflowContext,
    path: Path,
    size: int,
    doing: LocalJob,
    on_progress: OnProgress,
    waits: RecoveryHooks | None,
) -> TransferResult:
    """Upload the file, keeping each upload URL for as long as it is valid.

    A file sent twice to one URL is stored once; sent to two URLs, it is stored twice.
    """

    def ask(bench: WorkflowContext) -> Awaitable[FeedbackUploadUrl]:
        return bench.service.feedback.upload_url(path.name, bench.workspace_id)

    def send(address: FeedbackUploadUrl) -> Awaitable[TransferResult]:
        def upload(bench: WorkflowContext) -> Awaitable[TransferResult]:
            doing.start_transfer(size)
            told = doing.progress_callback(on_progress)
            return bench.service.transfers.upload(path, address.upload_url, on_progress=told)

        return run_resiliently(bench, upload, waits, doing)

    return await with_presigned_retry(
        lambda: run_resiliently(bench, ask, waits, doing), send, path.name, bench.notify
    )
