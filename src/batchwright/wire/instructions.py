"""Models of the deprecated instructions of legacy batches (wire reference, section 9).

Keys of an instruction besides `type` and `description` are the same as in a layout (wire reference, section
6). They are passed on unchanged, and validated by `layout`.
"""

from typing import Annotated, Any

from pydantic import WithJsonSchema, model_validator

from batchwright.base.json_values import JsonObject, is_array
from batchwright.wire.base import FilledArray, JsonArray, RequestBody, ResponseBody, to_payload
from batchwright.wire.ids import Timestamp
from batchwright.wire.pagination import Listing
from batchwright.wire.responses import InstructionType

DEPRECATION_HEADERS = {"Deprecation": "true", "Sunset": "Tue, 01 Sep 2026 23:59:59 GMT"}
"""Headers of every response of these endpoints, including errors (specification, Versioning 3)."""

_RECORD_FIELDS = frozenset({"created_at", "created_by", "parent_id", "parent_type", "batch_id"})


class InstructionEntry(RequestBody):
    """An instruction in a request; `id` identifies an existing one to keep, on PUT only."""

    type: Annotated[str, WithJsonSchema({"type": "string", "enum": [*InstructionType]})]
    description: Annotated[str, WithJsonSchema({"type": "string", "minLength": 1})]
    id: str | None = None

    @property
    def item(self) -> JsonObject:
        """The instruction without its id, and without record fields that a client sends back."""
        return {
            name: value
            for name, value in to_payload(self).items()
            if name != "id" and name not in _RECORD_FIELDS
        }


class InstructionsWrite(RequestBody):
    """PUT `/batches/{id}/instructions`: replaces all instructions; an empty array removes them."""

    instructions: JsonArray[InstructionEntry]


class InstructionsAdd(InstructionsWrite):
    """POST `/batches/{id}/instructions`: at least one instruction to append."""

    instructions: FilledArray[InstructionEntry]


class InstructionRecord(ResponseBody):
    """An instruction in a response."""

    id: str
    type: str
    description: str = ""
    created_at: Timestamp | None = None
    created_by: str | None = None
    parent_id: str | None = None
    """The batch; some services name this key `batch_id`."""
    parent_type: str | None = None
    batch_id: str | None = None

    @property
    def batch(self) -> str | None:
        """The batch that the instruction belongs to, under either key."""
        return self.batch_id or self.parent_id

    @property
    def item(self) -> JsonObject:
        """The instruction as an item of a layout: without the fields that only records have."""
        return {name: value for name, value in to_payload(self).items() if name not in _RECORD_FIELDS}


class InstructionList(Listing[InstructionRecord]):
    """The response to GET, POST and PUT: an envelope or a bare array (wire reference, sections 9 and 13)."""

    @model_validator(mode="before")
    @classmethod
    def _wrap(cls, value: Any) -> Any:
        return {"results": value} if is_array(value) else value
