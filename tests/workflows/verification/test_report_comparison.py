"""The questions of a batch."""

from typing import Any

from batchwright.workflows.verification.report_comparison import questions_of

CHOICE = {
    "id": "q1",
    "type": "multiple_choice",
    "description": "Which?",
    "answer_limit": -1,
    "options": [{"label": "One", "value": 1}],
}
TEXT = {"id": "q2", "type": "free_text", "description": "Why?"}
ITEMS: list[Any] = [{"rows": [{"columns": [{"items": [CHOICE, TEXT]}]}]}]


def test_questions_are_those_of_the_batch_in_reading_order() -> None:
    assert [item.title for item in questions_of(ITEMS).values()] == ["Which?", "Why?"]
    assert questions_of(None) == {}
