"""Faults above the item: what the service answers with 400."""

import pytest

from batchwright.layout.nodes import NodePath
from batchwright.layout.rules import RejectionStatus
from batchwright.layout.rules.examples import FREE_TEXT, Example, pages
from tests.layout.rules.checks import problems


def test_every_fault_of_shape_is_placed_where_it_is() -> None:
    found = problems(
        pages(
            {"rows": [{"columns": [{"items": [FREE_TEXT, 7]}, {"items": []}]}, {"columns": []}]},
            {"rows": [{"columns": [{"items": [{"type": None}]}]}]},
            "page",
        )
    )
    assert [(one.code, one.path) for one in found if one.rejection] == [
        ("LY06", NodePath(0, 0, 0, 1)),
        ("LY05", NodePath(0, 0, 1)),
        ("LY04", NodePath(0, 1)),
        ("LY06", NodePath(1, 0, 0, 0)),
        ("LY03", NodePath(2)),
    ]


def test_faults_of_shape_are_refused_with_400() -> None:
    (found,) = problems(Example([]))
    assert found.rejection is RejectionStatus.SHAPE
    assert found.path == NodePath()


@pytest.mark.spec("K-11", sides="C")
@pytest.mark.parametrize("count", [0, 3, 4])
def test_a_row_of_none_or_more_than_two_columns_is_refused(count: int) -> None:
    columns = [{"items": [FREE_TEXT]}] * count
    example = pages({"rows": [{"columns": [{"items": [FREE_TEXT]}]}, {"columns": columns}]})
    (found,) = (one for one in problems(example) if one.rejection)
    assert (found.code, found.path) == ("LY04", NodePath(0, 1))


def test_an_entry_that_lacks_its_list_is_told_from_one_that_is_no_object() -> None:
    lacking, other = problems(pages({"rows": [{"columns": [{"items": [FREE_TEXT]}]}, {"items": []}, 5]}))
    assert "lacks its list of columns" in lacking.message
    assert "Not a row" in other.message
