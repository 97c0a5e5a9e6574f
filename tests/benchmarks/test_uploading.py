"""Uploads against `curl -T` to the same sink: speed, memory, stalls of the loop (design.md 10)."""

import asyncio
import hashlib
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from batchwright.api.connection import connect
from batchwright.api.files import PIECE
from tests.api.asking import TOKEN

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl to compare with"),
    pytest.mark.skipif(sys.platform == "win32", reason="memory is measured in the manner of Unix"),
]

RUNS = 5
LONGEST = 0.05
"""Seconds that the loop may be kept from its work."""
MEGABYTES = int(os.environ.get("BATCHWRIGHT_UPLOAD_MB", "256"))
"""The target speaks of 2048, which takes a minute."""


class NoDigest:
    """Stands in for SHA-256 where its cost is to be left out."""

    def update(self, _piece: bytes) -> None:
        """Do nothing."""

    def hexdigest(self) -> str:
        """No sum."""
        return ""


@pytest.fixture
def sink() -> Iterator[str]:
    """The address of a sink in a process of its own."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.benchmarks.sink"], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        process.kill()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of real bytes, just written, so that the disk is out of the comparison."""
    path = tmp_path / "data.csv"
    with path.open("wb") as written:
        for _piece in range(MEGABYTES):
            written.write(os.urandom(PIECE))
    return path


def by_curl(file: Path, url: str) -> float:
    """Seconds that curl takes."""
    begun = time.perf_counter()
    subprocess.run(["curl", "-sSf", "--noproxy", "*", "-H", "Expect:", "-T", file, f"{url}/raw"], check=True)
    return time.perf_counter() - begun


def by_us(file: Path, url: str) -> tuple[float, float]:
    """Seconds that we take, and the longest that the loop was kept from a tick."""

    async def upload() -> tuple[float, float]:
        longest, last = 0.0, time.perf_counter()

        async def tick() -> None:
            nonlocal longest, last
            while True:
                await asyncio.sleep(0.001)
                now = time.perf_counter()
                longest, last = max(longest, now - last), now

        async with connect(url, TOKEN) as service:
            last = begun = time.perf_counter()
            ticking = asyncio.create_task(tick())
            await service.transfers.upload(file, f"{url}/raw")
            taken = time.perf_counter() - begun
            ticking.cancel()
            with suppress(asyncio.CancelledError):
                await ticking
        return taken, longest

    return asyncio.run(upload())


def summed(file: Path) -> float:
    """Seconds that the sum takes by itself: with it, no upload is faster."""
    begun = time.perf_counter()
    digest = hashlib.sha256()
    with file.open("rb", buffering=0) as read:
        while piece := read.read(PIECE):
            digest.update(piece)
    return time.perf_counter() - begun


@pytest.mark.parametrize(("with_sum", "share"), [(True, 0.7), (False, 0.9)])
def test_an_upload_is_about_as_fast_as_curl_and_lets_the_loop_go_on(
    with_sum: bool,
    share: float,
    sink: str,
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
) -> None:
    if not with_sum:
        monkeypatch.setattr(hashlib, "sha256", NoDigest)
    by_us(file, sink)  # not counted: what is imported and made once
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    runs = [(by_curl(file, sink), *by_us(file, sink)) for _run in range(RUNS)]
    curl, ours, stall = (min(column) for column in zip(*runs, strict=True))
    more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    record_property("SHA-256 alone, MB/s", round(MEGABYTES / min(summed(file) for _run in range(RUNS))))
    record_property("curl, MB/s", round(MEGABYTES / curl))
    record_property("ours, MB/s", round(MEGABYTES / ours))
    record_property("share of curl", round(curl / ours, 2))
    record_property("longest stall, ms", round(1000 * stall, 1))
    record_property("more memory, KiB", more)
    assert more * (1 if sys.platform == "darwin" else 1024) < 16 * PIECE
    assert stall < LONGEST
    assert curl / ours >= share
