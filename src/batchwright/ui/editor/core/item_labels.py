"""Titles and glyphs of item types, and names of single nodes."""

from collections.abc import Mapping
from dataclasses import dataclass

from batchwright.base.i18n import N_, _, ngettext
from batchwright.layout.item_types.registry import DatasetField, Instruction, Item
from batchwright.layout.nodes import Level, Node, ObjectNode
from batchwright.schema.model import FieldType, Schema
from batchwright.ui.editor.item_types.registry import ITEM_EDITORS

_MAX_NAME = 60


@dataclass(frozen=True)
class ItemLabel:
    """The title, glyph and family of an item type."""

    title: str
    glyph: str
    family: str


FIELD_GLYPHS: Mapping[FieldType, tuple[str, str]] = {
    FieldType.TEXT: ("text-t", "field"),
    FieldType.IMAGE_URL: ("image-square", "field"),
    FieldType.AUDIO_URL: ("speaker-high", "field"),
    FieldType.VIDEO_URL: ("video-camera", "field"),
    FieldType.METADATA: ("tag", "content"),
    FieldType.TASK_GROUP_ID: ("users-three", "content"),
}

LEVELS: Mapping[Level, tuple[str, str]] = {
    Level.PAGE: (N_("Page"), "layout"),
    Level.ROW: (N_("Row"), "rows"),
    Level.COLUMN: (N_("Column"), "columns"),
}
"""Titles (translated where shown) and glyphs of pages, rows and columns."""


def insertable_types() -> list[type[Item]]:
    """All types except dataset fields, in the order of the palette."""
    return [item_type for item_type, editor in ITEM_EDITORS.items() if editor.family != "field"]


def item_type_label(item_type: type[Item]) -> ItemLabel:
    """The label of an item type in the user's language."""
    editor = ITEM_EDITORS[item_type]
    return ItemLabel(_(item_type.title), editor.glyph, editor.family)


def item_label(node: Node, schema: Schema | None = None) -> ItemLabel:
    """The label of a node. Items of unknown types have a lock and the name of their type."""
    if isinstance(node, DatasetField):
        return ItemLabel(node.field or _("Dataset field"), *field_glyph(node.field, schema))
    if isinstance(node, Item):
        if type(node) in ITEM_EDITORS:
            return item_type_label(type(node))
        return ItemLabel(node.kind or _("Unknown item"), "lock-simple", "content")
    if isinstance(node, ObjectNode):
        title, glyph = LEVELS[node.level]
        return ItemLabel(_(title), glyph, "content")
    return ItemLabel(_("Unreadable item"), "lock-simple", "content")


def field_glyph(field: str, schema: Schema | None) -> tuple[str, str]:
    """The glyph and family of a dataset field; those of text where its type is not known."""
    schema_field = schema.fields.get(field) if schema is not None else None
    return FIELD_GLYPHS[schema_field.type if schema_field is not None else FieldType.TEXT]


def count_phrase(level: Level, count: int) -> str:
    """`3 pages`: a number of nodes of a level."""
    match level:
        case Level.PAGE:
            template = ngettext("{count} page", "{count} pages", count)
        case Level.ROW:
            template = ngettext("{count} row", "{count} rows", count)
        case Level.COLUMN:
            template = ngettext("{count} column", "{count} columns", count)
        case Level.ITEM:
            template = ngettext("{count} item", "{count} items", count)
    return template.format(count=count)


def selection_phrase(level: Level, count: int) -> str:
    """`3 pages selected`: the text for several selected nodes."""
    return _("{things} selected").format(things=count_phrase(level, count))


def node_name(node: Node) -> str:
    """The name of a node in a sentence: its field or question, or else its type."""
    label = item_label(node)
    if isinstance(node, Instruction) and node.description.strip():
        text = " ".join(node.description.split())
        return text if len(text) <= _MAX_NAME else text[: _MAX_NAME - 1] + "…"
    return label.title


def spoken_name(node: Node, schema: Schema | None = None) -> str:
    """The name for screen readers: the type, then the text."""
    label, name = item_label(node, schema), node_name(node)
    if isinstance(node, DatasetField):
        return _("Dataset field: {name}").format(name=name)
    return label.title if name == label.title else f"{label.title}: {name}"
