"""The log and the support report of a real run: they have the traceback of an error, and no token, signature,
answer or record; the report has no user name in a path either.
"""

import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from batchwright.base.logging import FOLDER_VARIABLE, LEVEL_VARIABLE
from batchwright.local.support_report import collect_report
from batchwright.service.stored_layouts import layout_of
from tests.flows.program import PROGRAM, SAMPLE, environment, serving

TOKEN = "token-canary-0aF93kLmQx"
ANSWER = "answer-canary"
RECORD = "record-canary"
USER = "user-name-7q"
API = "/api/v1/data-collection"


def add_damaged_answer(data_dir: Path) -> str:
    """Add an answer that is not valid JSON to the batch in the database; return the id of the batch."""
    with closing(sqlite3.connect(data_dir / "service.db")) as database:
        (number, batch, setup, items) = database.execute(
            "SELECT number, id, setup, live_items FROM batch"
        ).fetchone()
        question = next(item.id for _place, item in layout_of(items).instructions())
        database.execute(
            "INSERT INTO submission VALUES ('s', ?, ?, 0, 'p', 0, 0, 0, 0, NULL)", (number, setup)
        )
        answer = (number, setup, question, f"{ANSWER} is no JSON")
        database.execute("INSERT INTO response VALUES (1, 'r', ?, ?, 's', 0, ?, 'free_text', ?, 0)", answer)
        database.commit()
    return str(batch)


def damage_the_layout(data_dir: Path) -> None:
    damaged = f'[{{"value": "{ANSWER}"}}, {ANSWER}]'
    with closing(sqlite3.connect(data_dir / "service.db")) as database:
        database.execute("UPDATE batch SET live_items = ?, batch_items = ?", (damaged, damaged))
        database.commit()


def records(folder: Path) -> Path:
    """Write the sample records, each with the canary in its first field."""
    heading, *lines = (SAMPLE / "records.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    path = folder / "records.csv"
    marked = (f'"{RECORD} {line[1:]}' if line.startswith('"') else f"{RECORD} {line}" for line in lines)
    path.write_text(heading + "".join(marked), encoding="utf-8")
    return path


def test_errors_are_logged_and_reported_without_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / USER
    home.mkdir()
    logs, data_dir = home / "logs", home / "service"
    monkeypatch.setenv(FOLDER_VARIABLE, str(logs))
    monkeypatch.setenv(LEVEL_VARIABLE, "DEBUG")
    for name in ("USER", "LOGNAME", "USERNAME"):
        monkeypatch.setenv(name, USER)
    token_file = home / "token"
    token_file.write_text(TOKEN, encoding="utf-8")
    token_file.chmod(0o600)
    with serving(data_dir, "--token-file", str(token_file)) as ready:
        command = [*PROGRAM, "rehearse", "--url", ready["url"], "--workspace", ready["workspace_id"]]
        command += ["--token-file", str(token_file), "--layout", str(SAMPLE / "layout.json")]
        command += ["--schema", str(SAMPLE / "schema.json"), "--data", str(records(home))]
        subprocess.run([*command, "--out", str(home / "out")], env=environment(home), check=True)
        batch = add_damaged_answer(data_dir)
        signed = [request_report(ready["url"], batch)]
        damage_the_layout(data_dir)
        signed.append(request_report(ready["url"], batch))
    failing = f"from batchwright.base.logging import start_logging; start_logging('batchwright'); {FAILURE}"
    missing = str(home / "missing.batchwright")
    assert subprocess.run([sys.executable, "-c", failing, missing, ANSWER], check=False).returncode == 1

    log = "".join(path.read_text(encoding="utf-8") for path in logs.iterdir())
    monkeypatch.setattr(Path, "home", lambda: home)
    files = collect_report({"Python": sys.version}, {"Folder": str(home)}, logs)
    report = "".join(file.text for file in files)
    secrets = (TOKEN, ANSWER, RECORD, "canary", *(urlsplit(url).query for url in signed))
    for text in (log, report):
        assert text.count("Traceback") >= 3
        assert text.count("InvalidJson") >= 2
        assert "missing.batchwright" in text
        assert not [secret for secret in secrets if secret in text]
    assert USER in log
    assert USER not in report
    assert USER not in "".join(file.name for file in files)


FAILURE = "import sys; exec('try: open(sys.argv[1])\\nexcept OSError: raise ValueError(sys.argv[2])')"
"""Python code that fails with two errors: one with a path, one that quotes an answer."""


def request_report(url: str, batch: str) -> str:
    """Request the report of a batch that cannot be written; return its signed URL."""
    headers = {"Authorization": f"Token {TOKEN}"}
    signed = str(httpx.get(f"{url}{API}/batches/{batch}/report/", headers=headers).json()["url"])
    with suppress(httpx.HTTPError):  # the report has begun when the damage is reached
        httpx.get(signed)
    return signed
