"""The list of the batches of a workspace: empty, short and long; search, order, count and selection."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton

from batchwright.ui.run.batch_list import BatchList, SortOrder
from batchwright.ui.run.stage import RunStage
from batchwright.ui.theme import Theme
from batchwright.ui.widgets.rows.row_list import RowList
from batchwright.wire.batches import Batch, BatchCreate
from tests.api.studies import DETAILS, LAYOUT
from tests.ui.run.conftest import find_in_window, press, ready, settled

pytestmark = pytest.mark.gui


NOW = datetime(2026, 11, 21, 8, tzinfo=UTC)
STATES = ("READY", "PROCESSING", "ERROR", "UNINITIALISED")


def batch(number: int) -> Batch:
    return Batch(
        id=f"b{number}",
        status=STATES[number % 4],
        name=f"Study {number:03}",
        created_at=NOW - timedelta(hours=number),
        total_task_count=number,
    )


@pytest.fixture
def shown() -> Iterator[BatchList]:
    batches = BatchList()
    batches.resize(300, 500)
    batches.show()
    yield batches
    batches.deleteLater()


def view(shown: BatchList) -> RowList[Batch]:
    (found,) = shown.findChildren(RowList)
    return found


def names(shown: BatchList) -> list[str]:
    """The names in the list, from the top."""
    return [batch.name for batch in view(shown).entries]


def has_label(shown: BatchList, text: str) -> bool:
    """Whether a visible label has this text."""
    return any(line.text() == text and line.isVisible() for line in shown.findChildren(QLabel))


def search(shown: BatchList, text: str) -> None:
    (field,) = shown.findChildren(QLineEdit)
    field.setText(text)


def sort(shown: BatchList, order: SortOrder) -> None:
    (button,) = (
        button for button in shown.findChildren(QPushButton) if button.accessibleName() == "Sort batches"
    )
    entry: QAction = next(action for action in button.menu().actions() if action.data() is order)
    assert entry.actionGroup() is not None
    entry.trigger()


def test_an_empty_list_is_reported_only_after_loading(shown: BatchList) -> None:
    shown.show_resources((), "", "", is_loading=True)
    assert not has_label(shown, "No batches yet")
    shown.show_resources((), "", "", is_loading=False)
    assert has_label(shown, "No batches yet")


def test_a_single_batch_is_listed(shown: BatchList) -> None:
    shown.show_resources((batch(1),), "b1", "b1", is_loading=False)
    assert names(shown) == ["Study 001"]
    assert has_label(shown, "1 batch")


def test_rows_are_not_wider_than_the_list_with_large_text(theme: Theme, shown: BatchList) -> None:
    theme.set_text_size(150)
    shown.show_resources((batch(0),), "b0", "b0", is_loading=False)
    shown.resize(240, 500)
    QApplication.processEvents()
    assert not view(shown).horizontalScrollBar().isVisible()


def test_five_hundred_batches_are_listed_searched_and_counted(shown: BatchList) -> None:
    messages: list[str] = []
    shown.chosen.connect(messages.append)
    shown.show_resources(tuple(map(batch, range(500))), "b7", "b7", is_loading=False)
    assert names(shown)[:3] == ["Study 007", "Study 000", "Study 001"]
    assert has_label(shown, "500 batches")
    search(shown, "study 49")
    assert len(names(shown)) == 10
    assert has_label(shown, "10 of 500 batches")
    search(shown, "nothing like this")
    assert has_label(shown, "No batch has this name")
    assert has_label(shown, "0 of 500 batches")
    search(shown, "")
    current = view(shown).current_entry
    assert current is not None
    assert current.name == "Study 007"
    assert messages == []


def test_no_other_batch_is_selected_while_the_search_hides_the_chosen_one(shown: BatchList) -> None:
    shown.show_resources(tuple(map(batch, range(8))), "b3", "", is_loading=False)
    assert [index.row() for index in view(shown).selectedIndexes()] == [3]
    search(shown, "study 005")
    assert view(shown).selectedIndexes() == []
    search(shown, "")
    assert [index.row() for index in view(shown).selectedIndexes()] == [3]


@pytest.mark.parametrize(
    ("order", "numbers"),
    [
        (SortOrder.NEWEST, [2, 0, 1, 3]),
        (SortOrder.NAME, [2, 0, 1, 3]),
        (SortOrder.STATUS, [2, 1, 3, 0]),
        (SortOrder.TASKS, [2, 3, 1, 0]),
    ],
)
def test_the_batch_of_the_study_comes_first_in_every_order(
    shown: BatchList, order: SortOrder, numbers: list[int]
) -> None:
    shown.show_resources((*map(batch, range(8)),), "", "b2", is_loading=False)
    sort(shown, order)
    listed = [name for name in names(shown) if name < "Study 004"]
    assert listed == [f"Study {number:03}" for number in numbers]


def test_the_order_chosen_in_the_menu_applies_to_new_batches(shown: BatchList) -> None:
    every = tuple(map(batch, range(8)))
    shown.show_resources(every, "", "", is_loading=False)
    sort(shown, SortOrder.TASKS)
    assert names(shown)[0] == "Study 007"
    shown.show_resources((*every, batch(9)), "", "", is_loading=False)
    assert names(shown)[0] == "Study 009"


async def test_another_batch_can_be_opened_as_a_study(stage: RunStage) -> None:
    await ready(stage)
    state = stage.state
    context = await state.session.context()
    remote = state.remote
    other = await context.service.batches.create(
        BatchCreate(
            name="Another study",
            workspace_id=context.workspace_id,
            task_details=DETAILS,
            dataset_id=remote.dataset_id,
            batch_items=LAYOUT,
        )
    )
    state.remote_list.refresh()
    await settled(stage)
    (button,) = (button for button in stage.findChildren(QPushButton) if button.text() == "Open as a study")
    assert not button.isVisible()
    find_in_window(stage, BatchList).chosen.emit(other.id)
    press(stage, "Open as a study")
    await settled(stage)
    assert state.study.project.name == "Another study"
    assert not button.isVisible()
    assert state.remote.batch_id == other.id
    assert state.is_as_sent
