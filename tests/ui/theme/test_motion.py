"""The reduced-motion setting of the desktop, read over a real message bus."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("dbus-daemon") is None, reason="needs a message bus"
)

READ = """
import asyncio
from PySide6.QtCore import QCoreApplication
import qasync
from batchwright.ui.theme.motion import system_animations_enabled

app = QCoreApplication([])
print(qasync.run(system_animations_enabled()))
"""

PORTAL = """
import json, sys
from jeepney import HeaderFields, MessageType, new_error, new_method_return
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

settings = json.loads(sys.argv[1])
bus = open_dbus_connection("SESSION")
bus.send_and_get_reply(message_bus.RequestName("org.freedesktop.portal.Desktop"))
print("ready", flush=True)
while True:
    request = bus.receive()
    if request.header.message_type is not MessageType.method_call:
        continue
    found = settings.get(" ".join(request.body))
    if found is None:
        reply = new_error(request, "org.freedesktop.portal.Error.NotFound", "s", ("no such setting",))
    else:
        reply = new_method_return(request, "v", (("v", tuple(found)),))
    bus.send(reply)
"""


class Session:
    """A login session with a message bus and a desktop with settings."""

    def __init__(self, folder: Path, running: ExitStack) -> None:
        self._running = running
        self._environment = {**os.environ, "XDG_RUNTIME_DIR": str(folder), "QT_QPA_PLATFORM": "offscreen"}
        self._environment.pop("DBUS_SESSION_BUS_ADDRESS", None)
        self._folder = folder

    def start_bus(self) -> None:
        address = f"--address=unix:tmpdir={self._folder}"
        text = self._start("dbus-daemon", "--session", "--nofork", "--print-address=1", address)
        self._environment["DBUS_SESSION_BUS_ADDRESS"] = text

    def start_desktop(self, settings: dict[str, tuple[str, object]]) -> None:
        assert self._start(sys.executable, "-c", PORTAL, json.dumps(settings)) == "ready"

    def animations_enabled(self) -> bool:
        command = [sys.executable, "-c", READ]
        done = subprocess.run(
            command, env=self._environment, capture_output=True, text=True, check=True, timeout=60
        )
        return {"True": True, "False": False}[done.stdout.strip()]

    def _start(self, *command: str) -> str:
        process = subprocess.Popen(
            command, env=self._environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self._running.enter_context(process)
        self._running.callback(process.terminate)
        assert process.stdout is not None
        return process.stdout.readline().strip()


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with ExitStack() as running:
        yield Session(tmp_path, running)


def test_without_a_bus_animations_are_enabled(session: Session) -> None:
    assert session.animations_enabled()


def test_without_a_settings_portal_animations_are_enabled(session: Session) -> None:
    session.start_bus()
    assert session.animations_enabled()


@pytest.mark.parametrize(
    ("settings", "animations_enabled"),
    [
        ({}, True),
        ({"org.freedesktop.appearance reduced-motion": ("u", 1)}, False),
        ({"org.freedesktop.appearance reduced-motion": ("u", 0)}, True),
        ({"org.gnome.desktop.interface enable-animations": ("b", False)}, False),
        ({"org.gnome.desktop.interface enable-animations": ("b", True)}, True),
        ({"org.kde.kdeglobals.KDE AnimationDurationFactor": ("s", "0")}, False),
        (
            {
                "org.gnome.desktop.interface enable-animations": ("b", True),
                "org.kde.kdeglobals.KDE AnimationDurationFactor": ("s", "0"),
            },
            False,
        ),
    ],
)
def test_animations_follow_the_setting_of_the_desktop(
    session: Session, settings: dict[str, tuple[str, object]], animations_enabled: bool
) -> None:
    session.start_bus()
    session.start_desktop(settings)
    assert session.animations_enabled() is animations_enabled
