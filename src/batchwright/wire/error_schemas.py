"""JSON Schemas of the two error bodies of a service (wire reference, sections 2.1 and 2.3)."""

from typing import Any

from batchwright.wire.errors import LAYOUT_REJECTED

_SENTENCE: dict[str, Any] = {"type": "string"}
_SENTENCES: dict[str, Any] = {"type": "array", "items": _SENTENCE}
_NUMBER: dict[str, Any] = {"type": "integer", "minimum": 0}

GENERAL_ERROR: dict[str, Any] = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["status", "error_code", "title", "detail"],
            "properties": {
                "status": {"type": "integer"},
                "error_code": {"type": "integer"},
                "title": _SENTENCE,
                "detail": {
                    "anyOf": [
                        _SENTENCE,
                        _SENTENCES,
                        {"type": "object", "additionalProperties": _SENTENCES},
                    ]
                },
                "additional_information": {"type": ["string", "null"]},
            },
        }
    },
}
"""The general error: one message, several, or several by field."""

LAYOUT_ERROR: dict[str, Any] = {
    "type": "object",
    "required": ["type", "message", "issues"],
    "properties": {
        "type": {"const": LAYOUT_REJECTED},
        "message": _SENTENCE,
        "issues": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["page", "row", "column", "item", "type", "message"],
                "properties": {
                    **dict.fromkeys(("page", "row", "column", "item"), _NUMBER),
                    **dict.fromkeys(("type", "field", "message"), _SENTENCE),
                },
            },
        },
    },
}
"""A layout error, with all invalid items; positions count from 0."""
