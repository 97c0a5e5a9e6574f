"""A field is renamed in the schema, or its column in the file, and the items that show it follow."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLineEdit

from batchwright.layout.serialization import random_keys, read
from batchwright.ui.data.file.data_file_dialogs import RenameDialog
from batchwright.ui.data.renamed_columns import UpdateReferencesDialog
from batchwright.ui.data.schema.schema_commands import LabelDialog, RenameFieldDialog
from batchwright.ui.data.schema_panel import FieldButton
from batchwright.ui.data.stage import DataStage
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.text import Label
from tests.ui.conftest import until
from tests.ui.data.conftest import answer, buttons, opened, wait_for_dialog
from tests.ui.window_fixtures import press

pytestmark = pytest.mark.gui


@pytest.fixture
def duplicate_columns(tmp_path: Path) -> Path:
    """A file with two columns of the same name."""
    path = tmp_path / "notes.csv"
    path.write_text("topic,note,note\ncats,one,two\n", encoding="utf-8")
    return path


def show_fields(stage: DataStage, *pages: str) -> None:
    """Let the pages of the study show these fields."""
    study = stage.state.study
    items: list[Any] = [
        {
            "rows": [
                {"columns": [{"items": [{"type": "dataset_field", "field": name} for name in page.split()]}]}
            ]
        }
        for page in pages
    ]
    content = replace(study.content, layout=read(items, random_keys()))
    study.restore(content, "Layout")


def fields(stage: DataStage) -> list[str]:
    return [item.text("field") for _path, item in stage.state.study.layout.walk()]


async def open_rename_dialog(stage: DataStage, name: str) -> RenameFieldDialog:
    """Click the field in the schema, then Rename."""
    await until(lambda: any(button.text() == name for button in stage.findChildren(FieldButton)))
    (button,) = [button for button in stage.findChildren(FieldButton) if button.text() == name]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    dialog = await wait_for_dialog(stage, LabelDialog)
    (rename,) = [button for button in dialog.findChildren(Button) if button.text() == "Rename field…"]
    QTest.mouseClick(rename, Qt.MouseButton.LeftButton)
    return await wait_for_dialog(stage, RenameFieldDialog)


def type_name(dialog: RenameFieldDialog, name: str) -> None:
    field = dialog.findChild(QLineEdit)
    assert field is not None
    field.selectAll()
    QTest.keyClicks(field, name)


def messages(dialog: RenameFieldDialog) -> str:
    return " ".join(label.text() for label in dialog.findChildren(Label))


async def test_a_renamed_field_takes_its_items_along_as_one_step(stage: DataStage, reviews: Path) -> None:
    await opened(stage, reviews)
    show_fields(stage, "prompt picture", "prompt")
    study = stage.state.study
    before, steps = study.content, len(study.history.past)
    dialog = await open_rename_dialog(stage, "prompt")
    assert not dialog.accept_button.isEnabled()
    box = dialog.findChild(QCheckBox)
    assert box is not None
    assert box.text() == "2 items show this field. Update them"
    assert box.isChecked()
    type_name(dialog, "question")
    assert "The file still has the column “prompt”" in messages(dialog)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    await until(lambda: fields(stage) == ["question", "picture", "question"])
    assert study.schema is not None
    assert next(iter(study.schema.fields)) == "question"
    assert study.schema.fields["question"].label == "Prompt"
    assert len(study.history.past) == steps + 1
    assert study.history.undo_label == "Rename field"
    study.undo()
    assert study.content == before


async def test_the_items_can_be_left_as_they_are(stage: DataStage, reviews: Path) -> None:
    await opened(stage, reviews)
    show_fields(stage, "prompt")
    dialog = await open_rename_dialog(stage, "prompt")
    box = dialog.findChild(QCheckBox)
    assert box is not None
    assert box.text() == "1 item shows this field. Update it"
    QTest.keyClick(box, Qt.Key.Key_Space)
    type_name(dialog, "question")
    QTest.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    schema = stage.state.study.schema
    await until(lambda: stage.state.study.schema is not schema)
    assert fields(stage) == ["prompt"]


async def test_a_field_that_no_item_shows_is_renamed_without_a_question(
    stage: DataStage, reviews: Path
) -> None:
    await opened(stage, reviews)
    dialog = await open_rename_dialog(stage, "topic")
    assert dialog.findChild(QCheckBox) is None
    for name, reason in (("prompt", "already has a field"), ("x" * 129, "128 are allowed")):
        type_name(dialog, name)
        assert reason in messages(dialog)
        assert not dialog.accept_button.isEnabled()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    await until(lambda: stage.window().findChild(RenameFieldDialog) is None)


async def test_a_column_that_was_renamed_in_the_file_is_offered_to_the_items(
    stage: DataStage, reviews: Path, tmp_path: Path
) -> None:
    renamed = tmp_path / "renamed.csv"
    renamed.write_text(reviews.read_text().replace("prompt,", "Prompts,", 1))

    await opened(stage, reviews)
    show_fields(stage, "prompt picture", "prompt")
    await opened(stage, renamed)
    study = stage.state.study
    await until(lambda: any("no longer has" in card.notice.title for card in cards(stage)))
    (card,) = [card for card in cards(stage) if "no longer has" in card.notice.title]
    assert card.notice.title == "2 items show fields that the file no longer has"
    assert "“prompt” seems to be “Prompts” now" in card.notice.text
    steps = len(study.history.past)
    press(stage.window(), "Update…")
    dialog = await wait_for_dialog(stage, UpdateReferencesDialog)
    (box,) = dialog.findChildren(QCheckBox)
    assert box.text() == "“prompt” is now “Prompts” (2 items)"
    box.click()
    assert not dialog.accept_button.isEnabled()
    box.click()
    QTest.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    await until(lambda: fields(stage) == ["Prompts", "picture", "Prompts"])
    assert len(study.history.past) == steps + 1
    study.undo()
    assert fields(stage) == ["prompt", "picture", "prompt"]


def cards(stage: DataStage) -> list[Any]:
    return list(stage.window().notices.cards)  # type: ignore[attr-defined]


async def test_nothing_is_offered_if_no_item_shows_the_field(
    stage: DataStage, reviews: Path, tmp_path: Path
) -> None:
    renamed = tmp_path / "renamed.csv"
    renamed.write_text(reviews.read_text().replace("prompt,", "Prompts,", 1))

    await opened(stage, reviews)
    show_fields(stage, "picture")
    await opened(stage, renamed)
    schema = stage.state.study.schema
    assert schema is not None
    assert "Prompts" in schema.fields
    assert not [card for card in cards(stage) if "no longer has" in card.notice.title]


async def test_items_that_show_a_renamed_column_are_updated_after_asking(
    stage: DataStage, duplicate_columns: Path
) -> None:
    target = duplicate_columns.with_name("copy.csv")

    await opened(stage, duplicate_columns)
    show_fields(stage, "topic note", "note")
    buttons(stage)["Rename columns…"].click()
    dialog = await wait_for_dialog(stage, RenameDialog)
    for edit, name in zip(dialog.findChildren(QLineEdit), ("remark", "reply"), strict=True):
        edit.setText(name)
    dialog.accept_button.click()
    await answer(stage, target)
    update = await wait_for_dialog(stage, UpdateReferencesDialog)
    (box,) = update.findChildren(QCheckBox)
    assert box.text() == "“note” is now “remark” (2 items)"
    QTest.mouseClick(update.accept_button, Qt.MouseButton.LeftButton)
    await until(lambda: fields(stage) == ["topic", "remark", "remark"])
    assert stage.state.study.history.undo_label == "Rename field"
    await until(lambda: stage.state.file.path == target and not stage.state.is_reading, 20)


async def test_nothing_is_asked_if_no_item_shows_a_renamed_column(
    stage: DataStage, duplicate_columns: Path
) -> None:
    target = duplicate_columns.with_name("copy.csv")

    await opened(stage, duplicate_columns)
    show_fields(stage, "topic note")
    buttons(stage)["Rename columns…"].click()
    (await wait_for_dialog(stage, RenameDialog)).accept_button.click()
    await answer(stage, target)
    await until(lambda: "data rename_columns" not in stage.context.window.tasks.running, 20)
    assert not stage.window().findChildren(UpdateReferencesDialog)
    assert fields(stage) == ["topic", "note"]
    await until(lambda: stage.state.file.path == target and not stage.state.is_reading, 20)
