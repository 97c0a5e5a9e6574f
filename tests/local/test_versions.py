"""The history of a study: what is stored, what is not stored twice, and what is thinned out."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.base.database import Database
from batchwright.base.json_values import Json
from batchwright.layout.serialization import random_keys, read
from batchwright.local.database import open_database
from batchwright.local.projects import Project, StudyContent, StudyKind
from batchwright.local.versions import (
    MAX_BYTES,
    MAX_VERSIONS,
    RETAIN_ALL,
    RETAIN_HOURLY,
    NewVersion,
    Version,
    VersionCause,
    VersionNotFound,
    VersionStore,
    surplus,
)
from batchwright.schema.parsing import read_schema
from batchwright.wire.batches import TaskDetails
from tests.layout.random_layouts import any_pages

NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
SAVED, UPDATED, SET_UP = VersionCause.SAVED, VersionCause.UPDATED, VersionCause.SET_UP
SCHEMA = read_schema({"strict": True, "fields": {"z": {"type": "text"}, "a": {"type": "text", "label": "A"}}})


def content(name: str = "Cats") -> StudyContent:
    layout = read([{"rows": [], "order": 1.0}, "no page"], random_keys())
    details = TaskDetails(task_name="Judge", task_introduction="<p>Hi</p>", task_steps="1")
    page_names = {layout.pages[0].key: "Compare"}
    return StudyContent(name, layout, page_names, SCHEMA, details, 4, StudyKind.COLLECTION)


CONTENT = content()


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(open_database(tmp_path)) as database:
        yield database


@pytest.fixture
def versions(database: Database) -> VersionStore:
    return VersionStore(database)


def store(versions: VersionStore, *names: str, cause: VersionCause = SAVED, at: datetime = NOW) -> None:
    for name in names:
        versions.store(NewVersion("study", cause, replace(CONTENT, name=name)), at)


def test_a_study_without_versions_has_none(versions: VersionStore) -> None:
    assert versions.versions("study") == ()


def test_a_version_comes_back_as_it_was_stored(versions: VersionStore) -> None:
    versions.store(NewVersion("study", UPDATED, CONTENT), NOW)
    (version,) = versions.versions("study")
    assert (version.at, version.cause, version.name) == (NOW, UPDATED, "Cats")
    restored = versions.content(version)
    assert restored == CONTENT
    assert [node.key for node in restored.layout.walk_all()] == [
        node.key for node in CONTENT.layout.walk_all()
    ]
    assert restored.schema is not None
    assert list(restored.schema.fields) == ["z", "a"]


@given(
    any_pages(), st.text(max_size=3), st.dictionaries(st.text(max_size=2), st.text(max_size=2), max_size=2)
)
def test_any_content_is_stored(pages: list[Json], name: str, page_names: dict[str, str]) -> None:
    layout = read(pages, random_keys())
    stored = replace(CONTENT, name=name, layout=layout, page_names=page_names)
    with TemporaryDirectory() as folder, closing(open_database(Path(folder))) as database:
        store = VersionStore(database)
        store.store(NewVersion("study", SAVED, stored), NOW)
        assert store.content(store.versions("study")[0]) == stored


def test_versions_are_listed_newest_first_and_by_study(versions: VersionStore) -> None:
    store(versions, "a", "b")
    versions.store(NewVersion("other", SAVED, content("c")), NOW)
    assert [version.name for version in versions.versions("study")] == ["b", "a"]
    assert [version.name for version in versions.versions("other")] == ["c"]


def test_the_same_content_is_not_stored_twice(versions: VersionStore) -> None:
    store(versions, "a", "a", at=NOW)
    later = NOW + timedelta(minutes=5)
    store(versions, "a", at=later)
    (version,) = versions.versions("study")
    assert version.at == later


def test_what_was_saved_and_then_sent_is_one_version_that_was_sent(versions: VersionStore) -> None:
    later = NOW + timedelta(minutes=5)
    store(versions, "a")
    store(versions, "a", cause=UPDATED, at=later)
    store(versions, "a", cause=SAVED, at=later + timedelta(hours=1))
    (version,) = versions.versions("study")
    assert (version.cause, version.at) == (UPDATED, later)
    store(versions, "a", cause=SET_UP, at=later)
    assert [version.cause for version in versions.versions("study")] == [SET_UP]


def test_returning_to_earlier_content_is_a_new_version(versions: VersionStore) -> None:
    store(versions, "a", "b", "a")
    assert [version.name for version in versions.versions("study")] == ["a", "b", "a"]


def test_versions_are_there_after_a_restart(tmp_path: Path) -> None:
    with closing(open_database(tmp_path)) as database:
        store(VersionStore(database), "a")
    with closing(open_database(tmp_path)) as database:
        assert [version.name for version in VersionStore(database).versions("study")] == ["a"]


def test_a_version_that_was_thinned_out_is_not_found(versions: VersionStore, database: Database) -> None:
    store(versions, "a")
    (version,) = versions.versions("study")
    with database.write() as rows:
        rows.execute("DELETE FROM version")
    with pytest.raises(VersionNotFound):
        versions.content(version)


def test_old_versions_are_thinned_out_when_another_is_stored(versions: VersionStore) -> None:
    hour = (NOW - timedelta(days=3)).replace(minute=0)
    for minute in range(5):
        store(versions, f"{minute}", at=hour + timedelta(minutes=minute))
    store(versions, "sent", cause=UPDATED, at=hour + timedelta(minutes=7))
    assert len(versions.versions("study")) == 6  # at that time they were recent
    store(versions, "new")
    assert [version.name for version in versions.versions("study")] == ["new", "sent", "4"]


def test_what_another_program_has_written_does_not_replace_what_was_sent(versions: VersionStore) -> None:
    hour = (NOW - timedelta(days=3)).replace(minute=0)
    store(versions, "sent", cause=UPDATED, at=hour)
    store(versions, "sent", cause=VersionCause.ON_DISK, at=hour + timedelta(minutes=1))
    assert [version.cause for version in versions.versions("study")] == [UPDATED]
    store(versions, "written", cause=VersionCause.ON_DISK, at=hour + timedelta(minutes=2))
    store(versions, "new")
    assert [version.name for version in versions.versions("study")] == ["new", "written", "sent"]


def test_the_number_of_versions_is_limited(versions: VersionStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("batchwright.local.versions.MAX_VERSIONS", 3)
    store(versions, *"abcde")
    assert [version.name for version in versions.versions("study")] == ["e", "d", "c"]


def test_the_bytes_of_versions_are_limited(versions: VersionStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store(versions, "a", "b")
    size = versions.versions("study")[0].size
    monkeypatch.setattr("batchwright.local.versions.MAX_BYTES", round(size * 2.5))
    store(versions, "c")
    assert [version.name for version in versions.versions("study")] == ["c", "b"]
    monkeypatch.setattr("batchwright.local.versions.MAX_BYTES", 0)
    store(versions, "d")
    assert [version.name for version in versions.versions("study")] == ["d"]


def history(entries: list[tuple[int, VersionCause, int]]) -> list[Version]:
    """Versions by age in minutes, cause and size; newest first."""
    return [
        Version(-number, NOW - timedelta(minutes=age), cause, "", size)
        for number, (age, cause, size) in enumerate(sorted(entries))
    ]


entries = st.lists(
    st.tuples(
        st.integers(0, 60 * 24 * 60), st.sampled_from(list(VersionCause)), st.integers(1, MAX_BYTES // 4)
    ),
    max_size=40,
)


@given(entries)
def test_thinning_keeps_what_it_promises(chosen: list[tuple[int, VersionCause, int]]) -> None:
    versions = history(chosen)
    removed = surplus(versions, NOW)
    kept = [version for version in versions if version not in removed]
    assert len(kept) <= MAX_VERSIONS
    assert sum(version.size for version in kept) <= MAX_BYTES
    assert not versions or kept[0] == versions[0]
    fits_all = sum(version.size for version in versions) <= MAX_BYTES
    for version in removed if fits_all else []:
        age = NOW - version.at
        assert age >= RETAIN_ALL
        unit = 13 if age < RETAIN_HOURLY else 10  # the hour or the day of the ISO format
        is_sent = version.cause.is_sent
        assert any(
            other.at >= version.at
            and other.cause.is_sent == is_sent
            and other.at.isoformat()[:unit] == version.at.isoformat()[:unit]
            for other in kept
        )


@given(entries)
def test_thinning_again_removes_nothing(chosen: list[tuple[int, VersionCause, int]]) -> None:
    versions = history(chosen)
    removed = surplus(versions, NOW)
    assert surplus([version for version in versions if version not in removed], NOW) == ()


def test_an_empty_study_can_be_stored(versions: VersionStore) -> None:
    empty = Project("").content
    versions.store(NewVersion("study", SAVED, empty), NOW)
    assert versions.content(versions.versions("study")[0]) == empty
