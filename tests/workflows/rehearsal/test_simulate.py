"""Simulated participants: the same seed gives the same answers, and no one starts without a task group."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from batchwright.api.http.errors import AnswersRejected, Unreachable
from batchwright.api.participant_client import ParticipantClient
from batchwright.service.process import ServiceAddress
from batchwright.wire.responses import ResponseRecord
from batchwright.workflows.rehearsal import simulate
from batchwright.workflows.rehearsal.simulate import SimulatedParticipants
from tests.api.requests import retries
from tests.api.studies import client_of, prompts_file, set_up
from tests.fakes.failing_server import FailingServer
from tests.fakes.faulty_proxy import Fault, FaultyProxy
from tests.fakes.raw_http import FakeResponse, RawRequest

PAGE = """<main data-state="page"><script type="application/json" id="page-data">{"submission_id": "s",
"task_id": null, "record": null, "step": 0, "steps": 1, "page": 0,
"instructions": [{"type": "free_text", "description": "Why?"}]}</script></main>"""
REJECTION_PAGE = '<main><div id="faults"><ul><li>Please answer.</li></ul></div></main>'


@pytest.fixture
async def batch_id(running: ServiceAddress, tmp_path: Path) -> str:
    """A batch that is ready, with two groups of one task."""
    data = prompts_file(tmp_path)
    async with client_of(running) as service:
        return (await set_up(service, running.workspace_id, data)).id


async def link_of(running: ServiceAddress, batch_id: str) -> str:
    async with client_of(running) as service:
        return (await service.local.participation(batch_id)).url


async def completed_participants(simulation: SimulatedParticipants) -> set[int]:
    """The numbers of the participants who completed the study."""

    return {number async for number in simulation.run()}


async def answers(running: ServiceAddress, batch_id: str) -> list[str]:
    """The answers with their participants, without the parts that differ in every run."""
    async with client_of(running) as service:
        records = await service.batches.responses(batch_id)
    return sorted(map(answer_of, records))


def answer_of(record: ResponseRecord) -> str:
    entries = [
        {name: value for name, value in dict(entry).items() if name != "file_key"}
        for entry in record.response.answer
        if isinstance(entry, dict)
    ]
    return json.dumps([record.participant_id, record.response.type, entries])


async def test_the_same_seed_gives_the_same_answers_and_another_seed_others(
    running: ServiceAddress, batch_id: str
) -> None:
    async def once(seed: int) -> list[str]:
        async with client_of(running) as service:
            await service.local.reset(batch_id)
        link = await link_of(running, batch_id)
        assert await completed_participants(SimulatedParticipants(link, seed, 2)) == {0, 1}
        return await answers(running, batch_id)

    first = await once(-3)
    assert len(first) == 2 * 3
    assert await once(-3) == first
    assert await once(4) != first


@pytest.mark.parametrize("participants", [3, 1_000_000_000])
async def test_no_participant_starts_once_all_groups_are_full(
    participants: int, running: ServiceAddress, batch_id: str
) -> None:
    with FaultyProxy(running.url) as proxy:
        link = (await link_of(running, batch_id)).replace(running.url, proxy.url)
        assert await completed_participants(SimulatedParticipants(link, 7, participants)) == {0, 1}
        starts = [call for call in proxy.calls if call.endswith("/start")]
    assert len(starts) == 3


async def test_zero_participants_give_no_answers(running: ServiceAddress, batch_id: str) -> None:
    assert (
        await completed_participants(SimulatedParticipants(await link_of(running, batch_id), 7, 0)) == set()
    )
    assert await answers(running, batch_id) == []


async def test_an_interrupted_simulation_continues_with_the_same_answers(
    running: ServiceAddress, batch_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection fails for good at each request in turn; the service handles it all the same."""
    monkeypatch.setattr(simulate, "ParticipantClient", partial(ParticipantClient, retries(2)))
    link = await link_of(running, batch_id)
    assert await completed_participants(SimulatedParticipants(link, 7, 2)) == {0, 1}
    expected, interruptions = await answers(running, batch_id), 0

    async def finish(simulation: SimulatedParticipants, finished: Counter[int]) -> None:
        async for number in simulation.run():
            finished[number] += 1

    while True:
        async with client_of(running) as service:
            await service.local.reset(batch_id)
        finished = Counter[int]()
        with FaultyProxy(running.url, Fault.RESET_AFTER, interruptions + 1, is_lasting=True) as proxy:
            first = SimulatedParticipants(link.replace(running.url, proxy.url), 7, 2)
            with suppress(Unreachable):
                await finish(first, finished)
        if not proxy.fault_count:
            break
        interruptions += 1
        await finish(replace(first, link=link), finished)
        assert finished == {0: 1, 1: 1}
        assert first.reached.finished == 2
        assert await answers(running, batch_id) == expected
    assert interruptions >= 4


def study_with_responses(answers: Callable[[], FakeResponse]) -> Callable[[RawRequest], FakeResponse]:
    """A study of one page that responds to answers with `answers()`."""

    def respond(request: RawRequest) -> FakeResponse:
        return FakeResponse(200, PAGE.encode()) if b'name="participant"' in request.body else answers()

    return respond


async def test_a_rejected_answer_ends_the_simulation_and_all_its_tasks() -> None:
    with FailingServer(
        [], study_with_responses(lambda: FakeResponse(422, REJECTION_PAGE.encode()))
    ) as server:
        simulation = SimulatedParticipants(f"{server.url}/participate/b?key=k", 7, 9)
        with pytest.raises(AnswersRejected, match="Please answer"):
            async for _number in simulation.run():
                pass
        assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_closing_a_running_simulation_ends_all_its_tasks() -> None:
    with FailingServer(
        [], study_with_responses(lambda: FakeResponse(200, b'<main data-state="finished">'))
    ) as server:
        participants = SimulatedParticipants(f"{server.url}/participate/b?key=k", 7, 9).run()
        assert await anext(participants) in range(9)
        await participants.aclose()
        assert asyncio.all_tasks() == {asyncio.current_task()}
