"""Validation of records against a schema (wire reference, 4.3)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.base.json_values import Json
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.schema.record_validator import RAW, Record, RecordError, RecordValidator

PICTURE = "https://example.com/cat.png"
SOUND = "http://example.com/a/cat.WAV?x=1"

cells = st.sampled_from(["", "word", "ä", "\udcff", PICTURE, "ftp://x", SOUND]) | st.text(max_size=5)


def checker(*, strict: bool = True, **types: str) -> RecordValidator:
    return RecordValidator(Schema(strict, {key: Field(FieldType(type)) for key, type in types.items()}))


def validate(type: str, value: Json) -> Record | RecordError:
    return checker(field=type).check({"field": value})


def is_rejected(type: str, value: Json) -> bool:
    error = validate(type, value)
    if isinstance(error, RecordError):
        assert error.field == "field"
        assert error.reason
        return True
    return False


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("words", "words"),
        ("", ""),
        (1, "1"),
        (1.0, "1.0"),
        (1e100, "1e+100"),
        (-0.5, "-0.5"),
        (True, "true"),
        (False, "false"),
    ],
)
def test_text_is_unchanged_and_numbers_and_booleans_become_text(value: Json, text: str) -> None:
    assert validate("text", value) == {"field": text}


@pytest.mark.parametrize("type", ["metadata", "task_group_id"])
@pytest.mark.parametrize("value", ["", "words", 0, 7, 1.0, True, False])
def test_nested_values_keep_their_type(type: str, value: Json) -> None:
    record = validate(type, value)
    assert isinstance(record, dict)
    assert repr(record["field"]) == repr(value)


@pytest.mark.parametrize("type", list(FieldType))
@pytest.mark.parametrize(
    "value", [[], {}, ["words"], {"a": 1}, float("nan"), float("inf"), "\ud800", PICTURE + "\udfff"]
)
def test_no_field_takes_arrays_objects_endless_numbers_or_lone_surrogates(type: str, value: Json) -> None:
    assert is_rejected(type, value)


@pytest.mark.parametrize("type", ["image_url", "audio_url", "video_url"])
@pytest.mark.parametrize("value", [1, True, "words", "https://example.com/page", "//example.com/a.png"])
def test_url_fields_accept_only_urls(type: str, value: Json) -> None:
    assert is_rejected(type, value) is not (type == "image_url" and value == "https://example.com/page")


@pytest.mark.parametrize(
    ("type", "extensions"),
    [("audio_url", [".aac", ".m4a", ".mp3", ".wav"]), ("video_url", [".mp4", ".webm", ".mov"])],
)
def test_media_fields_require_their_extensions(type: str, extensions: list[str]) -> None:
    for extension in extensions:
        for address in (f"http://example.com/a{extension}", f"HTTPS://example.com/a{extension.upper()}?b#c"):
            assert validate(type, address) == {"field": address}
    assert is_rejected(type, PICTURE)
    assert is_rejected(type, f"https://example.com/?a{extensions[0]}")


def test_only_media_fields_accept_an_empty_url() -> None:
    assert validate("audio_url", "") == {"field": ""}
    assert validate("video_url", "") == {"field": ""}
    assert is_rejected("image_url", "")


def test_null_counts_as_missing() -> None:
    assert is_rejected("text", None)
    assert checker(strict=False, field="text").check({"field": None}) == {}


def test_a_strict_schema_requires_every_field_and_a_lenient_one_none() -> None:
    missing = checker(a="text", b="metadata").check({"a": "x"})
    assert isinstance(missing, RecordError)
    assert missing.field == "b"
    assert checker(strict=False, a="text", b="metadata").check({"b": 2}) == {"b": 2}
    assert checker(strict=False, a="text", b="metadata").check({}) == {}


def test_unknown_keys_are_neither_validated_nor_stored() -> None:
    assert checker(a="text").check({"z": [float("nan")], "a": "x", "A": "y"}) == {"a": "x"}


def test_the_first_error_in_the_order_of_the_schema_is_reported() -> None:
    error = checker(a="image_url", b="text", c="text").check({"c": [], "b": [], "a": PICTURE})
    assert isinstance(error, RecordError)
    assert error.field == "b"


def test_a_record_is_stored_in_the_order_of_the_schema() -> None:
    record = checker(a="text", b="text").check({"b": "2", "a": "1"})
    assert list(record.items() if isinstance(record, dict) else ()) == [("a", "1"), ("b", "2")]


@pytest.mark.parametrize("raw", [None, True, 1, "words", [], [{"a": "x"}]])
def test_a_value_that_is_not_an_object_is_an_error_of_the_complete_record(raw: Json) -> None:
    error = checker(strict=False, a="text").check(raw)
    assert isinstance(error, RecordError)
    assert error.field == RAW


def test_header_names_are_trimmed_and_other_columns_ignored() -> None:
    check = checker(a="text", b="metadata").row_check([" b ", "z", "\ta"])
    assert check(["1", "[", "x"]) == {"a": "x", "b": "1"}


def test_the_first_of_two_columns_with_one_name_is_used() -> None:
    judge = checker(a="text")
    assert judge.row_check(["a", " a "])(["1", "2"]) == {"a": "1"}
    assert isinstance(judge.row_check(["a", "a"])(["", "2"]), RecordError)


@pytest.mark.parametrize("row", [[], ["x"], ["x", "y", "z"]])
def test_ragged_rows_are_errors_of_the_complete_record(row: list[str]) -> None:
    error = checker(strict=False, a="text").row_check(["a", "b"])(row)
    assert isinstance(error, RecordError)
    assert error.field == RAW


def test_an_empty_cell_is_a_missing_field() -> None:
    error = checker(a="audio_url").row_check(["a"])([""])
    assert isinstance(error, RecordError)
    assert checker(strict=False, a="audio_url").row_check(["a"])([""]) == {}


@given(st.booleans(), st.lists(cells, min_size=3, max_size=3))
def test_a_row_is_validated_like_the_equivalent_object(strict: bool, row: list[str]) -> None:
    judge = checker(strict=strict, t="text", p="image_url", s="audio_url")
    raw: Json = {key: cell for key, cell in zip("tps", row, strict=True) if cell}
    assert judge.row_check(["t", "p", "s"])(row) == judge.check(raw)


@given(
    st.booleans(),
    st.permutations(["t", "p", "s", "other"]).flatmap(
        lambda names: st.integers(1, 4).map(lambda end: names[:end])
    ),
    st.lists(st.lists(cells, max_size=5), max_size=6),
)
def test_a_batch_of_rows_is_valid_if_no_row_is_an_error(
    strict: bool, header: list[str], rows: list[list[str]]
) -> None:
    judge = checker(strict=strict, t="text", p="image_url", s="audio_url")
    check = judge.row_check(header)
    assert judge.block_check(header)(rows) is not any(isinstance(check(row), RecordError) for row in rows)


@given(
    st.dictionaries(
        st.sampled_from("abc"), st.none() | st.booleans() | st.integers() | st.floats() | st.text()
    )
)
def test_a_stored_record_can_be_serialised_and_is_accepted_again_unchanged(raw: dict[str, Json]) -> None:
    judge = checker(strict=False, a="text", b="metadata", c="task_group_id")
    record = judge.check(raw)
    if isinstance(record, dict):
        text = json.dumps(record, ensure_ascii=False, allow_nan=False)
        text.encode()
        assert judge.check(json.loads(text)) == record
