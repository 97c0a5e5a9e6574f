"""A disk that is really full: nothing accepted is lost, and all goes on once there is room (design.md 9)."""

import subprocess
from pathlib import Path
from typing import Any

from tests.service.api_helpers import TASK_DETAILS, Researcher, ask_storage, eventually, jsonl, page
from tests.service.participate.world import Participant
from tests.service.small_disk import MEGABYTE, alone_on_disk, needs_disks, small_disk

LONG = [{"prompt": f"{number} " + "x" * 2000} for number in range(1000)]
PHOTO = ("i1", ("photo.png", b"p" * MEGABYTE, "image/png"))
PAGE = page({"type": "free_text", "description": "Why?"}, {"type": "file_upload", "description": "Show"})


def _batch(someone: Researcher, dataset: str) -> str:
    batch = str(someone.batch(dataset_id=dataset, batch_items=[PAGE])["id"])
    someone.set_up(batch, tasks_per_group=2)
    return batch


def _link(someone: Researcher, batch: str) -> str:
    return str(someone.ask("GET", f"/local/v1/batches/{batch}/participation", None, 200)["url"])


def _is_full(answer: Any) -> None:
    """An answer of the API in the documented shape."""
    assert answer.status_code == 507
    error = answer.json()["error"]
    assert (error["status"], error["title"], error.keys() & {"traceback"}) == (
        507,
        "Insufficient Storage",
        set(),
    )
    assert "disk" in error["detail"]


@needs_disks
def test_whoever_sends_something_to_a_full_disk_is_told_and_may_send_it_again(tmp_path: Path) -> None:
    with small_disk(tmp_path, 24) as disk:
        someone = disk.researcher
        dataset = someone.filled_dataset(4)
        given = someone.upload_url(dataset, "more.jsonl")
        batch = _batch(someone, dataset)
        with Participant(_link(someone, batch)) as person:
            first = person.start()
            before = disk.blobs
            disk.fill()
            _is_full(_make_batch(someone))
            _is_full(_append(someone, dataset))
            sent = ask_storage(
                "PUT", given["upload_url"], jsonl(*LONG), {"Content-Type": given["content_type"]}
            )
            assert (sent.status, sent.headers["content-type"]) == (507, "application/xml")
            assert person.send(first, {"i0": "So"}, [PHOTO]).state == "disk-full"
            assert person.get(str(first.answer.url)).data["step"] == 0
            assert disk.blobs == before
            disk.make_room()
            second = person.send(first, {"i0": "So"}, [PHOTO])
            assert second.data["step"] == 1
        assert someone.get_batch(batch)["total_task_count"] == 4
        assert _make_batch(someone).status_code == 201
        someone.put(given, jsonl(*LONG))
        assert someone.settled(dataset, given["import_id"])["accepted_count"] == len(LONG)
        assert _append(someone, dataset).json()["accepted"] == len(LONG)
        assert someone.ask("GET", f"/datasets/{dataset}")["total_datapoint_count"] == 4 + len(LONG)
        assert "Traceback" not in disk.log


def _make_batch(someone: Researcher) -> Any:
    details = {**TASK_DETAILS, "task_steps": "x" * MEGABYTE}
    asked = {"name": "N", "workspace_id": someone.workspace, "task_details": details}
    return someone.http.post("/api/v1/data-collection/batches", json=asked)


def _append(someone: Researcher, dataset: str) -> Any:
    headers = {"Content-Type": "application/x-ndjson"}
    path = f"/api/v1/data-collection/datasets/{dataset}/datapoints"
    return someone.http.post(path, content=jsonl(*LONG), headers=headers)


@needs_disks
def test_jobs_that_the_disk_has_no_room_for_wait_until_there_is(tmp_path: Path) -> None:
    with small_disk(tmp_path, 32) as disk:
        someone = disk.researcher
        dataset = someone.filled_dataset(20_000)
        answered, waiting = (
            _batch(someone, dataset),
            someone.batch(dataset_id=dataset, batch_items=[PAGE])["id"],
        )
        with Participant(_link(someone, answered)) as person:
            assert person.send(person.start(), {"i0": "So"}, [PHOTO]).data["step"] == 1
        other = someone.dataset()["id"]
        given = someone.upload_url(other, "long.jsonl")
        disk.fill(left=5 * MEGABYTE // 2)
        someone.put(given, jsonl(*LONG))
        someone.ask("POST", f"/batches/{waiting}/setup", {"tasks_per_group": 1}, 202)
        export = someone.ask("POST", f"/batches/{answered}/export", None, 202)["export_id"]
        eventually(lambda: disk.log.count("jobs wait"), lambda times: times >= 3)
        disk.make_room()
        assert someone.settled(other, given["import_id"])["status"] == "complete"
        assert someone.prompts_of(other) == [record["prompt"] for record in LONG]
        assert someone.ready(waiting)["total_task_count"] == 20_000
        with someone.archive(f"/batches/{answered}/export/{export}") as archive:
            assert archive.testzip() is None
        assert not [name for name in disk.blobs if "unfinished" in name]
        assert "Traceback" not in disk.log


@needs_disks
def test_a_worker_that_starts_on_a_full_disk_says_so_once_and_waits(tmp_path: Path) -> None:
    command = alone_on_disk(tmp_path, "size=8m", "tests.service.full_disk_worker", str(tmp_path))
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        assert b"wait until there is space" in process.stderr.readline()
        out, more = process.communicate(b"\n", timeout=60)
    assert (process.returncode, out, more) == (0, b"True\n", b"")
