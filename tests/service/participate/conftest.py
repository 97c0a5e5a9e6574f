"""Fixtures: a service with participant pages only, studies created directly in its store, and a browser."""

import os
import socket
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, expect, sync_playwright
from starlette.applications import Starlette

from batchwright.service.auth import Accounts, StoredAccount
from batchwright.service.blobs import Blobs
from batchwright.service.http.app_state import AppState
from batchwright.service.server.routes import PARTICIPATE_ROUTES
from batchwright.service.signing import Signer
from batchwright.service.store.database import open_database
from tests.service.participate.browsing import CHROMIUM, TIMEOUT_MS, visit
from tests.service.participate.study_store import StudyStore


@pytest.fixture(scope="session")
def _studies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudyStore]:
    folder = tmp_path_factory.mktemp("service")
    # Its protocol is named so that asyncio sends small answers at once.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    base_url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    database = open_database(folder)
    studies = StudyStore(database, Blobs(folder), base_url)
    app = Starlette(routes=PARTICIPATE_ROUTES)
    owner = StoredAccount("owner", "owner@example.org", frozenset(), ())
    app.state.service = AppState(
        database=database,
        blobs=studies.blobs,
        signer=Signer(b"key of the tests", lambda: studies.now),
        accounts=Accounts(owner, None, folder / "accounts.json"),
        base_url=base_url,
        clock=lambda: studies.now,
        wake_worker=lambda: None,
    )
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off", timeout_keep_alive=30))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    while not server.started:
        time.sleep(0.005)
    yield studies
    server.should_exit = True
    thread.join()
    listening.close()
    database.close()


@pytest.fixture
def studies(_studies: StudyStore) -> StudyStore:
    """The running service, with its clock set back."""
    _studies.reset_clock()
    return _studies


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser for one module: while Playwright runs, no other test can run an event loop."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(CHROMIUM), args=["--no-sandbox"] if root else []
        )
        expect.set_options(timeout=TIMEOUT_MS)
        yield browser
        browser.close()


@pytest.fixture
def console_errors() -> list[str]:
    """Errors reported on the browser's console, violations of the security policy included."""
    return []


@pytest.fixture
def screen(chromium: Browser, console_errors: list[str]) -> Iterator[Page]:
    with visit(chromium, console_errors) as context:
        yield context.new_page()
    assert console_errors == []


@pytest.fixture
def plain(chromium: Browser, console_errors: list[str]) -> Iterator[Page]:
    """A browser that runs no script."""
    with visit(chromium, console_errors, java_script_enabled=False) as context:
        yield context.new_page()
