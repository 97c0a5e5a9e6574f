"""Whatever goes wrong at whichever request: the study is completed, or stops with a sentence and goes on.

Nothing is made twice and nothing is lost (issue 6, Shown to work). No pause is waited for.
"""

import random
from pathlib import Path

import httpx
import pytest

from batchwright.api import transfers, transport
from batchwright.service.host import Running
from tests.fakes.faulty_proxy import Fault
from tests.workflows.fault_matrix import REQUESTS, Case, Outcome, carried_through, every_case

SILENCE = 1.0
"""Seconds after which an answer counts as not coming."""


@pytest.fixture(autouse=True)
def short_silences(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for a minute for an answer that does not come."""
    monkeypatch.setattr(transport, "_TIMES", httpx.Timeout(5, read=SILENCE))
    monkeypatch.setattr(transfers, "_TIMES", {"connect": 5, "read": SILENCE, "write": 5, "pool": None})


@pytest.mark.parametrize("fault", Fault)
def test_a_fault_drawn_at_random_is_survived(
    fault: Fault, seed: int, running: Running, service_folder: Path, tmp_path: Path
) -> None:
    draw = random.Random(f"{seed} {fault.name}")
    case = Case(fault, draw.randint(1, REQUESTS), draw.random() < 0.5)
    print(f"seed {seed}: {case}")
    assert carried_through(case, running, service_folder, tmp_path) in Outcome


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize("case", every_case(), ids=str)
def test_every_fault_at_every_request_is_survived(
    case: Case, running: Running, service_folder: Path, tmp_path: Path
) -> None:
    assert carried_through(case, running, service_folder, tmp_path) in Outcome
