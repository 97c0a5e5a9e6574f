"""Login sessions with a message bus and a key ring of their own (Debian: gnome-keyring, dbus)."""

import os
import shutil
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest

PROGRAMS = ("dbus-daemon", "gnome-keyring-daemon")
MISSING = [name for name in PROGRAMS if shutil.which(name) is None]

needs_programs = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")

BARE_BUS = """
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir={folder}</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""
"""A bus that starts no services by itself, unlike that of a desktop."""

CHECK_AVAILABILITY = """
import secretstorage
print(secretstorage.check_service_availability(secretstorage.dbus_init()))
"""


@dataclass
class Session:
    """A login session with its own home folder, and a message bus if one was started."""

    home: Path
    running: ExitStack = field(default_factory=ExitStack)
    environment: dict[str, str] = field(default_factory=dict)
    _ring: "subprocess.Popen[bytes]" = field(init=False, repr=False)

    def __post_init__(self) -> None:
        runtime = self.home / "run"
        runtime.mkdir(mode=0o700, exist_ok=True)
        self.environment = {
            "HOME": str(self.home),
            "XDG_RUNTIME_DIR": str(runtime),
            "PATH": os.environ["PATH"],
        }

    def start_bus(self) -> None:
        """Start a message bus that starts the key ring on demand."""
        self._start_bus("--session", f"--address=unix:tmpdir={self.environment['XDG_RUNTIME_DIR']}")

    def start_bare_bus(self) -> None:
        """Start a message bus that does not start a key ring by itself."""
        rules = self.home / "bus.conf"
        rules.write_text(BARE_BUS.format(folder=self.environment["XDG_RUNTIME_DIR"]), encoding="utf-8")
        self._start_bus(f"--config-file={rules}")

    def _start_bus(self, *options: str) -> None:
        bus = self.start("dbus-daemon", "--nofork", "--print-address=1", *options)
        assert bus.stdout
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().decode().strip()

    def unlock(self, password: bytes) -> None:
        """Start the key ring and unlock it with a password, which a new key ring adopts."""
        self._ring = daemon = self.start(
            "gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"
        )
        assert daemon.stdin
        daemon.stdin.write(password)
        daemon.stdin.close()
        while not self.run(CHECK_AVAILABILITY).startswith("True"):
            assert daemon.poll() is None

    def lock(self) -> None:
        """End the key ring; it starts again locked on demand, or unlocked by `unlock`."""
        self._ring.terminate()
        self._ring.wait(30)

    def run(self, script: str) -> str:
        """Run a Python script in this session; its output."""
        process = subprocess.run(
            [sys.executable, "-c", script],
            env=self.environment,
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        return process.stdout

    def start(self, *command: str) -> "subprocess.Popen[bytes]":
        """Start a program in this session, which ends with it."""
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
