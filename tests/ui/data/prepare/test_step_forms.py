"""Every step has a form that asks for its options, and each step is entered with its form."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields
from enum import Enum
from typing import Any

import pytest
from pydantic import TypeAdapter
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLineEdit, QListWidget, QSpinBox, QTableWidget

from batchwright.base.json_values import Json, JsonObject
from batchwright.prepare.preparation import STEPS, read_steps
from batchwright.ui.data.prepare.step_dialog import StepDialog
from batchwright.ui.data.prepare.step_forms import DESIGNS, STEP_FORMS, Design, FieldKind, StepField, is_asked
from batchwright.ui.data.prepare.step_list import step_options

pytestmark = pytest.mark.usefixtures("loop")
COLUMNS = ("id", "prompt", "model", "response", "topic")


def default_of(option: "Field[Any]") -> Json:
    """The default of an option in JSON; None if it is required."""
    made = option.default_factory() if option.default_factory is not MISSING else option.default
    return None if made is MISSING else TypeAdapter(object).dump_python(made, mode="json")


def test_forms_ask_for_the_options_of_all_steps_with_their_defaults() -> None:
    assert set(STEP_FORMS) == set(STEPS)
    for name, form in STEP_FORMS.items():
        options = {option.name: default_of(option) for option in fields(STEPS[name])}
        assert {field.name: field.default for field in form.fields} == options, name
        assert form.label == STEPS[name].label


def test_choices_are_those_of_the_step() -> None:
    for name, form in STEP_FORMS.items():
        types = {option.name: option.type for option in fields(STEPS[name])}
        for field in form.fields:
            if field.kind is FieldKind.CHOICE:
                kind = types[field.name]
                assert isinstance(kind, type)
                assert issubclass(kind, Enum)
                assert [id for id, _text in field.choices] == [member.value for member in kind]


def entry_of(name: str, dialog: StepDialog) -> JsonObject:
    assert dialog.entry["step"] == name
    return {key: value for key, value in dialog.entry.items() if key != "step"}


def test_columns_are_guessed_from_their_names() -> None:
    dialog = StepDialog({"step": "pairs"}, COLUMNS, "Add")
    assert dialog.entry == {"step": "pairs", "prompt": "prompt", "system": "model", "outputs": ["response"]}
    assert dialog.accept_button.isEnabled()


def test_the_keys_continue_where_a_column_was_chosen() -> None:
    dialog = StepDialog({"step": "rows"}, COLUMNS, "Add")
    (columns,) = dialog.findChildren(QListWidget)
    columns.item(2).setCheckState(Qt.CheckState.Checked)
    assert columns.currentRow() == 2


FILLED: Mapping[FieldKind, Json] = {
    FieldKind.COLUMN: "topic",
    FieldKind.COLUMNS: ["prompt", "topic"],
    FieldKind.TEXT: "a text",
    FieldKind.TEXTS: ["one", "two"],
    FieldKind.NUMBER: 7,
    FieldKind.CHOICES: ["phone"],
    FieldKind.SWITCH: False,
    FieldKind.TABLE: {"a=b": "c", "d": ""},
    FieldKind.COLUMN_TEXTS: {"prompt": "Choose {answer}."},
    FieldKind.COUNTS: [["cats", 3], ["dogs", 4]],
    FieldKind.SEED: 2**31 - 1,
}


def filled(field: StepField) -> Json:
    """A value of an option that is not its default; the one that other options are asked with."""
    return field.choices[-1][0] if field.kind is FieldKind.CHOICE else FILLED[field.kind]


@pytest.mark.parametrize("name", STEP_FORMS)
def test_the_form_of_a_step_shows_it_as_it_is_stored(name: str) -> None:
    form = STEP_FORMS[name]
    values = {field.name: filled(field) for field in form.fields}
    asked = [field for field in form.fields if is_asked(field, values)]
    entry: dict[str, Json] = {
        "step": name,
        "off": True,
        **{field.name: values[field.name] for field in asked},
    }
    assert StepDialog(entry, COLUMNS, "Change").entry == entry


def test_a_column_that_is_gone_stays_until_another_is_chosen() -> None:
    entry: JsonObject = {"step": "cut", "column": "output", "longest": 9}
    dialog = StepDialog(entry, COLUMNS, "Change")
    assert dialog.entry == entry
    (box,) = dialog.findChildren(QComboBox)
    assert box.currentText() == "output (not in the table)"
    box.setCurrentIndex(box.findText("response"))
    assert dialog.entry["column"] == "response"


@pytest.mark.parametrize(
    "entry",
    [
        {"step": "sample", "size": 2.0, "seed": 20260101123456},
        {"step": "filter", "column": "a", "values": ["two\nlines"]},
        {"step": "replace", "column": "a", "values": {"": "1", "b": "2"}},
    ],
)
def test_options_that_a_control_does_not_show_stay_until_they_are_changed(entry: JsonObject) -> None:
    dialog = StepDialog(entry, ["a"], "Change the step")
    assert dialog.entry == entry
    if "seed" in entry:
        dialog.findChildren(QSpinBox)[1].setValue(7)
        assert dialog.entry == {**entry, "seed": 7}


def test_what_is_required_is_entered_first() -> None:
    dialog = StepDialog({"step": "rename"}, COLUMNS, "Add")
    assert not dialog.accept_button.isEnabled()
    assert dialog.accept_button.toolTip() == "Enter “New name” first."
    (line,) = dialog.findChildren(QLineEdit)
    line.setText("question")
    assert dialog.accept_button.isEnabled()
    assert entry_of("rename", dialog) == {"column": "id", "name": "question"}


def test_the_row_of_a_step_names_only_the_first_of_thousands_of_values() -> None:
    ids: list[Json] = [f"id {number}" for number in range(5000)]
    steps: list[JsonObject] = [
        {"step": "filter", "column": "a", "without": ids},
        {"step": "replace", "column": "a", "values": {str(id): "" for id in ids}},
    ]
    for step in steps:
        options = step_options(step)
        assert "id 19, …" in options
        assert "id 20" not in options


def test_a_table_of_values_has_an_empty_row_for_another_one() -> None:
    dialog = StepDialog({"step": "replace"}, COLUMNS, "Add")
    (table,) = dialog.findChildren(QTableWidget)
    for row, (before, after) in enumerate([("yes", "1"), ("no", "0")]):
        for column, text in enumerate((before, after)):
            item = table.item(row, column)
            assert item is not None
            item.setText(text)
    assert table.rowCount() == 3
    assert entry_of("replace", dialog) == {"column": "id", "values": {"yes": "1", "no": "0"}}


def sample_by_stratum(count: str) -> StepDialog:
    """The form of a sample with 50 rows of one stratum and a number of another one as it is entered."""
    entry: JsonObject = {"step": "sample", "stratum": "topic", "sizes": "given", "given": [["money", 50]]}
    dialog = StepDialog(entry, COLUMNS, "Add")
    table = next(found for found in dialog.findChildren(QTableWidget) if found.rowCount() == 2)
    for column, text in enumerate(("health", count)):
        item = table.item(1, column)
        assert item is not None
        item.setText(text)
    return dialog


@pytest.mark.parametrize(("locale", "text"), [("de_DE", "1.000"), ("en_GB", "1,000"), ("en_GB", " 1000 ")])
def test_rows_of_a_stratum_are_read_as_the_user_writes_numbers(
    locale: str, text: str, use_locale: Callable[[str], None]
) -> None:
    use_locale(locale)
    dialog = sample_by_stratum(text)
    assert dialog.entry["given"] == [["money", 50], ["health", 1000]]
    assert dialog.accept_button.isEnabled()


@pytest.mark.parametrize("text", ["1.000", "1O0", "-5", "2.5"])
def test_rows_of_a_stratum_that_are_no_number_are_named(text: str, use_locale: Callable[[str], None]) -> None:
    use_locale("en_GB")
    dialog = sample_by_stratum(text)
    assert not dialog.accept_button.isEnabled()
    assert dialog.accept_button.toolTip() == f"“{text}” is not a whole number."


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.label)
def test_the_steps_of_a_design_can_be_made(design: Design) -> None:
    first = StepDialog({"step": design.step}, COLUMNS, "Add").entry
    assert len(read_steps([first, *design.following(first)])) > 1
