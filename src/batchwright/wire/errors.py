"""Error bodies that the service sends (wire reference, 2.1 and 2.3); `error_parsing` is the counterpart."""

from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Protocol

from batchwright.base.json_values import Json
from batchwright.layout.nodes import NodePath
from batchwright.wire.base import ResponseBody, to_payload

LAYOUT_REJECTED = "INVALID_BATCH_ITEMS"
"""The `type` by which a layout error is recognised."""

_TITLES = {
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "Request Entity Too Large",
    HTTPStatus.UNPROCESSABLE_ENTITY: "Unprocessable Entity",
}
"""Reason phrases that newer versions of Python have changed."""

Detail = str | Sequence[str] | Mapping[str, Sequence[str]]
"""One message, several, or several by field."""


class LayoutIssue(ResponseBody):
    """An invalid item of a rejected layout; its position counts from 0."""

    page: int | None = None
    row: int | None = None
    column: int | None = None
    item: int | None = None
    type: str | None = None
    """The type of the item."""
    field: str | None = None
    """The dataset field, only for items of type `dataset_field`."""
    message: str = ""

    @property
    def place(self) -> NodePath:
        """Path of the item."""
        return NodePath(self.page, self.row, self.column, self.item)


class RejectedItem(Protocol):
    """The part of a problem that an error response needs; `layout.rules.Problem` matches it."""

    @property
    def path(self) -> NodePath:
        """The path of the item, including its page."""

    @property
    def item_type(self) -> str | None:
        """The type of the item."""

    @property
    def field(self) -> str | None:
        """The dataset field that the problem is about, if any."""

    @property
    def message(self) -> str:
        """The problem and how to fix it."""


def general_error(status: int, detail: Detail, additional: str | None = None) -> dict[str, Json]:
    """Create the general error body; code and title are those of the HTTP status (wire reference, 2.1)."""
    known = HTTPStatus(status)
    error: dict[str, Json] = {
        "status": status,
        "error_code": status,
        "title": _TITLES.get(known, known.phrase),
        "detail": detail,
    }
    if additional is not None:
        error["additional_information"] = additional
    return {"error": error}


def layout_error(problems: Iterable[RejectedItem]) -> dict[str, Json]:
    """Create the body of a 422 response for a layout, with all invalid items (wire reference, 2.3)."""
    return {
        "type": LAYOUT_REJECTED,
        "message": "batch_items failed validation",
        "issues": [to_payload(_issue(problem)) for problem in problems],
    }


def _issue(problem: RejectedItem) -> LayoutIssue:
    given = {**problem.path._asdict(), "type": problem.item_type}
    if problem.item_type == "dataset_field" and problem.field is not None:
        given["field"] = problem.field
    return LayoutIssue.model_validate({**given, "message": problem.message})
