"""One display and one program for all desktop tests; a window of its own for each."""

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

_PATIENCE = 30.0
_REPOSITORY = Path(__file__).parents[2]


class Program:
    """The process whose windows the tests use, one after the other."""

    def __init__(self, screen: str) -> None:
        self._screen = screen
        self._process: subprocess.Popen[str] | None = None

    def open(self, drawing: str, folder: Path, look: str) -> None:
        """Open a window; in a process begun anew where there is none."""
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.desktop.window_process"],
                cwd=_REPOSITORY,
                env={**os.environ, "DISPLAY": self._screen, "QT_QPA_PLATFORM": "xcb", "QT_SCALE_FACTOR": "1"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        self.ask("open", drawing, str(folder), look)

    def ask(self, name: str, *arguments: object) -> Any:
        """What it answers to a question (`window_process.Host`, `window_process.Witness`)."""
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(BrokenPipeError):  # how it ended is told below
            process.stdin.write(json.dumps([name, *arguments]) + "\n")
            process.stdin.flush()
        if not select.select([process.stdout], [], [], _PATIENCE)[0]:
            process.kill()
        line = process.stdout.readline()
        if not line:
            pytest.fail(f"asked for {name}, the program ended with {self.end()}")
        return json.loads(line)

    def end(self) -> int:
        """End it, if it runs; how its process ended."""
        process, self._process = self._process, None
        if process is None:
            return 0
        with process:
            assert process.stdin is not None
            with suppress(BrokenPipeError):  # it has ended by itself
                process.stdin.close()
            return process.wait(_PATIENCE)


def _comes(condition: Callable[[], object]) -> bool:
    """Wait for something to become true; whether it did."""
    end = time.monotonic() + _PATIENCE
    while not condition():
        if time.monotonic() > end:
            return False
    return True


class Desktop:
    """A window, and the hand that works it."""

    def __init__(self, screen: str, program: Program) -> None:
        self.screen = screen
        self.pointer = Pointer(screen)
        self._program = program

    def ask(self, name: str, *arguments: object) -> Any:
        """What the window answers to a question (`window_process.Witness`)."""
        return self._program.ask(name, *arguments)

    def until(self, condition: Callable[[], object]) -> None:
        """Wait for something to become true."""
        if not _comes(condition):
            text = {name: self.ask(name) for name in ("drawing", "hint", "refusal", "marked", "page")}
            pytest.fail(f"it did not come; the window says {text}")

    def point(self, name: str, *arguments: object, x: float = 0.5, y: float = 0.5) -> tuple[int, int]:
        """A point of something in the window, by the share of its width and height."""
        left, top, width, height = self.ask(name, *arguments)
        return round(left + width * x), round(top + height * y)

    def take(self, at: tuple[int, int]) -> None:
        """Press the button on a point and pull until a drag has begun."""
        self.pointer.go(*at)
        self.pointer.press()
        self.pointer.go(at[0] + 6, at[1] + 14)

    def over(self, at: tuple[int, int], says: str) -> str:
        """Drag to a point, and wait until the window says what release would do, or why nothing.

        With `BATCHWRIGHT_DRAG_PICTURES` naming a folder, a picture is taken there, for people to look at.
        """
        self.until(lambda: says in self._hint_after_stir(at))
        if folder := os.environ.get("BATCHWRIGHT_DRAG_PICTURES"):
            test = os.environ["PYTEST_CURRENT_TEST"].split("::")[-1].split(" ")[0]
            self.until(lambda: self.ask("has_pictures"))
            self.ask("shoot", str(Path(folder) / f"{test}.png"))
        hint: str = self.ask("hint")
        return hint

    def _hint_after_stir(self, at: tuple[int, int]) -> str:
        """What the window says, after the pointer has come to a point and stirred there.

        On a busy computer the source of a drag sends its last place with the next move only.
        """
        self.pointer.go(at[0] + 1, at[1])
        self.pointer.go(*at, steps=1)
        hint: str = self.ask("hint")
        return hint

    def becomes(self, drawing: str) -> None:
        """Wait for the layout to be as drawn."""
        self.until(lambda: self.ask("drawing") == drawing)


SOURCE_AT = (1340, 800)
"""Where the program is from which something is dragged in."""


class Source:
    """Another program, from which something can be dragged."""

    at = (SOURCE_AT[0] + SIDE // 2, SOURCE_AT[1] + SIDE // 2)
    """Where it is taken."""

    def __init__(self, output: IO[str]) -> None:
        self._output = output

    def hears(self, word: str) -> None:
        """Wait until it has said something: a release before it has learned that it may would be in vain."""
        for line in self._output:
            if json.loads(line) == word:
                return
        pytest.fail(f"the source of the drag never said {word}")


@contextmanager
def program_with(window: Desktop, kind: str, what: str) -> Iterator[Source]:
    """Another program, which holds a `url` or a `text`."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.desktop.drag_source", kind, what, *map(str, SOURCE_AT)],
        cwd=_REPOSITORY,
        env={**os.environ, "DISPLAY": window.screen, "QT_QPA_PLATFORM": "xcb", "QT_SCALE_FACTOR": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        source = Source(process.stdout)
        source.hears("shown")
        try:
            yield source
        finally:
            process.stdin.close()
            process.wait(_PATIENCE)


class OpenDesktop(Protocol):
    """Opens a window on a drawn layout."""

    def __call__(self, drawing: str, look: str = "light") -> Desktop:
        """The window, in front and ready for keys."""


@pytest.fixture(scope="session")
def screen() -> Iterator[str]:
    """The display, where there can be one."""
    if not sys.platform.startswith("linux"):
        pytest.skip("a display of its own for a test needs X, which is on Linux only")
    if absent := missing():
        pytest.skip(f"a display of its own needs {', '.join(absent)} (packaging/start.py installs them)")
    with display() as name:
        yield name


@pytest.fixture(scope="session")
def program(screen: str) -> Iterator[Program]:
    """The program whose windows the tests use."""
    program = Program(screen)
    yield program
    assert program.end() == 0


@pytest.fixture
def desktop(screen: str, program: Program, tmp_path: Path) -> Iterator[OpenDesktop]:
    """Opens a window on a drawn layout; it is gone for good after the test."""
    window = Desktop(screen, program)

    def make(drawing: str, look: str = "light") -> Desktop:
        program.open(drawing, tmp_path, look)
        window.until(lambda: window.ask("is_ready"))
        return window

    yield make
    window.pointer.release()
    program.ask("close")
    assert _comes(lambda: program.ask("windows") == 0)
