"""The rules on single items, and the paths and messages of their problems."""

import pytest

from batchwright.base.json_values import Json, json_equal
from batchwright.layout.nodes import NodePath
from batchwright.layout.rules import SchemaUnavailable, Severity
from batchwright.layout.rules.examples import (
    CHOICE,
    DATASET_FIELD,
    FILE_UPLOAD,
    FREE_TEXT,
    IMAGE,
    RICH_TEXT,
    SCHEMA,
    TEXT_WITH_UNIT,
    Example,
    layout_with,
    option,
    options,
    page,
    pages,
    units,
    with_attributes,
    without,
)
from batchwright.layout.serialization import write
from tests.layout.rules.checks import codes, errors, layout_of, messages_for, problems


def test_an_attribute_error_names_its_path_in_the_item() -> None:
    item = units(option("min"), {"value": "h", "validation": {"type": "string", "max": "9"}})
    assert messages_for(item, "LY11") == "Missing: unit 2, label. Fill it in."
    assert (
        messages_for(item, "LY13") == "Wrong type of value: unit 2, validation, maximum. It must be a number."
    )


@pytest.mark.parametrize(
    ("item", "what"),
    [
        (options(option("a"), "B", limit=1), "option 2. It must be a JSON object"),
        (
            with_attributes(FREE_TEXT, validation={"type": "number", "min": "1"}),
            "validation, minimum. It must be a number",
        ),
        (units(7), "unit 1. It must be a JSON object"),
        (with_attributes(FILE_UPLOAD, accepted_file_types=[".pdf", None]), "file type 2. It must be text"),
        (
            with_attributes(FILE_UPLOAD, accepted_file_types="pdf"),
            "accepted file types. It must be a list of texts",
        ),
    ],
)
def test_an_error_in_a_list_names_the_entry_and_the_required_type(item: Json, what: str) -> None:
    assert messages_for(item, "LY13") == f"Wrong type of value: {what}."


def test_one_item_may_have_several_problems() -> None:
    item = with_attributes(without(CHOICE, "description"), answer_limit=5, disable_dropdown="no")
    assert errors(layout_with(item)) == {"LY07", "LY11", "LY13"}


@pytest.mark.spec("L-16", sides="C")
def test_the_answer_limit_is_compared_with_the_number_of_options() -> None:
    assert errors(layout_with(with_attributes(CHOICE, options=["A", None, option("c")], answer_limit=3))) == {
        "LY13"
    }


@pytest.mark.parametrize("name", ["helper_text", "placeholder_text_input", "validation"])
def test_null_counts_as_not_set(name: str) -> None:
    assert codes(layout_with(with_attributes(FREE_TEXT, **{name: None}))) == set()


@pytest.mark.parametrize("value", [0, 0.0, False])
def test_zero_and_false_are_valid_values(value: Json) -> None:
    assert codes(layout_with(options(option(value), option("other")))) == set()


@pytest.mark.spec("L-12", "L-14", sides="C")
def test_a_field_is_identified_by_its_name() -> None:
    (twice,) = (
        problem
        for problem in problems(layout_with(FREE_TEXT, DATASET_FIELD, DATASET_FIELD, fields=SCHEMA))
        if problem.rejection
    )
    (unknown,) = (
        problem
        for problem in problems(
            layout_with(FREE_TEXT, with_attributes(DATASET_FIELD, field="?"), fields=SCHEMA)
        )
        if problem.rejection
    )
    assert (twice.code, twice.field, twice.path) == ("LY19", "prompt", NodePath(0, 0, 0, 2))
    assert (unknown.code, unknown.field, unknown.item_type) == ("LY17", "?", "dataset_field")


@pytest.mark.spec("L-13", sides="C")
def test_references_are_not_checked_while_the_dataset_is_unknown() -> None:
    assert errors(layout_with(DATASET_FIELD, fields=SchemaUnavailable.UNKNOWN)) == set()
    assert errors(layout_with(DATASET_FIELD, fields=SchemaUnavailable.NONE)) == {"LY16"}


def test_the_fix_of_a_misspelt_field_is_its_correct_name() -> None:
    (found,) = (
        problem
        for problem in problems(
            layout_with(FREE_TEXT, with_attributes(DATASET_FIELD, field="Prompt "), fields=SCHEMA)
        )
        if problem.fix
    )
    assert found.fix is not None
    assert found.fix.label == "Use “prompt”"


@pytest.mark.spec("L-17", sides="C")
@pytest.mark.parametrize(("value", "text"), [("min", "min"), (True, "true"), (10, "10"), (2.5, "2.5")])
def test_the_default_unit_is_compared_as_text(value: Json, text: str) -> None:
    assert errors(layout_with(units(option("other"), option(value), default_unit=text))) == set()
    assert errors(layout_with(units(option("other"), option(value), default_unit=f"{text}."))) == {"LY24"}


def test_counts_of_files_are_compared_with_their_defaults() -> None:
    assert "files (11) is above the maximum (10)" in messages_for(
        with_attributes(FILE_UPLOAD, min_file_count=11), "LY30"
    )


def test_an_http_address_is_fixed_to_https() -> None:
    (found,) = problems(layout_with(FREE_TEXT, with_attributes(IMAGE, url="http://example.net/a.png")))
    assert found.fix is not None
    (_question, image) = (
        item for _path, item in found.fix.edit(layout_of(layout_with(FREE_TEXT, IMAGE))).walk()
    )
    assert image.attributes["url"] == "https://example.net/a.png"


def test_rules_on_known_types_do_not_apply_to_unknown_ones() -> None:
    item: Json = {"type": "video_narration", "options": "none", "answer_limit": 0, "description": None}
    assert errors(layout_with(item)) == set()


@pytest.mark.parametrize(
    ("value", "fixed_value"),
    [("multiple_choise", "multiple_choice"), ("Free_Text", "free_text"), ("image ", "image"), ("xyz", None)],
)
def test_the_error_of_an_unknown_type_suggests_the_most_similar_one(
    value: str, fixed_value: str | None
) -> None:
    (found,) = (
        problem
        for problem in problems(layout_with(FREE_TEXT, {"type": value, "other": 1}))
        if problem.code == "LY32"
    )
    assert (found.path, found.item_type) == (NodePath(0, 0, 0, 1), value)
    assert found.severity is Severity.ERROR
    assert f"“{value}”" in found.message
    if fixed_value is not None:
        assert f"“{fixed_value}”" in found.message


def test_a_fix_for_an_unknown_type_is_offered_if_it_causes_no_other_error() -> None:
    misspelt = with_attributes(CHOICE, type="multiple_choise")
    (fixed,) = (problem for problem in problems(layout_with(misspelt)) if problem.fix)
    assert fixed.fix is not None
    (item,) = (item for _path, item in fixed.fix.edit(layout_of(layout_with(misspelt))).walk())
    assert item.attributes == CHOICE
    assert not [problem for problem in problems(layout_with({"type": "multiple_choise"})) if problem.fix]


def test_an_item_of_an_unknown_type_is_written_as_it_was_read() -> None:
    odd: Json = {"type": "hologram", "depth": 3.0, "id": "h1", "more": [None, {"a": 1}]}
    example = layout_with(FREE_TEXT, odd)
    assert json_equal(write(layout_of(example)), example.batch_items)


def test_each_question_on_an_intro_or_outro_page_is_a_problem() -> None:
    found = problems(
        pages(page(TEXT_WITH_UNIT), page(RICH_TEXT, FREE_TEXT, CHOICE, display_position="outro"))
    )
    assert [(problem.code, problem.path) for problem in found] == [
        ("LY31", NodePath(1, 0, 0, 1)),
        ("LY31", NodePath(1, 0, 0, 2)),
    ]


def test_blank_values_are_hints_only_where_any_text_is_valid() -> None:
    assert errors(layout_with(with_attributes(FREE_TEXT, description=" "))) == set()
    assert errors(layout_with(with_attributes(TEXT_WITH_UNIT, unit_position=" "))) == {"LY14"}


@pytest.mark.parametrize("odd", ["\ud800", "x" * 10**6, "{what}", "\ud83d" * 500])
def test_a_message_is_short_and_valid_unicode_whatever_it_quotes(odd: str) -> None:
    items = [
        {"type": odd},
        with_attributes(DATASET_FIELD, field=odd),
        with_attributes(IMAGE, url=odd),
        with_attributes(TEXT_WITH_UNIT, default_unit=odd, unit_position=odd),
        options(option(odd, odd), option(odd, odd)),
    ]
    found = problems(Example([page(*items, display_position=odd)], SCHEMA))
    assert len(found) >= len(items)
    for problem in found:
        assert problem.message.encode()
        assert len(problem.message) < 1000
        assert "{" not in problem.message or "{" in odd
