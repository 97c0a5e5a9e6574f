"""JSON is parsed strictly, and bool, int and float stay distinct in comparisons."""

import json
from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.base.json_values import (
    DEEPEST,
    InvalidJson,
    Json,
    has_too_many_keys,
    is_valid_unicode,
    json_equal,
    parse,
    to_json,
    too_deep,
)
from batchwright.base.limits import MAX_JSON_KEYS

scalars = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
values: st.SearchStrategy[Json] = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20
)


@given(values, st.sampled_from([None, 2]), st.sampled_from(["", " ", "\n\t", "\r\n"]))
def test_a_written_value_is_read_back_unchanged(value: Json, indent: int | None, space: str) -> None:
    text = space + to_json(value, indent=indent) + space
    assert json_equal(parse(text), value)
    assert json_equal(parse(text.encode()), value)


@given(st.text() | st.text('[]{},:"\\ \n0123456789eE+-.truefalsn'))
def test_an_error_has_the_same_position_as_in_the_standard_library(text: str) -> None:
    try:
        json.loads(text, parse_float=parse_finite, parse_constant=parse_finite)
        expected = None
    except json.JSONDecodeError as error:
        expected = (error.lineno, error.colno)
    except OverflowError:
        return
    assert error_position(text) == expected


def parse_finite(digits: str) -> float:
    if not isfinite(float(digits)):
        raise OverflowError
    return float(digits)


def error_position(text: str | bytes) -> tuple[int | None, int | None] | None:
    try:
        parse(text)
    except InvalidJson as error:
        return error.line, error.column
    return None


@given(
    values,
    st.sampled_from([None, 2]),
    st.sampled_from(
        ["NaN", "Infinity", "-Infinity", "1e999", "-1.5E+400", "9" * 5000, "[" * 100 + "]" * 100, "[" * 9999]
    ),
)
def test_values_rejected_only_by_this_parser_have_a_position(
    before: Json, indent: int | None, invalid: str
) -> None:
    start = f"[{to_json(before, indent=indent)},\n "
    brackets = DEEPEST - 1 if invalid.startswith("[") else 0
    assert error_position(f"{start}{invalid}]") == (start.count("\n") + 1, brackets + 2)


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b"\xff", (1, 1)),
        ('["ä",\n "'.encode() + b"\xc3\x28", (2, 3)),
        (b'\xef\xbb\xbf["\xe4"]', (1, 3)),
    ],
)
def test_an_invalid_byte_has_a_position(content: bytes, place: tuple[int, int]) -> None:
    assert error_position(content) == place


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a value is missing"),
        ('{"a" 1}', "a colon is missing"),
        ("[1 2]", "a comma or a closing bracket is missing"),
        ("{'a': 1}", "a key in double quotes is missing"),
        ("[] []", "there is unexpected content after the end"),
        ('"a', "the closing quotation mark of a text is missing"),
        ('"a\n"', "a line break or tab is inside a text; write \\n or \\t"),
        ('"\\x"', "invalid escape sequence"),
        ('"\\u12"', "invalid escape sequence"),
        ("[NaN]", "NaN is not a JSON number"),
        ("1e999", "the number 1e999 is too large"),
        ("9" * 5000, "a number has too many digits"),
        ("[" * 101 + "]" * 101, "arrays and objects are nested more than 100 levels deep"),
    ],
)
def test_errors_have_messages_of_the_program(text: str, reason: str) -> None:
    with pytest.raises(InvalidJson) as refused:
        parse(text)
    assert refused.value.reason.startswith(reason)
    assert f"(line {refused.value.line}, column {refused.value.column})" in str(refused.value)


@pytest.mark.parametrize(
    ("first", "second", "are_same"),
    [
        (1, 1.0, False),
        (1, True, False),
        (0.0, False, False),
        ("1", 1, False),
        ([1, 2], (1, 2), True),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": 1}, {"a": 1.0}, False),
        ({"a": None}, {}, False),
        (None, None, True),
    ],
)
def test_values_are_equal_only_with_the_same_json_types(first: Json, second: Json, are_same: bool) -> None:
    assert json_equal(first, second) is are_same


@pytest.mark.parametrize("text", ["[1,]", "{'a': 1}", '{"a": 1} x', "01", '\ufeff"a"'])
def test_extensions_of_json_are_rejected(text: str) -> None:
    assert error_position(text) is not None


def test_nesting_up_to_the_maximum_depth_is_accepted() -> None:
    assert not too_deep(parse("[" * DEEPEST + "]" * DEEPEST))
    assert error_position("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1)) == (1, DEEPEST + 1)
    assert parse('"' + "[{" * DEEPEST + '"') == "[{" * DEEPEST


def test_a_lone_surrogate_is_written_as_an_escape() -> None:
    assert not is_valid_unicode("\ud83d")
    assert to_json("\ud83d") == '"\\ud83d"'
    assert to_json("ä 😀") == '"ä 😀"'


def test_keys_are_counted_before_a_text_is_parsed() -> None:
    def keys(count: int, separator: str = ":") -> bytes:
        return ("{" + ",".join(f'"k{number}"{separator}1' for number in range(count)) + "}").encode()

    assert not has_too_many_keys(keys(MAX_JSON_KEYS))
    assert has_too_many_keys(keys(MAX_JSON_KEYS + 1))
    assert has_too_many_keys(keys(MAX_JSON_KEYS + 1, " \n: "))
    assert not has_too_many_keys(b'{"times": "' + b"12:30 " * MAX_JSON_KEYS + b'"}')
