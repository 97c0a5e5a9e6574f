"""Files are parsed like texts, and long arrays entry by entry, as strictly as the complete value."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.base.json_texts import json_cursor
from batchwright.base.json_texts.json_incremental import iter_array, iter_entry_texts, parse_file
from batchwright.base.json_values import (
    DEEPEST,
    DEEPEST_WRAPPED,
    InvalidJson,
    Json,
    json_equal,
    parse,
    to_json,
)

VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


def error(content: bytes) -> InvalidJson:
    with pytest.raises(InvalidJson) as refused:
        parse_file(content)
    return refused.value


@given(VALUES, st.sampled_from([None, 1]), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_any_value_is_parsed_in_any_unicode_encoding(value: Json, indent: int | None, encoding: str) -> None:
    assert json_equal(parse_file(to_json(value, indent=indent).encode(encoding)), value)


@given(VALUES, st.integers(0, 60), st.sampled_from(list(' ,:[]{}"1a\n')))
def test_a_damaged_text_is_parsed_or_rejected_like_by_the_other_parser(
    value: Json, at: int, sign: str
) -> None:
    text = json.dumps(value)
    damaged = (text[:at] + sign + text[at:]).encode()
    message, expected = outcome(parse_file, damaged), outcome(parse, damaged)
    assert message == expected or "occurs twice" in str(message)


def outcome(read: Callable[[bytes], Json], content: bytes) -> str:
    """The parsed value, or the reason why parsing fails."""
    try:
        return json.dumps(read(content))
    except InvalidJson as refused:
        return f"refused: {refused}"


@pytest.mark.parametrize(
    ("text", "key", "line", "column"),
    [
        ('{"a": 1, "a": 2}', "a", 1, 10),
        ('[{"rows": [],\n  "b": {"c": 1, "d": {"c": 2}, "c": 3}}]', "c", 2, 32),
        ('{"a": {"b": 1},\n "b": [{"a": "a", "\\u0061": 2}]}', "a", 2, 19),
    ],
)
def test_a_duplicate_key_is_rejected_with_its_position(text: str, key: str, line: int, column: int) -> None:
    refused = error(text.encode())
    assert refused.reason == f"the key “{key}” occurs twice in one object"
    assert (refused.line, refused.column) == (line, column)


@pytest.mark.parametrize(
    ("content", "reason", "line"),
    [
        (b"", "a value is missing", 1),
        (b"[\n NaN]", "NaN is not a JSON number", 2),
        (b'[{"a": [\n{"b": [1, 1e999]}]}]', "the number 1e999 is too large", 2),
        (b'[{"a": [\n{"b": [1,, 2]}]}]', "a value is missing", 2),
        (b'{"a": 1,\n}', "a key in double quotes is missing", 2),
        (b'["\xff"]', "a character here is not UTF-8", 1),
        ("[1]".encode("utf-16") + b"\x00", "invalid UTF-16", None),
        (b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1), "arrays and objects are nested more than 100", 1),
        (b"[" * 100_000, "arrays and objects are nested more than 100", 1),
        (b"[1] 2", "there is unexpected content after the end", 1),
    ],
)
def test_invalid_json_is_rejected_with_the_position(content: bytes, reason: str, line: int | None) -> None:
    refused = error(content)
    assert refused.reason.startswith(reason)
    assert refused.line == line


ENTRIES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
OTHERS = st.dictionaries(st.text(max_size=3).filter(lambda name: name != "results"), ENTRIES, max_size=3)


@given(st.lists(ENTRIES, max_size=4), OTHERS, st.sampled_from([None, 1]), st.sampled_from([1, 7, 1 << 18]))
def test_the_entries_equal_those_of_the_complete_value(
    listed: list[object], others: dict[str, object], indent: int, piece: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_cursor, "_PIECE_BYTES", piece)
        compare_entries(listed, others, indent)


def compare_entries(listed: list[object], others: dict[str, object], indent: int) -> None:
    before, after = json.dumps({"a": others, "results": listed}, indent=indent), {"results": listed, **others}
    assert list(iter_array(before.encode(), "results")) == listed
    assert list(iter_array(json.dumps(after, ensure_ascii=False).encode(), "results")) == listed
    texts = list(iter_entry_texts(json.dumps(listed, ensure_ascii=False, indent=indent).encode()))
    assert [json.loads(text) for text in texts] == listed


@pytest.mark.parametrize("start", range(24))
def test_a_number_may_be_cut_anywhere(monkeypatch: pytest.MonkeyPatch, start: int) -> None:
    monkeypatch.setattr(json_cursor, "_PIECE_BYTES", 24)
    text = " " * start + '{"results": [1.5e+10, 25E-1, -0.5, 1e22], "n": 2.5e-3}'
    assert list(iter_array(text.encode(), "results")) == [1.5e10, 2.5, -0.5, 1e22]


@pytest.mark.parametrize("text", ["{}", '{"results": null}', '{"meta": {"results": [1]}}', '{"results": []}'])
def test_an_array_that_is_absent_or_null_has_no_entries(text: str) -> None:
    assert list(iter_array(text.encode(), "results")) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[1]",
        '{"results": 5}',
        '{"results": {}}',
        '{"results": [1, 2}',
        '{"results": [1, 2',
        '{"results": [1 2]}',
        '{"results": [1,]}',
        '{"results": [1], }',
        '{"results": [1]} more',
        '{"results" [1]}',
        "{results: [1]}",
        '{5: [1], "results": []}',
        '{"results": [NaN]}',
        '{"results": [1e999]}',
        '{"results": ["\ufeff}',
        '{"results": [' + "[" * (DEEPEST_WRAPPED + 1) + "]" * (DEEPEST_WRAPPED + 1) + "]}",
    ],
)
def test_an_object_without_a_valid_array_is_rejected(text: str) -> None:
    with pytest.raises(InvalidJson):
        list(iter_array(text.encode(), "results"))


@pytest.mark.parametrize("text", ["", "5", "{}", "[1", "[1] 2", "[1,]", '["a', "[1 2]"])
def test_what_is_no_array_has_no_entry_texts(text: str) -> None:
    with pytest.raises(InvalidJson):
        list(iter_entry_texts(text.encode()))


def test_entries_before_an_error_are_yielded_and_the_error_has_its_position() -> None:
    actual = iter_array(b'{"results": [1,\n 2,\n oops]}', "results")
    assert [next(actual), next(actual)] == [1, 2]
    with pytest.raises(InvalidJson) as caught:
        next(actual)
    assert (caught.value.line, caught.value.column) == (3, 2)


def test_invalid_utf_8_in_an_array_is_rejected() -> None:
    with pytest.raises(InvalidJson):
        list(iter_array(b'{"results": ["\xff"]}', "results"))


def test_a_duplicate_among_many_keys_is_found_in_linear_time() -> None:
    keys = "".join(f'"{number}":1,' for number in range(100_000))
    with pytest.raises(InvalidJson, match="“99999” occurs twice"):
        parse_file(f'{{{keys} "99999": 2}}'.encode())
