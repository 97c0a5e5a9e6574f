"""A disk that is full when a resource is created: the operation resumes and creates nothing twice."""

import subprocess
from pathlib import Path

import pytest

from batchwright.service.process import ServiceAddress
from tests.fakes.faulty_proxy import FaultyProxy
from tests.service.small_disk import alone_on_disk, needs_disks

DATASETS, BATCHES = "/api/v1/data-collection/datasets", "/api/v1/data-collection/batches"


def created_with_full_disk(
    running: ServiceAddress, folder: Path, resource: str, when: str, run: str
) -> tuple[int, int]:
    """How many datasets and batches were requested by a program that finally completed."""
    folder = folder / "disk"
    folder.mkdir()
    with FaultyProxy(running.url) as proxy:
        service = (proxy.url, running.workspace_id, running.token)
        program = ("tests.workflows.full_disk", str(folder), *service, resource, when, run)
        command = alone_on_disk(folder, "size=4m", *program)
        process = subprocess.run(command, timeout=60, check=True, capture_output=True, text=True)
        assert "No space" in process.stdout
        return proxy.calls.count(f"POST {DATASETS}"), proxy.calls.count(f"POST {BATCHES}")


@needs_disks
@pytest.mark.parametrize(
    ("resource", "when", "run", "datasets"),
    [
        ("datasets", "before", "same", 1),
        ("datasets", "after", "next", 1),
        ("datasets", "before", "next", 2),  # nothing records the first dataset: it remains, empty
        ("batches", "before", "same", 1),
        ("batches", "before", "next", 1),
    ],
)
def test_resources_created_on_a_full_disk_are_reused_if_anything_records_them(
    resource: str, when: str, run: str, datasets: int, running: ServiceAddress, tmp_path: Path
) -> None:
    assert created_with_full_disk(running, tmp_path, resource, when, run) == (datasets, 1)
