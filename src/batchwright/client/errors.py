"""Predicates on request errors, for callers that decide by the kind of error but know nothing of HTTP.

The window uses these instead of importing the exception classes of `api`. The message for an error comes from
`workflows.messages`.
"""

from collections.abc import Awaitable
from typing import TypeVar

from batchwright.api.errors import ApiError, BadRequest, FeatureOff, NotFound, Unauthorized
from batchwright.client.connection_pool import NotSignedIn
from batchwright.local.secrets import KeyringUnavailable

T = TypeVar("T")


def needs_sign_in(error: BaseException) -> bool:
    """Whether a token that the user can enter is missing, rejected, or unreadable because of the key ring."""
    return isinstance(error, Unauthorized | NotSignedIn | KeyringUnavailable)


def is_token_rejected(error: BaseException) -> bool:
    """Whether the service rejected the token (401)."""
    return isinstance(error, Unauthorized)


def is_service_error(error: BaseException) -> bool:
    """Whether a request failed, or was not sent because a token is missing."""
    return isinstance(error, ApiError | NotSignedIn)


def is_not_found(error: BaseException) -> bool:
    """Whether the service has no resource with the requested id."""
    return isinstance(error, NotFound)


def is_feature_disabled(error: BaseException) -> bool:
    """Whether the workspace lacks the feature that the request needs."""
    return isinstance(error, FeatureOff)


def field_error(error: BaseException, field: str) -> str:
    """Return the service's message about one field of a rejected request; empty if there is none."""
    return " ".join(error.response.field_messages.get(field, ())) if isinstance(error, BadRequest) else ""


async def none_if_missing(request: Awaitable[T]) -> T | None:
    """Await a request for one resource; None if the service has no such resource."""
    try:
        return await request
    except NotFound:
        return None
