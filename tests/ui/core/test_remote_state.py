"""The cached state of a service: fetched for one subject, and discarded for another."""

import asyncio
from dataclasses import dataclass, field

import pytest

from batchwright.client.context import WorkflowContext
from batchwright.local.connections import THIS_COMPUTER
from batchwright.ui.core.remote_state import RemoteState
from tests.ui.conftest import until
from tests.ui.core.operation_fixtures import OFFLINE, REJECTED, Fixture, at

pytestmark = pytest.mark.gui

__all__ = ["at"]


@dataclass
class Service:
    """Returns the next of its values once `may_answer` is set, or raises it if it is an exception."""

    values: list[object]
    calls: int = 0
    may_answer: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, _context: WorkflowContext) -> object:
        self.calls += 1
        value = self.values.pop(0)
        await self.may_answer.wait()
        if isinstance(value, Exception):
            raise value
        return value


def state_of(at: Fixture, *values: object, waits: bool = False) -> tuple[RemoteState[object], Service]:
    service = Service(list(values))
    if not waits:
        service.may_answer.set()
    return RemoteState("numbers", at.subject, service, at.session, at.tasks), service


async def test_a_fetched_value_is_stored_with_its_time(at: Fixture) -> None:
    state, _service = state_of(at, 1)
    assert (state.value, state.fetched_at) == (None, None)
    state.refresh()
    assert not state.is_loading
    await at.settled()
    assert (state.value, state.error, state.is_loading) == (1, None, False)
    assert state.fetched_at is not None


async def test_an_error_keeps_the_value_and_is_cleared_by_the_next_fetch(at: Fixture) -> None:
    state, _service = state_of(at, 1, OFFLINE, 2)
    state.refresh()
    await at.settled()
    state.refresh()
    await at.settled()
    assert [state.value] == [1]
    assert state.error is not None
    assert not state.needs_sign_in
    state.refresh()
    await at.settled()
    assert [state.value] == [2]
    is_failed = state.error is not None
    assert not is_failed
    assert at.failed == []


async def test_a_refresh_prompts_for_a_token_only_if_allowed(at: Fixture) -> None:
    state, _service = state_of(at, REJECTED, REJECTED, 2)
    state.refresh()
    await at.settled()
    assert (state.needs_sign_in, at.prompts) == (True, [])
    state.refresh(may_prompt=True)
    await at.settled()
    assert (state.value, state.needs_sign_in, at.prompts) == (2, False, ["Lab"])


@pytest.mark.parametrize("is_active", [True, False])
@pytest.mark.parametrize("another", ["study", "connection"])
async def test_a_result_for_another_subject_is_discarded(
    at: Fixture, another: str, *, is_active: bool
) -> None:
    state, service = state_of(at, "old", "new", waits=True)
    state.is_active = is_active
    state.refresh()
    await until(lambda: service.calls == 1)
    if another == "study":
        at.study.open_another()
    else:
        await at.session.select(THIS_COMPUTER.name)
    service.may_answer.set()
    await at.settled()
    assert (state.value, service.calls) == (("new", 2) if is_active else (None, 1))


async def test_changing_the_subject_clears_the_state(at: Fixture) -> None:
    state, _service = state_of(at, 1, OFFLINE)
    for _time in range(2):
        state.refresh()
        await at.settled()
    at.study.open_another()
    assert (state.value, state.error, state.fetched_at) == (None, None, None)


@pytest.mark.parametrize("stores", [True, False])
async def test_a_fetch_is_repeated_if_the_state_was_changed_meanwhile(at: Fixture, *, stores: bool) -> None:
    state, service = state_of(at, "before", "after", waits=True)
    state.refresh()
    await until(lambda: service.calls == 1)
    if stores:
        state.store("stored")
        assert state.value == "stored"
    else:
        state.invalidate()
    service.may_answer.set()
    await at.settled()
    assert (state.value, service.calls) == ("after", 2)


async def test_without_a_subject_nothing_is_fetched(at: Fixture) -> None:
    state, service = state_of(at, 1)
    at.subject.value = None
    state.refresh()
    await at.settled()
    assert service.calls == 0
