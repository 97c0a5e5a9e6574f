"""Uploads compared with `curl -T` to the same sink: speed, memory, stalls of the event loop."""

import asyncio
import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import pytest

from batchwright.api.adaptive_chunks import LARGEST
from tests.benchmarks.test_stalls import idle_stall
from tests.benchmarks.uploading import Run, measured
from tests.fakes.tls_server import write_certificate
from tests.flows.program import ROOT

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl to compare with"),
    pytest.mark.skipif(sys.platform == "win32", reason="memory is measured in the manner of Unix"),
]

RUNS = 7
STALL = 0.05
"""Maximum seconds that the event loop may be blocked."""
MEGABYTES = int(os.environ.get("BATCHWRIGHT_UPLOAD_MB", "256"))
"""The target is for 2048 MB, which take a minute."""
SLOW, PROGRESS_EVERY = 50_000, 1.5
"""Bytes per second of a slow connection, and the maximum interval of progress messages there, in seconds."""

Record = Callable[[str, object], None]


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
        yield int(process.stdout.readline())
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


def by_us(file: Path, url: str, certificates: Path | None = None) -> Run:
    """Measure an upload by this program's client."""
    return asyncio.run(measured(url, file, certificates))


def summed(file: Path) -> float:
    """The seconds that SHA-256 takes alone: no upload with it can be faster."""
    started = time.perf_counter()
    digest = hashlib.sha256()
    with file.open("rb", buffering=0) as read:
        while block := read.read(LARGEST):
            digest.update(block)
    return time.perf_counter() - started


def compared(file: Path, url: str, record: Record, certificates: Path | None = None) -> tuple[float, float]:
    """The speed relative to curl, as the median of several pairs of runs; and the longest stall."""
    options = [] if certificates is None else ["--cacert", str(certificates)]
    runs = [(by_curl(file, url, *options), by_us(file, url, certificates)) for _run in range(RUNS)]
    share = median(curl / ours.duration for curl, ours in runs)
    stall = min(ours.stall for _curl, ours in runs)  # what all had is the program's, not the computer's
    record("curl, MB/s", round(MEGABYTES / median(curl for curl, _ours in runs)))
    record("ours, MB/s", round(MEGABYTES / median(ours.duration for _curl, ours in runs)))
    record("share of curl", round(share, 2))
    record("longest stall, ms", round(1000 * stall, 1))
    return share, stall


@pytest.mark.parametrize(("with_sum", "enough"), [(True, 0.7), (False, 0.9)])
def test_an_upload_is_about_as_fast_as_curl_and_does_not_block_the_event_loop(
    with_sum: bool, enough: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record_property: Record
) -> None:
    file = written(tmp_path / "data.csv", MEGABYTES)
    alone = min(summed(file) for _run in range(RUNS))
    record_property("SHA-256 alone, MB/s", round(MEGABYTES / alone))
    if not with_sum:
        monkeypatch.setattr(hashlib, "sha256", NoDigest)
    with sink() as port:
        url = f"http://127.0.0.1:{port}"
        by_us(file, url)  # not counted: what is imported and made once
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        share, stall = compared(file, url, record_property)
    more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    record_property("more memory, KiB", more)
    assert more * (1 if sys.platform == "darwin" else 1024) < 8 * LARGEST
    assert stall < STALL
    assert share >= enough


def test_an_upload_over_tls_takes_about_twice_as_long_as_curl(
    tmp_path: Path, record_property: Record
) -> None:
    file = written(tmp_path / "data.csv", MEGABYTES)
    certificate, key = tmp_path / "sink.pem", tmp_path / "key.pem"
    write_certificate(certificate, key)
    with sink("--tls", str(certificate), str(key)) as port:
        url = f"https://127.0.0.1:{port}"
        by_us(file, url, certificate)  # not counted: what is imported and made once
        share, stall = compared(file, url, record_property, certificate)
    assert stall < STALL
    assert share >= 0.4  # no target speaks of TLS; asyncio copies what it encrypts once more


@pytest.mark.gui
def test_an_upload_does_not_block_the_event_loop_of_the_window(
    tmp_path: Path, record_property: Record
) -> None:
    file = written(tmp_path / "data.csv", 1024)
    with sink() as port:
        command = [sys.executable, "-m", "tests.benchmarks.uploading", f"http://127.0.0.1:{port}", str(file)]
        outputs = [subprocess.check_output(command, cwd=ROOT, text=True) for _run in range(3)]
    runs = [Run(**json.loads(lines.splitlines()[-1])) for lines in outputs]
    record_property("ours, MB/s", round(1024 / median(run.duration for run in runs)))
    record_property("longest stalls, ms", [round(1000 * run.stall, 1) for run in runs])
    record_property("of which computed, ms", [round(1000 * run.computed, 1) for run in runs])
    idle = idle_stall()
    record_property("idle, ms", round(1000 * idle, 1))
    assert min(run.stall for run in runs) < STALL + idle


def test_progress_is_reported_on_a_slow_connection(tmp_path: Path, record_property: Record) -> None:
    file = written(tmp_path / "data.csv", 1)
    with sink("--rate", str(SLOW)) as port:
        run = by_us(file, f"http://127.0.0.1:{port}")
    record_property("taken, s", round(run.duration, 1))
    record_property("longest without progress, s", round(run.gap, 2))
    assert run.gap < PROGRESS_EVERY
