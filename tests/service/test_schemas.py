"""Schema updates and migrations (specification, Datasets rules 1 and 4; wire reference, 4.9 and 4.10)."""

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from batchwright.schema.parsing import read_schema
from batchwright.service.blobs import Blobs
from batchwright.service.handlers import datapoints
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.responses import HttpError
from batchwright.service.jobs import migrations as migrating
from batchwright.service.jobs.context import JobContext
from batchwright.service.store import datasets, ids, jobs, migrations, record_digests
from batchwright.service.store.database import open_database
from batchwright.service.store.jobs import StoredJob, StoredJobKind
from tests.service.accounts import ANN, write_accounts
from tests.service.api_helpers import PROMPTS, QUESTION, JsonDict, Researcher, eventually, jsonl, page
from tests.service.kill_helpers import service_run
from tests.service.participant import answer_task_group

GROUPED = {"strict": False, "fields": {"prompt": {"type": "text"}, "session": {"type": "task_group_id"}}}
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def fields(*, strict: bool = False, **types: str) -> JsonDict:
    """A schema with this number of fields."""
    return {"strict": strict, "fields": {name: {"type": type} for name, type in types.items()}}


def update(researcher: Researcher, dataset: str, schema: Any, status: int = 200) -> JsonDict:
    response: JsonDict = researcher.request("PATCH", f"/datasets/{dataset}", {"schema": schema}, status)
    return response


def migrated(researcher: Researcher, dataset: str, schema: Any) -> JsonDict:
    """Update the schema of a dataset, and wait until its datapoints have been migrated."""
    job = update(researcher, dataset, schema)["migration_job_id"]
    path = f"/datasets/{dataset}/schema-migrations/{job}"
    return eventually(
        lambda: researcher.request("GET", path, None, 200),
        lambda response: response["status"] != "processing",
    )


def rows_of(researcher: Researcher, dataset: str) -> list[dict[str, str]]:
    return researcher.report(str(researcher.batch(dataset_id=dataset)["id"]))


@pytest.mark.spec("D-08", "D-16", "D-22", "D-25", "M-01", "M-03", "M-04", "M-05", "M-09", "M-10")
def test_an_update_creates_a_version_and_migrates_the_datapoints(researcher: Researcher) -> None:
    dataset = researcher.dataset(fields(prompt="text", note="metadata"))["id"]
    researcher.imported(dataset, "a.jsonl", jsonl({"prompt": "p", "note": 5}, {"prompt": "q"}))
    before = [row["DataPoint_ID"] for row in rows_of(researcher, dataset)]
    changed = update(researcher, dataset, fields(strict=True, prompt="text", note="text", more="metadata"))
    assert (changed["schema_version"], changed["total_datapoint_count"]) == (2, 2)
    assert changed["schema"]["fields"].keys() == {"prompt", "note", "more"}
    job = changed["migration_job_id"]
    path = f"/datasets/{dataset}/schema-migrations/{job}"
    ended = eventually(
        lambda: researcher.request("GET", path, None, 200),
        lambda response: response["status"] != "processing",
    )
    assert (ended["status"], ended["reprocessed_count"], ended["schema_version"]) == ("complete", 2, 2)
    assert (ended["dataset_id"], ended["job_id"]) == (dataset, job)
    assert TIME.fullmatch(ended["created_at"])
    assert TIME.fullmatch(ended["updated_at"])
    assert not ended.keys() & {"failed_count", "errors", "reason"}
    after = rows_of(researcher, dataset)
    assert [row["DataPoint_ID"] for row in after] == before
    assert [(row["prompt"], row["note"]) for row in after] == [("p", "5"), ("q", "")]
    assert "migration_job_id" not in researcher.request("GET", f"/datasets/{dataset}")


@pytest.mark.spec("M-06", "M-07", "ST-22")
def test_invalid_values_are_nulled_and_reported(researcher: Researcher) -> None:
    dataset = researcher.dataset(fields(prompt="text", photo="text"))["id"]
    photos = ["https://example.org/1.png", "no", None, "nor this"]
    records: list[JsonDict] = [
        {"prompt": str(number), **({} if photo is None else {"photo": photo})}
        for number, photo in enumerate(photos)
    ]
    researcher.imported(dataset, "a.jsonl", jsonl(*records))
    ended = migrated(researcher, dataset, fields(prompt="text", photo="image_url"))
    assert (ended["status"], ended["reprocessed_count"], ended["failed_count"]) == ("partial", 2, 2)
    rows = rows_of(researcher, dataset)
    assert [(error["datapoint_id"], error["field"]) for error in ended["errors"]] == [
        (rows[1]["DataPoint_ID"], "photo"),
        (rows[3]["DataPoint_ID"], "photo"),
    ]
    assert all("https" in error["reason"] for error in ended["errors"])
    assert [row["photo"] for row in rows] == ["https://example.org/1.png", "", "", ""]


@pytest.mark.spec("D-14", "D-23", "ST-15")
def test_the_first_schema_migrates_nothing_and_releases_files(researcher: Researcher) -> None:
    dataset = researcher.dataset(None)["id"]
    imports = [researcher.upload(dataset, f"{name}.jsonl", jsonl({"prompt": name})) for name in "ab"]
    assert {researcher.import_job(dataset, import_id)["status"] for import_id in imports} == {
        "pending_schema"
    }
    first = update(researcher, dataset, PROMPTS)
    assert first["schema_version"] == 1
    assert "migration_job_id" not in first
    assert [researcher.settled(dataset, import_id)["status"] for import_id in imports] == [
        "complete",
        "complete",
    ]
    assert researcher.prompts_of(dataset) == ["a", "b"]


@pytest.mark.spec("D-24")
@pytest.mark.parametrize(
    "changed",
    [
        fields(prompt="text"),
        fields(prompt="text", session="metadata"),
        fields(prompt="task_group_id", session="text"),
        fields(prompt="text", again="task_group_id"),
    ],
    ids=["without", "retyped", "another", "renamed"],
)
def test_the_task_group_field_cannot_change_once_there_are_datapoints(
    changed: JsonDict, researcher: Researcher
) -> None:
    dataset = researcher.dataset(GROUPED)["id"]
    assert update(researcher, dataset, changed)["schema_version"] == 2
    migrated(researcher, dataset, GROUPED)
    researcher.imported(dataset, "a.jsonl", jsonl({"prompt": "p", "session": "s"}))
    rejected = update(researcher, dataset, changed, 400)
    assert rejected["error"]["detail"].keys() == {"schema"}
    assert researcher.request("GET", f"/datasets/{dataset}")["schema_version"] == 3
    assert migrated(researcher, dataset, {**GROUPED, "strict": True})["status"] == "complete"


def test_the_task_group_field_cannot_change_while_the_first_file_is_imported(waiting: Researcher) -> None:
    dataset = waiting.dataset(GROUPED)["id"]
    waiting.upload(dataset, "a.jsonl", jsonl({"prompt": "p", "session": "s"}))
    assert update(waiting, dataset, fields(prompt="text"), 400)["error"]["detail"].keys() == {"schema"}
    assert update(waiting, dataset, {**GROUPED, "strict": True})["schema_version"] == 2


def test_nothing_is_indexed_for_an_append_while_datapoints_are_rewritten(context: JobContext) -> None:
    with context.database.read() as connection:
        dataset = datasets.get(connection, 1)
    request = ApiRequest.__new__(ApiRequest)
    object.__setattr__(request, "state", SimpleNamespace(database=context.database))
    with pytest.raises(HttpError) as rejected:
        datapoints._index_datapoints(request, dataset)
    assert rejected.value.status == 409


def test_a_setup_uses_the_schema_version_at_its_acceptance(tmp_path: Path) -> None:
    shown = [{"type": "dataset_field", "field": name} for name in ("prompt", "photo")]
    with service_run(tmp_path, job_delay=1) as slow:
        researcher = slow.researcher
        dataset = researcher.dataset(fields(prompt="text", photo="text"))["id"]
        researcher.imported(dataset, "a.jsonl", jsonl({"prompt": "What?", "photo": "a sunset"}))
        batch = researcher.batch(dataset_id=dataset, batch_items=[page(*shown, QUESTION)])["id"]
        researcher.request("POST", f"/batches/{batch}/setup", {}, 202)
        update(researcher, dataset, fields(prompt="text"))
        researcher.ready(batch)
        link = researcher.request("GET", f"/local/v1/batches/{batch}/participation", None, 200)["url"]
        prompts: list[str] = []
        answer_task_group(link, "d" * 24, on_page=prompts.append)
    assert "a sunset" in prompts[0]


@pytest.mark.spec("D-17", "D-19", "D-20", "D-21", "M-02")
def test_rejected_updates_write_no_version(
    researcher: Researcher, sign_in: Callable[..., Researcher], accounts: Path
) -> None:
    dataset = researcher.dataset()["id"]
    invalid: list[Any] = [{}, {"schema": None}, {"schema": {"strict": True, "fields": {}}}, {"schema": 5}, []]
    for body in invalid:
        assert researcher.status_of("PATCH", f"/datasets/{dataset}", body) == 400
    assert researcher.status_of("PATCH", f"/datasets/{researcher.batch()['id']}", {"schema": PROMPTS}) == 404
    assert researcher.status_of("GET", f"/datasets/{dataset}/schema-migrations/{dataset}") == 404
    write_accounts(accounts, [ANN], [{"id": "f" * 24, "features": ["v4"]}])
    ann = sign_in(token="ann-1", workspace="f" * 24)
    assert ann.status_of("PATCH", f"/datasets/{dataset}", {"schema": PROMPTS}) == 403
    assert researcher.request("GET", f"/datasets/{dataset}")["schema_version"] == 1


@pytest.mark.spec("M-13", "AP-16")
def test_migration_and_import_run_one_after_another(waiting: Researcher) -> None:
    dataset = waiting.dataset()["id"]
    job = update(waiting, dataset, PROMPTS)["migration_job_id"]
    import_id = waiting.upload(dataset, "a.jsonl", jsonl({"prompt": "a"}))
    assert waiting.import_job(dataset, import_id)["status"] == "queued"
    assert waiting.request("GET", f"/datasets/{dataset}/schema-migrations/{job}")["status"] == "processing"
    waiting.append(dataset, jsonl({"prompt": "b"}), 409)


@pytest.mark.spec("M-11")
def test_updates_in_a_row_end_at_the_last_version(researcher: Researcher) -> None:
    dataset = researcher.dataset(fields(prompt="text"))["id"]
    researcher.imported(dataset, "a.jsonl", jsonl({"prompt": "p", "more": "m"}))
    for name in ("a", "b", "c"):
        update(
            researcher,
            dataset,
            {"strict": False, "fields": {"prompt": {"type": "text"}, name: {"type": "text"}}},
        )
    last = migrated(researcher, dataset, fields(prompt="text", more="text"))
    assert (last["status"], last["schema_version"]) == ("complete", 5)
    researcher.append(dataset, jsonl({"prompt": "p"}, {"prompt": "p", "more": "m"}))
    assert [row["more"] for row in rows_of(researcher, dataset)] == ["", "m"]


def test_tasks_show_their_original_record_after_a_migration(researcher: Researcher) -> None:
    dataset = researcher.dataset(fields(prompt="text", photo="text"))["id"]
    researcher.imported(dataset, "a.jsonl", jsonl({"prompt": "What?", "photo": "a sunset"}))
    shown = [{"type": "dataset_field", "field": name} for name in ("prompt", "photo")]
    batch = researcher.batch(dataset_id=dataset, batch_items=[page(*shown, QUESTION)])["id"]
    researcher.set_up(batch)
    migrated(researcher, dataset, fields(prompt="image_url"))
    link = researcher.request("GET", f"/local/v1/batches/{batch}/participation", None, 200)["url"]
    prompts: list[str] = []
    answer_task_group(link, "d" * 24, on_page=prompts.append)
    assert "What?" in prompts[0]
    assert "a sunset" in prompts[0]
    assert researcher.status_of("POST", f"/batches/{batch}/setup", {}) == 400


ROWS = 7
BAD = {2, 5}


class Stop(Exception):
    """Raised in place of a kill of the worker."""


@pytest.fixture
def context(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[JobContext]:
    """The context of a worker that writes two rows at a time, and a migration waiting for it."""
    monkeypatch.setattr(migrating, "ROWS_PER_TRANSACTION", 2)
    with closing(open_database(tmp_path)) as database:
        with database.write() as connection:
            text = read_schema(fields(photo="text"))
            dataset = datasets.add(connection, workspace_id="w", name="n", schema=text, created_by="u", now=1)
            photos = ["no" if number in BAD else "https://example.org/1.png" for number in range(ROWS)]
            datasets.insert_datapoints(connection, 1, 0, ({"photo": photo} for photo in photos), 1)
            datasets.set_datapoint_count(connection, 1, ROWS)
            later = datasets.set_schema(connection, dataset.row_id, read_schema(fields(photo="image_url")))
            migration = migrations.add(connection, dataset=1, version=later.schema_version, now=1)
            jobs.add(connection, StoredJobKind.MIGRATION, lane="dataset 1", subject=migration.row_id, now=1)
        yield JobContext(database, Blobs(tmp_path), lambda: 2)


def records_in(context: JobContext) -> list[Any]:
    with context.database.read() as connection:
        return [record.get("photo") for record in datasets.records_of(connection, 1, ROWS)]


def job_of(context: JobContext) -> StoredJob:
    with context.database.read() as connection:
        job = jobs.next_due(connection, 2, 0)
    assert job is not None
    return job


@pytest.mark.spec("M-12")
@pytest.mark.parametrize("writes", range(1, 5))
def test_an_interrupted_migration_resumes_where_it_stopped(writes: int, context: JobContext) -> None:
    remaining = iter(range(writes))

    def clock() -> int:
        if next(remaining, None) is None:
            raise Stop
        return 2

    with pytest.raises(Stop):
        migrating.Migration().run(replace(context, clock=clock), job_of(context))
    migrating.Migration().run(context, job_of(context))
    with context.database.read() as connection:
        ended, dataset = migrations.get(connection, 1), datasets.get(connection, 1)
    assert (ended.status, ended.reprocessed_count, ended.failed_count) == ("partial", ROWS - 2, 2)
    assert [error["datapoint_id"] for error in ended.errors] == [
        ids.datapoint_id(dataset.id, position) for position in sorted(BAD)
    ]
    assert [number for number, photo in enumerate(records_in(context)) if photo is None] == sorted(BAD)


def test_the_index_of_duplicates_has_no_records_that_a_failed_migration_has_written(
    context: JobContext,
) -> None:
    """The worker indexes records between the attempts of a migration."""
    remaining = iter(range(2))

    def clock() -> int:
        if next(remaining, None) is None:
            raise Stop
        return 2

    with pytest.raises(Stop):
        migrating.Migration().run(replace(context, clock=clock), job_of(context))
    with context.database.write() as connection:
        record_digests.index_next(connection, 1, ROWS)
    migrating.Migration().fail(context, job_of(context), "It would not work.")
    with context.database.write() as connection:
        record_digests.index_next(connection, 1, ROWS)
        digests = connection.execute("SELECT digest FROM datapoint_identity WHERE dataset = 1").fetchall()
        records = datasets.records_of(connection, 1, ROWS)
        assert {digest for (digest,) in digests} == {record_digests.digest_of(record) for record in records}


@pytest.mark.spec("M-08", "ST-21")
def test_a_failed_migration_changes_nothing(context: JobContext) -> None:
    before, remaining = records_in(context), iter(range(2))

    def clock() -> int:
        if next(remaining, None) is None:
            raise Stop
        return 2

    with pytest.raises(Stop):
        migrating.Migration().run(replace(context, clock=clock), job_of(context))
    assert records_in(context) != before
    migrating.Migration().fail(context, job_of(context), "It would not work.")
    assert records_in(context) == before
    with context.database.read() as connection:
        ended = migrations.get(connection, 1)
        assert jobs.next_due(connection, 2, 0) is None
        assert len(list(migrations.outdated(connection, 1, ended.version, 0, ROWS))) == ROWS
    assert (ended.status, ended.reason) == ("failed", "It would not work.")


def test_abandoning_twice_as_many_datapoints_takes_twice_as_many_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrating, "ROWS_PER_TRANSACTION", 10)
    once, twice = (_steps_of_abandoning(tmp_path / str(rows), rows) for rows in (1000, 2000))
    assert twice < 2.5 * once


def _steps_of_abandoning(folder: Path, rows: int) -> int:
    """The number of database steps, divided by ten, needed to roll back a completed migration."""
    steps = count()
    folder.mkdir()
    with closing(open_database(folder)) as database:
        with database.write() as connection:
            schema = read_schema(fields(prompt="text"))
            datasets.add(connection, workspace_id="w", name="n", schema=schema, created_by="u", now=1)
            datasets.insert_datapoints(connection, 1, 0, ({"prompt": str(row)} for row in range(rows)), 2)
            datasets.set_datapoint_count(connection, 1, rows)
            migration = migrations.add(connection, dataset=1, version=2, now=1)
            migrations.advance(
                connection, migration.row_id, position=rows, reprocessed=rows, failed=0, errors=[], now=1
            )
            jobs.add(connection, StoredJobKind.MIGRATION, lane="dataset 1", subject=migration.row_id, now=1)
            connection.set_progress_handler(lambda: next(steps) < 0, 10)
        context = JobContext(database, Blobs(folder), lambda: 2)
        migrating.Migration().fail(context, job_of(context), "It would not work.")
    return next(steps)
