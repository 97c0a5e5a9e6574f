"""A JSON Schema validator for the keywords that the service's own document uses."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
_FORMATS: Mapping[str, Callable[[str], object]] = {
    "date-time": datetime.fromisoformat,
    "uuid": UUID,
    "email": lambda text: text.index("@"),
}
_ANNOTATIONS = {"title", "description", "default", "additionalProperties"}
_KEYWORDS = _ANNOTATIONS | {
    "$ref",
    "anyOf",
    "const",
    "enum",
    "exclusiveMaximum",
    "format",
    "items",
    "maximum",
    "maxItems",
    "maxLength",
    "minimum",
    "minItems",
    "minLength",
    "pattern",
    "properties",
    "required",
    "type",
}


def errors(schema: Mapping[str, Any], value: Any, document: Any, path: str = "") -> Iterator[str]:
    """The paths at which a value does not match the schema.

    Raises:
        AssertionError: the schema has a keyword that is not supported here.
    """
    assert not schema.keys() - _KEYWORDS, schema.keys() - _KEYWORDS
    if "$ref" in schema:
        yield from errors(resolve(document, schema["$ref"]), value, document, path)
    if "anyOf" in schema and all(any(errors(option, value, document)) for option in schema["anyOf"]):
        yield f"{path}: {value!r} is none of {schema['anyOf']}"
    if "type" in schema and not _is_of(schema["type"], value):
        yield f"{path}: {value!r} is no {schema['type']}"
        return
    if value not in schema.get("enum", [value]) or value != schema.get("const", value):
        yield f"{path}: {value!r} is another value"
    match value:
        case dict():
            yield from (f"{path}: no {key}" for key in schema.get("required", ()) if key not in value)
            for key, inner in value.items():
                yield from errors(_of_key(schema, key), inner, document, f"{path}/{key}")
        case list():
            if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
                yield f"{path}: {len(value)} entries"
            for number, inner in enumerate(value):
                yield from errors(schema.get("items", {}), inner, document, f"{path}/{number}")
        case str():
            yield from _string_errors(schema, value, path)


def resolve(document: Any, reference: str) -> Any:
    """The target of a reference inside the document.

    Raises:
        KeyError: it does not exist.
    """
    for name in re.split("/", reference)[1:]:
        document = document[name]
    return document


def _of_key(schema: Mapping[str, Any], key: str) -> Any:
    further = schema.get("additionalProperties")
    return schema.get("properties", {}).get(key, further if isinstance(further, dict) else {})


def _is_of(named: Any, value: Any) -> bool:
    kinds = [named] if isinstance(named, str) else named
    if isinstance(value, bool):
        return "boolean" in kinds
    return any(isinstance(value, _TYPES[kind]) for kind in kinds)


def _string_errors(schema: Mapping[str, Any], text: str, path: str) -> Iterator[str]:
    if len(text) < schema.get("minLength", 0):
        yield f"{path}: too short"
    if not re.search(schema.get("pattern", ""), text):
        yield f"{path}: {text!r} does not match {schema['pattern']}"
    if "format" in schema:
        try:
            _FORMATS[schema["format"]](text)
        except ValueError:
            yield f"{path}: {text!r} is no {schema['format']}"
