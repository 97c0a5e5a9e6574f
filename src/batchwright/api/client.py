"""The API client: all calls to one service, grouped by resource."""

import ssl
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from batchwright.api.account import Account, Participants
from batchwright.api.batches import Batches
from batchwright.api.collections import Collections
from batchwright.api.datasets import Datasets
from batchwright.api.exports import Exports
from batchwright.api.feedback import Feedback
from batchwright.api.http_client import ssl_context
from batchwright.api.instructions import Instructions
from batchwright.api.local_service import LocalService
from batchwright.api.retry import RetryPolicy
from batchwright.api.transfers import Transfers
from batchwright.api.transport import OnResponse, Transport, ignore_response
from batchwright.api.urls import normalized_base_url


@dataclass(frozen=True)
class ApiClient:
    """A client for one service with one token. Call `close` after use, or use it in `async with`."""

    account: Account
    datasets: Datasets
    batches: Batches
    instructions: Instructions
    collections: Collections
    exports: Exports
    participants: Participants
    feedback: Feedback
    local: LocalService
    transfers: Transfers
    _transport: Transport = field(repr=False)

    async def close(self) -> None:
        """Close all connections."""
        await self._transport.close()
        await self.transfers.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def connect(
    base_url: str,
    token: str,
    *,
    retry_policy: RetryPolicy | None = None,
    certificates: Path | None = None,
    on_response: OnResponse = ignore_response,
) -> ApiClient:
    """Create a client for the service at `base_url`; no request is sent yet.

    Args:
        base_url: such as `https://api.prolific.com`; http is allowed for this computer only.
        token: sent in the `Authorization` header of requests to `base_url`, and nowhere else.
        retry_policy: how requests are retried; by default `RetryPolicy()`.
        certificates: a file of CA certificates to trust in addition to the default ones.
        on_response: called with each successful response before it is returned to the caller.

    Raises:
        ConfigurationError: the URL, the token or the certificates cannot be used.
    """
    base = normalized_base_url(base_url)
    retry_policy = retry_policy or RetryPolicy()
    trust = _trust(is_plain_http=base.is_local and base.origin.startswith("http:"), certificates=certificates)
    transport = Transport(base, token, retry_policy, trust, on_response)
    return ApiClient(
        account=Account(transport),
        datasets=Datasets(transport),
        batches=Batches(transport),
        instructions=Instructions(transport),
        collections=Collections(transport),
        exports=Exports(transport),
        participants=Participants(transport),
        feedback=Feedback(transport),
        local=LocalService(transport),
        transfers=Transfers(retry_policy, trust),
        _transport=transport,
    )


def _trust(*, is_plain_http: bool, certificates: Path | None) -> ssl.SSLContext:
    # Plain http needs no certificates, and loading the default ones takes longer than the rest of the start.
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if is_plain_http else ssl_context(certificates)
