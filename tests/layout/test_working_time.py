"""The estimate of how long a participant works."""

from collections.abc import Mapping
from typing import Any

import pytest

from batchwright.layout.item_types.registry import FreeText, MultipleChoice
from batchwright.layout.model import Layout
from batchwright.layout.serialization import random_keys, read
from batchwright.layout.working_time import ANSWER_S, READ_PER_S, working_time
from batchwright.schema.model import Field, FieldType, Schema


def layout(*items: Mapping[str, Any], **attributes: Any) -> Layout:
    return read([{**attributes, "rows": [{"columns": [{"items": [*items]}]}]}], random_keys())


def test_texts_are_read_and_questions_answered_once_for_each_task() -> None:
    question = {"type": "free_text", "description": "x" * 48}
    time = working_time(layout(question), None, {})
    assert time.once_s == 0
    assert time.task_s == pytest.approx(2 + ANSWER_S[FreeText])
    assert time.of(10) == pytest.approx(10 * time.task_s)


def test_an_intro_is_read_once() -> None:
    text = {"type": "rich_text", "content": f"<p>{'x' * 24}</p>", "content_format": "html"}
    time = working_time(layout(text, display_position="intro"), None, {})
    assert time.once_s == pytest.approx(1)
    assert time.task_s == 0


def test_a_field_takes_as_long_as_its_values() -> None:
    field = {"type": "dataset_field", "field": "prompt"}
    schema = Schema(
        strict=False, fields={"prompt": Field(FieldType.TEXT), "clip": Field(FieldType.VIDEO_URL)}
    )
    assert working_time(layout(field), schema, {"prompt": 240.0}).task_s == pytest.approx(10)
    clip = {"type": "dataset_field", "field": "clip"}
    assert working_time(layout(clip), schema, {"clip": 9999.0}).task_s == 30


def test_the_labels_of_options_are_read_and_not_their_values() -> None:
    options = [{"label": "yes", "value": "v" * 999}, {"label": "no", "value": "n"}]
    question = {"type": "multiple_choice", "description": "?", "answer_limit": 1, "options": options}
    expected = ANSWER_S[MultipleChoice] + len("?yesno") / READ_PER_S
    assert working_time(layout(question), None, {}).task_s == pytest.approx(expected)
