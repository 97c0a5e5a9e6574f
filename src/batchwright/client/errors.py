"""Errors that several workflows share, and predicates on request errors.

The window uses the predicates instead of importing the exception classes of `api`. The message for an error
comes from `workflows.messages`.
"""

from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from batchwright.api.http.errors import ApiError, BadRequest, FeatureOff, NotFound, Unauthorized
from batchwright.client.connection_pool import NotSignedIn
from batchwright.local.secrets import KeyringUnavailable


class StepFailed(Exception):
    """A step of an operation failed; `cause` is the error. A retry resumes at this step."""

    def __init__(self, step: str, cause: Exception) -> None:
        super().__init__(f"{step}: {cause}")
        self.step = step
        self.cause = cause


@contextmanager
def step(step: str) -> Iterator[None]:
    """Raise any exception of the block as `StepFailed` with this step, the beginning of a sentence."""
    try:
        yield
    except Exception as cause:
        raise StepFailed(step, cause) from cause


class ChangedMeanwhile(Exception):
    """A resource changed at the service after the user opened it and was not overwritten.

    The text names it.
    """


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
    """The service's message about one field of a rejected request; empty if there is none."""
    return " ".join(error.response.field_messages.get(field, ())) if isinstance(error, BadRequest) else ""


async def none_if_missing(request: Awaitable[T]) -> T | None:
    """Await a request for one resource; None if the service has no such resource."""
    try:
        return await request
    except NotFound:
        return None
