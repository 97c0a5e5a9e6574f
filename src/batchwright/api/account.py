"""The account check: whose token this is (specification, Account and participants)."""

from batchwright.api.transport import Transport
from batchwright.wire.users import User


class Account:
    """Calls about the token's owner."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def check(self) -> User:
        """Whose token this is; serves to test a token (specification, Authentication 5).

        Raises:
            Unauthorized: the token is not accepted.
            BadRequest: the check failed (400); the service's text says why.
        """
        return await self._transport.send("GET", "/api/v1/users/me/", into=User)
