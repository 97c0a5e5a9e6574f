"""Adding a field by hand: what is asked for, and what is refused in words (wire.md 4.3)."""

import pytest

from batchwright.schema.model import Field, FieldType, Schema
from batchwright.schema.parsing import MAX_FIELDS, MAX_KEY_CHARS
from batchwright.ui.data.schema_commands import FieldDialog, field_error

TEXT = FieldType.TEXT
ONE = Schema(strict=False, fields={"prompt": Field(TEXT, "Prompt")})
FULL = Schema(strict=False, fields={f"f{number}": Field(TEXT) for number in range(MAX_FIELDS)})


@pytest.mark.parametrize(
    ("schema", "name", "refusal"),
    [
        (ONE, "answer", ""),
        (None, "answer", ""),
        (ONE, "prompt", "already has a field “prompt”"),
        (ONE, "x" * (MAX_KEY_CHARS + 1), "129 characters; 128 are allowed"),
        (ONE, "a\ud800", "an invalid character"),
        (FULL, "answer", "1 to 200 fields; this one has 201"),
    ],
)
def test_what_a_schema_cannot_have_is_reported(schema: Schema | None, name: str, refusal: str) -> None:
    text = field_error(schema, name, TEXT, "")
    assert refusal in text
    assert bool(text) == bool(refusal)


def test_a_label_that_is_too_long_is_reported() -> None:
    assert "255 are allowed" in field_error(ONE, "answer", TEXT, "x" * 256)


@pytest.mark.gui
def test_the_dialog_takes_no_field_before_it_can_be_one() -> None:
    dialog = FieldDialog(ONE)
    assert not dialog.accept_button.isEnabled()
    dialog._name.setText(" prompt ")
    assert not dialog.accept_button.isEnabled()
    dialog._name.setText(" correct_answer ")
    assert dialog.accept_button.isEnabled()
    assert (dialog.name, dialog.type, dialog.label) == ("correct_answer", TEXT, "Correct answer")
    dialog._type.setCurrentIndex(dialog._type.findData("metadata"))
    assert (dialog.type, dialog.label) == (FieldType.METADATA, "")
    assert not dialog._label.isEnabled()
