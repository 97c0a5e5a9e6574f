"""Calls that only the service on this computer offers, below `/local/v1/`."""

from batchwright.api.http.transport import Transport
from batchwright.api.http.urls import segment
from batchwright.wire.local_routes import (
    AnnotatorsPerTask,
    MediaFolderSetting,
    ParticipantLanguage,
    Participation,
    PlaceTimeout,
    Preview,
    PreviewRequest,
    Progress,
    ReleasedPlaces,
    SetupLayout,
    ShuffleSeed,
)
from batchwright.wire.service_data import (
    AgeToDelete,
    BackupState,
    BackupUpload,
    DeletedData,
    ParticipantToDelete,
    RestoreState,
    ServiceData,
    StudiesToDelete,
)

_LONGEST_WORK_S = 6 * 60 * 60.0
"""Seconds that deleting may take; it responds when everything is done."""


class LocalService:
    """Calls that only the service on this computer supports."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def participation(self, batch_id: str) -> Participation:
        """Fetch the link under which people take part in a batch."""
        return await self._transport.send("GET", _path(batch_id, "participation"), model=Participation)

    async def participation_in_collection(self, collection_id: str) -> Participation:
        """Fetch the link under which people answer a collection."""
        path = _path(collection_id, "participation", "collections")
        return await self._transport.send("GET", path, model=Participation)

    async def set_annotators_per_task(self, batch_id: str, setting: AnnotatorsPerTask) -> AnnotatorsPerTask:
        """Set how many people each task group is assigned to."""
        path = _path(batch_id, "annotators-per-task")
        return await self._transport.send("PUT", path, model=AnnotatorsPerTask, body=setting)

    async def set_language(self, batch_id: str, setting: ParticipantLanguage) -> ParticipantLanguage:
        """Set the language of the participant pages of a batch."""
        path = _path(batch_id, "language")
        return await self._transport.send("PUT", path, model=ParticipantLanguage, body=setting)

    async def set_language_of_collection(
        self, collection_id: str, setting: ParticipantLanguage
    ) -> ParticipantLanguage:
        """Set the language of the participant pages of a collection."""
        path = _path(collection_id, "language", "collections")
        return await self._transport.send("PUT", path, model=ParticipantLanguage, body=setting)

    async def set_shuffle_seed(self, batch_id: str, setting: ShuffleSeed) -> ShuffleSeed:
        """Set the random seed for the task groups of the next setup, so that they can be reproduced."""
        path = _path(batch_id, "shuffle-seed")
        return await self._transport.send("PUT", path, model=ShuffleSeed, body=setting)

    async def set_place_timeout(self, batch_id: str, setting: PlaceTimeout) -> PlaceTimeout:
        """Set after how many minutes of inactivity the place of a participant is free for others."""
        path = _path(batch_id, "place-timeout")
        return await self._transport.send("PUT", path, model=PlaceTimeout, body=setting)

    async def release_places(self, batch_id: str) -> ReleasedPlaces:
        """Free the places of participants who have started and never answered.

        They may continue as long as nobody else has taken the place.
        """
        path = _path(batch_id, "release-places")
        return await self._transport.send("POST", path, model=ReleasedPlaces, repeatable=True)

    async def progress(self, batch_id: str) -> Progress:
        """Fetch the progress of each task group."""
        return await self._transport.send("GET", _path(batch_id, "progress"), model=Progress)

    async def setup_layout(self, batch_id: str) -> SetupLayout:
        """Fetch what the tasks of the latest setup of a batch show."""
        return await self._transport.send("GET", _path(batch_id, "setup-layout"), model=SetupLayout)

    async def reset(self, batch_id: str) -> None:
        """Delete all submissions and answers of a batch.

        Raises:
            OutcomeUnknown: the response was lost; `progress` shows whether they were deleted.
        """
        await self._transport.send("POST", _path(batch_id, "reset"), model=None)

    async def preview(self, request: PreviewRequest) -> Preview:
        """Create a link, valid for an hour, to a page as participants see it; answers are not stored."""
        return await self._transport.send("POST", "/local/v1/previews", model=Preview, body=request)

    async def stored_data(self) -> ServiceData:
        """Fetch what the service stores, with its size, and what was deleted."""
        return await self._transport.send("GET", "/local/v1/data", model=ServiceData)

    async def delete_studies(self, studies: StudiesToDelete) -> DeletedData:
        """Delete batches and collections with their data.

        Raises:
            Conflict: a job of one of them is running; nothing was deleted.
            OutcomeUnknown: the response was lost; `stored_data` shows what is left.
        """
        path = "/local/v1/data/delete-studies"
        return await self._transport.send(
            "POST", path, model=DeletedData, body=studies, read_timeout_s=_LONGEST_WORK_S
        )

    async def delete_older(self, age: AgeToDelete) -> DeletedData:
        """Delete what was not used for some days, unless a job of it is running.

        Raises:
            OutcomeUnknown: the response was lost; repeated, it deletes what is left.
        """
        path = "/local/v1/data/delete-older"
        return await self._transport.send(
            "POST", path, model=DeletedData, body=age, read_timeout_s=_LONGEST_WORK_S
        )

    async def delete_participant(self, participant: ParticipantToDelete) -> DeletedData:
        """Delete everything of a participant, in one study or in all; repeated, it deletes nothing more.

        Raises:
            OutcomeUnknown: the response was lost; the records of `stored_data` show whether it was done.
        """
        path = "/local/v1/data/delete-participant"
        return await self._transport.send(
            "POST", path, model=DeletedData, body=participant, read_timeout_s=_LONGEST_WORK_S
        )

    async def start_backup(self) -> BackupState:
        """Let the service write a backup of everything.

        The service keeps only the last one, until it is removed, the next is written, or it starts again.

        Raises:
            OutcomeUnknown: the response was lost; another call writes another backup.
        """
        return await self._transport.send("POST", "/local/v1/data/backups", model=BackupState)

    async def backup(self, backup_id: str) -> BackupState:
        """Fetch how far a backup is, and its pre-signed URL once it is written.

        Raises:
            NotFound: the service was started again since.
            Conflict: data was deleted all the time.
        """
        path = f"/local/v1/data/backups/{segment(backup_id)}"
        return await self._transport.send("GET", path, model=BackupState)

    async def remove_backup(self, backup_id: str) -> None:
        """Let the service stop writing a backup, and remove it."""
        path = f"/local/v1/data/backups/{segment(backup_id)}"
        await self._transport.send("DELETE", path, model=None)

    async def start_restore(self) -> BackupUpload:
        """Fetch a pre-signed URL to upload a backup to."""
        path = "/local/v1/data/restores"
        return await self._transport.send("POST", path, model=BackupUpload, repeatable=True)

    async def restore(self, restore_id: str) -> RestoreState:
        """Let the service replace everything by a backup that was uploaded.

        Raises:
            NotFound: nothing was uploaded.
            OutcomeUnknown: the response was lost; `restore_state` shows whether it was started.
        """
        path = f"/local/v1/data/restores/{segment(restore_id)}"
        return await self._transport.send("POST", path, model=RestoreState)

    async def restore_state(self, restore_id: str) -> RestoreState:
        """Fetch how far restoring a backup is, and what is stored once it has ended.

        Raises:
            BadRequest: the backup is damaged, or no backup; nothing was changed.
            NotFound: it was not started, or the service was started again since.
        """
        path = f"/local/v1/data/restores/{segment(restore_id)}"
        return await self._transport.send("GET", path, model=RestoreState)

    async def cancel_restore(self, restore_id: str) -> None:
        """Let the service stop restoring a backup, and remove what was uploaded; nothing is changed.

        Raises:
            Conflict: what is stored is being replaced, or was.
        """
        path = f"/local/v1/data/restores/{segment(restore_id)}"
        await self._transport.send("DELETE", path, model=None)

    async def set_media_folder(self, folder_id: str, setting: MediaFolderSetting) -> None:
        """Let participants see the media files of a folder of this computer, which records refer to."""
        path = f"/local/v1/media-folders/{segment(folder_id)}"
        await self._transport.send("PUT", path, model=None, body=setting)


def _path(parent_id: str, resource: str, parents: str = "batches") -> str:
    return f"/local/v1/{parents}/{segment(parent_id)}/{resource}"
