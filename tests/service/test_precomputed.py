"""Layouts are validated without a write lock, and again if the data have changed meanwhile."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from batchwright.layout.checking import validator
from batchwright.layout.rules import Problem
from batchwright.service.auth import Accounts, StoredAccount
from batchwright.service.blobs import Blobs
from batchwright.service.handlers import batches, collections, layout_intake
from batchwright.service.http.app_state import AppState
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.precomputed import Precomputed
from batchwright.service.signing import Signer
from batchwright.service.store.database import FILE_NAME, open_database
from tests.service.api_helpers import QUESTION, TASK_DETAILS, page

OWNER = StoredAccount("1" * 24, "owner@localhost", frozenset(), ("0" * 24,))


@pytest.fixture
def state(tmp_path: Path) -> Iterator[AppState]:
    """The state of a service without a server."""
    database = open_database(tmp_path)
    accounts = Accounts(OWNER, None, tmp_path / "accounts.json")
    blobs = Blobs(tmp_path)
    yield AppState(database, blobs, Signer(b"key", lambda: 0), accounts, "http://x", lambda: 0, lambda: None)
    database.close()


@pytest.fixture
def checks(state: AppState, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each validation of a layout, whether another connection could write to the database meanwhile."""
    results = []
    check = validator.check_json

    def check_with_write(*args: Any) -> list[Problem]:
        with closing(
            sqlite3.connect(tmp_path / FILE_NAME, timeout=0, isolation_level=None)
        ) as second_connection:
            try:
                second_connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                results.append(False)
            else:
                results.append(True)
        return check(*args)

    monkeypatch.setattr(layout_intake, "check_json", check_with_write)
    monkeypatch.setattr(collections, "check_json", check_with_write)
    return results


def call(state: AppState, body: Any, **path: str) -> ApiRequest:
    return ApiRequest(state, OWNER, path, {}, "application/json", json.dumps(body).encode())


def test_a_layout_is_checked_while_others_can_write(state: AppState, checks: list[bool]) -> None:
    body = {"name": "A", "workspace_id": OWNER.workspaces[0], "task_details": TASK_DETAILS}
    created = batches.create(call(state, {**body, "batch_items": [page(QUESTION)]}))
    id = json.loads(bytes(created.body))["id"]
    assert checks == [True]
    batches.update(call(state, {"batch_items": [page(QUESTION), page(QUESTION)]}, batch_id=id))
    assert checks == [True, True]


def test_the_pages_of_a_collection_are_checked_while_others_can_write(
    state: AppState, checks: list[bool]
) -> None:
    item = {"type": "free_text", "description": "Why?", "order": 0}
    body = {
        "name": "A",
        "workspace_id": OWNER.workspaces[0],
        "task_details": TASK_DETAILS,
        "collection_items": [{"order": 0, "page_items": [item]}],
    }
    created = collections.create(call(state, body))
    collections.replace(call(state, body, collection_id=json.loads(bytes(created.body))["id"]))
    assert checks == [True, True]


def test_a_precomputed_result_is_not_computed_again() -> None:
    calls: list[tuple[int, str]] = []

    def counted(number: int, text: str) -> int:
        calls.append((number, text))
        return len(calls)

    ahead = Precomputed(counted)
    assert [ahead(1, "a"), ahead(1, "a"), ahead(1, "b"), ahead(1, "b")] == [1, 1, 2, 2]
