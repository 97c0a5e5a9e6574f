"""Calls about accounts: the owner of a token, and the test participants with which a study is tried out.

Specification, Account and participants; wire reference, section 3.
"""

from batchwright.api.http.transport import Transport
from batchwright.wire.account import Participant, ParticipantCreate, User


class Participants:
    """Calls about test participants."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def create(self, request: ParticipantCreate) -> Participant:
        """Create a test participant; its id can be used in an allowlist or a participant group.

        Raises:
            BadRequest: the e-mail address is invalid or belongs to an account already.
            FeatureOff: no workspace of the owner of the token has test participants.
            OutcomeUnknown: the response was lost. The API has no list of test participants; if the account
                was created, the same address is rejected from then on.
        """
        return await self._transport.send(
            "POST", "/api/v1/researchers/participants/", model=Participant, body=request
        )


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
