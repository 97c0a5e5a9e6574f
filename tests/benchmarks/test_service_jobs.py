"""How much the local service computes for its long jobs, compared with bare loops that write the same tables,
and how much memory it needs.
"""

import json
import random
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Event

import pytest

from tests.benchmarks.service_work import (
    LAYOUT,
    SCHEMA,
    answer_all,
    bare_store,
    bytes_of,
    cpu_seconds,
    imported,
    insert_in_slices,
    memory,
    send_file,
    write_records,
)
from tests.figures import CheckFigure
from tests.service.api_helpers import JsonDict, Researcher, eventually, jsonl
from tests.service.kill_helpers import ServiceRun, service_run

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]

RECORDS = 1_000_000
PER_GROUP = 5
EXPORTED = 100_000
"""Tasks whose answers are exported."""
APPENDS, APPENDED = 20, 1000
"""Records are appended this many times, this many at once."""


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
    return imported(service.researcher, lines)


def computed(service: ServiceRun, work: Callable[[], object]) -> float:
    """The CPU seconds that a service takes for some work."""
    before = cpu_seconds(service)
    work()
    return cpu_seconds(service) - before


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_importing_a_million_records_takes_a_few_times_as_long_as_writing_them(
    tmp_path: Path, ending: str, figure: CheckFigure
) -> None:
    path = write_records(tmp_path / f"records.{ending}", RECORDS)
    bare = write_records(tmp_path / "bare.jsonl", RECORDS)
    with service_run(tmp_path / "data") as fresh:
        figure(
            f"importing a million records of .{ending}, to a bare loop",
            lambda: (computed(fresh, lambda: imported(fresh.researcher, path)), bare_import(tmp_path, bare)),
            3,
            runs=2,
        )
        figure(
            f"memory of importing a million records of .{ending}, to their file",
            lambda: (memory(fresh), path.stat().st_size),
            1.5,
            runs=1,
            unit="B",
        )


def bare_import(folder: Path, path: Path) -> float:
    """The CPU seconds needed to read JSON lines and write them to the table."""
    with TemporaryDirectory(dir=folder) as bare:
        started = time.process_time()
        with closing(bare_store(Path(bare) / "bare")) as store, path.open(encoding="utf-8") as file:
            rows = [(position, json.dumps(json.loads(text))) for position, text in enumerate(file)]
            insert_in_slices(
                store, "INSERT INTO datapoint (dataset, position, record) VALUES (1, ?, ?)", rows
            )
        return time.process_time() - started


def test_setting_up_a_million_tasks_takes_a_few_times_as_long_as_writing_them(
    service: ServiceRun, dataset: str, tmp_path: Path, figure: CheckFigure
) -> None:
    def measure() -> tuple[float, float]:
        batch = service.researcher.batch(dataset_id=dataset, batch_items=LAYOUT)["id"]
        seconds = computed(service, lambda: service.researcher.set_up(batch, tasks_per_group=PER_GROUP))
        return seconds, bare_setup(tmp_path)

    figure("setting up a million tasks, to a bare loop", measure, 3, runs=2)


def bare_setup(folder: Path) -> float:
    """The CPU seconds needed to write random groups and their tasks."""
    with TemporaryDirectory(dir=folder) as bare:
        started = time.process_time()
        order = list(range(RECORDS))
        random.shuffle(order)
        with closing(bare_store(Path(bare) / "bare")) as store:
            groups = [(number, PER_GROUP) for number in range(RECORDS // PER_GROUP)]
            columns = "(batch, setup, number, task_count)"
            insert_in_slices(store, f"INSERT INTO task_group {columns} VALUES (1, 1, ?, ?)", groups)
            tasks = [(number, place // PER_GROUP, number) for number, place in enumerate(order)]
            columns = "(batch, setup, number, task_group, dataset, position)"
            insert_in_slices(store, f"INSERT INTO task {columns} VALUES (1, 1, ?, ?, 1, ?)", tasks)
        return time.process_time() - started


def test_appending_records_to_a_million_takes_as_long_as_to_none(
    service: ServiceRun, dataset: str, figure: CheckFigure
) -> None:
    researcher = service.researcher
    empty = str(researcher.dataset(SCHEMA)["id"])
    for created in (dataset, empty):  # the first makes the index
        researcher.append(created, jsonl({"prompt": "the first", "answer": "of many"}))
    numbers = count()

    def measure() -> tuple[float, float]:
        many, few = (
            computed(service, lambda target=target: append(researcher, target, numbers))  # type: ignore[misc]
            for target in (dataset, empty)
        )
        return many, few

    figure("appending 20,000 records to a million, to none", measure, 2, runs=3)


def append(researcher: Researcher, dataset: str, numbers: Iterator[int]) -> None:
    """Append new records, some at once."""
    for _time in range(APPENDS):
        records = ({"prompt": f"new {next(numbers)}", "answer": "some words"} for _record in range(APPENDED))
        result = researcher.append(dataset, jsonl(*records))
        assert result["accepted"] == APPENDED, result


def test_an_import_of_a_million_records_does_not_delay_status_polls(
    service: ServiceRun, lines: Path, figure: CheckFigure
) -> None:
    """By the clock: what delays a poll may be a lock of the database."""
    researcher = service.researcher

    def measure() -> tuple[float, float]:
        dataset = str(researcher.dataset(SCHEMA)["id"])
        upload = researcher.upload_url(dataset, lines.name)
        send_file(upload, lines)
        times = polls(lambda: researcher.import_job(dataset, upload["import_id"]), a_second=200)
        rest = [
            poll_seconds(lambda: researcher.import_job(dataset, upload["import_id"])) for _time in range(200)
        ]
        return median(times), median(rest)

    figure("a poll during an import of a million records, to one at rest", measure, 4, runs=2)


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


def poll_seconds(fetch: Callable[[], JsonDict]) -> float:
    """The duration of one poll."""
    started = time.perf_counter()
    fetch()
    return time.perf_counter() - started


def test_the_time_to_export_grows_with_the_answers(
    service: ServiceRun, tmp_path: Path, figure: CheckFigure
) -> None:
    few, many = (answered_batch(service, tmp_path, tasks) for tasks in (EXPORTED // 4, EXPORTED))

    def measure() -> tuple[float, float]:
        long, short = (
            computed(service, lambda batch=batch: exported(service.researcher, batch))  # type: ignore[misc]
            for batch in (many, few)
        )
        return long, short

    # Once, since an export that is as new as the answers is not made again.
    figure("exporting 100,000 answered tasks, to 25,000", measure, 6, runs=1)


def test_a_million_answers_are_reported_listed_and_exported_with_constant_memory(
    tmp_path: Path, figure: CheckFigure
) -> None:
    with service_run(tmp_path / "data") as fresh:
        batch = answered_batch(fresh, tmp_path, tasks=RECORDS // 2)
        before = memory(fresh)
        for fetch in WAYS_TO_THE_ANSWERS:
            fetch(fresh.researcher, batch)
        figure(
            "memory after sending a million answers, to before",
            lambda: (memory(fresh), before),
            1.5,
            runs=1,
            unit="B",
        )


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


WAYS_TO_THE_ANSWERS: tuple[Callable[[Researcher, str], object], ...] = (
    reported,
    listed,
    lambda researcher, batch: bytes_of(exported(researcher, batch)["url"]),
)


def answered_batch(service: ServiceRun, folder: Path, tasks: int) -> str:
    """A batch with this number of tasks with two questions each, all answered once."""
    dataset = imported(service.researcher, write_records(folder / "records.jsonl", tasks))
    batch = str(service.researcher.batch(dataset_id=dataset, batch_items=LAYOUT)["id"])
    service.researcher.set_up(batch, tasks_per_group=PER_GROUP)
    assert answer_all(service, batch) == 2 * tasks
    return batch
