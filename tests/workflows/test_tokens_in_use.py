"""Tokens and the jobs watched with them: refused, replaced, forgotten."""

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
from tests.workflows.contexts import NAP, until
from tests.workflows.factories import sent_file

REFUSED = Reply.of({"error": {"status": 401, "title": "Unauthorized", "detail": "No such token."}}, 401)


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks follow each other without long pauses."""
    monkeypatch.setattr(
        "batchwright.client.connection_pool._poll_intervals_for", lambda _url: lambda: repeat(NAP)
    )


def hush(_sentence: str) -> None:
    """Nobody listens."""


def with_benches(folder: Path, ring: MemoryRing, steps: Callable[[ConnectionPool], Awaitable[None]]) -> None:
    async def do() -> None:
        benches = ConnectionPool(Folders(folder / "data", folder / "cache"), TokenStore(ring))
        try:
            await steps(benches)
        finally:
            await benches.close()

    asyncio.run(do())


async def watched_setup(benches: ConnectionPool, lab: Connection) -> WatchedJob:
    bench = await benches.context(lab, hush)
    watched = await bench.jobs.start(JobKind.SETUP, {"batch_id": "b"}, "Study")
    (await benches.job_watcher()).watch([watched])
    return watched


def test_a_new_token_lets_go_on_what_is_under_way_with_the_old_one(tmp_path: Path) -> None:
    lab = Connection("lab", "https://lab.example.org", "w1")

    async def steps(benches: ConnectionPool) -> None:
        await benches.sign_in("lab", "first", is_kept=False)
        before = (await benches.context(lab, hush)).service
        await benches.sign_in("lab", "second", is_kept=False)
        after = (await benches.context(lab, hush)).service
        assert after is not before
        assert not before.transfers._local_client.is_closed
        await benches.sign_out("lab")
        with pytest.raises(Unreachable, match="closed here"):
            await after.account.check()
        await benches.close()
        assert before.transfers._local_client.is_closed

    with_benches(tmp_path, MemoryRing(), steps)


async def row_of(benches: ConnectionPool, number: int) -> JobRow:
    row = (await benches.job_watcher()).rows.find(number)
    assert row is not None
    return row


def test_a_job_goes_on_by_itself_when_another_token_is_given(running: ServiceAddress, tmp_path: Path) -> None:
    lab = Connection("Lab", running.url, running.workspace_id)

    async def steps(benches: ConnectionPool) -> None:
        await benches.sign_in("Lab", running.token, is_kept=True)
        bench = await benches.context(lab, hush)
        data = tmp_path / "data.csv"
        data.write_text("prompt\nFirst\n", encoding="utf-8")
        subject = await sent_file(bench.service, bench.workspace_id, data)
        await benches.sign_in("Lab", "leaked-and-deleted", is_kept=True)
        bench = await benches.context(lab, hush)
        watched = await bench.jobs.start(JobKind.IMPORT, subject, "data.csv")
        watch = await benches.job_watcher()
        watch.watch([watched])
        await until(lambda: watched.poller.poll_failure is PollFailure.SIGNED_OUT)
        await until(lambda: watched.poller.next_poll_at is None)
        await benches.sign_in("Lab", running.token, is_kept=True)
        await benches.resume(lab, hush)
        await until(lambda: not watch.rows.open())
        assert (await row_of(benches, watched.row.number)).ending == JobOutcome.DONE

    with_benches(tmp_path, MemoryRing(), steps)


def asked_with(server: StumblingServer, token: bytes) -> Callable[[], bool]:
    """Tells whether the latest request that was carried out held a token."""
    return lambda: bool(server.arrived) and server.arrived[-1].header(b"Authorization") == b"Token " + token


async def wait_for_setup(bench: WorkflowContext) -> None:
    async for _sight in bench.jobs.statuses(JobKind.SETUP, {"batch_id": "b"}, "Study"):
        pass


def test_a_job_lost_sight_of_by_a_token_that_was_replaced_is_seen_with_the_newest(tmp_path: Path) -> None:
    is_refused = False

    def answer(request: RawRequest) -> Reply:
        is_old = request.header(b"Authorization") == b"Token old"
        return REFUSED if is_old and is_refused else Reply.of({"status": "PROCESSING"})

    async def steps(benches: ConnectionPool) -> None:
        nonlocal is_refused
        await benches.sign_in("Lab", "old", is_kept=True)
        waiting = asyncio.create_task(wait_for_setup(await benches.context(lab, hush)))
        await until(asked_with(server, b"old"))
        for token in ("between", "new"):
            await benches.sign_in("Lab", token, is_kept=True)
            await benches.resume(lab, hush)
        is_refused = True
        with pytest.raises(JobUnreachable) as lost:
            await waiting
        assert lost.value.poll_failure is PollFailure.SIGNED_OUT
        await until(asked_with(server, b"new"))
        watch = await benches.job_watcher()
        (row,) = watch.rows.open()
        await until(lambda: watch.poller(row.number) is not None and not watch.is_waited_for(row.number))

    with StumblingServer([], answer) as server:
        lab = Connection("Lab", server.url, "w")
        with_benches(tmp_path, MemoryRing(), steps)


@pytest.mark.parametrize("is_asked", [False, True], ids=["signed in", "look now"])
def test_no_look_is_made_with_a_token_that_was_replaced(is_asked: bool, tmp_path: Path) -> None:
    def answer(request: RawRequest) -> Reply:
        is_old = request.header(b"Authorization") == b"Token old"
        return REFUSED if is_old else Reply.of({"status": "PROCESSING"})

    async def steps(benches: ConnectionPool) -> None:
        await benches.sign_in("Lab", "old", is_kept=True)
        before = await benches.context(lab, hush)
        await benches.sign_in("Lab", "new", is_kept=True)
        bench, watch = await benches.context(lab, hush), await benches.job_watcher()
        watched = await before.jobs.start(JobKind.SETUP, {"batch_id": "b"}, "Study")
        watch.watch([watched])
        await until(lambda: watched.poller.poll_failure is PollFailure.SIGNED_OUT)
        await (bench.jobs.poll_now(watched.row) if is_asked else benches.resume(lab, hush))
        await until(asked_with(server, b"new"))

    with StumblingServer([], answer) as server:
        lab = Connection("Lab", server.url, "w")
        with_benches(tmp_path, MemoryRing(), steps)


def test_a_job_that_nobody_looks_at_is_looked_at_when_its_connection_is_used_again(tmp_path: Path) -> None:
    async def steps(benches: ConnectionPool) -> None:
        await benches.sign_in("Lab", "token", is_kept=True)
        watched, watch = await watched_setup(benches, lab), await benches.job_watcher()
        watch.pause(watched.row.number)
        await until(lambda: watch.poller(watched.row.number) is None)
        await benches.resume(lab, hush)
        await until(lambda: watch.poller(watched.row.number) is not None)

    with StumblingServer([], lambda _request: Reply.of({"status": "PROCESSING"})) as server:
        lab = Connection("Lab", server.url, "w")
        with_benches(tmp_path, MemoryRing(), steps)


@pytest.mark.parametrize("is_replaced", [False, True], ids=["in use", "replaced"])
def test_who_waits_for_a_job_hears_at_once_that_its_token_is_forgotten(
    is_replaced: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "batchwright.client.connection_pool._poll_intervals_for", lambda _url: lambda: repeat(3600)
    )

    async def steps(benches: ConnectionPool) -> None:
        await benches.sign_in("Lab", "token", is_kept=True)
        waiting = asyncio.create_task(wait_for_setup(await benches.context(lab, hush)))
        watch = await benches.job_watcher()
        await until(lambda: bool(server.arrived))
        (row,) = watch.rows.open()
        await until(lambda: (monitor := watch.poller(row.number)) is not None and bool(monitor.next_poll_at))
        if is_replaced:
            await benches.sign_in("Lab", "another", is_kept=True)
            await benches.resume(lab, hush)
        await benches.sign_out("Lab")
        with pytest.raises(JobUnreachable) as lost:
            await waiting
        assert lost.value.poll_failure is PollFailure.SIGNED_OUT
        assert watch.poller(row.number) is None
        assert isinstance(watch.blocked_by("Lab"), NotSignedIn)
        assert len(server.arrived) == 1
        await benches.sign_in("Lab", "new", is_kept=False)
        await benches.resume(lab, hush)
        await until(asked_with(server, b"new"))

    with StumblingServer([], lambda _request: Reply.of({"status": "PROCESSING"})) as server:
        lab = Connection("Lab", server.url, "w")
        with_benches(tmp_path, MemoryRing(), steps)


def test_a_job_goes_on_when_the_same_token_is_accepted_again(tmp_path: Path) -> None:
    is_refused = True

    def answer(_request: RawRequest) -> Reply:
        return REFUSED if is_refused else Reply.of({"status": "READY"})

    async def steps(benches: ConnectionPool) -> None:
        nonlocal is_refused
        await benches.sign_in("Lab", "token", is_kept=True)
        watched = await watched_setup(benches, lab)
        await until(lambda: watched.poller.poll_failure is PollFailure.SIGNED_OUT)
        await until(lambda: watched.poller.next_poll_at is None)
        is_refused = False
        await benches.sign_in("Lab", "token", is_kept=True)
        await benches.resume(lab, hush)
        rows = (await benches.job_watcher()).rows
        await until(lambda: not rows.open())

    with StumblingServer([], answer) as server:
        lab = Connection("Lab", server.url, "w")
        with_benches(tmp_path, MemoryRing(), steps)


def test_nothing_more_is_asked_with_a_token_that_is_forgotten(tmp_path: Path) -> None:
    ring = MemoryRing()

    async def steps(benches: ConnectionPool) -> None:
        await benches.sign_in("Lab", "token", is_kept=True)
        watched = await watched_setup(benches, lab)
        await until(lambda: len(server.arrived) > 1)
        await benches.sign_out("Lab")
        watch = await benches.job_watcher()
        await until(lambda: watch.poller(watched.row.number) is None)
        row = await row_of(benches, watched.row.number)
        assert (row.ending, row.is_watched) == (None, True)
        with pytest.raises(NotSignedIn):
            await benches.context(lab, hush)
        await benches.sign_in("Lab", "another", is_kept=False)
        await benches.resume(lab, hush)
        await until(lambda: server.arrived[-1].header(b"Authorization") == b"Token another")

    with StumblingServer([], lambda _request: Reply.of({"status": "PROCESSING"})) as server:
        lab = Connection("Lab", server.url, "w")
        with_benches(tmp_path, ring, steps)
    assert ring.kept == {}


class SilentRing(MemoryRing):
    """A key ring whose owner, asked for its password, has gone to get coffee."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.back = threading.Event(), threading.Event()

    def get_password(self, service: str, username: str) -> str | None:
        self.asked.set()
        assert self.back.wait(60)
        return super().get_password(service, username)


def test_a_connection_whose_token_is_at_hand_waits_for_no_key_ring(tmp_path: Path) -> None:
    ring = SilentRing()
    lab = Connection("Lab", "https://lab.example.org", "w")
    other = replace(lab, name="Other")

    async def steps(benches: ConnectionPool) -> None:
        await benches.sign_in("Other", "token", is_kept=False, has_ring=False)
        reaching = asyncio.create_task(benches.context(lab, hush))
        try:
            await asyncio.to_thread(ring.asked.wait, 30)
            leaving = asyncio.create_task(benches.sign_out("Third"))
            queuing = asyncio.create_task(benches.token("Fourth"))
            async with asyncio.timeout(30):
                await benches.context(other, hush)
            assert not any(one.done() for one in (reaching, leaving, queuing))
            await benches.sign_in("Lab", "given-meanwhile", is_kept=False, has_ring=False)
        finally:
            ring.kept["Batchwright", "Lab"] = "kept"
            ring.back.set()
        await asyncio.gather(reaching, leaving, queuing)
        assert await benches.token("Lab") == "given-meanwhile"

    with_benches(tmp_path, ring, steps)


def test_what_is_in_the_way_of_one_connection_is_told_and_is_in_no_other_s_way(tmp_path: Path) -> None:
    async def steps(benches: ConnectionPool) -> None:
        watch = await benches.job_watcher()
        for one in (away, lab, unsigned):
            watch.rows.add(one.name, JobKind.SETUP, {"batch_id": "b"}, "Study")
        await benches.sign_in("Away", "token", is_kept=False)
        await benches.sign_in("Lab", "token", is_kept=False)
        told = [await resumed(benches, one) for one in (away, lab, unsigned)]
        assert list(map(type, told)) == [BadAddress, NoneType, NoneType]
        assert watch.blocked_by("Away") is told[0]
        assert isinstance(watch.blocked_by("Unsigned"), NotSignedIn)
        assert watch.blocked_by("Lab") is None
        await until(lambda: len(watch.rows.open("Lab")) == 0)
        await benches.resume(replace(away, url=server.url), hush)
        assert watch.blocked_by("Away") is None
        await benches.sign_out("Lab")
        assert isinstance(watch.blocked_by("Lab"), NotSignedIn)

    async def resumed(benches: ConnectionPool, connection: Connection) -> Exception | None:
        try:
            await benches.resume(connection, hush)
        except Exception as error:
            return error
        return None

    with StumblingServer([], lambda _request: Reply.of({"status": "READY"})) as server:
        lab = Connection("Lab", server.url, "w")
        away = Connection("Away", "http://lab.example.org", "w")
        unsigned = Connection("Unsigned", server.url, "w")
        with_benches(tmp_path, MemoryRing(), steps)


def test_each_connection_is_asked_with_its_own_token_alone(tmp_path: Path) -> None:
    async def steps(benches: ConnectionPool) -> None:
        for one, token in ((lab, "token-of-the-lab"), (other, "token-of-the-other")):
            await benches.sign_in(one.name, token, is_kept=True)
            await (await benches.context(one, hush)).service.batches.status("b")

    state = Reply.of({"status": "READY"})
    with StumblingServer([], lambda _one: state) as first, StumblingServer([], lambda _one: state) as second:
        lab, other = Connection("Lab", first.url, "w"), Connection("Other", second.url, "w")
        with_benches(tmp_path, MemoryRing(), steps)
        said = [{one.header(b"Authorization") for one in server.arrived} for server in (first, second)]
    assert said == [{b"Token token-of-the-lab"}, {b"Token token-of-the-other"}]
