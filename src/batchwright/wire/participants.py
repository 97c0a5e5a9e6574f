"""Test participants (wire.md 3.2)."""

from batchwright.wire.bodies import AnswerBody, RequestBody


class ParticipantCreate(RequestBody):
    """POST `/researchers/participants/`; the address must not belong to an account yet."""

    email: str


class Participant(AnswerBody):
    """The test participant made."""

    participant_id: str
