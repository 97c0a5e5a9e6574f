"""What all tests share."""

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings
from PySide6.QtCore import QCoreApplication, QEvent

from batchwright.service.host import LocalService, Running

# How long an example runs is asserted nowhere; drawn examples are the same in every run.
settings.register_profile("batchwright", deadline=None, derandomize=True)
settings.load_profile("batchwright")

pytest_plugins = ["tests.spec_report", "pytester"]

SCREEN: Final = ("tests/ui/", "tests/whole_program/", "tests/desktop/")
"""Where tests have windows."""


def _has_screen(item: pytest.Item | None) -> bool:
    return item is not None and item.nodeid.startswith(SCREEN)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Let what windows have left in cycles end with their test.

    It ends here and nowhere else: in a thread of a later test it would end the run. What lives on, as modules
    do, is not looked at again after each of them.
    """
    if not _has_screen(item):
        return (yield)
    gc.disable()
    result = yield
    if _has_screen(nextitem):
        gc.collect()
        gc.freeze()
    else:
        gc.unfreeze()
        gc.collect()
        gc.enable()
    return result


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """Let windows end with their test: outside a loop, Qt keeps what is to be deleted later.

    They end before pytest-qt looks for errors that were raised meanwhile: it wraps this.
    """
    try:
        return (yield)
    finally:
        if _has_screen(item):
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seed", type=int, default=2026, help="draw the random samples from this seed")


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """The seed of all random samples of this run."""
    seed: int = request.config.getoption("--seed")
    return seed


@pytest.fixture(scope="session")
def service_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of the service that all tests share."""
    return tmp_path_factory.mktemp("service")


@pytest.fixture(scope="session")
def running(service_folder: Path) -> Iterator[Running]:
    """One real service in a process of its own; each test makes what it needs there."""
    with LocalService(service_folder) as running:
        yield running


@pytest.fixture
def accounts(service_folder: Path) -> Iterator[Path]:
    """The file `accounts.json` of the service that all tests share; gone again after the test."""
    file = service_folder / "accounts.json"
    yield file
    file.unlink(missing_ok=True)
