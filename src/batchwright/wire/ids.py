"""Timestamps and ids in the models of the wire (wire reference, 1.4, 1.5)."""

import uuid
from datetime import datetime
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from batchwright.base.i18n import _
from batchwright.wire.timestamps import read_timestamp

Timestamp: TypeAlias = Annotated[
    datetime, PlainValidator(read_timestamp), WithJsonSchema({"type": "string", "format": "date-time"})
]
"""A moment: lenient when read; `write_timestamp` is strict."""


def is_uuid(text: str) -> bool:
    """Whether a text is a UUID in its usual form, 8-4-4-4-12 hex digits."""
    try:
        return str(uuid.UUID(text)) == text.lower()
    except ValueError:
        return False


def _check_uuid(text: str) -> str:
    if not is_uuid(text):
        raise PydanticCustomError("no_uuid", _("This is no valid UUID."))
    return text


Uuid: TypeAlias = Annotated[
    str, AfterValidator(_check_uuid), WithJsonSchema({"type": "string", "format": "uuid"})
]
"""An id in a request where the specification asks for a UUID; in answers every id is opaque."""
