"""Error bodies as a service writes them."""

from dataclasses import dataclass

import pytest

from batchwright.base.json_values import is_array, is_object
from batchwright.layout.nodes import NodePath
from batchwright.wire.errors import general_error, layout_error


@dataclass(frozen=True)
class Problem:
    path: NodePath
    item_type: str | None
    field: str | None
    message: str


@pytest.mark.parametrize(
    ("status", "title"),
    [
        (400, "Bad Request"),
        (401, "Unauthorized"),
        (403, "Forbidden"),
        (404, "Not Found"),
        (405, "Method Not Allowed"),
        (409, "Conflict"),
        (422, "Unprocessable Entity"),
        (429, "Too Many Requests"),
        (500, "Internal Server Error"),
    ],
)
def test_the_general_body_contains_the_status_and_its_title(status: int, title: str) -> None:
    assert general_error(status, "Why.") == {
        "error": {"status": status, "error_code": status, "title": title, "detail": "Why."}
    }


def test_additional_information_is_separate_from_the_detail() -> None:
    assert general_error(400, ["One.", "Two."], "See there.") == {
        "error": {
            "status": 400,
            "error_code": 400,
            "title": "Bad Request",
            "detail": ["One.", "Two."],
            "additional_information": "See there.",
        }
    }


def test_a_layout_rejection_lists_every_item_with_zero_based_indices() -> None:
    problems = [
        Problem(NodePath(0, 1, 0, 2), "dataset_field", "colour", "There is no field colour."),
        Problem(NodePath(0, 1, 1, 0), "multiple_choice", "answer_limit", "Lower the answer limit."),
    ]
    assert layout_error(problems) == {
        "type": "INVALID_BATCH_ITEMS",
        "message": "batch_items failed validation",
        "issues": [
            {
                "page": 0,
                "row": 1,
                "column": 0,
                "item": 2,
                "type": "dataset_field",
                "field": "colour",
                "message": "There is no field colour.",
            },
            {
                "page": 0,
                "row": 1,
                "column": 1,
                "item": 0,
                "type": "multiple_choice",
                "message": "Lower the answer limit.",
            },
        ],
    }


def test_a_layout_rejection_names_every_item_and_counts_what_it_does_not_list() -> None:
    items = [NodePath(0, 0, 0, item) for item in range(2_000)]
    problems = [Problem(path, "multiple_choice", None, f"Error {n}.") for path in items for n in range(3)]
    body = layout_error(problems)
    issues = body["issues"]
    assert is_array(issues)
    assert [issue["item"] for issue in issues if is_object(issue) and issue["message"] == "Error 0."] == [
        *range(2_000)
    ]
    further = len(problems) - len(issues)
    assert further > 3_000
    assert (
        body["message"]
        == f"batch_items failed validation; {further} more issues of the same items are not listed"
    )
