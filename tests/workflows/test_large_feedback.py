"""A feedback file of 5 GB, the largest allowed, is sent with constant memory (specification, Limits)."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from batchwright.service.process import ServiceAddress, ServiceProcess
from batchwright.wire.feedback import MAX_BYTES

MB = 1 << 20
MAX_GROWTH_KB = 16 * 1024
"""Kilobytes by which the memory of the program may grow during an upload."""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="memory is measured in the manner of Unix")


def largest_file(folder: Path) -> Path:
    """A sparse file of the largest allowed size, with text at its start and its end."""
    path = folder / "largest.csv"
    with path.open("wb") as file:
        file.write(b"a,b\n")
        file.seek(MAX_BYTES - 4)
        file.write(b"1,2\n")
    return path


def upload_figures(running: ServiceAddress, file: Path, most: int) -> dict[str, Any]:
    """The figures that a program prints which uploads `most` bytes of the file."""
    program = [sys.executable, "-m", "tests.workflows.large_feedback"]
    process = subprocess.run(
        [*program, running.url, running.token, running.workspace_id, file, file.parent, str(most)],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        check=True,
    )
    figures: dict[str, Any] = json.loads(process.stdout)
    assert figures["grown"] * (1 if sys.platform != "darwin" else 1 / 1024) < MAX_GROWTH_KB
    return figures


@pytest.mark.spec("K-09")
def test_the_upload_of_a_5_gb_file_starts_with_constant_memory(
    running: ServiceAddress, tmp_path: Path
) -> None:
    """The long test below uploads the complete file."""
    figures = upload_figures(running, largest_file(tmp_path), 64 * MB)
    assert (figures["total"], figures["sha256"]) == (MAX_BYTES, "")
    assert 64 * MB <= figures["done"] < 128 * MB


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.spec("K-09")
def test_a_5_gb_file_arrives_complete_with_constant_memory(tmp_path: Path) -> None:
    file = largest_file(tmp_path)
    with ServiceProcess(tmp_path / "service") as running:
        figures = upload_figures(running, file, MAX_BYTES)
    (stored,) = (tmp_path / "service" / "blobs" / "feedback").glob("*/*")
    with stored.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    assert (figures["done"], figures["sha256"], stored.stat().st_size) == (MAX_BYTES, digest, MAX_BYTES)
    stored.unlink()
