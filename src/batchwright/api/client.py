"""A service as the rest of the program holds it: every kind of call in one value."""

import ssl
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from batchwright.api.account import Account
from batchwright.api.batches import Batches
from batchwright.api.collections import Collections
from batchwright.api.datasets import Datasets
from batchwright.api.exports import Exports
from batchwright.api.feedback import Feedback
from batchwright.api.instructions import Instructions
from batchwright.api.local_service import LocalService
from batchwright.api.participants import Participants
from batchwright.api.retry import RetryPolicy
from batchwright.api.transfers import Transfers
from batchwright.api.transport import OnResponse, Transport, ignore_response, ssl_context
from batchwright.api.urls import normalized_base_url


@dataclass(frozen=True)
class ApiClient:
    """One service, asked with one token. Close it after use, or use it in `async with`."""

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
        """Close every connection."""
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
    patience: RetryPolicy | None = None,
    certificates: Path | None = None,
    hear: OnResponse = ignore_response,
) -> ApiClient:
    """Every kind of call to the service at `base_url`; nothing is sent yet.

    Args:
        base_url: such as `https://api.prolific.com`; http only to this computer.
        token: goes into the `Authorization` header of requests to `base_url`, and nowhere else.
        patience: how requests are repeated; as `RetryPolicy` has it when left out.
        certificates: a file of certificates to trust besides the usual ones.
        hear: is told each good answer before whoever asked.

    Raises:
        ConfigurationError: address, token or certificates cannot be used.
    """
    base = normalized_base_url(base_url)
    patience = patience or RetryPolicy()
    trust = _trust(plain=base.is_local and base.origin.startswith("http:"), certificates=certificates)
    transport = Transport(base, token, patience, trust, hear)
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
        transfers=Transfers(patience, trust),
        _transport=transport,
    )


def _trust(*, plain: bool, certificates: Path | None) -> ssl.SSLContext:
    # Plain http needs no certificates, and reading the usual ones takes longer than starting the rest.
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if plain else ssl_context(certificates)
