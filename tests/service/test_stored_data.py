"""What the service stores is shown with its size and deleted on request; nothing of it stays on the disk."""

import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest

from batchwright.service import clock
from batchwright.service.blobs import Blobs
from batchwright.service.erasing import finish_deletions
from batchwright.service.jobs.context import JobContext
from batchwright.service.jobs.exports import Export
from batchwright.service.retention import delete_unused
from batchwright.service.store import datasets, imports, jobs, previews, stored_data
from batchwright.service.store.database import open_database
from batchwright.service.store.jobs import StoredJobKind
from batchwright.wire.participant_digests import participant_digest
from batchwright.wire.timestamps import read_timestamp
from tests.processes import kill
from tests.service.api_helpers import PROMPTS, JsonDict, Researcher, eventually, jsonl, page
from tests.service.collections_helpers import link_of as link_of_collection
from tests.service.kill_helpers import ServiceRun, paused_worker, service_run
from tests.service.participant import Fields, answer_task_group

TEXT = {"type": "free_text", "description": "What do you think?"}
UPLOAD = {"type": "file_upload", "description": "Show", "accepted_file_types": [".png"]}
NUMBERS = count(1)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceRun]:
    """A service for all tests of the module; each makes its own studies."""
    with service_run(tmp_path_factory.mktemp("service")) as started:
        yield started


def participant() -> str:
    """The id of a participant whom no other test has."""
    return f"{next(NUMBERS):x}".rjust(24, "e")


def saying(text: str) -> Callable[[int, Mapping[str, Any]], Fields]:
    """The answering that gives this text."""
    return lambda position, _instruction: {f"i{position}": [text]}


def study(researcher: Researcher, *items: JsonDict, record: str = "p", dataset: str = "") -> JsonDict:
    """A batch with one record for two participants."""
    if not dataset:
        dataset = str(researcher.dataset()["id"])
        researcher.imported(dataset, "a.jsonl", jsonl({"prompt": record}))
    batch: JsonDict = researcher.batch(dataset_id=dataset, batch_items=[page(*items or (TEXT,))])
    researcher.set_up(batch["id"])
    path = f"/local/v1/batches/{batch['id']}/annotators-per-task"
    researcher.request("PUT", path, {"annotators_per_task": 2}, 200)
    return batch


def link_of(researcher: Researcher, batch: JsonDict) -> str:
    path = f"/local/v1/batches/{batch['id']}/participation"
    return str(researcher.request("GET", path, None, 200)["url"])


def delete(researcher: Researcher, what: str, body: JsonDict, status: int = 200) -> JsonDict:
    result: JsonDict = researcher.request("POST", f"/local/v1/data/{what}", body, status)
    return result


def overview(researcher: Researcher) -> JsonDict:
    found: JsonDict = researcher.request("GET", "/local/v1/data", None, 200)
    return found


def ids(researcher: Researcher) -> list[str]:
    """The ids of the stored studies."""
    return [str(of["id"]) for of in overview(researcher)["studies"]]


def files_with(folder: Path, *contents: str | bytes) -> list[str]:
    """The files of a folder that contain one of these texts."""
    wanted = [content.encode() if isinstance(content, str) else content for content in contents]
    found = []
    for file in folder.rglob("*"):
        with suppress(FileNotFoundError):  # removed meanwhile
            if file.is_file() and any(content in file.read_bytes() for content in wanted):
                found.append(file.name)
    return found


def texts_of(researcher: Researcher, batch: JsonDict) -> list[str]:
    """The texts that participants of a batch have written."""
    listed = researcher.request("GET", f"/batches/{batch['id']}/responses", None, 200)["results"]
    entries = [entry for one in listed for entry in one["response"]["answer"]]
    return sorted(entry["value"] for entry in entries if "value" in entry)


def test_studies_are_listed_with_what_they_store_and_the_size_of_all(run: ServiceRun) -> None:
    researcher = run.researcher
    batch = study(researcher)
    answer_task_group(link_of(researcher, batch), participant())
    survey = researcher.collection({**TEXT, "order": 0})
    answer_task_group(link_of_collection(researcher, survey), participant())
    stored = overview(researcher)
    listed = {of["id"]: of for of in stored["studies"]}
    assert [listed[of["id"]]["kind"] for of in (batch, survey)] == ["batch", "collection"]
    counts = [listed[batch["id"]][name] for name in ("records", "participants", "answers")]
    assert counts == [1, 1, 1]
    assert listed[batch["id"]]["created_at"] <= listed[batch["id"]]["last_used_at"]
    files = [file for file in run.folder.rglob("*") if file.is_file()]
    database = [file for file in files if file.name.startswith("service.db")]
    assert stored["database_bytes"] == pytest.approx(sum(file.stat().st_size for file in database), rel=0.5)
    assert stored["files_bytes"] > 0


def test_nothing_of_a_participant_stays_on_the_disk_and_others_keep_their_answers(run: ServiceRun) -> None:
    researcher, (first, other) = run.researcher, (participant(), participant())
    batch = study(researcher, TEXT, UPLOAD)
    link = link_of(researcher, batch)
    answer_task_group(link, first, saying("My home is in Quedlinburg"))
    answer_task_group(link, other, saying("It is fine by me"))
    researcher.exported(batch["id"])
    assert files_with(run.folder, first, "Quedlinburg")
    size = overview(researcher)["files_bytes"]
    deleted = delete(researcher, "delete-participant", {"participant_id": first, "study_id": batch["id"]})
    assert deleted == {
        "studies": 1,
        "participants": 1,
        "answers": 2,
        "files": 1,
        "unused": 0,
        "in_use": 0,
        "is_erased": True,
    }
    assert not files_with(run.folder, first, "Quedlinburg")
    assert texts_of(researcher, batch) == ["It is fine by me"]
    assert overview(researcher)["files_bytes"] < size
    archive = researcher.exported(batch["id"])
    for name in archive.namelist():
        assert first.encode() not in archive.read(name)
    assert sum(name.startswith("files/") for name in archive.namelist()) == 1


def test_a_deletion_is_recorded_without_the_id_and_a_second_one_finds_nothing(run: ServiceRun) -> None:
    researcher, person = run.researcher, participant()
    batch = study(researcher)
    answer_task_group(link_of(researcher, batch), person)
    assert delete(researcher, "delete-participant", {"participant_id": person})["answers"] == 1
    record = overview(researcher)["deletions"][0]
    assert record["participant_digest"] == participant_digest(person)
    assert (record["study_id"], record["participants"], record["answers"]) == (None, 1, 1)
    assert record["deleted_at"]
    records = len(overview(researcher)["deletions"])
    assert delete(researcher, "delete-participant", {"participant_id": person})["participants"] == 0
    assert len(overview(researcher)["deletions"]) == records
    assert not files_with(run.folder, person)


def test_a_sync_and_another_answer_do_not_bring_deleted_answers_back(run: ServiceRun) -> None:
    researcher, person = run.researcher, participant()
    batch = study(researcher)
    answer_task_group(link_of(researcher, batch), person, saying("Xanthippe"))
    delete(researcher, "delete-participant", {"participant_id": person})
    researcher.append(batch["datasets"][0]["id"], jsonl({"prompt": "another"}))
    researcher.synced(batch["id"])
    answer_task_group(link_of(researcher, batch), participant(), saying("Later"))
    assert texts_of(researcher, batch) == ["Later"]
    assert not files_with(run.folder, person, "Xanthippe")


def test_an_archive_that_is_requested_before_is_written_without_a_deleted_participant(
    run: ServiceRun,
) -> None:
    researcher, person = run.researcher, participant()
    batch = study(researcher)
    answer_task_group(link_of(researcher, batch), person)
    with paused_worker(run.pid):
        job = researcher.request("POST", f"/batches/{batch['id']}/export", None, 202)
        delete(researcher, "delete-participant", {"participant_id": person})
    archive = researcher.archive(f"/batches/{batch['id']}/export/{job['export_id']}")
    assert not any(person.encode() in archive.read(name) for name in archive.namelist())


def test_an_archive_that_starts_again_is_not_failed_by_a_file_that_was_deleted_meanwhile(
    run: ServiceRun,
) -> None:
    researcher, person = run.researcher, participant()
    batch = study(researcher)
    answer_task_group(link_of(researcher, batch), person)
    with paused_worker(run.pid), closing(open_database(run.folder)) as database:
        requested = researcher.request("POST", f"/batches/{batch['id']}/export", None, 202)
        with database.read() as connection:
            before = jobs.next_due(connection, clock.now(), clock.HOUR)
        assert before is not None
        delete(researcher, "delete-participant", {"participant_id": person})
        context = JobContext(database, Blobs(run.folder), clock.now)
        Export().fail(context, before, "A file cannot be read")
        path = f"/batches/{batch['id']}/export/{requested['export_id']}"
        assert researcher.request("GET", path, None, 200)["status"] == "generating"
    assert researcher.archive(path)


@pytest.mark.parametrize("kind", ["batches", "collections"])
def test_an_archive_that_was_read_before_a_reset_is_not_used(run: ServiceRun, kind: str) -> None:
    researcher = run.researcher
    if kind == "batches":
        of = study(researcher)
        link = link_of(researcher, of)
    else:
        of = researcher.collection({**TEXT, "order": 0})
        link = link_of_collection(researcher, of)
    answer_task_group(link, participant())
    with paused_worker(run.pid), closing(open_database(run.folder)) as database:
        path = f"/{kind}/{of['id']}/export"
        path = f"{path}/{researcher.request('POST', path, None, 202)['export_id']}"
        with database.read() as connection:
            before = jobs.next_due(connection, clock.now(), clock.HOUR)
        assert before is not None
        researcher.request("POST", f"/local/v1/{kind}/{of['id']}/reset", None, 204)
        Export().run(JobContext(database, Blobs(run.folder), clock.now), before)
        assert researcher.request("GET", path, None, 200)["status"] == "generating"
    assert researcher.archive(path)


def preview_of(researcher: Researcher, record: str) -> str:
    """The URL of a page with a record."""
    body = {
        "batch_items": [page({"type": "dataset_field", "dataset_field": "prompt"})],
        "page": 0,
        "record": {"prompt": record},
        "schema": PROMPTS,
    }
    return str(researcher.request("POST", "/local/v1/previews", body, 201)["url"])


def test_previews_are_deleted_with_a_study(run: ServiceRun) -> None:
    researcher = run.researcher
    batch = study(researcher, record="Kaiserschmarrn")
    url = preview_of(researcher, "Kaiserschmarrn")
    assert httpx.get(url).status_code == 200
    delete(researcher, "delete-studies", {"study_ids": [batch["id"]]})
    assert httpx.get(url).status_code == 410
    assert not files_with(run.folder, "Kaiserschmarrn")


def test_previews_are_deleted_with_a_dataset_that_is_not_used(run: ServiceRun) -> None:
    researcher = run.researcher
    unused = researcher.filled_dataset()
    url = preview_of(researcher, "Palatschinken")
    make_older(run, days=3, studies=[], datasets=[unused])
    delete(researcher, "delete-older", {"days": 2})
    assert httpx.get(url).status_code == 410
    assert not files_with(run.folder, "Palatschinken")


def test_expired_previews_are_deleted_when_deletions_finish(tmp_path: Path) -> None:
    now = clock.now()
    with closing(open_database(tmp_path)) as database:
        with database.write() as connection:
            valid = previews.add(connection, {}, now)
            previews.add(connection, {}, now - 2 * previews.LIFETIME)
        assert finish_deletions(database, Blobs(tmp_path))
        with database.read() as connection:
            left = [id for (id,) in connection.execute("SELECT id FROM preview")]
        assert left == [valid.id]


def test_a_deleted_study_is_gone_with_its_records_files_and_links(run: ServiceRun) -> None:
    researcher = run.researcher
    batch = study(researcher, TEXT, UPLOAD, record="Zwickmühle")
    link = link_of(researcher, batch)
    answer_task_group(link, participant(), saying("Glockenspiel"))
    researcher.exported(batch["id"])
    kept = study(researcher)
    deleted = delete(researcher, "delete-studies", {"study_ids": [batch["id"]]})
    assert (deleted["studies"], deleted["answers"], deleted["files"]) == (1, 2, 1)
    assert batch["id"] not in ids(researcher)
    assert kept["id"] in ids(researcher)
    assert researcher.status_of("GET", f"/batches/{batch['id']}") == 400
    assert researcher.status_of("GET", f"/datasets/{batch['datasets'][0]['id']}") == 404
    assert httpx.get(link).status_code == 404
    assert not files_with(run.folder, "Zwickm", "Glockenspiel")
    assert not {*files_with(run.folder, batch["id"])} - {"service.db", "service.db-wal"}, "but for the record"


def test_a_dataset_that_another_study_has_stays(run: ServiceRun) -> None:
    researcher = run.researcher
    first = study(researcher)
    dataset = first["datasets"][0]["id"]
    second = study(researcher, dataset=dataset)
    delete(researcher, "delete-studies", {"study_ids": [first["id"]]})
    assert researcher.prompts_of(dataset) == ["p"]
    answer_task_group(link_of(researcher, second), participant())
    assert texts_of(researcher, second) == ["Fine"]


def test_deleting_a_study_asks_the_database_no_more_if_there_are_more_studies(run: ServiceRun) -> None:
    batch = study(run.researcher)
    before = statements_to_delete(run, batch["id"])
    study(run.researcher)
    assert statements_to_delete(run, batch["id"]) == before


class _Undone(Exception):
    """Ends a transaction without a change."""


def statements_to_delete(run: ServiceRun, id: str) -> int:
    """How many statements start to delete a study; it is not deleted."""
    statements = list[str]()
    with closing(open_database(run.folder)) as database, suppress(_Undone), database.write() as connection:
        found = stored_data.studies_of(connection, (run.running.workspace_id,))
        connection.set_trace_callback(statements.append)
        stored_data.start_deletions(connection, [of for of in found if of.id == id], clock.now())
        connection.set_trace_callback(None)
        raise _Undone
    return len(statements)


def test_studies_that_were_not_used_for_days_are_deleted_with_unused_files(run: ServiceRun) -> None:
    researcher = run.researcher
    old, recent, collection = (
        study(researcher),
        study(researcher),
        researcher.collection({**TEXT, "order": 0}),
    )
    unused = researcher.filled_dataset()
    answer_task_group(link_of(researcher, recent), participant())
    make_older(run, days=3, studies=[old["id"], recent["id"], collection["id"]], datasets=[unused])
    before = len(ids(researcher))
    assert delete(researcher, "delete-older", {"days": 4})["studies"] == 0
    deleted = delete(researcher, "delete-older", {"days": 2})
    assert (deleted["studies"], deleted["unused"]) == (2, 1)
    assert len(ids(researcher)) == before - 2
    assert recent["id"] in ids(researcher)
    assert researcher.status_of("GET", f"/datasets/{unused}") == 404
    assert delete(researcher, "delete-older", {"days": 0}, status=400)["error"]


def test_what_was_changed_is_used_and_not_deleted(run: ServiceRun) -> None:
    researcher = run.researcher
    batch, collection = study(researcher), researcher.collection({**TEXT, "order": 0})
    without_layout = researcher.batch(dataset_id=batch["datasets"][0]["id"])
    dataset = researcher.filled_dataset()
    survey = {
        "name": "Renamed",
        "task_details": collection["task_details"],
        "collection_items": collection["collection_items"],
    }
    schema = {"strict": True, "fields": {"prompt": {"type": "text", "label": "Text"}}}
    of_batch, of_collection = f"/batches/{batch['id']}", f"/collections/{collection['id']}"
    instructions = f"/batches/{without_layout['id']}/instructions"
    changes: list[tuple[str, str, str, JsonDict | None]] = [
        (batch["id"], "PATCH", of_batch, {"name": "Renamed"}),
        (batch["id"], "POST", f"{of_batch}/setup", {}),
        (batch["id"], "PUT", f"/local/v1{of_batch}/annotators-per-task", {"annotators_per_task": 3}),
        (batch["id"], "PUT", f"/local/v1{of_batch}/shuffle-seed", {"seed": 1}),
        (batch["id"], "PUT", f"/local/v1{of_batch}/place-timeout", {"minutes": 5}),
        (batch["id"], "PUT", f"/local/v1{of_batch}/language", {"language": "de"}),
        (batch["id"], "POST", f"/local/v1{of_batch}/release-places", None),
        (batch["id"], "POST", f"/local/v1{of_batch}/reset", None),
        (without_layout["id"], "POST", instructions, {"instructions": [TEXT]}),
        (without_layout["id"], "PUT", instructions, {"instructions": [TEXT]}),
        (collection["id"], "PUT", of_collection, survey),
        (collection["id"], "PUT", f"/local/v1{of_collection}/language", {"language": "de"}),
        (collection["id"], "POST", f"/local/v1{of_collection}/reset", None),
    ]
    studies = [batch["id"], collection["id"], without_layout["id"]]
    for id, method, path, body in changes:
        make_older(run, days=3, studies=studies, datasets=[])
        before = days_since_use(researcher)
        assert researcher.status_of(method, path, body) < 300, (method, path)
        assert (before[id] >= 2, days_since_use(researcher)[id]) == (True, 0), (method, path)
    researcher.ready(batch["id"])
    make_older(run, days=3, studies=studies, datasets=[dataset])
    researcher.append(batch["datasets"][0]["id"], jsonl({"prompt": "another"}))
    researcher.request("PATCH", f"/datasets/{dataset}", {"schema": schema}, 200)
    delete(researcher, "delete-older", {"days": 2})
    assert researcher.status_of("GET", of_batch) == 200
    assert researcher.status_of("GET", f"/datasets/{dataset}") == 200
    assert researcher.status_of("GET", of_collection) == 400


def test_a_study_is_used_when_a_dataset_that_its_tasks_show_changes(run: ServiceRun) -> None:
    researcher = run.researcher
    batch = study(researcher)
    shown = batch["datasets"][0]["id"]
    researcher.request("PATCH", f"/batches/{batch['id']}", {"dataset_id": researcher.filled_dataset()}, 200)
    make_older(run, days=3, studies=[batch["id"]], datasets=[shown])
    assert days_since_use(researcher)[batch["id"]] >= 2
    researcher.append(shown, jsonl({"prompt": "another"}))
    assert days_since_use(researcher)[batch["id"]] == 0


def test_a_participant_who_is_deleted_does_not_make_a_study_older(run: ServiceRun) -> None:
    researcher, person = run.researcher, participant()
    batch = study(researcher)
    make_older(run, days=3, studies=[batch["id"]], datasets=[])
    answer_task_group(link_of(researcher, batch), person)
    delete(researcher, "delete-participant", {"participant_id": person})
    assert days_since_use(researcher)[batch["id"]] == 0


def days_since_use(researcher: Researcher) -> dict[str, int]:
    """By study, the whole days since it was used."""
    now = datetime.now(UTC)
    return {
        of["id"]: (now - read_timestamp(of["last_used_at"])) // timedelta(days=1)
        for of in overview(researcher)["studies"]
    }


def test_the_days_of_the_policy_are_those_after_which_it_is_deleted_unasked(run: ServiceRun) -> None:
    researcher = run.researcher
    old, recent = study(researcher), study(researcher)
    make_older(run, days=3, studies=[old["id"]], datasets=[])
    workspaces = (run.running.workspace_id,)
    with closing(open_database(run.folder)) as database:
        delete_unused(database, Blobs(run.folder), workspaces, 4, clock.now())
        assert {old["id"], recent["id"]} <= set(ids(researcher))
        delete_unused(database, Blobs(run.folder), workspaces, 2, clock.now())
    assert old["id"] not in ids(researcher)
    assert recent["id"] in ids(researcher)
    assert overview(researcher)["deletions"][0]["study_id"] == old["id"]


def test_a_file_that_cannot_be_removed_is_left_for_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows removes no file that is open."""

    def refuse(_blobs: Blobs, _name: str) -> None:
        raise PermissionError

    monkeypatch.setattr(Blobs, "remove", refuse)
    name = f"participant/00/{'0' * 32}"
    with closing(open_database(tmp_path)) as database:
        assert finish_deletions(database, Blobs(tmp_path), ())
        assert not finish_deletions(database, Blobs(tmp_path), (name,))


def make_older(run: ServiceRun, *, days: int, studies: Sequence[str], datasets: Sequence[str]) -> None:
    """Store earlier times of creation, change and import; nobody can wait for days."""
    milliseconds = days * 24 * 60 * 60 * 1000
    with closing(sqlite3.connect(run.folder / "service.db", timeout=30)) as connection, connection:
        for id in studies:
            connection.execute(
                "UPDATE batch SET created_at = created_at - :time, used_at = used_at - :time WHERE id = :id",
                {"time": milliseconds, "id": id},
            )
            (dataset,) = connection.execute(
                "SELECT d.id FROM batch b LEFT JOIN dataset d ON d.number = b.dataset WHERE b.id = ?", (id,)
            ).fetchone()
            datasets = [*datasets, dataset]
        for id in datasets:
            connection.execute(
                "UPDATE dataset SET created_at = created_at - :time, used_at = used_at - :time"
                " WHERE id = :id",
                {"time": milliseconds, "id": id},
            )
            connection.execute(
                "UPDATE import SET updated_at = updated_at - ?"
                " WHERE dataset = (SELECT number FROM dataset WHERE id = ?)",
                (milliseconds, id),
            )


def test_a_study_whose_job_is_running_is_not_deleted(run: ServiceRun) -> None:
    researcher = run.researcher
    batch = study(researcher)
    with paused_worker(run.pid):
        researcher.request("POST", f"/batches/{batch['id']}/setup", {}, 202)
        error = delete(researcher, "delete-studies", {"study_ids": [batch["id"]]}, status=409)
        assert "is running" in str(error)
    researcher.ready(batch["id"])
    assert delete(researcher, "delete-studies", {"study_ids": [batch["id"]]})["studies"] == 1
    assert delete(researcher, "delete-studies", {"study_ids": [batch["id"]]}, status=400)["error"]


def test_a_study_is_not_deleted_while_a_file_is_imported_into_a_dataset_that_its_tasks_show(
    run: ServiceRun,
) -> None:
    researcher = run.researcher
    batch = study(researcher)
    shown = batch["datasets"][0]["id"]
    researcher.request("PATCH", f"/batches/{batch['id']}", {"dataset_id": researcher.filled_dataset()}, 200)
    with paused_worker(run.pid):
        import_id = researcher.upload(shown, "more.jsonl", jsonl({"prompt": "more"}))
        error = delete(researcher, "delete-studies", {"study_ids": [batch["id"]]}, status=409)
        assert "is running" in str(error)
        assert batch["id"] in ids(researcher)
    researcher.settled(shown, import_id)
    assert delete(researcher, "delete-studies", {"study_ids": [batch["id"]]})["studies"] == 1
    assert researcher.status_of("GET", f"/datasets/{shown}") == 404


def test_a_dataset_that_tasks_of_any_setup_show_is_not_unused(run: ServiceRun) -> None:
    researcher = run.researcher
    batch, second = study(researcher), researcher.filled_dataset()
    answer_task_group(link_of(researcher, batch), participant())
    path = f"/batches/{batch['id']}"
    researcher.request("PATCH", path, {"dataset_id": second}, 200)
    researcher.set_up(batch["id"])
    researcher.request("PATCH", path, {"dataset_id": researcher.filled_dataset()}, 200)
    make_older(run, days=3, studies=[], datasets=[second])
    delete(researcher, "delete-older", {"days": 2})
    assert researcher.status_of("GET", f"/datasets/{second}") == 200


def test_the_jobs_of_a_dataset_are_deleted_with_it(tmp_path: Path) -> None:
    """A file may be uploaded between the start and the end of the deletion."""
    now = clock.now()
    with closing(open_database(tmp_path)) as database, database.write() as connection:
        dataset = datasets.add(
            connection, workspace_id="w", name="Records", schema=None, created_by="owner", now=now
        )
        stored_data.start_deletion_of_older(connection, ("w",), now + 1, now)
        uploaded = imports.add(
            connection, dataset=dataset.row_id, filename="a.csv", content_type="text/csv", now=now
        )
        lane = jobs.dataset_lane(dataset.row_id)
        jobs.add(connection, StoredJobKind.IMPORT, lane=lane, subject=uploaded.row_id, now=now)
        while stored_data.delete_next(connection, 10) is not None:
            continue
        assert jobs.lanes(connection) == set()


def test_an_update_deletes_only_the_jobs_of_imports_that_are_gone(tmp_path: Path) -> None:
    update = (Path(stored_data.__file__).parent / "schema" / "0013.sql").read_text()
    with closing(open_database(tmp_path)) as database:
        with database.write() as connection:
            dataset = datasets.add(
                connection, workspace_id="w", name="Records", schema=None, created_by="owner", now=1
            )
            stored = imports.add(
                connection, dataset=dataset.row_id, filename="a.csv", content_type="text/csv", now=1
            )
            for lane, subject in (("stored", stored.row_id), ("gone", stored.row_id + 1)):
                jobs.add(connection, StoredJobKind.IMPORT, lane=lane, subject=subject, now=1)
        with closing(sqlite3.connect(tmp_path / "service.db")) as connection:
            connection.executescript(update)
        with database.read() as connection:
            assert jobs.lanes(connection) == {"stored"}


def test_others_read_and_answer_while_data_is_deleted(run: ServiceRun) -> None:
    researcher, busy = run.researcher, study(run.researcher)
    path = f"/local/v1/batches/{busy['id']}/annotators-per-task"
    researcher.request("PUT", path, {"annotators_per_task": 100}, 200)
    link, done, failures = link_of(researcher, busy), threading.Event(), list[BaseException]()
    answered = list[str]()

    def answer() -> None:
        while not done.is_set():
            try:
                answered.append(answer_task_group(link, participant()))
                texts_of(other, busy)
            except BaseException as error:
                failures.append(error)
                return

    with closing(Researcher(run.running)) as other:
        thread = threading.Thread(target=answer)
        thread.start()
        for _time in range(4):
            batch, person = study(researcher), participant()
            answer_task_group(link_of(researcher, batch), person)
            assert delete(researcher, "delete-participant", {"participant_id": person})["is_erased"]
            delete(researcher, "delete-studies", {"study_ids": [batch["id"]]})
        done.set()
        thread.join()
    assert not failures
    assert texts_of(researcher, busy) == ["Fine"] * len(answered)
    assert answered


def test_a_deletion_that_was_killed_is_finished_by_the_next_start(tmp_path: Path) -> None:
    """The process is killed as soon as the study is no longer listed."""
    with service_run(tmp_path) as run:
        researcher = run.researcher
        dataset = str(researcher.dataset()["id"])
        records = jsonl(*({"prompt": f"Donaudampfschiff {n}"} for n in range(6000)))
        researcher.imported(dataset, "a.jsonl", records)
        batch = researcher.batch(dataset_id=dataset, batch_items=[page(TEXT)])
        researcher.set_up(batch["id"], tasks_per_group=6000)
        thread = threading.Thread(target=_delete_and_ignore, args=(run, batch["id"]))
        thread.start()
        with closing(Researcher(run.running)) as other:
            eventually(lambda: ids(other), lambda found: batch["id"] not in found)
        kill(run.pid)
        thread.join()
        run.end()
    with service_run(tmp_path) as run:
        assert ids(run.researcher) == []
        assert run.researcher.status_of("GET", f"/datasets/{dataset}") == 404
        assert not files_with(tmp_path, "Donaudampfschiff")


def _delete_and_ignore(run: ServiceRun, batch: str) -> None:
    with suppress(httpx.HTTPError):
        delete(run.researcher, "delete-studies", {"study_ids": [batch]})
