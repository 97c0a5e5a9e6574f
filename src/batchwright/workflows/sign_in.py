"""Whose token it is, and whether it reaches the workspace: asked before a connection is kept."""

import asyncio

from batchwright.api.client import ApiClient, connect
from batchwright.api.errors import ApiError, BadAddress, ErrorResponse
from batchwright.api.retry import RetryPolicy
from batchwright.api.urls import normalized_base_url
from batchwright.local.connections import trusted_by
from batchwright.wire.users import User

_ONE_RETRY = RetryPolicy(delays=lambda: (0.5,), longest_wait_s=5)
"""A person waits for the answer: one more try is worth it, and no long wait."""


class WorkspaceNotAccessible(Exception):
    """The token is good, but not for this workspace; `answer` is what the service said to that."""

    def __init__(self, answer: ApiError) -> None:
        super().__init__(answer.reason)
        self.answer = answer


async def check_account(url: str, token: str, workspace_id: str, certificates: str = "") -> User:
    """The owner of a token, once it has reached the workspace (specification, Authentication 5).

    The account check itself names no workspace; asking for its batches tells whether it may be worked in.
    `certificates` is a file of those to trust besides the usual ones, if not empty.

    Raises:
        WorkspaceNotAccessible: the workspace is none of the owner's.
        ApiError: address or token are not accepted, or the service does not answer.
    """
    async with await asyncio.to_thread(_connect, url, token, certificates) as service:
        user = await service.account.check()
        try:
            await service.batches.list(workspace_id)
        except ErrorResponse as error:
            if error.status not in {400, 403, 404}:
                raise
            answer = error
        else:
            return user
    raise WorkspaceNotAccessible(answer)


def token_owner_name(user: User) -> str:
    """What to call the owner of a token: the full name, else the user name; empty where neither is told."""
    full = " ".join(part for part in (user.first_name, user.last_name) if part)
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


def _connect(url: str, token: str, certificates: str) -> ApiClient:
    return connect(url, token, patience=_ONE_RETRY, certificates=trusted_by(certificates))
