"""Models of test participants (wire reference, section 3.2)."""

from typing import Annotated

from pydantic import WithJsonSchema

from batchwright.wire.base import RequestBody, ResponseBody

MAX_EMAIL_CHARS = 254
"""Maximum number of characters of an e-mail address (RFC 5321)."""


class ParticipantCreate(RequestBody):
    """POST `/researchers/participants/`; the address must not belong to an existing account."""

    email: Annotated[str, WithJsonSchema({"type": "string", "format": "email", "maxLength": MAX_EMAIL_CHARS})]


class Participant(ResponseBody):
    """The test participant that was created."""

    participant_id: str
