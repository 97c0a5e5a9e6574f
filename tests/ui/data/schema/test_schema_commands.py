"""Adding a field manually: its validation and error messages."""

import pytest
from PySide6.QtWidgets import QComboBox, QLineEdit

from batchwright.schema.model import Field, FieldType, Schema
from batchwright.schema.parsing import MAX_FIELDS, MAX_KEY_CHARS
from batchwright.ui.data.schema.schema_commands import FieldDialog, field_error

TEXT = FieldType.TEXT
ONE_FIELD = Schema(strict=False, fields={"prompt": Field(TEXT, "Prompt")})
FULL = Schema(strict=False, fields={f"f{number}": Field(TEXT) for number in range(MAX_FIELDS)})


@pytest.mark.parametrize(
    ("schema", "name", "message"),
    [
        (ONE_FIELD, "answer", ""),
        (None, "answer", ""),
        (ONE_FIELD, "prompt", "already has a field “prompt”"),
        (ONE_FIELD, "x" * (MAX_KEY_CHARS + 1), "129 characters; 128 are allowed"),
        (ONE_FIELD, "a\ud800", "an invalid character"),
        (FULL, "answer", "1 to 200 fields; this one has 201"),
    ],
)
def test_an_invalid_field_name_is_reported(schema: Schema | None, name: str, message: str) -> None:
    text = field_error(schema, name, TEXT, "")
    assert message in text
    assert bool(text) == bool(message)


def test_a_label_over_the_length_limit_is_reported() -> None:
    assert "255 are allowed" in field_error(ONE_FIELD, "answer", TEXT, "x" * 256)


@pytest.mark.gui
def test_the_dialog_accepts_only_a_valid_new_field() -> None:
    dialog = FieldDialog(ONE_FIELD)
    assert not dialog.accept_button.isEnabled()
    dialog.findChildren(QLineEdit)[0].setText(" prompt ")
    assert not dialog.accept_button.isEnabled()
    dialog.findChildren(QLineEdit)[0].setText(" correct_answer ")
    assert dialog.accept_button.isEnabled()
    assert (dialog.name, dialog.type, dialog.label) == ("correct_answer", TEXT, "Correct answer")
    dialog.findChildren(QComboBox)[0].setCurrentIndex(dialog.findChildren(QComboBox)[0].findData("metadata"))
    assert (dialog.type, dialog.label) == (FieldType.METADATA, "")
    assert not dialog.findChildren(QLineEdit)[1].isEnabled()
