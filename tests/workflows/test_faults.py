"""A fault at any request: the study is completed, or stops with a message and can be resumed.

Nothing is created twice and nothing is lost. The tests wait for no pause.
"""

import random
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from batchwright.api.files import transfers
from batchwright.api.http import http_client
from batchwright.service.process import ServiceAddress
from tests.fakes.faulty_proxy import Fault
from tests.workflows.fault_matrix import REQUESTS, Case, Outcome, every_case, run_case

TIMEOUT_S = 2.0
"""Seconds to wait for a response that does not come."""


@pytest.fixture
def short_timeouts(monkeypatch: pytest.MonkeyPatch) -> Callable[[Fault], None]:
    """Shorten the time limits for responses that do not come."""

    def shorten(error: Fault) -> None:
        if error is Fault.STALL:
            monkeypatch.setattr(http_client, "_TIMEOUTS", httpx.Timeout(TIMEOUT_S))
            monkeypatch.setattr(transfers, "_TIMEOUTS", httpx.Timeout(TIMEOUT_S).as_dict())
        monkeypatch.setattr(transfers, "_REJECTION_TIMEOUT_S", TIMEOUT_S / 4)

    return shorten


@pytest.mark.matrix(3)
@pytest.mark.parametrize("error", Fault)
async def test_the_study_is_completed_after_a_random_fault(
    error: Fault,
    seed: int,
    short_timeouts: Callable[[Fault], None],
    running: ServiceAddress,
    service_folder: Path,
    tmp_path: Path,
) -> None:
    short_timeouts(error)
    generator = random.Random(f"{seed} {error.name}")
    case = Case(error, generator.randint(1, REQUESTS), generator.random() < 0.5)
    print(f"seed {seed}: {case}")
    outcome = await run_case(case, running, service_folder, tmp_path)
    assert outcome is not Outcome.RESUMED or case.may_stop


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize("case", list(every_case()), ids=str)
async def test_the_study_is_completed_after_every_fault_at_every_request(
    case: Case,
    short_timeouts: Callable[[Fault], None],
    running: ServiceAddress,
    service_folder: Path,
    tmp_path: Path,
) -> None:
    short_timeouts(case.error)
    outcome = await run_case(case, running, service_folder, tmp_path)
    assert outcome is not Outcome.RESUMED or case.may_stop
