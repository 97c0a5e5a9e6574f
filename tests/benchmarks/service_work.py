"""What the benchmarks of the local service share: studies to work on, and loops to compare with."""

import csv
import json
import random
import sqlite3
import time
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from batchwright.service.store.database import FILE_NAME, ROWS_PER_TRANSACTION, open_database
from tests.service.api_helpers import QUESTION, Researcher, page
from tests.service.kill_helpers import ServiceRun, workers_of

FIELDS: Final = ("prompt", "answer")
SCHEMA: Final = {"strict": True, "fields": {key: {"type": "text", "label": key.title()} for key in FIELDS}}
LAYOUT: Final = [
    page(
        *({"type": "dataset_field", "field": key} for key in FIELDS),
        QUESTION,
        {**QUESTION, "description": "What is missing?"},
    )
]
_PIECE: Final = 1 << 20


def write_records(path: Path, count: int) -> Path:
    """So many records of two short texts, as rows or lines by the ending of the name."""
    draw = random.Random(1)
    words = [f"word{number}" for number in range(500)]
    found = (
        (f"{n} {' '.join(draw.choices(words, k=8))}", " ".join(draw.choices(words, k=8)))
        for n in range(count)
    )
    with path.open("w", encoding="utf-8", newline="") as file:
        if path.suffix == ".csv":
            writer = csv.writer(file)
            writer.writerow(FIELDS)
            writer.writerows(found)
        else:
            file.writelines(json.dumps(dict(zip(FIELDS, row, strict=True))) + "\n" for row in found)
    return path


def taken_in(researcher: Researcher, path: Path) -> tuple[str, float]:
    """A new dataset with the records of a file; its id, and the seconds from upload to `complete`."""
    dataset = str(researcher.dataset(SCHEMA)["id"])
    given = researcher.upload_url(dataset, path.name)
    began = time.perf_counter()
    send_file(given, path)
    job = researcher.settled(dataset, given["import_id"])
    seconds = time.perf_counter() - began
    assert job["status"] == "complete", job
    return dataset, seconds


def send_file(given: dict[str, Any], path: Path) -> None:
    """A file to its address, as it lies on the disk."""
    place = urlsplit(given["upload_url"])
    headers = {"Content-Type": given["content_type"], "Content-Length": str(path.stat().st_size)}
    with (
        closing(HTTPConnection(place.hostname or "", place.port, timeout=600)) as connection,
        path.open("rb") as file,
    ):
        connection.request("PUT", given["upload_url"].partition(place.netloc)[2], file, headers)
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()


def bytes_of(url: str) -> int:
    """How long a download is; it is read piece by piece and kept nowhere."""
    with closing(connection_to(url)) as connection:
        connection.request("GET", target(url))
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        total = 0
        while piece := answer.read(_PIECE):
            total += len(piece)
        return total


def connection_to(url: str) -> HTTPConnection:
    """A connection of its own to the host of an address."""
    place = urlsplit(url)
    return HTTPConnection(place.hostname or "", place.port, timeout=600)


def target(url: str) -> str:
    """Path and query of an address, byte for byte."""
    return url.partition(urlsplit(url).netloc)[2]


def bare_store(folder: Path) -> sqlite3.Connection:
    """A database with the tables and indexes of the service, and one dataset and batch in it."""
    folder.mkdir()
    open_database(folder).close()
    connection = sqlite3.connect(folder / FILE_NAME, isolation_level=None)
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(
        "INSERT INTO dataset (id, workspace_id, name, created_at, created_by, schema_version)"
        " VALUES ('', '', '', 0, '', 1)"
    )
    connection.execute(
        "INSERT INTO batch (id, workspace_id, name, created_at, created_by, task_details, status,"
        " participation_key) VALUES ('', '', '', 0, '', '', '', '')"
    )
    return connection


def insert_in_slices(connection: sqlite3.Connection, statement: str, rows: list[tuple[Any, ...]]) -> None:
    """Rows written as the service writes them, so many in a transaction."""
    for first in range(0, len(rows), ROWS_PER_TRANSACTION):
        connection.execute("BEGIN")
        connection.executemany(statement, rows[first : first + ROWS_PER_TRANSACTION])
        connection.execute("COMMIT")


def answer_all(life: ServiceRun, batch: str) -> int:
    """Have every task of a batch answered by one person, straight into the database; how many answers."""
    instructions = [
        item["id"]
        for item in life.researcher.get_batch(batch)["batch_items"][0]["rows"][0]["columns"][0]["items"]
        if "description" in item
    ]
    with closing(sqlite3.connect(life.folder / FILE_NAME, isolation_level=None, timeout=30)) as store:
        number, setup = store.execute("SELECT number, setup FROM batch WHERE id = ?", (batch,)).fetchone()
        groups = store.execute("SELECT number FROM task_group WHERE batch = ?", (number,)).fetchall()
        people = [
            (f"{number:012x}{group:012x}", number, setup, group, f"{group:024x}") for (group,) in groups
        ]
        columns = "(id, batch, setup, task_group, participant_id, started_at, touched_at, completed_at)"
        insert_in_slices(store, f"INSERT INTO submission {columns} VALUES (?, ?, ?, ?, ?, 1, 2, 3)", people)
        tasks = store.execute("SELECT number, task_group FROM task WHERE batch = ?", (number,)).fetchall()
        text = json.dumps([{"text": "A sentence of some words about what is to be seen here."}])
        given = [
            (f"{number:x}-{task:x}-{place}", number, setup, people[group][0], task, instruction, text)
            for task, group in tasks
            for place, instruction in enumerate(instructions)
        ]
        columns = "(id, batch, setup, submission, task, instruction_id, type, answer, created_at)"
        insert_in_slices(
            store, f"INSERT INTO response {columns} VALUES (?, ?, ?, ?, ?, ?, 'free_text', ?, 3)", given
        )
    return len(given)


def memory(life: ServiceRun) -> float:
    """The most memory that HTTP process and worker have had, the larger of the two, in MB."""
    return max(map(_most_memory, [life.pid, *workers_of(life.pid)]))


def _most_memory(pid: int) -> float:
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(lines["VmHWM"].split()[0]) / 1024


def quantile(times: list[float], part: float) -> float:
    """The time that so large a part of all stays under."""
    return sorted(times)[min(len(times) - 1, int(part * len(times)))]
