"""Internal errors have the format of the endpoint and reveal nothing (wire reference, section 2.1)."""

import sqlite3
from contextlib import closing
from pathlib import Path

import httpx

from batchwright.wire.instructions import DEPRECATION_HEADERS
from tests.service.api_helpers import StorageResponse, storage_request
from tests.service.kill_helpers import service_run

DATA = "/api/v1/data-collection"
INSIDE = ("Traceback", "sqlite", "no such table", "batchwright.service", ".py")


def _rename(folder: Path, before: str, after: str) -> None:
    with closing(sqlite3.connect(folder / "service.db", timeout=30)) as database:
        database.execute(f"ALTER TABLE {before} RENAME TO {after}")


def _reveals_nothing(text: str, folder: Path) -> None:
    assert not [secret for secret in (*INSIDE, str(folder)) if secret in text]


def _is_ours(response: httpx.Response) -> None:
    assert response.status_code == 500
    assert (response.headers["content-type"], response.headers["connection"]) == ("application/json", "close")
    error = {
        "status": 500,
        "error_code": 500,
        "title": "Internal Server Error",
        "detail": "Internal error; see the service log.",
    }
    assert response.json() == {"error": error}


def test_an_internal_error_is_reported_without_internal_details(tmp_path: Path) -> None:
    with service_run(tmp_path) as run:
        batch = run.researcher.batch()["id"]
        report = run.researcher.request("GET", f"/batches/{batch}/report/", None, 200)["url"]
        link = run.researcher.request("GET", f"/local/v1/batches/{batch}/participation", None, 200)["url"]
        instructions = f"{DATA}/batches/{batch}/instructions"
        calls = [
            ("GET", f"{DATA}/batches/{batch}"),
            ("PATCH", f"{DATA}/batches/{batch}/"),
            ("GET", f"/local/v1/batches/{batch}/progress"),
            *((method, instructions + slash) for method in ("GET", "POST", "PUT") for slash in ("", "/")),
        ]
        _rename(tmp_path, "batch", "elsewhere")
        for method, path in calls:
            response = run.researcher.http.request(method, path, json={"name": "N", "instructions": []})
            _is_ours(response)
            _reveals_nothing(f"{response.text} {response.headers}", tmp_path)
            sunset = {name: response.headers.get(name) for name in DEPRECATION_HEADERS}
            assert sunset == (DEPRECATION_HEADERS if "instructions" in path else dict.fromkeys(sunset))
        _is_ours_in_storage(storage_request("GET", report), tmp_path)
        page = httpx.get(link, trust_env=False)
        assert (page.status_code, 'data-state="fault"' in page.text) == (500, True)
        _reveals_nothing(page.text, tmp_path)
        _rename(tmp_path, "elsewhere", "batch")
        assert run.researcher.get_batch(batch)
        assert "no such table" in run.service.recent_output


def _is_ours_in_storage(response: StorageResponse, folder: Path) -> None:
    assert (response.status, response.headers["content-type"]) == (500, "application/xml")
    assert b"<Code>InternalError</Code>" in response.body
    _reveals_nothing(response.body.decode(), folder)
