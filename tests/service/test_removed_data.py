"""What the service does when files of its data folder were removed: the documented state, never a 5xx.

The specification has states for lost files: an import or export that is `failed`, a URL whose key does not
exist. Everything that needs no removed file works as before.
"""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from batchwright.service.blobs import BlobKind, Blobs
from tests.service.api_helpers import (
    PROMPTS,
    JsonDict,
    Researcher,
    StorageResponse,
    eventually,
    jsonl,
    page,
    storage_request,
)
from tests.service.collections_helpers import link_of
from tests.service.kill_helpers import ServiceRun, paused_worker, service_run
from tests.service.participant import answer_task_group

SHOW = {"type": "file_upload", "description": "Show", "accepted_file_types": [".png"]}
RECORD = jsonl({"prompt": "a"})


@dataclass
class Study:
    """A dataset with a finished import, a batch with a file in its answers, an export, and open URLs."""

    run: ServiceRun
    dataset: str
    batch: str
    used_upload: JsonDict
    unused_upload: JsonDict
    export: JsonDict
    feedback: JsonDict

    @property
    def researcher(self) -> Researcher:
        """The API of the service."""
        return self.run.researcher

    @property
    def blobs(self) -> Path:
        """The folder of the stored files."""
        return self.run.folder / "blobs"


def feedback_url(researcher: Researcher) -> JsonDict:
    path = f"/api/v1/submissions/signals/upload-url/a.csv?workspace_id={researcher.workspace}"
    return dict(researcher.request("GET", path, None, 201))


def put(url: JsonDict, content: bytes = RECORD) -> StorageResponse:
    headers = {"Content-Type": url["content_type"]} if "content_type" in url else {}
    return storage_request("PUT", url["upload_url"], content, headers)


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    with service_run(tmp_path) as run:
        researcher = run.researcher
        dataset = researcher.dataset(PROMPTS)["id"]
        used = researcher.upload_url(dataset, "a.jsonl")
        assert put(used).status == 200
        assert researcher.settled(dataset, used["import_id"])["status"] == "complete"
        batch = researcher.batch(dataset_id=dataset, batch_items=[page(SHOW)])["id"]
        researcher.set_up(batch)
        link = researcher.request("GET", f"/local/v1/batches/{batch}/participation", None, 200)["url"]
        answer_task_group(link, f"{1:024x}")
        researcher.exported(batch)
        export = researcher.request("POST", f"/batches/{batch}/export", status=200)
        feedback = feedback_url(researcher)
        assert put(feedback, b"a").status == 200
        unused = researcher.upload_url(dataset, "b.jsonl")
        yield Study(run, dataset, batch, used, unused, export, feedback)


def remove_kind(kind: BlobKind) -> Callable[[Study], None]:
    """Removes the folder of a kind of files."""

    def remove(study: Study) -> None:
        shutil.rmtree(study.blobs / kind)

    return remove


def remove_unfinished(study: Study) -> None:
    shutil.rmtree(study.blobs / "unfinished")


def remove_all(study: Study) -> None:
    shutil.rmtree(study.blobs)


REMOVALS: dict[str, Callable[[Study], None]] = {
    **{str(kind): remove_kind(kind) for kind in BlobKind},
    "unfinished": remove_unfinished,
    "all": remove_all,
}


@pytest.mark.parametrize("removal", REMOVALS)
def test_no_request_about_removed_files_is_an_internal_error(study: Study, removal: str) -> None:
    REMOVALS[removal](study)
    researcher, batch, dataset = study.researcher, study.batch, study.dataset
    lost = {BlobKind(removal)} if removal in set(BlobKind) else set(BlobKind) if removal == "all" else set()

    # What was uploaded before: another file for the same import is refused, feedback is replaced.
    assert put(study.used_upload).status == (403 if BlobKind.UPLOAD in lost else 200)
    assert put(study.feedback, b"b").status == 200

    # Downloads.
    archive = storage_request("GET", study.export["url"])
    assert archive.status == (404 if BlobKind.EXPORT in lost else 200)
    status = researcher.request("GET", f"/batches/{batch}/export/{study.export['export_id']}", status=200)
    assert status["status"] == ("failed" if BlobKind.EXPORT in lost else "complete")
    assert [row["prompt"] for row in researcher.report(batch)] == ["a"]

    # A new export: it is complete, unless the file of a participant is lost.
    if BlobKind.EXPORT in lost:
        again = researcher.request("POST", f"/batches/{batch}/export", status=202)
        path = f"/batches/{batch}/export/{again['export_id']}"
        ended = eventually(
            lambda: researcher.request("GET", path, status=200), lambda job: job["status"] != "generating"
        )
        assert ended["status"] == ("failed" if BlobKind.PARTICIPANT in lost else "complete")
        assert "files/" in ended.get("reason", "files/")

    # New files, records and tasks.
    assert put(study.unused_upload, jsonl({"prompt": "b"})).status == 200
    assert researcher.settled(dataset, study.unused_upload["import_id"])["status"] == "complete"
    assert put(feedback_url(researcher), b"c").status == 200
    researcher.append(dataset, jsonl({"prompt": "c"}))
    assert researcher.synced(batch)["tasks_created"] == 2
    researcher.set_up(batch)
    link = researcher.request("GET", f"/local/v1/batches/{batch}/participation", None, 200)["url"]
    answer_task_group(link, f"{2:024x}")
    listed = researcher.request("GET", f"/batches/{batch}/responses", status=200)
    assert listed["meta"]["count"] == 2
    assert len(researcher.report(batch)) == 3 + 1


def test_a_participant_sees_and_replaces_a_file_that_was_removed(study: Study) -> None:
    created = study.researcher.collection({**SHOW, "order": 1}, {**SHOW, "order": 2})
    link = link_of(study.researcher, created)
    remove_all(study)
    answer_task_group(link, f"{3:024x}")
    path = f"/collections/{created['id']}/responses"
    assert study.researcher.request("GET", path, status=200)["meta"]["count"] == 2


@pytest.mark.parametrize("filename", ["a.jsonl", "a.csv"])
def test_an_import_whose_file_is_removed_between_two_runs_fails_without_records(
    study: Study, filename: str
) -> None:
    dataset = study.researcher.dataset(PROMPTS)["id"]
    content = b"prompt\na\n" if filename.endswith("csv") else RECORD
    with paused_worker(study.run.pid):
        job = study.researcher.upload(dataset, filename, content)
        remove_all(study)
    settled = study.researcher.settled(dataset, job)
    assert (settled["status"], "no longer exists" in settled["reason"]) == ("failed", True)
    assert study.researcher.prompts_of(dataset) == []


@pytest.mark.parametrize("filename", ["a.csv", "a.zip"])
def test_a_v3_dataset_whose_file_is_removed_is_in_error(study: Study, filename: str) -> None:
    dataset = study.researcher.request(
        "POST", "/datasets", {"name": "V3", "workspace_id": study.researcher.workspace}, 201
    )["id"]
    with paused_worker(study.run.pid):
        put(study.researcher.upload_url(dataset, filename), b"prompt\na\n")
        remove_all(study)
    status = eventually(
        lambda: study.researcher.request("GET", f"/datasets/{dataset}/status", status=200)["status"],
        lambda status: status not in {"PROCESSING", "UNINITIALISED"},
    )
    assert status == "ERROR"


def test_a_file_that_is_removed_while_it_is_received_is_stored(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path)
    received = blobs.receive(BlobKind.UPLOAD)
    received.write(b"content")
    shutil.rmtree(tmp_path / "blobs")
    with blobs.open(received.store()) as stored:
        assert stored.read() == b"content"
    assert not list((tmp_path / "blobs" / "unfinished").iterdir())
