"""Answers: validation, random answers, and their text in a report."""

import math
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.base.json_values import Json, JsonObject, is_array
from batchwright.layout.answers import BYTES_PER_MB, FileEntry, GeneratedFile
from batchwright.layout.item_types.registry import FileUpload, Instruction
from batchwright.layout.rules.examples import (
    CHOICE,
    CHOICE_WITH_TEXT,
    FILE_UPLOAD,
    FREE_TEXT,
    TEXT_WITH_UNIT,
    option,
    options,
    units,
    with_attributes,
)
from batchwright.layout.serialization import read, read_item, sequential_keys
from tests.samples.layouts import LayoutSample
from tests.strategies import SLOW_STRATEGY, valid_layouts


def instruction(value: JsonObject) -> Instruction:
    item = read_item(value, sequential_keys())
    assert isinstance(item, Instruction)
    return item


def errors_for(value: JsonObject, *entries: Json) -> list[str]:
    return instruction(value).validate_answer(entries)


def limited(kind: str, least: Json = None, most: Json = None) -> JsonObject:
    return with_attributes(FREE_TEXT, validation={"type": kind, "min": least, "max": most})


def file(name: str = "a.png", size: Json = 1) -> JsonObject:
    return {"file_key": "k", "file_name": name, "file_size_mb": size, "content_type": "image/png"}


@pytest.mark.parametrize(
    "item",
    [FREE_TEXT, TEXT_WITH_UNIT, CHOICE, CHOICE_WITH_TEXT, FILE_UPLOAD],
    ids=lambda item: str(item["type"]),
)
def test_every_instruction_needs_an_answer(item: JsonObject) -> None:
    assert errors_for(item)


@pytest.mark.parametrize(
    "text", ["", " ", "\n\t", "\u00a0", "\u200b", "\u200b \ufeff", "\u2060", "\u00ad", "\u3164", "\0"]
)
def test_a_blank_text_is_not_an_answer(text: str) -> None:
    assert errors_for(FREE_TEXT, {"value": text}) == ["Please answer this question."]


@pytest.mark.parametrize("kind", ["string", "number"])
def test_a_text_with_a_null_character_is_rejected(kind: str) -> None:
    (error,) = errors_for(limited(kind), {"value": "1\0"})
    assert "cannot be stored" in error


@pytest.mark.parametrize("text", ["👩\u200d🚀", "a\u200b", "\ufe0f❤", "नमस्ते", "\u200b."])
def test_a_text_may_contain_invisible_characters(text: str) -> None:
    assert errors_for(FREE_TEXT, {"value": text}) == []


@pytest.mark.parametrize("answer", [None, 5, "text", {"value": "x"}, ["x"], [None], [{"value": "x"}, 1]])
def test_a_malformed_answer_is_rejected(answer: Json) -> None:
    for item in (FREE_TEXT, TEXT_WITH_UNIT, CHOICE, CHOICE_WITH_TEXT, FILE_UPLOAD):
        assert instruction(item).validate_answer(answer)


@pytest.mark.parametrize("value", [None, 1, True, ["x"], {}])
def test_a_typed_answer_must_be_text(value: Json) -> None:
    assert errors_for(FREE_TEXT, {"value": value})
    assert errors_for(TEXT_WITH_UNIT, {"value": value, "unit": "min"})


@pytest.mark.parametrize("text", ["1", "-1", "+1", "0.5", "00", "1e3", "1e+3", "1.5E-2", " 2 ", "1e400"])
def test_a_plain_decimal_number_is_valid(text: str) -> None:
    assert errors_for(limited("number"), {"value": text}) == []


@pytest.mark.parametrize(
    "text",
    [
        "one",
        "1e9999999999999999999",
        "1,5",
        "1.",
        ".5",
        "0x1",
        "1e",
        "1_000",
        "٣",
        "inf",
        "nan",
        "--1",
        "1 2",
    ],
)
def test_other_texts_are_not_numbers(text: str) -> None:
    assert errors_for(limited("number"), {"value": text}) == ["Please enter a number, like 12 or 0.5."]


@pytest.mark.parametrize(
    ("text", "fine"), [("0.1", True), ("0.3", True), ("0.09999", False), ("0.3000001", False)]
)
def test_the_bounds_are_part_of_the_range(text: str, fine: bool) -> None:
    assert (errors_for(limited("number", 0.1, 0.3), {"value": text}) == []) == fine


def test_numbers_beyond_the_precision_of_floats_are_compared_exactly() -> None:
    assert errors_for(limited("number", None, 10**30), {"value": str(10**30)}) == []
    assert errors_for(limited("number", None, 10**30), {"value": str(10**30 + 1)})
    assert errors_for(limited("number", None, 5), {"value": "1e999999"})


@pytest.mark.parametrize(
    ("text", "fine"), [("ab", False), ("abc", True), ("🙂🙂🙂", True), ("abcde", True), ("abcdef", False)]
)
def test_characters_are_counted_as_code_points(text: str, fine: bool) -> None:
    assert (errors_for(limited("string", 3, 5), {"value": text}) == []) == fine


def test_with_a_maximum_of_zero_characters_no_answer_is_required() -> None:
    assert errors_for(limited("string", 0, 0)) == []
    assert errors_for(limited("string", 0, 0), {"value": "x"})
    assert instruction(limited("string", 0, 0)).random_answer(Random(1)) == []


def test_a_unit_must_be_chosen_and_determines_the_validation() -> None:
    item = units(option("min"), option("h", validation={"type": "number", "max": 24}))
    assert errors_for(item, {"value": "9"}) == ["Please choose a unit."]
    assert errors_for(item, {"value": "9", "unit": "s"}) == ["Please choose a unit."]
    assert errors_for(item, {"value": "99", "unit": "min"}) == []
    assert errors_for(item, {"value": "99", "unit": "h"}) == ["Please enter a number that is at most 24."]


def test_no_more_options_than_allowed_may_be_chosen() -> None:
    assert errors_for(CHOICE, {"value": "a"}) == []
    assert errors_for(CHOICE, {"value": "a"}, {"value": "b"}) == ["Please choose only 1 option."]
    assert errors_for(with_attributes(CHOICE, answer_limit=-1), {"value": "a"}, {"value": "b"}) == []


@pytest.mark.parametrize("unlimited", [-1, None, 0, -7, 1.0, "2"])
def test_without_a_limit_all_options_may_be_chosen(unlimited: Json) -> None:
    assert errors_for(with_attributes(CHOICE, answer_limit=unlimited), {"value": "a"}, {"value": "b"}) == []


@pytest.mark.parametrize("odd", [None, False, 1, "yes"])
def test_only_true_makes_an_option_exclusive(odd: Json) -> None:
    item = options(option("a", exclusive=odd), option("b"), limit=2)
    assert errors_for(item, {"value": "a"}, {"value": "b"}) == []


def test_an_option_is_identified_by_its_value_and_json_type() -> None:
    item = options(option(1), option("1", "One"), option(True, "Yes"))
    assert errors_for(item, {"value": 1.0}) == []
    assert errors_for(item, {"value": True}) == []
    assert errors_for(item, {"value": "true"})
    assert errors_for(options(option(1)), {"value": True})


def test_an_option_may_be_chosen_only_once() -> None:
    assert errors_for(with_attributes(CHOICE, answer_limit=2), {"value": "a"}, {"value": "a"}) == [
        "An option was chosen twice. Please choose again."
    ]


def test_an_exclusive_option_excludes_all_others() -> None:
    item = options(option("a"), option("b"), option("none", "None", exclusive=True), limit=-1)
    assert errors_for(item, {"value": "none"}) == []
    assert errors_for(item, {"value": "none"}, {"value": "a"}) == [
        "“None” cannot be combined with other options."
    ]


@pytest.mark.parametrize(
    "entry",
    [{"value": 1}, *({"value": 1, "explanation": text} for text in (" ", "\u200b", "\0", 3))],
)
def test_each_chosen_option_needs_its_text(entry: JsonObject) -> None:
    assert errors_for(CHOICE_WITH_TEXT, {"value": 2, "explanation": "rude"}, entry) == [
        "Please explain your choice of “Length”."
    ]


@pytest.mark.parametrize("count", [0, 1, 4])
def test_the_number_of_files_is_validated(count: int) -> None:
    item = with_attributes(FILE_UPLOAD, min_file_count=2, max_file_count=3)
    assert len(errors_for(item, *[file()] * count)) == 1


@pytest.mark.parametrize(
    ("name", "fine"), [("a.PNG", True), ("a.heic", True), ("a.pdf", False), ("png", False)]
)
def test_file_types_are_determined_by_extension(name: str, fine: bool) -> None:
    assert (errors_for(FILE_UPLOAD, file(name)) == []) == fine


@pytest.mark.parametrize(
    ("size", "fine"), [(25, True), (25.01, False), (0, False), (1e-6, True), (True, False), ("1", False)]
)
def test_the_size_of_files_is_validated(size: Json, fine: bool) -> None:
    assert (errors_for(FILE_UPLOAD, file(size=size)) == []) == fine


def test_the_maximum_file_size_may_be_a_fraction_of_a_megabyte() -> None:
    item = with_attributes(FILE_UPLOAD, max_file_size_mb=0.5)
    assert errors_for(item, file(size=0.5)) == []
    assert errors_for(item, file(size=0.51)) == ["“a.png” is larger than 0.5 MB."]


def test_a_file_may_be_empty_where_no_other_is_small_enough() -> None:
    assert errors_for(with_attributes(FILE_UPLOAD, max_file_size_mb=1e-9), file(size=0)) == []
    assert errors_for(FILE_UPLOAD, file(size=0)) == [
        "“a.png” is empty. Please check the file, and add it again."
    ]


@pytest.mark.parametrize("size", [1e308, 10**400])
def test_an_invalid_limit_is_ignored(size: Json) -> None:
    item = with_attributes(FILE_UPLOAD, max_file_size_mb=size)
    assert errors_for(item, file(size=5000)) == []
    upload = instruction(item)
    assert isinstance(upload, FileUpload)
    assert upload.limits.size_mb * BYTES_PER_MB < math.inf


def test_an_uploaded_file_has_its_size_in_megabytes() -> None:
    assert FileEntry("k", "a.png", 1024 * 1024 // 2, "image/png").as_json() == file(size=0.5)


CELLS = [
    (FREE_TEXT, [{"value": "Because,\nreally"}], "Because,\nreally"),
    (TEXT_WITH_UNIT, [{"value": "25", "unit": "min"}], "25 minutes"),
    (with_attributes(TEXT_WITH_UNIT, unit_position="prefix"), [{"value": "25", "unit": "h"}], "hours 25"),
    (TEXT_WITH_UNIT, [{"value": "25", "unit": "gone"}], "25 gone"),
    (TEXT_WITH_UNIT, [{"value": "25"}], "25"),
    (CHOICE, [{"value": "b"}], "The second"),
    (CHOICE, [{"value": "gone"}], "gone"),
    (options(option(True, "Yes"), option(2, "Two")), [{"value": True}, {"value": 2}], "Yes, Two"),
    (CHOICE_WITH_TEXT, [{"value": 1, "explanation": "page 3"}, {"value": 2}], "Length: page 3, Tone"),
    (FILE_UPLOAD, [file("a.png"), file("b.png")], "a.png, b.png"),
    (FREE_TEXT, [], ""),
    (FREE_TEXT, None, ""),
]


@pytest.mark.parametrize(("item", "answer", "cell"), CELLS)
def test_a_report_cell_contains_labels_and_not_values(item: JsonObject, answer: Json, cell: str) -> None:
    assert instruction(item).format_answer(answer) == cell


def instructions(sample: LayoutSample) -> list[Instruction]:
    assert is_array(sample.batch_items)
    return [item for _path, item in read(sample.batch_items, sequential_keys()).instructions()]


def as_stored(answer: list[Any]) -> list[Any]:
    """A random answer as it is in a response once its files have been stored."""
    return [
        one.stored(f"key-{n}").as_json() if isinstance(one, GeneratedFile) else one
        for n, one in enumerate(answer)
    ]


@SLOW_STRATEGY
@given(valid_layouts(), st.integers())
def test_a_random_answer_is_always_valid_and_depends_only_on_the_seed(
    sample: LayoutSample, seed: int
) -> None:
    for item in instructions(sample):
        answers = item.random_answer(Random(seed))
        assert item.random_answer(Random(seed)) == answers
        answer = as_stored(answers)
        assert item.validate_answer(answer) == [], (item, answer)
        assert item.format_answer(answer) or not answer
        first = as_stored(item.first_option_answer(Random(seed)))
        assert not first or item.validate_answer(first) == [], (item, first)


@pytest.mark.parametrize(
    ("least", "most"),
    [
        (0.25, 0.75),
        (1e-9, 2e-9),
        (-0.5, -0.25),
        (None, -1e300),
        (10**40, None),
        (0.1, 0.1),
        (3, 3),
        (None, None),
    ],
)
def test_random_numbers_are_within_any_bounds(least: Json, most: Json) -> None:
    item = instruction(limited("number", least, most))
    for seed in range(20):
        assert item.validate_answer(as_stored(item.random_answer(Random(seed)))) == []


def test_a_random_answer_with_a_unit_is_a_number_if_any_text_is_allowed() -> None:
    for seed in range(5):
        (entry,) = as_stored(instruction(TEXT_WITH_UNIT).random_answer(Random(seed)))
        assert entry["value"].isdecimal()


@pytest.mark.parametrize("size", [0.00001, 1e-9, 0.5])
def test_random_files_respect_the_maximum_size(size: float) -> None:
    item = instruction(
        with_attributes(FILE_UPLOAD, max_file_size_mb=size, accepted_file_types=[".heic", ".Pdf", "."])
    )
    for seed in range(20):
        assert item.validate_answer(as_stored(item.random_answer(Random(seed)))) == []


@pytest.mark.parametrize(
    "item",
    [
        options(),
        with_attributes(CHOICE, options=5),
        units(),
        with_attributes(TEXT_WITH_UNIT, unit_options=None),
    ],
)
def test_an_item_that_cannot_be_answered_has_no_random_answer(item: JsonObject) -> None:
    assert instruction(item).random_answer(Random(1)) == []


def test_random_answers_include_every_kind_of_choice() -> None:
    item = instruction(options(option("a"), option("b"), option("c"), option("no", exclusive=True), limit=2))
    answer = {
        tuple(str(entry["value"]) for entry in as_stored(item.random_answer(Random(seed))))
        for seed in range(200)
    }
    assert answer == {("a",), ("b",), ("c",), ("no",), ("a", "b"), ("a", "c"), ("b", "c")}
