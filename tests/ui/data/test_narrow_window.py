"""The Data stage in a narrow window: records or schema, shorter texts, nothing cut off."""

import zipfile
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from batchwright.ui.core.operations import OperationState
from batchwright.ui.data.dataset.dataset_controller import DatasetController
from batchwright.ui.data.dataset.dataset_operations import DATASET, AppendOperation
from batchwright.ui.data.file.check_panel import CheckPanel, RejectionsTable
from batchwright.ui.data.file.file_bar import ChoiceButton, FileBar
from batchwright.ui.data.records.records_table import RowsTable
from batchwright.ui.data.schema_panel import SchemaPanel
from batchwright.ui.data.stage import DataStage
from batchwright.ui.data.stage_pages import FilePage
from batchwright.ui.shell.focus_regions import focus_region
from batchwright.ui.shell.window import Window
from batchwright.ui.theme import Theme
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.text import ElidedLabel
from tests.ui.accessibility import unnamed_controls
from tests.ui.conftest import focused, until
from tests.ui.data.conftest import buttons, checked, shown, with_rejections

pytestmark = pytest.mark.gui


@pytest.fixture
async def narrow(stage: DataStage, window: Window, theme: Theme, reviews: Path) -> DataStage:
    """Show the stage in a small window at the largest text size."""
    theme.set_text_size(150)
    window.resize(1024, 700)
    await with_rejections(stage, reviews)
    QApplication.processEvents()
    return stage


def test_records_and_schema_are_shown_one_at_a_time(narrow: DataStage) -> None:
    assert shown(narrow, RowsTable).isVisible()
    assert not shown(narrow, SchemaPanel).isVisible()
    buttons(narrow)["Schema"].click()
    assert not shown(narrow, RowsTable).isVisible()
    assert shown(narrow, SchemaPanel).isVisible()
    assert shown(narrow, SchemaPanel) in narrow.regions()


async def test_no_choice_for_a_table_in_an_archive_is_cut_off(narrow: DataStage, tmp_path: Path) -> None:
    path = tmp_path / "tables.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("data/answers.csv", "a,b\n1,2\n")
        archive.writestr("data/others.csv", "a,b\n1,2\n")
    narrow.state.open_file(path)
    await checked(narrow.state)
    await until(lambda: not narrow.state.is_reading)
    QApplication.processEvents()
    choices = [button for button in shown(narrow, FileBar).findChildren(ChoiceButton) if button.isVisible()]
    assert [button.text() for button in choices] == [
        *("data/answers.csv", "UTF-8", "Comma", "Header in row 1"),
    ]
    assert all(button.width() >= button.sizeHint().width() for button in choices)


def test_every_control_has_a_name_in_a_narrow_window(narrow: DataStage) -> None:
    assert unnamed_controls(narrow) == []


def test_going_to_a_rejection_shows_the_records(narrow: DataStage) -> None:
    buttons(narrow)["Schema"].click()
    narrow.state.rejection_step_requested.emit(1)
    assert shown(narrow, RowsTable).isVisible()
    assert shown(narrow, RowsTable).currentIndex().row() == 3


def test_a_rejection_is_visible_below_the_panel_of_an_append(
    narrow: DataStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    controller = narrow.state.dataset
    source = controller.records_to_append()
    assert source is not None
    append = AppendOperation(
        DATASET,
        "Appending",
        "here",
        state=OperationState.SUCCEEDED,
        connection_title="This computer",
        source=source,
        dataset_id="d",
        rejected=2,
    )
    monkeypatch.setattr(DatasetController, "operation", append)
    controller.operations.changed.emit()
    QApplication.processEvents()
    table = shown(narrow, RejectionsTable)
    assert table.viewport().height() >= table.row_height - 1
    assert shown(narrow, RowsTable).viewport().height() >= shown(narrow, RowsTable).row_height - 6


def test_in_a_wider_window_records_and_schema_are_shown(narrow: DataStage, window: Window) -> None:
    window.resize(1800, 900)
    QApplication.processEvents()
    assert shown(narrow, RowsTable).isVisible()
    assert shown(narrow, SchemaPanel).isVisible()


def test_in_a_very_low_window_a_record_is_visible_and_the_check_gives_way(narrow: DataStage) -> None:
    page = shown(narrow, FilePage)
    page.resize(page.width(), page.height() // 3)
    QApplication.processEvents()
    table, check = shown(narrow, RowsTable), shown(narrow, CheckPanel)
    assert not check.isVisible()
    assert table.viewport().height() >= table.row_height - 6
    page.resize(page.width(), 3 * page.height())
    QApplication.processEvents()
    assert check.isVisible()


@pytest.mark.parametrize("part", [FileBar, CheckPanel])
def test_no_button_is_cut_off(narrow: DataStage, part: type[FileBar] | type[CheckPanel]) -> None:
    for button in shown(narrow, part).findChildren(Button):
        if button.isVisible():
            assert button.width() >= button.sizeHint().width(), button.text()


def test_the_record_count_is_hidden_before_the_file_name_is_elided(narrow: DataStage) -> None:
    bar = shown(narrow, FileBar)
    (name,) = bar.findChildren(ElidedLabel)
    for width in range(bar.minimumSizeHint().width(), 1400, 20):
        bar.resize(width, bar.height())
        QApplication.processEvents()
        is_fully_shown = name.width() >= name.fontMetrics().horizontalAdvance(name.text())
        assert is_fully_shown or not bar._facts.isVisible()


def test_focusing_the_stage_by_key_focuses_the_records(narrow: DataStage) -> None:
    assert focus_region(narrow)
    assert focused() is shown(narrow, RowsTable)
    assert shown(narrow, RowsTable).selectionModel().hasSelection()
    buttons(narrow)["Schema"].click()
    assert focus_region(narrow)
    assert focused() is not shown(narrow, RowsTable)
