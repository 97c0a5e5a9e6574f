"""The queue of feedback files survives the end of the program, and nothing is sent again unasked."""

import socket
import sys
from pathlib import Path

import pytest
from shiboken6 import delete

from batchwright.client.job_monitoring.status import LOCAL_KINDS, JobKind, JobOutcome
from batchwright.local import sent_files
from batchwright.local.database import open_database
from batchwright.local.job_table import JobRows
from batchwright.local.sent_files import SentFiles
from batchwright.service.process import ServiceAddress
from batchwright.ui.feedback.commands import send_files
from batchwright.ui.feedback.labels import progress_text, status, subtitle
from batchwright.ui.feedback.stage import FeedbackStage
from batchwright.ui.feedback.state import FeedbackFileState, FeedbackState
from batchwright.ui.shell.state import ShellState
from batchwright.ui.shell.window import Window
from tests.processes import started
from tests.ui.conftest import until
from tests.ui.feedback.conftest import stage_at
from tests.ui.feedback.test_stage import named, states, write_files

pytestmark = pytest.mark.gui


def kill_while_sending(folder: Path, *files: Path) -> None:
    """Let another run of the program send files, and kill it during the first transfer."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        command = [sys.executable, "-m", "tests.ui.feedback.killed_sender", url, str(folder)]
        with started([*command, *map(str, files)]) as sender:
            assert sender.stdout is not None
            assert sender.stdout.readline() == "sending\n"


def stop_jobs(folder: Path) -> None:
    """Stop the unfinished jobs of the killed program, as the program does when it starts."""
    database = open_database(folder)
    JobRows(database).end_all(LOCAL_KINDS, JobOutcome.STOPPED)
    database.close()


async def test_files_of_a_killed_program_are_interrupted_and_resume_on_request(
    running: ServiceAddress, tmp_path: Path, window: Window, shell: ShellState
) -> None:
    files = [write_files(tmp_path, name) for name in ("a.csv", "b.csv", "c.csv")]
    kill_while_sending(tmp_path, *files)
    stop_jobs(tmp_path)

    async with stage_at(running, tmp_path, window, shell) as stage:
        assert states(stage) == [FeedbackFileState.INTERRUPTED] * 3
        assert stage.state.history == ()
        first = stage.state.files[0]
        assert (first.path, status(first).label) == (files[0], "Interrupted")
        assert progress_text(first).startswith(
            "Batchwright closed before the upload to This computer was complete."
        )
        assert subtitle(stage.state) == "3 files. 3 need attention."
        named(stage, "Retry a.csv").click()
        await until(lambda: states(stage)[0] is FeedbackFileState.SENT, 30)
        named(stage, "Remove b.csv from the list").click()
        await until(lambda: not stage.context.window.tasks.running)
    database = open_database(tmp_path)
    assert [row.kind for row in JobRows(database).latest() if row.outcome == JobOutcome.STOPPED] == [
        JobKind.UPLOAD
    ] * 2
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sent_files, "_RUN", "a later run")
        assert [queued.path for queued in SentFiles(database).claim_interrupted()] == [files[2]]
        assert SentFiles(database).claim_interrupted() == []
    database.close()


async def test_a_file_leaves_the_queue_when_its_transfer_is_recorded(
    stage: FeedbackStage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program killed right afterwards must not offer to send it again."""
    monkeypatch.setattr(SentFiles, "dequeue", lambda *_args: None)

    await send_files(stage.context, [write_files(tmp_path, "a.csv")])
    await until(lambda: states(stage) == [FeedbackFileState.SENT], 30)
    database = open_database(tmp_path)
    monkeypatch.setattr(sent_files, "_RUN", "a later run")
    assert [sent.name for sent in SentFiles(database).latest()] == ["a.csv"]
    assert SentFiles(database).claim_interrupted() == []
    database.close()


async def test_a_sent_or_cancelled_file_is_not_in_the_queue(stage: FeedbackStage, tmp_path: Path) -> None:
    await send_files(
        stage.context,
        [write_files(tmp_path, "a.csv"), write_files(tmp_path, "b.csv"), write_files(tmp_path, "c.csv")],
    )
    stage.state.cancel(stage.state.files[2].number)
    await until(
        lambda: (
            states(stage) == [FeedbackFileState.SENT, FeedbackFileState.SENT, FeedbackFileState.CANCELLED]
        ),
        30,
    )
    await until(lambda: not stage.context.window.tasks.running)
    database = open_database(tmp_path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sent_files, "_RUN", "a later run")
        assert SentFiles(database).claim_interrupted() == []
    database.close()


async def test_files_of_a_closed_window_are_interrupted_in_another_one(
    stage: FeedbackStage, tmp_path: Path
) -> None:
    """While it is open, only that window lists them."""
    session, tasks = stage.state.session, stage.context.window.tasks
    closed = FeedbackState(session, tasks)
    await closed.enqueue(await closed.add([write_files(tmp_path, "a.csv")]))
    stage.state.read_history()
    await until(lambda: not tasks.running)
    assert states(stage) == []
    delete(closed)
    stage.state.read_history()
    await until(lambda: states(stage) == [FeedbackFileState.INTERRUPTED])
    assert progress_text(stage.state.files[0]) == (
        "The window was closed before the upload to This computer was complete. Retry to send it again."
    )
    named(stage, "Retry a.csv").click()
    await until(lambda: states(stage) == [FeedbackFileState.SENT], 30)
