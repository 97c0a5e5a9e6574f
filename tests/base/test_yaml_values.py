"""YAML files: JSON values only, read back exactly as written."""

import json

import pytest
import yaml
from hypothesis import given

from batchwright.base.json_values import Json, json_equal
from batchwright.base.yaml_values import InvalidYaml, parse_yaml, yaml_content
from tests.layout.random_layouts import any_json


@given(any_json())
def test_a_value_is_read_back_as_written(value: Json) -> None:
    assert json_equal(parse_yaml(yaml_content(value)), value)


@given(any_json())
def test_another_reader_of_yaml_finds_the_same_value(value: Json) -> None:
    assert json_equal(yaml.safe_load(yaml_content(value)), value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("yes", "yes"),
        ("2026-01-01", "2026-01-01"),
        ("010", "010"),
        ("12:30:00", "12:30:00"),
        (".nan", ".nan"),
        ("1e3", 1000.0),
        ("-1.5", -1.5),
        ("~", None),
        ("True", True),
        ("{a: [1, two]}", {"a": [1, "two"]}),
        ("a: &x [1]\nb: *x", {"a": [1], "b": [1]}),
    ],
)
def test_scalars_follow_the_core_schema(text: str, value: Json) -> None:
    assert json_equal(parse_yaml(text.encode()), value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a: 1\na: 2", "the key “a” occurs twice"),
        ("1: x", "the key 1 is not text"),
        ("!!binary aGVsbG8=", "JSON cannot express"),
        ("!!python/object/apply:os.system [ls]", "could not determine a constructor"),
        ("[" * 500 + "]" * 500, "nested too deeply"),
        ("a: &x [*x]", "nested too deeply"),
        ("a: [1", r"did not find expected .* \(line 2\)"),
        ("a: 1\n---\nb: 2", "expected a single document"),
        ("a: !!float x", "this is not YAML"),
    ],
)
def test_what_json_cannot_express_is_rejected(text: str, reason: str) -> None:
    with pytest.raises(InvalidYaml, match=reason):
        parse_yaml(text.encode())


def test_references_cannot_multiply_without_limit() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    with pytest.raises(InvalidYaml, match="too many values"):
        parse_yaml("\n".join(lines).encode())


def test_texts_that_look_like_other_values_are_quoted() -> None:
    content = yaml_content(["yes", "1", "null", "2026-01-01", "~", "a: b"])
    assert json.dumps(yaml.safe_load(content)) == '["yes", "1", "null", "2026-01-01", "~", "a: b"]'
