"""A valid item of each type, used by many tests (wire reference, 6)."""

from typing import Any

BETTER: dict[str, Any] = {
    "type": "multiple_choice",
    "description": "Which is better?",
    "answer_limit": 1,
    "options": [
        {"label": "A", "value": "a"},
        {"label": "B", "value": "b"},
        {"label": "Same", "value": "same"},
    ],
}
INVALID_VALUES: dict[str, Any] = {
    "type": "multiple_choice_with_free_text",
    "description": "What is wrong?",
    "answer_limit": -1,
    "options": [
        {"label": "Facts", "value": 1, "heading": "Which?"},
        {"label": "No", "value": True, "heading": "?"},
    ],
}
WHY: dict[str, Any] = {"type": "free_text", "description": "Why?"}
DURATION: dict[str, Any] = {
    "type": "free_text_with_unit",
    "description": "How long?",
    "unit_options": [{"label": "minutes", "value": "min"}, {"label": "hours", "value": "h"}],
    "unit_position": "suffix",
}
UPLOAD: dict[str, Any] = {"type": "file_upload", "description": "Send it"}
IMAGE: dict[str, Any] = {"type": "image", "url": "https://a.example/b.png", "alt_text": "A sign"}
RICH: dict[str, Any] = {"type": "rich_text", "content": "Read **both**.", "content_format": "markdown"}
HTML: dict[str, Any] = {"type": "rich_text", "content": "<p>Read <b>both</b>.</p>"}
FIELD: dict[str, Any] = {"type": "dataset_field", "field": "prompt"}
NEWER: dict[str, Any] = {"type": "video_narration", "speed": 2}
ALL = (BETTER, INVALID_VALUES, WHY, DURATION, UPLOAD, IMAGE, RICH, FIELD, NEWER)
