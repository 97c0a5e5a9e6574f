"""The support report after a run through the window with errors.

It has no token, answer, record, signed URL, or user name in a path.
"""

import json
import logging
import sqlite3
import sys
import threading
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from batchwright.base.logging import FOLDER_VARIABLE, LEVEL_VARIABLE, start_logging
from tests.flows.browser import browser
from tests.flows.user_actions import User, run_program, until
from tests.secrecy import Signatures, fragments, texts_with_secret

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]

ANSWER = "answer-canary-5xQ"
RECORD = "record-canary-8kW"
USER = "user-name-7q"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The home folder of a user; the program logs everything in it."""
    folder = tmp_path / USER
    folder.mkdir()
    monkeypatch.setattr(Path, "home", lambda: folder)
    monkeypatch.setenv(FOLDER_VARIABLE, str(folder / "logs"))
    monkeypatch.setenv(LEVEL_VARIABLE, "DEBUG")
    for name in ("USER", "LOGNAME", "USERNAME"):
        monkeypatch.setenv(name, USER)
    for module, hook in ((sys, "excepthook"), (sys, "unraisablehook"), (threading, "excepthook")):
        monkeypatch.setattr(module, hook, getattr(module, hook))
    root, program = logging.getLogger(), logging.getLogger("batchwright")
    handlers, levels = list(root.handlers), (root.level, program.level)
    start_logging("batchwright")
    yield folder
    for handler in set(root.handlers) - set(handlers):
        root.removeHandler(handler)
        handler.close()
    root.setLevel(levels[0])
    program.setLevel(levels[1])


async def run_study(user: User, home: Path) -> None:
    """Upload records, create tasks, and let participants answer."""
    table = home / "records.csv"
    table.write_text(f"question\n{RECORD} one\n{RECORD} two\n", encoding="utf-8")
    await user.click("Open a data file")
    await user.choose_file(table)
    await user.click("Upload 2 records")
    await user.click("Undo")
    await user.click("Lay out the pages")
    await user.click("question")
    await user.click("Free text")
    await user.write("Why?", "Question")
    await user.click("Continue to Run")
    await user.click("Create batch")
    await user.click("Create 2 tasks")
    await user.click("Simulated participants")
    await user.click("Let 2 participants answer")
    await user.wait_for("2 of 2 groups are answered")


def set_answers(profile: Path, value: str) -> None:
    """Store another value for every answer in the database of the service."""
    with closing(sqlite3.connect(profile / "data" / "service" / "service.db")) as database:
        changed = database.execute("UPDATE response SET answer = ?", (value,))
        assert changed.rowcount
        database.commit()


async def fail_at_results(user: User, home: Path, profile: Path) -> None:
    """Look at the answers, save them, and save them again when they are damaged; then something fails."""
    set_answers(profile, json.dumps([{"value": ANSWER}]))
    await user.click("See results")
    await user.wait_for(ANSWER)
    await start_saving(user, home / "report.csv")
    await user.wait_for("Report saved")
    set_answers(profile, f"{ANSWER} is no JSON")
    await start_saving(user, home / "damaged.csv")
    await until(lambda: "InvalidJson" in service_log(home), "an error of the service")
    (opened,) = user.program._opened.values()

    async def fail() -> None:
        raise ValueError(f"{ANSWER} in {RECORD}") from FileNotFoundError(2, "missing", str(home / "study"))

    opened.context.tasks.start("do something", fail)


async def start_saving(user: User, path: Path) -> None:
    await user.click("Report CSV")
    await user.click("Choose where to save…")
    await user.choose_file(path)


def service_log(home: Path) -> str:
    return "".join(path.read_text(encoding="utf-8") for path in (home / "logs").glob("service.log*"))


async def save_report(user: User, path: Path) -> None:
    await user.click("Support report…")
    await user.click("Save…")
    await user.choose_file(path)
    await user.wait_for("The support report was saved")


async def test_a_report_after_a_run_with_errors_has_no_secrets(home: Path, signatures: Signatures) -> None:
    profile, report = home / "profile", home / "report.zip"
    with browser():
        async with run_program(profile) as user:
            await run_study(user, home)
            await fail_at_results(user, home, profile)
            await save_report(user, report)
    token = (profile / "data" / "service" / "token").read_text(encoding="utf-8").strip()
    with zipfile.ZipFile(report) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    log = b"".join(text for name, text in files.items() if name.startswith("log/"))
    assert b"ValueError" in log
    assert b"InvalidJson" in log
    assert len(signatures) >= 2
    assert texts_with_secret({ANSWER.encode(), RECORD.encode(), USER.encode(), b"canary"}, files) == []
    assert texts_with_secret(fragments(token), files) == []
    assert texts_with_secret({signature.encode() for signature in signatures}, files) == []
    logged = b"".join(path.read_bytes() for path in (home / "logs").iterdir())
    assert USER.encode() in logged, "the report has replaced it"
    assert not any(USER in name for name in files)
