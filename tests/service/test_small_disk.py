"""A disk that is really full: nothing accepted is lost, and everything continues once space is free."""

import subprocess
from pathlib import Path
from typing import Any

from tests.service.api_helpers import TASK_DETAILS, Researcher, eventually, jsonl, page, storage_request
from tests.service.participate.study_store import Participant
from tests.service.small_disk import MEGABYTE, alone_on_disk, needs_disks, small_disk

LONG = [{"prompt": f"{number} " + "x" * 2000} for number in range(1000)]
PHOTO = ("i1", ("photo.png", b"p" * MEGABYTE, "image/png"))
PAGE = page({"type": "free_text", "description": "Why?"}, {"type": "file_upload", "description": "Show"})


def _batch(researcher: Researcher, dataset: str) -> str:
    batch = str(researcher.batch(dataset_id=dataset, batch_items=[PAGE])["id"])
    researcher.set_up(batch, tasks_per_group=2)
    return batch


def _link(researcher: Researcher, batch: str) -> str:
    return str(researcher.request("GET", f"/local/v1/batches/{batch}/participation", None, 200)["url"])


def _is_full(response: Any) -> None:
    """Whether an API response is the documented 507."""
    assert response.status_code == 507
    error = response.json()["error"]
    assert (error["status"], error["title"], error.keys() & {"traceback"}) == (
        507,
        "Insufficient Storage",
        set(),
    )
    assert "disk" in error["detail"]


@needs_disks
def test_a_request_on_a_full_disk_gets_an_error_and_succeeds_later(tmp_path: Path) -> None:
    with small_disk(tmp_path, 24) as disk:
        researcher = disk.researcher
        dataset = researcher.filled_dataset(4)
        upload = researcher.upload_url(dataset, "more.jsonl")
        batch = _batch(researcher, dataset)
        with Participant(_link(researcher, batch)) as person:
            first = person.start()
            before = disk.blobs
            disk.fill()
            _is_full(_create_batch(researcher))
            _is_full(_append(researcher, dataset))
            sent = storage_request(
                "PUT", upload["upload_url"], jsonl(*LONG), {"Content-Type": upload["content_type"]}
            )
            assert (sent.status, sent.headers["content-type"]) == (507, "application/xml")
            assert person.send(first, {"i0": "So"}, [PHOTO]).state == "disk-full"
            assert person.get(first.address).data["step"] == 0
            assert disk.blobs == before
            disk.free_space()
            second = person.send(first, {"i0": "So"}, [PHOTO])
            assert second.data["step"] == 1
        assert researcher.get_batch(batch)["total_task_count"] == 4
        assert _create_batch(researcher).status_code == 201
        researcher.put(upload, jsonl(*LONG))
        assert researcher.settled(dataset, upload["import_id"])["accepted_count"] == len(LONG)
        assert _append(researcher, dataset).json()["accepted"] == len(LONG)
        assert researcher.request("GET", f"/datasets/{dataset}")["total_datapoint_count"] == 4 + len(LONG)
        assert "Traceback" not in disk.log


def _create_batch(researcher: Researcher) -> Any:
    details = {**TASK_DETAILS, "task_steps": "x" * MEGABYTE}
    body = {"name": "N", "workspace_id": researcher.workspace, "task_details": details}
    return researcher.http.post("/api/v1/data-collection/batches", json=body)


def _append(researcher: Researcher, dataset: str) -> Any:
    headers = {"Content-Type": "application/x-ndjson"}
    path = f"/api/v1/data-collection/datasets/{dataset}/datapoints"
    return researcher.http.post(path, content=jsonl(*LONG), headers=headers)


@needs_disks
def test_jobs_wait_while_the_disk_is_full(tmp_path: Path) -> None:
    with small_disk(tmp_path, 32) as disk:
        researcher = disk.researcher
        dataset = researcher.filled_dataset(20_000)
        answered, waiting = (
            _batch(researcher, dataset),
            researcher.batch(dataset_id=dataset, batch_items=[PAGE])["id"],
        )
        with Participant(_link(researcher, answered)) as person:
            assert person.send(person.start(), {"i0": "So"}, [PHOTO]).data["step"] == 1
        second = researcher.dataset()["id"]
        upload = researcher.upload_url(second, "long.jsonl")
        disk.fill(free=5 * MEGABYTE // 2)
        researcher.put(upload, jsonl(*LONG))
        researcher.request("POST", f"/batches/{waiting}/setup", {"tasks_per_group": 1}, 202)
        export = researcher.request("POST", f"/batches/{answered}/export", None, 202)["export_id"]
        eventually(lambda: disk.log.count("jobs wait"), lambda times: times >= 3)
        disk.free_space()
        assert researcher.settled(second, upload["import_id"])["status"] == "complete"
        assert researcher.prompts_of(second) == [record["prompt"] for record in LONG]
        assert researcher.ready(waiting)["total_task_count"] == 20_000
        with researcher.archive(f"/batches/{answered}/export/{export}") as archive:
            assert archive.testzip() is None
        assert not [name for name in disk.blobs if "unfinished" in name]
        assert "Traceback" not in disk.log


@needs_disks
def test_a_worker_that_starts_on_a_full_disk_logs_it_once_and_waits(tmp_path: Path) -> None:
    command = alone_on_disk(tmp_path, "size=8m", "tests.service.full_disk_worker", str(tmp_path))
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        assert b"wait until there is space" in process.stderr.readline()
        out, more = process.communicate(b"\n", timeout=60)
    assert (process.returncode, out, more) == (0, b"True\n", b"")
