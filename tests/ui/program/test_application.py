"""The program from its start to its end, in a separate process."""

import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.processes import started

pytestmark = pytest.mark.gui

PROGRAM = """
import asyncio, sys
from dataclasses import dataclass
from pathlib import Path
from PySide6.QtWidgets import QLabel
from batchwright.ui.program.application import OpenWindow, ProgramDependencies, run
from batchwright.ui.shell.stages import Stage
from batchwright.ui.shell.state import ConnectionLabel

@dataclass(frozen=True)
class Said:
    what: str
    remedy: str = ""
    is_bug: bool = False

def describe(error):
    return Said(str(error))

async def opened(opened: OpenWindow) -> None:
    print("opened", [file.name for file in opened.files], flush=True)
    {body}

parts = ProgramDependencies(
    Path(sys.argv[1]),
    ConnectionLabel("This computer", is_live=False),
    lambda model: [Stage("home", "Home", "house", lambda frame: QLabel("home"))],
    describe,
    opened,
)
print("ended", run(parts, [Path(name) for name in sys.argv[2:]]), flush=True)
"""
CLOSES = "asyncio.get_running_loop().call_later(0.05, opened.window.close)"


def start(folder: Path, body: str, *files: str) -> AbstractContextManager["subprocess.Popen[str]"]:
    command = [sys.executable, "-X", "dev", "-W", "error", "-c", PROGRAM.replace("{body}", body)]
    return started([*command, str(folder), *files])


def error_lines(errors: str) -> list[str]:
    """The lines of standard error without the messages of the offscreen platform."""
    own = ("This plugin does not support", "Executing <")
    return [line for line in errors.splitlines() if line and not line.startswith(own)]


def test_the_program_opens_a_window_for_its_files_and_ends_with_it(tmp_path: Path) -> None:
    with start(tmp_path, CLOSES, "a.batchwright") as program:
        output, errors = program.communicate(timeout=60)
    assert output.split("\n")[:2] == ["opened ['a.batchwright']", "ended 0"]
    assert error_lines(errors) == []


def test_closing_the_window_cancels_running_tasks(tmp_path: Path) -> None:
    body = f"opened.context.tasks.start('for ever', asyncio.Event().wait); {CLOSES}"
    with start(tmp_path, body) as program:
        output, errors = program.communicate(timeout=60)
    assert "ended 0" in output
    assert error_lines(errors) == []


def test_the_program_ends_on_sigterm(tmp_path: Path) -> None:
    with start(tmp_path, "pass") as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "opened []\n"
        program.terminate()
        output, errors = program.communicate(timeout=60)
    assert "ended 0" in output
    assert error_lines(errors) == []


def test_a_second_start_opens_its_file_in_the_first_program(tmp_path: Path) -> None:
    with start(tmp_path, "pass") as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "opened []\n"
        with start(tmp_path, "pass", "b.batchwright") as second:
            output, _errors = second.communicate(timeout=60)
            assert output == "ended 0\n"
        assert first.stdout.readline() == "opened ['b.batchwright']\n"
        first.terminate()
        _output, errors = first.communicate(timeout=60)
    assert error_lines(errors) == []


SHOWS = """
    from batchwright.ui.shell.state import DocumentTitle
    if opened.files:
        opened.context.shell.set_document(DocumentTitle("Cats", path=opened.files[0]))
"""


def test_a_second_start_shows_the_window_of_an_open_file(tmp_path: Path) -> None:
    file = str(tmp_path.resolve() / "a.batchwright")
    with start(tmp_path, SHOWS, file) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "opened ['a.batchwright']\n"
        for files in ([file], [file, "b.batchwright"]):
            with start(tmp_path, "pass", *files) as second:
                output, _errors = second.communicate(timeout=60)
                assert output == "ended 0\n"
        assert first.stdout.readline() == "opened ['b.batchwright']\n"
        first.terminate()
        rest, errors = first.communicate(timeout=60)
    assert rest == "ended 0\n"
    assert error_lines(errors) == []


PRINT_STATE = """
    from batchwright.ui.widgets.notices import NoticeSeverity, Notice
    from batchwright.ui.shell.tray import TrayIcon
    TrayIcon.can_show_messages = True
    TrayIcon.show_notice = lambda icon, notice: print("tray", notice.title, flush=True)
    opened.window.notices.show_notice(Notice(NoticeSeverity.SUCCESS, "seen"))
    opened.window.hide()
    while opened.window.isActiveWindow():
        await asyncio.sleep(0.01)
    opened.window.notices.show_notice(Notice(NoticeSeverity.SUCCESS, "unseen"))
    opened.window.show()
    asyncio.get_running_loop().call_later(0.05, opened.window.close)
"""


def test_a_result_in_a_background_window_is_a_tray_notification(tmp_path: Path) -> None:
    with start(tmp_path, PRINT_STATE) as program:
        output, errors = program.communicate(timeout=60)
    assert [line for line in output.splitlines() if line.startswith("tray")] == ["tray unseen"]
    assert error_lines(errors) == []


OPENED_BY_THE_DESKTOP = """
    from PySide6.QtCore import QCoreApplication, QUrl
    from PySide6.QtGui import QFileOpenEvent
    if opened.files:
        asyncio.get_running_loop().call_later(0.05, opened.windows.quit)
    else:
        for target in (QUrl("https://example.org/a"), QUrl.fromLocalFile("/b.batchwright")):
            QCoreApplication.postEvent(QCoreApplication.instance(), QFileOpenEvent(target))
"""


def test_a_file_that_the_desktop_asks_to_open_gets_a_window(tmp_path: Path) -> None:
    with start(tmp_path, OPENED_BY_THE_DESKTOP) as program:
        output, errors = program.communicate(timeout=60)
    assert output.splitlines() == ["opened []", "opened ['b.batchwright']", "ended 0"]
    assert error_lines(errors) == []


PRINT_ICON = f"""
    from PySide6.QtGui import QGuiApplication
    sizes = opened.window.windowIcon().availableSizes()
    print("icon", sorted(size.width() for size in sizes), QGuiApplication.desktopFileName(), flush=True)
    {CLOSES}
"""


def test_the_window_has_the_icon_of_the_program(tmp_path: Path) -> None:
    with start(tmp_path, PRINT_ICON) as program:
        output, _errors = program.communicate(timeout=60)
    assert output.splitlines()[1] == "icon [16, 24, 32, 48, 64, 128, 256] batchwright"
