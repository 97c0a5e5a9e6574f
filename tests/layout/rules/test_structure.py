"""Structural errors above the items, which the service rejects with 400."""

import pytest

from batchwright.layout.nodes import NodePath
from batchwright.layout.rules import RejectionStatus
from batchwright.layout.rules.examples import FREE_TEXT, Example, pages
from tests.layout.rules.checks import problems


def test_every_structural_error_has_the_path_of_its_node() -> None:
    found = problems(
        pages(
            {"rows": [{"columns": [{"items": [FREE_TEXT, 7]}, {"items": []}]}, {"columns": []}]},
            {"rows": [{"columns": [{"items": [{"type": None}]}]}]},
            "page",
        )
    )
    assert [(problem.code, problem.path) for problem in found if problem.rejection] == [
        ("LY06", NodePath(0, 0, 0, 1)),
        ("LY05", NodePath(0, 0, 1)),
        ("LY04", NodePath(0, 1)),
        ("LY06", NodePath(1, 0, 0, 0)),
        ("LY03", NodePath(2)),
    ]


def test_structural_errors_are_rejected_with_400() -> None:
    (found,) = problems(Example([]))
    assert found.rejection is RejectionStatus.SHAPE
    assert found.path == NodePath()


@pytest.mark.spec("K-11", sides="C")
@pytest.mark.parametrize("count", [0, 3, 4])
def test_a_row_without_columns_or_with_more_than_two_is_rejected(count: int) -> None:
    columns = [{"items": [FREE_TEXT]}] * count
    example = pages({"rows": [{"columns": [{"items": [FREE_TEXT]}]}, {"columns": columns}]})
    (found,) = (problem for problem in problems(example) if problem.rejection)
    assert (found.code, found.path) == ("LY04", NodePath(0, 1))


def test_a_node_without_children_is_distinguished_from_a_non_object() -> None:
    empty, other = problems(pages({"rows": [{"columns": [{"items": [FREE_TEXT]}]}, {"items": []}, 5]}))
    assert "lacks its list of columns" in empty.message
    assert "Not a row" in other.message
