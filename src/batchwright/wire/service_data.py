"""Models of the routes below `/local/v1/data`: what the service on this computer stores, and deleting it."""

from typing import Annotated, Final, Literal

from pydantic import Field

from batchwright.wire.base import JsonArray, RequestBody, ResponseBody
from batchwright.wire.ids import Timestamp

MAX_DAYS: Final = 36_500


class StoredStudy(ResponseBody):
    """A batch or collection with its data."""

    id: str
    kind: Literal["batch", "collection"] = "batch"
    name: str = ""
    created_at: Timestamp | None = None
    last_used_at: Timestamp | None = None
    """When it was created, set up or answered last."""
    records: int = 0
    participants: int = 0
    answers: int = 0


class Deletion(ResponseBody):
    """A record that data was deleted."""

    participant_digest: str | None = None
    """`participant_digest` of the id; null if studies were deleted."""
    study_id: str | None = None
    """The only study concerned; null for all."""
    deleted_at: Timestamp | None = None
    studies: int = 0
    participants: int = 0
    answers: int = 0
    files: int = 0


class ServiceData(ResponseBody):
    """GET `data`: what is stored, with its size in bytes; the newest studies and deletions first."""

    database_bytes: int = 0
    files_bytes: int = 0
    studies: tuple[StoredStudy, ...] = ()
    """Those of the account's workspaces."""
    unused: int = 0
    """How many datasets without a study, and feedback files, these have."""
    deletions: tuple[Deletion, ...] = ()

    @property
    def size(self) -> int:
        """All bytes."""
        return self.database_bytes + self.files_bytes


class StudiesToDelete(RequestBody):
    """POST `data/delete-studies`: batches and collections to delete with their data."""

    study_ids: JsonArray[str]


class AgeToDelete(RequestBody):
    """POST `data/delete-older`: everything that was not used for so many days."""

    days: Annotated[int, Field(ge=1, le=MAX_DAYS)]


class ParticipantToDelete(RequestBody):
    """POST `data/delete-participant`: a participant, in one study or in all."""

    participant_id: str = Field(min_length=1, repr=False)
    study_id: str | None = None


class DeletedData(ResponseBody):
    """How much was deleted."""

    studies: int = 0
    participants: int = 0
    answers: int = 0
    files: int = 0
    unused: int = 0
    """How many datasets without a study, and feedback files."""
    in_use: int = 0
    """How many studies are left because an import, setup, sync or export of theirs is running."""
    is_erased: bool = True
    """Whether nothing is left in free space of the database; if not, the next start erases it."""


class BackupState(ResponseBody):
    """POST `data/backups`, GET `data/backups/{id}`: a backup that is being written, or was."""

    backup_id: str = ""
    written_bytes: int = 0
    total_bytes: int = 0
    """0 until it is known."""
    url: str | None = Field(default=None, repr=False)
    """Where it is downloaded, once it is written."""
    expires_at: Timestamp | None = None


class BackupUpload(ResponseBody):
    """The response to POST `data/restores`: where a backup is uploaded, and the id to restore it."""

    restore_id: str = ""
    upload_url: str = Field(repr=False)
    http_method: str = "PUT"
    expires_at: Timestamp | None = None


class RestoredData(ResponseBody):
    """What is stored since a backup was restored."""

    studies: int = 0
    answers: int = 0
    deleted_again: int = 0
    """Participants of the backup who were deleted on request since it was made."""


class RestoreState(ResponseBody):
    """POST and GET `data/restores/{id}`: a backup that is being restored, or was."""

    restore_id: str = ""
    checked_bytes: int = 0
    total_bytes: int = 0
    """0 until it is known."""
    restored: RestoredData | None = None
    """What is stored, once it is restored."""
