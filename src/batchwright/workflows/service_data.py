"""What the service on this computer stores: fetching it, and deleting studies and data of participants."""

import asyncio
from collections.abc import Sequence

from batchwright.client.context import WorkflowContext
from batchwright.local.analysis_settings import AnalysisSettingsTable
from batchwright.wire.service_data import (
    AgeToDelete,
    DeletedData,
    ParticipantToDelete,
    ServiceData,
    StudiesToDelete,
)


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
    context: WorkflowContext, settings: AnalysisSettingsTable, participant: str, study: str | None = None
) -> DeletedData:
    """Delete everything of a participant, in one study or in all, and what analyses say about the id.

    Raises:
        ApiError: the request failed permanently.
        StorageUnavailable: the database of the program cannot be written; run again, it continues.
    """
    request = ParticipantToDelete(participant_id=participant)
    if study is not None:
        request = ParticipantToDelete(participant_id=participant, study_id=study)
    deleted = await context.service.local.delete_participant(request)
    await asyncio.to_thread(settings.forget_participant, participant)
    return deleted
