"""A service killed at random requests and restarted: the study is completed, and nothing is created twice."""

import random
from pathlib import Path

import pytest

from batchwright.api.retry import RetryPolicy
from tests.workflows.fault_matrix import REQUESTS, judge
from tests.workflows.killed_service import KilledService, Victim
from tests.workflows.whole_flow import Flow, stored_state

pytestmark = pytest.mark.whole_program

MOST_DEATHS = 3
BEGINNINGS = 10
"""How often somebody goes on after a sentence before giving up."""


def carried_through(draw: random.Random, folder: Path) -> None:
    """Carry a study through, however often it has to be begun again; then look at all of it."""
    requests = draw.sample(range(1, REQUESTS + 1), draw.randint(1, MOST_DEATHS))
    deaths = [(nth, draw.choice(list(Victim))) for nth in requests]
    print(f"killed at {deaths}")
    files = folder / "files"
    files.mkdir()
    with KilledService(folder / "service", deaths) as service:
        flow = Flow(service.running, files, unhurt=service.unhurt)
        asks = RetryPolicy(delays=lambda: iter([0.0] * 4), sleep=service.sleep)
        text = [flow.go_on(service.url, asks)]
        while text[-1] and len(text) < BEGINNINGS:
            assert service.is_up.wait(60)
            text.append(flow.go_on(service.url, asks))
        assert not text[-1], text
        assert service.died
    judge(stored_state(folder / "service", flow.name), [*flow.messages, *text])


@pytest.mark.parametrize("number", range(3))
def test_a_service_that_dies_at_some_requests_keeps_everything_once(
    number: int, seed: int, tmp_path: Path
) -> None:
    carried_through(random.Random(f"{seed} {number}"), tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("number", range(3, 60))
def test_a_service_that_dies_at_any_requests_keeps_everything_once(
    number: int, seed: int, tmp_path: Path
) -> None:
    carried_through(random.Random(f"{seed} {number}"), tmp_path)
