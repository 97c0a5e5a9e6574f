"""Questions about an error of a request, for callers that decide by it but know nothing of HTTP.

The window asks these instead of importing the exception classes of `api`. The text of an error comes from
`workflows.messages`.
"""

from collections.abc import Awaitable
from typing import TypeVar

from batchwright.api.errors import ApiError, BadRequest, FeatureOff, NotFound, Unauthorized
from batchwright.client.connection_pool import NotSignedIn
from batchwright.local.secrets import KeyringUnavailable

T = TypeVar("T")


def needs_sign_in(error: BaseException) -> bool:
    """Whether a token that the user can give is missing, was rejected, or cannot be read from the keyring."""
    return isinstance(error, Unauthorized | NotSignedIn | KeyringUnavailable)


def is_token_rejected(error: BaseException) -> bool:
    """Whether the service did not accept the token."""
    return isinstance(error, Unauthorized)


def is_service_error(error: BaseException) -> bool:
    """Whether a request failed, or was not sent because a token is missing."""
    return isinstance(error, ApiError | NotSignedIn)


def is_not_found(error: BaseException) -> bool:
    """Whether the service has no resource of the id that was asked for."""
    return isinstance(error, NotFound)


def is_feature_disabled(error: BaseException) -> bool:
    """Whether the workspace does not have the feature that the request needs."""
    return isinstance(error, FeatureOff)


def field_error(error: BaseException, field: str) -> str:
    """What the service says about one field of a rejected request; empty if the field was not the reason."""
    return " ".join(error.response.field_messages.get(field, ())) if isinstance(error, BadRequest) else ""


async def none_if_missing(request: Awaitable[T]) -> T | None:
    """The result of a request for one resource; None if the service has no such resource."""
    try:
        return await request
    except NotFound:
        return None
