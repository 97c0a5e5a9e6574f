"""The HTTP transport to one service: sends requests, with retries where safe, and parses responses.

Every request has a connection of its own: on a kept connection, a response that is sent twice would be taken
for the response to the next request. A new connection costs 2 ms of processor time with TLS, 0.5 ms without.
"""

import asyncio
import os
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing, nullcontext
from dataclasses import dataclass, field
from http.cookiejar import CookieJar, DefaultCookiePolicy
from io import BytesIO
from pathlib import Path
from typing import TypeVar, overload

import httpx

from batchwright.api.errors import (
    ApiError,
    BadCertificates,
    BadProxy,
    BadToken,
    CertificateUntrusted,
    ClientClosed,
    ProxyRefused,
    UnexpectedResponse,
    Unreachable,
)
from batchwright.api.lazy_list import LazyList
from batchwright.api.limits import LARGEST_LIST, LARGEST_RESPONSE, Limits
from batchwright.api.response_parsing import ANYTHING, RawResponse, RequestTarget, read, require_success
from batchwright.api.retry import RetryPolicy, silence_reported
from batchwright.api.urls import Address
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
_TIMEOUTS = httpx.Timeout(connect=10, read=60, write=60, pool=None)
_LONG = 1 << 20
"""Bytes from which a response is searched for the token in a thread."""
_SHORT = 1 << 16
"""Bytes up to which a request body is sent so quickly that a missing response is reported."""
_UNREACHABLE_PREFIXES = ("5", "Proxy Server could not connect")
"""Prefixes of httpx messages that mean a proxy could not reach the server, for HTTP and SOCKS."""
_KEEP_ALIVE_S = 20
"""Seconds that an idle connection is kept open.

Less than the local service keeps it, so that the service does not close it just when a request is sent.
"""
_MAX_CONNECTIONS = 16

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
    ) -> None:
        self._base, self._on_response = base, on_response
        self._retry_policy = retry_policy
        self._token = _TokenHeader(token)
        self._client = open_client(trust, is_local=base.is_local)

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

        Raises:
            OutcomeUnknown: the request may have been carried out, and the response was lost.
            ApiError: any other failure, after the last attempt.
        """
        call = f"{method} {path}"
        content = None if body is None else encode_body(body)
        again = method in _REPEATABLE if repeatable is None else repeatable

        async def attempt() -> M | None:
            response = await self._exchange(call, method, path, content, params)
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
    ) -> RawResponse:
        request = self._client.build_request(
            method,
            f"{self._base.origin}{self._base.target}{path}",
            params=params,
            content=None if content is None else content.text,
            headers={} if content is None else {"Content-Type": content.type},
        )
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
        """Return the response without the token, in case the server sent it back."""
        return response.without(self._text)


def ssl_context(certificates: Path | None = None) -> ssl.SSLContext:
    """Load the certificates to trust: the default ones or those of `SSL_CERT_FILE`, plus `certificates`.

    Takes about 20 ms, so it is created once and shared.

    Raises:
        BadCertificates: a file is missing or contains no certificates.
    """
    try:
        context = httpx.create_ssl_context()
    except OSError as error:
        reason = _unreadable(os.environ.get("SSL_CERT_FILE") or os.environ.get("SSL_CERT_DIR", ""), error)
        what = _("the certificates of SSL_CERT_FILE (environment variable)")
        raise BadCertificates(what, reason, is_own=False) from None
    if certificates is not None:
        try:
            context.load_verify_locations(cafile=certificates)
        except OSError as error:
            reason = _unreadable(str(certificates), error)
            raise BadCertificates(_("the certificates of the connection"), reason, is_own=True) from None
    return context


def _unreadable(path: str, error: OSError) -> str:
    """Describe why a file of certificates cannot be read, without OpenSSL's message about its content."""
    if isinstance(error, ssl.SSLError):
        return _("{path} does not contain certificates").format(path=path)
    return f"{path}: {error.strerror or error}"


def open_client(
    trust: ssl.SSLContext, *, is_local: bool, keeps_connections: bool = False
) -> httpx.AsyncClient:
    """Create an HTTP client without cookies, redirects or netrc.

    The system's proxies are used unless `is_local`. Every request has a connection of its own. With
    `keeps_connections`, connections are reused, and a response that is sent twice is taken for the next one:
    only for the service on this computer, without a proxy.

    Raises:
        BadProxy: the proxy setting of the system cannot be used.
    """
    try:
        return httpx.AsyncClient(
            verify=trust,
            trust_env=not is_local,
            timeout=_TIMEOUTS,
            limits=httpx.Limits(
                max_connections=_MAX_CONNECTIONS,
                max_keepalive_connections=_MAX_CONNECTIONS if keeps_connections else 0,
                keepalive_expiry=_KEEP_ALIVE_S,
            ),
            follow_redirects=False,
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
        )
    except (ValueError, httpx.InvalidURL):
        error = BadProxy(_("the proxy of this computer"), _("its URL cannot be used"))
    # Outside the handler: the library's error may contain the password of the proxy.
    raise error


def require_open(client: httpx.AsyncClient, call: str) -> None:
    """Check that a client was not closed because its token was removed.

    Raises:
        ClientClosed: it was closed.
    """
    if client.is_closed:
        raise ClientClosed(call)


async def send_request(
    client: httpx.AsyncClient,
    request: httpx.Request,
    call: str,
    auth: httpx.Auth | None = None,
    *,
    largest: int = LARGEST_RESPONSE,
) -> RawResponse:
    """Send a request once and read the whole response, of at most `largest` bytes.

    Raises:
        Unreachable: no complete response was received, or not in time.
        UnexpectedResponse: the response cannot be decoded, or exceeds a limit (`api.limits`).
    """
    require_open(client, call)
    try:
        response = await client.send(request, auth=auth, stream=True)
        try:
            body, beyond = await read_body(call, response, largest)
        finally:
            await response.aclose()
        if beyond is None:
            headers = {name.lower(): value for name, value in response.headers.items()}
            return RawResponse(response.status_code, headers, body.getvalue())
        error = beyond
    except httpx.HTTPError as fault:
        error = to_api_error(call, fault)
    # Outside the handler: the library's error, whose frames contain all headers, must not become the context.
    raise error


async def read_body(call: str, response: httpx.Response, largest: int) -> tuple[BytesIO, ApiError | None]:
    """Read the body of a response; also return the error if it exceeds a limit."""
    body = BytesIO()  # joining the parts of a long body at the end would block the event loop
    limits = Limits(call, response, largest)
    async with aclosing(limits.body()) as chunks:
        async for chunk in chunks:
            body.write(chunk)
    return body, limits.error


def to_api_error(call: str, error: httpx.HTTPError) -> ApiError:
    """Convert an error of the HTTP library."""
    match error:
        case httpx.ConnectError() if _is_about_certificates(error):
            return CertificateUntrusted(call, _("the server's certificate is not trusted"))
        case httpx.ConnectTimeout() | httpx.PoolTimeout():
            return Unreachable(call, _("the connection timed out"), arrived=False)
        case httpx.ProxyError() if str(error).startswith(_UNREACHABLE_PREFIXES):
            return Unreachable(call, _("the proxy could not reach the server"), arrived=False)
        case httpx.ProxyError():
            return ProxyRefused(call, _("the proxy refused the connection"))
        case httpx.ConnectError():
            return Unreachable(call, _("the connection failed"), arrived=False)
        case httpx.TimeoutException():
            return Unreachable(call, _("the response took too long"), arrived=True)
        case httpx.DecodingError():
            return UnexpectedResponse(call, _("the response cannot be decoded"))
        case _:
            return Unreachable(call, _("the connection was interrupted"), arrived=True)


def _is_about_certificates(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        error = error.__cause__ or error.__context__
    return False
