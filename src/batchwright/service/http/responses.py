"""Responses and the exceptions that become error responses (wire reference, section 2)."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus

from starlette.responses import Response

from batchwright.base.i18n import _, ngettext
from batchwright.base.json_values import Json, to_json
from batchwright.base.like_errors import MAX_LIKE_ERRORS
from batchwright.wire.base import Body, to_payload
from batchwright.wire.errors import Detail, RejectedItem, general_error, layout_error


class HttpError(Exception):
    """A rejected request; the response is the general error body (wire reference, section 2.1)."""

    def __init__(self, status: HTTPStatus, detail: Detail) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail


class InvalidLayout(Exception):
    """A layout with invalid items; the response names all of them (wire reference, section 2.3)."""

    def __init__(self, problems: Sequence[RejectedItem]) -> None:
        super().__init__(f"{len(problems)} problems")
        self.problems = problems


def bad_request(detail: Detail) -> HttpError:
    """The request is not valid (400)."""
    return HttpError(HTTPStatus.BAD_REQUEST, detail)


def not_found(message: str) -> HttpError:
    """A resource does not exist, or not for this account (404)."""
    return HttpError(HTTPStatus.NOT_FOUND, message)


def forbidden() -> HttpError:
    """The account has no access to the workspace (403)."""
    return HttpError(HTTPStatus.FORBIDDEN, _("You have no access to this workspace."))


def feature_off() -> HttpError:
    """The feature is switched off for the workspace (404).

    Clients recognise it by the words "permission" and "feature" (wire reference, section 2.4), so it is not
    translated.
    """
    return not_found("You do not have permission to access this feature.")


def json_response(
    value: Json, status: HTTPStatus = HTTPStatus.OK, headers: Mapping[str, str] | None = None
) -> Response:
    """A response with JSON."""
    return Response(to_json(value).encode(), status, headers, media_type="application/json")


def body_response(body: Body, status: HTTPStatus = HTTPStatus.OK) -> Response:
    """A response with one of the models in `wire`."""
    return json_response(to_payload(body), status)


def empty_response(status: HTTPStatus) -> Response:
    """A response without a body."""
    return Response(status_code=status)


def error_response(status: HTTPStatus, detail: Detail, headers: Mapping[str, str] | None = None) -> Response:
    """A response with the general error body; of each field, it has the first thousand messages."""
    return json_response(general_error(status, _first_messages(detail)), status, headers)


def _first_messages(detail: Detail) -> Detail:
    if isinstance(detail, str):
        return detail
    if isinstance(detail, Mapping):
        return {field: _first(messages) for field, messages in detail.items()}
    return _first(detail)


def _first(messages: Sequence[str]) -> Sequence[str]:
    further = len(messages) - MAX_LIKE_ERRORS
    if further <= 0:
        return messages
    others = ngettext("{count} more message.", "{count} more messages.", further)
    return [*messages[:MAX_LIKE_ERRORS], others.format(count=further)]


def layout_error_response(error: InvalidLayout) -> Response:
    """A response that names the invalid items of a layout."""
    return json_response(layout_error(error.problems), HTTPStatus.UNPROCESSABLE_ENTITY)


def disk_full_message() -> str:
    """The message for a request that could not be stored because the disk is full."""
    return _("The service's disk is full; the request was not stored. Free space and retry.")


def xml_error(status: HTTPStatus, code: str, message: str) -> Response:
    """An error in the format of file storage (wire reference, 2.4); the texts must not contain markup."""
    body = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f"<Error><Code>{code}</Code><Message>{message}</Message></Error>"
    )
    return Response(body, status, media_type="application/xml")
