"""Fixtures: researchers at the service that all tests share, each test with its own datasets."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from batchwright.service.process import ServiceAddress, ServiceProcess
from batchwright.service.signing import Signer
from tests.service.accounts import write_accounts
from tests.service.api_helpers import JsonDict, Researcher
from tests.service.collections_helpers import HER, SURVEYS
from tests.service.kill_helpers import ServiceRun, service_run
from tests.service.openapi_checks import document_of


@pytest.fixture(scope="session")
def waiting_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceAddress]:
    """A service whose jobs wait longer than any test runs, so that their waiting states can be tested."""
    with ServiceProcess(tmp_path_factory.mktemp("waiting"), job_delay=3600) as running:
        yield running


@pytest.fixture
def waiting(waiting_service: ServiceAddress) -> Iterator[Researcher]:
    """A researcher whose jobs never end."""
    with closing(Researcher(waiting_service)) as researcher:
        yield researcher


@pytest.fixture
def sign_in(running: ServiceAddress) -> Iterator[Callable[..., Researcher]]:
    """Creates researchers with their own tokens; their connections are closed after the test."""
    with ExitStack() as signed_in:

        def enter(**account: str) -> Researcher:
            researcher = Researcher(running, **account)
            return signed_in.enter_context(closing(researcher))

        yield enter


@pytest.fixture
def earlier(service_folder: Path) -> Callable[[int], Signer]:
    """Creates signers with the key of the running service and a clock that is behind."""

    def signer(milliseconds: int) -> Signer:
        with closing(sqlite3.connect(service_folder / "service.db")) as database:
            rows = database.execute("SELECT value FROM setting WHERE name = 'signing_key'")
            return Signer(bytes.fromhex(rows.fetchone()[0]), lambda: time.time_ns() // 10**6 - milliseconds)

    return signer


@pytest.fixture
def researcher(sign_in: Callable[..., Researcher]) -> Researcher:
    """The owner of the data folder."""
    return sign_in()


@pytest.fixture
def surveyor(sign_in: Callable[..., Researcher], accounts: Path) -> Researcher:
    """A researcher in a workspace where collections are on and V4 datasets are off."""
    write_accounts(accounts, [HER], [{"id": SURVEYS, "features": ["collections"]}])
    return sign_in(token="ann-1", workspace=SURVEYS)


@pytest.fixture(scope="module")
def owner(running: ServiceAddress) -> Iterator[Researcher]:
    """The owner of the data folder, for fixtures that a module shares."""
    with closing(Researcher(running)) as researcher:
        yield researcher


@pytest.fixture(scope="module")
def document(running: ServiceAddress) -> JsonDict:
    """The OpenAPI document of the service."""
    return document_of(running)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceRun]:
    """A service whose memory only the tests of one module use."""
    with service_run(tmp_path_factory.mktemp("large")) as started:
        yield started
