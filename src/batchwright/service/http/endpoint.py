"""From a request to a call: the token checked, the body read, the handler run beside the event loop."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from batchwright.base.i18n import _
from batchwright.base.json_values import DEEPEST_WRAPPED, InvalidJson, is_valid_unicode, parse
from batchwright.base.limits import LARGEST_BODY, MOST_MARKS
from batchwright.service.auth import Accounts, StoredAccount
from batchwright.service.http.app_state import AppState, app_state
from batchwright.service.http.responses import HttpError, bad_request
from batchwright.wire.validation_messages import field_messages

LARGEST_COUNT = 1_000_000_000
"""The largest count of anything that a request may name; the database holds it with ease."""

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class ApiRequest:
    """One request to the API, with all a handler needs to answer it."""

    parts: AppState
    account: StoredAccount
    path: Mapping[str, str]
    query: Mapping[str, str]
    content_type: str
    """As the client wrote it; empty when it said nothing."""
    body: bytes

    def read(self, model: type[M]) -> M:
        """The body, as one of the requests in `wire`.

        Raises:
            HttpError: it is no JSON, too large, or not what the request asks for (400).
        """
        if len(self.body) > MOST_MARKS and sum(map(self.body.count, (b",", b"[", b"{"))) > MOST_MARKS:
            raise bad_request(
                _("The body holds more than {most} commas and brackets.").format(most=MOST_MARKS)
            )
        try:
            asked = model.model_validate(parse(self.body or b"null", DEEPEST_WRAPPED))
        except InvalidJson as fault:
            raise bad_request(_("The body is not valid JSON: {reason}").format(reason=fault)) from None
        except ValidationError as fault:
            raise bad_request(field_messages(fault)) from None
        torn = [name for name, value in asked if isinstance(value, str) and not is_valid_unicode(value)]
        if torn:
            sentence = _("This text holds half a character and cannot be stored.")
            raise bad_request({name: [sentence] for name in torn})
        return asked

    def countable(self, name: str, count: int) -> int:
        """A count from a request, when it is one that can be counted.

        Raises:
            HttpError: it is larger than anything there is (400).
        """
        if count > LARGEST_COUNT:
            raise bad_request({name: [_("This must be at most {most}.").format(most=LARGEST_COUNT)]})
        return count

    def required(self, parameter: str) -> str:
        """A query parameter that must be there and not be empty.

        Raises:
            HttpError: it is missing (400).
        """
        value = self.query.get(parameter, "")
        if not value:
            raise bad_request([_("{name} is required.").format(name=parameter)])
        return value


Handler = Callable[[ApiRequest], Response]
"""Answers a call; runs in a thread, so it may wait for the database."""


def endpoint(handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint of a handler of the API: who has no valid token is refused (wire.md 2.4)."""

    async def answer(request: Request) -> Response:
        parts = app_state(request)
        account = _account(parts.accounts, request.headers.getlist("authorization"))
        call = ApiRequest(
            parts,
            account,
            request.path_params,
            request.query_params,
            request.headers.get("content-type", ""),
            await _body(request),
        )
        return await run_in_threadpool(handler, call)

    return answer


def _account(accounts: Accounts, given: list[str]) -> StoredAccount:
    """Whose request it is: `Authorization: Token <token>`, exactly once (specification, Authentication 1)."""
    # Blanks behind a value are not part of it (RFC 9110, 5.5), and the server hands them on.
    scheme, space, token = given[0].rstrip().partition(" ") if len(given) == 1 else ("", "", "")
    account = accounts.with_token(token) if scheme == "Token" and space and token else None
    if account is None:
        raise HttpError(HTTPStatus.UNAUTHORIZED, _("The token is missing or not valid."))
    return account


async def _body(request: Request) -> bytes:
    """The body, which is refused at its header, or else as soon as it is too large."""
    _insist_on_size(int(request.headers.get("content-length", "0")))
    body = bytearray()
    async for piece in request.stream():
        body += piece
        _insist_on_size(len(body))
    return bytes(body)


def _insist_on_size(size: int) -> None:
    if size > LARGEST_BODY:
        sentence = _("The body is larger than {most} bytes.").format(most=LARGEST_BODY)
        raise HttpError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, sentence)
