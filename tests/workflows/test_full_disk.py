"""A disk that is full when a resource is created: the operation resumes and creates nothing twice."""

import subprocess
from pathlib import Path

import pytest

from batchwright.service.process import ServiceAddress
from tests.fakes.faulty_proxy import FaultyProxy
from tests.service.small_disk import alone_on_disk, needs_disks

DATASETS, BATCHES = "/api/v1/data-collection/datasets", "/api/v1/data-collection/batches"


def made_on_a_full_disk(
    running: ServiceAddress, folder: Path, what: str, when: str, run: str
) -> tuple[int, int]:
    """How many datasets and batches were asked for, by a program that went through all of it in the end."""
    folder = folder / "disk"
    folder.mkdir()
    with FaultyProxy(running.url) as proxy:
        service = (proxy.url, running.workspace_id, running.token)
        program = ("tests.workflows.full_disk", str(folder), *service, what, when, run)
        command = alone_on_disk(folder, "size=4m", *program)
        done = subprocess.run(command, timeout=60, check=True, capture_output=True, text=True)
        assert "No space" in done.stdout
        return proxy.calls.count(f"POST {DATASETS}"), proxy.calls.count(f"POST {BATCHES}")


@needs_disks
@pytest.mark.parametrize(
    ("what", "when", "run", "datasets"),
    [
        ("datasets", "before", "same", 1),
        ("datasets", "after", "next", 1),
        ("datasets", "before", "next", 2),  # nothing tells of the first: it is left behind, empty
        ("batches", "before", "same", 1),
        ("batches", "before", "next", 1),
    ],
)
def test_what_was_created_on_a_full_disk_is_found_again_where_anything_reports_of_it(
    what: str, when: str, run: str, datasets: int, running: ServiceAddress, tmp_path: Path
) -> None:
    assert made_on_a_full_disk(running, tmp_path, what, when, run) == (datasets, 1)
