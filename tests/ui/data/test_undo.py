"""Changes of the schema in the Data stage are undone and redone like those of the layout."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from batchwright.schema.model import FieldType
from batchwright.ui.data.schema_panel import FieldTypeCombo
from batchwright.ui.data.stage import DataStage
from batchwright.ui.widgets.toggles import Switch
from tests.ui.data.conftest import checked, opened

pytestmark = pytest.mark.gui


def type_combo(stage: DataStage) -> FieldTypeCombo:
    return next(
        combo for combo in stage.findChildren(FieldTypeCombo) if combo.accessibleName() == "Type of topic"
    )


def strict_switch(stage: DataStage) -> Switch:
    return next(
        switch for switch in stage.findChildren(Switch) if switch.text() == "Every field must be filled"
    )


async def test_the_controls_of_the_schema_show_what_undo_and_redo_restore(
    stage: DataStage, reviews: Path
) -> None:
    await opened(stage, reviews)
    study = stage.state.study
    assert study.history.undo_label == "Use the schema of the file"
    combo, is_strict = type_combo(stage), strict_switch(stage).isChecked()
    first = combo.currentText()
    combo.setFocus()
    QTest.keyClick(combo, Qt.Key.Key_End)
    left_out = type_combo(stage).currentText()
    assert (study.history.undo_label, left_out != first) == ("Leave out field", True)
    QTest.mouseClick(strict_switch(stage), Qt.MouseButton.LeftButton)
    assert strict_switch(stage).isChecked() != is_strict
    study.undo()
    assert strict_switch(stage).isChecked() == is_strict
    study.undo()
    assert type_combo(stage).currentText() == first
    assert study.schema is not None
    assert "topic" in study.schema.fields
    study.redo()
    assert type_combo(stage).currentText() == left_out
    await checked(stage.state)


async def test_labels_and_added_fields_are_steps(stage: DataStage, reviews: Path) -> None:
    await opened(stage, reviews)
    study, editor = stage.state.study, stage.state.schema
    start = study.schema
    steps = len(study.history.past)
    editor.set_label("topic", "Topic of the cat")
    editor.add_field("correct", FieldType.TEXT, "Correct answer")
    labels = [entry.label for entry in study.history.past[steps:]]
    assert labels == ["Change field label", "Add field"]
    study.undo()
    study.undo()
    assert study.schema == start
    await checked(stage.state)


async def test_undoing_the_schema_of_the_file_leaves_the_file_open(stage: DataStage, reviews: Path) -> None:
    await opened(stage, reviews)
    study = stage.state.study
    schema = study.schema
    study.undo()
    assert study.schema is None
    assert study.data is not None
    assert study.history.undo_label is None
    study.redo()
    assert study.schema == schema
    await checked(stage.state)
