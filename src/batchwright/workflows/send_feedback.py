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
    """The service would not take a file; the text says why in a sentence."""


def require_accepted_file(path: Path) -> int:
    """The size in bytes of a file that the service would take; call it off the event loop.

    Raises:
        FileRejected: its format, or its size, is not one that is taken.
        OSError: it cannot be read.
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
    """Send a file, and keep that it has arrived; an address that expires meanwhile is renewed.

    Args:
        bench: where to.
        sent: the history.
        path: the file.
        on_progress: begins again at 0 when the sending does.
        waits: as `run_resiliently` has it.
        row_id: where the queue stores it, which forgets it once it has arrived.

    Raises:
        FileRejected: the service would not take it.
        FileChanged: the file changed meanwhile.
        PresignedUrlExpired: no address held long enough.
        OSError: the file cannot be read.
        ApiError: another failure, after the last attempt.
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
    """A file sent twice to one address is there once; to two, twice: so each is held on to while it holds."""

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
