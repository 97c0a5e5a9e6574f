"""Downloads of report and export: errors are reported, can be retried, and leave no partial file."""

import asyncio
import csv
import errno
import os
from io import FileIO
from pathlib import Path
from typing import Any

import pytest

from batchwright.api import file_streams as api_files
from batchwright.api.batches import Batches
from batchwright.api.exports import Exports
from batchwright.api.file_streams import IncomingFile
from batchwright.local.projects import RemoteBinding
from batchwright.schema.parsing import read_schema
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.results.commands import download, download_answer_file
from batchwright.ui.results.stage import ResultsStage
from batchwright.ui.results.state import ResultsState
from batchwright.ui.shell.stages import Stage
from batchwright.ui.shell.state import DocumentTitle, ShellState
from batchwright.ui.shell.window import Window
from batchwright.ui.study.downloads import DownloadKind, DownloadOperation, start_download
from batchwright.ui.study.study_model import Study
from batchwright.ui.widgets.notices import NoticeCard, NoticeSeverity
from batchwright.wire.exports import ExportJob
from batchwright.workflows.messages import describe
from tests.api.studies import SCHEMA
from tests.ui.conftest import until
from tests.ui.fake_connection_pool import upload_study_data
from tests.ui.results.test_stage import RunSteps, answer, files, run_steps, settled
from tests.ui.run.separate_service import separate_service
from tests.ui.window_fixtures import FakeFileDialogs, press

pytestmark = pytest.mark.gui

__all__ = ["files", "run_steps"]

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
            found = state.list.rows
            assert found is not None
            entries = (entry for row in found.rows(0, found.count) for entry in row.entries)
            await download_answer_file(context, next(entry for entry in entries if entry.file_key))
        else:
            await download(context, what)

    context.window.tasks.start("download", work)


@pytest.fixture
def place(tmp_path: Path, files: FakeFileDialogs) -> Path:
    """The target path, in a separate folder."""
    (tmp_path / "out").mkdir()
    files.path = tmp_path / "out" / "cats.zip"
    return files.path


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
def test_a_full_disk_is_reported_and_the_previous_file_stays(
    what: DownloadKind, run_steps: RunSteps, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write_bytes(b"older")

    async def steps(stage: ResultsStage) -> None:
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

    run_steps(steps, 1)


def test_a_read_only_folder_is_reported(
    run_steps: RunSteps, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def steps(stage: ResultsStage) -> None:
        monkeypatch.setattr(api_files, "FileIO", forbidden)
        await fetch(stage, DownloadKind.REPORT)
        assert "cats.zip" in card(stage).notice.title
        assert ".part" not in card(stage).notice.title
        assert folder_entries(place.parent) == []

    run_steps(steps, 1)


def test_a_target_open_in_another_program_is_reported_and_stays(
    run_steps: RunSteps, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write_bytes(b"older")

    async def steps(stage: ResultsStage) -> None:
        monkeypatch.setattr(Path, "replace", replace_like_windows)
        await fetch(stage, DownloadKind.REPORT)
        assert "used by another process" in card(stage).notice.title
        assert folder_entries(place.parent) == ["cats.zip"]
        assert content(place) == b"older"

    run_steps(steps, 1)


@EACH
def test_a_missing_folder_is_reported_and_the_download_can_be_retried(
    what: DownloadKind, run_steps: RunSteps, place: Path
) -> None:
    place.parent.rmdir()

    async def steps(stage: ResultsStage) -> None:
        await fetch(stage, what)
        assert str(place.parent) in card(stage).notice.title
        assert not place.parent.exists()
        place.parent.mkdir()
        press(card(stage), "Try again")
        await settled(stage.context.window.tasks)
        assert card(stage).notice.severity is NoticeSeverity.SUCCESS

    run_steps(steps, 1)


def test_a_retry_repeats_the_same_download_in_another_study(run_steps: RunSteps, place: Path) -> None:
    place.parent.rmdir()

    async def steps(stage: ResultsStage) -> None:
        state = stage.state
        await fetch(stage, DownloadKind.REPORT)
        place.parent.mkdir()
        state.study.set_remote(state.session.connection.name, RemoteBinding("w", batch_id="another"))
        press(card(stage), "Try again")
        await settled(stage.context.window.tasks)
        assert card(stage).notice.severity is NoticeSeverity.SUCCESS, card(stage).notice.text

    run_steps(steps, 1)


@EACH
def test_a_cancelled_download_leaves_no_file_and_can_be_repeated(
    what: DownloadKind, run_steps: RunSteps, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    async def steps(stage: ResultsStage) -> None:
        has_started, never = asyncio.Event(), asyncio.Event()
        stage.state.remote._poll_timer.stop()  # it would fetch the answers while that is patched

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

    run_steps(steps, 1)


def test_a_file_can_be_downloaded_again_but_not_twice_at_once(run_steps: RunSteps, place: Path) -> None:
    async def steps(stage: ResultsStage) -> None:
        of = stage.state.source.of
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

    run_steps(steps, 1)


def test_an_export_with_an_expired_url_gets_a_new_one(
    run_steps: RunSteps, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, expired = Exports.get, list[str]()

    async def stale_at_first(self: Exports, batch_id: str, export_id: str) -> ExportJob:
        job = await real(self, batch_id, export_id)
        if job.url is not None and not expired:
            expired.append(job.url)
            return job.model_copy(update={"url": f"{job.url}0"})
        return job

    async def steps(stage: ResultsStage) -> None:
        monkeypatch.setattr(Exports, "get", stale_at_first)
        await fetch(stage, DownloadKind.EXPORT)
        assert expired
        assert card(stage).notice.severity is NoticeSeverity.SUCCESS, card(stage).notice.text

    run_steps(steps, 1)


def test_a_report_is_verified_against_the_dataset_of_the_batch(run_steps: RunSteps, place: Path) -> None:
    async def steps(stage: ResultsStage) -> None:
        study = stage.state.study
        more = {**SCHEMA, "fields": {**SCHEMA["fields"], "later": {"type": "text", "label": "Later"}}}
        study.set_schema(read_schema(more))
        await fetch(stage, DownloadKind.REPORT)
        assert card(stage).notice.severity is NoticeSeverity.SUCCESS, card(stage).notice.text
        with place.open(encoding="utf-8", newline="") as report:
            assert next(csv.reader(report))[4] == "prompt"

    run_steps(steps, 1)


def test_a_report_passes_verification_after_a_new_setup(run_steps: RunSteps, place: Path) -> None:
    async def steps(stage: ResultsStage) -> None:
        state, tasks = stage.state, stage.context.window.tasks
        await answer(state.session, state.study, tasks, 1)
        state.remote.refresh()
        await settled(tasks)
        await fetch(stage, DownloadKind.REPORT)
        assert card(stage).notice.severity is NoticeSeverity.SUCCESS, card(stage).notice.text

    run_steps(steps, 1)


def test_a_download_continues_after_the_service_was_killed(
    loop: asyncio.AbstractEventLoop,
    tmp_path: Path,
    window: Window,
    shell: ShellState,
    files: FakeFileDialogs,
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def flow() -> None:
        tasks, study = Tasks(describe), Study()
        stage_context = window.stage_context(tasks)
        async with separate_service(tmp_path, monkeypatch) as service:
            await upload_study_data(service.session, study, tmp_path)
            await answer(service.session, study, tasks, 1)
            stage = ResultsStage(stage_context, ResultsState(study, service.session, tasks), files)
            window._stack._stages["results"] = Stage("results", "Results", "chart-bar", lambda _frame: stage)
            window.set_context(stage_context)
            shell.set_document(DocumentTitle("Cats"))
            shell.set_stage("results")
            await settled(tasks)
            real = Exports.start

            async def start_and_die(self: Exports, batch_id: str) -> ExportJob:
                job = await real(self, batch_id)
                if service.starts == 1:
                    service.kill()
                return job

            with monkeypatch.context() as patched:
                patched.setattr(Exports, "start", start_and_die)
                await fetch(stage, DownloadKind.EXPORT)
                await until(lambda: place.exists(), 30)
                await settled(tasks)
            assert card(stage).notice.severity is NoticeSeverity.SUCCESS, card(stage).notice.text
            assert service.starts == 2
            stage.state.remote.set_active(is_active=False)  # a poll would start the service again
            await tasks.aclose()

    loop.run_until_complete(flow())
