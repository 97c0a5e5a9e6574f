"""Parsing and serialising schemas (wire reference, 4.3)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.base.json_values import Json, json_equal
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.schema.parsing import InvalidSchema, read_schema, write_schema

extras = st.dictionaries(
    st.text().filter(lambda key: key not in ("type", "label")), st.integers(), max_size=2
)
whole_text = st.text(st.characters(codec="utf-8"), max_size=255)


@st.composite
def schemas(draw: st.DrawFn) -> dict[str, Any]:
    keys = draw(
        st.lists(whole_text.filter(lambda key: 0 < len(key) <= 128), min_size=1, max_size=5, unique=True)
    )
    types = st.sampled_from([type.value for type in FieldType if type is not FieldType.TASK_GROUP_ID])
    fields = {}
    for number, key in enumerate(keys):
        type = "task_group_id" if number == 1 else draw(types)
        label = draw(st.fixed_dictionaries({}, optional={"label": whole_text | st.none()}))
        fields[key] = {**draw(extras), "type": type, **label}
    others = {key: value for key, value in draw(extras).items() if key not in ("strict", "fields")}
    return {**others, "strict": draw(st.booleans()), "fields": fields}


def errors_of(value: Json) -> tuple[str, ...]:
    with pytest.raises(InvalidSchema) as refused:
        read_schema(value)
    return refused.value.sentences


@given(schemas())
@pytest.mark.spec("D-09", "D-12")
def test_a_schema_is_written_as_it_was_read(value: dict[str, Any]) -> None:
    schema = read_schema(value)
    assert json_equal(write_schema(schema), value)
    assert list(schema.fields) == list(value["fields"])
    assert read_schema(write_schema(schema)) == schema


@given(
    st.recursive(
        st.none() | st.booleans() | st.text() | st.integers(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(st.sampled_from(["strict", "fields", "type", "label", "a", ""]), inner)
        ),
    )
)
def test_any_json_is_a_schema_or_rejected_with_messages(value: Json) -> None:
    try:
        schema = read_schema(value)
    except InvalidSchema as refused:
        sentences = refused.sentences
    else:
        sentences = tuple(schema.fields)
    assert all(sentences)
    assert sentences


def test_a_schema_created_here_is_written_with_its_types_and_labels() -> None:
    schema = Schema(True, {"a": Field(FieldType.TEXT, "Letter"), "b": Field(FieldType.METADATA)})
    assert write_schema(schema) == {
        "strict": True,
        "fields": {"a": {"type": "text", "label": "Letter"}, "b": {"type": "metadata"}},
    }


def test_changes_of_a_schema_are_written() -> None:
    read = read_schema({"strict": False, "fields": {"a": {"type": "text", "label": "A", "hint": 1}}})
    changed = Schema(
        read.strict, {"a": Field(FieldType.IMAGE_URL, None, read.fields["a"].original)}, read.original
    )
    assert write_schema(changed) == {"strict": False, "fields": {"a": {"type": "image_url", "hint": 1}}}


@pytest.mark.spec("D-10")
def test_every_type_of_the_specification_is_read() -> None:
    types = ["text", "image_url", "audio_url", "video_url", "metadata", "task_group_id"]
    schema = read_schema({"strict": False, "fields": {type: {"type": type} for type in types}})
    assert [field.type for field in schema.fields.values()] == types
    assert schema.task_group_field == "task_group_id"
    assert [type for type in FieldType if type.referable] == types[:4]


@pytest.mark.parametrize(
    ("value", "count"),
    [
        (None, 1),
        ([], 1),
        ({}, 1),
        ({"strict": "yes", "fields": {"a": {"type": "text"}}}, 1),
        ({"strict": 1, "fields": {"a": {"type": "text"}}}, 1),
        ({"strict": None, "fields": {"a": {"type": "text"}}}, 1),
        ({"strict": True, "fields": []}, 1),
        ({"strict": True, "fields": {}}, 1),
        ({"strict": True, "fields": {f"f{number}": {"type": "text"} for number in range(201)}}, 1),
        ({"strict": True, "fields": {"": {"type": "text"}}}, 1),
        ({"strict": True, "fields": {"k" * 129: {"type": "text"}}}, 1),
        ({"strict": True, "fields": {"\ud800": {"type": "text"}}}, 1),
        ({"strict": True, "fields": {"a": "text"}}, 1),
        ({"strict": True, "fields": {"a": {}}}, 1),
        ({"strict": True, "fields": {"a": {"type": "Text"}}}, 1),
        ({"strict": True, "fields": {"a": {"type": ["text"]}}}, 1),
        ({"strict": True, "fields": {"a": {"type": "text", "label": 1}}}, 1),
        ({"strict": True, "fields": {"a": {"type": "text", "label": "l" * 256}}}, 1),
        ({"strict": True, "fields": {"a": {"type": "text", "label": "\udfff"}}}, 1),
        ({"strict": True, "fields": {"a": {"type": "task_group_id"}, "b": {"type": "task_group_id"}}}, 1),
        ({"strict": 0, "fields": {"": {"type": "x", "label": 1}, "a": 2}}, 5),
    ],
)
@pytest.mark.spec("D-11", "D-13")
def test_every_error_of_a_schema_is_reported(value: Json, count: int) -> None:
    sentences = errors_of(value)
    assert len(sentences) == count
    for sentence in sentences:
        assert sentence.encode()


def test_the_longest_keys_and_labels_and_most_fields_are_accepted() -> None:
    fields: dict[str, Json] = {
        f"{number:0128}": {"type": "text", "label": "l" * 255} for number in range(200)
    }
    assert len(read_schema({"strict": True, "fields": fields}).fields) == 200


def test_only_the_number_of_fields_is_reported_if_there_are_too_many() -> None:
    (sentence,) = errors_of({"strict": True, "fields": {str(number): 1 for number in range(100_000)}})
    assert sentence == "A schema has 1 to 200 fields; this one has 100000."
