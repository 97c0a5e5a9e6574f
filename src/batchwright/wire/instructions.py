"""The deprecated instructions of legacy batches (wire reference, 9).

What an instruction may hold beside its `type` and `description` is the same as in a layout
(wire reference, 6), and is for `layout` to say; here it travels as it came.
"""

from typing import Annotated, Any

from pydantic import WithJsonSchema, model_validator

from batchwright.base.json_values import JsonObject, is_array
from batchwright.wire.base import FilledArray, JsonArray, RequestBody, ResponseBody, to_payload
from batchwright.wire.ids import Timestamp
from batchwright.wire.pagination import Listing
from batchwright.wire.responses import InstructionType

DEPRECATION_HEADERS = {"Deprecation": "true", "Sunset": "Tue, 01 Sep 2026 23:59:59 GMT"}
"""On every answer of these endpoints, refusals included (specification, Versioning 3)."""

_RECORD_FIELDS = frozenset({"created_at", "created_by", "parent_id", "parent_type", "batch_id"})


class InstructionEntry(RequestBody):
    """One instruction of a request; `id` names the one to keep, on PUT only."""

    type: Annotated[str, WithJsonSchema({"type": "string", "enum": [*InstructionType]})]
    description: Annotated[str, WithJsonSchema({"type": "string", "minLength": 1})]
    id: str | None = None

    @property
    def item(self) -> JsonObject:
        """The instruction itself: without its id, and without what a client echoes of a record."""
        return {
            name: value
            for name, value in to_payload(self).items()
            if name != "id" and name not in _RECORD_FIELDS
        }


class InstructionsWrite(RequestBody):
    """PUT `/batches/{id}/instructions`: these replace all others; an empty array removes them all."""

    instructions: JsonArray[InstructionEntry]


class InstructionsAdd(InstructionsWrite):
    """POST `/batches/{id}/instructions`: at least one to add."""

    instructions: FilledArray[InstructionEntry]


class InstructionRecord(ResponseBody):
    """One instruction of an answer."""

    id: str
    type: str
    description: str = ""
    created_at: Timestamp | None = None
    created_by: str | None = None
    parent_id: str | None = None
    """The batch; some services call it `batch_id`."""
    parent_type: str | None = None
    batch_id: str | None = None

    @property
    def batch(self) -> str | None:
        """The batch that the instruction belongs to, by either name."""
        return self.batch_id or self.parent_id

    @property
    def item(self) -> JsonObject:
        """The instruction as an item of a layout: all but what only a record has."""
        return {name: value for name, value in to_payload(self).items() if name not in _RECORD_FIELDS}


class InstructionList(Listing[InstructionRecord]):
    """The answer to GET, POST and PUT: an envelope or a bare array (wire reference, 9 and 13)."""

    @model_validator(mode="before")
    @classmethod
    def _wrap(cls, given: Any) -> Any:
        return {"results": given} if is_array(given) else given
