"""The log of a real run: it has the traceback of an error, and no token, signature or answer."""

import sqlite3
import subprocess
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from batchwright.base.logging import FOLDER_VARIABLE, LEVEL_VARIABLE
from tests.flows.program import PROGRAM, SAMPLE, environment, serving

TOKEN = "token-canary-0aF93kLmQx"
ANSWER = "answer-canary"
API = "/api/v1/data-collection"


def damage_the_answers(data_dir: Path) -> str:
    """Damage the answers and the layout of a batch in the database; return its id."""
    damaged = f'[{{"value": "{ANSWER}"}}, {ANSWER}]'
    with closing(sqlite3.connect(data_dir / "service.db")) as database:
        database.execute("UPDATE response SET answer = ?", (damaged,))
        database.execute("UPDATE batch SET live_items = ?, batch_items = ?", (damaged, damaged))
        database.commit()
        (batch,) = database.execute("SELECT id FROM batch").fetchone()
    return str(batch)


def test_errors_are_logged_without_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logs, data_dir = tmp_path / "logs", tmp_path / "service"
    monkeypatch.setenv(FOLDER_VARIABLE, str(logs))
    monkeypatch.setenv(LEVEL_VARIABLE, "DEBUG")
    token_file = tmp_path / "token"
    token_file.write_text(TOKEN, encoding="utf-8")
    token_file.chmod(0o600)
    with serving(data_dir, "--token-file", str(token_file)) as ready:
        command = [*PROGRAM, "rehearse", "--url", ready["url"], "--workspace", ready["workspace_id"]]
        command += ["--token-file", str(token_file), "--layout", str(SAMPLE / "layout.json")]
        command += ["--schema", str(SAMPLE / "schema.json"), "--data", str(SAMPLE / "records.csv")]
        subprocess.run([*command, "--out", str(tmp_path / "out")], env=environment(tmp_path), check=True)
        batch = damage_the_answers(data_dir)
        headers = {"Authorization": f"Token {TOKEN}"}
        signed = httpx.get(f"{ready['url']}{API}/batches/{batch}/report/", headers=headers).json()["url"]
        with suppress(httpx.HTTPError):  # the report has begun when the answer is reached
            httpx.get(signed)

    text = "".join(path.read_text(encoding="utf-8") for path in logs.iterdir())
    assert "Traceback" in text
    assert "InvalidJson" in text
    assert not [secret for secret in (TOKEN, "canary", urlsplit(signed).query) if secret in text]
