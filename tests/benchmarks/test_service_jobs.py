"""How fast the local service does its long jobs, compared with bare loops that write the same tables.

The figures are recorded as properties of the tests; assertions concern ratios within one run, and memory.
"""

import json
import random
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest

from tests.benchmarks.service_work import (
    LAYOUT,
    SCHEMA,
    answer_all,
    bare_store,
    bytes_of,
    imported,
    insert_in_slices,
    memory,
    quantile,
    send_file,
    write_records,
)
from tests.service.api_helpers import JsonDict, Researcher, eventually, jsonl
from tests.service.kill_helpers import ServiceRun, service_run

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]

RECORDS = 1_000_000
PER_GROUP = 5
MAX_MEMORY = 250.0
"""MB; a million records of this kind are 170 MB of text."""

Record = Callable[[str, object], None]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceRun]:
    """One service for the whole module."""
    with service_run(tmp_path_factory.mktemp("service") / "data") as started:
        yield started


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A million records as JSONL."""
    path = write_records(tmp_path_factory.mktemp("million") / "records.jsonl", RECORDS)
    yield path
    path.unlink()


@pytest.fixture(scope="module")
def dataset(service: ServiceRun, lines: Path) -> str:
    """A dataset of a million records."""
    return imported(service.researcher, lines)[0]


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_the_speed_of_importing_a_million_records(
    service: ServiceRun, tmp_path: Path, ending: str, record_property: Record
) -> None:
    path = write_records(tmp_path / f"records.{ending}", RECORDS)
    _dataset, seconds = imported(service.researcher, path)
    bare = bare_import(tmp_path, write_records(tmp_path / "bare.jsonl", RECORDS))
    record_property("records a second", round(RECORDS / seconds))
    record_property("of the bare loop", round(seconds / bare, 2))
    record_property("most memory, MB", round(memory(service)))
    assert seconds <= 3 * bare
    assert memory(service) <= MAX_MEMORY


def bare_import(folder: Path, path: Path) -> float:
    """The seconds needed to read JSON lines and write them to the table."""
    started = time.perf_counter()
    with closing(bare_store(folder / "bare")) as store, path.open(encoding="utf-8") as file:
        rows = [(position, json.dumps(json.loads(text))) for position, text in enumerate(file)]
        insert_in_slices(store, "INSERT INTO datapoint (dataset, position, record) VALUES (1, ?, ?)", rows)
    return time.perf_counter() - started


def test_the_speed_of_setting_up_a_million_tasks(
    service: ServiceRun, dataset: str, tmp_path: Path, record_property: Record
) -> None:
    batch = service.researcher.batch(dataset_id=dataset, batch_items=LAYOUT)["id"]
    started = time.perf_counter()
    service.researcher.set_up(batch, tasks_per_group=PER_GROUP)
    seconds = time.perf_counter() - started
    bare = bare_setup(tmp_path)
    record_property("tasks a second", round(RECORDS / seconds))
    record_property("of the bare loop", round(seconds / bare, 2))
    record_property("most memory, MB", round(memory(service)))
    assert seconds <= 3 * bare


def bare_setup(folder: Path) -> float:
    """The seconds needed to write random groups and their tasks."""
    started = time.perf_counter()
    order = list(range(RECORDS))
    random.shuffle(order)
    with closing(bare_store(folder / "bare")) as store:
        groups = [(number, PER_GROUP) for number in range(RECORDS // PER_GROUP)]
        columns = "(batch, setup, number, task_count)"
        insert_in_slices(store, f"INSERT INTO task_group {columns} VALUES (1, 1, ?, ?)", groups)
        tasks = [(number, place // PER_GROUP, number) for number, place in enumerate(order)]
        columns = "(batch, setup, number, task_group, dataset, position)"
        insert_in_slices(store, f"INSERT INTO task {columns} VALUES (1, 1, ?, ?, 1, ?)", tasks)
    return time.perf_counter() - started


def test_the_speed_of_appending_a_thousand_records(
    service: ServiceRun, dataset: str, record_property: Record
) -> None:
    researcher = service.researcher
    researcher.append(dataset, jsonl({"prompt": "the first makes the index", "answer": "of a million"}))
    times = [appended(researcher, dataset, round_number) for round_number in range(20)]
    record_property("median, ms", round(1000 * quantile(times, 0.5), 1))
    record_property("longest, ms", round(1000 * max(times), 1))


def appended(researcher: Researcher, dataset: str, round_number: int) -> float:
    """The seconds until a thousand new records are accepted."""
    content = jsonl(
        *({"prompt": f"new {round_number} {number}", "answer": "some words"} for number in range(1000))
    )
    started = time.perf_counter()
    result = researcher.append(dataset, content)
    seconds = time.perf_counter() - started
    assert result["accepted"] == 1000, result
    return seconds


def test_the_duration_of_status_polls_during_an_import_of_a_million_records(
    service: ServiceRun, lines: Path, record_property: Record
) -> None:
    researcher = service.researcher
    dataset = str(researcher.dataset(SCHEMA)["id"])
    upload = researcher.upload_url(dataset, lines.name)
    send_file(upload, lines)
    times = polls(lambda: researcher.import_job(dataset, upload["import_id"]), a_second=200)
    record_property("polls", len(times))
    record_property("median, ms", round(1000 * quantile(times, 0.5), 1))
    record_property("p99, ms", round(1000 * quantile(times, 0.99), 1))


def polls(fetch: Callable[[], JsonDict], a_second: int) -> list[float]:
    """The duration of each poll of a job, this many per second, until the job has ended."""
    times: list[float] = []
    due = time.perf_counter()
    status = "queued"
    while status in ("queued", "processing"):
        due = max(due + 1 / a_second, time.perf_counter())
        Event().wait(due - time.perf_counter())
        started = time.perf_counter()
        status = fetch()["status"]
        times.append(time.perf_counter() - started)
    return times


def test_the_speed_of_exporting_a_hundred_thousand_answered_tasks(
    service: ServiceRun, tmp_path: Path, record_property: Record
) -> None:
    batch = answered_batch(service, tmp_path, tasks=100_000)
    started = time.perf_counter()
    export = exported(service.researcher, batch)
    record_property("seconds", round(time.perf_counter() - started, 2))
    record_property("archive, MB", round(bytes_of(export["url"]) / 1e6, 1))


def test_a_million_answers_are_reported_listed_and_exported_with_constant_memory(
    tmp_path: Path, record_property: Record
) -> None:
    with service_run(tmp_path / "data") as fresh:
        batch = answered_batch(fresh, tmp_path, tasks=500_000)
        before = memory(fresh)
        for name, fetch in WAYS_TO_THE_ANSWERS.items():
            started = time.perf_counter()
            size = fetch(fresh.researcher, batch)
            record_property(f"{name}, s", round(time.perf_counter() - started, 1))
            record_property(f"{name}, MB", round(size / 1e6))
        record_property("memory before and after, MB", (round(before), round(memory(fresh))))
        assert memory(fresh) <= MAX_MEMORY


def reported(researcher: Researcher, batch: str) -> int:
    """The length of a report."""
    return bytes_of(researcher.request("GET", f"/batches/{batch}/report/", None, 200)["url"])


def listed(researcher: Researcher, batch: str) -> int:
    """The length of the list of all answers."""
    with researcher.http.stream("GET", f"/api/v1/data-collection/batches/{batch}/responses") as answer:
        return sum(map(len, answer.iter_raw()))


def exported(researcher: Researcher, batch: str) -> JsonDict:
    """A completed export."""
    started_export = researcher.request("POST", f"/batches/{batch}/export", None, 202)
    export_path = f"/batches/{batch}/export/{started_export['export_id']}"
    return eventually(
        lambda: researcher.request("GET", export_path, None, 200),
        lambda job: job["status"] != "generating",
        300,
    )


WAYS_TO_THE_ANSWERS: dict[str, Callable[[Researcher, str], int]] = {
    "report": reported,
    "list": listed,
    "export": lambda researcher, batch: bytes_of(exported(researcher, batch)["url"]),
}


def answered_batch(service: ServiceRun, folder: Path, tasks: int) -> str:
    """A batch with this number of tasks with two questions each, all answered once."""
    dataset, _seconds = imported(service.researcher, write_records(folder / "records.jsonl", tasks))
    batch = str(service.researcher.batch(dataset_id=dataset, batch_items=LAYOUT)["id"])
    service.researcher.set_up(batch, tasks_per_group=PER_GROUP)
    assert answer_all(service, batch) == 2 * tasks
    return batch
