"""Base classes and field types of all request and response bodies (wire reference, sections 1.1 and 1.2).

A body distinguishes fields that were set from fields that were not, and keeps unknown keys. Requests are
strict, so that a service can reject what is invalid; responses are lenient, so that a client continues to
work when a service sends more or less than it used to.
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
    WithJsonSchema,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject
from batchwright.base.text import VISIBLE_CHARACTER, is_blank
from batchwright.wire.timestamps import write_timestamp

if TYPE_CHECKING:
    RawJson: TypeAlias = Json
    RawObject: TypeAlias = JsonObject
else:
    RawJson = Any
    RawObject = dict[str, Any]


class Body(BaseModel):
    """A JSON object of a request or response; frozen, and open for unknown keys."""

    # Each process uses some of the models: what checks them is built when they are first used.
    model_config = ConfigDict(frozen=True, extra="allow", defer_build=True)

    def has(self, name: str) -> bool:
        """Whether a field was set, even to null: an absent key differs from null."""
        return name in self.model_fields_set


class RequestBody(Body):
    """A request body; a value of the wrong JSON type is rejected and never converted."""

    model_config = ConfigDict(strict=True)


class ResponseBody(Body):
    """A response body; a key that is absent, or null where null has no meaning, gets its default.

    A field without a default is required.
    """

    @model_validator(mode="before")
    @classmethod
    def _without_default_nulls(cls, body: Any) -> Any:
        if not isinstance(body, dict) or None not in body.values():
            return body
        defaulted = {
            field.alias or name
            for name, field in cls.model_fields.items()
            if not field.is_required() and field.default is not None
        }
        return {key: value for key, value in body.items() if value is not None or key not in defaulted}


def to_payload(body: Body) -> dict[str, Json]:
    """The JSON object of a body: the fields that were set and unknown keys, nothing else.

    Raw JSON inside is not changed, even strings that contain lone surrogates.
    """
    fields_of_model = type(body).model_fields
    fields = {
        field.alias or name: _plain(getattr(body, name))
        for name, field in fields_of_model.items()
        if body.has(name)
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


def _reject_null(value: object) -> object:
    if value is None:
        raise PydanticCustomError("null_given", _("This field may not be null."))
    return value


class _NeverNull:
    """Marks a field, in its JSON Schema, as not nullable."""

    def __get_pydantic_json_schema__(
        self, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        schema = handler(core_schema)
        kinds = [kind for kind in schema.pop("anyOf") if kind != {"type": "null"}]
        return {**schema, **(kinds[0] if len(kinds) == 1 else {"anyOf": kinds})}


class _NotEmpty:
    """Marks an array, in its JSON Schema, as not empty."""

    def __get_pydantic_json_schema__(
        self, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {**handler(core_schema), "minItems": 1}


def _reject_blank(value: str) -> str:
    """Validate a text that is shown as a name or title: it must not be blank."""
    if is_blank(value):
        raise PydanticCustomError("blank_text", _("This must not be empty."))
    return value


NOT_BLANK: dict[str, str] = {"type": "string", "pattern": VISIBLE_CHARACTER}
"""The JSON Schema of a text that is not blank."""

Name: TypeAlias = Annotated[str, AfterValidator(_reject_blank), WithJsonSchema(NOT_BLANK)]
"""The name that a request gives to a dataset, batch or collection."""

T = TypeVar("T")
Omittable: TypeAlias = Annotated[T | None, BeforeValidator(_reject_null), _NeverNull()]
"""A request field that may be omitted (and is None then), but must not be sent as null."""


def _reject_empty(value: tuple[T, ...]) -> tuple[T, ...]:
    if not value:
        raise PydanticCustomError("empty_array", _("This must not be empty."))
    return value


JsonArray: TypeAlias = Annotated[tuple[T, ...], Strict(False)]
"""A JSON array; not strict, so that a list is converted to a tuple."""

FilledArray: TypeAlias = Annotated[tuple[T, ...], Strict(False), AfterValidator(_reject_empty), _NotEmpty()]
"""A `JsonArray` with at least one entry.

It does not use pydantic's `min_length`, which reports an array as empty when its entries are invalid.
"""

E = TypeVar("E", bound=StrEnum)
Open: TypeAlias = Annotated[E | str, Field(union_mode="left_to_right")]
"""A member of an enumeration that may be extended, or an unknown string."""

Scalar: TypeAlias = str | int | float | bool
"""A JSON string, number or boolean of unchanged type."""
