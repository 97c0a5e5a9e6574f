"""The versions panel through its own controls: list, compare, restore, undo."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock, patch

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from batchwright.base.database import StorageUnavailable
from batchwright.layout.editing.edits import MoveItems, Remove, SetAttributes
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.item_types.registry import Instruction
from batchwright.layout.model import Layout
from batchwright.layout.serialization import random_keys, read
from batchwright.local.projects import Project
from batchwright.local.versions import NewVersion, Version, VersionCause, VersionStore
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.theme import theme
from batchwright.ui.versions.panel import VersionsPanel
from batchwright.ui.versions.side_by_side import ComparedCard, DifferenceList, PageSheet, PagesSideBySide
from batchwright.ui.widgets.placeholders import EmptyState
from batchwright.ui.widgets.statuses import StatusBadge
from batchwright.ui.widgets.text import Label
from batchwright.wire.batches import TaskDetails
from tests.layout.builders import item, sketch
from tests.samples.each_type import ALL
from tests.ui.conftest import until
from tests.ui.window_fixtures import OpenTestWindow, press, window_in

pytestmark = pytest.mark.gui

TODAY = datetime.now(UTC)


class Clock:
    """The time of new versions."""

    def __init__(self) -> None:
        self.now = TODAY - timedelta(days=1)

    def __call__(self) -> datetime:
        return self.now


@asynccontextmanager
async def window_with_versions(
    folder: Path, drawing: str = ""
) -> AsyncIterator[tuple[OpenTestWindow, Clock]]:
    """Yield a window with a study that was saved yesterday, and the clock of new versions."""
    clock = Clock()
    # The day may end before the window shows the versions.
    shown_at = patch("batchwright.ui.versions.labels.datetime", Mock(now=lambda _zone: TODAY))
    async with window_in(folder, now=clock) as at:
        at.window.resize(1280, 800)
        at.controller.study.open(Project("Cats", sketch(drawing or "ab / c // d // e")), None, is_saved=False)
        at.dialogs.path = folder / "cats.batchwright"
        await save(at)
        clock.now = TODAY
        with shown_at:
            yield at, clock


async def save(at: OpenTestWindow) -> None:
    at.start(at.controller.files.save)
    await at.settled()


async def open_panel(at: OpenTestWindow) -> VersionsPanel:
    QTest.keyClick(
        at.window, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    await until(lambda: bool(panels(at)))
    (panel,) = panels(at)
    await until(lambda: not panel.state.is_loading)
    await at.settled()
    return panel


def notices(at: OpenTestWindow) -> list[str]:
    return [card.notice.title for card in at.window.notices.cards]


def panels(at: OpenTestWindow) -> list[VersionsPanel]:
    return [panel for panel in at.window.findChildren(VersionsPanel) if panel.isVisible()]


def rows(panel: VersionsPanel) -> list[str]:
    state = panel.table.model()
    return [str(state.index(row, 0).data()) for row in range(state.rowCount())]


def places(panel: VersionsPanel) -> list[str]:
    combo = panel.comparison.parts
    return [combo.itemText(index) for index in range(combo.count())]


def cards(panel: VersionsPanel) -> dict[str, list[str]]:
    """The marks of the changed cards by item, left sheet first."""
    marks: dict[str, list[str]] = {}
    for sheet in visible(panel, PageSheet):
        for card in visible(sheet, ComparedCard):
            badges = [badge.text() for badge in visible(card, StatusBadge)]
            if badges:
                marks.setdefault(card.key, []).extend(badges)
    return marks


def visible(parent: QWidget, kind: type[QWidget]) -> list:  # type: ignore[type-arg]  # widgets of the kind
    return [widget for widget in parent.findChildren(kind) if widget.isVisible()]


def all_cards_shown(panel: VersionsPanel) -> bool:
    pages = visible(panel, PagesSideBySide)
    return all(page.is_complete for page in pages) and not any(
        card.isHidden() or not card.isVisible() for card in panel.findChildren(ComparedCard)
    )


def edit(at: OpenTestWindow) -> None:
    """One of each change, on page 1 and besides the layout."""
    study = at.controller.study
    study.apply(SetAttributes("a", {"description": "Why?"}))
    study.apply(MoveItems(("b",), InsertionPoint("cc", 0)))
    study.apply(Remove(("c",)))
    study.apply(Remove(("pe",)))
    study.set_page_name("pd", "Thanks")
    study.set_details(TaskDetails(task_name="Judge", task_introduction="", task_steps=""))


async def test_yesterdays_version_is_compared_restored_and_undone(tmp_path: Path) -> None:
    async with window_with_versions(tmp_path) as (at, _clock):
        study = at.controller.study
        yesterday = study.content
        edit(at)
        changed = study.content
        await save(at)
        panel = await open_panel(at)
        assert panel.table.hasFocus()
        assert rows(panel)[0].startswith("Today, ")
        assert "Saved: 1 page removed, 2 items removed, 1 item moved, 1 item changed" in rows(panel)[0]
        assert "Saved: oldest version" in rows(panel)[1]
        assert not panel.restore_button.isEnabled()
        QTest.keyClick(panel.table, Qt.Key.Key_Down)
        await until(lambda: panel.restore_button.isEnabled())
        assert places(panel) == [
            "Study: changed",
            "Page 1: 1 item removed, 1 item moved, 1 item changed",
            "Page 2, Thanks: renamed",
            "Page 3: removed",
        ]
        press(panel, "Next difference")
        marks = {"a": ["Changed", "Changed"], "b": ["Moved", "Moved"], "c": ["Removed"]}
        await until(lambda: cards(panel) == marks)
        press(panel, "Restore this version")
        assert not panels(at)
        assert study.content == yesterday
        assert study.history.undo_label is not None
        assert study.history.undo_label.startswith("Restore the version of ")
        text = at.window.stage_context(at.tasks).actions.qaction(ActionId.UNDO).text()
        assert text == f"Undo: {study.history.undo_label}"
        saved = [study.is_saved]
        assert [title for title in notices(at) if title.startswith("Restored the version of ")]
        at.window.stage_context(at.tasks).actions.run(ActionId.UNDO)
        assert study.content == changed
        assert not [title for title in notices(at) if title.startswith("Restored the version of ")]
        assert [*saved, study.is_saved] == [False, True]
        at.window.stage_context(at.tasks).actions.run(ActionId.REDO)
        assert study.content == yesterday


async def test_two_versions_are_compared_whichever_is_chosen(tmp_path: Path) -> None:
    async with window_with_versions(tmp_path) as (at, _clock):
        study = at.controller.study
        study.set_name("Dogs")
        await save(at)
        study.set_name("Birds")
        await save(at)
        panel = await open_panel(at)
        assert len(rows(panel)) == 3
        other = panel.comparison.other
        for chosen, with_index, before, after in ((2, 2, "Cats", "Dogs"), (1, 2, "Cats", "Dogs")):
            panel.table.selectRow(chosen)
            other.setCurrentIndex(with_index)
            other.activated.emit(with_index)
            await until(lambda: panel.state.comparison is not None)
            comparison = panel.state.comparison
            assert comparison is not None
            assert (comparison.before.name, comparison.after.name) == (before, after)
        assert panel.state.can_restore
        other.setCurrentIndex(0)
        other.activated.emit(0)
        await until(lambda: panel.state.comparison is not None)
        assert panel.state.comparison is not None
        assert panel.state.comparison.after == study.content


async def test_a_study_without_versions_says_how_to_get_one(at: OpenTestWindow) -> None:
    at.controller.study.open(Project("Cats", sketch("a")), None, is_saved=False)
    panel = await open_panel(at)
    (state,) = visible(panel, EmptyState)
    assert state.accessibleName() == "No versions yet"
    assert panel.close_button.hasFocus()
    assert not panel.restore_button.isVisible()
    QTest.keyClick(panel, Qt.Key.Key_Escape)
    assert not panels(at)


class FailingOnce(VersionStore):
    """Cannot be read at first."""

    has_failed = False

    def versions(self, study_id: str) -> tuple[Version, ...]:
        if not self.has_failed:
            self.has_failed = True
            raise StorageUnavailable("another program locks the file")
        return super().versions(study_id)


async def test_an_error_is_shown_and_can_be_retried(tmp_path: Path) -> None:
    async with window_with_versions(tmp_path) as (at, _clock):
        at.pool.versions = FailingOnce(at.database)
        panel = await open_panel(at)
        (state,) = visible(panel, EmptyState)
        assert "another program locks the file" in state.accessibleName()
        press(panel, "Retry")
        await until(lambda: bool(panel.state.versions))
        assert len(rows(panel)) == 1
        assert panel.table.isVisible()


async def test_a_version_that_was_thinned_out_meanwhile_is_reported(tmp_path: Path) -> None:
    async with window_with_versions(tmp_path) as (at, _clock):
        at.controller.study.set_name("Dogs")
        await save(at)
        panel = await open_panel(at)
        with at.database.write() as connection:
            connection.execute("DELETE FROM version")
        panel.table.selectRow(1)
        await until(lambda: panel.state.comparison_error is not None)
        (state,) = visible(panel.comparison, EmptyState)
        assert "no longer in the history" in state.accessibleName()
        assert not panel.restore_button.isEnabled()
        assert at.failures == []


async def test_a_version_just_created_is_in_the_list(tmp_path: Path) -> None:
    async with window_with_versions(tmp_path) as (at, _clock):
        study = at.controller.study
        study.set_name("Dogs")
        version = NewVersion(study.project.study_id, VersionCause.UPDATED, study.content)
        study.version_created.emit(version)
        panel = await open_panel(at)
        assert "Update sent: name changed" in rows(panel)[0]


async def test_everything_is_reached_by_keys_and_has_a_name(tmp_path: Path) -> None:
    async with window_with_versions(tmp_path) as (at, _clock):
        edit(at)
        panel = await open_panel(at)
        panel.comparison.parts.setCurrentIndex(1)
        await until(lambda: all_cards_shown(panel))
        seen: list[QWidget] = []
        while (focused := QApplication.focusWidget()) is not None and focused not in seen:
            seen.append(focused)
            QTest.keyClick(focused, Qt.Key.Key_Tab)
        assert all(widget.accessibleName() or getattr(widget, "text", str)() for widget in seen)
        assert panel.restore_button in seen
        assert panel.comparison.other in seen
        names = [widget.accessibleName() for widget in seen if isinstance(widget, ComparedCard)]
        assert names == [
            "Changed, Free text: a",
            "Moved, Free text: b",
            "Removed, Free text: c",
            "Changed, Free text: Why?",
            "Moved, Free text: b",
        ]
        descriptions = [widget.accessibleDescription() for widget in seen if isinstance(widget, ComparedCard)]
        assert "Question, before: a, after: Why?" in descriptions[3]
        assert descriptions[1].startswith("Moved to page 1, row 2")


async def test_a_focused_card_is_scrolled_into_view(tmp_path: Path) -> None:
    drawing = " / ".join("abcdefghijklmnop")

    async with window_with_versions(tmp_path, drawing) as (at, _clock):
        at.controller.study.apply(SetAttributes("p", {"description": "Last"}))
        panel = await open_panel(at)
        await until(lambda: all_cards_shown(panel))
        scroll_bar = panel.comparison._scroll.verticalScrollBar()
        await until(lambda: scroll_bar.maximum() > 0)
        (card, _after) = [card for card in visible(panel, ComparedCard) if card.key == "p"]
        card.setFocus()
        assert scroll_bar.value() > 0


async def test_a_long_page_is_built_in_slices_and_limited(tmp_path: Path) -> None:
    async with window_with_versions(tmp_path) as (at, _clock):
        page = at.controller.study.layout.pages[0]
        column = page.children[0].children[0]
        long = column.with_children([item(f"i{number}") for number in range(120)])
        study = at.controller.study
        layout = Layout((page.with_children([page.children[0].with_children([long])]),))
        assert all(isinstance(item, Instruction) for _path, item in layout.walk())
        study.open(Project("Long", layout), None, is_saved=False)
        study.version_created.emit(
            NewVersion(study.project.study_id, VersionCause.SAVED, Project("Old", sketch("a")).content)
        )
        panel = await open_panel(at)
        panel.comparison.parts.setCurrentIndex(1)
        (pages,) = visible(panel, PagesSideBySide)
        assert not pages.is_complete
        await until(lambda: pages.is_complete, 20)
        assert len(pages.findChildren(ComparedCard)) == 101


@pytest.mark.parametrize("text_size", [100, 150])
async def test_texts_that_differ_stand_side_by_side_or_below_each_other(
    tmp_path: Path, text_size: int
) -> None:
    async with window_with_versions(tmp_path) as (at, _clock):
        edit(at)
        theme().set_text_size(text_size)
        try:
            panel = await open_panel(at)
            assert panel.rect().width() <= at.window.width()
            (differences,) = visible(panel, DifferenceList)
            assert differences.width() <= panel.comparison.width()
            assert panel.restore_button.geometry().right() <= panel.rect().right()
        finally:
            theme().set_text_size(100)


@pytest.mark.parametrize("columns", [1, 3])
async def test_a_comparison_does_not_scroll_sideways(tmp_path: Path, columns: int) -> None:
    async with window_with_versions(tmp_path) as (at, _clock):
        at.window.resize(1100, 700)
        theme().set_text_size(150)
        try:
            study = at.controller.study
            parts = [ALL[start : start + columns] for start in range(0, len(ALL), columns)]
            pages: list[Any] = [
                {"rows": [{"columns": [{"items": [item]} for item in part]} for part in parts]}
            ]
            layout = read(pages, random_keys())
            study.restore(replace(study.content, layout=layout), "Layout")
            study.version_created.emit(NewVersion(study.project.study_id, VersionCause.SAVED, study.content))
            for _path, shown in layout.walk():
                study.apply(SetAttributes(shown.key, {"new": "value"}))
            panel = await open_panel(at)
            await until(lambda: all_cards_shown(panel))
            scroll = panel.comparison._scroll
            await until(lambda: scroll.viewport().width() < 900)
            await until(lambda: scroll.horizontalScrollBar().maximum() == 0)
            before, after = visible(panel, PageSheet)
            assert before.mapTo(panel, QPoint()).x() == after.mapTo(panel, QPoint()).x()
            titles = [label.text() for label in visible(panel, Label)]
            assert titles.count("Current study") == 1
            at.window.resize(1800, 800)
            await until(lambda: panel.comparison._after.isVisible())
            await until(lambda: before.mapTo(panel, QPoint()).y() == after.mapTo(panel, QPoint()).y())
            await until(lambda: scroll.horizontalScrollBar().maximum() == 0)
        finally:
            theme().set_text_size(100)
