"""Helpers of the service benchmarks: studies to work on, and bare loops to compare with."""

import csv
import json
import os
import random
import sqlite3
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
    """Write this number of records with two short texts, as CSV or JSONL depending on the file name."""
    chance = random.Random(1)
    vocabulary = [f"word{number}" for number in range(500)]
    records = (
        (f"{n} {' '.join(chance.choices(vocabulary, k=8))}", " ".join(chance.choices(vocabulary, k=8)))
        for n in range(count)
    )
    with path.open("w", encoding="utf-8", newline="") as file:
        if path.suffix == ".csv":
            writer = csv.writer(file)
            writer.writerow(FIELDS)
            writer.writerows(records)
        else:
            file.writelines(json.dumps(dict(zip(FIELDS, row, strict=True))) + "\n" for row in records)
    return path


def imported(researcher: Researcher, path: Path) -> str:
    """Import a file into a new dataset; returns its id when the import is complete."""
    dataset = str(researcher.dataset(SCHEMA)["id"])
    upload = researcher.upload_url(dataset, path.name)
    send_file(upload, path)
    job = researcher.settled(dataset, upload["import_id"])
    assert job["status"] == "complete", job
    return dataset


def send_file(upload: dict[str, Any], path: Path) -> None:
    """Upload a file from the disk."""
    place = urlsplit(upload["upload_url"])
    headers = {"Content-Type": upload["content_type"], "Content-Length": str(path.stat().st_size)}
    with (
        closing(HTTPConnection(place.hostname or "", place.port, timeout=600)) as connection,
        path.open("rb") as file,
    ):
        connection.request("PUT", upload["upload_url"].partition(place.netloc)[2], file, headers)
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()


def bytes_of(url: str) -> int:
    """The length of a download, which is read in chunks and not stored."""
    with closing(connection_to(url)) as connection:
        connection.request("GET", target(url))
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        total = 0
        while piece := answer.read(_PIECE):
            total += len(piece)
        return total


def connection_to(url: str) -> HTTPConnection:
    """A new connection to the host of a URL."""
    place = urlsplit(url)
    return HTTPConnection(place.hostname or "", place.port, timeout=600)


def target(url: str) -> str:
    """Path and query of a URL, byte for byte."""
    return url.partition(urlsplit(url).netloc)[2]


def bare_store(folder: Path) -> sqlite3.Connection:
    """A database with the tables and indexes of the service, and one dataset and batch."""
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
    """Insert rows in transactions of the size that the service uses."""
    for first in range(0, len(rows), ROWS_PER_TRANSACTION):
        connection.execute("BEGIN")
        connection.executemany(statement, rows[first : first + ROWS_PER_TRANSACTION])
        connection.execute("COMMIT")


def answer_all(life: ServiceRun, batch: str) -> int:
    """Insert one participant's answers to every task of a batch into the database; returns their number."""
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
        answers = [
            (f"{number:x}-{task:x}-{place}", number, setup, people[group][0], task, instruction, text)
            for task, group in tasks
            for place, instruction in enumerate(instructions)
        ]
        columns = "(id, batch, setup, submission, task, instruction_id, type, answer, created_at)"
        insert_in_slices(
            store, f"INSERT INTO response {columns} VALUES (?, ?, ?, ?, ?, ?, 'free_text', ?, 3)", answers
        )
    return len(answers)


def cpu_seconds(life: ServiceRun) -> float:
    """The CPU seconds that the HTTP process and its workers have taken so far."""
    ticks = 0
    for pid in [life.pid, *workers_of(life.pid)]:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def memory(life: ServiceRun) -> int:
    """The peak memory of the HTTP process or the worker, whichever is larger, in bytes."""
    return max(map(_most_memory, [life.pid, *workers_of(life.pid)]))


def _most_memory(pid: int) -> int:
    lines = dict(text.split(":", 1) for text in Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(lines["VmHWM"].split()[0]) * 1024
