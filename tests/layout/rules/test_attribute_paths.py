"""A problem names its attribute, independently of the language of its message."""

import pytest

from batchwright.base.json_values import JsonObject
from batchwright.layout.checking.validator import check_json
from batchwright.layout.rules.examples import (
    CHOICE,
    CHOICE_WITH_TEXT,
    FILE_UPLOAD,
    FREE_TEXT,
    TEXT_WITH_UNIT,
    layout_with,
    option,
    with_attributes,
)
from batchwright.layout.rules.problems import AttributePath

WITH_HEADINGS = [option("a", heading="Why?"), option("b", heading="")]


@pytest.mark.parametrize(
    ("item", "code", "path"),
    [
        (with_attributes(FREE_TEXT, description=""), "LY12", ("description",)),
        (
            with_attributes(FREE_TEXT, validation={"type": "number", "min": "x"}),
            "LY13",
            ("validation", None, "min"),
        ),
        (
            with_attributes(FREE_TEXT, validation={"type": "number", "min": 2, "max": 1}),
            "LY26",
            ("validation",),
        ),
        (with_attributes(CHOICE, answer_limit=3), "LY07", ("answer_limit",)),
        (with_attributes(CHOICE, options=[option("a"), option("", "B")]), "LY12", ("options", 1, "value")),
        (with_attributes(CHOICE, options=[option("a"), option("a", "B")]), "LY21", ("options", 1, "value")),
        (with_attributes(CHOICE, options=[7, option("a"), option("a", "B")]), "LY21", ("options",)),
        (with_attributes(CHOICE_WITH_TEXT, options=WITH_HEADINGS), "LY12", ("options", 1, "heading")),
        (with_attributes(FILE_UPLOAD, accepted_file_types=[".pdf", 7]), "LY13", ("accepted_file_types", 1)),
        (
            with_attributes(
                TEXT_WITH_UNIT, unit_options=[option("a", validation={"type": "string", "max": -1})]
            ),
            "LY25",
            ("unit_options", 0, "validation"),
        ),
        (
            with_attributes(TEXT_WITH_UNIT, unit_options=[option("a", "A"), option("b", "A")]),
            "LY52",
            ("unit_options",),
        ),
    ],
)
def test_a_problem_has_the_path_of_the_invalid_attribute(
    item: JsonObject, code: str, path: tuple[str | int | None, ...]
) -> None:
    problems = [problem for problem in check_json(layout_with(item).batch_items) if problem.code == code]
    assert [problem.attribute for problem in problems] == [AttributePath(*path)]  # type: ignore[arg-type]


def test_only_missing_and_empty_attributes_are_to_be_filled_in() -> None:
    item = with_attributes(FREE_TEXT, description="", helper_text=7)
    assert {problem.code: problem.is_unfilled for problem in check_json(layout_with(item).batch_items)} == {
        "LY12": True,
        "LY13": False,
    }


def test_options_without_a_value_are_not_duplicates() -> None:
    empty = [option("", "A"), option("", "B")]
    problems = check_json(layout_with(with_attributes(CHOICE, options=empty)).batch_items)
    assert [problem.code for problem in problems] == ["LY12", "LY12"]
