"""The account check before a connection is saved: the token's owner, and access to the workspace."""

import asyncio

from batchwright.api.client import ApiClient, connect
from batchwright.api.http.errors import ApiError, BadAddress, ErrorResponse
from batchwright.api.http.retry import RetryPolicy
from batchwright.api.http.urls import normalized_base_url
from batchwright.base.network_settings import SYSTEM_NETWORK, NetworkSettings
from batchwright.local.connections import trusted_by
from batchwright.wire.account import User

_ONE_RETRY = RetryPolicy(delays=lambda: (0.5,), longest_wait_s=5)
"""The user waits for the result: a request is retried once, without a long pause."""


class WorkspaceNotAccessible(Exception):
    """The token is valid, but not for this workspace; `answer` is the error of the request."""

    def __init__(self, error_response: ApiError) -> None:
        super().__init__(error_response.reason)
        self.answer = error_response


async def check_account(
    url: str, token: str, workspace_id: str, certificates: str = "", network: NetworkSettings = SYSTEM_NETWORK
) -> User:
    """The owner of a token, after checking that it has access to the workspace.

    The account check itself names no workspace (specification, Authentication 5), so the batches of the
    workspace are requested too. `certificates` is the path of a file of certificates to trust in addition to
    the usual ones, or empty; `network` is the user's proxy and certificates.

    Raises:
        WorkspaceNotAccessible: the owner has no access to the workspace.
        ApiError: address or token were rejected, or the service does not respond.
    """
    async with await asyncio.to_thread(_connect, url, token, workspace_id, certificates, network) as service:
        user = await service.account.check()
        try:
            await service.batches.list(workspace_id)
        except ErrorResponse as error:
            if error.status not in {400, 403, 404}:
                raise
            error_response = error
        else:
            return user
    raise WorkspaceNotAccessible(error_response)


def token_owner_name(user: User) -> str:
    """The full name of a token's owner, otherwise the user name; empty if there is neither."""
    full = " ".join(name for name in (user.first_name, user.last_name) if name)
    return user.name or full or user.username or ""


def is_other_service(old_url: str, new_url: str) -> bool:
    """Whether two addresses belong to different services.

    Raises:
        BadAddress: `new_url` is not a valid address.
    """
    new = normalized_base_url(new_url)
    try:
        return normalized_base_url(old_url) != new
    except BadAddress:
        return True


def _connect(
    url: str, token: str, workspace_id: str, certificates: str, network: NetworkSettings
) -> ApiClient:
    return connect(
        url,
        token,
        retry_policy=_ONE_RETRY,
        workspace_id=workspace_id,
        certificates=trusted_by(certificates),
        network=network,
    )
