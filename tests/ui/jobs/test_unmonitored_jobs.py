"""Jobs that are not monitored show the reason: a missing connection, a missing token, or an error."""

import asyncio
from pathlib import Path
from typing import cast

import pytest

from batchwright.api.client import connect
from batchwright.api.http.errors import BadCertificates
from batchwright.client.connection_pool import NotSignedIn
from batchwright.client.job_monitoring.connection_jobs import ConnectionJobs, classify_poll_failure
from batchwright.client.job_monitoring.job_watcher import JobWatcher, WatchedJob
from batchwright.client.job_monitoring.monitors import JobPoller, JobRecorder
from batchwright.client.job_monitoring.status import JobKind, JobOutcome, JobStatus
from batchwright.local.connections import Connection, Connections, NoSuchConnection
from batchwright.local.secrets import KeyringFailure, KeyringUnavailable
from batchwright.service.process import ServiceDidNotStart
from batchwright.ui.connections.sign_in import RemoveConnectionDialog
from batchwright.ui.jobs.labels import next_check, outcome, status
from batchwright.ui.jobs.state import Job, JobsState
from batchwright.ui.widgets.tables.table import accessible_text
from batchwright.workflows.messages import describe
from tests.fakes.echo_server import EchoServer
from tests.fakes.raw_http import FakeResponse
from tests.ui.conftest import until
from tests.ui.window_fixtures import OpenTestWindow, press, window_in

pytestmark = pytest.mark.gui
LAB = Connection("Lab", "https://api.example.org", "w1")
IMPORT = {"dataset_id": "d", "import_id": "i"}


@pytest.fixture
def connections(tmp_path: Path) -> Connections:
    """The connections of an earlier run: one is hosted."""
    (tmp_path / "data").mkdir()
    connections = Connections(tmp_path / "data")
    connections.add(LAB)
    return connections


async def _never() -> JobStatus:
    """Poll without ever getting a status."""
    await asyncio.Event().wait()
    raise AssertionError


async def jobs_at(at: OpenTestWindow) -> dict[str, Job]:
    """The listed jobs by connection."""
    await at.settled()
    state = JobsState(at.controller.study, at.controller.session, at.tasks)
    state.refresh()
    await until(lambda: not state.is_loading, 30)
    state.deleteLater()
    return {job.row.connection: job for job in state.jobs}


@pytest.mark.usefixtures("connections")
async def test_jobs_of_a_removed_connection_are_not_monitored(at: OpenTestWindow) -> None:
    watcher = at.pool.watcher
    job_row = watcher.rows.add("Lab", JobKind.IMPORT, IMPORT, "cats.csv")
    watcher.monitor(
        [WatchedJob(job_row, JobPoller(_never, cast("JobRecorder", None), classify_poll_failure))]
    )
    await at.controller.connections.refresh()
    assert (await jobs_at(at))["Lab"].is_monitored
    await until(lambda: at.shell.job_count == 1, 30)
    at.controller.remove_connection(LAB)
    await until(
        lambda: any(
            remove_connection_dialog.isVisible()
            for remove_connection_dialog in at.window.findChildren(RemoveConnectionDialog)
        ),
        30,
    )
    press(at.window, "Remove connection")
    await until(lambda: watcher.poller(job_row.row_id) is None and at.shell.job_count == 0, 30)
    job = (await jobs_at(at))["Lab"]
    assert (job.can_poll, watcher.rows.open()) == (False, [job_row])
    assert status(job).label == "Not monitored"
    assert "Its connection was removed" in accessible_text(outcome(job))
    for operation in (at.controller.session.poll_job, at.controller.session.retry_job):
        with pytest.raises(NoSuchConnection) as caught:
            await operation(job_row)
        assert "“Lab”" in describe(caught.value).what
        assert not describe(caught.value).is_bug


@pytest.mark.parametrize("is_cleared", [False, True])
async def test_jobs_are_monitored_again_when_their_connection_is_recreated(
    is_cleared: bool, tmp_path: Path, connections: Connections, at: OpenTestWindow
) -> None:
    rows = at.pool.watcher.rows
    job_row = rows.add("Lab", JobKind.IMPORT, IMPORT, "cats.csv")
    (tmp_path / "data" / "connections.json").write_bytes(b"{")
    await at.controller.load(())
    await at.controller.start(is_first=False)
    assert not (await jobs_at(at))["Lab"].can_poll
    if is_cleared:
        await at.controller.session.clear_ended_jobs()
    connections.add(LAB)
    await at.controller.connections.refresh()
    await at.settled()
    assert rows.open("Lab") == ([] if is_cleared else [job_row])
    assert list(await jobs_at(at)) == ([] if is_cleared else ["Lab"])
    assert at.shell.job_count == (0 if is_cleared else 1)


async def test_jobs_of_a_recreated_connection_can_be_polled_and_retried(
    connections: Connections, at: OpenTestWindow
) -> None:
    rows = at.pool.watcher.rows
    failed = rows.add("Lab", JobKind.EXPORT, {"batch_id": "b", "export_id": "e"}, "cats.zip")
    rows.record(failed.row_id, "failed", {}, JobOutcome.FAILED)
    connections.remove("Lab")
    job = (await jobs_at(at))["Lab"]
    assert not job.can_poll
    assert not job.can_retry
    connections.add(LAB)
    await at.controller.connections.refresh()
    job = (await jobs_at(at))["Lab"]
    assert job.can_poll
    assert job.can_retry


async def test_the_job_of_a_command_is_not_monitored_and_can_be_cleared(at: OpenTestWindow) -> None:
    at.pool.watcher.rows.add("https://api.example.org", JobKind.IMPORT, IMPORT, "cats.csv")
    await at.controller.load(())
    await at.controller.start(is_first=False)
    (job,) = (await jobs_at(at)).values()
    assert (job.can_poll, at.shell.job_count, status(job).label) == (False, 0, "Not monitored")
    assert "Started by a command" in accessible_text(outcome(job))
    await at.controller.session.clear_ended_jobs()
    assert await jobs_at(at) == {}


async def test_a_command_run_again_beside_the_window_resumes_its_job(tmp_path: Path) -> None:
    subject = {"batch_id": "b"}

    with EchoServer(FakeResponse.from_json({"status": "READY"})) as server:
        async with window_in(tmp_path) as at:
            rows = at.pool.watcher.rows
            started = rows.add(server.url, JobKind.SETUP, subject, "Cats")
            await at.controller.load(())
            await at.controller.start(is_first=False)
            await at.settled()
            async with connect(server.url, "token") as service:
                command = ConnectionJobs(service, JobWatcher(rows), server.url)
                assert [seen.outcome async for seen in command.statuses(JobKind.SETUP, subject, "Cats")] == [
                    JobOutcome.DONE
                ]
            assert [(row.row_id, row.outcome) for row in rows.latest()] == [(started.row_id, JobOutcome.DONE)]


@pytest.mark.usefixtures("connections")
@pytest.mark.parametrize(
    ("obstacle", "text"),
    [
        (BadCertificates("SSL_CERT_FILE", "No such file", is_own=False), "SSL_CERT_FILE cannot be read"),
        (
            KeyringUnavailable(KeyringFailure.LOCKED, "nobody unlocked it"),
            "keyring of this computer cannot be used",
        ),
        (ServiceDidNotStart("the folder is in use"), "the folder is in use"),
        (NotSignedIn("Lab"), "Signed out of Lab. Refresh to sign in."),
    ],
)
async def test_the_reason_why_a_job_is_not_monitored_is_shown(
    obstacle: Exception, text: str, at: OpenTestWindow
) -> None:
    watcher = at.pool.watcher
    watcher.rows.add("Lab", JobKind.IMPORT, IMPORT, "cats.csv")
    await at.controller.connections.refresh()
    watcher.block("Lab", obstacle)
    job = (await jobs_at(at))["Lab"]
    assert (status(job).label, job.can_poll) == ("Waiting", True)
    assert not job.awaits_poll
    assert text in accessible_text(outcome(job))
    assert (next_check(job, None) == "when signed in") == isinstance(obstacle, NotSignedIn)


@pytest.mark.usefixtures("connections")
async def test_if_the_local_service_does_not_start_other_jobs_are_monitored(at: OpenTestWindow) -> None:
    at.pool.errors["This computer"] = ServiceDidNotStart("the folder is in use")
    await at.controller.session.select("Lab")
    await at.controller.load(())
    await at.controller.start(is_first=False)
    await at.settled()
    assert [entry.name for entry in at.pool.resumed] == ["This computer", "Lab"]
    (messages,) = at.failures
    assert "the folder is in use" in messages
