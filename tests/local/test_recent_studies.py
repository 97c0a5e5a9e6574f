"""Recently opened studies: newest first, and safe to change from several threads."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Barrier

import pytest

from batchwright.local.recent_studies import Recent, Recents

NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)


@pytest.fixture
def kept(tmp_path: Path) -> Callable[[str], Recent]:
    """Makes a study that is at the top of the list."""

    def keep(name: str) -> Recent:
        path = tmp_path / f"{name}.batchwright"
        path.touch()
        recent = Recent(path, name, NOW, batch_at="Lab")
        Recents(tmp_path).save(recent)
        return recent

    return keep


def test_the_status_of_a_batch_is_stored_and_leaves_the_order_as_it_is(
    tmp_path: Path, kept: Callable[[str], Recent]
) -> None:
    older, newer, seen_at = kept("older"), kept("newer"), NOW + timedelta(hours=1)
    Recents(tmp_path).record(older.path, "Clinic", "READY", seen_at)
    result = replace(older, batch_at="Clinic", batch_state="READY", seen_at=seen_at)
    assert Recents(tmp_path).all() == (newer, result)


def test_a_status_lists_nothing_that_is_not_listed(tmp_path: Path, kept: Callable[[str], Recent]) -> None:
    one = kept("one")
    Recents(tmp_path).record(tmp_path / "other.batchwright", "Lab", "READY", NOW)
    assert Recents(tmp_path).all() == (one,)


def test_windows_that_change_the_list_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    names = [f"study {number}" for number in range(8)]
    begins = Barrier(len(names), timeout=30)

    def keep(name: str) -> None:
        (tmp_path / name).touch()
        begins.wait()
        Recents(tmp_path).save(Recent(tmp_path / name, name, NOW))

    with ThreadPoolExecutor(len(names)) as windows:
        list(windows.map(keep, names))
    assert {entry.name for entry in Recents(tmp_path).all()} == set(names)
