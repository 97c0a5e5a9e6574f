"""Titles that distinguish records."""

from hypothesis import given, settings
from hypothesis import strategies as st

from batchwright.analysis.record_titles import MAX_TITLE_CHARS, titles_of


def test_the_field_with_the_most_distinct_values_is_the_title() -> None:
    records = {"t1": {"price": "61,5", "name": "Basil"}, "t2": {"price": "61,5", "name": "Mint"}}
    assert titles_of(records, ()).titles == {"t1": "Basil", "t2": "Mint"}


def test_a_displayed_field_is_preferred_to_equally_distinctive_metadata() -> None:
    records = {"t1": {"id": "1", "prompt": "Why?"}, "t2": {"id": "2", "prompt": "Where?"}}
    assert titles_of(records, ("prompt",)).titles == {"t1": "Why?", "t2": "Where?"}


def test_a_text_shared_by_all_records_is_not_a_title() -> None:
    records = {"t1": {"id": "1", "prompt": "Which?"}, "t2": {"id": "2", "prompt": "Which?"}}
    assert titles_of(records, ("prompt",)).titles == {"t1": "1", "t2": "2"}


def test_records_with_the_same_title_get_a_second_field() -> None:
    records = {
        "t1": {"topic": "a", "side": "left"},
        "t2": {"topic": "a", "side": "right"},
        "t3": {"topic": "b", "side": "left"},
        "t4": {"topic": "c", "side": "left"},
    }
    titled = titles_of(records, ())
    assert titled.titles["t2"] == "a · right"
    assert titled.fields == ("topic", "side")


def test_identical_records_are_distinguished_by_their_task() -> None:
    records = {
        "01a2-aaaabbbbcccc": {"topic": "kitchen"},
        "01a2-ddddeeeeffff": {"topic": "kitchen"},
        "01a2-111122223333": {"topic": "garden"},
    }
    assert list(titles_of(records, ()).titles.values()) == [
        "kitchen · bbbbcccc",
        "kitchen · eeeeffff",
        "garden",
    ]


def test_the_title_of_a_single_record_is_its_first_preferred_field() -> None:
    assert titles_of({"t1": {"id": "1", "prompt": "Why?"}}, ("prompt",)).titles == {"t1": "Why?"}


@settings(max_examples=30)
@given(st.dictionaries(st.text(max_size=3), st.dictionaries(st.text(max_size=2), st.text(max_size=400))))
def test_every_title_is_one_line_of_bounded_length(records: dict[str, dict[str, str]]) -> None:
    titles = titles_of(records, ()).titles
    assert titles.keys() == records.keys()
    assert all(len(title) <= MAX_TITLE_CHARS and len(title.splitlines()) <= 1 for title in titles.values())
