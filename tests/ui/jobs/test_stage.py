"""The Jobs stage: the table of jobs with their states, and the commands for a job."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

from batchwright.base.json_values import Json
from batchwright.client.job_monitoring.local_job import LocalJob
from batchwright.client.job_monitoring.monitors import PollFailure
from batchwright.client.job_monitoring.status import JobKind, JobOutcome
from batchwright.client.job_monitoring.transfer_rate import UNKNOWN
from batchwright.local.connections import THIS_COMPUTER
from batchwright.local.job_table import MAX_LISTED, JobRow
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.jobs.labels import job_description, next_check, outcome, status, subtitle
from batchwright.ui.jobs.stage import JobsStage, search_text
from batchwright.ui.jobs.state import Job, JobFilter, JobStateFilter
from batchwright.ui.theme.glyphs import code_points
from batchwright.ui.widgets.tables.table import accessible_text
from batchwright.wire.batches import BatchCreate
from batchwright.workflows.publishing.set_up import set_up
from tests.api.studies import DETAILS, LAYOUT
from tests.ui.conftest import until

pytestmark = pytest.mark.gui


def job(ending: str | None = None, state: str | None = "processing", **further: object) -> Job:
    row = JobRow(
        row_id=1,
        connection="Prolific",
        kind="import",
        subject={},
        title="cats.csv",
        started_at=datetime.now(UTC),
        polled_at=None,
        state=state,
        detail={"accepted_count": 868, "rejected_count": 32, "sent_count": 901},
        poll_error=None,
        outcome=ending,
        ended_at=None,
    )
    return Job(row, **further)  # type: ignore[arg-type]  # named by the dataclass


def row_text(stage: JobsStage, row: int = 0) -> list[str]:
    """The texts of a row."""
    rows = stage.table.model()
    return [str(rows.index(row, column).data()) for column in range(rows.columnCount())]


def button(stage: JobsStage, text: str) -> QAbstractButton:
    return next(button for button in stage.findChildren(QAbstractButton) if button.text() == text)


async def test_an_import_is_listed_with_its_result(stage: JobsStage) -> None:
    assert row_text(stage)[:3] == [
        "Import prompts.csv, This computer",
        "Complete",
        "2 accepted, 0 rejected",
    ]
    assert row_text(stage)[4] == "–"
    assert not button(stage, "Refresh all").isEnabled()


async def test_return_opens_the_result_of_a_job(stage: JobsStage) -> None:
    stage.table.selectRow(0)
    assert stage.open_button.isEnabled()
    assert not stage.poll_button.isEnabled()
    stage.table.setFocus()
    QTest.keyClick(stage.table, Qt.Key.Key_Return)
    assert stage.context.window.shell.stage == "data"


async def test_opening_a_job_of_another_study_shows_a_notice(stage: JobsStage) -> None:
    stage.state.study.close()
    stage.table.selectRow(0)
    stage.context.window.actions.run(ActionId.JOBS_OPEN)
    assert stage.context.window.shell.stage == "jobs"
    (card,) = stage.context.window.notices.cards
    assert "another study" in card.notice.text


async def test_the_job_of_a_feedback_file_opens_the_feedback_stage(stage: JobsStage) -> None:
    stage.state.study.close()
    watcher = await stage.state.session.job_watcher()
    row = await asyncio.to_thread(
        watcher.rows.add, THIS_COMPUTER.name, JobKind.UPLOAD, {"feedback": "w1"}, "notes.csv"
    )
    await asyncio.to_thread(watcher.rows.record, row.row_id, JobOutcome.STOPPED, {}, JobOutcome.STOPPED)
    stage.state.refresh()
    await until(lambda: any(job.row.title == "notes.csv" for job in stage.state.jobs))
    at = next(index for index, entry in enumerate(stage.state.jobs) if entry.row.title == "notes.csv")
    assert row_text(stage, at)[2] == "Interrupted. Open it to send the file again."
    stage.table.selectRow(at)
    QTest.keyClick(stage.table, Qt.Key.Key_Return)
    assert stage.context.window.shell.stage == "feedback"
    assert not stage.context.window.notices.cards


async def test_jobs_show_the_current_name_of_their_connection(stage: JobsStage) -> None:
    first, session = stage.state.jobs[0], stage.state.session
    assert job_description(first).text.subtitle == first.row.connection
    session.update_connections((replace(THIS_COMPUTER, is_local=False, label="The machine room"),))
    await until(lambda: job_description(stage.state.jobs[0]).text.subtitle == "The machine room")


async def test_jobs_are_filtered_by_state_type_and_text(stage: JobsStage) -> None:
    rows = stage.table.model()
    for chip, count in (("Running", 0), ("Failed", 0), ("Finished", 2), ("All", 2)):
        button(stage, chip).click()
        assert rows.rowCount() == count
    stage.kind.setCurrentIndex(stage.kind.findData("setup"))
    assert rows.rowCount() == 0
    stage.kind.setCurrentIndex(stage.kind.findData("upload"))
    assert rows.rowCount() == 1
    stage.kind.setCurrentIndex(0)
    for text, count in (("PROMPTS", 2), ("import PROMPTS", 1), ("dogs", 0)):
        stage.search.setText(text)
        assert rows.rowCount() == count


async def test_finished_jobs_can_be_cleared(stage: JobsStage) -> None:
    button(stage, "Clear finished").click()
    await until(lambda: not stage.state.jobs, 30)
    assert stage._nothing.isVisible()


async def test_an_unreadable_job_list_shows_an_error_and_can_be_retried(
    stage: JobsStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    watcher = await stage.state.session.job_watcher()

    def fail_to_read(limit: int = 0) -> list[JobRow]:
        raise OSError(5, "Input/output error", "batchwright.db")

    monkeypatch.setattr(watcher.rows, "latest", fail_to_read)
    stage.state.refresh()
    await until(lambda: stage.state.error is not None, 30)
    assert button(stage, "Retry").isVisible()
    monkeypatch.undo()
    button(stage, "Retry").click()
    await until(lambda: stage.state.error is None, 30)
    assert stage.table.isVisible()


async def test_many_old_jobs_are_listed(stage: JobsStage) -> None:
    rows = (await stage.state.session.job_watcher()).rows
    for number in range(300):
        added = rows.add(THIS_COMPUTER.name, "setup", {"batch_id": str(number)}, f"Study {number}")
        rows.record(added.row_id, "READY", {"total_task_count": number}, JobOutcome.DONE)
    stage.state.refresh()
    await until(lambda: len(stage.state.jobs) == 302, 30)
    assert row_text(stage)[2] == "299 tasks"


@pytest.mark.parametrize(
    ("shown", "label", "text"),
    [
        (job(), "Waiting", "sign in to Prolific"),
        (job(is_monitored=True), "Processing", "868 accepted, 32 rejected"),
        (job(is_monitored=True, state="queued"), "Queued", "Waiting for its turn"),
        (job(is_monitored=True, poll_failure=PollFailure.OFFLINE), "Waiting", "Checking again once online"),
        (job(is_monitored=True, poll_failure=PollFailure.SIGNED_OUT), "Waiting", "Signed out of Prolific"),
        (job(is_monitored=True, poll_failure=PollFailure.REFUSED), "Waiting", "denies access"),
        (job(is_monitored=True, poll_failure=PollFailure.NOT_STORED), "Waiting", "The disk is full"),
        (job(is_monitored=True, poll_failure=PollFailure.RATE_LIMITED), "Waiting", "asked to wait"),
        (job(JobOutcome.PARTLY, "partial"), "Partial", "868 accepted, 32 rejected"),
        (
            job(JobOutcome.MISCOUNTED, "complete"),
            "Failed verification",
            "868 accepted, 32 rejected; 901 were sent",
        ),
        (job(JobOutcome.PAUSED, "pending_schema"), "Needs a schema", "Set the schema"),
        (job(JobOutcome.FAILED, "failed"), "Failed", "no reason"),
        (job(JobOutcome.GONE, "gone"), "Not found", "no longer has it"),
        (job(JobOutcome.UNCLEAR, "sleeping"), "sleeping", "Unknown state reported"),
    ],
)
def test_every_job_state_has_a_label_and_text(shown: Job, label: str, text: str) -> None:
    assert status(shown).label == label
    assert text in accessible_text(outcome(shown))


def test_the_next_check_is_shown() -> None:
    assert next_check(job(), 5) == "–"
    assert next_check(job(is_monitored=True), 12.4) == "in 12 s"
    assert next_check(job(is_monitored=True), None) == "now"
    assert next_check(job(is_monitored=True, poll_failure=PollFailure.SIGNED_OUT), None) == "when signed in"


async def test_a_search_reads_the_text_of_a_job_once_until_the_job_changes(
    stage: JobsStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = list(stage.state.jobs)
    read: list[Job] = []

    def record(job: Job) -> str:
        read.append(job)
        return search_text(job)

    monkeypatch.setattr("batchwright.ui.jobs.stage.search_text", record)
    for typed in ("p", "pr", "pro"):
        stage.search.setText(typed)
        assert stage.rows.row_count() == len(listed)
    assert read == listed
    stage.state.jobs = (replace(listed[0], title="Laboratory"),)
    stage.search.setText("laboratory")
    assert stage.rows.row_count() == 1


async def test_a_list_that_is_cut_says_so(stage: JobsStage) -> None:
    stage.state.jobs = tuple(
        replace(job(), row=replace(job().row, row_id=id)) for id in range(MAX_LISTED - 1)
    )
    assert subtitle(stage.state) == "No jobs are running."
    stage.state.jobs += (job("failed"),)
    assert subtitle(stage.state) == "No jobs are running. The newest 500 are listed."


def test_filters_separate_running_finished_and_failed_jobs() -> None:
    jobs = {
        JobStateFilter.RUNNING: job(),
        JobStateFilter.FINISHED: job(JobOutcome.DONE),
        JobStateFilter.FAILED: job(JobOutcome.GONE),
    }
    for which in jobs:
        assert [other for other, entry in jobs.items() if JobFilter(which).matches(entry, "")] == [which]


@pytest.mark.parametrize(
    ("kind", "title", "text"),
    [
        ("upload", "cats.csv", "Send cats.csv"),
        ("processing", "cats.zip", "Read cats.zip"),
        ("append", "more.jsonl", "Append more.jsonl"),
        ("migration", "Cats", "Migrate Cats"),
        ("sync", "Cats", "Sync Cats"),
        ("collection_export", "Survey", "Export Survey"),
        ("download", "report.csv", "Download report.csv"),
        ("import", "cats.csv", "Import cats.csv"),
        ("setup", "Which is better", "Set up Which is better"),
        ("export", "Which is better.zip", "Export Which is better.zip"),
    ],
)
def test_the_description_of_a_job_names_its_subject(kind: str, title: str, text: str) -> None:
    before = job()
    shown = job_description(replace(before, row=replace(before.row, kind=kind, title=title)))
    assert shown.text.text == text


def of_kind(kind: JobKind, ending: str | None, state: str | None, **detail: Json) -> Job:
    before = job(ending, state)
    return replace(before, row=replace(before.row, kind=kind, detail=detail))


@pytest.mark.parametrize("kind", JobKind)
def test_every_job_type_has_a_title_a_glyph_and_a_stage(kind: JobKind) -> None:
    shown = of_kind(kind, None, None)
    assert job_description(shown).glyph in code_points()
    assert "cats.csv" in job_description(shown).text.text
    assert shown.stage in {"data", "run", "results", "collections"}


@pytest.mark.parametrize(
    ("shown", "label", "text"),
    [
        (of_kind(JobKind.PROCESSING, None, "PROCESSING"), "Waiting", "sign in"),
        (of_kind(JobKind.PROCESSING, JobOutcome.DONE, "READY"), "Ready", "records are ready"),
        (of_kind(JobKind.PROCESSING, JobOutcome.FAILED, "ERROR", reason="No rows."), "Error", "No rows."),
        (of_kind(JobKind.SYNC, JobOutcome.DONE, "complete", tasks_created=3), "Complete", "3 tasks created"),
        (of_kind(JobKind.SYNC, JobOutcome.FAILED, "failed", reason="Sync again."), "Failed", "Sync again."),
        (
            of_kind(JobKind.MIGRATION, JobOutcome.DONE, "complete", reprocessed_count=9),
            "Complete",
            "9 records fit",
        ),
        (
            of_kind(
                JobKind.MIGRATION,
                JobOutcome.PARTLY,
                "partial",
                reprocessed_count=7,
                failed_count=2,
                errors=[
                    {"datapoint_id": "d1", "field": "photo", "reason": "No https address."},
                    {"datapoint_id": "d2", "field": "photo", "reason": "No https address."},
                ],
            ),
            "Partial",
            "7 records fit, 2 lost values, photo: No https address. (1 more)",
        ),
        (of_kind(JobKind.UPLOAD, JobOutcome.DONE, "complete", size=5, sha256="0f"), "Complete", "5 bytes"),
        (of_kind(JobKind.UPLOAD, JobOutcome.STOPPED, "stopped"), "Stopped", "Start it again"),
        (of_kind(JobKind.UPLOAD, None, None), "Stopped", "Start it again"),
        (
            replace(of_kind(JobKind.IMPORT, None, "uninitialised", is_late=True), is_monitored=True),
            "Waiting for the file",
            "not started to read it yet",
        ),
        (
            replace(of_kind(JobKind.SETUP, None, "UNINITIALISED", is_late=True), is_monitored=True),
            "Uninitialised",
            "has not started yet",
        ),
        (of_kind(JobKind.IMPORT, JobOutcome.NOT_STARTED, "uninitialised"), "Not started", "Upload it again"),
        (
            of_kind(JobKind.SETUP, JobOutcome.NOT_STARTED, "UNINITIALISED"),
            "Not started",
            "Set up again in Run",
        ),
        (of_kind(JobKind.DOWNLOAD, JobOutcome.FAILED, "failed", reason="Cut off."), "Failed", "Cut off."),
        (
            of_kind(JobKind.COLLECTION_EXPORT, JobOutcome.DONE, "complete"),
            "Complete",
            "Download it in Collections",
        ),
    ],
)
def test_every_job_type_shows_its_result(shown: Job, label: str, text: str) -> None:
    assert status(shown).label == label
    assert text in accessible_text(outcome(shown))


def test_a_local_job_shows_its_progress() -> None:
    sending = replace(of_kind(JobKind.UPLOAD, None, None), is_monitored=True, is_awaited=True)
    assert status(sending).label == "In progress"
    rate = UNKNOWN.after(0, 0.0).after(1_000_000, 2.0)
    moving = replace(sending, local_job=LocalJob(completed=1_000_000, total=4_000_000, rate=rate))
    text = "25 %, 1.0 MB of 4.0 MB, 500.0 kB a second, 6 s left"
    assert accessible_text(outcome(moving)) == text
    appending = LocalJob({"accepted_count": 2000, "rejected_count": 1}, completed=2001)
    assert "2,000 accepted" in accessible_text(outcome(replace(sending, local_job=appending)))
    assert not sending.can_poll
    assert not sending.can_stop
    assert next_check(sending, None) == "–"


def test_a_local_job_waits_while_offline() -> None:
    sending = replace(of_kind(JobKind.UPLOAD, None, None), is_monitored=True, is_awaited=True)
    local_job = LocalJob(total=10)
    local_job.set_offline()
    away = replace(sending, local_job=local_job)
    assert (status(away).label, accessible_text(outcome(away))) == (
        "Waiting",
        "Offline. Continues automatically once online.",
    )
    local_job.advance(5, 10)
    assert "50 %" in accessible_text(outcome(away))


def test_the_upload_of_a_command_is_not_shown_as_stopped() -> None:
    row = replace(of_kind(JobKind.UPLOAD, None, None).row, connection="http://127.0.0.1:8000")
    assert "Started by a command" in accessible_text(outcome(Job(row)))


@pytest.mark.spec("Y-12")
async def test_a_failed_sync_can_be_retried(stage: JobsStage) -> None:
    session, watcher = stage.state.session, await stage.state.session.job_watcher()
    context = await session.context()
    data = stage.state.study.remote(session.connection.name).dataset_id
    batch = await context.service.batches.create(
        BatchCreate(
            name="Cats",
            workspace_id=context.workspace_id,
            task_details=DETAILS,
            dataset_id=data,
            batch_items=LAYOUT,
        )
    )
    await set_up(context, batch.id, "Cats", 1)
    subject = {"batch_id": batch.id, "sync_id": "lost"}
    failed = watcher.rows.add(THIS_COMPUTER.name, JobKind.SYNC, subject, "Cats")
    watcher.rows.record(failed.row_id, "failed", {"reason": "Start the sync again."}, JobOutcome.FAILED)
    stage.state.refresh()
    await until(lambda: stage.rows.row_of(failed.row_id) >= 0, 30)
    stage.table.selectRow(stage.rows.row_of(failed.row_id))
    assert "Start the sync again." in row_text(stage, stage.rows.row_of(failed.row_id))
    assert stage.retry_button.isEnabled()
    stage.retry_button.click()
    await until(lambda: len(synced(stage)) == 2, 30)
    await until(lambda: all(job.row.outcome for job in synced(stage)), 30)
    assert synced(stage)[0].row.outcome == JobOutcome.DONE


def synced(stage: JobsStage) -> list[Job]:
    return [job for job in stage.state.jobs if job.row.kind == JobKind.SYNC]
