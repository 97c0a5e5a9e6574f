"""Answers and refusals: every error of the API has one shape (wire.md 2)."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus

from starlette.responses import Response

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, to_json
from batchwright.wire.base import Body, to_payload
from batchwright.wire.errors import Detail, ItemProblem, general_error, layout_error


class HttpError(Exception):
    """A request is refused; the answer is the general error body (wire.md 2.1)."""

    def __init__(self, status: HTTPStatus, detail: Detail) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail


class InvalidLayout(Exception):
    """Items of a layout are refused; the answer lists them all (wire.md 2.3)."""

    def __init__(self, problems: Sequence[ItemProblem]) -> None:
        super().__init__(f"{len(problems)} problems")
        self.problems = problems


def bad_request(detail: Detail) -> HttpError:
    """The request is no good as it is (400)."""
    return HttpError(HTTPStatus.BAD_REQUEST, detail)


def not_found(what: str) -> HttpError:
    """Something looked up is not there, or not for this account (404)."""
    return HttpError(HTTPStatus.NOT_FOUND, what)


def forbidden() -> HttpError:
    """The account has no access to the workspace (403)."""
    return HttpError(HTTPStatus.FORBIDDEN, _("You have no access to this workspace."))


def feature_off() -> HttpError:
    """What is asked for is switched off for the workspace (404).

    Clients recognise it by the words "permission" and "feature" (wire.md 2.4), so it is not translated.
    """
    return not_found("You do not have permission to access this feature.")


def json_response(
    value: Json, status: HTTPStatus = HTTPStatus.OK, headers: Mapping[str, str] | None = None
) -> Response:
    """An answer that carries JSON."""
    return Response(to_json(value).encode(), status, headers, media_type="application/json")


def body_response(body: Body, status: HTTPStatus = HTTPStatus.OK) -> Response:
    """An answer that carries one of the bodies in `wire`."""
    return json_response(to_payload(body), status)


def empty_response(status: HTTPStatus) -> Response:
    """An answer without a body."""
    return Response(status_code=status)


def error_response(status: HTTPStatus, detail: Detail, headers: Mapping[str, str] | None = None) -> Response:
    """The general error body."""
    return json_response(general_error(status, detail), status, headers)


def layout_error_response(refused: InvalidLayout) -> Response:
    """The error body of a layout."""
    return json_response(layout_error(refused.problems), HTTPStatus.UNPROCESSABLE_ENTITY)


def disk_full_message() -> str:
    """What happened to a request that the disk has no room for."""
    return _("The service's disk is full; the request was not stored. Free space and retry.")


def xml_error(status: HTTPStatus, code: str, message: str) -> Response:
    """An error as file storage words it (wire.md 2.4); both texts are ours and hold no markup."""
    body = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f"<Error><Code>{code}</Code><Message>{message}</Message></Error>"
    )
    return Response(body, status, media_type="application/xml")
