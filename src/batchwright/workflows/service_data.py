"""What the service on this computer stores: fetching, deleting, backing up and restoring it."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from batchwright.api.files.file_streams import IncomingFile, OnProgress
from batchwright.api.files.resumable_download import ResumableDownload
from batchwright.client.context import WorkflowContext
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
        StorageUnavailable: the database of the program cannot be written; nothing was requested.
    """
    request = ParticipantToDelete(participant_id=participant)
    if study is not None:
        request = ParticipantToDelete(participant_id=participant, study_id=study)
    await asyncio.to_thread(context.participants.forget, participant, has_account=study is not None)
    return await context.service.local.delete_participant(request)


async def back_up(context: WorkflowContext, path: Path, on_progress: OnProgress | None = None) -> None:
    """Save a backup of everything to a file; an older file there is replaced at the end.

    Raises:
        UnexpectedResponse: the file is not a complete ZIP archive; an older file is kept.
        ApiError: a request failed permanently.
        OSError: the file cannot be written.
    """

    async def address() -> str:
        return (await context.service.local.create_backup()).url

    async with IncomingFile(path) as file:
        state = ResumableDownload(file)

        async def download(url: str) -> None:
            await context.service.transfers.download(url, state, on_progress)

        await with_presigned_retry(address, download, path.name, context.notify)
        await file.commit(require_sound_archive)


async def restore(
    context: WorkflowContext, path: Path, on_progress: OnProgress | None = None
) -> RestoredData:
    """Replace everything that the service stores by a backup.

    Raises:
        BadRequest: it is damaged, or no backup; nothing was changed.
        ApiError: a request failed permanently.
        OSError: the file cannot be read.
    """
    upload = await context.service.local.start_restore()
    await context.service.transfers.upload(path, upload.upload_url, on_progress=on_progress)
    return await context.service.local.restore(upload.restore_id)
