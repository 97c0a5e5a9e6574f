"""Options, hooks and fixtures of all tests."""

import gc
import logging
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
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

# No deadline: ordinary tests assert no times. Examples are the same in every run.
settings.register_profile("batchwright", deadline=None, derandomize=True, max_examples=40)
settings.register_profile("long", settings.get_profile("batchwright"), max_examples=200)
settings.load_profile("batchwright")

os.environ["LC_ALL"] = "C.UTF-8"  # numbers and dates look the same on every computer
os.environ[FOLDER_VARIABLE] = str(Path(gettempdir()) / "batchwright-test-logs")

pytest_plugins = [
    "tests.async_tests",
    "tests.spec_report",
    "tests.endpoint_report",
    "tests.figures",
    "tests.languages",
    "tests.policies",
    "pytester",
]

SCREEN: Final = ("tests/ui/", "tests/flows/", "tests/desktop/")
"""The folders whose tests open windows."""


def _has_screen(item: pytest.Item | None) -> bool:
    return item is not None and item.nodeid.startswith(SCREEN)


def _has_frozen_windows(item: pytest.Item) -> bool:
    """Whether the tests of the module run the whole program."""
    return isinstance(item, pytest.Function) and hasattr(item.module, "run_program")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Collect the reference cycles of windows after each test, and only then.

    Collected later, in another thread, they would crash the process. Objects that survive, such as modules,
    are frozen so that later collections skip them. The whole program freezes its windows as well: these are
    collected after the last test of a module, since that takes long.
    """
    if not _has_screen(item):
        return (yield)
    gc.disable()
    result = yield
    if _has_frozen_windows(item) and (nextitem is None or nextitem.path != item.path):
        gc.unfreeze()
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
    parser.addoption("--shard", metavar="K/N", help="run the K-th of N parts, which together have all tests")


def pytest_configure(config: pytest.Config) -> None:
    """With long tests, try more examples of each property."""
    if "not long" not in config.option.markexpr:
        settings.load_profile("long")


def pytest_report_header(config: pytest.Config) -> str:
    return f"random samples: --seed {config.getoption('--seed')}"


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
    """The number of workers for `-n auto`: as many as cores, since two runs of tests share them."""
    return os.cpu_count() or 1


@pytest.hookimpl(tryfirst=True)  # before pytest selects by marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark cases of matrices as long, and deselect what belongs to another shard."""
    cases = Counter[str]()
    for item in items:
        if (matrix := item.get_closest_marker("matrix")) is not None:
            test = item.nodeid.partition("[")[0]
            if cases[test] % matrix.args[0]:
                item.add_marker(pytest.mark.long)
            cases[test] += 1
    if shard := config.getoption("--shard"):
        modules = shard_modules(Counter(item.path for item in items), shard)
        config.hook.pytest_deselected(items=[item for item in items if item.path not in modules])
        items[:] = [item for item in items if item.path in modules]


def shard_modules(test_counts: Mapping[Path, int], shard: str) -> set[Path]:
    """The test modules of a part such as `2/4`; the parts have about as many tests.

    Raises:
        pytest.UsageError: there is no such part.
    """
    k, _, n = shard.partition("/")
    if not (k.isdecimal() and n.isdecimal() and 1 <= int(k) <= int(n)):
        raise pytest.UsageError(f"--shard {shard}: expected K/N, such as 2/4")
    parts: list[set[Path]] = [set() for _ in range(int(n))]
    sizes = [0] * int(n)
    for path, count in sorted(test_counts.items(), key=lambda entry: (-entry[1], entry[0])):
        smallest = sizes.index(min(sizes))
        parts[smallest].add(path)
        sizes[smallest] += count
    return parts[int(k) - 1]


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
