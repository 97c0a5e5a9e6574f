"""YAML files: JSON values only, read back exactly as written."""

import json
from contextlib import suppress

import pytest
import yaml
from hypothesis import given
from hypothesis.strategies import binary, from_regex, text

from batchwright.base.json_texts.yaml_values import InvalidYaml, parse_yaml, yaml_content
from batchwright.base.json_values import Json, json_equal
from tests.layout.random_layouts import any_json


@given(any_json())
def test_a_value_is_read_back_as_written(value: Json) -> None:
    assert json_equal(parse_yaml(yaml_content(value)), value)


def test_a_lone_surrogate_is_replaced() -> None:
    written = yaml_content({"a\ud83d": ["\ude00", "👍"]})
    assert parse_yaml(written) == {"a\ufffd": ["\ufffd", "👍"]}


@given(any_json())
def test_another_reader_of_yaml_finds_the_same_value(value: Json) -> None:
    assert json_equal(yaml.safe_load(yaml_content(value)), value)


@given(
    from_regex(r"[-+]?[0-9_]*\.?[0-9_]*([eE][-+]?[0-9]*)?", fullmatch=True)
    | from_regex(r"[-+]?0[box]?[0-9a-f_]*", fullmatch=True)
    | from_regex(r"[0-9]{1,4}[-:][0-9]{1,2}[-:][0-9]{1,2}([ Tt][0-9:.]*Z?)?", fullmatch=True)
    | from_regex(r"(?i)(null|true|false|yes|no|on|off|y|n|~|[-+]?\.(inf|nan)|=|<<)\n?", fullmatch=True)
    | text("019eE+-. \n#:~", max_size=5)
)
def test_a_text_that_looks_like_another_value_is_read_back_as_text(like_another: str) -> None:
    value: Json = {"name": like_another, "list": [like_another], like_another: 1}
    content = yaml_content(value)
    assert json_equal(parse_yaml(content), value)
    assert json_equal(yaml.safe_load(content), value)


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
        ("a: 1\nb: {c: 1, d: 2,\n c: 3}", r"“c” occurs twice \(line 3\)"),
        ("1: x", r"the key 1 is not text \(line 1\)"),
        ("a: 1\n? [x]\n: 2", r"a key is not text \(line 2\)"),
        ("[" * 500 + "]" * 500, "nested too deeply"),
        ("a: &x [*x]", r"“\*x” refers to nothing \(line 1\)"),
        ("a: *x", r"“\*x” refers to nothing \(line 1\)"),
        ("a: [1", r"did not find expected .* \(line 2\)"),
        ("a: 1\n---\nb: 2", r"more than one document \(line 2\)"),
        ("a: 1\nb: " + "9" * 5000, r"too many digits \(line 2\)"),
        ("a: 1e999", r"1e999 is too large \(line 1\)"),
        ("a: 1\nb: \x01", r"cannot be read \(line 2\)"),
    ],
)
def test_what_json_cannot_express_is_rejected(text: str, reason: str) -> None:
    with pytest.raises(InvalidYaml, match=reason):
        parse_yaml(text.encode())


@pytest.mark.parametrize(
    "tagged",
    [
        "!!binary aGVsbG8=",
        "!!python/object/apply:os.system [ls]",
        "!!float x",
        "!!float 190:20:30.15",
        "!!bool maybe",
        "!!int ''",
        "!!float ''",
        "!!map [1]",
        "!!set {a}",
        "!!str 1",
        "!own x",
        "{!!merge <<: {b: 1}}",
    ],
)
def test_tags_are_rejected_with_their_line(tagged: str) -> None:
    with pytest.raises(InvalidYaml, match=r"types such as “!.*” are not supported; remove it \(line 2\)"):
        parse_yaml(f"a: 1\nb: {tagged}".encode())


@pytest.mark.parametrize("text", ["190:20:30.15", "<<", "1_000", "0x1F", "0o7", "=", ".inf"])
def test_other_scalars_are_texts(text: str) -> None:
    assert parse_yaml(f"a: {text}".encode()) == {"a": text}


def test_a_merge_key_is_a_key() -> None:
    assert parse_yaml(b"a: &x {b: 1}\nc: {<<: *x}") == {"a": {"b": 1}, "c": {"<<": {"b": 1}}}


def test_a_key_that_is_repeated_among_many_is_found() -> None:
    lines = [f"k{number}: 1" for number in range(60_000)]
    with pytest.raises(InvalidYaml, match=r"“k59999” occurs twice \(line 60001\)"):
        parse_yaml("\n".join([*lines, "k59999: 2"]).encode())


def test_references_cannot_multiply_characters_without_limit() -> None:
    with pytest.raises(InvalidYaml, match="too many values"):
        parse_yaml(f"a: &a {'x' * 100_000}\nb: [{', '.join(['*a'] * 1000)}]".encode())


def test_references_cannot_nest_without_limit() -> None:
    lines = ["a0: &a0 [x]", *(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 200))]
    with pytest.raises(InvalidYaml, match="nested too deeply"):
        parse_yaml("\n".join(lines).encode())


@given(binary())
def test_any_bytes_are_read_or_rejected(content: bytes) -> None:
    with suppress(InvalidYaml):
        parse_yaml(content)


def test_references_cannot_multiply_without_limit() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    with pytest.raises(InvalidYaml, match="too many values"):
        parse_yaml("\n".join(lines).encode())


def test_texts_that_look_like_other_values_are_quoted() -> None:
    content = yaml_content(["yes", "1", "null", "2026-01-01", "~", "a: b"])
    assert json.dumps(yaml.safe_load(content)) == '["yes", "1", "null", "2026-01-01", "~", "a: b"]'
