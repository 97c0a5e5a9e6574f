"""A screen reader, as far as programs can tell: it reads their windows on the accessibility bus (AT-SPI).

Run as `python -m tests.screen_readers` in the session of some programs, it reads all of their windows again
and again, until its standard input ends. Then it prints how many things it has read.
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
"""Where Debian has it; the bus starts it by itself, this is only to see whether it is installed."""

_PATIENCE = 5.0
"""Seconds that a program may take to answer, before what was asked about is passed over."""

_PAUSE_S = 0.05
"""Between one reading of all windows and the next."""

_SCREEN = ("Xvfb", "-screen", "0", "1440x900x24", "-nolisten", "tcp", "-terminate")
_screens: list["subprocess.Popen[bytes]"] = []
"""Those that end by themselves."""

Thing = tuple[str, str]
"""The name of a program on the bus, and the path of something in it."""


def missing() -> list[str]:
    """What is not installed."""
    return [
        *(name for name in PROGRAMS if which(name) is None),
        *([] if LAUNCHER.exists() else ["at-spi2-core"]),
    ]


class NoAnswer(Exception):
    """What was asked about is gone, or its program is busy."""


class Reader:
    """A connection to the accessibility bus of the session."""

    def __init__(self) -> None:
        session = open_dbus_connection("SESSION")
        bus = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus")
        address = session.send_and_get_reply(new_method_call(bus, "GetAddress"), timeout=_PATIENCE).body[0]
        session.close()
        self._bus: DBusConnection = open_dbus_connection(address)

    def close(self) -> None:
        """End the connection."""
        self._bus.close()

    def programs(self) -> list[Thing]:
        """The programs there are."""
        return self.children(("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root"))

    def children(self, thing: Thing) -> list[Thing]:
        """What is directly inside something, in the order in which it is read out."""
        return [(name, path) for name, path in self.ask(thing, "Accessible", "GetChildren")]

    def text(self, thing: Thing, what: str = "Name") -> str:
        """The `Name` or `Description` of something."""
        return str(self._property(thing, "Accessible", what))

    def role(self, thing: Thing) -> str:
        """What something is, as `push button`."""
        return str(self.ask(thing, "Accessible", "GetRoleName"))

    def states(self, thing: Thing) -> set[int]:
        """The numbers of the states (`AtspiStateType`) that something has."""
        low, high = self.ask(thing, "Accessible", "GetState")
        bits = low | high << 32
        return {number for number in range(64) if bits >> number & 1}

    def actions(self, thing: Thing) -> list[str]:
        """The names of what can be done with something."""
        count = self._property(thing, "Action", "NActions")
        return [str(self.ask(thing, "Action", "GetName", "i", number)) for number in range(count)]

    def do(self, thing: Thing, action: str) -> None:
        """Do something by its name."""
        self.ask(thing, "Action", "DoAction", "i", self.actions(thing).index(action))

    def walk(self, thing: Thing) -> Iterator[Thing]:
        """Something and all that is inside it; what goes meanwhile is left out."""
        yield thing
        try:
            inside = self.children(thing)
        except NoAnswer:
            return
        for one in inside:
            yield from self.walk(one)

    def read(self, thing: Thing) -> None:
        """Have something read out: all that a screen reader asks."""
        interfaces = self.ask(thing, "Accessible", "GetInterfaces")
        self.text(thing)
        self.text(thing, "Description")
        self.role(thing)
        self.states(thing)
        if "org.a11y.atspi.Action" in interfaces:
            self.actions(thing)
        if "org.a11y.atspi.Component" in interfaces:
            self.ask(thing, "Component", "GetExtents", "u", 0)
        if "org.a11y.atspi.TableCell" in interfaces:
            self._property(thing, "TableCell", "Position")

    def ask(self, thing: Thing, interface: str, method: str, signature: str = "", *arguments: object) -> Any:
        """What a program answers to a question about something of it.

        Raises:
            NoAnswer: it does not.
        """
        name, path = thing
        address = DBusAddress(path, name, f"org.a11y.atspi.{interface}")
        call = new_method_call(address, method, signature or None, arguments)
        return self._answer(call)

    def _property(self, thing: Thing, interface: str, what: str) -> Any:
        name, path = thing
        address = DBusAddress(path, name, "org.freedesktop.DBus.Properties")
        call = new_method_call(address, "Get", "ss", (f"org.a11y.atspi.{interface}", what))
        return self._answer(call)[1]

    def _answer(self, call: Any) -> Any:
        try:
            reply = self._bus.send_and_get_reply(call, timeout=_PATIENCE)
        except TimeoutError as error:
            raise NoAnswer from error
        if reply.header.message_type is not MessageType.method_return:
            raise NoAnswer(reply.body)
        return reply.body[0] if reply.body else None


@contextmanager
def session(folder: Path) -> Iterator[dict[str, str]]:
    """A screen, and a login session in which a screen reader is about; the variables that programs need.

    The window manager is left out: without one, windows have the keyboard at once. The screen ends with the
    last program on it, and not before: Qt ends a program whose screen has gone.
    """
    with ExitStack() as running:
        run = folder / "run"
        run.mkdir(mode=0o700)
        environment = {**os.environ, "XDG_RUNTIME_DIR": str(run)}
        environment.pop("DISPLAY", None)  # the bus would come to the screen and go, which would end it
        bus = ["dbus-daemon", "--session", "--nofork", "--print-address=1", f"--address=unix:tmpdir={run}"]
        daemon = _start(running, bus, environment, stdout=subprocess.PIPE)
        assert daemon.stdout is not None
        environment["DBUS_SESSION_BUS_ADDRESS"] = daemon.stdout.readline().decode().strip()
        _start_accessibility_bus(environment)
        environment["DISPLAY"] = _open_screen()
        environment |= {"QT_QPA_PLATFORM": "xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}
        yield environment


def _open_screen() -> str:
    """A screen that ends with the last program on it; its name, as `:3`."""
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
    """Qt asks no accessibility bus that has not been started; the session bus starts it for whoever asks."""
    code = "from tests.screen_readers import Reader; Reader().close()"
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, cwd=Path(__file__).parents[1])


@dataclass
class Reading:
    """The reading that goes on beside some programs."""

    process: "subprocess.Popen[str]"

    def end(self) -> int:
        """End it; how many things were read."""
        output, _errors = self.process.communicate(timeout=60)
        return int(output)


def read_along(environment: dict[str, str]) -> Reading:
    """Read all windows of a session, again and again."""
    command = [sys.executable, "-m", "tests.screen_readers"]
    folder = Path(__file__).parents[1]
    pipe = subprocess.PIPE
    return Reading(subprocess.Popen(command, cwd=folder, env=environment, stdin=pipe, stdout=pipe, text=True))


@dataclass
class _Endless:
    """What reads; `count` is how many things it has read."""

    count: int = 0

    def read_for_ever(self) -> None:
        reader = Reader()
        while True:
            for thing in _all(reader):
                try:
                    reader.read(thing)
                    self.count += 1
                except NoAnswer:
                    continue
            time.sleep(_PAUSE_S)


def main() -> None:
    """Read until standard input ends, and end at once: by then nobody may be there to answer."""
    reader = _Endless()
    reading = threading.Thread(target=reader.read_for_ever, daemon=True)
    reading.start()
    sys.stdin.read()
    if not reading.is_alive():
        sys.exit("The reading has failed.")
    print(reader.count, flush=True)


def _all(reader: Reader) -> Iterator[Thing]:
    try:
        programs = reader.programs()
    except NoAnswer:
        return
    for program in programs:
        yield from reader.walk(program)


if __name__ == "__main__":
    main()
