"""The HTTP transport to one service: sends requests, with retries where safe, and parses responses."""

import asyncio
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TypeVar, overload

import httpx

from batchwright.api.http.errors import BadToken
from batchwright.api.http.http_client import open_client, send_request
from batchwright.api.http.lazy_list import LazyList
from batchwright.api.http.limits import LARGEST_LIST, LARGEST_RESPONSE
from batchwright.api.http.response_parsing import ANYTHING, RawResponse, RequestTarget, read, require_success
from batchwright.api.http.retry import RetryPolicy, silence_reported
from batchwright.api.http.urls import Address
from batchwright.base.i18n import _
from batchwright.base.json_values import to_json
from batchwright.base.logging import hide_in_log
from batchwright.wire.base import Body, RequestBody, ResponseBody, to_payload
from batchwright.wire.datapoints import JSONL_TYPE, JsonLinesBody
from batchwright.wire.deprecation import Deprecation, read_deprecation


@dataclass(frozen=True)
class RequestBodyContent:
    """The bytes of a request body and its media type."""

    type: str
    text: bytes = field(repr=False)


def encode_body(body: RequestBody | JsonLinesBody) -> RequestBodyContent:
    """Encode the body of a request."""
    if isinstance(body, JsonLinesBody):
        return RequestBodyContent(JSONL_TYPE, body.text)
    return RequestBodyContent("application/json", to_json(to_payload(body)).encode())


M = TypeVar("M", bound=Body)
E = TypeVar("E", bound=ResponseBody)

_REPEATABLE = frozenset({"GET", "HEAD", "PUT", "DELETE"})
_LONG = 1 << 20
"""Bytes from which a response is searched for the token in a thread."""
_LONG_TO_PARSE = 1 << 16
"""Bytes from which a response is parsed in a thread; a list of 2,000 batches takes some 30 ms."""
_SHORT = 1 << 16
"""Bytes up to which a request body is sent so quickly that a missing response is reported."""

OnResponse = Callable[[str, Body], Awaitable[object]]
"""Called with each successful response and its call before the caller gets it, so that no id is lost."""


async def ignore_response(_call: str, _response: Body) -> None:
    """Default for `on_response`: does nothing."""


class Transport:
    """Sends requests with JSON bodies to one service with one token. Follows no redirects, stores no cookies.

    The token is sent in a header of each request to `base` and appears nowhere else. Each request has a
    connection of its own: on a kept one, a response that is sent twice would be taken for the next one.
    """

    def __init__(
        self,
        base: Address,
        token: str,
        retry_policy: RetryPolicy,
        trust: ssl.SSLContext,
        on_response: OnResponse = ignore_response,
        proxy: str = "",
    ) -> None:
        self._base, self._on_response = base, on_response
        self._retry_policy = retry_policy
        self._token = _TokenHeader(token)
        self._client = open_client(trust, is_local=base.is_local, proxy=proxy)

    def __repr__(self) -> str:
        return f"Transport({self._base.origin!r})"

    @overload
    async def send(
        self,
        method: str,
        path: str,
        *,
        model: type[M],
        body: RequestBody | JsonLinesBody | None = None,
        params: Mapping[str, str] | None = None,
        target: RequestTarget = ANYTHING,
        repeatable: bool | None = None,
        read_timeout_s: float | None = None,
    ) -> M: ...

    @overload
    async def send(
        self,
        method: str,
        path: str,
        *,
        model: None,
        body: RequestBody | JsonLinesBody | None = None,
        params: Mapping[str, str] | None = None,
        target: RequestTarget = ANYTHING,
        repeatable: bool | None = None,
        read_timeout_s: float | None = None,
    ) -> None: ...

    async def send(
        self,
        method: str,
        path: str,
        *,
        model: type[M] | None,
        body: RequestBody | JsonLinesBody | None = None,
        params: Mapping[str, str] | None = None,
        target: RequestTarget = ANYTHING,
        repeatable: bool | None = None,
        read_timeout_s: float | None = None,
    ) -> M | None:
        """Send one request, with retries where that is safe, and parse the response.

        Args:
            method: the HTTP method; GET, HEAD, PUT and DELETE are retried unless `repeatable` is false.
            path: the path below the base URL, its segments percent-encoded.
            model: the model of the response; None if the body of a successful response is not needed.
            body: what to send: a model, written as JSON with only the fields that were set, or JSON Lines.
            params: the query.
            target: the resource that the request is about, for the error if it does not exist.
            repeatable: whether sending it twice has the same effect as sending it once.
            read_timeout_s: seconds that the service may take until it responds, instead of the usual minute.

        Raises:
            OutcomeUnknown: the request may have been carried out, and the response was lost.
            ApiError: any other failure, after the last attempt.
        """
        call = f"{method} {path}"
        content = None if body is None else encode_body(body)
        again = method in _REPEATABLE if repeatable is None else repeatable

        async def attempt() -> M | None:
            response = await self._exchange(
                call, method, path, content, params, read_timeout_s=read_timeout_s
            )
            if model is not None and len(response.body) > _LONG_TO_PARSE:
                return await asyncio.to_thread(read, call, response, model, target)
            if model is not None:
                return read(call, response, model, target)
            require_success(call, response, target)
            return None

        value = await self._retry_policy.run(attempt, repeatable=again)
        if value is not None:
            await self._on_response(call, value)
        return value

    async def send_deprecated(
        self, method: str, path: str, *, into: type[M], body: RequestBody | None = None, target: RequestTarget
    ) -> tuple[M, Deprecation | None]:
        """Like `send`, for an endpoint that is deprecated; also returns what the response says about its end.

        Raises:
            Gone: the endpoint has been removed.
            ApiError: as for `send`; `deprecation` in its `response` has the same information.
        """
        call = f"{method} {path}"
        content = None if body is None else encode_body(body)

        async def attempt() -> tuple[M, Deprecation | None]:
            response = await self._exchange(call, method, path, content, None)
            return read(call, response, into, target), read_deprecation(response.headers)

        return await self._retry_policy.run(attempt, repeatable=method in _REPEATABLE)

    async def list(
        self,
        path: str,
        into: type[E],
        *,
        target: RequestTarget = ANYTHING,
        params: Mapping[str, str] | None = None,
    ) -> LazyList[E]:
        """Fetch a list that may be long; its entries are parsed during iteration.

        Raises:
            ApiError: as for `send`.
        """
        call = f"GET {path}"

        async def attempt() -> LazyList[E]:
            response = await self._exchange(call, "GET", path, None, params, largest=LARGEST_LIST)
            require_success(call, response, target)
            return LazyList(call, response, into)

        return await self._retry_policy.run(attempt, repeatable=True)

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()

    async def _exchange(
        self,
        call: str,
        method: str,
        path: str,
        content: RequestBodyContent | None,
        params: Mapping[str, str] | None,
        *,
        largest: int = LARGEST_RESPONSE,
        read_timeout_s: float | None = None,
    ) -> RawResponse:
        request = self._client.build_request(
            method,
            f"{self._base.origin}{self._base.target}{path}",
            params=params,
            content=None if content is None else content.text,
            headers={} if content is None else {"Content-Type": content.type},
        )
        if read_timeout_s is not None:
            times = self._client.timeout.as_dict()
            request.extensions["timeout"] = {**times, "read": read_timeout_s}
        is_short = content is None or len(content.text) <= _SHORT
        with silence_reported(call) if is_short else nullcontext():
            response = await send_request(self._client, request, call, self._token, largest=largest)
        if len(response.body) > _LONG:  # searching it would block the event loop
            return await asyncio.to_thread(self._token.hidden_in, response)
        return self._token.hidden_in(response)


class _TokenHeader(httpx.Auth):
    """Writes the token into a request. It has no text representation that shows the token."""

    def __init__(self, token: str) -> None:
        token = token.strip()
        if not token or not all("!" <= sign <= "~" for sign in token):
            raise BadToken(_("the token"), _("it is empty or contains invalid characters"))
        self._text = token
        hide_in_log(token)

    async def async_auth_flow(self, request: httpx.Request) -> AsyncGenerator[httpx.Request, httpx.Response]:
        request.headers["Authorization"] = f"Token {self._text}"
        yield request

    def hidden_in(self, response: RawResponse) -> RawResponse:
        """The response without the token, in case the server sent it back."""
        return response.without(self._text)
