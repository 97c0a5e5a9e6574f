"""Jobs whose token is rejected, replaced or removed."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import repeat
from pathlib import Path
from types import NoneType

import pytest

from batchwright.api.http.errors import BadAddress, ProxyRefused, Unreachable
from batchwright.base.network_settings import NetworkSettings
from batchwright.client.connection_pool import ConnectionPool, NotSignedIn
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.connection_jobs import JobUnreachable
from batchwright.client.job_monitoring.job_watcher import WatchedJob
from batchwright.client.job_monitoring.monitors import PollFailure
from batchwright.client.job_monitoring.status import JobKind, JobOutcome
from batchwright.local.connections import Connection
from batchwright.local.job_table import JobRow
from batchwright.local.paths import Folders
from batchwright.local.secrets import TokenStore
from batchwright.service.process import ServiceAddress
from tests.fakes.echo_server import EchoServer
from tests.fakes.failing_server import FailingServer
from tests.fakes.key_ring import MemoryRing
from tests.fakes.raw_http import FakeResponse, RawRequest
from tests.workflows.contexts import POLL_INTERVAL_S, until
from tests.workflows.factories import upload_file

UNAUTHORIZED = FakeResponse.from_json(
    {"error": {"status": 401, "title": "Unauthorized", "detail": "No such token."}}, 401
)


@pytest.fixture(autouse=True)
def _short_poll_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Poll jobs without long intervals."""
    monkeypatch.setattr(
        "batchwright.client.connection_pool._poll_intervals_for",
        lambda *_arguments: lambda: repeat(POLL_INTERVAL_S),
    )


def ignore(_sentence: str) -> None:
    """Discard the message."""


@asynccontextmanager
async def pool_in(folder: Path, ring: MemoryRing) -> AsyncIterator[ConnectionPool]:
    """Yield a connection pool of a program with its data in `folder`."""
    pool = ConnectionPool(Folders(folder / "data", folder / "cache"), TokenStore(ring))
    try:
        yield pool
    finally:
        await pool.close()


async def start_monitored_setup(pool: ConnectionPool, connection: Connection) -> WatchedJob:
    context = await pool.context(connection, ignore)
    job = await context.jobs.start(JobKind.SETUP, {"batch_id": "b"}, "Study")
    (await pool.job_watcher()).monitor([job])
    return job


async def test_operations_with_the_old_token_continue_after_a_new_sign_in(tmp_path: Path) -> None:
    connection = Connection("lab", "https://lab.example.org", "w1")

    async with pool_in(tmp_path, MemoryRing()) as pool:
        await pool.sign_in("lab", "first", is_stored=False)
        before = (await pool.context(connection, ignore)).service
        await pool.sign_in("lab", "second", is_stored=False)
        after = (await pool.context(connection, ignore)).service
        assert after is not before
        assert not before.transfers._http_client.is_closed
        await pool.sign_out("lab")
        with pytest.raises(Unreachable, match="closed here"):
            await after.account.check()
        await pool.close()
        assert before.transfers._http_client.is_closed


async def row_of(pool: ConnectionPool, number: int) -> JobRow:
    row = (await pool.job_watcher()).rows.get(number)
    assert row is not None
    return row


async def test_a_job_resumes_when_another_token_is_entered(running: ServiceAddress, tmp_path: Path) -> None:
    connection = Connection("Lab", running.url, running.workspace_id)

    async with pool_in(tmp_path, MemoryRing()) as pool:
        await pool.sign_in("Lab", running.token, is_stored=True)
        context = await pool.context(connection, ignore)
        data = tmp_path / "data.csv"
        data.write_text("prompt\nFirst\n", encoding="utf-8")
        subject = await upload_file(context.service, context.workspace_id, data)
        await pool.sign_in("Lab", "leaked-and-deleted", is_stored=True)
        context = await pool.context(connection, ignore)
        job = await context.jobs.start(JobKind.IMPORT, subject, "data.csv")
        watcher = await pool.job_watcher()
        watcher.monitor([job])
        await until(lambda: job.poller.poll_failure is PollFailure.SIGNED_OUT)
        await until(lambda: job.poller.next_poll_at is None)
        await pool.sign_in("Lab", running.token, is_stored=True)
        await pool.resume(connection, ignore)
        await until(lambda: not watcher.rows.open())
        assert (await row_of(pool, job.row.row_id)).outcome == JobOutcome.DONE


def last_request_has_token(server: FailingServer, token: bytes) -> Callable[[], bool]:
    """A condition: the latest request carried this token."""
    return lambda: bool(server.arrived) and server.arrived[-1].header(b"Authorization") == b"Token " + token


async def wait_for_setup(context: WorkflowContext) -> None:
    async for _status in context.jobs.statuses(JobKind.SETUP, {"batch_id": "b"}, "Study"):
        pass


async def test_a_job_that_lost_its_replaced_token_is_polled_with_the_newest(tmp_path: Path) -> None:
    is_refused = False

    def answer(request: RawRequest) -> FakeResponse:
        is_old = request.header(b"Authorization") == b"Token old"
        return UNAUTHORIZED if is_old and is_refused else FakeResponse.from_json({"status": "PROCESSING"})

    with FailingServer([], answer) as server:
        connection = Connection("Lab", server.url, "w")
        async with pool_in(tmp_path, MemoryRing()) as pool:
            await pool.sign_in("Lab", "old", is_stored=True)
            waiting = asyncio.create_task(wait_for_setup(await pool.context(connection, ignore)))
            await until(last_request_has_token(server, b"old"))
            for token in ("between", "new"):
                await pool.sign_in("Lab", token, is_stored=True)
                await pool.resume(connection, ignore)
            is_refused = True
            with pytest.raises(JobUnreachable) as caught:
                await waiting
            assert caught.value.poll_failure is PollFailure.SIGNED_OUT
            await until(last_request_has_token(server, b"new"))
            watcher = await pool.job_watcher()
            (row,) = watcher.rows.open()
            await until(
                lambda: watcher.poller(row.row_id) is not None and not watcher.is_waited_for(row.row_id)
            )


@pytest.mark.parametrize("is_poll_requested", [False, True], ids=["signed in", "poll requested"])
async def test_a_job_is_not_polled_with_a_replaced_token(is_poll_requested: bool, tmp_path: Path) -> None:
    def answer(request: RawRequest) -> FakeResponse:
        is_old = request.header(b"Authorization") == b"Token old"
        return UNAUTHORIZED if is_old else FakeResponse.from_json({"status": "PROCESSING"})

    with FailingServer([], answer) as server:
        connection = Connection("Lab", server.url, "w")
        async with pool_in(tmp_path, MemoryRing()) as pool:
            await pool.sign_in("Lab", "old", is_stored=True)
            before = await pool.context(connection, ignore)
            await pool.sign_in("Lab", "new", is_stored=True)
            context, watcher = await pool.context(connection, ignore), await pool.job_watcher()
            job = await before.jobs.start(JobKind.SETUP, {"batch_id": "b"}, "Study")
            watcher.monitor([job])
            await until(lambda: job.poller.poll_failure is PollFailure.SIGNED_OUT)
            await (context.jobs.poll_now(job.row) if is_poll_requested else pool.resume(connection, ignore))
            await until(last_request_has_token(server, b"new"))


async def test_a_paused_job_is_polled_when_its_connection_resumes(tmp_path: Path) -> None:
    with FailingServer([], lambda _request: FakeResponse.from_json({"status": "PROCESSING"})) as server:
        connection = Connection("Lab", server.url, "w")
        async with pool_in(tmp_path, MemoryRing()) as pool:
            await pool.sign_in("Lab", "token", is_stored=True)
            job, watcher = await start_monitored_setup(pool, connection), await pool.job_watcher()
            watcher.pause(job.row.row_id)
            await until(lambda: watcher.poller(job.row.row_id) is None)
            await pool.resume(connection, ignore)
            await until(lambda: watcher.poller(job.row.row_id) is not None)


@pytest.mark.parametrize("is_replaced", [False, True], ids=["in use", "replaced"])
async def test_waiting_for_a_job_ends_immediately_when_its_token_is_removed(
    is_replaced: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "batchwright.client.connection_pool._poll_intervals_for", lambda *_arguments: lambda: repeat(3600)
    )

    with FailingServer([], lambda _request: FakeResponse.from_json({"status": "PROCESSING"})) as server:
        connection = Connection("Lab", server.url, "w")
        async with pool_in(tmp_path, MemoryRing()) as pool:
            await pool.sign_in("Lab", "token", is_stored=True)
            waiting = asyncio.create_task(wait_for_setup(await pool.context(connection, ignore)))
            watcher = await pool.job_watcher()
            await until(lambda: bool(server.arrived))
            (row,) = watcher.rows.open()
            await until(
                lambda: (monitor := watcher.poller(row.row_id)) is not None and bool(monitor.next_poll_at)
            )
            if is_replaced:
                await pool.sign_in("Lab", "another", is_stored=True)
                await pool.resume(connection, ignore)
            await pool.sign_out("Lab")
            with pytest.raises(JobUnreachable) as caught:
                await waiting
            assert caught.value.poll_failure is PollFailure.SIGNED_OUT
            assert watcher.poller(row.row_id) is None
            assert isinstance(watcher.blocked_by("Lab"), NotSignedIn)
            assert len(server.arrived) == 1
            await pool.sign_in("Lab", "new", is_stored=False)
            await pool.resume(connection, ignore)
            await until(last_request_has_token(server, b"new"))


async def test_a_job_resumes_when_the_same_token_is_accepted_again(tmp_path: Path) -> None:
    is_refused = True

    def answer(_request: RawRequest) -> FakeResponse:
        return UNAUTHORIZED if is_refused else FakeResponse.from_json({"status": "READY"})

    with FailingServer([], answer) as server:
        connection = Connection("Lab", server.url, "w")
        async with pool_in(tmp_path, MemoryRing()) as pool:
            await pool.sign_in("Lab", "token", is_stored=True)
            job = await start_monitored_setup(pool, connection)
            await until(lambda: job.poller.poll_failure is PollFailure.SIGNED_OUT)
            await until(lambda: job.poller.next_poll_at is None)
            is_refused = False
            await pool.sign_in("Lab", "token", is_stored=True)
            await pool.resume(connection, ignore)
            rows = (await pool.job_watcher()).rows
            await until(lambda: not rows.open())


async def test_no_request_is_sent_with_a_removed_token(tmp_path: Path) -> None:
    ring = MemoryRing()

    with FailingServer([], lambda _request: FakeResponse.from_json({"status": "PROCESSING"})) as server:
        connection = Connection("Lab", server.url, "w")
        async with pool_in(tmp_path, ring) as pool:
            await pool.sign_in("Lab", "token", is_stored=True)
            job = await start_monitored_setup(pool, connection)
            await until(lambda: len(server.arrived) > 1)
            await pool.sign_out("Lab")
            watcher = await pool.job_watcher()
            await until(lambda: watcher.poller(job.row.row_id) is None)
            row = await row_of(pool, job.row.row_id)
            assert (row.outcome, row.is_monitored) == (None, True)
            with pytest.raises(NotSignedIn):
                await pool.context(connection, ignore)
            await pool.sign_in("Lab", "another", is_stored=False)
            await pool.resume(connection, ignore)
            await until(lambda: server.arrived[-1].header(b"Authorization") == b"Token another")
    assert ring.passwords == {}


class SilentRing(MemoryRing):
    """A locked key ring whose owner does not enter the password until `back` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.calls, self.back = threading.Event(), threading.Event()

    def get_password(self, service: str, username: str) -> str | None:
        self.calls.set()
        assert self.back.wait(60)
        return super().get_password(service, username)


async def test_a_connection_whose_token_is_known_does_not_wait_for_the_key_ring(tmp_path: Path) -> None:
    ring = SilentRing()
    connection = Connection("Lab", "https://lab.example.org", "w")
    other = replace(connection, name="Other")

    async with pool_in(tmp_path, ring) as pool:
        await pool.sign_in("Other", "token", is_stored=False, has_key_ring=False)
        pending_context = asyncio.create_task(pool.context(connection, ignore))
        try:
            await asyncio.to_thread(ring.calls.wait, 30)
            pending_sign_out = asyncio.create_task(pool.sign_out("Third"))
            pending_token = asyncio.create_task(pool.token("Fourth"))
            async with asyncio.timeout(30):
                await pool.context(other, ignore)
            assert not any(item.done() for item in (pending_context, pending_sign_out, pending_token))
            await pool.sign_in("Lab", "entered-meanwhile", is_stored=False, has_key_ring=False)
        finally:
            ring.passwords["Batchwright", "Lab"] = "stored"
            ring.back.set()
        await asyncio.gather(pending_context, pending_sign_out, pending_token)
        assert await pool.token("Lab") == "entered-meanwhile"


async def test_a_connection_that_cannot_resume_is_reported_and_blocks_no_other(tmp_path: Path) -> None:
    async def resumed(pool: ConnectionPool, connection: Connection) -> Exception | None:
        try:
            await pool.resume(connection, ignore)
        except Exception as error:
            return error
        return None

    with FailingServer([], lambda _request: FakeResponse.from_json({"status": "READY"})) as server:
        connection = Connection("Lab", server.url, "w")
        misconfigured = Connection("Away", "http://lab.example.org", "w")
        unsigned = Connection("Unsigned", server.url, "w")
        async with pool_in(tmp_path, MemoryRing()) as pool:
            watcher = await pool.job_watcher()
            for item in (misconfigured, connection, unsigned):
                watcher.rows.add(item.name, JobKind.SETUP, {"batch_id": "b"}, "Study")
            await pool.sign_in("Away", "token", is_stored=False)
            await pool.sign_in("Lab", "token", is_stored=False)
            messages = [await resumed(pool, item) for item in (misconfigured, connection, unsigned)]
            assert list(map(type, messages)) == [BadAddress, NoneType, NoneType]
            assert watcher.blocked_by("Away") is messages[0]
            assert isinstance(watcher.blocked_by("Unsigned"), NotSignedIn)
            assert watcher.blocked_by("Lab") is None
            await until(lambda: len(watcher.rows.open("Lab")) == 0)
            await pool.resume(replace(misconfigured, url=server.url), ignore)
            assert watcher.blocked_by("Away") is None
            await pool.sign_out("Lab")
            assert isinstance(watcher.blocked_by("Lab"), NotSignedIn)


async def test_each_connection_sends_only_its_own_token(tmp_path: Path) -> None:
    state = FakeResponse.from_json({"status": "READY"})
    with FailingServer([], lambda _one: state) as first, FailingServer([], lambda _one: state) as second:
        connection, other = Connection("Lab", first.url, "w"), Connection("Other", second.url, "w")
        async with pool_in(tmp_path, MemoryRing()) as pool:
            for item, token in ((connection, "token-of-the-lab"), (other, "token-of-the-other")):
                await pool.sign_in(item.name, token, is_stored=True)
                await (await pool.context(item, ignore)).service.batches.status("b")
        text = [{item.header(b"Authorization") for item in server.arrived} for server in (first, second)]
    assert text == [{b"Token token-of-the-lab"}, {b"Token token-of-the-other"}]


async def test_a_connection_is_opened_anew_after_a_change_of_the_network_settings(tmp_path: Path) -> None:
    connection = Connection("lab", "https://lab.example.org", "w1")
    network = NetworkSettings()

    async def current_network() -> NetworkSettings:
        return network

    folders = Folders(tmp_path / "data", tmp_path / "cache")
    pool = ConnectionPool(folders, TokenStore(MemoryRing()), network=current_network)
    try:
        await pool.sign_in("lab", "token", is_stored=False)
        before = (await pool.context(connection, ignore)).service
        assert (await pool.context(connection, ignore)).service is before
        with EchoServer(FakeResponse(407)) as proxy:
            network = NetworkSettings(proxy.url)
            after = (await pool.context(connection, ignore)).service
            assert after is not before
            with pytest.raises(ProxyRefused):
                await after.account.check()
    finally:
        await pool.close()
