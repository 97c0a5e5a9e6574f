"""The API client: all calls to one service, grouped by resource."""

import ssl
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from types import TracebackType
from typing import Self

from batchwright.api.files.transfers import Transfers
from batchwright.api.http.errors import NotAllowed
from batchwright.api.http.http_client import ssl_context
from batchwright.api.http.retry import RetryPolicy
from batchwright.api.http.transport import OnResponse, Transport, ignore_response
from batchwright.api.http.urls import normalized_base_url
from batchwright.api.resources.account import Account, Participants
from batchwright.api.resources.batches import Batches
from batchwright.api.resources.collections import Collections
from batchwright.api.resources.datasets import Datasets
from batchwright.api.resources.exports import Exports
from batchwright.api.resources.feedback import Feedback
from batchwright.api.resources.instructions import Instructions
from batchwright.api.resources.local_service import LocalService
from batchwright.base.i18n import _
from batchwright.base.network_settings import SYSTEM_NETWORK, NetworkSettings
from batchwright.base.policy import CERTIFICATES, computer_policy


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
    workspace_id: str = "",
    certificates: Path | None = None,
    network: NetworkSettings = SYSTEM_NETWORK,
    on_response: OnResponse = ignore_response,
) -> ApiClient:
    """Create a client for the service at `base_url`; no request is sent yet.

    Args:
        base_url: such as `https://api.prolific.com`; http is allowed for this computer only.
        token: sent in the `Authorization` header of requests to `base_url`, and nowhere else.
        retry_policy: how requests are retried; by default `RetryPolicy()`.
        workspace_id: the workspace that is going to be used, which the policy of this computer may lock.
        certificates: a file of CA certificates to trust in addition to the default ones. It is not used if
            the policy locks the certificates of the settings.
        network: the user's proxy and certificates.
        on_response: called with each successful response before it is returned to the caller.

    Raises:
        ConfigurationError: the URL, the token or the certificates cannot be used.
        NotAllowed: the policy locks another service or workspace.
    """
    base, policy = normalized_base_url(base_url), computer_policy()
    reason = "" if base.is_local else policy.service_reason(f"{base.origin}{base.target}", workspace_id)
    if reason:
        raise NotAllowed(_("the connection"), reason)
    if policy.locked(CERTIFICATES) is not None:
        certificates = None
    retry_policy = retry_policy or RetryPolicy()
    own = Path(network.certificates) if network.certificates else None
    load_trust = cache(partial(ssl_context, certificates, own))
    # Plain http needs no certificates; loading them takes longer than the rest of the start.
    is_plain_http = base.origin.startswith("http:")
    trust = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if is_plain_http else load_trust()
    transport = Transport(base, token, retry_policy, trust, on_response, network.proxy_url)
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
        transfers=Transfers(retry_policy, load_trust, network.proxy_url),
        _transport=transport,
    )
