"""Calls about the owner of a token (specification, Account and participants)."""

from batchwright.api.transport import Transport
from batchwright.wire.users import User


class Account:
    """Calls about the owner of the token."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def check(self) -> User:
        """Fetch the user that the token belongs to; used to test a token (specification, Authentication 5).

        Raises:
            Unauthorized: the service rejects the token.
            BadRequest: the check failed (400); the error message of the service gives the reason.
        """
        return await self._transport.send("GET", "/api/v1/users/me/", model=User)
