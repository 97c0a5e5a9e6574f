"""What every request and answer body has in common (wire reference, 1.1, 1.2).

A body keeps what was set apart from what was left alone, and keeps keys it does not know.
Requests are strict, so that a service can refuse what is wrong; answers are lenient, so that
a client goes on when a service says more, or less, than it used to.
"""

from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    Strict,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject
from batchwright.wire.timestamps import write_timestamp

if TYPE_CHECKING:
    RawJson: TypeAlias = Json
    RawObject: TypeAlias = JsonObject
else:
    RawJson = Any
    RawObject = dict[str, Any]


class Body(BaseModel):
    """A JSON object that travels; frozen, and open for keys that nobody here knows."""

    model_config = ConfigDict(frozen=True, extra="allow")

    def has(self, name: str) -> bool:
        """Whether a field was set, be it to null: an absent key and a null are two things."""
        return name in self.model_fields_set


class RequestBody(Body):
    """What a client asks: a value of the wrong JSON type is refused, never turned into another."""

    model_config = ConfigDict(strict=True)


class ResponseBody(Body):
    """What a service answers: a key that is absent, or null where null means nothing, reads as empty.

    "Empty" is the default of the field; one without a default has to be there.
    """

    @model_validator(mode="before")
    @classmethod
    def _without_idle_nulls(cls, given: Any) -> Any:
        if not isinstance(given, dict) or None not in given.values():
            return given
        idle = {
            field.alias or name
            for name, field in cls.model_fields.items()
            if not field.is_required() and field.default is not None
        }
        return {key: value for key, value in given.items() if value is not None or key not in idle}


def to_payload(body: Body) -> dict[str, Json]:
    """The JSON object of a body: what was set, unknown keys included, and nothing else.

    Raw JSON inside is handed over untouched, down to strings that hold half a character.
    """
    known = type(body).model_fields
    fields = {
        field.alias or name: _plain(getattr(body, name)) for name, field in known.items() if body.has(name)
    }
    return {**fields, **(body.model_extra or {})}


def _plain(value: object) -> Any:
    match value:
        case Body():
            return to_payload(value)
        case tuple():
            return [_plain(entry) for entry in value]
        case datetime():
            return write_timestamp(value)
        case StrEnum():
            return value.value
    return value


def _refuse_null(value: object) -> object:
    if value is None:
        raise PydanticCustomError("null_given", _("This field may not be null."))
    return value


class _NeverNull:
    """Says of a field, in its JSON Schema, that it may not be null."""

    def __get_pydantic_json_schema__(
        self, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        schema = handler(core_schema)
        kinds = [kind for kind in schema.pop("anyOf") if kind != {"type": "null"}]
        return {**schema, **(kinds[0] if len(kinds) == 1 else {"anyOf": kinds})}


class _Filled:
    """Says of an array, in its JSON Schema, that it may not be empty."""

    def __get_pydantic_json_schema__(
        self, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {**handler(core_schema), "minItems": 1}


T = TypeVar("T")
Omittable: TypeAlias = Annotated[T | None, BeforeValidator(_refuse_null), _NeverNull()]
"""A request field that may be left out (and is None then), but may not be sent as null."""


def _refuse_empty(value: tuple[T, ...]) -> tuple[T, ...]:
    if not value:
        raise PydanticCustomError("empty_array", _("This must not be empty."))
    return value


JsonArray: TypeAlias = Annotated[tuple[T, ...], Strict(False)]
"""A JSON array; not strict, for a list is to become a tuple."""

FilledArray: TypeAlias = Annotated[tuple[T, ...], Strict(False), AfterValidator(_refuse_empty), _Filled()]
"""A `JsonArray` with at least one entry, without pydantic's `min_length`, which calls an
array empty when its entries are at fault.
"""

E = TypeVar("E", bound=StrEnum)
Open: TypeAlias = Annotated[E | str, Field(union_mode="left_to_right")]
"""A known word of a set that may grow, or a word that nobody here knows yet."""

Scalar: TypeAlias = str | int | float | bool
"""A JSON string, number or boolean, kept as the kind it came as."""
