"""A long array is parsed entry by entry, as strictly as the complete value."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.base.json_incremental import iter_array
from batchwright.base.json_values import DEEPEST_WRAPPED, InvalidJson

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
OTHERS = st.dictionaries(st.text(max_size=3).filter(lambda name: name != "results"), VALUES, max_size=3)


@given(st.lists(VALUES, max_size=4), OTHERS, st.sampled_from([None, 1]))
def test_the_entries_equal_those_of_the_complete_value(
    listed: list[object], others: dict[str, object], indent: int
) -> None:
    before, after = json.dumps({"a": others, "results": listed}, indent=indent), {"results": listed, **others}
    assert list(iter_array(before.encode(), "results")) == listed
    assert list(iter_array(json.dumps(after, ensure_ascii=False).encode(), "results")) == listed


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
def test_other_values_are_rejected(text: str) -> None:
    with pytest.raises(InvalidJson):
        list(iter_array(text.encode(), "results"))


def test_entries_before_an_error_are_yielded_and_the_error_has_its_position() -> None:
    actual = iter_array(b'{"results": [1,\n 2,\n oops]}', "results")
    assert [next(actual), next(actual)] == [1, 2]
    with pytest.raises(InvalidJson) as caught:
        next(actual)
    assert (caught.value.line, caught.value.column) == (3, 2)


def test_invalid_utf_8_is_rejected() -> None:
    with pytest.raises(InvalidJson):
        list(iter_array(b'{"results": ["\xff"]}', "results"))
