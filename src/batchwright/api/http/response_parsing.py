"""Converts HTTP responses to values or errors; performs no input or output.

An error that arrives as HTML is not taken for an error of the service, except 408, 429 and 5xx: otherwise the
404 of a gateway could make the program create a dataset a second time.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar
from urllib.parse import urljoin, urlsplit

from pydantic import ValidationError

from batchwright.api.http.errors import (
    ApiError,
    BadRequest,
    Conflict,
    ErrorResponse,
    FeatureOff,
    Forbidden,
    Gone,
    LayoutRejected,
    NotFound,
    RateLimited,
    ServerError,
    Unauthorized,
    UnexpectedResponse,
)
from batchwright.base.cooperative import yielding_gil
from batchwright.base.i18n import _
from batchwright.base.json_values import DEEPEST_WRAPPED, InvalidJson, parse
from batchwright.base.local_formats import joined
from batchwright.wire.base import Body
from batchwright.wire.error_parsing import ErrorKind, ServiceError, read_error

M = TypeVar("M", bound=Body)

_BY_STATUS = {401: Unauthorized, 403: Forbidden, 409: Conflict, 429: RateLimited}
_TEMPORARY = frozenset({408, 429})
"""Temporary errors; a gateway may send them on behalf of the service."""
_CHUNK_BYTES = 1 << 20
_FEATURE_OFF = frozenset({400, 403, 404})
"""Statuses with which a missing feature has been reported; it is recognised by the message only.

Wire reference, section 2.4.
"""


ABSENT = frozenset({404, 410})
"""Statuses that always mean that the resource does not exist."""


@dataclass(frozen=True)
class RequestTarget:
    """The resource that a request is about, named in the error if it does not exist (wire reference, 2.4)."""

    name: str = ""
    absent: frozenset[int] = ABSENT
    """Statuses that mean, for this request, that the resource does not exist."""
    is_deprecated: bool = False
    """Whether 404 and 410 mean that the endpoint has been removed (wire reference, section 9)."""


ANYTHING = RequestTarget()


@dataclass(frozen=True)
class RawResponse:
    """A response: status, headers with lower-case names, and the complete body."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)

    @property
    def is_good(self) -> bool:
        """Whether the status is 2xx."""
        return 200 <= self.status < 300

    def without(self, secret: str) -> "RawResponse":
        """The response with `secret` replaced in the body, in case the server sent it back."""
        hidden = secret.encode()
        # Searched first, in pieces that release the GIL: `replace` copies the whole body at once.
        offsets = yielding_gil(range(0, len(self.body), _CHUNK_BYTES))
        contains_secret = hidden and any(
            self.body.find(hidden, at, at + _CHUNK_BYTES + len(hidden)) >= 0 for at in offsets
        )
        return replace(self, body=self.body.replace(hidden, b"...")) if contains_secret else self


def read(call: str, response: RawResponse, model: type[M], target: RequestTarget) -> M:
    """Parse a successful response.

    Raises:
        UnexpectedResponse: the body is not JSON, or not of this shape.
        ErrorResponse: the service responded with an error.
    """
    require_success(call, response, target)
    try:
        return model.model_validate(parse(response.body, DEEPEST_WRAPPED))
    except InvalidJson as error:
        reason = str(error)
    except ValidationError as error:
        reason = invalid_fields(error)
    service_error = read_error(response.status, response.body, response.headers)
    if service_error.kind is ErrorKind.LAYOUT:
        # Also observed with a 2xx status (wire reference, section 2.3).
        raise LayoutRejected(call, service_error)
    raise UnexpectedResponse(call, reason)


def require_success(call: str, response: RawResponse, target: RequestTarget) -> None:
    """Check that a response is successful.

    Args:
        call: the request, for errors.
        response: the response.
        target: the resource that the request is about.

    Raises:
        UnexpectedResponse: a redirect, which is never followed, or a web page.
        ErrorResponse: the service responded with an error.
    """
    is_temporary = response.status in _TEMPORARY or response.status >= 500
    if is_page(response.headers) and not is_temporary and not target.is_deprecated:
        raise UnexpectedResponse(call, _("the response is a web page"))
    if not response.is_good:
        raise error_from_response(call, response, target)


def is_page(headers: Mapping[str, str]) -> bool:
    """Whether a response is a web page: services and storage never send one, captive portals do."""
    return headers.get("content-type", "").lower().startswith("text/html")


def redirect_location(call: str, url: str, response: RawResponse) -> str:
    """The URL that a response redirects to.

    Raises:
        UnexpectedResponse: it cannot be parsed.
    """
    try:
        target = urljoin(url, response.headers.get("location", ""))
        urlsplit(target)
    except ValueError:
        raise invalid_redirect(call) from None
    return target


def invalid_redirect(call: str) -> UnexpectedResponse:
    """The error about a redirect to something that is not a URL."""
    return UnexpectedResponse(call, _("the response redirects to an invalid address"))


def error_from_response(call: str, response: RawResponse, target: RequestTarget = ANYTHING) -> ApiError:
    """Convert an unsuccessful response to an error."""
    if response.status < 400:
        return UnexpectedResponse(call, _("unexpected redirect ({status})").format(status=response.status))
    service_error = read_error(response.status, response.body, response.headers)
    if service_error.kind is not ErrorKind.LAYOUT and not service_error.is_feature_off:
        if target.is_deprecated and service_error.status in ABSENT and service_error.deprecation is None:
            return Gone(call, service_error, target.name)
        if service_error.status in target.absent:
            return NotFound(call, service_error, target.name)
    return _error_type(service_error)(call, service_error)


def _error_type(service_error: ServiceError) -> type[ErrorResponse]:
    if service_error.kind is ErrorKind.LAYOUT:
        return LayoutRejected
    if service_error.status >= 500:
        return ServerError
    if service_error.status in _FEATURE_OFF and service_error.is_feature_off:
        return FeatureOff
    return _BY_STATUS.get(service_error.status, BadRequest)


def invalid_fields(details: ValidationError) -> str:
    """List the invalid fields without their values, since a value may be a pre-signed URL."""
    errors = details.errors(include_input=False, include_url=False, include_context=False)
    fields = sorted({".".join(map(str, error["loc"])) for error in errors})
    return _("missing or invalid in the response: {fields}").format(fields=joined(fields))
