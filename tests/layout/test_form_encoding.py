"""Answers encoded as the form fields of a participant page, and decoded."""

from collections import defaultdict
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.base.json_values import Json, JsonObject, json_equal
from batchwright.layout.answers import FileEntry, GeneratedAnswer
from batchwright.layout.form_encoding import files_of
from batchwright.layout.item_types.registry import Instruction
from batchwright.layout.rules.examples import (
    CHOICE,
    CHOICE_WITH_TEXT,
    FILE_UPLOAD,
    FREE_TEXT,
    TEXT_WITH_UNIT,
    option,
    options,
    with_attributes,
)
from tests.layout.test_answers import as_stored, instruction, instructions
from tests.samples.layouts import LayoutSample
from tests.strategies import SLOW_STRATEGY, valid_layouts


def sent(fields: list[tuple[str, str]]) -> dict[str, list[str]]:
    """Fields as a form parser returns them."""
    gathered: dict[str, list[str]] = defaultdict(list)
    for name, value in fields:
        gathered[name].append(value)
    return dict(gathered)


def received(n: int, answer: GeneratedAnswer) -> list[FileEntry]:
    """The files of an answer, stored in the order in which they were sent."""
    return [file.stored(f"key-{k}") for k, (_name, file) in enumerate(files_of(n, answer))]


def read_back(item: Instruction, answer: GeneratedAnswer) -> list[JsonObject]:
    return item.from_form(2, sent(item.to_form(2, answer)), received(2, answer))


@SLOW_STRATEGY
@given(valid_layouts(), st.integers())
def test_a_random_answer_survives_form_encoding(sample: LayoutSample, seed: int) -> None:
    for item in instructions(sample):
        answer = item.random_answer(Random(seed))
        back = read_back(item, answer)
        assert json_equal(back, as_stored(answer)), (item, answer, back)
        assert item.validate_answer(back) == []


@pytest.mark.parametrize(
    ("item", "answer", "fields"),
    [
        (FREE_TEXT, [{"value": "so"}], [("i2", "so")]),
        (TEXT_WITH_UNIT, [{"value": "25", "unit": "h"}], [("i2", "25"), ("i2.u", "1")]),
        (
            with_attributes(CHOICE, answer_limit=2),
            [{"value": "a"}, {"value": "b"}],
            [("i2", "0"), ("i2", "1")],
        ),
        (CHOICE_WITH_TEXT, [{"value": 2, "explanation": "rude"}], [("i2", "1"), ("i2.e1", "rude")]),
        (FILE_UPLOAD, [{"file_name": "a.png"}], []),
        (FREE_TEXT, None, []),
        (CHOICE, [{"value": "gone"}], []),
    ],
)
def test_an_answer_is_encoded_as_the_fields_of_the_page(
    item: JsonObject, answer: Json, fields: list[tuple[str, str]]
) -> None:
    assert instruction(item).to_form(2, answer) == fields


@pytest.mark.parametrize(
    ("item", "fields", "answer"),
    [
        (FREE_TEXT, {}, []),
        (FREE_TEXT, {"i0": ["x"]}, []),
        (FREE_TEXT, {"i2": [" "]}, []),
        (FREE_TEXT, {"i2": ["one\r\ntwo"]}, [{"value": "one\ntwo"}]),
        (TEXT_WITH_UNIT, {"i2": [""], "i2.u": ["0"]}, [{"value": "", "unit": "min"}]),
        (TEXT_WITH_UNIT, {"i2": ["9"], "i2.u": ["7"]}, [{"value": "9"}]),
        (TEXT_WITH_UNIT, {"i2": [" "]}, []),
        (CHOICE, {"i2": []}, []),
        (CHOICE, {"i2": ["9"]}, [{"value": None}]),
        (CHOICE, {"i2": ["-1"]}, [{"value": None}]),
        (with_attributes(CHOICE, answer_limit=2), {"i2": ["1", "0"]}, [{"value": "a"}, {"value": "b"}]),
        (
            CHOICE_WITH_TEXT,
            {"i2": ["0"], "i2.e0": [""], "i2.e1": ["left over"]},
            [{"value": 1, "explanation": ""}],
        ),
    ],
)
def test_any_form_is_decoded(item: JsonObject, fields: dict[str, list[str]], answer: Json) -> None:
    assert json_equal(instruction(item).from_form(2, fields, []), answer)


def test_an_index_without_an_option_is_rejected() -> None:
    item = instruction(CHOICE)
    assert item.validate_answer(item.from_form(0, {"i0": ["0"]}, [])) == []
    assert item.validate_answer(item.from_form(0, {"i0": ["٠"]}, []))


def test_chosen_options_are_in_the_order_of_the_item() -> None:
    item = instruction(options(*(option(n) for n in range(12)), limit=-1))
    answer = item.from_form(0, {"i0": ["10", "2", "11", "0"]}, [])
    assert [entry["value"] for entry in answer] == [0, 2, 10, 11]


class CountedOptions(list[Json]):
    """Options that count how often they are read from the first on."""

    reads = 0

    def __iter__(self) -> Iterator[Json]:
        self.reads += 1
        return super().__iter__()


@pytest.mark.parametrize("example", [CHOICE, CHOICE_WITH_TEXT])
@pytest.mark.parametrize("chosen", [1, 40])
def test_options_are_read_once_however_many_are_chosen(example: JsonObject, chosen: int) -> None:
    offered = CountedOptions({"label": str(n), "value": n, "heading": ""} for n in range(40))
    item = instruction(with_attributes(example, options=offered, answer_limit=-1))
    offered.reads = 0
    fields = {"i0": [str(n) for n in range(chosen)], **{f"i0.e{n}": ["so"] for n in range(chosen)}}
    answer = item.from_form(0, fields, [])
    assert item.validate_answer(answer) == []
    assert sent(item.to_form(0, answer))["i0"] == fields["i0"]
    assert item.format_answer(answer).count(", ") == chosen - 1
    assert offered.reads == 1


def test_of_more_indices_than_options_only_as_many_as_make_an_error_are_decoded() -> None:
    item = instruction(options(option(0), option(1), limit=-1))
    answer = item.from_form(0, {"i0": ["1"] * 1000}, [])
    assert len(answer) == 3
    assert item.validate_answer(answer)
