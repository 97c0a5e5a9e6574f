"""A separate display (Xvfb) with a window manager, and its pointer and keyboard."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from shutil import which

PROGRAMS = ("Xvfb", "openbox", "xdotool")


def missing() -> list[str]:
    """The programs that are not installed."""
    return [program for program in PROGRAMS if which(program) is None]


@contextmanager
def display() -> Iterator[str]:
    """Start a display of 1440 by 900 pixels; yield its name, such as `:3`."""
    reads, writes = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writes), "-screen", "0", "1440x900x24", "-nolisten", "tcp"],
        pass_fds=(writes,),
        stderr=subprocess.DEVNULL,
    )
    os.close(writes)
    with os.fdopen(reads) as output:
        name = ":" + output.readline().strip()
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
    """The pointer and keyboard of a display; the pointer moves in steps."""

    def __init__(self, display: str) -> None:
        self._environment = {**os.environ, "DISPLAY": display}
        self._at = (0, 0)

    def move_to(self, x: int, y: int, steps: int = 8) -> None:
        """Move the pointer to a point in a straight line."""
        from_x, from_y = self._at
        moves: list[str] = []
        for step in range(1, steps + 1):
            fraction = step / steps
            at = round(from_x + (x - from_x) * fraction), round(from_y + (y - from_y) * fraction)
            moves += ["mousemove", str(at[0]), str(at[1]), "sleep", "0.02"]
        self._xdotool(*moves)
        self._at = (x, y)

    def press(self) -> None:
        """Press the left mouse button."""
        self._xdotool("mousedown", "1")

    def release(self) -> None:
        """Release the left mouse button."""
        self._xdotool("mouseup", "1")

    def hold_key(self, key: str) -> None:
        """Hold a key down."""
        self._xdotool("keydown", key)

    def release_key(self, key: str) -> None:
        """Release a key."""
        self._xdotool("keyup", key)

    def press_key(self, key: str) -> None:
        """Press and release a key."""
        self._xdotool("key", key)

    def _xdotool(self, *arguments: str) -> None:
        subprocess.run(["xdotool", *arguments], env=self._environment, check=True)
