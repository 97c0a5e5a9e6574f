"""Trails: steps are kept at once, added to each other, and forgotten when the work has come to its end."""

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import ClassVar

import pytest

from batchwright.local.checkpoints import ABANDONED, CheckpointTable
from batchwright.local.database import open_database


@pytest.fixture
def trails(tmp_path: Path) -> Iterator[CheckpointTable]:
    with closing(open_database(tmp_path)) as database:
        yield CheckpointTable(database)


def test_work_that_nobody_has_begun_has_no_steps(trails: CheckpointTable) -> None:
    assert trails.steps("a") == {}


def test_steps_are_added_to_those_that_are_known(trails: CheckpointTable) -> None:
    trails.save("a", {"dataset": "d"})
    trails.save("a", {"import": "i", "counts": [1, 2]})
    assert trails.steps("a") == {"dataset": "d", "import": "i", "counts": [1, 2]}
    assert trails.steps("b") == {}


def test_a_step_can_be_taken_back(trails: CheckpointTable) -> None:
    trails.save("a", {"dataset": "d", "import": "i"})
    trails.save("a", {"import": None})
    assert trails.steps("a") == {"dataset": "d"}


def test_work_that_has_ended_is_forgotten(trails: CheckpointTable) -> None:
    trails.save("a", {"dataset": "d"})
    trails.remove("a")
    assert trails.steps("a") == {}


def test_steps_are_there_for_the_next_start(tmp_path: Path) -> None:
    for number in (1, 2):
        with closing(open_database(tmp_path)) as database:
            trails = CheckpointTable(database)
            trails.save("a", {f"step {number}": number})
            steps = trails.steps("a")
    assert steps == {"step 1": 1, "step 2": 2}


def test_whether_any_work_has_come_to_something_is_known(trails: CheckpointTable) -> None:
    trails.save("a", {"dataset": "d", "import": "i"})
    assert trails.any_has("dataset", "d")
    assert not trails.any_has("dataset", "i")


def test_work_that_nobody_went_on_with_for_long_is_forgotten(
    trails: CheckpointTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    trails.save("abandoned", {"dataset": "a"})
    trails.save("gone on with", {"dataset": "b"})

    class Later(datetime):
        """The clock some months on."""

        days: ClassVar[float]

        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]  # no subclass is needed
            return datetime.now(tz) + timedelta(days=cls.days)

    monkeypatch.setattr("batchwright.local.checkpoints.datetime", Later)
    Later.days = ABANDONED.days - 1
    trails.save("gone on with", {"import": "i"})
    assert trails.steps("abandoned")
    Later.days = ABANDONED.days + 1
    trails.save("another", {})
    assert not trails.steps("abandoned")
    assert trails.steps("gone on with") == {"dataset": "b", "import": "i"}
