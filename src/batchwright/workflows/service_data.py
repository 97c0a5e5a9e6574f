"""What the service on this computer stores: fetching, deleting, backing up and restoring it."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from batchwright.api.files.file_streams import IncomingFile
from batchwright.api.files.resumable_download import ResumableDownload
from batchwright.api.http.errors import ApiError, Conflict, NotFound, OutcomeUnknown
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.backoff import local_poll_intervals
from batchwright.client.presigned_retry import with_presigned_retry
from batchwright.wire.service_data import (
    AgeToDelete,
    DeletedData,
    ParticipantToDelete,
    RestoredData,
    ServiceData,
    StudiesToDelete,
)
from batchwright.workflows.answers.download_results import require_sound_archive

OnFraction = Callable[[float | None], None]
"""Called with the fraction that is done; None if it is not known."""

_LONGEST_PAUSE_S = 1.0


def _ignore(_fraction: float | None) -> None:
    """Default for `on_fraction`: does nothing."""


async def fetch_stored_data(context: WorkflowContext) -> ServiceData:
    """What is stored, with its size, and what was deleted.

    Raises:
        ApiError: the request failed permanently.
    """
    return await context.service.local.stored_data()


async def delete_studies(context: WorkflowContext, ids: Sequence[str]) -> DeletedData:
    """Delete batches and collections with their data.

    Raises:
        Conflict: a job of one of them is running; nothing was deleted.
        ApiError: the request failed permanently.
    """
    return await context.service.local.delete_studies(StudiesToDelete(study_ids=tuple(ids)))


async def delete_older_than(context: WorkflowContext, days: int) -> DeletedData:
    """Delete what was not used for some days, from 1 on, except studies whose jobs are running.

    Raises:
        ApiError: the request failed permanently.
    """
    return await context.service.local.delete_older(AgeToDelete(days=days))


async def delete_participant(
    context: WorkflowContext, participant: str, study: str | None = None
) -> DeletedData:
    """Delete what this program stores of a participant, then what the service does, in one study or all.

    Deleted in one study, a test participant keeps the account.

    In this order, since the service also deletes when it is no longer waited for.

    Raises:
        ApiError: the request failed permanently.
        StorageUnavailable: the database of the program cannot be written.
    """
    request = ParticipantToDelete(participant_id=participant)
    if study is not None:
        request = ParticipantToDelete(participant_id=participant, study_id=study)
    forget = partial(context.participants.forget, participant, has_account=study is not None)
    await asyncio.to_thread(forget)
    deleted = await context.service.local.delete_participant(request)
    await asyncio.to_thread(forget)  # what was fetched, and excluded, while the service was waited for
    return deleted


async def back_up(context: WorkflowContext, path: Path, on_fraction: OnFraction = _ignore) -> None:
    """Save a backup of everything to a file; an older file there is replaced at the end.

    The service writes it (the first half of the fraction), and it is downloaded. If either is cancelled or
    fails, nothing of it stays in the service.

    Raises:
        UnexpectedResponse: the file is not a complete ZIP archive; an older file is kept.
        ApiError: a request failed permanently.
        OSError: the file cannot be written.
    """
    id = (await context.service.local.start_backup()).backup_id
    try:
        await _download_backup(context, id, path, on_fraction)
    except BaseException:
        await _remove_backup(context, id)
        raise
    with suppress(asyncio.CancelledError):  # the file is saved
        await asyncio.shield(_remove_backup(context, id))


async def _remove_backup(context: WorkflowContext, id: str) -> None:
    with suppress(ApiError):  # the next start of the service removes it
        await context.service.local.remove_backup(id)


async def _download_backup(context: WorkflowContext, id: str, path: Path, on_fraction: OnFraction) -> None:
    async def address() -> str:
        pauses = local_poll_intervals()
        while not (state := await context.service.local.backup(id)).url:
            if state.total_bytes:
                on_fraction(state.written_bytes / state.total_bytes / 2)
            await asyncio.sleep(min(next(pauses), _LONGEST_PAUSE_S))
        return state.url

    async with IncomingFile(path) as file:
        state = ResumableDownload(file)

        async def download(url: str) -> None:
            await context.service.transfers.download(
                url, state, lambda done, total: on_fraction(0.5 + done / total / 2 if total else None)
            )

        await with_presigned_retry(address, download, path.name, context.notify)
        await file.commit(require_sound_archive)


async def restore(context: WorkflowContext, path: Path, on_fraction: OnFraction = _ignore) -> RestoredData:
    """Replace everything that the service stores by a backup.

    It is transferred (the first half of the fraction), and the service checks it; the fraction is not known
    while it replaces what is stored. If this is cancelled before that, nothing is changed; afterwards, it is
    completed all the same.

    Raises:
        BadRequest: it is damaged, or no backup; nothing was changed.
        ApiError: a request failed permanently.
        OSError: the file cannot be read.
    """
    service = context.service.local
    upload = await service.start_restore()
    try:
        await context.service.transfers.upload(
            path,
            upload.upload_url,
            on_progress=lambda done, total: on_fraction(done / total / 2 if total else None),
        )
        await _start_restore(context, upload.restore_id)
        return await _restored(context, upload.restore_id, on_fraction)
    except asyncio.CancelledError:
        try:
            await service.cancel_restore(upload.restore_id)
        except Conflict:
            return await _restored(context, upload.restore_id, on_fraction)
        except ApiError:  # the next start of the service removes what was uploaded
            pass
        raise


async def _start_restore(context: WorkflowContext, id: str) -> None:
    """Let the service restore what was uploaded; if the response is lost, only if it has not started."""
    service = context.service.local
    try:
        await service.restore(id)
    except OutcomeUnknown:
        try:
            await service.restore_state(id)
        except NotFound:
            await service.restore(id)


async def _restored(context: WorkflowContext, id: str, on_fraction: OnFraction) -> RestoredData:
    """Wait until a backup is restored."""
    pauses = local_poll_intervals()
    while (state := await context.service.local.restore_state(id)).restored is None:
        is_checked = state.checked_bytes == state.total_bytes
        on_fraction(None if is_checked else 0.5 + state.checked_bytes / state.total_bytes / 2)
        await asyncio.sleep(min(next(pauses), _LONGEST_PAUSE_S))
    return state.restored
