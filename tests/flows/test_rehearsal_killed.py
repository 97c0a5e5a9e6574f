"""The program is killed while it waits for a response; restarted, it resumes and creates nothing twice."""

import json
import random
import subprocess
import uuid
from pathlib import Path

import pytest

from batchwright.service.process import ServiceAddress
from tests.api.studies import LAYOUT, SCHEMA
from tests.fakes.faulty_proxy import Fault, FaultyProxy
from tests.flows.program import PROGRAM, Results, environment
from tests.service.api_helpers import eventually
from tests.workflows.whole_flow import MORE, RECORDS, stored_state

pytestmark = pytest.mark.whole_program

REQUESTS = 22
"""How many a rehearsal sends at least."""
SAMPLE = 4


def rehearsal_of(name: str, running: ServiceAddress, url: str, folder: Path) -> list[str]:
    """The command that rehearses a study called `name` and writes its files."""
    files = {
        "layout.json": json.dumps(LAYOUT),
        "schema.json": json.dumps(SCHEMA),
        f"{name}.csv": "".join(["prompt\n", *(f'"{text}"\n' for text in RECORDS)]),
        "more.jsonl": "".join(json.dumps({"prompt": text}) + "\n" for text in MORE),
        "token": running.token,
    }
    for file, text in files.items():
        if not (folder / file).exists():
            (folder / file).write_text(text, encoding="utf-8")
    options = {
        "layout": folder / "layout.json",
        "schema": folder / "schema.json",
        "data": folder / f"{name}.csv",
        "append": folder / "more.jsonl",
        "url": url,
        "workspace": running.workspace_id,
        "token-file": folder / "token",
        "out": folder / "out",
    }
    return [
        *PROGRAM,
        "rehearse",
        *(word for key, value in options.items() for word in (f"--{key}", str(value))),
    ]


def kill_and_restart(nth: int, running: ServiceAddress, service_folder: Path, folder: Path) -> None:
    """Kill a rehearsal after the service has handled its n-th request but not responded; then repeat it."""
    name = str(uuid.uuid4())
    with FaultyProxy(running.url, Fault.STALL, nth) as proxy:
        command = rehearsal_of(name, running, proxy.url, folder)
        with subprocess.Popen(command, env=environment(folder / "home"), stderr=subprocess.PIPE) as first:
            eventually(lambda: proxy.fault_count or first.poll() is not None, bool)
            first.kill()
        proxy.clear_fault()
        again = subprocess.run(command, env=environment(folder / "home"), capture_output=True, text=True)
        assert again.returncode == 0, again.stderr
    state = stored_state(service_folder, f"Rehearsal of {name}")
    assert state.records == ((*RECORDS, *MORE),)
    assert state.imports == ("complete",)
    assert [batch[:3] for batch in state.batches] == [("READY", 1, len(RECORDS) + len(MORE))]
    # No list of datasets exists in which the one could be found whose answer was never heard.
    assert state.empty_datasets == (1 if nth == 1 else 0)
    assert Results(folder / "out").summary["records"] == len(RECORDS)


def random_requests(seed: int) -> list[int]:
    """Random request numbers."""
    return random.Random(seed).sample(range(1, REQUESTS + 1), SAMPLE)


@pytest.mark.matrix(3)
@pytest.mark.parametrize("number", range(SAMPLE))
def test_a_rehearsal_killed_at_a_random_request_resumes(
    number: int, seed: int, running: ServiceAddress, service_folder: Path, tmp_path: Path
) -> None:
    nth = random_requests(seed)[number]
    print(f"seed {seed}: killed at request {nth}")
    kill_and_restart(nth, running, service_folder, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("nth", range(1, REQUESTS + 1))
def test_a_rehearsal_killed_at_any_request_resumes(
    nth: int, running: ServiceAddress, service_folder: Path, tmp_path: Path
) -> None:
    kill_and_restart(nth, running, service_folder, tmp_path)
