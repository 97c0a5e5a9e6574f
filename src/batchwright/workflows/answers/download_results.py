"""Downloading answers, report and export to files, each written completely or not at all.

A download is resumed if storage identifies its content, also with another URL, and is checked before it gets
its name. Two versions are never mixed, and neither half a file nor a sign-in page replaces a complete file.
"""

import asyncio
import zipfile
import zlib
from collections.abc import Awaitable, Callable
from pathlib import Path

from batchwright.api.files.file_streams import Check, IncomingFile, OnProgress
from batchwright.api.files.resumable_download import ResumableDownload
from batchwright.api.http.errors import UnexpectedResponse
from batchwright.base.files.atomic_files import write_atomically
from batchwright.base.i18n import _, ngettext
from batchwright.base.json_values import to_json
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.status import JobKind
from batchwright.client.presigned_retry import with_presigned_retry
from batchwright.client.remote_study import RemoteStudy, remote_batch
from batchwright.client.resilient_run import RecoveryHooks, run_resiliently
from batchwright.wire.base import to_payload
from batchwright.wire.collections import AnswerRecord
from batchwright.wire.exports import ExportJob, ExportStatus

OnStatus = Callable[[], object]
"""Called when a poll has shown that the service is processing the export."""


class ExportFailed(Exception):
    """The service could not create the export; the next request starts a new one.

    Specification, Export job.
    """

    def __init__(self, status: str, reason: str = "") -> None:
        super().__init__(status)
        self.reason = reason


def downloaded_text(answers: int) -> str:
    """A message about a number of downloaded answers."""
    text = ngettext("Downloaded {count} answer.", "Downloaded {count} answers.", answers)
    return text.format(count=answers)


async def download_responses(
    context: WorkflowContext, study: RemoteStudy, path: Path
) -> tuple[AnswerRecord, ...]:
    """Fetch all answers (wire reference, 7.1 and 10.3) and write them to `path` as JSON."""
    responses = await study.responses(context.service)

    def write() -> tuple[AnswerRecord, ...]:
        records: tuple[AnswerRecord, ...] = tuple(responses)
        write_atomically(path, f"{to_json([to_payload(record) for record in records], indent=1)}\n".encode())
        return records

    return await asyncio.to_thread(write)


async def download_report(
    context: WorkflowContext,
    batch_id: str,
    path: Path,
    on_progress: OnProgress | None = None,
    hooks: RecoveryHooks | None = None,
) -> None:
    """Download the report of a batch (wire reference, 7.2, 7.3) to `path`; `hooks` as in `run_resiliently`.

    Raises:
        ApiError: a request failed permanently.
        OSError: the file cannot be written.
    """

    async def address(context: WorkflowContext, _on_status: OnStatus) -> str:
        return (await context.service.batches.report(batch_id)).url

    await _fetch(context, remote_batch(batch_id), address, path, on_progress, hooks)


async def download_export(
    context: WorkflowContext,
    study: RemoteStudy,
    path: Path,
    on_progress: OnProgress | None = None,
    hooks: RecoveryHooks | None = None,
) -> None:
    """Create the export of a batch or collection (wire reference, 8) and download it to `path`.

    `hooks` is passed to `run_resiliently`.

    Raises:
        ExportFailed: the service could not create it.
        UnexpectedResponse: the file is not a complete ZIP archive; an older file at `path` is kept.
        ApiError: a request failed permanently.
        OSError: the file cannot be written.
    """

    export_id: str | None = None

    async def address(context: WorkflowContext, on_status: OnStatus) -> str:
        nonlocal export_id
        service = context.service
        job = await (study.export_job(service, export_id) if export_id else study.start_export(service))
        export_id = job.export_id or export_id
        return await _address_of(context, study, job, path.name, on_status)

    await _fetch(context, study, address, path, on_progress, hooks, require_sound_archive)


async def _fetch(
    context: WorkflowContext,
    study: RemoteStudy,
    address: Callable[[WorkflowContext, OnStatus], Awaitable[str]],
    path: Path,
    on_progress: OnProgress | None,
    hooks: RecoveryHooks | None,
    check: Check | None = None,
) -> None:
    """Download a file, with a new URL whenever the current one has expired.

    A partial download is resumed if storage still has the same content.
    """
    async with (
        context.jobs.local_job(JobKind.DOWNLOAD, study.job_subject, path.name) as local_job,
        IncomingFile(path) as file,
    ):
        download_state, report_progress = ResumableDownload(file), local_job.progress_callback(on_progress)

        def on_status() -> None:
            if local_job.is_waiting:  # the network is back; the first bytes may follow much later
                report_progress(file.size, download_state.total)

        async def fetch(context: WorkflowContext) -> None:
            async def download(url: str) -> None:
                await context.service.transfers.download(url, download_state, report_progress)

            await with_presigned_retry(
                lambda: address(context, on_status), download, path.name, context.notify
            )

        await run_resiliently(context, fetch, hooks, local_job)
        local_job.record_transfer(await file.commit(check))


def require_sound_archive(path: Path) -> None:
    """Raise `UnexpectedResponse` if a file is no ZIP archive, or if the checksum of a member is wrong."""
    try:
        with zipfile.ZipFile(path) as archive:
            damaged_member = archive.testzip()
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError):
        damaged_member = path.name
    if damaged_member is not None:
        raise UnexpectedResponse(_("the export"), _("not a complete ZIP archive"))


async def _address_of(
    context: WorkflowContext, study: RemoteStudy, job: ExportJob, title: str, on_status: OnStatus
) -> str:
    """Wait until an export has been created, and return its pre-signed URL."""
    if not job.settled:
        if not job.export_id:
            raise UnexpectedResponse(_("the export"), _("the response has no id"))
        job = await _wait_for_export(context, study, job.export_id, title, on_status)
    if job.status != ExportStatus.COMPLETE or job.url is None:
        raise ExportFailed(job.status, job.reason or "")
    return job.url


async def _wait_for_export(
    context: WorkflowContext, study: RemoteStudy, export_id: str, title: str, on_status: OnStatus
) -> ExportJob:
    subject = {**study.job_subject, "export_id": export_id}
    async for _status in context.jobs.statuses(study.export_kind, subject, title):
        on_status()
    return await study.export_job(context.service, export_id)
