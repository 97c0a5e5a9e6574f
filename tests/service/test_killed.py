"""A service that is killed at any moment loses nothing that it accepted, and does nothing twice.

The operation, the killed processes and the number and times of kills are drawn from the seed; times are
fractions of the operation.
"""

import random
from itertools import product
from pathlib import Path

import pytest

from batchwright.service.blobs import BlobKind
from batchwright.service.data_dir import open_data_dir
from batchwright.service.store import referenced_blobs
from tests.service.api_helpers import eventually
from tests.service.kill_helpers import ServiceRuns, Victim, needs_proc
from tests.service.killed_jobs.every_operation import OPERATIONS
from tests.service.killed_jobs.operations import Operation

FEW, MANY = 5, 200
MAX_KILLS = 3


@pytest.mark.matrix(3)
@needs_proc
@pytest.mark.parametrize("number", range(FEW))
def test_after_a_kill_nothing_is_lost_and_nothing_is_done_twice(
    tmp_path: Path, seed: int, number: int
) -> None:
    operation = random.Random(seed).sample(sorted(OPERATIONS), FEW)[number]
    print(f"--seed {seed}")
    chance = random.Random(f"{seed} {operation}")
    _interrupt(tmp_path, operation, chance.choice(list(Victim)), [chance.random()])


@needs_proc
@pytest.mark.long
@pytest.mark.parametrize("number", range(MANY))
def test_after_a_kill_at_any_of_many_moments_nothing_is_lost_or_done_twice(
    tmp_path: Path, seed: int, number: int
) -> None:
    combinations = list(product(OPERATIONS, Victim))
    operation, victim = combinations[number % len(combinations)]
    print(f"--seed {seed}")
    chance = random.Random(f"{seed} {number}")
    _interrupt(
        tmp_path, operation, victim, [chance.random() for _kill in range(chance.randint(1, MAX_KILLS))]
    )


def _interrupt(folder: Path, name: str, victim: Victim, fractions: list[float]) -> None:
    """Kill processes when the operation has reached these fractions; a failing test prints them."""
    operation = OPERATIONS[name]()
    moments = [int(operation.total * fraction) for fraction in sorted(fractions)]
    print(f"{name}: {victim} killed at {moments} of {operation.total}")
    runs = ServiceRuns(folder)
    try:
        operation.start(runs)
        for moment in moments:
            _wait_for(operation, folder, moment)
            runs.kill(victim)
        operation.check(runs)
    finally:
        runs.end()
    _is_sound(folder)


def _wait_for(operation: Operation, folder: Path, moment: int) -> None:
    eventually(lambda: operation.has_ended(folder) or operation.progress(folder) >= moment, bool)


def _is_sound(folder: Path) -> None:
    """No jobs are left, no file is missing, and no file is unreferenced."""
    with open_data_dir(folder) as data, data.database.read() as connection:
        assert connection.execute("SELECT count(*) FROM job").fetchone()[0] == 0
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        named = {name for kind in BlobKind for name in referenced_blobs.referenced(connection, kind)}
    blobs = folder / "blobs"
    assert {file.relative_to(blobs).as_posix() for file in blobs.rglob("*") if file.is_file()} == named
