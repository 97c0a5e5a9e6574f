"""A minimal screen reader: it reads the windows of programs over the accessibility bus (AT-SPI).

`python -m tests.screen_readers` reads all windows of the session repeatedly until its standard input ends;
then it prints the number of accessible objects that it has read.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import Any

from jeepney import DBusAddress, MessageType, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection

PROGRAMS = ("dbus-daemon", "Xvfb")
LAUNCHER = Path("/usr/libexec/at-spi-bus-launcher")
"""Its path on Debian, to check that it is installed; the bus starts it."""

_TIMEOUT_S = 5.0
"""Seconds to wait for a reply before the object is skipped."""

_MAX_CHILDREN = 20_000
"""The largest number of children that are asked for at once."""

_SHORTEST_PAUSE_S = 0.1
"""Seconds between two readings of all windows."""

_READING_SHARE = 0.1
"""The largest part of the time in which windows are read, so that they get their turn."""

_SCREEN = ("Xvfb", "-screen", "0", "1440x900x24", "-nolisten", "tcp", "-terminate")
_screens: list["subprocess.Popen[bytes]"] = []
"""Displays that end when their last program ends."""

AccessibleRef = tuple[str, str]
"""The bus name of a program, and the object path of an accessible object in it."""


def missing() -> list[str]:
    """The packages that are not installed."""
    return [
        *(name for name in PROGRAMS if which(name) is None),
        *([] if LAUNCHER.exists() else ["at-spi2-core"]),
    ]


class NoReply(Exception):
    """The object no longer exists, or its program does not respond."""


class Reader:
    """A connection to the accessibility bus of the session."""

    def __init__(self) -> None:
        session = open_dbus_connection("SESSION")
        bus = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus")
        address = session.send_and_get_reply(new_method_call(bus, "GetAddress"), timeout=_TIMEOUT_S).body[0]
        session.close()
        self._bus: DBusConnection = open_dbus_connection(address)

    def close(self) -> None:
        """End the connection."""
        self._bus.close()

    def programs(self) -> list[AccessibleRef]:
        """The programs on the bus."""
        return self.children(("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root"))

    def children(self, ref: AccessibleRef) -> list[AccessibleRef]:
        """The children of an object in reading order."""
        return [(name, path) for name, path in self.ask(ref, "Accessible", "GetChildren")]

    def text(self, ref: AccessibleRef, what: str = "Name") -> str:
        """The `Name` or `Description` of an object."""
        return str(self._property(ref, "Accessible", what))

    def role(self, ref: AccessibleRef) -> str:
        """The role of an object, such as `push button`."""
        return str(self.ask(ref, "Accessible", "GetRoleName"))

    def states(self, ref: AccessibleRef) -> set[int]:
        """The states of an object as numbers of `AtspiStateType`."""
        low, high = self.ask(ref, "Accessible", "GetState")
        bits = low | high << 32
        return {number for number in range(64) if bits >> number & 1}

    def actions(self, ref: AccessibleRef) -> list[str]:
        """The names of the actions of an object."""
        count = self._property(ref, "Action", "NActions")
        return [str(self.ask(ref, "Action", "GetName", "i", number)) for number in range(count)]

    def do(self, ref: AccessibleRef, action: str) -> None:
        """Invoke an action by its name."""
        self.ask(ref, "Action", "DoAction", "i", self.actions(ref).index(action))

    def walk(self, ref: AccessibleRef) -> Iterator[AccessibleRef]:
        """Yield an object and its descendants; objects that disappear meanwhile are skipped.

        Like screen readers, it does not ask a large table for all its cells.
        """
        yield ref
        try:
            if self._property(ref, "Accessible", "ChildCount") > _MAX_CHILDREN:
                return
            children = self.children(ref)
        except NoReply:
            return
        for child in children:
            yield from self.walk(child)

    def read(self, ref: AccessibleRef) -> None:
        """Request everything of an object that a screen reader requests."""
        interfaces = self.ask(ref, "Accessible", "GetInterfaces")
        self.text(ref)
        self.text(ref, "Description")
        self.role(ref)
        self.states(ref)
        if "org.a11y.atspi.Action" in interfaces:
            self.actions(ref)
        if "org.a11y.atspi.Component" in interfaces:
            self.ask(ref, "Component", "GetExtents", "u", 0)
        if "org.a11y.atspi.TableCell" in interfaces:
            self._property(ref, "TableCell", "Position")

    def ask(
        self, ref: AccessibleRef, interface: str, method: str, signature: str = "", *arguments: object
    ) -> Any:
        """Call a method of an object and return its first result.

        Raises:
            NoReply: the call failed.
        """
        name, path = ref
        address = DBusAddress(path, name, f"org.a11y.atspi.{interface}")
        call = new_method_call(address, method, signature or None, arguments)
        return self._answer(call)

    def _property(self, ref: AccessibleRef, interface: str, what: str) -> Any:
        name, path = ref
        address = DBusAddress(path, name, "org.freedesktop.DBus.Properties")
        call = new_method_call(address, "Get", "ss", (f"org.a11y.atspi.{interface}", what))
        return self._answer(call)[1]

    def _answer(self, call: Any) -> Any:
        try:
            reply = self._bus.send_and_get_reply(call, timeout=_TIMEOUT_S)
        except TimeoutError as error:
            raise NoReply from error
        if reply.header.message_type is not MessageType.method_return:
            raise NoReply(reply.body)
        return reply.body[0] if reply.body else None


@contextmanager
def session(folder: Path) -> Iterator[dict[str, str]]:
    """Start a display and a session bus with accessibility; yield the environment for programs in it.

    There is no window manager: without one, windows get the keyboard focus at once. The display ends after
    its last program, because Qt ends a program that loses its display.
    """
    with ExitStack() as running:
        run = folder / "run"
        run.mkdir(mode=0o700)
        environment = {**os.environ, "XDG_RUNTIME_DIR": str(run)}
        environment.pop(
            "DISPLAY", None
        )  # the bus would connect to the display and disconnect, which would end it
        bus = ["dbus-daemon", "--session", "--nofork", "--print-address=1", f"--address=unix:tmpdir={run}"]
        daemon = _start(running, bus, environment, stdout=subprocess.PIPE)
        assert daemon.stdout is not None
        environment["DBUS_SESSION_BUS_ADDRESS"] = daemon.stdout.readline().decode().strip()
        _start_accessibility_bus(environment)
        environment["DISPLAY"] = _open_screen()
        environment |= {"QT_QPA_PLATFORM": "xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}
        yield environment


def _open_screen() -> str:
    """Start a display that ends with its last program; return its name, such as `:3`."""
    reads, writes = os.pipe()
    command = [*_SCREEN, "-displayfd", str(writes)]
    _screens.append(subprocess.Popen(command, stderr=subprocess.DEVNULL, pass_fds=(writes,)))
    os.close(writes)
    with os.fdopen(reads) as answer:
        return ":" + answer.readline().strip()


def _start(
    running: ExitStack, command: list[str], environment: dict[str, str], **further: Any
) -> "subprocess.Popen[bytes]":
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL, **further)
    running.enter_context(process)
    running.callback(process.terminate)
    return process


def _start_accessibility_bus(environment: dict[str, str]) -> None:
    """Make the session bus start the accessibility bus; Qt does not use one that is not running."""
    code = "from tests.screen_readers import Reader; Reader().close()"
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, cwd=Path(__file__).parents[1])


@dataclass
class Reading:
    """A screen reader running in a child process."""

    process: "subprocess.Popen[str]"

    def end(self) -> int:
        """End it and return the number of objects it has read."""
        output, _errors = self.process.communicate(timeout=60)
        return int(output)


def read_along(environment: dict[str, str]) -> Reading:
    """Start reading all windows of a session repeatedly."""
    command = [sys.executable, "-m", "tests.screen_readers"]
    folder = Path(__file__).parents[1]
    pipe = subprocess.PIPE
    return Reading(subprocess.Popen(command, cwd=folder, env=environment, stdin=pipe, stdout=pipe, text=True))


@dataclass
class _ReaderLoop:
    """Reads all windows repeatedly; `count` is the number of objects read."""

    count: int = 0

    def run(self) -> None:
        reader = Reader()
        while True:
            started_at = time.monotonic()
            for ref in _all(reader):
                try:
                    reader.read(ref)
                    self.count += 1
                except NoReply:
                    continue
            reading_s = time.monotonic() - started_at
            time.sleep(max(_SHORTEST_PAUSE_S, reading_s * (1 / _READING_SHARE - 1)))


def main() -> None:
    """Read until standard input ends; the thread is not joined, because its program may no longer respond."""
    reader = _ReaderLoop()
    reading = threading.Thread(target=reader.run, daemon=True)
    reading.start()
    sys.stdin.read()
    if not reading.is_alive():
        sys.exit("The screen reader has failed.")
    print(reader.count, flush=True)


def _all(reader: Reader) -> Iterator[AccessibleRef]:
    try:
        programs = reader.programs()
    except NoReply:
        return
    for program in programs:
        yield from reader.walk(program)


if __name__ == "__main__":
    main()
