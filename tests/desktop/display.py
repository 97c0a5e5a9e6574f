"""A display of its own (Xvfb) with a window manager, and its one pointer and keyboard (facts.md 4)."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from shutil import which

PROGRAMS = ("Xvfb", "openbox", "xdotool")


def missing() -> list[str]:
    """What is not installed."""
    return [program for program in PROGRAMS if which(program) is None]


@contextmanager
def display() -> Iterator[str]:
    """A free display of 1440 by 900; its name, as `:3`. What runs on it ends with it."""
    reads, writes = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writes), "-screen", "0", "1440x900x24", "-nolisten", "tcp"],
        pass_fds=(writes,),
        stderr=subprocess.DEVNULL,
    )
    os.close(writes)
    with os.fdopen(reads) as answer:
        name = ":" + answer.readline().strip()
    manager = subprocess.Popen(
        ["openbox"], env={**os.environ, "DISPLAY": name}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield name
    finally:
        for process in (manager, server):
            process.terminate()
            process.wait(10)


class Pointer:
    """The pointer and the keys of a display, moved as a hand would: in steps."""

    def __init__(self, display: str) -> None:
        self._environment = {**os.environ, "DISPLAY": display}
        self._at = (0, 0)

    def go(self, x: int, y: int, steps: int = 8) -> None:
        """Go there in a straight line."""
        from_x, from_y = self._at
        moves: list[str] = []
        for step in range(1, steps + 1):
            part = step / steps
            at = round(from_x + (x - from_x) * part), round(from_y + (y - from_y) * part)
            moves += ["mousemove", str(at[0]), str(at[1]), "sleep", "0.02"]
        self._do(*moves)
        self._at = (x, y)

    def press(self) -> None:
        """Hold the left button down."""
        self._do("mousedown", "1")

    def release(self) -> None:
        """Let the left button go."""
        self._do("mouseup", "1")

    def hold(self, key: str) -> None:
        """Hold a key down."""
        self._do("keydown", key)

    def let_go(self, key: str) -> None:
        """Let a key go."""
        self._do("keyup", key)

    def strike(self, key: str) -> None:
        """Press a key and let it go."""
        self._do("key", key)

    def _do(self, *what: str) -> None:
        subprocess.run(["xdotool", *what], env=self._environment, check=True)
