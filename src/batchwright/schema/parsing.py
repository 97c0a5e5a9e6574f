"""Parses and serialises schemas; all errors are reported at once (wire reference, section 4.3)."""

from collections.abc import Iterator
from typing import TypeGuard

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject, is_object, is_valid_unicode
from batchwright.base.local_formats import joined
from batchwright.base.text import truncate
from batchwright.schema.model import Field, FieldType, Schema

MAX_FIELDS = 200
MAX_KEY_CHARS = 128
MAX_LABEL_CHARS = 255


class InvalidSchema(ValueError):
    """A value is not a valid schema; `sentences` has a message for each error."""

    def __init__(self, sentences: tuple[str, ...]) -> None:
        super().__init__(" ".join(sentences))
        self.sentences = sentences


def read_schema(value: Json) -> Schema:
    """Parse a schema; unknown keys are kept.

    Raises:
        InvalidSchema: with a message for each error, in the order of the schema.
    """
    if sentences := tuple(_errors(value)):
        raise InvalidSchema(sentences)
    return read_stored_schema(value)


def read_stored_schema(value: Json) -> Schema:
    """Parse a schema that a service need not accept, such as one without fields; see `schema_errors`.

    For the schema of a study, which can be saved in any state, and for one that was accepted earlier, since
    limits may have changed.

    Raises:
        InvalidSchema: it is no object with fields, or a field has no known type.
    """
    fields = value.get("fields") if is_object(value) else None
    if not is_object(value) or not is_object(fields):
        raise InvalidSchema(tuple(_errors(value)))
    fields_by_key = {key: _field(entry) for key, entry in fields.items() if _is_definition(entry)}
    if len(fields_by_key) < len(fields):
        raise InvalidSchema(tuple(_errors(value)))
    return Schema(strict=value.get("strict") is True, fields=fields_by_key, original=value)


def schema_errors(schema: Schema) -> tuple[str, ...]:
    """Why a service would reject a schema: a message for each error."""
    return tuple(_errors(write_schema(schema)))


def write_schema(schema: Schema) -> JsonObject:
    """Serialise a schema: its original JSON with the changes made since."""
    fields: dict[str, Json] = {key: field.definition for key, field in schema.fields.items()}
    return {**schema.original, "strict": schema.strict, "fields": fields}


def _field(source: JsonObject) -> Field:
    label = source.get("label")
    return Field(FieldType(str(source["type"])), label if isinstance(label, str) else None, source)


def _is_definition(value: Json) -> TypeGuard[JsonObject]:
    return is_object(value) and value.get("type") in tuple(FieldType)


def _errors(value: Json) -> Iterator[str]:
    if not is_object(value):
        yield _("The schema must be an object with “fields”.")
        return
    if not isinstance(value.get("strict", False), bool):
        yield _("“strict” must be true or false.")
    fields = value.get("fields")
    if not is_object(fields):
        yield _("“fields” must be an object that gives each field's key its definition.")
        return
    if not 1 <= len(fields) <= MAX_FIELDS:
        yield _("A schema has 1 to {most} fields; this one has {count}.").format(
            most=MAX_FIELDS, count=len(fields)
        )
        return
    for key, definition in fields.items():
        yield from _key_errors(key)
        yield from _definition_errors(key, definition)
    yield from _grouping_errors(fields)


def _key_errors(key: str) -> Iterator[str]:
    if not key:
        yield _("A field's key must not be empty.")
    elif len(key) > MAX_KEY_CHARS:
        yield _("The key “{key}” has {count} characters; {most} are allowed.").format(
            key=truncate(key), count=len(key), most=MAX_KEY_CHARS
        )
    if not is_valid_unicode(key):
        yield _("The key “{key}” contains an invalid character; type it again.").format(key=truncate(key))


def _definition_errors(key: str, definition: Json) -> Iterator[str]:
    if not is_object(definition):
        yield _("Field “{key}”: the definition must be an object with a “type”.").format(key=truncate(key))
        return
    if definition.get("type") not in tuple(FieldType):
        yield _("Field “{key}”: “type” must be one of {types}.").format(
            key=truncate(key), types=joined(FieldType)
        )
    yield from _label_errors(key, definition.get("label"))


def _label_errors(key: str, label: Json) -> Iterator[str]:
    if label is None:
        return
    if not isinstance(label, str):
        yield _("Field “{key}”: “label” must be text.").format(key=truncate(key))
    elif len(label) > MAX_LABEL_CHARS:
        yield _("Field “{key}”: the label has {count} characters; {most} are allowed.").format(
            key=truncate(key), count=len(label), most=MAX_LABEL_CHARS
        )
    elif not is_valid_unicode(label):
        yield _("Field “{key}”: the label contains an invalid character; type it again.").format(
            key=truncate(key)
        )


def _grouping_errors(fields: JsonObject) -> Iterator[str]:
    grouping = [
        truncate(key)
        for key, definition in fields.items()
        if is_object(definition) and definition.get("type") == FieldType.TASK_GROUP_ID
    ]
    if len(grouping) > 1:
        text = _("Only one field may be the task_group_id; these are: {keys}.")
        yield text.format(keys=joined(grouping))
