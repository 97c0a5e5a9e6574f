"""Secrets in a real Secret Service: open, locked, and none at all, each in a session of its own."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest

PROGRAMS = ("dbus-daemon", "gnome-keyring-daemon")
MISSING = [name for name in PROGRAMS if shutil.which(name) is None]

needs_programs = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")

IS_THERE = """
import secretstorage
print(secretstorage.check_service_availability(secretstorage.dbus_init()))
"""

KEEP = """
import asyncio
from batchwright.local.secrets import NoKeyRing, Secrets

async def keep():
    secrets = Secrets()
    try:
        await secrets.set("hosted", "canary")
        print(await secrets.get("hosted"))
        await secrets.remove("hosted")
        print(await secrets.get("hosted"))
    except NoKeyRing as error:
        print(error.why.name)

asyncio.run(keep())
"""


@dataclass
class Session:
    """A login session of nobody: a home of its own, and a bus if one was started."""

    home: Path
    running: ExitStack = field(default_factory=ExitStack)
    environment: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        runtime = self.home / "run"
        runtime.mkdir(mode=0o700, exist_ok=True)
        self.environment = {
            "HOME": str(self.home),
            "XDG_RUNTIME_DIR": str(runtime),
            "PATH": os.environ["PATH"],
        }

    def start_bus(self) -> None:
        """Start a message bus."""
        address = f"--address=unix:tmpdir={self.environment['XDG_RUNTIME_DIR']}"
        bus = self._start("dbus-daemon", "--session", "--nofork", "--print-address=1", address)
        assert bus.stdout
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().decode().strip()

    def unlock(self, password: bytes) -> None:
        """Start the key ring, opened with a password; a fresh one takes it as its own."""
        daemon = self._start("gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets")
        assert daemon.stdin
        daemon.stdin.write(password)
        daemon.stdin.close()
        while not self.run(IS_THERE).startswith("True"):
            assert daemon.poll() is None

    def run(self, script: str) -> str:
        """What a Python script says in this session."""
        done = subprocess.run(
            [sys.executable, "-c", script],
            env=self.environment,
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        return done.stdout

    def _start(self, *command: str) -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(
            command,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.running.enter_context(process)
        self.running.callback(process.terminate)
        return process


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """A session without a bus."""
    session = Session(tmp_path)
    with session.running:
        yield session


def test_without_a_bus_there_is_no_key_ring(session: Session) -> None:
    assert session.run(KEEP).split() == ["ABSENT"]


@pytest.mark.keyring
@needs_programs
def test_a_real_key_ring_keeps_and_forgets_a_secret(session: Session) -> None:
    session.start_bus()
    session.unlock(b"right")
    assert session.run(KEEP).split() == ["canary", "None"]


@pytest.mark.keyring
@needs_programs
def test_a_key_ring_of_another_password_is_locked(tmp_path: Path) -> None:
    for password, expected in ((b"right", ["canary", "None"]), (b"wrong", ["LOCKED"])):
        session = Session(tmp_path)
        with session.running:
            session.start_bus()
            session.unlock(password)
            assert session.run(KEEP).split() == expected


@pytest.mark.keyring
@needs_programs
def test_a_bus_without_a_key_ring_keeps_nothing(session: Session) -> None:
    session.start_bus()
    assert session.run(KEEP).split() in (["ABSENT"], ["LOCKED"])
