"""The look for every test of the screen, a window to look at, and a loop that Qt and asyncio share."""

import asyncio
import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QSpacerItem, QWidget, QWidgetItem
from shiboken6 import createdByPython, getAllValidWrappers

from batchwright.ui.core.settings import Settings
from batchwright.ui.shell.stages import Stage, StageContext
from batchwright.ui.shell.state import ConnectionLabel, ShellState
from batchwright.ui.shell.window import Window
from batchwright.ui.theme import ColorSchemePreference, Theme
from batchwright.ui.theme.style import install
from batchwright.ui.widgets import file_dialogs
from batchwright.ui.widgets.accessible import install_interfaces
from tests.screens import use_offscreen
from tests.ui.limited_loop import LimitedLoop

use_offscreen()

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
    """The light look at 100 %, without motion; whatever a test changes is put back."""
    yield _installed
    _installed.set_color_scheme(ColorSchemePreference.LIGHT)
    _installed.set_text_size(100)


@pytest.fixture
def moving(theme: Theme) -> Iterator[None]:
    """Things may slide and fade."""
    theme.set_animations_enabled(True)
    yield
    theme.set_animations_enabled(False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    """What PySide holds of a layout's item brings the program down once Qt has ended the item."""
    yield
    items = [item for item in getAllValidWrappers() if isinstance(item, (QWidgetItem, QSpacerItem))]
    held = [item.widget() for item in items if not createdByPython(item)]
    assert not held, f"PySide holds layout items of {held}"


@pytest.fixture(autouse=True)
def folder_of_the_last_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test starts with the folder that a dialog of another one has recorded."""
    monkeypatch.setattr(file_dialogs, "_last", file_dialogs._InMemory())


@pytest.fixture
def model() -> ShellState:
    return ShellState(REHEARSAL)


def labelled(text: str) -> Callable[[StageContext], QWidget]:
    """Builds a stage that is one label; only tests have such stages."""
    return lambda _frame: QLabel(text)


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
def window(model: ShellState, stages: list[Stage], settings: Settings) -> Iterator[Window]:
    window = Window(model, stages, settings)
    window.show()
    activate_window(window)
    yield window
    window.force_close()
    window.deleteLater()


@pytest.fixture
def loop(qapp: QApplication) -> Iterator[asyncio.AbstractEventLoop]:
    """Qt's loop as asyncio's; no task and no error may be left over."""
    loop = LimitedLoop(qapp)
    asyncio.set_event_loop(loop)
    errors: list[dict[str, object]] = []
    loop.set_exception_handler(lambda _loop, context: errors.append(context))
    yield loop
    gc.collect()  # whose task failed unheard says so when it ends
    left = [task for task in asyncio.all_tasks(loop) if not task.done()]
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()
    asyncio.set_event_loop(None)
    assert not left
    assert not errors


def activate_window(window: QWidget) -> None:
    """Wait until a window has the keyboard; a screen takes a while for that."""
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)


def focused() -> QWidget:
    """What has the keyboard."""
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


async def until(condition: Callable[[], bool], seconds: float = 5.0) -> None:
    """Wait for a condition, and fail when it does not come."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - Qt state sets no event
            await asyncio.sleep(0.005)
