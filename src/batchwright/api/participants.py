"""Test participants: accounts that take part like others, for who makes a study (wire reference, 3.2)."""

from batchwright.api.transport import Transport
from batchwright.wire.participants import Participant, ParticipantCreate


class Participants:
    """Calls about test participants."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def create(self, wanted: ParticipantCreate) -> Participant:
        """Make a test participant; its id can stand in an allowlist or a participant group.

        Raises:
            BadRequest: the address belongs to an account already, or is none.
            FeatureOff: no workspace of the token's owner has test participants.
            OutcomeUnknown: the response was lost. There is no list of test participants; an address that was
                taken meanwhile is rejected.
        """
        return await self._transport.send(
            "POST", "/api/v1/researchers/participants/", into=Participant, body=wanted
        )
