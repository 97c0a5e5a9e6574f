"""JSON Schema of the structure of `batch_items` (wire reference, 6); items are validated by `layout`."""

from typing import Any


def _entry(inside: str, entries: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a page, row or column: an object with an array of children and unknown keys."""
    return {
        "type": "object",
        "required": [inside],
        "properties": {"id": {"type": ["string", "null"]}, inside: entries},
    }


def _array(entry: dict[str, Any], **limits: int) -> dict[str, Any]:
    return {"type": "array", "items": entry, "minItems": 1, **limits}


_ITEM: dict[str, Any] = {
    "type": "object",
    "required": ["type"],
    "properties": {"id": {"type": ["string", "null"]}, "type": {"type": "string"}},
}
_COLUMN = _entry("items", _array(_ITEM))
_ROW = _entry("columns", _array(_COLUMN, maxItems=2))
_PAGE = _entry("rows", _array(_ROW))

LAYOUT_SCHEMA: dict[str, Any] = {"anyOf": [_array(_PAGE), {"type": "null"}]}
"""Pages of rows of one or two columns of items; null for a legacy batch."""
