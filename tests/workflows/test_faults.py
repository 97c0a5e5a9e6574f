"""Whatever goes wrong at whichever request: the study is completed, or stops with a sentence and goes on.

Nothing is made twice and nothing is lost. No pause is waited for.
"""

import random
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from batchwright.api import http_client, transfers
from batchwright.service.process import ServiceAddress
from tests.fakes.faulty_proxy import Fault
from tests.workflows.fault_matrix import REQUESTS, Case, Outcome, carried_through, every_case

SILENCE = 2.0
"""Seconds after which an answer counts as not coming, where one does not."""


@pytest.fixture
def silence(monkeypatch: pytest.MonkeyPatch) -> Callable[[Fault], None]:
    """Nobody waits for minutes for an answer that does not come."""

    def shorten(error: Fault) -> None:
        if error is Fault.STALL:
            monkeypatch.setattr(http_client, "_TIMEOUTS", httpx.Timeout(SILENCE))
            monkeypatch.setattr(transfers, "_TIMEOUTS", httpx.Timeout(SILENCE).as_dict())
        monkeypatch.setattr(transfers, "_REJECTION_TIMEOUT_S", SILENCE / 4)

    return shorten


@pytest.mark.parametrize("error", Fault)
def test_an_error_drawn_at_random_is_survived(
    error: Fault,
    seed: int,
    silence: Callable[[Fault], None],
    running: ServiceAddress,
    service_folder: Path,
    tmp_path: Path,
) -> None:
    silence(error)
    draw = random.Random(f"{seed} {error.name}")
    case = Case(error, draw.randint(1, REQUESTS), draw.random() < 0.5)
    print(f"seed {seed}: {case}")
    outcome = carried_through(case, running, service_folder, tmp_path)
    assert outcome is not Outcome.WENT_ON or case.may_stop


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize("case", list(every_case()), ids=str)
def test_every_error_at_every_request_is_survived(
    case: Case,
    silence: Callable[[Fault], None],
    running: ServiceAddress,
    service_folder: Path,
    tmp_path: Path,
) -> None:
    silence(case.error)
    outcome = carried_through(case, running, service_folder, tmp_path)
    assert outcome is not Outcome.WENT_ON or case.may_stop
