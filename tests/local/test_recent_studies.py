"""Recently opened studies: newest first, and safe to change from several threads."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Barrier

import pytest

from batchwright.layout.model import Layout
from batchwright.local.projects import LanguageBinding, Project, RemoteBinding
from batchwright.local.recent_studies import Recent, Recents, recent_of

NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)


@pytest.fixture
def add_recent(tmp_path: Path) -> Callable[[str], Recent]:
    """Creates a study and puts it at the top of the list."""

    def add(name: str) -> Recent:
        path = tmp_path / f"{name}.batchwright"
        path.touch()
        recent = Recent(path, name, NOW, batch_at="Lab")
        Recents(tmp_path).save(recent)
        return recent

    return add


def test_storing_the_status_of_a_batch_does_not_change_the_order(
    tmp_path: Path, add_recent: Callable[[str], Recent]
) -> None:
    older, newer, seen_at = add_recent("older"), add_recent("newer"), NOW + timedelta(hours=1)
    Recents(tmp_path).record(older.path, "Clinic", "READY", seen_at)
    result = replace(older, batch_at="Clinic", batch_state="READY", seen_at=seen_at)
    assert Recents(tmp_path).all() == (newer, result)


def test_a_study_whose_path_cannot_be_read_hides_no_other(
    tmp_path: Path, add_recent: Callable[[str], Recent]
) -> None:
    listed = add_recent("one")
    Recents(tmp_path).save(replace(listed, path=tmp_path / ("too long" * 100)))
    assert Recents(tmp_path).all() == (listed,)


def test_the_status_of_an_unlisted_study_adds_no_entry(
    tmp_path: Path, add_recent: Callable[[str], Recent]
) -> None:
    listed = add_recent("one")
    Recents(tmp_path).record(tmp_path / "other.batchwright", "Lab", "READY", NOW)
    assert Recents(tmp_path).all() == (listed,)


def test_concurrent_changes_of_the_list_lose_no_entry(tmp_path: Path) -> None:
    names = [f"study {number}" for number in range(8)]
    barrier = Barrier(len(names), timeout=30)

    def save(name: str) -> None:
        (tmp_path / name).touch()
        barrier.wait()
        Recents(tmp_path).save(Recent(tmp_path / name, name, NOW))

    with ThreadPoolExecutor(len(names)) as windows:
        list(windows.map(save, names))
    assert {entry.name for entry in Recents(tmp_path).all()} == set(names)


def test_an_entry_has_the_connections_of_the_batch_and_of_the_collection(tmp_path: Path) -> None:
    path = tmp_path / "survey.batchwright"
    path.touch()
    german = {"de": LanguageBinding(batch_id="b")}
    remotes = {"Lab": RemoteBinding("w", languages=german), "Clinic": RemoteBinding("w", collection_id="c")}
    recent = recent_of(path, Project("Survey", Layout(), remotes=remotes), 0)
    assert (recent.batch_at, recent.collection_at) == ("Lab", "Clinic")
    Recents(tmp_path).save(recent)
    (stored,) = Recents(tmp_path).all()
    assert (stored.batch_at, stored.collection_at) == ("Lab", "Clinic")


def test_the_workspaces_of_hosted_services_are_stored(tmp_path: Path) -> None:
    path = tmp_path / "study.batchwright"
    path.touch()
    names = ("This computer", "This computer (c)", "Lab", "Clinic")
    remotes = {name: RemoteBinding(key * 24, batch_id="x") for name, key in zip(names, "cdba", strict=True)}
    Recents(tmp_path).save(recent_of(path, Project("Study", Layout(), remotes=remotes), 0))
    assert [recent.workspace_ids for recent in Recents(tmp_path).all()] == [("a" * 24, "b" * 24)]
