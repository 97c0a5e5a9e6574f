"""A question of every type, and a participant's answer to each."""

from typing import Any

CHOICES = [
    {"label": "Number one", "value": 1},
    {"label": "Not true", "value": False},
    {"label": "None of these", "value": "none", "exclusive": True},
]
QUESTIONS: list[dict[str, Any]] = [
    {"type": "free_text", "description": "Say it", "validation": {"type": "string", "min": 2, "max": 40}},
    {"type": "multiple_choice", "description": "Pick", "answer_limit": -1, "options": CHOICES},
    {
        "type": "multiple_choice_with_free_text",
        "description": "Rate it",
        "answer_limit": 1,
        "options": [
            {"label": "Good", "value": 1.5, "heading": "What is good?"},
            {"label": "Poor", "value": 0, "heading": "What is poor?"},
        ],
    },
    {
        "type": "free_text_with_unit",
        "description": "How long",
        "unit_options": [{"label": "minutes", "value": "min"}, {"label": "hours", "value": 60}],
        "default_unit": "min",
        "unit_position": "suffix",
    },
    {"type": "file_upload", "description": "Show it", "accepted_file_types": [".txt"], "max_file_count": 2},
]
FILE = b"What I saw.\n" * 100
ANSWERS: dict[str, Any] = {
    "Say it": "a, “quoted”\nanswer",
    "Pick": ["Number one", "Not true"],
    "Rate it": {"Good": "its end"},
    "How long": ("25", "minutes"),
    "Show it": [("../seen.txt", FILE), ("seen.txt", b"x")],
}
EXPECTED: dict[str, list[dict[str, Any]]] = {
    "free_text": [{"value": "a, “quoted”\nanswer"}],
    "multiple_choice": [{"value": 1}, {"value": False}],
    "multiple_choice_with_free_text": [{"value": 1.5, "explanation": "its end"}],
    "free_text_with_unit": [{"value": "25", "unit": "min"}],
}
CELLS = {
    "free_text": "a, “quoted”\nanswer",
    "multiple_choice": "Number one, Not true",
    "multiple_choice_with_free_text": "Good: its end",
    "free_text_with_unit": "25 minutes",
}


def check_answers(responses: list[dict[str, Any]]) -> None:
    """Check the answers; their values have the JSON types of the options (wire reference, section 7.1)."""
    for content in (response["response"] for response in responses):
        if content["type"] == "file_upload":
            assert [entry["file_size_mb"] < 0.1 for entry in content["answer"]] == [True, True]
            assert all("/" not in entry["file_name"] for entry in content["answer"])
        else:
            assert repr(content["answer"]) == repr(EXPECTED[content["type"]])
