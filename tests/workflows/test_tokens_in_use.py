"""Jobs whose token is rejected, replaced or removed."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import repeat
from pathlib import Path
from types import NoneType

import pytest

from batchwright.api.errors import BadAddress, Unreachable
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
from tests.fakes.raw_http import RawRequest, Reply
from tests.fakes.stumbling_server import StumblingServer
from tests.local.test_secrets import MemoryRing
from tests.workflows.contexts import POLL_INTERVAL_S, until
from tests.workflows.factories import upload_file

REFUSED = Reply.of({"error": {"status": 401, "title": "Unauthorized", "detail": "No such token."}}, 401)


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks follow each other without long pauses."""
    monkeypatch.setattr(
        "batchwright.client.connection_pool._poll_intervals_for", lambda _url: lambda: repeat(POLL_INTERVAL_S)
    )


def hush(_sentence: str) -> None:
    """Nobody listens."""


def with_benches(folder: Path, ring: MemoryRing, steps: Callable[[ConnectionPool], Awaitable[None]]) -> None:
    async def do() -> None:
        pool = ConnectionPool(Folders(folder / "data", folder / "cache"), TokenStore(ring))
        try:
            await steps(pool)
        finally:
            await pool.close()

    asyncio.run(do())


async def watched_setup(pool: ConnectionPool, lab: Connection) -> WatchedJob:
    context = await pool.context(lab, hush)
    watched = await context.jobs.start(JobKind.SETUP, {"batch_id": "b"}, "Study")
    (await pool.job_watcher()).monitor([watched])
    return watched


def test_a_new_token_lets_go_on_what_is_under_way_with_the_old_one(tmp_path: Path) -> None:
    lab = Connection("lab", "https://lab.example.org", "w1")

    async def steps(pool: ConnectionPool) -> None:
        await pool.sign_in("lab", "first", is_stored=False)
        before = (await pool.context(lab, hush)).service
        await pool.sign_in("lab", "second", is_stored=False)
        after = (await pool.context(lab, hush)).service
        assert after is not before
        assert not before.transfers._local_client.is_closed
        await pool.sign_out("lab")
        with pytest.raises(Unreachable, match="closed here"):
            await after.account.check()
        await pool.close()
        assert before.transfers._local_client.is_closed

    with_benches(tmp_path, MemoryRing(), steps)


async def row_of(pool: ConnectionPool, number: int) -> JobRow:
    row = (await pool.job_watcher()).rows.get(number)
    assert row is not None
    return row


def test_a_job_continues_by_itself_when_another_token_is_given(
    running: ServiceAddress, tmp_path: Path
) -> None:
    lab = Connection("Lab", running.url, running.workspace_id)

    async def steps(pool: ConnectionPool) -> None:
        await pool.sign_in("Lab", running.token, is_stored=True)
        context = await pool.context(lab, hush)
        data = tmp_path / "data.csv"
        data.write_text("prompt\nFirst\n", encoding="utf-8")
        subject = await upload_file(context.service, context.workspace_id, data)
        await pool.sign_in("Lab", "leaked-and-deleted", is_stored=True)
        context = await pool.context(lab, hush)
        watched = await context.jobs.start(JobKind.IMPORT, subject, "data.csv")
        watcher = await pool.job_watcher()
        watcher.monitor([watched])
        await until(lambda: watched.poller.poll_failure is PollFailure.SIGNED_OUT)
        await until(lambda: watched.poller.next_poll_at is None)
        await pool.sign_in("Lab", running.token, is_stored=True)
        await pool.resume(lab, hush)
        await until(lambda: not watcher.rows.open())
        assert (await row_of(pool, watched.row.row_id)).outcome == JobOutcome.DONE

    with_benches(tmp_path, MemoryRing(), steps)


def asked_with(server: StumblingServer, token: bytes) -> Callable[[], bool]:
    """Tells whether the latest request that was carried out held a token."""
    return lambda: bool(server.arrived) and server.arrived[-1].header(b"Authorization") == b"Token " + token


async def wait_for_setup(context: WorkflowContext) -> None:
    async for _status in context.jobs.statuses(JobKind.SETUP, {"batch_id": "b"}, "Study"):
        pass


def test_a_job_no_longer_polled_by_a_token_that_was_replaced_is_seen_with_the_newest(tmp_path: Path) -> None:
    is_refused = False

    def answer(request: RawRequest) -> Reply:
        is_old = request.header(b"Authorization") == b"Token old"
        return REFUSED if is_old and is_refused else Reply.of({"status": "PROCESSING"})

    async def steps(pool: ConnectionPool) -> None:
        nonlocal is_refused
        await pool.sign_in("Lab", "old", is_stored=True)
        waiting = asyncio.create_task(wait_for_setup(await pool.context(lab, hush)))
        await until(asked_with(server, b"old"))
        for token in ("between", "new"):
            await pool.sign_in("Lab", token, is_stored=True)
            await pool.resume(lab, hush)
        is_refused = True
        with pytest.raises(JobUnreachable) as lost:
            await waiting
        assert lost.value.poll_failure is PollFailure.SIGNED_OUT
        await until(asked_with(server, b"new"))
        watcher = await pool.job_watcher()
        (row,) = watcher.rows.open()
        await until(lambda: watcher.poller(row.row_id) is not None and not watcher.is_waited_for(row.row_id))

    with StumblingServer([], answer) as server:
        lab = Connection("Lab", server.url, "w")
        with_benches(tmp_path, MemoryRing(), steps)


@pytest.mark.parametrize("is_asked", [False, True], ids=["signed in", "look now"])
def test_no_poll_is_sent_with_a_token_that_was_replaced(is_asked: bool, tmp_path: Path) -> None:
    def answer(request: RawRequest) -> Reply:
        is_old = request.header(b"Authorization") == b"Token old"
        return REFUSED if is_old else Reply.of({"status": "PROCESSING"})

    async def steps(pool: ConnectionPool) -> None:
        await pool.sign_in("Lab", "old", is_stored=True)
        before = await pool.context(lab, hush)
        await pool.sign_in("Lab", "new", is_stored=True)
        context, watcher = await pool.context(lab, hush), await pool.job_watcher()
        watched = await before.jobs.start(JobKind.SETUP, {"batch_id": "b"}, "Study")
        watcher.monitor([watched])
        await until(lambda: watched.poller.poll_failure is PollFailure.SIGNED_OUT)
        await (context.jobs.poll_now(watched.row) if is_asked else pool.resume(lab, hush))
        await until(asked_with(server, b"new"))

    with StumblingServer([], answer) as server:
        lab = Connection("Lab", server.url, "w")
        with_benches(tmp_path, MemoryRing(), steps)


def test_a_job_that_is_not_polled_is_polled_when_its_connection_is_used_again(tmp_path: Path) -> None:
    async def steps(pool: ConnectionPool) -> None:
        await pool.sign_in("Lab", "token", is_stored=True)
        watched, watcher = await watched_setup(pool, lab), await pool.job_watcher()
        watcher.pause(watched.row.row_id)
        await until(lambda: watcher.poller(watched.row.row_id) is None)
        await pool.resume(lab, hush)
        await until(lambda: watcher.poller(watched.row.row_id) is not None)

    with StumblingServer([], lambda _request: Reply.of({"status": "PROCESSING"})) as server:
        lab = Connection("Lab", server.url, "w")
        with_benches(tmp_path, MemoryRing(), steps)


@pytest.mark.parametrize("is_replaced", [False, True], ids=["in use", "replaced"])
def test_who_waits_for_a_job_hears_at_once_that_its_token_is_removed(
    is_replaced: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "batchwright.client.connection_pool._poll_intervals_for", lambda _url: lambda: repeat(3600)
    )

    async def steps(pool: ConnectionPool) -> None:
        await pool.sign_in("Lab", "token", is_stored=True)
        waiting = asyncio.create_task(wait_for_setup(await pool.context(lab, hush)))
        watcher = await pool.job_watcher()
        await until(lambda: bool(server.arrived))
        (row,) = watcher.rows.open()
        await until(
            lambda: (monitor := watcher.poller(row.row_id)) is not None and bool(monitor.next_poll_at)
        )
        if is_replaced:
            await pool.sign_in("Lab", "another", is_stored=True)
            await pool.resume(lab, hush)
        await pool.sign_out("Lab")
        with pytest.raises(JobUnreachable) as lost:
            await waiting
        assert lost.value.poll_failure is PollFailure.SIGNED_OUT
        assert watcher.poller(row.row_id) is None
        assert isinstance(watcher.blocked_by("Lab"), NotSignedIn)
        assert len(server.arrived) == 1
        await pool.sign_in("Lab", "new", is_stored=False)
        await pool.resume(lab, hush)
        await until(asked_with(server, b"new"))

    with StumblingServer([], lambda _request: Reply.of({"status": "PROCESSING"})) as server:
        lab = Connection("Lab", server.url, "w")
        with_benches(tmp_path, MemoryRing(), steps)


def test_a_job_continues_when_the_same_token_is_accepted_again(tmp_path: Path) -> None:
    is_refused = True

    def answer(_request: RawRequest) -> Reply:
        return REFUSED if is_refused else Reply.of({"status": "READY"})

    async def steps(pool: ConnectionPool) -> None:
        nonlocal is_refused
        await pool.sign_in("Lab", "token", is_stored=True)
        watched = await watched_setup(pool, lab)
        await until(lambda: watched.poller.poll_failure is PollFailure.SIGNED_OUT)
        await until(lambda: watched.poller.next_poll_at is None)
        is_refused = False
        await pool.sign_in("Lab", "token", is_stored=True)
        await pool.resume(lab, hush)
        rows = (await pool.job_watcher()).rows
        await until(lambda: not rows.open())

    with StumblingServer([], answer) as server:
        lab = Connection("Lab", server.url, "w")
        with_benches(tmp_path, MemoryRing(), steps)


def test_nothing_more_is_asked_with_a_token_that_is_removed(tmp_path: Path) -> None:
    ring = MemoryRing()

    async def steps(pool: ConnectionPool) -> None:
        await pool.sign_in("Lab", "token", is_stored=True)
        watched = await watched_setup(pool, lab)
        await until(lambda: len(server.arrived) > 1)
        await pool.sign_out("Lab")
        watcher = await pool.job_watcher()
        await until(lambda: watcher.poller(watched.row.row_id) is None)
        row = await row_of(pool, watched.row.row_id)
        assert (row.outcome, row.is_monitored) == (None, True)
        with pytest.raises(NotSignedIn):
            await pool.context(lab, hush)
        await pool.sign_in("Lab", "another", is_stored=False)
        await pool.resume(lab, hush)
        await until(lambda: server.arrived[-1].header(b"Authorization") == b"Token another")

    with StumblingServer([], lambda _request: Reply.of({"status": "PROCESSING"})) as server:
        lab = Connection("Lab", server.url, "w")
        with_benches(tmp_path, ring, steps)
    assert ring.kept == {}


class SilentRing(MemoryRing):
    """A key ring whose owner, asked for its password, has gone to get coffee."""

    def __init__(self) -> None:
        super().__init__()
        self.calls, self.back = threading.Event(), threading.Event()

    def get_password(self, service: str, username: str) -> str | None:
        self.calls.set()
        assert self.back.wait(60)
        return super().get_password(service, username)


def test_a_connection_whose_token_is_at_hand_waits_for_no_key_ring(tmp_path: Path) -> None:
    ring = SilentRing()
    lab = Connection("Lab", "https://lab.example.org", "w")
    other = replace(lab, name="Other")

    async def steps(pool: ConnectionPool) -> None:
        await pool.sign_in("Other", "token", is_stored=False, has_key_ring=False)
        reaching = asyncio.create_task(pool.context(lab, hush))
        try:
            await asyncio.to_thread(ring.calls.wait, 30)
            leaving = asyncio.create_task(pool.sign_out("Third"))
            queuing = asyncio.create_task(pool.token("Fourth"))
            async with asyncio.timeout(30):
                await pool.context(other, hush)
            assert not any(item.done() for item in (reaching, leaving, queuing))
            await pool.sign_in("Lab", "given-meanwhile", is_stored=False, has_key_ring=False)
        finally:
            ring.kept["Batchwright", "Lab"] = "kept"
            ring.back.set()
        await asyncio.gather(reaching, leaving, queuing)
        assert await pool.token("Lab") == "given-meanwhile"

    with_benches(tmp_path, ring, steps)


def test_what_is_in_the_way_of_one_connection_is_reported_and_is_in_no_other_s_way(tmp_path: Path) -> None:
    async def steps(pool: ConnectionPool) -> None:
        watcher = await pool.job_watcher()
        for item in (away, lab, unsigned):
            watcher.rows.add(item.name, JobKind.SETUP, {"batch_id": "b"}, "Study")
        await pool.sign_in("Away", "token", is_stored=False)
        await pool.sign_in("Lab", "token", is_stored=False)
        messages = [await resumed(pool, item) for item in (away, lab, unsigned)]
        assert list(map(type, messages)) == [BadAddress, NoneType, NoneType]
        assert watcher.blocked_by("Away") is messages[0]
        assert isinstance(watcher.blocked_by("Unsigned"), NotSignedIn)
        assert watcher.blocked_by("Lab") is None
        await until(lambda: len(watcher.rows.open("Lab")) == 0)
        await pool.resume(replace(away, url=server.url), hush)
        assert watcher.blocked_by("Away") is None
        await pool.sign_out("Lab")
        assert isinstance(watcher.blocked_by("Lab"), NotSignedIn)

    async def resumed(pool: ConnectionPool, connection: Connection) -> Exception | None:
        try:
            await pool.resume(connection, hush)
        except Exception as error:
            return error
        return None

    with StumblingServer([], lambda _request: Reply.of({"status": "READY"})) as server:
        lab = Connection("Lab", server.url, "w")
        away = Connection("Away", "http://lab.example.org", "w")
        unsigned = Connection("Unsigned", server.url, "w")
        with_benches(tmp_path, MemoryRing(), steps)


def test_each_connection_is_asked_with_its_own_token_alone(tmp_path: Path) -> None:
    async def steps(pool: ConnectionPool) -> None:
        for item, token in ((lab, "token-of-the-lab"), (other, "token-of-the-other")):
            await pool.sign_in(item.name, token, is_stored=True)
            await (await pool.context(item, hush)).service.batches.status("b")

    state = Reply.of({"status": "READY"})
    with StumblingServer([], lambda _one: state) as first, StumblingServer([], lambda _one: state) as second:
        lab, other = Connection("Lab", first.url, "w"), Connection("Other", second.url, "w")
        with_benches(tmp_path, MemoryRing(), steps)
        text = [{item.header(b"Authorization") for item in server.arrived} for server in (first, second)]
    assert text == [{b"Token token-of-the-lab"}, {b"Token token-of-the-other"}]
