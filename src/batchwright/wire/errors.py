"""Error bodies as a service writes them (wire reference, 2.1 and 2.3); `error_parsing` is the other side."""

from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Protocol

from batchwright.base.json_values import Json
from batchwright.layout.nodes import NodePath
from batchwright.wire.base import ResponseBody, to_payload

LAYOUT_REJECTED = "INVALID_BATCH_ITEMS"
"""The `type` that tells a layout refusal from every other body."""

_TITLES = {
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "Request Entity Too Large",
    HTTPStatus.UNPROCESSABLE_ENTITY: "Unprocessable Entity",
}
"""Reason phrases that newer versions of Python word in another way."""

Detail = str | Sequence[str] | Mapping[str, Sequence[str]]
"""One sentence, several, or several by field."""


class LayoutIssue(ResponseBody):
    """One item that a layout was refused for; its place is counted from zero."""

    page: int | None = None
    row: int | None = None
    column: int | None = None
    item: int | None = None
    type: str | None = None
    """The item's type."""
    field: str | None = None
    """The dataset field, for items of type `dataset_field` only."""
    message: str = ""

    @property
    def place(self) -> NodePath:
        """Where the item stands."""
        return NodePath(self.page, self.row, self.column, self.item)


class ItemProblem(Protocol):
    """What an error response needs of a problem; `layout.rules.Problem` has it."""

    @property
    def path(self) -> NodePath:
        """The path of the item, with its page."""

    @property
    def item_type(self) -> str | None:
        """The item's type."""

    @property
    def field(self) -> str | None:
        """The dataset field that the problem is about, if it is about one."""

    @property
    def message(self) -> str:
        """What is wrong, and what to do."""


def general_error(status: int, detail: Detail, additional: str | None = None) -> dict[str, Json]:
    """The general error body; number and title are those of the HTTP status (wire reference, 2.1)."""
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


def layout_error(problems: Iterable[ItemProblem]) -> dict[str, Json]:
    """The body of a 422 on batch create and update, with every failing item (wire reference, 2.3)."""
    return {
        "type": LAYOUT_REJECTED,
        "message": "batch_items failed validation",
        "issues": [to_payload(_issue(problem)) for problem in problems],
    }


def _issue(problem: ItemProblem) -> LayoutIssue:
    given = {**problem.path._asdict(), "type": problem.item_type}
    if problem.item_type == "dataset_field" and problem.field is not None:
        given["field"] = problem.field
    return LayoutIssue.model_validate({**given, "message": problem.message})
