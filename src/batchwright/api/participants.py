"""Calls about test participants, with which researchers try their studies (wire reference, section 3.2)."""

from batchwright.api.transport import Transport
from batchwright.wire.participants import Participant, ParticipantCreate


class Participants:
    """Calls about test participants."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def create(self, wanted: ParticipantCreate) -> Participant:
        """Create a test participant; its id can be used in an allowlist or a participant group.

        Raises:
            BadRequest: the e-mail address is invalid or belongs to an account already.
            FeatureOff: no workspace of the owner of the token has test participants.
            OutcomeUnknown: the response was lost. The API has no list of test participants; if the account
                was created, the same address is rejected from then on.
        """
        return await self._transport.send(
            "POST", "/api/v1/researchers/participants/", model=Participant, body=wanted
        )
