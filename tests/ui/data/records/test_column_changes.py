"""Columns are changed beside the data file: by the menu of a heading, with a preview, and as undo steps."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit, QListWidget, QMenu, QTableView

from batchwright.data_files.conversion.column_edits import (
    ColumnEdit,
    FillColumn,
    JoinColumns,
    LeaveOutColumn,
    ReadColumn,
    RenameColumn,
    SplitColumn,
    ValueType,
)
from batchwright.layout.serialization import random_keys, read, write
from batchwright.schema.model import FieldType
from batchwright.ui.data.records.column_dialogs import (
    ColumnDialog,
    FillColumnDialog,
    JoinColumnsDialog,
    ReadColumnDialog,
    RenameColumnDialog,
    SplitColumnDialog,
)
from batchwright.ui.data.records.records_table import RowsTable
from batchwright.ui.data.stage import DataStage
from batchwright.ui.data.stage_pages import FilePage
from batchwright.ui.widgets.fields import InputField
from batchwright.ui.widgets.text import Label
from tests.ui.conftest import until
from tests.ui.data.conftest import opened, shown, wait_for_dialog

D = TypeVar("D", bound=ColumnDialog)
PAGE = [{"rows": [{"columns": [{"items": [{"type": "dataset_field", "field": "prompt"}]}]}]}]


def choose(table: RowsTable, column: int, text: str) -> None:
    """Choose an entry of the menu of a heading."""
    head = table.horizontalHeader()
    at = head.sectionViewportPosition(column) + 20
    head.customContextMenuRequested.emit(head.rect().center().__class__(at, head.height() // 2))
    menus = [menu for menu in table.findChildren(QMenu) if menu.title() == "Change the column"]
    (entry,) = [action for action in menus[-1].actions() if action.text() == text]
    entry.trigger()
    for menu in table.findChildren(QMenu):
        menu.close()


def columns(stage: DataStage) -> list[str]:
    """The headings of the records."""
    model = shown(stage, RowsTable).model()
    return [
        str(model.headerData(number, Qt.Orientation.Horizontal)) for number in range(1, model.columnCount())
    ]


async def until_columns(stage: DataStage, *names: str) -> None:
    """Wait until the records have these columns and are read."""
    await until(lambda: columns(stage) == list(names) and not stage.state.is_reading, 20)


def type_into(dialog: ColumnDialog, label: str, text: str) -> None:
    """Replace the text of a field."""
    (line,) = [line for line in dialog.findChildren(QLineEdit) if line.accessibleName() == label]
    line.clear()
    QTest.keyClicks(line, text)


def preview(dialog: ColumnDialog) -> list[list[str]]:
    """The headings and the rows of the preview."""
    (table,) = dialog.findChildren(QTableView)
    model = table.model()
    across, down = range(model.columnCount()), range(model.rowCount())
    headings = [str(model.headerData(column, Qt.Orientation.Horizontal)) for column in across]
    return [headings, *([str(model.index(row, column).data()) for column in across] for row in down)]


def problems(dialog: ColumnDialog) -> list[str]:
    """The texts below the fields."""
    fields = dialog.findChildren(InputField)
    return [label.text() for field in fields for label in field.findChildren(Label) if label.isVisible()]


async def asked(stage: DataStage, column: int, entry: str, kind: type[D]) -> D:
    """The dialog of an entry in the menu of a heading."""
    choose(shown(stage, RowsTable), column, entry)
    return await wait_for_dialog(stage, kind)


def edits_of(stage: DataStage) -> Sequence[object]:
    data = stage.state.study.data
    assert data is not None
    return data.changes.edits


async def test_a_column_is_renamed_items_follow_and_all_of_it_is_one_undo_step(
    stage: DataStage, reviews: Path
) -> None:
    before = reviews.read_bytes()
    await opened(stage, reviews)
    study = stage.state.study
    study.restore(replace(study.content, layout=read(PAGE, random_keys())), "Restore")
    dialog = await asked(stage, 1, "Rename…", RenameColumnDialog)
    assert not dialog.accept_button.isEnabled()
    type_into(dialog, "New name", "topic")
    assert "There is a column “topic” already." in problems(dialog)
    type_into(dialog, "New name", "question")
    assert preview(dialog)[:2] == [
        ["prompt", "question"],
        ["Which cat is number 0?", "Which cat is number 0?"],
    ]
    dialog.accept()
    await until_columns(stage, "question", "picture", "topic")
    assert edits_of(stage) == (RenameColumn("prompt", "question"),)
    assert study.schema is not None
    assert list(study.schema.fields) == ["question", "picture", "topic"]
    assert str(write(study.layout)).count("'question'") == 1
    heading = shown(stage, RowsTable).model().headerData(1, Qt.Orientation.Horizontal, 3)
    assert "Rename “prompt” to “question”" in str(heading)
    menu = shown(stage, FilePage).records_bar.changes.menu()
    assert menu.actions()[-1].text() == "Rename “prompt” to “question”"
    assert reviews.read_bytes() == before
    assert study.undo_label == "Rename column"
    study.undo()
    await until_columns(stage, "prompt", "picture", "topic")
    assert list(study.schema.fields) == ["prompt", "picture", "topic"]
    assert "'question'" not in str(write(study.layout))
    assert not edits_of(stage)


async def test_a_column_is_left_out_and_is_no_field_any_more(stage: DataStage, reviews: Path) -> None:
    await opened(stage, reviews)
    choose(shown(stage, RowsTable), 3, "Leave out")
    await until_columns(stage, "prompt", "picture")
    schema = stage.state.study.schema
    assert schema is not None
    assert list(schema.fields) == ["prompt", "picture"]
    assert edits_of(stage) == (LeaveOutColumn("topic"),)


async def test_values_are_read_in_another_type_which_the_preview_shows(
    stage: DataStage, tmp_path: Path
) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("prompt,score\nWhy?,007\nWho?,none\n")
    await opened(stage, path)
    dialog = await asked(stage, 2, "Read in another type…", ReadColumnDialog)
    assert preview(dialog) == [["score, before", "score"], ["007", "7"], ["none", "none"]]
    (types,) = dialog.findChildren(QComboBox)
    types.setCurrentIndex(2)
    assert preview(dialog)[1:] == [["007", "007"], ["none", "none"]]
    types.setCurrentIndex(0)
    dialog.accept()
    await until(lambda: bool(edits_of(stage)) and not stage.state.is_reading, 20)
    assert edits_of(stage) == (ReadColumn("score", ValueType.NUMBER),)
    summary = stage.state.file.summary
    assert summary is not None
    assert summary.notes == ("“Read “score” as numbers”: 1 value cannot be read so, and stays as it is.",)


async def test_a_column_is_split_joined_and_filled_and_new_fields_get_fitting_types(
    stage: DataStage, tmp_path: Path
) -> None:
    path = tmp_path / "pictures.csv"
    path.write_text("name;model\ncat, small.png;m1\ndog, large.png;m2\n")
    await opened(stage, path)
    state = stage.state
    split = await asked(stage, 1, "Split…", SplitColumnDialog)
    assert preview(split)[:2] == [["name", "name_1", "name_2"], ["cat, small.png", "cat", "small.png"]]
    type_into(split, "Names of the new columns", "animal, file")
    split.accept()
    await until_columns(stage, "name", "animal", "file", "model")
    join = await asked(stage, 2, "Join with other columns…", JoinColumnsDialog)
    assert not join.accept_button.isEnabled()
    (listed,) = join.findChildren(QListWidget)
    listed.item(3).setCheckState(Qt.CheckState.Checked)
    type_into(join, "Text between the values", " by ")
    type_into(join, "Name of the new column", "title")
    assert preview(join)[:2] == [["animal", "model", "title"], ["cat", "m1", "cat by m1"]]
    join.accept()
    await until_columns(stage, "name", "animal", "file", "model", "title")
    fill = await asked(stage, 1, "Add a column…", FillColumnDialog)
    type_into(fill, "Name of the new column", "picture")
    type_into(fill, "Text", "https://example.org/{fil}")
    assert "There is no column “fil”, which the text names in braces." in problems(fill)
    type_into(fill, "Text", "https://example.org/{file}")
    assert preview(fill)[0] == ["file", "picture"]
    assert preview(fill)[1] == ["small.png", "https://example.org/small.png"]
    fill.accept()
    await until_columns(stage, "name", "animal", "file", "model", "title", "picture")
    schema = state.study.schema
    assert schema is not None
    types = {name: field.type for name, field in schema.fields.items()}
    assert types["animal"] is FieldType.TEXT
    assert types["picture"] is FieldType.IMAGE_URL
    assert types["title"] is FieldType.METADATA  # it contains the model, which participants must not see
    assert edits_of(stage) == (
        SplitColumn("name", ",", ("animal", "file")),
        JoinColumns(("animal", "model"), " by ", "title"),
        FillColumn("picture", "https://example.org/{file}"),
    )
    assert state.validation.report is not None
    assert state.validation.report.accepted == 2


@pytest.mark.parametrize(
    "edit",
    [
        RenameColumn("prompt", "question"),
        LeaveOutColumn("prompt"),
        SplitColumn("prompt", " ", ("a", "b")),
        FillColumn("prompt", "{prompt}!"),
    ],
)
async def test_a_change_of_a_column_that_a_newer_file_does_not_have_is_listed(
    stage: DataStage, reviews: Path, edit: ColumnEdit
) -> None:
    await opened(stage, reviews)
    stage.state.add_edit(edit)
    await until(lambda: bool(edits_of(stage)) and not stage.state.is_reading, 20)
    reviews.write_text(reviews.read_text().replace("prompt,", "text,"))
    stage.state.reload_if_changed()
    await until_columns(stage, "text", "picture", "topic")
    summary = stage.state.file.summary
    assert summary is not None
    assert "There is no column “prompt”" in summary.notes[0]
