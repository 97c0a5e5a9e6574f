"""Models of accounts: the owner of a token, and test participants (wire reference, section 3)."""

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


class User(ResponseBody):
    """GET `/users/me/`: only `id` and `email` are always present."""

    id: str
    email: str
    name: str | None = None
    first_name: str | None = None
    last_name: str | None = None
    username: str | None = None
    user_type: str | None = None
    currency_code: str | None = None
    balance: int | None = None
    """In the smallest unit of the currency."""
    available_balance: int | None = None
    """In the smallest unit of the currency."""
