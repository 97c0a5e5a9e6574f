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
FLAT = 16 * 1024
"""Kilobytes that the program may grow by while a file goes out."""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="memory is measured in the manner of Unix")


def largest_file(folder: Path) -> Path:
    """A file of zeros that takes no room, with something at its beginning and its end."""
    path = folder / "largest.csv"
    with path.open("wb") as file:
        file.write(b"a,b\n")
        file.seek(MAX_BYTES - 4)
        file.write(b"1,2\n")
    return path


def sent(running: ServiceAddress, file: Path, most: int) -> dict[str, Any]:
    """What a program that sends the file, and stops after so many bytes, tells of itself."""
    program = [sys.executable, "-m", "tests.workflows.large_feedback"]
    messages = subprocess.run(
        [*program, running.url, running.token, running.workspace_id, file, file.parent, str(most)],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        check=True,
    )
    actual: dict[str, Any] = json.loads(messages.stdout)
    assert actual["grown"] * (1 if sys.platform != "darwin" else 1 / 1024) < FLAT
    return actual


@pytest.mark.spec("K-09")
def test_a_file_of_5_gb_starts_to_go_out_with_flat_memory(running: ServiceAddress, tmp_path: Path) -> None:
    """That the whole of it arrives is shown by the long test below."""
    messages = sent(running, largest_file(tmp_path), 64 * MB)
    assert (messages["total"], messages["sha256"]) == (MAX_BYTES, "")
    assert 64 * MB <= messages["done"] < 128 * MB


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.spec("K-09")
def test_a_file_of_5_gb_arrives_complete_with_flat_memory(tmp_path: Path) -> None:
    file = largest_file(tmp_path)
    with ServiceProcess(tmp_path / "service") as running:
        messages = sent(running, file, MAX_BYTES)
    (stored,) = (tmp_path / "service" / "blobs" / "feedback").glob("*/*")
    with stored.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    assert (messages["done"], messages["sha256"], stored.stat().st_size) == (MAX_BYTES, digest, MAX_BYTES)
    stored.unlink()
