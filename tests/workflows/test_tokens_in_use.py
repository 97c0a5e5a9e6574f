"""Tokens and the jobs watched with them: refused, replaced, forgotten."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import repeat
from pathlib import Path

import pytest

from batchwright.api.errors import Unreachable
from batchwright.jobs.monitors import Weather
from batchwright.jobs.sights import Ending, JobKind
from batchwright.local.connections import Connection
from batchwright.local.folders import Folders
from batchwright.local.job_rows import JobRow
from batchwright.local.secrets import Secrets
from batchwright.service.host import Running
from batchwright.workflows.benches import Benches, NotSignedIn
from batchwright.workflows.watch import Watched
from tests.fakes.raw_http import RawRequest, Reply
from tests.fakes.stumbling_server import StumblingServer
from tests.local.test_secrets import MemoryRing
from tests.workflows.benches import NAP, until
from tests.workflows.studies import sent_file

REFUSED = Reply.of({"error": {"status": 401, "title": "Unauthorized", "detail": "No such token."}}, 401)


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks follow each other without long pauses."""
    monkeypatch.setattr("batchwright.workflows.benches._pauses", lambda _url: lambda: repeat(NAP))


def hush(_sentence: str) -> None:
    """Nobody listens."""


def with_benches(folder: Path, ring: MemoryRing, steps: Callable[[Benches], Awaitable[None]]) -> None:
    async def do() -> None:
        benches = Benches(Folders(folder / "data", folder / "cache"), Secrets(ring))
        try:
            await steps(benches)
        finally:
            await benches.close()

    asyncio.run(do())


async def watched_setup(benches: Benches, lab: Connection) -> Watched:
    bench = await benches.bench(lab, hush)
    watched = await bench.watching.begin(JobKind.SETUP, {"batch_id": "b"}, "Study")
    (await benches.watch()).take_up([watched])
    return watched


def test_a_new_token_lets_go_on_what_is_under_way_with_the_old_one(tmp_path: Path) -> None:
    lab = Connection("lab", "https://lab.example.org", "w1")

    async def steps(benches: Benches) -> None:
        await benches.sign_in("lab", "first", is_kept=False)
        before = (await benches.bench(lab, hush)).service
        await benches.sign_in("lab", "second", is_kept=False)
        after = (await benches.bench(lab, hush)).service
        assert after is not before
        assert not before.transfers._far.is_closed
        await benches.sign_out("lab")
        with pytest.raises(Unreachable, match="ended here"):
            await after.account.check()
        await benches.close()
        assert before.transfers._far.is_closed

    with_benches(tmp_path, MemoryRing(), steps)


async def row_of(benches: Benches, number: int) -> JobRow:
    row = (await benches.watch()).rows.find(number)
    assert row is not None
    return row


def test_a_job_goes_on_by_itself_when_another_token_is_given(running: Running, tmp_path: Path) -> None:
    lab = Connection("Lab", running.url, running.workspace_id)

    async def steps(benches: Benches) -> None:
        await benches.sign_in("Lab", running.token, is_kept=True)
        bench = await benches.bench(lab, hush)
        data = tmp_path / "data.csv"
        data.write_text("prompt\nFirst\n", encoding="utf-8")
        subject = await sent_file(bench.service, bench.workspace_id, data)
        await benches.sign_in("Lab", "leaked-and-deleted", is_kept=True)
        bench = await benches.bench(lab, hush)
        watched = await bench.watching.begin(JobKind.IMPORT, subject, "data.csv")
        watch = await benches.watch()
        watch.take_up([watched])
        await until(lambda: watched.monitor.weather is Weather.SIGNED_OUT)
        await until(lambda: watched.monitor.next_look is None)
        await benches.sign_in("Lab", running.token, is_kept=True)
        await benches.resume([lab], hush)
        await until(lambda: not watch.rows.open())
        assert (await row_of(benches, watched.row.number)).ending == Ending.DONE

    with_benches(tmp_path, MemoryRing(), steps)


def test_a_job_goes_on_when_the_same_token_is_accepted_again(tmp_path: Path) -> None:
    is_refused = True

    def answer(_request: RawRequest) -> Reply:
        return REFUSED if is_refused else Reply.of({"status": "READY"})

    async def steps(benches: Benches) -> None:
        nonlocal is_refused
        await benches.sign_in("Lab", "token", is_kept=True)
        watched = await watched_setup(benches, lab)
        await until(lambda: watched.monitor.weather is Weather.SIGNED_OUT)
        await until(lambda: watched.monitor.next_look is None)
        is_refused = False
        await benches.sign_in("Lab", "token", is_kept=True)
        await benches.resume([lab], hush)
        rows = (await benches.watch()).rows
        await until(lambda: not rows.open())

    with StumblingServer([], answer) as server:
        lab = Connection("Lab", server.url, "w")
        with_benches(tmp_path, MemoryRing(), steps)


def test_nothing_more_is_asked_with_a_token_that_is_forgotten(tmp_path: Path) -> None:
    ring = MemoryRing()

    async def steps(benches: Benches) -> None:
        await benches.sign_in("Lab", "token", is_kept=True)
        watched = await watched_setup(benches, lab)
        await until(lambda: len(server.arrived) > 1)
        await benches.sign_out("Lab")
        watch = await benches.watch()
        await until(lambda: watch.monitor(watched.row.number) is None)
        row = await row_of(benches, watched.row.number)
        assert (row.ending, row.is_watched) == (None, True)
        with pytest.raises(NotSignedIn):
            await benches.bench(lab, hush)
        await benches.sign_in("Lab", "another", is_kept=False)
        await benches.resume([lab], hush)
        await until(lambda: server.arrived[-1].header(b"Authorization") == b"Token another")

    with StumblingServer([], lambda _request: Reply.of({"status": "PROCESSING"})) as server:
        lab = Connection("Lab", server.url, "w")
        with_benches(tmp_path, ring, steps)
    assert ring.kept == {}


def test_each_connection_is_asked_with_its_own_token_alone(tmp_path: Path) -> None:
    async def steps(benches: Benches) -> None:
        for one, token in ((lab, "token-of-the-lab"), (other, "token-of-the-other")):
            await benches.sign_in(one.name, token, is_kept=True)
            await (await benches.bench(one, hush)).service.batches.status("b")

    state = Reply.of({"status": "READY"})
    with StumblingServer([], lambda _one: state) as first, StumblingServer([], lambda _one: state) as second:
        lab, other = Connection("Lab", first.url, "w"), Connection("Other", second.url, "w")
        with_benches(tmp_path, MemoryRing(), steps)
        said = [{one.header(b"Authorization") for one in server.arrived} for server in (first, second)]
    assert said == [{b"Token token-of-the-lab"}, {b"Token token-of-the-other"}]
