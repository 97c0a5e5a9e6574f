"""Building blocks for the examples of rules: items and layouts that pass or fail."""

from collections.abc import Mapping
from dataclasses import dataclass

from batchwright.base.json_values import Json, JsonObject
from batchwright.layout.rules.problems import Fields, SchemaUnavailable
from batchwright.schema.model import Field, FieldType, Schema


@dataclass(frozen=True)
class Example:
    """A `batch_items` value, with the dataset fields and ids that it is checked against."""

    batch_items: Json
    fields: Fields = SchemaUnavailable.UNKNOWN
    ids: frozenset[str] | None = None


SCHEMA = Schema(
    strict=False,
    fields={
        "prompt": Field(FieldType.TEXT),
        "photo": Field(FieldType.IMAGE_URL),
        "clip": Field(FieldType.VIDEO_URL),
        "sound": Field(FieldType.AUDIO_URL),
        "source": Field(FieldType.METADATA),
        "bundle": Field(FieldType.TASK_GROUP_ID),
    },
)

DATASET_FIELD: JsonObject = {"type": "dataset_field", "field": "prompt"}
IMAGE: JsonObject = {"type": "image", "url": "https://img.example.net/scale.png", "alt_text": "A scale"}
RICH_TEXT: JsonObject = {"type": "rich_text", "content": "<p>Read the answer.</p>"}
FREE_TEXT: JsonObject = {"type": "free_text", "description": "Why?"}
FILE_UPLOAD: JsonObject = {"type": "file_upload", "description": "Your receipt"}
TEXT_WITH_UNIT: JsonObject = {
    "type": "free_text_with_unit",
    "description": "How long did it take?",
    "unit_options": [{"label": "minutes", "value": "min"}, {"label": "hours", "value": "h"}],
    "unit_position": "suffix",
}
CHOICE: JsonObject = {
    "type": "multiple_choice",
    "description": "Which is better?",
    "answer_limit": 1,
    "options": [{"label": "The first", "value": "a"}, {"label": "The second", "value": "b"}],
}
CHOICE_WITH_TEXT: JsonObject = {
    "type": "multiple_choice_with_free_text",
    "description": "What is wrong?",
    "answer_limit": -1,
    "options": [
        {"label": "Length", "value": 1, "heading": "Where is it too long?"},
        {"label": "Tone", "value": 2, "heading": "What is wrong with the tone?"},
    ],
}


def with_attributes(item: JsonObject, **attributes: Json) -> JsonObject:
    """An item with some attributes set."""
    return {**item, **attributes}


def without(item: JsonObject, name: str) -> JsonObject:
    """An item that lacks an attribute."""
    return {key: value for key, value in item.items() if key != name}


def option(value: Json, label: str = "", **more: Json) -> JsonObject:
    """An option or a unit; by default its label is its value."""
    return {"label": label or f"“{value!r}”", "value": value, **more}


def options(*entries: Json, limit: Json = 1) -> JsonObject:
    """A multiple choice with these options."""
    return with_attributes(CHOICE, options=list(entries), answer_limit=limit)


def units(*entries: Json, **more: Json) -> JsonObject:
    """A free text item with these units."""
    return with_attributes(TEXT_WITH_UNIT, unit_options=list(entries), **more)


def page(*items: Json, **attributes: Json) -> JsonObject:
    """A page with items one below the other."""
    return {**attributes, "rows": [{"columns": [{"items": list(items)}]}]}


def layout_with(*items: Json, fields: Fields = SchemaUnavailable.UNKNOWN) -> Example:
    """A layout of one page with these items."""
    return Example([page(*items)], fields)


def pages(*entries: Json, ids: frozenset[str] | None = None) -> Example:
    """A layout of these pages."""
    return Example(list(entries), ids=ids)


def one_item_layouts(*items: Mapping[str, Json]) -> tuple[Example, ...]:
    """For each item, a layout that contains only this item."""
    return tuple(layout_with(item) for item in items)
