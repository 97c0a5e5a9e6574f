"""Test participants (wire reference, 3.2)."""

from typing import Annotated

from pydantic import WithJsonSchema

from batchwright.wire.base import RequestBody, ResponseBody

MAX_EMAIL_CHARS = 254
"""How many characters an address may have (RFC 5321)."""


class ParticipantCreate(RequestBody):
    """POST `/researchers/participants/`; the address must not belong to an account yet."""

    email: Annotated[str, WithJsonSchema({"type": "string", "format": "email", "maxLength": MAX_EMAIL_CHARS})]


class Participant(ResponseBody):
    """The test participant made."""

    participant_id: str
