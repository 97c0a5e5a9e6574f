"""Types of timestamps and ids in the models of the API (wire reference, sections 1.4 and 1.5)."""

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
"""A timestamp, parsed leniently; `write_timestamp` writes one fixed format."""


def is_uuid(text: str) -> bool:
    """Whether a text is a UUID in its usual form of 8-4-4-4-12 hexadecimal digits."""
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
"""An id that must be a UUID in requests; in responses, every id is an opaque string."""
