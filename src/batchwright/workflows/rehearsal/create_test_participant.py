"""Creating a test participant, whose id can be admitted to a study.

Specification, Account and participants.
"""

import asyncio

from batchwright.api.http.errors import OutcomeUnknown
from batchwright.base.i18n import _
from batchwright.client.context import WorkflowContext
from batchwright.local.id_registry import RemoteKind
from batchwright.wire.account import ParticipantCreate


class ParticipantCreationUnknown(Exception):
    """The response was lost, and no list says whether the test participant with `email` was created."""

    def __init__(self, email: str) -> None:
        super().__init__(email)
        self.email = email


async def create_test_participant(context: WorkflowContext, email: str) -> str:
    """Create a test participant and return the id.

    The request is completed even if the caller is cancelled, because the service returns the id only once.

    Raises:
        ParticipantCreationUnknown: the response was lost; retry with the same address, which is rejected if
            it is taken.
        BadRequest: the address belongs to an account already, or is not valid.
        FeatureOff: no workspace of the token's owner has test participants.
        ApiError: the request failed permanently.
    """
    return await asyncio.shield(_create(context, email))


async def _create(context: WorkflowContext, email: str) -> str:
    try:
        participant = await context.service.participants.create(ParticipantCreate(email=email))
    except OutcomeUnknown:
        raise ParticipantCreationUnknown(email) from None
    await context.id_recorder.record_created(RemoteKind.PARTICIPANT, participant.participant_id, email)
    message = _("Created the test participant {id} for {email}.")
    context.notify(message.format(id=participant.participant_id, email=email))
    return participant.participant_id
