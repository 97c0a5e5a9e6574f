"""`batch_items` as JSON Schema: its shape; what items hold is for `layout` to say (wire reference, 6)."""

from typing import Any


def _entry(inside: str, entries: dict[str, Any]) -> dict[str, Any]:
    """A page, a row or a column: an object around the entries inside it, and keys that nobody here knows."""
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
