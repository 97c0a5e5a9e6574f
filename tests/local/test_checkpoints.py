"""Checkpoints: steps are stored at once, merged, and removed at the end of the operation."""

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import ClassVar

import pytest

from batchwright.local.checkpoints import ABANDONED, CheckpointTable
from batchwright.local.database import open_database


@pytest.fixture
def checkpoints(tmp_path: Path) -> Iterator[CheckpointTable]:
    with closing(open_database(tmp_path)) as database:
        yield CheckpointTable(database)


def test_an_operation_that_was_not_started_has_no_steps(checkpoints: CheckpointTable) -> None:
    assert checkpoints.steps("a") == {}


def test_steps_are_added_to_the_stored_ones(checkpoints: CheckpointTable) -> None:
    checkpoints.save("a", {"dataset": "d"})
    checkpoints.save("a", {"import": "i", "counts": [1, 2]})
    assert checkpoints.steps("a") == {"dataset": "d", "import": "i", "counts": [1, 2]}
    assert checkpoints.steps("b") == {}


def test_a_step_can_be_undone(checkpoints: CheckpointTable) -> None:
    checkpoints.save("a", {"dataset": "d", "import": "i"})
    checkpoints.save("a", {"import": None})
    assert checkpoints.steps("a") == {"dataset": "d"}


def test_the_steps_of_an_ended_operation_are_removed(checkpoints: CheckpointTable) -> None:
    checkpoints.save("a", {"dataset": "d"})
    checkpoints.remove("a")
    assert checkpoints.steps("a") == {}


def test_steps_are_stored_for_the_next_start(tmp_path: Path) -> None:
    for number in (1, 2):
        with closing(open_database(tmp_path)) as database:
            checkpoints = CheckpointTable(database)
            checkpoints.save("a", {f"step {number}": number})
            steps = checkpoints.steps("a")
    assert steps == {"step 1": 1, "step 2": 2}


def test_operations_with_a_certain_step_can_be_found(checkpoints: CheckpointTable) -> None:
    checkpoints.save("a", {"dataset": "d", "import": "i"})
    assert checkpoints.any_has("dataset", "d")
    assert not checkpoints.any_has("dataset", "i")


def test_old_operations_that_were_not_resumed_are_removed(
    checkpoints: CheckpointTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpoints.save("abandoned", {"dataset": "a"})
    checkpoints.save("gone on with", {"dataset": "b"})

    class Later(datetime):
        """A clock that is some months ahead."""

        days: ClassVar[float]

        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]  # no subclass is needed
            return datetime.now(tz) + timedelta(days=cls.days)

    monkeypatch.setattr("batchwright.local.checkpoints.datetime", Later)
    Later.days = ABANDONED.days - 1
    checkpoints.save("gone on with", {"import": "i"})
    assert checkpoints.steps("abandoned")
    Later.days = ABANDONED.days + 1
    checkpoints.save("another", {})
    assert not checkpoints.steps("abandoned")
    assert checkpoints.steps("gone on with") == {"dataset": "b", "import": "i"}
