"""Error bodies that a service sends, and their JSON Schemas (wire reference, sections 2.1 and 2.3).

Errors that pydantic finds in a request are converted to the `detail` of such a body. `error_parsing` is the
counterpart, which parses them.
"""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Protocol

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from batchwright.base.i18n import _
from batchwright.base.json_values import Json
from batchwright.base.like_errors import MAX_LIKE_ERRORS
from batchwright.base.local_formats import joined
from batchwright.layout.nodes import NodePath
from batchwright.wire.base import ResponseBody, to_payload

BODY_KEY = "body"
"""The key for errors of the body itself, which belong to no field."""

_MAX_ERRORS = 20_000
"""Errors of a request whose messages are created; each takes about a kilobyte of memory until then."""


def field_messages(error: ValidationError) -> dict[str, list[str]]:
    """Messages for each invalid field, by its name at the top level of the body.

    A message about a nested value starts with its path: `{"task_details": ["task_name: This field is
    required."]}`. Entries of arrays are counted from 1 for readers. Very many errors are only counted.
    """
    if error.error_count() > _MAX_ERRORS:
        text = _("The body has {count} errors, and at most {most} are listed. Check the form of its arrays.")
        return {BODY_KEY: [text.format(count=error.error_count(), most=_MAX_ERRORS)]}
    messages: dict[str, dict[str, None]] = {}
    templates = _templates()
    for details in error.errors(include_url=False, include_input=False):
        name, *inside = details["loc"] or (BODY_KEY,)
        messages.setdefault(str(name), {})[_with_place(inside, _sentence(details, templates))] = None
    return {name: [*texts] for name, texts in messages.items()}


def _with_place(inside: list[int | str], text: str) -> str:
    if not inside:
        return text
    steps = [
        _("entry {number}").format(number=step + 1) if isinstance(step, int) else step for step in inside
    ]
    return _("{place}: {message}").format(place=joined(steps), message=text)


def _sentence(error: ErrorDetails, templates: Mapping[str, str]) -> str:
    template = templates.get(error["type"])
    return template.format(**error.get("ctx", {})) if template else error["msg"]


def _templates() -> Mapping[str, str]:
    """Our message for each type of pydantic error that a request can have."""
    an_object = _("This must be an object.")
    return {
        "missing": _("This field is required."),
        "string_type": _("This must be a string."),
        "string_unicode": _("This text contains a broken character and cannot be stored."),
        "int_type": _("This must be a whole number."),
        "bool_type": _("This must be true or false."),
        "tuple_type": _("This must be an array."),
        "dict_type": an_object,
        "model_type": an_object,
        "greater_than_equal": _("This must be at least {ge}."),
        "less_than": _("This must be less than {lt}."),
    }


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
    http_status = HTTPStatus(status)
    error: dict[str, Json] = {
        "status": status,
        "error_code": status,
        "title": _TITLES.get(http_status, http_status.phrase),
        "detail": detail,
    }
    if additional is not None:
        error["additional_information"] = additional
    return {"error": error}


def layout_error(problems: Sequence[RejectedItem]) -> dict[str, Json]:
    """Create the body of a 422 response for a layout, with all invalid items (wire reference, 2.3).

    Of more than a thousand problems, those beyond are left out if their item has another one; the message has
    their number.
    """
    listed = _with_every_item(problems)
    further = len(problems) - len(listed)
    message = "batch_items failed validation"
    return {
        "type": LAYOUT_REJECTED,
        "message": f"{message}; {further} more issues of the same items are not listed"
        if further
        else message,
        "issues": [to_payload(_issue(problem)) for problem in listed],
    }


def _with_every_item(problems: Sequence[RejectedItem]) -> Sequence[RejectedItem]:
    """The first thousand problems, and the first one of every other item."""
    first = {problem.path: problem for problem in reversed(problems)}
    return [
        problem
        for number, problem in enumerate(problems)
        if number < MAX_LIKE_ERRORS or first[problem.path] is problem
    ]


def _issue(problem: RejectedItem) -> LayoutIssue:
    values = {**problem.path._asdict(), "type": problem.item_type}
    if problem.item_type == "dataset_field" and problem.field is not None:
        values["field"] = problem.field
    return LayoutIssue.model_validate({**values, "message": problem.message})


_SENTENCE: dict[str, Any] = {"type": "string"}
_SENTENCES: dict[str, Any] = {"type": "array", "items": _SENTENCE}
_NUMBER: dict[str, Any] = {"type": "integer", "minimum": 0}

GENERAL_ERROR: dict[str, Any] = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["status", "error_code", "title", "detail"],
            "properties": {
                "status": {"type": "integer"},
                "error_code": {"type": "integer"},
                "title": _SENTENCE,
                "detail": {
                    "anyOf": [
                        _SENTENCE,
                        _SENTENCES,
                        {"type": "object", "additionalProperties": _SENTENCES},
                    ]
                },
                "additional_information": {"type": ["string", "null"]},
            },
        }
    },
}
"""The general error: one message, several, or several by field."""

LAYOUT_ERROR: dict[str, Any] = {
    "type": "object",
    "required": ["type", "message", "issues"],
    "properties": {
        "type": {"const": LAYOUT_REJECTED},
        "message": _SENTENCE,
        "issues": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["page", "row", "column", "item", "type", "message"],
                "properties": {
                    **dict.fromkeys(("page", "row", "column", "item"), _NUMBER),
                    **dict.fromkeys(("type", "field", "message"), _SENTENCE),
                },
            },
        },
    },
}
"""A layout error, with all invalid items; positions count from 0."""
