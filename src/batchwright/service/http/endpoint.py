"""Turns a handler into an endpoint: checks the token, reads the body, and runs the handler in a thread.

A body is bounded before it is read, and the number of JSON values before it is parsed.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from batchwright.base.i18n import _
from batchwright.base.json_values import (
    DEEPEST_WRAPPED,
    InvalidJson,
    has_too_many_keys,
    is_valid_unicode,
    parse,
)
from batchwright.base.limits import LARGEST_BODY, MAX_JSON_KEYS, MAX_JSON_TOKENS
from batchwright.service.auth import Accounts, StoredAccount
from batchwright.service.http.app_state import AppState, app_state
from batchwright.service.http.responses import HttpError, bad_request
from batchwright.wire.errors import field_messages

MAX_COUNT = 1_000_000_000
"""The largest count in a request; well within the integers of the database."""

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class ApiRequest:
    """One request to the API, with everything that a handler needs."""

    state: AppState
    account: StoredAccount
    path_params: Mapping[str, str]
    query: Mapping[str, str]
    content_type: str
    """As the client sent it; empty without the header."""
    body: bytes

    def parse_body(self, model: type[M]) -> M:
        """The body as one of the request models in `wire`.

        Raises:
            HttpError: it is not valid JSON, has too many values, or does not match the model (400).
        """
        if (
            len(self.body) > MAX_JSON_TOKENS
            and sum(map(self.body.count, (b",", b"[", b"{"))) > MAX_JSON_TOKENS
        ):
            raise bad_request(
                _("The body contains more than {most} commas and brackets.").format(most=MAX_JSON_TOKENS)
            )
        if has_too_many_keys(self.body):
            raise bad_request(_("The body contains more than {most} keys.").format(most=MAX_JSON_KEYS))
        try:
            body = model.model_validate(parse(self.body or b"null", DEEPEST_WRAPPED))
        except InvalidJson as error:
            raise bad_request(_("The body is not valid JSON: {reason}").format(reason=error)) from None
        except ValidationError as error:
            raise bad_request(field_messages(error)) from None
        invalid = [name for name, value in body if isinstance(value, str) and not is_valid_unicode(value)]
        if invalid:
            message = _("This text contains a broken character and cannot be stored.")
            raise bad_request({name: [message] for name in invalid})
        return body

    def require_count(self, name: str, count: int) -> int:
        """A count from a request.

        Raises:
            HttpError: it is larger than `MAX_COUNT` (400).
        """
        if count > MAX_COUNT:
            raise bad_request({name: [_("This must be at most {most}.").format(most=MAX_COUNT)]})
        return count

    def require_query(self, parameter: str) -> str:
        """A required query parameter.

        Raises:
            HttpError: it is missing or empty (400).
        """
        value = self.query.get(parameter, "")
        if not value:
            raise bad_request([_("{name} is required.").format(name=parameter)])
        return value


Handler = Callable[[ApiRequest], Response]
"""Handles a request; runs in a thread, so it may wait for the database."""


def endpoint(handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint of an API handler; a request without a valid token gets a 401 (wire reference, 2.4)."""

    async def respond(request: Request) -> Response:
        state = app_state(request)
        account = _authenticate(state.accounts, request.headers.getlist("authorization"))
        api_request = ApiRequest(
            state,
            account,
            request.path_params,
            request.query_params,
            request.headers.get("content-type", ""),
            await _read_body(request),
        )
        return await run_in_threadpool(handler, api_request)

    return respond


def _authenticate(accounts: Accounts, headers: list[str]) -> StoredAccount:
    """The account of `Authorization: Token <token>`, sent exactly once (specification, Authentication 1)."""
    # Trailing blanks are not part of a header value (RFC 9110, 5.5), but uvicorn does not strip them.
    scheme, space, token = headers[0].rstrip().partition(" ") if len(headers) == 1 else ("", "", "")
    account = accounts.with_token(token) if scheme == "Token" and space and token else None
    if account is None:
        raise HttpError(HTTPStatus.UNAUTHORIZED, _("The token is missing or not valid."))
    return account


async def _read_body(request: Request) -> bytes:
    """The body, rejected by its Content-Length, or while it is read, if it is too large."""
    _require_size(int(request.headers.get("content-length", "0")))
    body = bytearray()
    async for piece in request.stream():
        body += piece
        _require_size(len(body))
    return bytes(body)


def _require_size(size: int) -> None:
    if size > LARGEST_BODY:
        message = _("The body is larger than {most} bytes.").format(most=LARGEST_BODY)
        raise HttpError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message)
