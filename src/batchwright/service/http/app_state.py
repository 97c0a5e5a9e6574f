"""What the handlers work with, handed to them through the application (style.md 9)."""

from collections.abc import Callable
from dataclasses import dataclass

from starlette.requests import Request

from batchwright.base.database import Database
from batchwright.service.auth import Accounts
from batchwright.service.blobs import Blobs
from batchwright.service.signing import PresignedUrl, Signer


@dataclass(frozen=True)
class AppState:
    """The parts of a running service."""

    database: Database
    blobs: Blobs
    signer: Signer
    accounts: Accounts
    base_url: str
    """What every address that is handed out begins with; no slash at its end."""
    clock: Callable[[], int]
    """The time in milliseconds since 1970, UTC."""
    wake_worker: Callable[[], None]
    """Tells the worker that a job has been added; may be called from any thread."""

    def address(self, signed: PresignedUrl) -> str:
        """The whole address of something signed."""
        return self.base_url + signed.target


def app_state(request: Request) -> AppState:
    """The parts that `app.build` gave to the application."""
    parts: AppState = request.app.state.parts
    return parts
