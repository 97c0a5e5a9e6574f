"""A session at a hosted service, and the user who signs in."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from batchwright.client.connection_pool import ConnectionPool
from batchwright.client.context import WorkflowContext
from batchwright.client.resilient_run import RecoveryHooks
from batchwright.local.connections import Connection, NoSuchConnection
from batchwright.local.paths import Folders
from batchwright.local.secrets import KeyringUnavailable, TokenStore
from batchwright.schema.parsing import read_schema
from batchwright.service.process import ServiceAddress
from batchwright.ui.core.session import ConnectionSession
from batchwright.workflows.data.upload_dataset import UploadObserver, UploadResult, upload_dataset
from tests.api.studies import CSV, SCHEMA
from tests.fakes.key_ring import MemoryRing
from tests.service.accounts import write_accounts

WORKSPACE = "c" * 24


def never() -> None:
    pytest.fail("the network is there")


@dataclass
class Hosted:
    """A session at a hosted service that accepts one token at a time, and the user who signs in."""

    accounts: Path
    pool: ConnectionPool
    lab: Connection
    folder: Path
    is_cancelled: bool = False
    """Whether the person gives up when they are asked."""
    prompts: list[str] = field(default_factory=list)
    while_prompting: Callable[[], Awaitable[object]] | None = None
    """What happens while the person thinks."""
    prompt_count: int = 0

    def __post_init__(self) -> None:
        self.session = ConnectionSession(self.pool, self._find, self.prompt)

    def expire(self) -> None:
        """Let the service accept only a new token."""
        tokens = [self.next_token]
        ann = {"id": WORKSPACE, "email": "ann@example.org", "tokens": tokens, "workspaces": [WORKSPACE]}
        write_accounts(self.accounts, [ann], [{"id": WORKSPACE, "features": ["v4"]}])

    @property
    def next_token(self) -> str:
        return f"token-{self.prompt_count}"

    async def renew(self) -> None:
        """Sign in with the valid token."""
        await self.pool.sign_in(self.lab.name, self.next_token, is_stored=False)
        self.prompt_count += 1

    async def upload(self, observer: UploadObserver | None = None) -> UploadResult:
        return await self.session.run(
            lambda context, waits: upload_study_data(
                context, self.folder, waits, observer or UploadObserver()
            ),
            never,
        )

    async def _find(self, name: str) -> Connection:
        if name != self.lab.name:
            raise NoSuchConnection(name)
        return self.lab

    async def prompt(self, connection: Connection, _no_ring: KeyringUnavailable | None = None) -> bool:
        self.prompts.append(connection.name)
        if self.while_prompting is not None:
            await self.while_prompting()
        if not self.is_cancelled:
            await self.renew()
        return not self.is_cancelled


async def upload_study_data(
    context: WorkflowContext, folder: Path, waits: RecoveryHooks | None, observer: UploadObserver
) -> UploadResult:
    data = folder / "prompts.csv"
    data.write_text(CSV, encoding="utf-8")
    checkpoint = context.checkpoint("data")
    return await upload_dataset(
        context, checkpoint, "Prompts", read_schema(SCHEMA), data, observer, hooks=waits
    )


@asynccontextmanager
async def hosted(running: ServiceAddress, accounts: Path, folder: Path) -> AsyncGenerator[Hosted]:
    """Yield a session at a hosted service, whose accounts are in a file; nobody has signed in."""
    pool = ConnectionPool(Folders(folder / "data", folder / "cache"), TokenStore(MemoryRing()))
    hosted = Hosted(accounts, pool, Connection("Lab", running.url, WORKSPACE), folder)
    try:
        await hosted.session.select("Lab")
        yield hosted
    finally:
        await pool.close()
