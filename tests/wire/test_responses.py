"""Answers of every type, known or unknown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.base.json_values import Json, json_equal
from batchwright.layout.item_types.registry import ITEM_TYPES, Instruction
from batchwright.wire.base import to_payload
from batchwright.wire.responses import (
    INSTRUCTION_TYPES,
    AnswerEntry,
    ChoiceAnswer,
    ExplainedChoiceAnswer,
    FileAnswer,
    Response,
    ResponseRecord,
    TextAnswer,
    UnitAnswer,
    UnknownAnswer,
    read_entry,
)
from tests.wire.test_base import json_values

FILE = {"file_key": "k", "file_name": "a.png", "file_size_mb": 2, "content_type": "image/png"}


def test_the_instruction_types_are_those_of_a_layout() -> None:
    questions = {name for name, kind in ITEM_TYPES.items() if issubclass(kind, Instruction)}
    assert questions == INSTRUCTION_TYPES


@pytest.mark.parametrize(
    ("kind", "given", "entry"),
    [
        ("free_text", {"value": "25"}, TextAnswer(value="25")),
        ("free_text_with_unit", {"value": "25", "unit": 0}, UnitAnswer(value="25", unit=0)),
        ("multiple_choice", {"value": False}, ChoiceAnswer(value=False)),
        (
            "multiple_choice_with_free_text",
            {"value": 1.0, "explanation": "Yes."},
            ExplainedChoiceAnswer(value=1.0, explanation="Yes."),
        ),
        ("multiple_choice_with_free_text", {"value": "a"}, ExplainedChoiceAnswer(value="a")),
        (
            "file_upload",
            FILE,
            FileAnswer(file_key="k", file_name="a.png", file_size_mb=2, content_type="image/png"),
        ),
    ],
)
def test_an_entry_is_read_by_type_and_keeps_the_json_type_of_its_values(
    kind: str, given: Json, entry: AnswerEntry
) -> None:
    read = read_entry(kind, given)
    assert read == entry
    assert json_equal(to_payload(read), given)


@given(st.sampled_from([*sorted(INSTRUCTION_TYPES), "video_narration"]), json_values())
def test_an_entry_of_unknown_form_is_preserved(kind: str, given: Json) -> None:
    read = read_entry(kind, given)
    assert json_equal(read.content if isinstance(read, UnknownAnswer) else to_payload(read), given)


def test_an_answer_may_be_empty_or_of_an_unknown_type() -> None:
    assert Response(instruction_id="i", type="free_text", answer=()).entries == ()
    narrated = Response.model_validate(
        {"instruction_id": "i", "type": "video_narration", "answer": [{"s": 1}]}
    )
    assert narrated.entries == (UnknownAnswer(content={"s": 1}),)


def test_numeric_strings_stay_strings() -> None:
    given: Json = {
        "id": "7",
        "participant_id": "12",
        "response": {"instruction_id": "3", "type": "free_text", "answer": [{"value": "25"}]},
        "metadata": {"wave": "1", "count": 1, "share": 1.0},
    }
    assert json_equal(to_payload(ResponseRecord.model_validate(given)), given)
