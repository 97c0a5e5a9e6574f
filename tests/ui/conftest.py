"""The theme, a window, and an event loop shared by Qt and asyncio, for all window tests."""

import asyncio
import gc
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QCoreApplication, QLocale
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QSpacerItem, QWidget, QWidgetItem
from shiboken6 import createdByPython, getAllValidWrappers

from batchwright.service.process import ServiceAddress
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.settings import Settings
from batchwright.ui.shell.stages import Stage, StageContext
from batchwright.ui.shell.state import ConnectionLabel, ShellState
from batchwright.ui.shell.window import Window
from batchwright.ui.study.study_model import Study
from batchwright.ui.theme import ColorSchemePreference, Theme
from batchwright.ui.theme import theme as current_theme
from batchwright.ui.theme.style import install
from batchwright.ui.widgets.accessibility.accessible_interfaces import install_interfaces
from batchwright.ui.widgets.dialogs import file_dialogs
from batchwright.workflows.messages import describe
from tests.screens import use_offscreen
from tests.ui.fake_connection_pool import session_at, upload_study_data
from tests.ui.limited_loop import LimitedLoop
from tests.ui.separate_service import SeparateService, separate_service

if TYPE_CHECKING:
    from tests.ui.window_fixtures import OpenTestWindow

use_offscreen()

_LAYOUT_ITEMS = (QWidgetItem, QSpacerItem)

REHEARSAL = ConnectionLabel("This computer", is_live=False, workspace="Lab workspace")
LIVE = ConnectionLabel("api.example.org", is_live=True, workspace="Lab workspace")


@pytest.fixture(scope="session")
def _installed(qapp: QApplication) -> Theme:
    theme = Theme(ColorSchemePreference.LIGHT, 100, animations_enabled=False)
    install(theme)
    install_interfaces()
    return theme


@pytest.fixture(autouse=True)
def theme(_installed: Theme) -> Iterator[Theme]:
    """The light theme at 100 %, without animations; the theme is restored after the test."""
    if current_theme() is not _installed:  # a test has run the whole program in this process
        install(_installed)
    yield _installed
    _installed.set_color_scheme(ColorSchemePreference.LIGHT)
    _installed.set_text_size(100)


@pytest.fixture
def moving(theme: Theme) -> Iterator[None]:
    """Enable animations."""
    theme.set_animations_enabled(True)
    yield
    theme.set_animations_enabled(False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    """Fail if PySide references a layout item: that crashes the process when Qt has deleted the item."""
    yield
    wrappers = getAllValidWrappers()
    if not any(issubclass(kind, _LAYOUT_ITEMS) for kind in {*map(type, wrappers)}):
        return
    items = [item for item in wrappers if isinstance(item, _LAYOUT_ITEMS)]
    referenced = [item.widget() for item in items if not createdByPython(item)]
    assert not referenced, f"PySide holds layout items of {referenced}"


@pytest.fixture(autouse=True)
def folder_of_the_last_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the folder of the last file that another test has chosen."""
    monkeypatch.setattr(file_dialogs, "_last", file_dialogs._InMemory())


@pytest.fixture
def use_locale() -> Iterator[Callable[[str], None]]:
    """A function that sets the user's locale for the test."""
    before = QLocale()
    yield lambda name: QLocale.setDefault(QLocale(name))
    QLocale.setDefault(before)


@pytest.fixture
def shell() -> ShellState:
    return ShellState(REHEARSAL)


def labelled(text: str) -> Callable[[StageContext], QWidget]:
    """A function that builds a stage with a single label."""
    return lambda _stage_context: QLabel(text)


@pytest.fixture
def stages() -> list[Stage]:
    return [
        Stage("home", "Home", "house", labelled("at home")),
        Stage("data", "Data", "table", labelled("the data"), needs_study=True),
        Stage("jobs", "Jobs", "activity", labelled("the jobs"), is_below_separator=True, counts_jobs=True),
    ]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path)


@pytest.fixture
def window(shell: ShellState, stages: list[Stage], settings: Settings) -> Iterator[Window]:
    window = Window(shell, stages, settings)
    window.show()
    activate_window(window)
    yield window
    window.force_close()
    window.deleteLater()


@pytest.fixture
def loop(qapp: QApplication) -> Iterator[asyncio.AbstractEventLoop]:
    """The Qt event loop as the asyncio event loop; unfinished tasks and unhandled errors fail the test."""
    loop = LimitedLoop(qapp)
    asyncio.set_event_loop(loop)
    errors: list[dict[str, object]] = []
    loop.set_exception_handler(lambda _loop, context: errors.append(context))
    yield loop
    gc.collect()  # reports exceptions of tasks that were never awaited
    unfinished = [task for task in asyncio.all_tasks(loop) if not task.done()]
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()
    asyncio.set_event_loop(None)
    assert not unfinished
    assert not errors


@pytest.fixture
async def at(tmp_path: Path) -> AsyncIterator["OpenTestWindow"]:
    """An open window with its controller, of a program with its data in `tmp_path`."""
    from tests.ui.window_fixtures import window_in  # which imports this module  # noqa: PLC0415

    async with window_in(tmp_path) as at:
        yield at


@pytest.fixture
async def session(running: ServiceAddress, tmp_path: Path) -> AsyncIterator[ConnectionSession]:
    """A session at the shared service."""
    async with session_at(running, tmp_path) as session:
        yield session


@pytest.fixture
def job_delay() -> float:
    """Seconds that each job of the separate service waits before it starts."""
    return 0.0


@pytest.fixture
async def service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, job_delay: float
) -> AsyncIterator[SeparateService]:
    """A separate service; its session takes the place of `session` in modules that say so."""
    async with separate_service(tmp_path, monkeypatch, job_delay) as service:
        yield service


@pytest.fixture
async def tasks() -> AsyncIterator[Tasks]:
    """The tasks of a window; those that still run are cancelled after the test."""
    tasks = Tasks(describe)
    yield tasks
    await tasks.aclose()


@pytest.fixture
async def uploaded_study(session: ConnectionSession, tmp_path: Path) -> Study:
    """A small study whose data was uploaded."""
    study = Study()
    await upload_study_data(session, study, tmp_path)
    return study


def activate_window(window: QWidget) -> None:
    """Activate a window, and wait until it is active."""
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)


def focused() -> QWidget:
    """The widget with the focus."""
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


async def until(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait for a condition, then for the events it posted; raise `TimeoutError` after `seconds`.

    A widget added to a visible layout becomes visible by a posted event.
    """
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - Qt state sets no event
            await asyncio.sleep(0.005)
    QCoreApplication.sendPostedEvents()
