"""What came back, turned into a value or an error, without any input or output."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from pydantic import ValidationError

from batchwright.api.errors import (
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
from batchwright.wire.base import Body
from batchwright.wire.error_parsing import ErrorKind, ServiceError, read_error

M = TypeVar("M", bound=Body)

_BY_STATUS = {401: Unauthorized, 403: Forbidden, 409: Conflict, 429: RateLimited}
_FOR_NOW = frozenset({408, 429})
"""Refusals that hold for now, which whatever stands before a service may speak for it."""
_PIECE = 1 << 20
_FEATURE_OFF = frozenset({400, 403, 404})
"""A missing feature is known by words alone, and has been seen with more than one status.

Wire reference, section 2.4.
"""


ABSENT = frozenset({404, 410})
"""The statuses that always mean that there is no such thing."""


@dataclass(frozen=True)
class RequestTarget:
    """What a request is about, to be named when there is no such thing (wire reference, 2.4)."""

    name: str = ""
    absent: frozenset[int] = ABSENT
    """The statuses that for this request mean that there is no such thing."""
    is_deprecated: bool = False
    """Whether 404 and 410 mean that the service has given up what is asked for (wire reference, 9)."""


ANYTHING = RequestTarget()


@dataclass(frozen=True)
class RawResponse:
    """An answer as it came: header names in lower case, the body whole."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)

    @property
    def is_good(self) -> bool:
        """Whether the status says that the request was carried out."""
        return 200 <= self.status < 300

    def without(self, secret: str) -> "RawResponse":
        """The same answer with a secret blotted out, should the other side have sent it back."""
        hidden = secret.encode()
        # Looked for first, and piece by piece: to replace copies all of it at once.
        begins = yielding_gil(range(0, len(self.body), _PIECE))
        is_there = hidden and any(self.body.find(hidden, at, at + _PIECE + len(hidden)) >= 0 for at in begins)
        return replace(self, body=self.body.replace(hidden, b"...")) if is_there else self


def read(call: str, answer: RawResponse, into: type[M], sought: RequestTarget) -> M:
    """The value that a good answer holds.

    Raises:
        UnexpectedResponse: the body is no JSON, or not of this shape.
        ErrorResponse: the service did not say yes.
    """
    require_success(call, answer, sought)
    try:
        return into.model_validate(parse(answer.body, DEEPEST_WRAPPED))
    except InvalidJson as fault:
        reason = str(fault)
    except ValidationError as fault:
        reason = invalid_fields(fault)
    said = read_error(answer.status, answer.body, answer.headers)
    if said.kind is ErrorKind.LAYOUT:  # seen even with a good status (wire reference, 2.3)
        raise LayoutRejected(call, said)
    raise UnexpectedResponse(call, reason)


def require_success(call: str, answer: RawResponse, sought: RequestTarget) -> None:
    """Make sure that an answer says yes.

    Args:
        call: the request, for the error.
        answer: what came back.
        sought: what the request is about.

    Raises:
        UnexpectedResponse: a redirect, which is never followed, or a page for people that says yes or no.
        ErrorResponse: the service did not say yes.
    """
    is_for_now = answer.status in _FOR_NOW or answer.status >= 500
    if is_page(answer.headers) and not is_for_now and not sought.is_deprecated:
        raise UnexpectedResponse(call, _("the response is a web page"))
    if not answer.is_good:
        raise error_from_response(call, answer, sought)


def is_page(headers: Mapping[str, str]) -> bool:
    """Whether it is a page for people: no service and no storage answers with one, a hotel's Wi-Fi does."""
    return headers.get("content-type", "").lower().startswith("text/html")


def error_from_response(call: str, answer: RawResponse, sought: RequestTarget = ANYTHING) -> ApiError:
    """The error that an answer other than yes stands for."""
    if answer.status < 400:
        return UnexpectedResponse(call, _("unexpected redirect ({status})").format(status=answer.status))
    said = read_error(answer.status, answer.body, answer.headers)
    if said.kind is not ErrorKind.LAYOUT and not said.is_feature_off:
        if sought.is_deprecated and said.status in ABSENT and said.deprecation is None:
            return Gone(call, said, sought.name)
        if said.status in sought.absent:
            return NotFound(call, said, sought.name)
    return _kind(said)(call, said)


def _kind(said: ServiceError) -> type[ErrorResponse]:
    if said.kind is ErrorKind.LAYOUT:
        return LayoutRejected
    if said.status >= 500:
        return ServerError
    if said.status in _FEATURE_OFF and said.is_feature_off:
        return FeatureOff
    return _BY_STATUS.get(said.status, BadRequest)


def invalid_fields(fault: ValidationError) -> str:
    """The places at fault alone: what stands there may be a pre-signed address."""
    errors = fault.errors(include_input=False, include_url=False, include_context=False)
    places = sorted({".".join(map(str, error["loc"])) for error in errors})
    return _("missing or invalid in the response: {places}").format(places=", ".join(places))
