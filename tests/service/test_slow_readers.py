"""Clients that do not read a response keep no transaction open, so that the WAL can be truncated."""

import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from batchwright.service.store.database import FILE_NAME, open_database
from batchwright.service.streaming import spooled
from tests.service.api_helpers import PROMPTS, eventually, jsonl
from tests.service.kill_helpers import ServiceRun, service_run
from tests.service.memory import MB


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceRun]:
    """A service whose WAL only these tests block."""
    with service_run(tmp_path_factory.mktemp("slow") / "data") as started:
        yield started


def test_an_unread_report_does_not_block_the_wal(service: ServiceRun) -> None:
    researcher = service.researcher
    records = [{"prompt": f"{number} " + "x" * 200_000} for number in range(100)]
    dataset = str(researcher.dataset(PROMPTS)["id"])
    researcher.imported(dataset, "prompts.jsonl", jsonl(*records))
    batch = researcher.batch(dataset_id=dataset)["id"]
    researcher.set_up(batch)
    url = researcher.request("GET", f"/api/v1/data-collection/batches/{batch}/report", None, 200)["url"]
    parts = urlsplit(url)
    with closing(socket.create_connection((parts.hostname or "", parts.port or 0), 30)) as unread:
        unread.sendall(f"GET {parts.path}?{parts.query} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode())
        assert unread.recv(15) == b"HTTP/1.1 200 OK"
        researcher.batch()
        database = service.folder / FILE_NAME
        eventually(lambda: all_in_the_database(database), bool)
        received = 0
        while received < 19 * MB:  # all of it comes in the end
            piece = unread.recv(MB)
            assert piece
            received += len(piece)


def all_in_the_database(path: Path) -> bool:
    """Whether a checkpoint can write the whole WAL to the database."""
    with closing(sqlite3.connect(path)) as connection:
        _busy, frames, checkpointed = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    return bool(frames == checkpointed)


def test_the_wal_is_truncated_once_it_has_been_checkpointed(tmp_path: Path) -> None:
    with closing(open_database(tmp_path)) as database:
        with database.read() as connection:
            (limit,) = connection.execute("PRAGMA journal_size_limit").fetchone()
        with database.write() as connection:
            (same,) = connection.execute("PRAGMA journal_size_limit").fetchone()
    assert limit == same == 64 * MB


def texts(count: int, ended: list[str]) -> Iterator[str]:
    try:
        for number in range(count):
            yield f"{number:09} " + "x" * 99_990
    finally:
        ended.append("ended")


@pytest.mark.parametrize("count", [0, 1, 5, 200])
def test_a_slowly_received_body_is_processed_completely(count: int) -> None:
    ended: list[str] = []
    pieces = spooled(texts(count, ended))
    first = next(pieces)
    eventually(lambda: ended, bool)
    assert first + b"".join(pieces) == "".join(texts(count, [])).encode()


def test_a_disconnected_client_ends_the_reading() -> None:
    ended: list[str] = []
    pieces = spooled(texts(1_000_000_000, ended))
    next(pieces)
    pieces.close()  # type: ignore[attr-defined] # it is a generator
    assert ended == ["ended"]


def test_an_error_while_streaming_reaches_the_client() -> None:
    def failing() -> Iterator[str]:
        yield from texts(50, [])
        raise OSError(28, "No room")

    with pytest.raises(OSError, match="No room"):
        list(spooled(failing()))
