"""A service killed at random requests and restarted: the study is completed, and nothing is created twice."""

import random
from pathlib import Path

import pytest

from batchwright.api.http.retry import RetryPolicy
from tests.workflows.fault_matrix import REQUESTS, check_final_state
from tests.workflows.killed_service import KilledService, Victim
from tests.workflows.whole_flow import Flow, stored_state

pytestmark = pytest.mark.whole_program

MAX_KILLS = 3
MAX_STARTS = 10
"""How often the study is started before the test fails."""


async def run_case(generator: random.Random, folder: Path) -> None:
    """Run a study, starting it again as often as necessary; then check the final state."""
    requests = generator.sample(range(1, REQUESTS + 1), generator.randint(1, MAX_KILLS))
    kills = [(nth, generator.choice(list(Victim))) for nth in requests]
    print(f"killed at {kills}")
    files = folder / "files"
    files.mkdir()
    with KilledService(folder / "service", kills) as service:
        flow = Flow(service.running, files, no_kills=service.kill_lock)
        retry_policy = RetryPolicy(delays=lambda: iter([0.0] * 4), sleep=service.sleep)
        messages = [await flow.resume(service.url, retry_policy)]
        while messages[-1] and len(messages) < MAX_STARTS:
            assert service.is_up.wait(60)
            messages.append(await flow.resume(service.url, retry_policy))
        assert not messages[-1], messages
        assert service.kill_count
    check_final_state(stored_state(folder / "service", flow.name), [*flow.messages, *messages])


@pytest.mark.matrix(3)
@pytest.mark.parametrize("number", range(3))
async def test_a_study_is_complete_and_stored_once_although_the_service_is_killed(
    number: int, seed: int, tmp_path: Path
) -> None:
    await run_case(random.Random(f"{seed} {number}"), tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("number", range(3, 60))
async def test_a_study_is_complete_and_stored_once_whenever_the_service_is_killed(
    number: int, seed: int, tmp_path: Path
) -> None:
    await run_case(random.Random(f"{seed} {number}"), tmp_path)
