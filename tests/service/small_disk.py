"""A service whose data folder is on a small disk that can be filled."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from batchwright.base.environment import SERVICE_TOKEN
from batchwright.service.process import ServiceAddress
from tests.service.api_helpers import Researcher
from tests.service.command import ready_message

MEGABYTE = 1024 * 1024

_ON_DISK = 'mount -t tmpfs -o "$1,mode=0700" tmpfs "$2" && shift 2 && exec "$@"'


def on_disk(folder: Path, options: str, *arguments: str) -> list[str]:
    """The command that serves a folder on its own disk, in a mount namespace; needs no privileges."""
    return alone_on_disk(folder, options, "batchwright", "serve", "--data-dir", str(folder), *arguments)


def alone_on_disk(folder: Path, options: str, module: str, *arguments: str) -> list[str]:
    """The command that runs a module with a folder on its own disk."""
    run = [sys.executable, "-m", module, *arguments]
    return ["unshare", "--map-root-user", "--mount", "sh", "-c", _ON_DISK, "sh", options, str(folder), *run]


def fill(ballast: Path, free: int = 0) -> None:
    """Fill a disk with one file, except for this number of bytes."""
    with ballast.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(MEGABYTE)):
                pass
        except OSError:
            file.truncate(max(0, file.tell() - free))


def _has_disks() -> bool:
    command = ["unshare", "--map-root-user", "--mount", "sh", "-c", "mount -t tmpfs tmpfs /mnt"]
    return (
        shutil.which("unshare") is not None and subprocess.run(command, capture_output=True).returncode == 0
    )


needs_disks = pytest.mark.skipif(
    not _has_disks(), reason="makes disks by `unshare`, which is not allowed here"
)


class SmallDisk:
    """The disk of a running service."""

    def __init__(self, running: ServiceAddress, folder: Path, log: Path) -> None:
        self.researcher = Researcher(running)
        self._folder = folder
        self._ballast = folder / "ballast"
        self._log = log

    def fill(self, free: int = 0) -> None:
        """Fill the disk except for this number of bytes."""
        fill(self._ballast, free)

    def free_space(self) -> None:
        """Delete the file that fills the disk."""
        self._ballast.unlink()

    @property
    def blobs(self) -> set[str]:
        """The files on it, including partly received ones."""
        return {str(file) for file in (self._folder / "blobs").rglob("*") if file.is_file()}

    @property
    def log(self) -> str:
        """The log of the service."""
        return self._log.read_text(encoding="utf-8")


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[SmallDisk]:
    """A service on a disk of this size, mounted in a namespace of its own."""
    data, log = folder / "data", folder / "log"
    data.mkdir()
    command = on_disk(data, f"size={megabytes}m", "--with-parent")
    with (
        log.open("wb") as errors,
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env={**os.environ, SERVICE_TOKEN: "canary"},
        ) as process,
    ):
        ready = ready_message(process)
        mounted = Path(f"/proc/{process.pid}/root") / data.relative_to("/")
        disk = SmallDisk(ServiceAddress(ready["url"], ready["workspace_id"], "canary"), mounted, log)
        with closing(disk.researcher):
            yield disk
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(60) == 0
