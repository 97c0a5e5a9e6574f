"""Trails: steps are kept at once, added to each other, and forgotten when the work has come to its end."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from batchwright.local.database import Database
from batchwright.local.trails import Trails


@pytest.fixture
def trails(tmp_path: Path) -> Iterator[Trails]:
    with closing(Database(tmp_path)) as database:
        yield Trails(database)


def test_work_that_nobody_has_begun_has_no_steps(trails: Trails) -> None:
    assert trails.steps("a") == {}


def test_steps_are_added_to_those_that_are_known(trails: Trails) -> None:
    trails.mark("a", {"dataset": "d"})
    trails.mark("a", {"import": "i", "counts": [1, 2]})
    assert trails.steps("a") == {"dataset": "d", "import": "i", "counts": [1, 2]}
    assert trails.steps("b") == {}


def test_a_step_can_be_taken_back(trails: Trails) -> None:
    trails.mark("a", {"dataset": "d", "import": "i"})
    trails.mark("a", {"import": None})
    assert trails.steps("a") == {"dataset": "d"}


def test_work_that_has_ended_is_forgotten(trails: Trails) -> None:
    trails.mark("a", {"dataset": "d"})
    trails.end("a")
    assert trails.steps("a") == {}


def test_steps_are_there_for_the_next_start(tmp_path: Path) -> None:
    for number in (1, 2):
        with closing(Database(tmp_path)) as database:
            trails = Trails(database)
            trails.mark("a", {f"step {number}": number})
            steps = trails.steps("a")
    assert steps == {"step 1": 1, "step 2": 2}
