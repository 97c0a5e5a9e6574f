"""A data file, the shared service for another account, and a service whose jobs never end."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from batchwright.service.process import ServiceAddress, ServiceProcess
from batchwright.wire.batches import Batch
from tests.api.studies import client_of, prompts_file, set_up
from tests.service.accounts import ANN, write_accounts


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data file of two records."""
    return prompts_file(tmp_path)


@pytest.fixture
def other_account(running: ServiceAddress, accounts: Path) -> ServiceAddress:
    """The shared service with a token of another account, which has access only to its own workspace."""
    write_accounts(accounts, [ANN], [])
    return replace(running, token="ann-1", workspace_id="f" * 24)


@pytest.fixture
def account_without_features(other_account: ServiceAddress, accounts: Path) -> ServiceAddress:
    """The shared service with a token of an account in whose workspace every feature is off."""
    write_accounts(accounts, [ANN], [{"id": other_account.workspace_id, "features": []}])
    return other_account


@dataclass(frozen=True)
class EndlessJobs:
    """A service whose jobs start and never end, its data folder, and a batch that was set up before."""

    running: ServiceAddress
    folder: Path
    ready: Batch


async def _set_up(running: ServiceAddress, path: Path) -> Batch:
    async with client_of(running) as service:
        return await set_up(service, running.workspace_id, path)


@pytest.fixture(scope="session")
def endless_jobs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EndlessJobs]:
    """A service at which jobs of every kind can be observed while they run."""
    root = tmp_path_factory.mktemp("endless")
    path, folder = prompts_file(root), root / "service"
    with ServiceProcess(folder) as before:
        ready = asyncio.run(_set_up(before, path))
    with ServiceProcess(folder, job_delay=3600) as running:
        yield EndlessJobs(running, folder, ready)
