"""One display for all desktop tests; a window of its own for each."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Protocol

import pytest

from tests.desktop.display import Pointer, display, missing
from tests.desktop.drag_source import SIDE

_PATIENCE = 10.0
_REPOSITORY = Path(__file__).parents[2]


class Desktop:
    """A window in a process of its own, and the hand that works it."""

    def __init__(self, screen: str, drawing: str, folder: Path, look: str) -> None:
        self.screen = screen
        self.pointer = Pointer(screen)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.desktop.window_process", drawing, str(folder), look],
            cwd=_REPOSITORY,
            env={**os.environ, "DISPLAY": screen, "QT_QPA_PLATFORM": "xcb", "QT_SCALE_FACTOR": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._read()

    def ask(self, name: str, *arguments: object) -> Any:
        """What the window answers to a question (`window_process.Witness`)."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([name, *arguments]) + "\n")
        self._process.stdin.flush()
        return self._read()

    def until(self, condition: Callable[[], object]) -> None:
        """Wait for something to become true."""
        end = time.monotonic() + _PATIENCE
        while not condition():
            if time.monotonic() > end:
                said = {name: self.ask(name) for name in ("drawing", "hint", "refusal", "marked", "page")}
                pytest.fail(f"it did not come; the window says {said}")

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
        self.pointer.go(*at)
        hint: str = self.ask("hint")
        return hint

    def becomes(self, drawing: str) -> None:
        """Wait for the layout to be as drawn."""
        self.until(lambda: self.ask("drawing") == drawing)

    def end(self) -> int:
        """Close the window; how its process ended."""
        with self._process as process:
            assert process.stdin is not None
            process.stdin.close()
            return process.wait(_PATIENCE)

    def _read(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, f"the window ended with {self._process.wait(10)}"
        return json.loads(line)


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


class MakeDesktop(Protocol):
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


@pytest.fixture
def desktop(screen: str, tmp_path: Path) -> Iterator[MakeDesktop]:
    """Opens a window on a drawn layout."""
    opened: list[Desktop] = []

    def make(drawing: str, look: str = "light") -> Desktop:
        window = Desktop(screen, drawing, tmp_path, look)
        opened.append(window)
        window.until(lambda: window.ask("is_ready"))
        return window

    yield make
    for one in opened:
        one.pointer.release()
        assert one.end() == 0
