"""Uploads compared with `curl -T` to the same sink: speed, memory, stalls of the event loop.

Speeds are those of pairs of uploads by the clock: what other programs take slows down both.
"""

import asyncio
import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.benchmarks.bare_loop import loop_seconds
from tests.benchmarks.uploading import Run, measured
from tests.fakes.tls_server import write_certificate
from tests.figures import CheckFigure
from tests.flows.program import ROOT

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl to compare with"),
    pytest.mark.skipif(sys.platform == "win32", reason="memory is measured in the manner of Unix"),
]

STALL_LOOPS = 16
"""How many bare loops the event loop may be blocked."""
MEGABYTES = int(os.environ.get("BATCHWRIGHT_UPLOAD_MB", "256"))
"""The target is for 2048 MB, which take a minute."""
SLOW = 50_000
"""Bytes per second of a slow connection."""


class NoDigest:
    """Replaces SHA-256 to measure without its cost."""

    def update(self, _piece: bytes) -> None:
        """Do nothing."""

    def hexdigest(self) -> str:
        """An empty digest."""
        return ""


@contextmanager
def sink(*options: str) -> Iterator[int]:
    """The port of a sink in its own process."""
    command = [sys.executable, "-m", "tests.benchmarks.sink", *options]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()


def written(path: Path, megabytes: int) -> Path:
    """A newly written file of random bytes, which is in the disk cache."""
    with path.open("wb") as file:
        for _megabyte in range(megabytes):
            file.write(os.urandom(1 << 20))
    return path


def by_curl(file: Path, url: str, *options: str) -> float:
    """The seconds that curl takes."""
    started = time.perf_counter()
    plain = ["curl", "-sSf", "--http1.1", "--noproxy", "*", "-H", "Expect:", *options]
    subprocess.run([*plain, "-T", file, f"{url}/raw"], check=True)
    return time.perf_counter() - started


def by_sha256(file: Path) -> float:
    """The seconds that the digest of a file takes alone, which an upload cannot do without."""
    started = time.perf_counter()
    with file.open("rb") as content:
        hashlib.file_digest(content, "sha256")
    return time.perf_counter() - started


def by_us(file: Path, url: str, certificates: Path | None = None) -> Run:
    """Measure an upload by this program's client."""
    return asyncio.run(measured(url, file, certificates))


def most_memory() -> int:
    """The peak memory of this process, in a unit of the system."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def longest_stall(run: Run) -> tuple[float, float]:
    """The CPU seconds of the longest stall of an upload and of a bare loop.

    A stall that is shorter than the loop counts as equal: it is not noticeable, and differs with each run.
    """
    loop = min(loop_seconds(time.thread_time) for _run in range(5))
    return max(run.computed, loop), loop


@pytest.mark.parametrize(
    ("name", "with_sum", "limit"), [("an upload", True, 1.5), ("an upload without sum", False, 1.2)]
)
def test_an_upload_is_about_as_fast_as_curl_and_does_not_block_the_event_loop(
    name: str,
    with_sum: bool,
    limit: float,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    figure: CheckFigure,
) -> None:
    file = written(tmp_path / "data.csv", MEGABYTES)
    if not with_sum:
        monkeypatch.setattr(hashlib, "sha256", NoDigest)
    with sink() as port:
        url = f"http://127.0.0.1:{port}"
        by_us(file, url)  # not counted: what is imported and made once
        before = most_memory()
        least = by_sha256(file) if with_sum else 0.0
        work = f"{name}, to curl or SHA-256" if with_sum else f"{name}, to curl"
        figure(work, lambda: (by_us(file, url).duration, max(least, by_curl(file, url))), limit)
        figure(f"longest stall, {name}, to a bare loop", lambda: longest_stall(by_us(file, url)), STALL_LOOPS)
    unit = 1 if sys.platform == "darwin" else 1024
    figure(
        f"memory after {name}, to before",
        lambda: (most_memory() * unit, before * unit),
        1.2,
        runs=1,
        unit="B",
    )


def test_an_upload_over_tls_takes_about_twice_as_long_as_curl(tmp_path: Path, figure: CheckFigure) -> None:
    """asyncio copies what it encrypts once more."""
    file = written(tmp_path / "data.csv", MEGABYTES)
    certificate, key = tmp_path / "sink.pem", tmp_path / "key.pem"
    write_certificate(certificate, key)

    with sink("--tls", str(certificate), str(key)) as port:
        url = f"https://127.0.0.1:{port}"
        by_us(file, url, certificate)  # not counted: what is imported and made once

        def measure() -> tuple[float, float]:
            ours = by_us(file, url, certificate).duration
            return ours, by_curl(file, url, "--cacert", str(certificate))

        figure("an upload over TLS, to curl", measure, 2.5)
        figure(
            "longest stall, an upload over TLS, to a bare loop",
            lambda: longest_stall(by_us(file, url, certificate)),
            STALL_LOOPS,
        )


@pytest.mark.gui
def test_an_upload_does_not_block_the_event_loop_of_the_window(tmp_path: Path, figure: CheckFigure) -> None:
    file = written(tmp_path / "data.csv", 1024)
    with sink() as port:
        command = [sys.executable, "-m", "tests.benchmarks.uploading", f"http://127.0.0.1:{port}", str(file)]

        def measure() -> tuple[float, float]:
            output = subprocess.check_output(command, cwd=ROOT, text=True)
            return longest_stall(Run(**json.loads(output.splitlines()[-1])))

        figure("longest stall, an upload in the window, to a bare loop", measure, STALL_LOOPS, runs=3)


def test_progress_is_reported_on_a_slow_connection(tmp_path: Path, figure: CheckFigure) -> None:
    file = written(tmp_path / "data.csv", 1)

    def measure() -> tuple[float, float]:
        with sink("--rate", str(SLOW)) as port:
            run = by_us(file, f"http://127.0.0.1:{port}")
        return run.gap, run.duration

    figure("longest time without progress, to a slow upload of 1 MB", measure, 0.08, runs=2)
