"""JSON read strictly, and compared with bool, int and float kept apart."""

import json
from math import isinf
from typing import NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.records.json_values import DEEPEST, Json, NotJson, is_whole, parse, render, same, too_deep

scalars = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
values: st.SearchStrategy[Json] = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20
)


@given(values, st.sampled_from([None, 2]), st.sampled_from(["", " ", "\n\t", "\r\n"]))
def test_what_is_written_reads_back_the_same(value: Json, indent: int | None, space: str) -> None:
    text = space + render(value, indent=indent) + space
    assert same(parse(text), value)
    assert same(parse(text.encode()), value)


@given(st.text() | st.text('[]{},:"\\ \n0123456789eE+-.truefalsn'))
def test_a_fault_stands_where_the_standard_library_sees_it(text: str) -> None:
    assert place_of_fault(text) == expected_place_of_fault(text.removeprefix("\ufeff"), text)


def place_of_fault(text: str) -> tuple[int | None, int | None] | None:
    try:
        parse(text)
    except NotJson as fault:
        return fault.line, fault.column
    return None


def expected_place_of_fault(text: str, given: str) -> tuple[int | None, int | None] | None:
    """Where `json` finds the first fault; no place for a number that is no finite one."""
    if text != given:
        return 1, 1
    try:
        json.loads(
            text,
            parse_constant=refuse,
            parse_float=lambda digits: refuse(digits) if isinf(float(digits)) else 0.0,
        )
    except json.JSONDecodeError as fault:
        return fault.lineno, fault.colno
    except (ValueError, RecursionError):
        return None, None
    return None


def refuse(text: str) -> NoReturn:
    raise ValueError(text)


@pytest.mark.parametrize(
    ("one", "other", "are_same"),
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
def test_values_are_the_same_only_when_of_one_kind(one: Json, other: Json, are_same: bool) -> None:
    assert same(one, other) is are_same


@pytest.mark.parametrize(
    "text",
    [
        "",
        "NaN",
        "-Infinity",
        "1e999",
        "[1,]",
        "{'a': 1}",
        "[" * 100_000,
        "9" * 5000,
        b"\xff",
        '{"a": 1} x',
        "01",
    ],
)
def test_what_is_no_json_is_refused_with_a_reason(text: str | bytes) -> None:
    with pytest.raises(NotJson) as refused:
        parse(text)
    assert refused.value.reason


def test_nesting_is_allowed_to_the_deepest_level_and_no_deeper() -> None:
    def nested(levels: int) -> str:
        return "[" * levels + "]" * levels

    assert not too_deep(parse(nested(DEEPEST)))
    with pytest.raises(NotJson):
        parse(nested(DEEPEST + 1))
    assert parse('"' + "[{" * DEEPEST + '"') == "[{" * DEEPEST


def test_half_a_character_is_written_as_an_escape() -> None:
    assert not is_whole("\ud83d")
    assert render("\ud83d") == '"\\ud83d"'
    assert render("ä 😀") == '"ä 😀"'
