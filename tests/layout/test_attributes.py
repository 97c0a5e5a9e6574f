"""The table of attributes: complete, and usable for new items."""

from types import MappingProxyType

import pytest

from batchwright.layout.attributes import AttributeType
from batchwright.layout.item_types.registry import (
    ITEM_TYPES,
    FileUpload,
    FreeTextWithUnit,
    Item,
    MultipleChoiceWithFreeText,
    RichText,
)
from batchwright.layout.rules.examples import layout_with
from tests.layout.rules.checks import errors, problems


@pytest.mark.parametrize("kind", ITEM_TYPES.values(), ids=lambda kind: kind.type)
def test_a_new_item_needs_only_texts_to_be_valid(kind: type[Item]) -> None:
    assert errors(layout_with(kind.new_attributes())) <= {"LY12"}
    messages = [problem.message for problem in problems(layout_with(kind.new_attributes()))]
    assert not [entry for entry in messages if entry.startswith("Missing")]


def test_a_new_item_has_exactly_its_required_attributes() -> None:
    assert FileUpload.new_attributes() == {"type": "file_upload", "description": ""}
    assert RichText.new_attributes() == {"type": "rich_text", "content": "", "content_format": "markdown"}
    assert FreeTextWithUnit.new_attributes() == {
        "type": "free_text_with_unit",
        "description": "",
        "unit_options": [{"label": "", "value": ""}] * 2,
        "unit_position": "suffix",
    }
    assert MultipleChoiceWithFreeText.new_attributes() == {
        "type": "multiple_choice_with_free_text",
        "description": "",
        "answer_limit": 1,
        "options": [{"label": "", "value": "", "heading": ""}] * 2,
    }


@pytest.mark.parametrize("kind", ITEM_TYPES.values(), ids=lambda kind: kind.type)
def test_defaults_have_the_type_of_their_attribute(kind: type[Item]) -> None:
    for attribute in kind.known_attributes:
        assert attribute.default is None or attribute.kind.accepts(attribute.default)
        assert attribute.default is None or not attribute.required


def test_rich_text_without_a_format_is_html() -> None:
    assert RichText("k", {"type": "rich_text", "content": "x"}).value_or_default("content_format") == "html"


def test_an_absent_or_invalid_attribute_has_its_default() -> None:
    upload = FileUpload("k", {"type": "file_upload", "min_file_count": 2, "max_file_size_mb": "big"})
    assert upload.value_or_default("min_file_count") == 2
    assert upload.value_or_default("max_file_count") == 10
    assert upload.value_or_default("max_file_size_mb") == 25
    assert upload.value_or_default("accepted_file_types") == (".jpg", ".jpeg", ".png", ".heic", ".heif")


@pytest.mark.parametrize(
    ("kind", "value", "is_accepted"),
    [
        (AttributeType.INTEGER, 2, True),
        (AttributeType.INTEGER, 2.0, False),
        (AttributeType.INTEGER, True, False),
        (AttributeType.NUMBER, 2.5, True),
        (AttributeType.NUMBER, False, False),
        (AttributeType.VALUE, False, True),
        (AttributeType.VALUE, None, False),
        (AttributeType.BOOLEAN, 0, False),
        (AttributeType.TEXTS, (), True),
        (AttributeType.OBJECT, [], False),
        (AttributeType.OBJECT, MappingProxyType({}), True),
        (AttributeType.OBJECTS, {}, False),
    ],
)
def test_the_kind_of_a_value_is_its_json_type(kind: AttributeType, value: object, is_accepted: bool) -> None:
    assert kind.accepts(value) is is_accepted  # type: ignore[arg-type]  # any JSON
