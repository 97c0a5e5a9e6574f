"""Retrying requests: which errors are retried, and how long to wait.

A request that may have been carried out is repeated only if repeating it changes nothing.
"""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar

from batchwright.api.http.errors import (
    ApiError,
    CertificateUntrusted,
    ClientClosed,
    ErrorResponse,
    OutcomeUnknown,
    ProxyRefused,
    RateLimited,
    ServerError,
    UnexpectedResponse,
    Unreachable,
)
from batchwright.base.i18n import _

_log = logging.getLogger(__name__)

T = TypeVar("T")


SILENCE_S = 2.5
"""Seconds without a response after which a request is reported (`silence_reported`)."""

OnRetry = Callable[[ApiError], object]
"""Called with the error before the pause when a request is to be sent again, or when it is not answered."""

OnSuccess = Callable[[], object]
"""Called when a request that was reported has succeeded."""


def _ignore_success() -> None:
    """Default for `on_success`: does nothing."""


_reports: ContextVar[tuple[tuple[OnRetry, OnSuccess], ...]] = ContextVar("reports", default=())


@contextmanager
def retries_reported(on_retry: OnRetry, on_success: OnSuccess = _ignore_success) -> Iterator[None]:
    """Report every request of this task in the block that is sent again or not answered for `SILENCE_S`.

    Enclosing blocks report it, too.
    """
    token = _reports.set((*_reports.get(), (on_retry, on_success)))
    try:
        yield
    finally:
        _reports.reset(token)


@contextmanager
def silence_reported(call: str) -> Iterator[None]:
    """Report a request in the block as unreachable after `SILENCE_S`, and as successful once it is answered.

    The request itself goes on; it may also be the start of the service on this computer.
    Only for requests that are short: a transfer may take any time.
    """
    reports, is_silent = _reports.get(), False

    def on_silence() -> None:
        nonlocal is_silent
        is_silent = True
        for on_retry, _on_success in reports:
            on_retry(Unreachable(call, _("there is no response yet"), arrived=True))

    timer = asyncio.get_running_loop().call_later(SILENCE_S, on_silence)
    try:
        yield
        if is_silent:
            for _on_retry, on_success in reports:
                on_success()
    finally:
        timer.cancel()


def exponential_backoff() -> Iterator[float]:
    """Yield pauses of 1, 2, 4 and 8 seconds (wire reference, 2.4), each with up to 25% added at random."""
    for delay in (1, 2, 4, 8):
        yield delay * random.uniform(1, 1.25)  # noqa: S311 - spreads clients out; no secret depends on it


@dataclass(frozen=True)
class RetryPolicy:
    """How requests are retried: `delays` returns a new iterable of pauses per request, `sleep` waits."""

    delays: Callable[[], Iterable[float]] = exponential_backoff
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    longest_wait_s: float = 120
    """Seconds: if a service asks for a longer wait, the error is raised instead."""

    async def run(self, attempt: Callable[[], Awaitable[T]], *, repeatable: bool) -> T:
        """Call `attempt` until it succeeds, fails with an error that is not retried, or no pause is left.

        Args:
            attempt: sends one request; raises an ApiError if it fails.
            repeatable: whether sending it twice has the same effect as sending it once.

        Raises:
            OutcomeUnknown: it is not repeatable and may have been carried out.
            ApiError: the last error otherwise.
        """
        is_repeated = False

        async def reported_attempt() -> T:
            value = await attempt()
            if is_repeated:
                for _on_retry, on_success in _reports.get():
                    on_success()
            return value

        for delay in self.delays():
            try:
                return await reported_attempt()
            except ApiError as error:
                wait = retry_after_seconds(error)
                if not is_retryable(error, repeatable=repeatable) or wait > self.longest_wait_s:
                    _log.info("Failed: %s: %s", error.call, type(error).__name__)
                    raise _outcome(error, repeatable=repeatable) from None
                is_repeated = True
                _log.info("Retry in %.1f s: %s: %s", max(delay, wait), error.call, type(error).__name__)
                for on_retry, _on_success in _reports.get():
                    on_retry(error)
            await self.sleep(max(delay, wait))
        try:
            return await reported_attempt()
        except ApiError as error:
            _log.info("Failed for good: %s: %s", error.call, type(error).__name__)
            raise _outcome(error, repeatable=repeatable) from None


def is_retryable(error: ApiError, *, repeatable: bool) -> bool:
    """Whether the same request may be sent again after this error and could succeed."""
    match error:
        case CertificateUntrusted() | ClientClosed() | ProxyRefused():
            return False
        case RateLimited() | Unreachable(arrived=False):
            return True
        case Unreachable() | ServerError():
            return repeatable
        case _:
            return False


def retry_after_seconds(error: ApiError) -> float:
    """How many seconds the service asked to wait; 0 if it did not."""
    return (error.response.retry_after or 0) if isinstance(error, ErrorResponse) else 0


def _outcome(error: ApiError, *, repeatable: bool) -> ApiError:
    match error:
        case Unreachable(arrived=True) | ServerError() | UnexpectedResponse() if not repeatable:
            return OutcomeUnknown(error.call, error)
        case _:
            return error
