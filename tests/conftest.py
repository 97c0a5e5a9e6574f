"""What all tests share."""

import gc
import logging
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import gettempdir
from typing import Final

import pytest
from hypothesis import settings
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QAccessible, QCursor, QGuiApplication

from batchwright.base import logging as program_log
from batchwright.base.logging import FOLDER_VARIABLE
from batchwright.service.process import ServiceAddress, ServiceProcess
from tests import screen_readers

# How long an example runs is asserted nowhere; drawn examples are the same in every run.
settings.register_profile("batchwright", deadline=None, derandomize=True)
settings.load_profile("batchwright")

os.environ[FOLDER_VARIABLE] = str(Path(gettempdir()) / "batchwright-test-logs")

pytest_plugins = ["tests.spec_report", "pytester"]

SCREEN: Final = ("tests/ui/", "tests/flows/", "tests/desktop/")
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
    parser.addoption(
        "--screen-reader", action="store_true", help="show windows on a screen, with a screen reader about"
    )


@pytest.fixture(scope="session")
def screen_reader(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """With `--screen-reader`, a session whose windows are read out as they are tested."""
    if not pytestconfig.getoption("--screen-reader"):
        yield
        return
    if absent := screen_readers.missing():
        pytest.fail(f"a screen reader needs {', '.join(absent)} (packaging/start.py installs them)")
    with screen_readers.session(tmp_path_factory.mktemp("session")) as environment:
        os.environ.update(environment)
        reading = screen_readers.read_along(environment)
        yield
        assert reading.end() > 0


@pytest.fixture(scope="session")
def qapp_args(screen_reader: None) -> list[str]:
    """The arguments of the one application, made after what its windows are shown on."""
    return ["batchwright"]


@pytest.fixture(autouse=True, scope="session")
def is_read_out(request: pytest.FixtureRequest, pytestconfig: pytest.Config) -> None:
    """With `--screen-reader`, Qt has to be answering one: otherwise the run would prove nothing."""
    if pytestconfig.getoption("--screen-reader"):
        request.getfixturevalue("qapp")
        QCursor.setPos(QGuiApplication.primaryScreen().geometry().bottomRight())  # on no window
        end = time.monotonic() + 20
        while not QAccessible.isActive():
            QCoreApplication.processEvents()
            assert time.monotonic() < end, "no screen reader has reached Qt"


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
def running(service_folder: Path) -> Iterator[ServiceAddress]:
    """One real service in a process of its own; each test makes what it needs there."""
    with ServiceProcess(service_folder) as running:
        yield running


@pytest.fixture
def accounts(service_folder: Path) -> Iterator[Path]:
    """The file `accounts.json` of the service that all tests share; gone again after the test."""
    file = service_folder / "accounts.json"
    yield file
    file.unlink(missing_ok=True)


@pytest.fixture(autouse=True)
def own_log(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Takes back what a test that starts the program's log has changed."""
    root, program = logging.getLogger(), logging.getLogger("batchwright")
    handlers, levels = root.handlers[:], (root.level, program.level)
    hooks = sys.excepthook, sys.unraisablehook, threading.excepthook
    monkeypatch.setattr(program_log, "_secrets", set())
    yield
    sys.excepthook, sys.unraisablehook, threading.excepthook = hooks
    for handler in [one for one in root.handlers if one not in handlers]:
        root.removeHandler(handler)
        handler.close()
    root.setLevel(levels[0])
    program.setLevel(levels[1])
