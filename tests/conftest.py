"""Options, hooks and fixtures of all tests."""

import gc
import logging
import os
import sys
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from datetime import date
from pathlib import Path
from random import Random
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

# No deadline: ordinary tests assert no times. Examples are the same in every run.
settings.register_profile("batchwright", deadline=None, derandomize=True)
settings.load_profile("batchwright")

os.environ[FOLDER_VARIABLE] = str(Path(gettempdir()) / "batchwright-test-logs")

pytest_plugins = ["tests.spec_report", "tests.endpoint_report", "pytester"]

SCREEN: Final = ("tests/ui/", "tests/flows/", "tests/desktop/")
"""The folders whose tests open windows."""

WITH_SCREEN_READER: Final = ("tests/ui/", "tests/flows/test_screen_reader.py")
"""What `start.py test` runs with `--screen-reader`."""


def _has_screen(item: pytest.Item | None) -> bool:
    return item is not None and item.nodeid.startswith(SCREEN)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Collect the reference cycles of windows after each test, and only then.

    Collected later, in another thread, they would crash the process. Objects that survive, such as modules,
    are frozen so that later collections skip them.
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
    """Delete the windows of a test with it: without an event loop, Qt postpones `deleteLater` for ever.

    This runs before pytest-qt reports exceptions, so those raised here fail the test.
    """
    try:
        return (yield)
    finally:
        if _has_screen(item):
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seed", type=int, default=2026, help="draw the random samples from this seed")
    parser.addoption(
        "--screen-reader",
        action="store_true",
        help="run windows on a display that a screen reader reads",
    )
    parser.addoption(
        "--window-share",
        type=float,
        default=1.0,
        help="run this share of the window tests, drawn from the sample seed; with --screen-reader, also all "
        "that prove statements or endpoints",
    )
    parser.addoption(
        "--sample-cases",
        action="store_true",
        help="run some cases of the tests marked `sampled`, drawn from the sample seed",
    )
    parser.addoption(
        "--sample-seed",
        type=int,
        default=date.today().toordinal(),
        help="the seed of samples; by default the number of the day, so that tests take turns",
    )


def pytest_report_header(config: pytest.Config) -> str:
    seeds = (f"{name} {config.getoption(name)}" for name in ("--seed", "--sample-seed"))
    return f"random samples: {' '.join(seeds)}"


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage while modules are imported; later collections skip the modules and the tests."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_unconfigure() -> None:
    """Let the last garbage collection of the process find everything again."""
    gc.unfreeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return the number of workers for `-n auto`: one more than cores, since tests often wait."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect what is not drawn with `--window-share` and `--sample-cases`."""
    random = Random(config.getoption("--sample-seed"))
    proofs = ("spec", "endpoint") if config.getoption("--screen-reader") else ()
    left_out = _windows_left_out(items, config.getoption("--window-share"), ("keyring", *proofs), random)
    if config.getoption("--sample-cases"):
        left_out |= _cases_left_out(items, random)
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = [item for item in items if item not in left_out]


def _windows_left_out(
    items: Sequence[pytest.Item], share: float, kept: Sequence[str], random: Random
) -> set[pytest.Item]:
    """Draw the window tests that do not run; those with one of the `kept` marks always run."""
    windows = [item for item in items if item.nodeid.startswith(WITH_SCREEN_READER)]
    windows = [item for item in windows if not any(map(item.get_closest_marker, kept))]
    return set(random.sample(windows, round(len(windows) * (1 - share))))


def _cases_left_out(items: Sequence[pytest.Item], random: Random) -> set[pytest.Item]:
    """Draw cases of each test marked `sampled(n)`: of n cases one runs, and at least one of each test."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("sampled") is not None and item.get_closest_marker("long") is None:
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    left_out = set[pytest.Item]()
    for of_test in cases.values():
        mark = of_test[0].get_closest_marker("sampled")
        assert mark is not None
        drawn = max(1, len(of_test) // mark.args[0])
        left_out |= set(random.sample(of_test, len(of_test) - drawn))
    return left_out


@pytest.fixture(scope="session")
def screen_reader(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """With `--screen-reader`, start a session in which a screen reader reads the windows under test."""
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
    """The arguments of the `QApplication`; requested here so that the display exists before it."""
    return ["batchwright"]


@pytest.fixture(autouse=True, scope="session")
def screen_reader_is_active(request: pytest.FixtureRequest, pytestconfig: pytest.Config) -> None:
    """With `--screen-reader`, fail unless Qt reports that accessibility is active."""
    if pytestconfig.getoption("--screen-reader"):
        request.getfixturevalue("qapp")
        QCursor.setPos(QGuiApplication.primaryScreen().geometry().bottomRight())  # outside of all windows
        end = time.monotonic() + 20
        while not QAccessible.isActive():
            QCoreApplication.processEvents()
            assert time.monotonic() < end, "Qt has not activated accessibility"


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """The seed of all random samples of this run."""
    seed: int = request.config.getoption("--seed")
    return seed


@pytest.fixture(scope="session")
def service_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of the service shared by all tests."""
    return tmp_path_factory.mktemp("service")


@pytest.fixture(scope="session")
def running(service_folder: Path) -> Iterator[ServiceAddress]:
    """A real service in its own process, shared by all tests; each creates the resources it needs."""
    with ServiceProcess(service_folder) as running:
        yield running


@pytest.fixture
def accounts(service_folder: Path) -> Iterator[Path]:
    """The path of `accounts.json` of the shared service; the file is deleted after the test."""
    file = service_folder / "accounts.json"
    yield file
    file.unlink(missing_ok=True)


@pytest.fixture(autouse=True)
def restored_logging(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Restore the logging configuration and hooks after each test."""
    root, program = logging.getLogger(), logging.getLogger("batchwright")
    handlers, levels = root.handlers[:], (root.level, program.level)
    hooks = sys.excepthook, sys.unraisablehook, threading.excepthook
    monkeypatch.setattr(program_log, "_secrets", set())
    yield
    sys.excepthook, sys.unraisablehook, threading.excepthook = hooks
    for handler in [added for added in root.handlers if added not in handlers]:
        root.removeHandler(handler)
        handler.close()
    root.setLevel(levels[0])
    program.setLevel(levels[1])
