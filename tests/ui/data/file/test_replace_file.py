"""Replacing the data file, and renaming duplicate columns."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit

from batchwright.data_files.conversion.column_edits import RenameColumn
from batchwright.data_files.conversion.edit_list import ReplacementEdit
from batchwright.local.projects import Project, project_content
from batchwright.local.study_files.project_parser import read_project
from batchwright.schema.model import FieldType
from batchwright.ui.data.file import data_file_commands as file_commands
from batchwright.ui.data.file.data_file import FileState
from batchwright.ui.data.file.data_file_dialogs import RenameDialog
from batchwright.ui.data.file.replace_file import ReplaceDialog
from batchwright.ui.data.next_step import next_step
from batchwright.ui.data.records.records_table import RowsTable
from batchwright.ui.data.stage import DataStage
from batchwright.ui.data.stage_pages import ExcludedColumnsBanner, NoFilePage, NotOpenedBanner
from batchwright.ui.data.state import DataState
from batchwright.ui.shell.focus_regions import focus_region
from batchwright.ui.study.study_model import Study
from batchwright.ui.widgets.notices import NoticeCard
from tests.ui.conftest import until
from tests.ui.data.conftest import answer, buttons, checked, drop, opened, shown, wait_for_dialog

pytestmark = pytest.mark.gui


@pytest.fixture
def file_with_duplicate_columns(tmp_path: Path) -> Path:
    """Write a file with two columns of the same name."""
    path = tmp_path / "file_with_duplicate_columns.csv"
    path.write_text("topic,note,note\ncats,one,two\ndogs,three,four\n")
    return path


@pytest.fixture
def file_without_a_column(tmp_path: Path) -> Path:
    """Write a file without one of the columns of the reviews."""
    path = tmp_path / "other.csv"
    path.write_text("prompt,topic\nWhy?,cats\n")
    return path


def correct(file_with_duplicate_columns: Path) -> None:
    """Give each column a unique name, as another program would."""
    file_with_duplicate_columns.write_text("topic,note,reply\ncats,one,two\ndogs,three,four\n")


def visible_notices(stage: DataStage, title: str) -> list[NoticeCard]:
    """The visible notices with this title."""
    return [card for card in stage.window().findChildren(NoticeCard) if title in card.notice.title]


async def test_an_unreadable_file_is_reported_and_the_current_one_stays(
    stage: DataStage, reviews: Path, tmp_path: Path
) -> None:
    binary_file = tmp_path / "binary_file.csv"
    binary_file.write_bytes(b"\x00\x01\x02\n")

    await opened(stage, reviews)
    schema = stage.state.study.schema
    drop(stage, binary_file)
    line = shown(stage, NotOpenedBanner)
    await until(line.isVisible)
    assert line.accessibleName().count("“binary_file.csv”") == 1
    assert "“reviews.csv” stays open." in line.accessibleName()
    assert (stage.state.file.state, stage.state.file.path) == (FileState.SHOWN, reviews)
    assert stage.state.study.schema == schema
    assert "Upload 100 records" in buttons(stage)
    line.close_requested.emit()
    assert not line.isVisible()


async def test_a_file_is_replaced_only_after_confirmation(
    stage: DataStage, reviews: Path, file_without_a_column: Path
) -> None:
    await opened(stage, reviews)
    schema = stage.state.study.schema
    drop(stage, file_without_a_column)
    dialog = await wait_for_dialog(stage, ReplaceDialog)
    assert dialog.accessibleName() == "Replace “reviews.csv” with “other.csv”?"
    assert QApplication.focusWidget() is dialog.cancel_button
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    await until(lambda: not stage.window().findChildren(ReplaceDialog))
    assert (stage.state.file.path, stage.state.study.schema) == (reviews, schema)


async def test_the_records_get_the_focus_when_they_are_read(stage: DataStage, reviews: Path) -> None:
    stage.state.open_file(reviews)
    assert stage.state.file.state is FileState.READING
    focus_region(stage)
    await checked(stage.state)
    assert stage.window().focusWidget() is shown(stage, RowsTable)


@pytest.mark.parametrize("is_active", [True, False])
async def test_the_records_of_the_new_file_get_the_focus(
    stage: DataStage, reviews: Path, file_without_a_column: Path, is_active: bool
) -> None:
    await opened(stage, reviews)
    focus_region(stage)
    if not is_active:  # the file manager that the file is dragged from
        elsewhere = QLineEdit()
        elsewhere.show()
        elsewhere.activateWindow()
        await until(elsewhere.isActiveWindow)
    drop(stage, file_without_a_column)
    (await wait_for_dialog(stage, ReplaceDialog)).accept_button.click()
    await until(lambda: stage.state.file.path == file_without_a_column)
    await checked(stage.state)
    assert stage.window().focusWidget() is shown(stage, RowsTable)


async def test_undoing_a_replacement_restores_file_and_schema(
    stage: DataStage, reviews: Path, file_without_a_column: Path
) -> None:
    await opened(stage, reviews)
    stage.state.schema.set_type("prompt", FieldType.METADATA)
    schema = stage.state.study.schema
    drop(stage, file_without_a_column)
    (await wait_for_dialog(stage, ReplaceDialog)).accept_button.click()
    await until(lambda: stage.state.file.path == file_without_a_column)
    await checked(stage.state)
    assert stage.state.study.schema is not None
    assert list(stage.state.study.schema.fields) == ["prompt", "topic"]
    await until(lambda: bool(visible_notices(stage, "“other.csv” replaced “reviews.csv”")))
    (card,) = visible_notices(stage, "“other.csv” replaced “reviews.csv”")
    card._on_action_clicked()
    await until(lambda: stage.state.file.path == reviews and not stage.state.is_reading, 20)
    assert stage.state.study.schema == schema


async def test_changes_of_the_records_are_kept_for_a_newer_version_and_removed_for_another_table(
    stage: DataStage, reviews: Path, file_without_a_column: Path, tmp_path: Path
) -> None:
    await opened(stage, reviews)
    state, newer = stage.state, tmp_path / "newer.csv"
    newer.write_text(reviews.read_text(encoding="utf-8"), encoding="utf-8")
    renamed = RenameColumn("prompt", "question")
    schema = state.study.schema
    assert schema is not None
    fields = {"question" if name == "prompt" else name: field for name, field in schema.fields.items()}
    edits = (renamed, ReplacementEdit("cat is", "dog was"))
    state.add_edit(edits[0], replace(state.study.content, schema=replace(schema, fields=fields)))
    state.add_edit(edits[1])
    await until(lambda: not state.is_reading, 30)
    for path, kept, text in (
        (newer, edits, "The changes of the records are kept"),
        (file_without_a_column, (), "The changes of the records are removed"),
    ):
        drop(stage, path)
        dialog = await wait_for_dialog(stage, ReplaceDialog)
        assert any(text in label.text() for label in dialog.findChildren(QLabel))
        dialog.accept_button.click()
        await until(lambda path=path: state.file.path == path and not state.is_reading, 30)  # type: ignore[misc]
        assert state.edits == kept
        assert ("question" in state.study.content.schema.fields) is bool(kept)  # type: ignore[union-attr]
    (card,) = visible_notices(stage, "“other.csv” replaced “newer.csv”")
    card._on_action_clicked()
    await until(lambda: state.file.path == newer and not state.is_reading, 30)
    assert state.edits == edits
    assert shown(stage, RowsTable).model().index(1, 1).data() == "Which dog was number 1?, changed"


async def test_a_matching_schema_is_kept_when_a_file_with_excluded_columns_is_replaced(
    data: DataState, study: Study, file_with_duplicate_columns: Path, tmp_path: Path
) -> None:
    """Another file does not correct the previous one: columns excluded by the user stay excluded."""
    first = tmp_path / "first.csv"
    first.write_text("topic,reply\nbirds,five\n")

    data.open_file(first)
    await checked(data)
    data.schema.set_type("reply", None)
    schema = study.schema
    data.open_file(file_with_duplicate_columns)
    await until(lambda: "note" in data.excluded_columns, 20)
    data.open_file(first)
    await until(lambda: data.file.path == first and data.file.profile is not None, 20)
    await checked(data)
    assert study.schema == schema


async def test_a_copy_with_renamed_columns_is_not_opened_in_another_study(
    stage: DataStage, file_with_duplicate_columns: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, study = file_with_duplicate_columns.with_name("copy.csv"), stage.state.study

    async def save_slowly(*_args: object) -> None:
        study.open(Project("Another"), None)

    monkeypatch.setattr(file_commands, "_save_with_names", save_slowly)

    await opened(stage, file_with_duplicate_columns)
    buttons(stage)["Rename columns…"].click()
    (await wait_for_dialog(stage, RenameDialog)).accept_button.click()
    await answer(stage, target)
    await until(lambda: "data rename_columns" not in stage.context.window.tasks.running)
    assert (study.project.name, stage.state.file.path) == ("Another", None)


async def test_a_schema_without_file_is_replaced_only_after_confirmation(
    stage: DataStage, file_without_a_column: Path
) -> None:
    stage.state.schema.add_field("picture", FieldType.IMAGE_URL, "")
    schema = stage.state.study.schema

    drop(stage, file_without_a_column)
    dialog = await wait_for_dialog(stage, ReplaceDialog)
    assert dialog.accessibleName() == "Replace the schema for “other.csv”?"
    dialog.reject()
    await until(lambda: not stage.window().findChildren(ReplaceDialog))
    assert (stage.state.file.state, stage.state.study.schema) == (FileState.NONE, schema)


async def test_the_sample_file_is_replaced_without_confirmation(
    stage: DataStage, file_without_a_column: Path
) -> None:
    shown(stage, NoFilePage).sample_requested.emit()
    await checked(stage.state)
    drop(stage, file_without_a_column)
    await until(lambda: stage.state.file.path == file_without_a_column)
    assert not stage.window().findChildren(ReplaceDialog)


async def test_the_sample_replaces_a_schema_only_after_confirmation(stage: DataStage) -> None:
    stage.state.schema.add_field("extra", FieldType.IMAGE_URL, "")
    schema = stage.state.study.schema

    shown(stage, NoFilePage).sample_requested.emit()
    (await wait_for_dialog(stage, ReplaceDialog)).reject()
    await until(lambda: not stage.window().findChildren(ReplaceDialog))
    assert stage.state.study.schema == schema


async def test_columns_with_the_same_name_are_reported_with_their_positions(
    stage: DataStage, file_with_duplicate_columns: Path
) -> None:
    await opened(stage, file_with_duplicate_columns)
    line = shown(stage, ExcludedColumnsBanner)
    assert line.isVisible()
    assert line.accessibleName() == "Left out of the schema: “note”: Columns 2 and 3 have this name."
    assert next_step(stage.state).text.startswith("Every record fits the schema, which leaves out 2 columns")


async def test_renaming_columns_creates_a_copy_with_all_fields(
    stage: DataStage, file_with_duplicate_columns: Path
) -> None:
    target = file_with_duplicate_columns.with_name("copy.csv")

    await opened(stage, file_with_duplicate_columns)
    buttons(stage)["Rename columns…"].click()
    dialog = await wait_for_dialog(stage, RenameDialog)
    first, second = dialog.findChildren(QLineEdit)
    assert (first.text(), second.text()) == ("note", "note_2")
    second.setText("note")
    assert not dialog.accept_button.isEnabled()
    second.setText("reply")
    dialog.accept_button.click()
    await answer(stage, target)
    await until(lambda: stage.state.file.path == target and not stage.state.is_reading, 20)
    schema = stage.state.study.schema
    assert schema is not None
    assert list(schema.fields) == ["topic", "note", "reply"]
    assert not shown(stage, ExcludedColumnsBanner).isVisible()
    assert target.read_text() == "topic,note,reply\ncats,one,two\ndogs,three,four\n"
    assert file_with_duplicate_columns.read_text().startswith("topic,note,note\n")
    assert next_step(stage.state).text == "Both records fit the schema. Next: upload them."


async def test_columns_are_included_after_the_file_is_corrected(
    data: DataState, study: Study, file_with_duplicate_columns: Path
) -> None:
    data.open_file(file_with_duplicate_columns)
    await checked(data)
    data.schema.set_type("topic", FieldType.METADATA)
    correct(file_with_duplicate_columns)
    data.reload_if_changed()
    await until(lambda: "reply" in (study.schema.fields if study.schema else {}), 20)
    assert study.schema is not None
    assert list(study.schema.fields) == ["topic", "note", "reply"]
    assert study.schema.fields["topic"].type is FieldType.METADATA


async def test_a_column_excluded_by_the_user_stays_excluded_after_a_correction(
    data: DataState, study: Study, file_with_duplicate_columns: Path
) -> None:
    data.open_file(file_with_duplicate_columns)
    await checked(data)
    data.schema.add_field("extra", FieldType.TEXT, "")
    data.schema.set_type("topic", None)
    correct(file_with_duplicate_columns)
    data.reload_if_changed()
    await until(lambda: "reply" in (study.schema.fields if study.schema else {}), 20)
    assert study.schema is not None
    assert "topic" not in study.schema.fields


async def reopened_corrected(
    data: DataState, study: Study, file_with_duplicate_columns: Path
) -> list[tuple[str, ...]]:
    """Save and close the study, correct its file, and open the study as a new process would.

    Returns the columns that were included again.
    """
    included: list[tuple[str, ...]] = []
    data.columns_included.connect(included.append)
    saved = project_content(study.project)
    study.close()
    correct(file_with_duplicate_columns)
    study.open(read_project(saved), None)
    await checked(data)
    return included


async def test_columns_are_included_after_a_correction_while_the_program_is_closed(
    data: DataState, study: Study, file_with_duplicate_columns: Path
) -> None:
    data.open_file(file_with_duplicate_columns)
    await checked(data)
    data.schema.set_type("topic", FieldType.METADATA)
    assert await reopened_corrected(data, study, file_with_duplicate_columns) == [("note", "reply")]
    assert study.schema is not None
    assert list(study.schema.fields) == ["topic", "note", "reply"]
    assert study.schema.fields["topic"].type is FieldType.METADATA
    assert study.data is not None
    assert not study.data.excluded_columns  # nothing is left to be included


async def test_a_column_excluded_by_the_user_stays_excluded_after_reopening(
    data: DataState, study: Study, file_with_duplicate_columns: Path
) -> None:
    data.open_file(file_with_duplicate_columns)
    await checked(data)
    data.schema.add_field("extra", FieldType.TEXT, "")
    data.schema.set_type("topic", None)
    assert await reopened_corrected(data, study, file_with_duplicate_columns) == [("note", "reply")]
    assert study.schema is not None
    assert "topic" not in study.schema.fields


async def test_included_columns_are_reported_in_a_notice(
    stage: DataStage, file_with_duplicate_columns: Path
) -> None:
    stage.state.open_file(file_with_duplicate_columns)
    await checked(stage.state)
    correct(file_with_duplicate_columns)
    stage.state.reload_if_changed()
    await until(lambda: bool(visible_notices(stage, "2 columns are included now")), 20)
    (card,) = visible_notices(stage, "2 columns are included now")
    assert "“note”, “reply”" in card.notice.text


async def test_undoing_a_replacement_keeps_excluded_columns(
    stage: DataStage, file_with_duplicate_columns: Path, reviews: Path
) -> None:
    state = stage.state

    state.open_file(reviews)
    await checked(state)
    state.schema.set_type("picture", None)
    data, schema = state.study.data, state.study.schema
    assert data is not None
    state.open_file(file_with_duplicate_columns)
    await checked(state)
    state.restore(data, schema)
    await until(lambda: state.file.path == reviews and not state.is_reading, 20)
    assert state.study.schema == schema
