"""Each save keeps a version, off the event loop, and no save depends on it."""

import asyncio
import json
import logging
from datetime import UTC, datetime
from pathlib import Path

import pytest

from batchwright.base.database import StorageUnavailable
from batchwright.layout.editing.edits import AddPage
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.serialization import random_keys, read
from batchwright.local.study_files.project_parser import read_project
from batchwright.local.versions import NewVersion, Version, VersionCause, VersionStore
from tests.ui.window_fixtures import OpenTestWindow, press, window_in

pytestmark = pytest.mark.gui

NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)


def add_page(at: OpenTestWindow) -> None:
    at.controller.study.apply(AddPage(read([{"rows": []}], random_keys()).pages, InsertionPoint(None, 9)))


async def save(at: OpenTestWindow) -> None:
    at.start(at.controller.files.save)
    await at.settled()


def versions(at: OpenTestWindow) -> tuple[Version, ...]:
    return VersionStore(at.database).versions(at.controller.study.project.study_id)


async def test_each_save_adds_a_version(tmp_path: Path) -> None:
    async with window_in(tmp_path, now=lambda: NOW) as at:
        at.dialogs.path = tmp_path / "cats.batchwright"
        await at.create_study()
        await save(at)
        first = at.controller.study.content
        add_page(at)
        await save(at)
        stored = versions(at)
        assert [(version.cause, version.name, version.at) for version in stored] == [
            (VersionCause.SAVED, "cats", NOW)
        ] * 2
        assert VersionStore(at.database).content(stored[1]) == first
        assert VersionStore(at.database).content(stored[0]) == at.controller.study.content


async def test_the_history_belongs_to_the_study_wherever_its_file_is(
    tmp_path: Path, at: OpenTestWindow
) -> None:
    at.dialogs.path = tmp_path / "cats.batchwright"
    await at.create_study()
    await save(at)
    id = at.controller.study.project.study_id
    assert read_project((tmp_path / "cats.batchwright").read_bytes()).study_id == id
    moved = (tmp_path / "cats.batchwright").rename(tmp_path / "moved.batchwright")
    at.controller.open_path(moved)
    await at.settled()
    assert at.controller.study.project.study_id == id
    assert at.controller.study.is_saved
    assert len(versions(at)) == 1


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("layout.json", [{"rows": []}]),
        ("old.batchwright", {"batchwright": 1, "name": "Old", "batch_items": []}),
        ("odd.batchwright", {"batchwright": 1, "name": "Old", "batch_items": [], "study_id": ["\ud800"]}),
    ],
)
async def test_a_file_without_an_id_has_the_same_history_each_time(
    tmp_path: Path, name: str, content: object
) -> None:
    path = tmp_path / name
    path.write_text(json.dumps(content))

    async with window_in(tmp_path) as at:
        ids = set()
        for count in (1, 2):
            at.controller.open_path(path)
            await at.settled()
            assert at.controller.study.is_saved
            ids.add(at.controller.study.project.study_id)
            add_page(at)
            await save(at)
            assert at.controller.study.is_saved
            assert len(versions(at)) == count
        assert len(ids) == 1


class FailingStore(VersionStore):
    """A store whose disk is full."""

    def store(self, new: NewVersion, at: datetime) -> None:
        raise StorageUnavailable("the disk is full")


async def test_a_version_that_cannot_be_stored_fails_no_save_and_is_reported_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "cats.batchwright"

    async with window_in(tmp_path) as at:
        at.pool.versions = FailingStore(at.database)
        at.dialogs.path = path
        await at.create_study()
        with caplog.at_level(logging.ERROR):
            for _time in range(2):
                add_page(at)
                await save(at)
                assert at.controller.study.is_saved
        titles = [card.notice.title for card in at.window.notices.cards]
        assert titles == ["This version was not added to the history"]
        assert len([record for record in caplog.records if "version" in record.message]) == 2
        assert at.failures == []
    assert len(read_project(path.read_bytes()).layout.pages) == 3


async def test_a_version_is_stored_before_the_window_is_closed(tmp_path: Path, at: OpenTestWindow) -> None:
    at.dialogs.path = tmp_path / "cats.batchwright"
    await at.create_study()
    closing = asyncio.create_task(at.controller.may_close())
    await asyncio.sleep(0)
    press(at.window, "Save")
    assert await closing
    assert len(versions(at)) == 1
