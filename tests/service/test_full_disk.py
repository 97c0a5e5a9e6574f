"""A full disk: requests get an error, nothing is stored partially, and everything continues once space is
free.
"""

import asyncio
import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from batchwright.base.database import Database, StorageUnavailable
from batchwright.service import clock
from batchwright.service.auth import Accounts, StoredAccount
from batchwright.service.blobs import BlobKind, Blobs, BlobWriter
from batchwright.service.http.app_state import AppState
from batchwright.service.orphan_files import delete_unless_referenced
from batchwright.service.server import app
from batchwright.service.signing import Signer
from batchwright.service.store import feedback
from batchwright.service.store.database import open_database, settings
from tests.service.api_helpers import TASK_DETAILS, eventually

BATCHES = "/api/v1/data-collection/batches"
BATCH = {"name": "N", "workspace_id": "w", "task_details": {**TASK_DETAILS, "task_steps": "x" * 100_000}}
LARGEST = 2**31
FEW_PAGES = 40
"""Maximum pages of the database when its disk is full: fewer than a batch of 100 kB needs."""


class FullDiskConnection(sqlite3.Connection):
    """A connection that cannot create the write-ahead log."""

    def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
        if "journal_mode" in sql:
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error
        return super().execute(sql, *parameters)


def test_opening_a_database_on_a_full_disk_fails_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def connect(path: Path, **options: Any) -> sqlite3.Connection:
        return connect_to_database(path, **options, factory=FullDiskConnection)

    connect_to_database = sqlite3.connect
    monkeypatch.setattr("batchwright.base.database.sqlite3.connect", connect)
    monkeypatch.setattr(
        "batchwright.base.database.time.sleep", lambda _seconds: pytest.fail("it was retried")
    )
    with pytest.raises(StorageUnavailable) as raised:
        open_database(tmp_path)
    assert raised.value.errno == errno.ENOSPC


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(open_database(tmp_path)) as database:
        yield database


@pytest.fixture
def application(tmp_path: Path, database: Database) -> Starlette:
    """The application in this process, so that its database can be limited in size."""
    owner = StoredAccount("o" * 24, "owner@example.org", frozenset({"token"}), ("w",))
    state = AppState(
        database=database,
        blobs=Blobs(tmp_path),
        signer=Signer(b"key of the tests", clock.now),
        accounts=Accounts(owner, None, tmp_path / "accounts.json"),
        base_url="http://localhost",
        clock=clock.now,
        wake_worker=lambda: None,
    )
    return app.build(state, frozenset())


def _request(application: Starlette, method: str, target: str, **more: Any) -> httpx.Response:
    async def send() -> httpx.Response:
        transport = httpx.ASGITransport(application)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.request(method, target, **more)

    return asyncio.run(send())


def _set_max_pages(database: Database, pages: int) -> None:
    database._writer.execute(f"PRAGMA max_page_count = {pages}")


def test_a_request_on_a_full_disk_is_a_507_and_stores_nothing(
    application: Starlette, database: Database
) -> None:
    headers = {"Authorization": "Token token"}
    _set_max_pages(database, FEW_PAGES)
    rejected = _request(application, "POST", BATCHES, json=BATCH, headers=headers)
    assert rejected.status_code == 507
    assert "disk" in rejected.json()["error"]["detail"]
    listed = _request(application, "GET", f"{BATCHES}?workspace_id=w", headers=headers)
    assert listed.json()["meta"]["count"] == 0
    _set_max_pages(database, LARGEST)
    assert _request(application, "POST", BATCHES, json=BATCH, headers=headers).status_code == 201


def test_an_upload_to_a_full_disk_is_a_507_in_the_format_of_storage(
    application: Starlette, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with database.write() as connection:
        number = feedback.add(connection, "w", "a.csv", clock.now()).row_id
    target = application.state.service.signer.sign(
        "PUT", f"/storage/feedback/{number}/a.csv", clock.MINUTE
    ).target

    def write(_incoming: BlobWriter, _piece: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as full:
        full.setattr(BlobWriter, "write", write)
        rejected = _request(application, "PUT", target, content=b"x")
    assert (rejected.status_code, rejected.headers["content-type"]) == (507, "application/xml")
    assert not list((tmp_path / "blobs" / "unfinished").iterdir())
    assert _request(application, "PUT", target, content=b"x").status_code == 200


def test_a_participant_gets_an_error_page(application: Starlette, monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_disk_full(*_arguments: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("batchwright.service.participate.start_page._start", raise_disk_full)
    rejected = _request(application, "POST", "/participate/x/start", data={"key": "k"})
    assert rejected.status_code == 507
    assert 'data-state="disk-full"' in rejected.text


@pytest.mark.parametrize("is_named", [False, True])
def test_only_an_unreferenced_file_is_deleted_after_an_error(
    database: Database, tmp_path: Path, is_named: bool
) -> None:
    blobs = Blobs(tmp_path)
    with blobs.receiving(BlobKind.FEEDBACK) as incoming:
        incoming.write(b"x")
    if is_named:
        with database.write() as connection:
            number = feedback.add(connection, "w", "a.csv", clock.now()).row_id
            feedback.mark_uploaded(connection, number, incoming.name, 1, clock.now())
    with (
        pytest.raises(OSError, match="full"),
        delete_unless_referenced(database, blobs, BlobKind.FEEDBACK, incoming.name),
    ):
        raise OSError(errno.ENOSPC, "full")
    assert blobs.path(incoming.name).exists() is is_named


def test_a_transaction_that_fails_to_commit_is_closed(database: Database) -> None:
    orphan = "INSERT INTO datapoint (dataset, position, record) VALUES (99, 0, '{}')"
    with pytest.raises(sqlite3.IntegrityError), database.write() as connection:
        connection.executescript(f"PRAGMA defer_foreign_keys = ON; {orphan}")
    with database.write(durable=True) as connection:
        assert connection.execute("SELECT count(*) FROM datapoint").fetchone()[0] == 0


def _restored(application: Starlette, path: str, headers: dict[str, str]) -> httpx.Response:
    """The response once a backup is restored, or could not be."""
    assert _request(application, "POST", path, headers=headers).status_code == 202
    return eventually(
        lambda: _request(application, "GET", path, headers=headers),
        lambda response: response.status_code != 200 or "restored" in response.json(),
    )


def test_a_backup_that_does_not_fit_on_the_disk_changes_nothing(
    application: Starlette, database: Database
) -> None:
    headers = {"Authorization": "Token token"}
    with database.write() as connection:
        settings(connection)
    kept = {**BATCH, "name": "Kept", "task_details": TASK_DETAILS}
    large = {**BATCH, "name": "Large", "task_details": {**TASK_DETAILS, "task_steps": "x" * 500_000}}
    created = _request(application, "POST", BATCHES, json=large, headers=headers).json()["id"]
    id = _request(application, "POST", "/local/v1/data/backups", headers=headers).json()["backup_id"]
    path = f"/local/v1/data/backups/{id}"
    state = eventually(
        lambda: _request(application, "GET", path, headers=headers).json(), lambda state: "url" in state
    )
    link = state["url"]
    backup = _request(application, "GET", link).content
    deleted = {"study_ids": [created]}
    _request(application, "POST", "/local/v1/data/delete-studies", json=deleted, headers=headers)
    _request(application, "POST", BATCHES, json=kept, headers=headers)
    upload = _request(application, "POST", "/local/v1/data/restores", headers=headers).json()
    assert _request(application, "PUT", upload["upload_url"], content=backup).status_code == 200
    _set_max_pages(database, FEW_PAGES)
    path = f"/local/v1/data/restores/{upload['restore_id']}"
    rejected = _restored(application, path, headers)
    assert rejected.status_code == 507
    assert "disk" in rejected.json()["error"]["detail"]
    listed = _request(application, "GET", f"{BATCHES}?workspace_id=w", headers=headers).json()
    assert [batch["name"] for batch in listed["results"]] == ["Kept"]
    _set_max_pages(database, 10_000)
    assert _restored(application, path, headers).json()["restored"]["studies"] == 1
    listed = _request(application, "GET", f"{BATCHES}?workspace_id=w", headers=headers).json()
    assert [batch["name"] for batch in listed["results"]] == ["Large"]
