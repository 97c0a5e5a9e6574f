"""Making a test participant, whose id a study can let in (specification, Account and participants)."""

import asyncio

from batchwright.api.errors import OutcomeUnknown
from batchwright.base.i18n import _
from batchwright.client.context import WorkflowContext
from batchwright.local.id_registry import RemoteKind
from batchwright.wire.participants import ParticipantCreate


class ParticipantCreationUnknown(Exception):
    """The answer was lost, and no list tells whether the test participant of `email` was made."""

    def __init__(self, email: str) -> None:
        super().__init__(email)
        self.email = email


async def create_test_participant(bench: WorkflowContext, email: str) -> str:
    """The id of a new test participant.

    Once begun it goes on to its end, also when whoever asked is gone: the service names the id only once.

    Raises:
        ParticipantCreationUnknown: the response was lost; retry with the same address, which is rejected if
            it is taken.
        BadRequest: the address belongs to an account already, or is none.
        FeatureOff: no workspace of the token's owner has test participants.
        ApiError: the request failed for good.
    """
    return await asyncio.shield(_create(bench, email))


async def _create(bench: WorkflowContext, email: str) -> str:
    try:
        made = await bench.service.participants.create(ParticipantCreate(email=email))
    except OutcomeUnknown:
        raise ParticipantCreationUnknown(email) from None
    await bench.id_recorder.record_created(RemoteKind.PARTICIPANT, made.participant_id, email)
    message = _("Created the test participant {id} for {email}.")
    bench.notify(message.format(id=made.participant_id, email=email))
    return made.participant_id
