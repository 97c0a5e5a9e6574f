"""Downloads of report and export: errors are reported, can be retried, and leave no partial file."""

import asyncio
import csv
import errno
import os
import threading
from io import FileIO
from pathlib import Path
from typing import Any

import pytest

from batchwright.api.files import file_streams as api_files
from batchwright.api.files.file_streams import IncomingFile
from batchwright.api.resources.batches import Batches
from batchwright.api.resources.exports import Exports
from batchwright.local.projects import RemoteBinding
from batchwright.schema.parsing import read_schema
from batchwright.ui.results.commands import download, download_answer_file
from batchwright.ui.results.stage import ResultsStage
from batchwright.ui.study.downloads import DownloadKind, DownloadOperation, start_download
from batchwright.ui.widgets.notices import NoticeCard, NoticeSeverity
from batchwright.wire.exports import ExportJob
from batchwright.workflows.answers import download_verified
from batchwright.workflows.verification.checks import Check
from tests.api.studies import SCHEMA
from tests.ui.conftest import until
from tests.ui.results.conftest import answer, settled
from tests.ui.window_fixtures import press

pytestmark = pytest.mark.gui


EACH = pytest.mark.parametrize("what", DownloadKind)


def card(stage: ResultsStage) -> NoticeCard:
    """The newest notice."""
    return stage.context.window.notices.cards[-1]


def folder_entries(folder: Path) -> list[str]:
    """The names in a folder, including hidden ones."""
    return sorted(path.name for path in folder.iterdir())


def content(path: Path) -> bytes:
    """The content of a file."""
    return path.read_bytes()


async def fetch(stage: ResultsStage, what: DownloadKind) -> None:
    """Download a file, and wait until the operation has ended."""
    start(stage, what)
    await settled(stage.context.window.tasks)


def start(stage: ResultsStage, what: DownloadKind) -> None:
    """Begin to download a file; of the files that participants uploaded, the first one."""
    state, context = stage.state, stage.context

    async def work() -> None:
        if what is DownloadKind.FILE:
            found = state.grid.rows
            assert found is not None
            entries = (entry for row in found.rows(0, found.count) for entry in row.entries)
            await download_answer_file(context, next(entry for entry in entries if entry.file_key))
        else:
            await download(context, what)

    context.window.tasks.start("download", work)


class FullDisk(FileIO):
    """A file on a full disk."""

    def write(self, _content: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def full(_file: int) -> None:
    """Fail like `os.fsync` on a full disk."""
    raise OSError(errno.ENOSPC, "No space left on device")


def forbidden(path: Path, _mode: str = "r") -> FileIO:
    """Fail like opening a file in a read-only folder."""
    raise PermissionError(errno.EACCES, "Permission denied", str(path))


def replace_like_windows(_self: Path, target: Path) -> Path:
    """Fail like replacing a file that is open in another program on Windows."""
    raise PermissionError(errno.EACCES, "The file is used by another process", None, None, str(target))


@EACH
async def test_a_full_disk_is_reported_and_the_previous_file_stays(
    stage: ResultsStage, what: DownloadKind, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write_bytes(b"older")
    with monkeypatch.context() as patched:
        patched.setattr(api_files, "FileIO", FullDisk)
        patched.setattr(os, "fsync", full)
        await fetch(stage, what)
    assert card(stage).notice.severity is NoticeSeverity.ERROR
    assert "cats.zip: the disk is full" in card(stage).notice.title
    assert folder_entries(place.parent) == ["cats.zip"]
    assert content(place) == b"older"
    press(card(stage), "Try again")
    await settled(stage.context.window.tasks)
    assert card(stage).notice.severity is NoticeSeverity.SUCCESS
    assert content(place) != b"older"
    assert folder_entries(place.parent) == ["cats.zip"]


async def test_a_read_only_folder_is_reported(
    stage: ResultsStage, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api_files, "FileIO", forbidden)
    await fetch(stage, DownloadKind.REPORT)
    assert "cats.zip" in card(stage).notice.title
    assert ".part" not in card(stage).notice.title
    assert folder_entries(place.parent) == []


async def test_a_target_open_in_another_program_is_reported_and_stays(
    stage: ResultsStage, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write_bytes(b"older")
    monkeypatch.setattr(Path, "replace", replace_like_windows)
    await fetch(stage, DownloadKind.REPORT)
    assert "used by another process" in card(stage).notice.title
    assert folder_entries(place.parent) == ["cats.zip"]
    assert content(place) == b"older"


@EACH
async def test_a_missing_folder_is_reported_and_the_download_can_be_retried(
    stage: ResultsStage, what: DownloadKind, place: Path
) -> None:
    place.parent.rmdir()
    await fetch(stage, what)
    assert str(place.parent) in card(stage).notice.title
    assert not place.parent.exists()
    place.parent.mkdir()
    press(card(stage), "Try again")
    await settled(stage.context.window.tasks)
    assert card(stage).notice.severity is NoticeSeverity.SUCCESS


async def test_a_retry_repeats_the_same_download_in_another_study(stage: ResultsStage, place: Path) -> None:
    place.parent.rmdir()
    state = stage.state
    await fetch(stage, DownloadKind.REPORT)
    place.parent.mkdir()
    state.study.set_remote(state.session.connection.name, RemoteBinding("w", batch_id="another"))
    press(card(stage), "Try again")
    await settled(stage.context.window.tasks)
    assert card(stage).notice.severity is NoticeSeverity.SUCCESS, card(stage).notice.text


@EACH
async def test_a_cancelled_download_leaves_no_file_and_can_be_repeated(
    stage: ResultsStage, what: DownloadKind, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_started, never = asyncio.Event(), asyncio.Event()
    stage.state.answers._poll_timer.stop()  # it would fetch the answers while that is patched

    async def wait_forever(_of: IncomingFile | Batches, *_what: object) -> None:
        has_started.set()
        await never.wait()

    with monkeypatch.context() as patched:
        patched.setattr(IncomingFile, "add", wait_forever)
        patched.setattr(Batches, "responses", wait_forever)
        start(stage, what)
        await asyncio.wait_for(has_started.wait(), 30)
        assert not stage.header.primary.isEnabled()
        press(stage, "Stop")
        await settled(stage.context.window.tasks)
    assert folder_entries(place.parent) == []
    assert not stage.state.is_downloading
    assert stage.context.window.notices.cards == ()
    await fetch(stage, what)
    assert card(stage).notice.severity is NoticeSeverity.SUCCESS


async def test_a_file_can_be_downloaded_again_but_not_twice_at_once(stage: ResultsStage, place: Path) -> None:
    of = stage.state.source.remote_study
    assert of is not None
    operation = DownloadOperation("download", "Export", kind=DownloadKind.EXPORT, path=place, of=of)
    start_download(stage.context.downloads, operation)
    start_download(stage.context.downloads, operation)
    await settled(stage.context.window.tasks)
    assert len(stage.context.window.notices.cards) == 1
    first = content(place)
    await fetch(stage, DownloadKind.EXPORT)
    assert content(place) == first
    assert folder_entries(place.parent) == ["cats.zip"]


async def test_an_export_with_an_expired_url_gets_a_new_one(
    stage: ResultsStage, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, expired = Exports.get, list[str]()

    async def stale_at_first(self: Exports, batch_id: str, export_id: str) -> ExportJob:
        job = await real(self, batch_id, export_id)
        if job.url is not None and not expired:
            expired.append(job.url)
            return job.model_copy(update={"url": f"{job.url}0"})
        return job

    monkeypatch.setattr(Exports, "get", stale_at_first)
    await fetch(stage, DownloadKind.EXPORT)
    assert expired
    assert card(stage).notice.severity is NoticeSeverity.SUCCESS, card(stage).notice.text


async def test_a_report_is_verified_against_the_dataset_of_the_batch(
    stage: ResultsStage, place: Path
) -> None:
    study = stage.state.study
    more = {**SCHEMA, "fields": {**SCHEMA["fields"], "later": {"type": "text", "label": "Later"}}}
    study.set_schema(read_schema(more))
    await fetch(stage, DownloadKind.REPORT)
    assert card(stage).notice.severity is NoticeSeverity.SUCCESS, card(stage).notice.text
    with place.open(encoding="utf-8", newline="") as report:
        assert next(csv.reader(report))[4] == "prompt"


async def test_a_report_passes_verification_after_a_new_setup(stage: ResultsStage, place: Path) -> None:
    state, tasks = stage.state, stage.context.window.tasks
    await answer(state.session, state.study, tasks, 1)
    state.answers.refresh()
    await settled(tasks)
    await fetch(stage, DownloadKind.REPORT)
    assert card(stage).notice.severity is NoticeSeverity.SUCCESS, card(stage).notice.text


async def test_a_safe_report_that_is_stopped_before_it_is_safe_replaces_no_file(
    stage: ResultsStage, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_started, may_end = threading.Event(), threading.Event()

    def verify_slowly(*_arguments: object, **_options: object) -> list[Check]:
        has_started.set()
        may_end.wait(30)
        return []

    place.write_bytes(b"older")
    monkeypatch.setattr(download_verified, "verify_report", verify_slowly)
    start(stage, DownloadKind.SAFE_REPORT)
    await until(has_started.is_set, 30)
    press(stage, "Stop")
    may_end.set()
    await settled(stage.context.window.tasks)
    assert content(place) == b"older"
    assert folder_entries(place.parent) == ["cats.zip"]


async def test_a_report_that_cannot_be_made_safe_is_not_saved(
    stage: ResultsStage, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> int:
        raise csv.Error("field larger than field limit")

    place.write_bytes(b"older")
    monkeypatch.setattr(download_verified, "write_safe_copy", fail)
    await fetch(stage, DownloadKind.SAFE_REPORT)
    assert card(stage).notice.title == "cats.zip could not be made safe for spreadsheets: it is not a table."
    assert content(place) == b"older"
    assert folder_entries(place.parent) == ["cats.zip"]
