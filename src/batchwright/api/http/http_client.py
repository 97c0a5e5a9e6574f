"""HTTP clients without cookies, redirects or netrc; sending a single request, with limits and our errors.

Every request has a connection of its own: on a kept connection, a response that is sent twice would be taken
for the response to the next request. A new connection costs 2 ms of processor time with TLS, 0.5 ms without.
"""

import os
import ssl
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from http.cookiejar import CookieJar, DefaultCookiePolicy
from io import BytesIO
from pathlib import Path
from typing import Final

import httpx
from socksio import SOCKSError

from batchwright.api.http.errors import (
    ApiError,
    BadCertificates,
    BadProxy,
    CertificateUntrusted,
    ClientClosed,
    ProxyRefused,
    UnexpectedResponse,
    Unreachable,
)
from batchwright.api.http.limits import LARGEST_RESPONSE, Limits
from batchwright.api.http.response_parsing import RawResponse, invalid_redirect
from batchwright.api.http.socks_connections import close_after_refusal
from batchwright.base.i18n import _

_TIMEOUTS = httpx.Timeout(connect=10, read=60, write=60, pool=None)
_UNREACHABLE_PREFIXES = ("5", "Proxy Server could not connect")
"""Prefixes of httpx messages that mean a proxy could not reach the server, for HTTP and SOCKS."""
_INVALID_REDIRECT = "Invalid URL in location header"
"""Prefix of httpx messages about the target of a redirect, which it parses although it follows none."""
REQUEST_ERRORS: Final = (httpx.HTTPError, httpx.InvalidURL, UnicodeError, SOCKSError)
"""What the HTTP library raises when a request fails; the last two are not its own errors."""
_KEEP_ALIVE_S = 20
"""Seconds that an idle connection is kept open.

Less than the local service keeps it, so that the service does not close it just when a request is sent.
"""
_MAX_CONNECTIONS = 16


def ssl_context(certificates: Path | None = None, user_certificates: Path | None = None) -> ssl.SSLContext:
    """Load the certificates to trust: the default ones or those of `SSL_CERT_FILE`, plus the given files.

    Takes about 20 ms, so it is created once and shared.

    Args:
        certificates: the file of the connection.
        user_certificates: the file of the user's settings.

    Raises:
        BadCertificates: a file is missing or contains no certificates.
    """
    try:
        context = httpx.create_ssl_context()
    except OSError as error:
        reason = _unreadable(os.environ.get("SSL_CERT_FILE") or os.environ.get("SSL_CERT_DIR", ""), error)
        what = _("the certificates of SSL_CERT_FILE (environment variable)")
        raise BadCertificates(what, reason, is_own=False) from None
    _trust(context, user_certificates, _("the certificates of the settings"), is_own=False)
    _trust(context, certificates, _("the certificates of the connection"), is_own=True)
    return context


def _trust(context: ssl.SSLContext, certificates: Path | None, what: str, *, is_own: bool) -> None:
    if certificates is not None:
        try:
            context.load_verify_locations(cafile=certificates)
        except OSError as error:
            raise BadCertificates(what, _unreadable(str(certificates), error), is_own=is_own) from None


def _unreadable(path: str, error: OSError) -> str:
    """Describe why a file of certificates cannot be read, without OpenSSL's message about its content."""
    if isinstance(error, ssl.SSLError):
        return _("{path} does not contain certificates").format(path=path)
    return f"{path}: {error.strerror or error}"


def open_client(
    trust: ssl.SSLContext, *, is_local: bool, reuses_connections: bool = False, proxy: str = ""
) -> httpx.AsyncClient:
    """Create an HTTP client without cookies, redirects or netrc.

    The `proxy`, or the system's proxies if it is empty, are used unless `is_local`. Every request has a
    connection of its own. With `reuses_connections`, they are reused, and a response that is sent twice is
    taken for the next one: only for the service on this computer, without a proxy.

    Raises:
        BadProxy: the proxy setting cannot be used.
    """
    try:
        return httpx.AsyncClient(
            verify=trust,
            trust_env=not is_local and not proxy,
            proxy=_proxy(proxy, trust) if proxy and not is_local else None,
            timeout=_TIMEOUTS,
            limits=httpx.Limits(
                max_connections=_MAX_CONNECTIONS,
                max_keepalive_connections=_MAX_CONNECTIONS if reuses_connections else 0,
                keepalive_expiry=_KEEP_ALIVE_S,
            ),
            follow_redirects=False,
            event_hooks={} if is_local else {"request": [close_after_refusal]},
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
        )
    except (ValueError, httpx.InvalidURL):
        error = BadProxy(_("the proxy of this computer"), _("its URL cannot be used"))
    # Outside the handler: the library's error may contain the password of the proxy.
    raise error


def _proxy(url: str, trust: ssl.SSLContext) -> httpx.Proxy:
    return httpx.Proxy(url, ssl_context=trust if url.startswith("https:") else None)


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
    is_cut: bool = False,
) -> RawResponse:
    """Send a request once and read the whole response, of at most `largest` bytes, or its start if `is_cut`.

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
        if beyond is None or is_cut:
            headers = {name.lower(): value for name, value in response.headers.items()}
            return RawResponse(response.status_code, headers, body.getvalue())
        error = beyond
    except REQUEST_ERRORS as fault:
        error = to_api_error(call, fault)
    # Outside the handler: the library's error, whose frames contain all headers, must not become the context.
    raise error


@dataclass(frozen=True)
class ForeignRequest:
    """A request without a body to a server that is not a service; its response is limited to `largest` bytes.

    If `is_cut`, what follows these is left out.
    """

    method: str
    headers: Mapping[str, str]
    largest: int
    is_cut: bool = False


async def send_to(
    client: httpx.AsyncClient, url: str, call: str, hosts: Sequence[str], asked: ForeignRequest
) -> RawResponse:
    """Send a request to the first of the addresses of its host that can be reached.

    Args:
        hosts: IP addresses of the host, at least one; "" is its name. The certificate is that of the name.

    Raises:
        ApiError: as `send_request` does.
    """
    for host in hosts[:-1]:
        try:
            return await _send_to_host(client, url, call, host, asked)
        except Unreachable as error:
            if error.arrived:
                raise
    return await _send_to_host(client, url, call, hosts[-1], asked)


async def _send_to_host(
    client: httpx.AsyncClient, url: str, call: str, host: str, asked: ForeignRequest
) -> RawResponse:
    request = client.build_request(asked.method, url, headers=asked.headers)  # with the name as `Host`
    if host:
        request.extensions["sni_hostname"] = request.url.host
        request.url = request.url.copy_with(host=host)
    return await send_request(client, request, call, largest=asked.largest, is_cut=asked.is_cut)


async def read_body(call: str, response: httpx.Response, largest: int) -> tuple[BytesIO, ApiError | None]:
    """Read the body of a response; also return the error if it exceeds a limit."""
    body = BytesIO()  # joining the parts of a long body at the end would block the event loop
    limits = Limits(call, response, largest)
    async with aclosing(limits.body()) as chunks:
        async for chunk in chunks:
            body.write(chunk)
    return body, limits.error


def to_api_error(call: str, error: Exception) -> ApiError:
    """Convert one of the `REQUEST_ERRORS`."""
    match error:
        case httpx.ConnectError() if _is_about_certificates(error):
            return CertificateUntrusted(call, _("the server's certificate is not trusted"))
        case httpx.ConnectTimeout() | httpx.PoolTimeout():
            return Unreachable(call, _("the connection timed out"), arrived=False)
        case httpx.ProxyError() | SOCKSError():
            return _proxy_error(call, error)
        case httpx.ConnectError():
            return Unreachable(call, _("the connection failed"), arrived=False)
        case httpx.TimeoutException():
            return Unreachable(call, _("the response took too long"), arrived=True)
        case httpx.InvalidURL() | UnicodeError():
            return invalid_redirect(call)
        case httpx.RemoteProtocolError() if str(error).startswith(_INVALID_REDIRECT):
            return invalid_redirect(call)
        case httpx.DecodingError():
            return UnexpectedResponse(call, _("the response cannot be decoded"))
        case _:
            return Unreachable(call, _("the connection was interrupted"), arrived=True)


def _proxy_error(call: str, error: httpx.ProxyError | SOCKSError) -> ApiError:
    if isinstance(error, SOCKSError):
        return ProxyRefused(call, _("the response of the proxy cannot be read"))
    if str(error).startswith(_UNREACHABLE_PREFIXES):
        return Unreachable(call, _("the proxy could not reach the server"), arrived=False)
    return ProxyRefused(call, _("the proxy refused the connection"))


def _is_about_certificates(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        error = error.__cause__ or error.__context__
    return False
