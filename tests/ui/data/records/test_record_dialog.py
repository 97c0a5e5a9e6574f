"""A record in full: formatted, with the records beside it, and with what its addresses lead to."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from batchwright.data_files.views.record_query import ConditionKind, RecordCondition, RecordQuery
from batchwright.schema.model import FieldType
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.web_images import WebImages
from batchwright.ui.core.web_media import ImageView
from batchwright.ui.data.records.record_dialog import RecordDialog
from batchwright.ui.data.records.records_table import RowsTable
from batchwright.ui.data.stage import DataStage
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.fields import TextArea
from batchwright.ui.widgets.rich_text_view import RichTextView
from batchwright.ui.widgets.toggles import SegmentedControl
from tests.fakes.image_server import ImageServer
from tests.ui.accessibility import unnamed_controls
from tests.ui.conftest import until
from tests.ui.core.test_web_images import encoded
from tests.ui.data.conftest import opened, shown, wait_for_dialog
from tests.ui.image_fixtures import web_images


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ImageServer]:
    with ImageServer(tmp_path) as server:
        yield server


@pytest.fixture
def images(server: ImageServer, tasks: Tasks) -> WebImages:
    return web_images(server, tasks)


def values(dialog: RecordDialog) -> list[str]:
    return [area.toPlainText() for area in dialog.findChildren(TextArea)]


async def dialog_of(stage: DataStage, row: int) -> RecordDialog:
    """The dialog with the record in a row, opened with Enter."""
    table = shown(stage, RowsTable)
    table.go_to(row, "prompt")
    QTest.keyClick(table, Qt.Key.Key_Return)
    return await wait_for_dialog(stage, RecordDialog)


async def test_the_keys_lead_to_the_records_beside_it_as_the_table_shows_them(
    stage: DataStage, reviews: Path
) -> None:
    await opened(stage, reviews)
    table = shown(stage, RowsTable)
    table.query_requested.emit(RecordQuery((RecordCondition(ConditionKind.EQUAL, 2, "cats"),)))
    await until(lambda: table.model().rowCount() == 50, 20)
    dialog = await dialog_of(stage, 0)
    await until(lambda: values(dialog)[:1] == ["Which cat is number 0?"])
    buttons = {button.accessibleName(): button for button in dialog.findChildren(Button)}
    assert not buttons["Previous record"].isEnabled()
    QTest.keyClick(dialog, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    await until(lambda: values(dialog)[:1] == ["Which cat is number 2?"])
    assert table.currentIndex().row() == 1
    buttons["Previous record"].click()
    await until(lambda: values(dialog)[:1] == ["Which cat is number 0?"])
    assert unnamed_controls(dialog) == []
    dialog.accept()
    await until(lambda: not stage.window().findChildren(RecordDialog))


async def test_values_are_formatted_on_request_and_the_next_time(stage: DataStage, tmp_path: Path) -> None:
    path = tmp_path / "texts.csv"
    path.write_text('prompt,other\n"# Title\n\nIs *this* true? <script>alert(1)</script>",b\n')
    await opened(stage, path)
    dialog = await dialog_of(stage, 0)
    await until(lambda: len(values(dialog)) == 2)
    (form,) = dialog.findChildren(SegmentedControl)
    form.choose("markdown")
    await until(lambda: len(dialog.findChildren(RichTextView)) == 2)
    assert [view.toPlainText().split() for view in dialog.findChildren(RichTextView)] == [
        ["Title", "Is", "this", "true?"],
        ["b"],
    ]
    dialog.accept()
    await until(lambda: not stage.window().findChildren(RecordDialog))
    dialog = await dialog_of(stage, 0)
    await until(lambda: len(dialog.findChildren(RichTextView)) == 2)
    dialog.accept()
    await until(lambda: not stage.window().findChildren(RecordDialog))


async def test_a_picture_is_requested_when_the_user_asks_for_it_and_not_before(
    stage: DataStage, server: ImageServer, tmp_path: Path
) -> None:
    address = server.serve("/cat.png", encoded("png", 30, 20))
    path = tmp_path / "pictures.csv"
    path.write_text(f"prompt,picture,page\nWhy?,{address},https://example.org\n")
    await opened(stage, path)
    stage.state.schema.set_type("picture", FieldType.IMAGE_URL)
    dialog = await dialog_of(stage, 0)
    await until(lambda: len(values(dialog)) == 3)
    buttons = {button.accessibleName(): button for button in dialog.findChildren(Button)}
    assert "Open page in browser" in buttons
    assert server.paths == []
    buttons["Show the picture of picture"].click()
    await until(lambda: bool(dialog.findChildren(ImageView)))
    (view,) = dialog.findChildren(ImageView)
    await until(lambda: not view.image.picture.isNull(), 20)
    assert server.paths == ["/cat.png"]
    dialog.accept()
    await until(lambda: not stage.window().findChildren(RecordDialog))


async def test_of_a_record_with_very_many_values_the_first_are_shown(
    stage: DataStage, tmp_path: Path
) -> None:
    path = tmp_path / "wide.csv"
    names = ["prompt", *(f"c{number}" for number in range(400))]
    path.write_text(",".join(names) + "\n" + ",".join("x" for _name in names) + "\n")
    await opened(stage, path)
    dialog = await dialog_of(stage, 0)
    note = "The first 100 of 401 values are shown."
    await until(lambda: any(label.text() == note for label in dialog.findChildren(QLabel)), 20)
    assert len(values(dialog)) == 100
    dialog.accept()
    await until(lambda: not stage.window().findChildren(RecordDialog))


async def test_a_text_from_right_to_left_begins_at_the_right(stage: DataStage, tmp_path: Path) -> None:
    path = tmp_path / "texts.csv"
    path.write_text("prompt,other\nما هو هذا؟,What is this?\n", encoding="utf-8")
    await opened(stage, path)
    dialog = await dialog_of(stage, 0)
    await until(lambda: len(values(dialog)) == 2)
    arabic, english = dialog.findChildren(TextArea)

    def left(area: TextArea) -> float:
        return area.document().firstBlock().layout().lineAt(0).naturalTextRect().x()

    await until(lambda: left(arabic) > arabic.width() / 2)
    assert left(english) < 10
    dialog.accept()
    await until(lambda: not stage.window().findChildren(RecordDialog))
