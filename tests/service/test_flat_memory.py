"""Requests of any size are accepted or rejected with bounded memory."""

import hashlib
import io
from collections.abc import Callable
from contextlib import closing
from http.client import HTTPConnection
from itertools import repeat
from pathlib import Path
from urllib.parse import urlsplit
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from batchwright.base.limits import LARGEST_BODY
from tests.service.api_helpers import PROMPTS, JsonDict, eventually, jsonl
from tests.service.kill_helpers import ServiceRun
from tests.service.memory import MB, MemoryMonitor
from tests.service.raw_http import connect, detail_of, exchange, head
from tests.service.v3_helpers import settled, v3_dataset

CREATE = "POST /api/v1/data-collection/batches HTTP/1.1"
FEEDBACK = "/api/v1/submissions/signals/upload-url"
GB = 1024 * MB

FLAT = 48
"""MB by which memory may grow for streamed content."""

BODY_MB = 4 * LARGEST_BODY // MB
"""MB for the largest request body: its bytes, its text, and copies of both."""

LINE_MB = 100
"""MB for the longest line of a table."""

Large = Callable[[], bytes]
"""Creates a large content when its test needs it, since all of them together would need too much memory."""


def max_memory_growth(monitor: MemoryMonitor, most: float) -> bool:
    """Whether neither process has grown by more than this number of MB."""
    growth = monitor.growth()
    assert max(growth.values()) <= most, growth
    return True


def test_an_endless_body_is_rejected(large: ServiceRun) -> None:
    monitor = MemoryMonitor(large)
    request = head(large.running, CREATE, "Transfer-Encoding: chunked")
    response = exchange(large.running.url, request, repeat(b"100000\r\n" + b" " * MB + b"\r\n"))
    assert response.status == 413
    assert str(LARGEST_BODY) in detail_of(response)
    assert max_memory_growth(monitor, 2 * LARGEST_BODY / MB)


@pytest.mark.parametrize("length", [100 * MB, 10**15])
def test_a_body_with_a_huge_content_length_is_rejected_at_its_header(large: ServiceRun, length: int) -> None:
    monitor = MemoryMonitor(large)
    response = exchange(large.running.url, head(large.running, CREATE, f"Content-Length: {length}"))
    assert response.status == 413
    assert str(LARGEST_BODY) in detail_of(response)
    assert max_memory_growth(monitor, FLAT)


@pytest.mark.parametrize(
    "body",
    [
        lambda: b" " * LARGEST_BODY,
        lambda: b'{"name": "' + b"x" * (LARGEST_BODY - 12) + b'"}',
        lambda: b"[" * LARGEST_BODY,
        lambda: b'{"name": [' + b"[]," * (LARGEST_BODY // 3 - 10) + b"1]}",
        lambda: b'{"name": [' + b'{"a":1.5},' * (LARGEST_BODY // 10 - 10) + b"1]}",
        lambda: b'{"name": [' + b'"ab",' * (LARGEST_BODY // 5 - 10) + b"1]}",
    ],
    ids=["blanks", "a text", "depth", "arrays", "objects", "texts"],
)
def test_the_largest_body_is_rejected_for_its_content(large: ServiceRun, body: Large) -> None:
    monitor = MemoryMonitor(large)
    response = large.researcher.http.post("/api/v1/data-collection/batches", content=body())
    assert response.status_code == 400
    assert response.json()["error"]["detail"]
    assert max_memory_growth(monitor, BODY_MB)


def test_blank_lines_of_an_append_need_no_memory(large: ServiceRun) -> None:
    dataset = large.researcher.dataset()["id"]
    record = jsonl({"prompt": "a"})
    monitor = MemoryMonitor(large)
    appended = large.researcher.append(dataset, record + b"\n" * (LARGEST_BODY - len(record)))
    assert appended["accepted"] == 1
    assert max_memory_growth(monitor, BODY_MB)


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"GET /", 414),
        (b"GET / HTTP/1.1\r\nX: ", 400),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: ", 400),
    ],
)
def test_an_endless_head_is_rejected(large: ServiceRun, head: bytes, status: int) -> None:
    monitor = MemoryMonitor(large)
    assert exchange(large.running.url, head, repeat(b"a" * MB)).status == status
    assert max_memory_growth(monitor, FLAT)


def feedback_address(large: ServiceRun) -> JsonDict:
    """An upload address for feedback."""
    path = f"{FEEDBACK}/all.csv?workspace_id={large.researcher.workspace}"
    upload: JsonDict = large.researcher.request("GET", path, None, 201)
    return upload


def dataset_address(large: ServiceRun) -> JsonDict:
    """An upload address of a dataset."""
    return large.researcher.upload_url(large.researcher.dataset()["id"], "all.jsonl")


def sparse(path: Path, size: int) -> Path:
    """A sparse file of zeros, with content at its start and end."""
    with path.open("wb") as file:
        file.write(b'{"prompt": "first"}\n')
        file.seek(size - 4)
        file.write(b"last")
    return path


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sends_completely(large: ServiceRun, upload: JsonDict, file: Path, kind: str) -> bool:
    """Whether a file is uploaded and stored unchanged, with bounded memory."""
    monitor = MemoryMonitor(large)
    folder = large.folder / "blobs" / kind
    before = set(folder.glob("*/*"))
    url_parts = urlsplit(upload["upload_url"])
    connection = HTTPConnection(url_parts.hostname or "", url_parts.port, timeout=600)
    headers = {"Content-Length": str(file.stat().st_size)}
    if "content_type" in upload:
        headers["Content-Type"] = upload["content_type"]
    with file.open("rb") as content:
        connection.request("PUT", f"{url_parts.path}?{url_parts.query}", content, headers)
        response = connection.getresponse()
    assert (response.status, response.read()) == (200, b"")
    connection.close()
    assert max_memory_growth(monitor, FLAT)
    (stored,) = set(folder.glob("*/*")) - before
    assert stored.stat().st_size == file.stat().st_size
    assert digest(stored) == digest(file)
    return True


def sends_large_files(large: ServiceRun, folder: Path, size: int) -> None:
    """Upload a file of this size to both kinds of URLs; as a dataset it is rejected because it is not a
    table.
    """
    file = sparse(folder / "all.jsonl", size)
    assert sends_completely(large, feedback_address(large), file, "feedback")
    monitor = MemoryMonitor(large)
    upload = dataset_address(large)
    assert sends_completely(large, upload, file, "upload")
    job = large.researcher.settled(upload["dataset_id"], upload["import_id"])
    assert (job["status"], "10 MB" in job["reason"]) == ("failed", True)
    assert max_memory_growth(monitor, FLAT)


@pytest.mark.spec("F-08")
def test_a_file_of_256_mb_is_streamed(large: ServiceRun, tmp_path: Path) -> None:
    sends_large_files(large, tmp_path, 256 * MB)


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.spec("K-09")
def test_a_file_of_5_gb_is_streamed(large: ServiceRun, tmp_path: Path) -> None:
    sends_large_files(large, tmp_path, 5 * GB)


@pytest.mark.spec("K-09")
@pytest.mark.parametrize(("size", "head"), [(5 * GB, b"HTTP/1.1 100 "), (5 * GB + 1, b"HTTP/1.1 400 ")])
def test_feedback_of_5_gb_is_accepted_and_more_is_rejected_at_the_header(
    large: ServiceRun, size: int, head: bytes
) -> None:
    url_parts = urlsplit(feedback_address(large)["upload_url"])
    request = (
        f"PUT {url_parts.path}?{url_parts.query} HTTP/1.1\r\nHost: {url_parts.netloc}\r\n"
        f"Content-Length: {size}\r\nExpect: 100-continue\r\n\r\n"
    )
    with closing(connect(large.running.url)) as connection:
        connection.sendall(request.encode())
        assert connection.recv(100).startswith(head)


def test_long_records_are_imported_and_migrated_a_few_at_a_time(large: ServiceRun) -> None:
    dataset = large.researcher.dataset()["id"]
    monitor = MemoryMonitor(large)
    line = jsonl({"prompt": "x" * 500_000})
    job = large.researcher.imported(dataset, "long.jsonl", line * 240)
    assert (job["status"], job["accepted_count"]) == ("complete", 240)
    schema = {"strict": False, "fields": {**PROMPTS["fields"], "more": {"type": "text"}}}
    job = large.researcher.request("PATCH", f"/datasets/{dataset}", {"schema": schema}, 200)[
        "migration_job_id"
    ]
    path = f"/datasets/{dataset}/schema-migrations/{job}"
    ended = eventually(
        lambda: large.researcher.request("GET", path, None, 200),
        lambda response: response["status"] != "processing",
    )
    assert (ended["status"], ended["reprocessed_count"]) == ("complete", 240)
    assert max_memory_growth(monitor, 2 * FLAT)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("endless.jsonl", lambda: b'{"prompt": "' + b"x" * (100 * MB)),
        ("endless.csv", lambda: b"prompt\n" + b"x" * (100 * MB)),
        ("open.csv", lambda: b'prompt\n"' + b"x,y\n" * (25 * MB)),
        ("blank.jsonl", lambda: b"\n" * (5 * MB)),
        ("commas.csv", lambda: b"prompt" + b"," * (20 * MB)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_file_without_records_fails_with_constant_memory(
    large: ServiceRun, name: str, content: Large
) -> None:
    monitor = MemoryMonitor(large)
    job = large.researcher.imported(large.researcher.dataset()["id"], name, content())
    assert job["status"] == "failed"
    assert job["reason"]
    assert max_memory_growth(monitor, LINE_MB)


def test_an_archive_that_decompresses_to_too_much_fails_with_constant_memory(large: ServiceRun) -> None:
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive, archive.open("bomb.csv", "w") as bomb:
        for piece in repeat(b"1\n" * MB, 100):
            bomb.write(piece)
    dataset = v3_dataset(large.researcher)
    monitor = MemoryMonitor(large)
    upload = large.researcher.upload_url(dataset, "bomb.zip")
    large.researcher.put(upload, packed.getvalue())
    status = settled(large.researcher, dataset)
    assert (status["status"], "too large" in status["reason"]) == ("ERROR", True)
    assert max_memory_growth(monitor, FLAT)
