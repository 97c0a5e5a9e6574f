"""One display and one program for all desktop tests, and a separate window for each test."""

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Protocol

import pytest

from tests.desktop.display import Pointer, display, missing
from tests.desktop.drag_source import SIDE

_TIMEOUT_S = 30.0
_REPOSITORY = Path(__file__).parents[2]


class DriverProcess:
    """The process whose windows the tests use, one at a time."""

    def __init__(self, screen: str) -> None:
        self._screen = screen
        self._process: subprocess.Popen[str] | None = None

    def open(self, drawing: str, folder: Path, scheme: str) -> None:
        """Open a window, and start the process first if it is not running."""
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.desktop.window_process"],
                cwd=_REPOSITORY,
                env={**os.environ, "DISPLAY": self._screen, "QT_QPA_PLATFORM": "xcb", "QT_SCALE_FACTOR": "1"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        self.call("open", drawing, str(folder), scheme)

    def call(self, name: str, *arguments: object) -> Any:
        """Call a method of `window_process.CommandHandler` or `window_process.WindowDriver`."""
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(BrokenPipeError):  # its exit code is reported below
            process.stdin.write(json.dumps([name, *arguments]) + "\n")
            process.stdin.flush()
        if not select.select([process.stdout], [], [], _TIMEOUT_S)[0]:
            process.kill()
        line = process.stdout.readline()
        if not line:
            pytest.fail(f"at the call of {name}, the program ended with {self.end()}")
        return json.loads(line)

    def end(self) -> int:
        """End the process if it is running; return its exit code."""
        process, self._process = self._process, None
        if process is None:
            return 0
        with process:
            assert process.stdin is not None
            with suppress(BrokenPipeError):  # it has already ended
                process.stdin.close()
            return process.wait(_TIMEOUT_S)


def _wait_until(condition: Callable[[], object]) -> bool:
    """Wait until a condition is true; return whether it became true in time."""
    end = time.monotonic() + _TIMEOUT_S
    while not condition():
        if time.monotonic() > end:
            return False
    return True


class DesktopWindow:
    """A window, operated with a real pointer and keyboard."""

    def __init__(self, screen: str, program: DriverProcess) -> None:
        self.screen = screen
        self.pointer = Pointer(screen)
        self._program = program

    def call(self, name: str, *arguments: object) -> Any:
        """Call a method of `window_process.WindowDriver`."""
        return self._program.call(name, *arguments)

    def until(self, condition: Callable[[], object]) -> None:
        """Wait until a condition is true; fail with the state of the window after the timeout."""
        if not _wait_until(condition):
            text = {
                name: self.call(name)
                for name in ("drawing", "hint", "rejection_hint", "has_drop_indicator", "page")
            }
            pytest.fail(f"timed out; the state of the window is {text}")

    def point(self, name: str, *arguments: object, x: float = 0.5, y: float = 0.5) -> tuple[int, int]:
        """A point of a rectangle of the window, as fractions of its width and height."""
        left, top, width, height = self.call(name, *arguments)
        return round(left + width * x), round(top + height * y)

    def start_drag(self, at: tuple[int, int]) -> None:
        """Press the mouse button on a point and move the pointer until a drag has started."""
        self.pointer.move_to(*at)
        self.pointer.press()
        self.pointer.move_to(at[0] + 6, at[1] + 14)

    def drag_over(self, at: tuple[int, int], expected: str) -> str:
        """Drag to a point, and wait until the hint of the window contains the expected text.

        If `BATCHWRIGHT_DRAG_PICTURES` names a folder, a screenshot is saved there.
        """
        self.until(lambda: expected in self._hint_after_move(at))
        if folder := os.environ.get("BATCHWRIGHT_DRAG_PICTURES"):
            test = os.environ["PYTEST_CURRENT_TEST"].split("::")[-1].split(" ")[0]
            self.until(lambda: self.call("thumbnails_are_rendered"))
            self.call("take_screenshot", str(Path(folder) / f"{test}.png"))
        hint: str = self.call("hint")
        return hint

    def _hint_after_move(self, at: tuple[int, int]) -> str:
        """Move the pointer to a point and once more within it; return the hint of the window.

        On a busy computer the source of a drag sends its last position only with the next move.
        """
        self.pointer.move_to(at[0] + 1, at[1])
        self.pointer.move_to(*at, steps=1)
        hint: str = self.call("hint")
        return hint

    def wait_for_layout(self, drawing: str) -> None:
        """Wait until the layout equals the drawing."""
        self.until(lambda: self.call("drawing") == drawing)


SOURCE_POSITION = (1340, 800)
"""The position of the program to drag from."""


class DragSource:
    """Another program to drag from."""

    at = (SOURCE_POSITION[0] + SIDE // 2, SOURCE_POSITION[1] + SIDE // 2)
    """The point where drags start."""

    def __init__(self, output: IO[str]) -> None:
        self._output = output

    def wait_for_report(self, word: str) -> None:
        """Wait until the program has reported a word; a drop before it knows its action has no effect."""
        for line in self._output:
            if json.loads(line) == word:
                return
        pytest.fail(f"the source of the drag never reported {word}")


@contextmanager
def program_to_drag_from(window: DesktopWindow, kind: str, content: str) -> Iterator[DragSource]:
    """Start another program with a `url` or a `text` to drag."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.desktop.drag_source", kind, content, *map(str, SOURCE_POSITION)],
        cwd=_REPOSITORY,
        env={**os.environ, "DISPLAY": window.screen, "QT_QPA_PLATFORM": "xcb", "QT_SCALE_FACTOR": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        source = DragSource(process.stdout)
        source.wait_for_report("shown")
        try:
            yield source
        finally:
            process.stdin.close()
            process.wait(_TIMEOUT_S)


class OpenDesktopWindow(Protocol):
    """Opens a window with a drawn layout."""

    def __call__(self, drawing: str, scheme: str = "light") -> DesktopWindow:
        """The active window."""


@pytest.fixture(scope="session")
def screen() -> Iterator[str]:
    """The name of the display; skip the test if there can be none."""
    if not sys.platform.startswith("linux"):
        pytest.skip("a separate display needs X, which is available on Linux only")
    if absent := missing():
        pytest.skip(f"a separate display needs {', '.join(absent)} (packaging/start.py installs them)")
    with display() as name:
        yield name


@pytest.fixture(scope="session")
def program(screen: str) -> Iterator[DriverProcess]:
    """The program whose windows the tests use."""
    program = DriverProcess(screen)
    yield program
    assert program.end() == 0


@pytest.fixture
def open_window(screen: str, program: DriverProcess, tmp_path: Path) -> Iterator[OpenDesktopWindow]:
    """A function that opens a window with a drawn layout; the window is deleted after the test."""
    window = DesktopWindow(screen, program)

    def create(drawing: str, scheme: str = "light") -> DesktopWindow:
        program.open(drawing, tmp_path, scheme)
        window.until(lambda: window.call("is_ready"))
        return window

    yield create
    window.pointer.release()
    program.call("close")
    assert _wait_until(lambda: program.call("windows") == 0)
