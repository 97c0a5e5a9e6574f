"""The objects that handlers use, such as database, stored files and accounts."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from threading import Lock

from starlette.requests import Request

from batchwright.base.database import Database
from batchwright.service.auth import Accounts
from batchwright.service.backup_jobs import BackupJobs
from batchwright.service.backups import Backups
from batchwright.service.blobs import Blobs
from batchwright.service.signing import PresignedUrl, Signer


@dataclass(frozen=True)
class AppState:
    """What a running service consists of."""

    database: Database
    blobs: Blobs
    signer: Signer
    accounts: Accounts
    base_url: str
    """The start of every URL in a response, without a slash at the end."""
    clock: Callable[[], int]
    """Returns the time in milliseconds since 1970, UTC."""
    wake_worker: Callable[[], None]
    """Notifies the worker of a new job; callable from any thread."""
    serves_local_media: bool = False
    """Whether participants may see media files of this computer: the program itself started the service."""
    worker_paused: Callable[[], AbstractContextManager[None]] = nullcontext
    """Lets no worker run during the block."""

    deleting: Lock = field(default_factory=Lock)
    """Held while something is deleted on request, and while a backup is written or restored."""

    backup_jobs: BackupJobs = field(default_factory=BackupJobs)
    """The backups that are being written."""

    restore_jobs: BackupJobs = field(default_factory=BackupJobs)
    """The backups that are being restored."""

    @property
    def backups(self) -> Backups:
        """The backups of the data folder."""
        return Backups(self.database.path.parent)

    def absolute_url(self, signed: PresignedUrl) -> str:
        """A pre-signed URL with its base."""
        return self.base_url + signed.target


def app_state(request: Request) -> AppState:
    """The state that `service.server.app.build` passed to the application."""
    state: AppState = request.app.state.service
    return state
