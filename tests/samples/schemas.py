"""Random dataset schemas, valid and invalid in known ways (wire reference, 4.3)."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from tests.samples.values import ABSENT, UNKNOWN_KEYS, Json, chance, maybe, put, random_json, random_text

Schema = dict[str, Json]

REFERABLE: Final = ("text", "image_url", "audio_url", "video_url")
TYPES: Final = (*REFERABLE, "metadata", "task_group_id")


def random_schema(random: Random) -> Schema:
    """A valid schema."""
    fields: dict[str, Json] = {}
    for _ in range(random.randint(1, 7)):
        fields[random_key(random)] = _definition(random, random.choice(TYPES[:-1]))
    if chance(random, 0.4):
        fields[random_key(random)] = _definition(random, "task_group_id")
    return {"strict": chance(random, 0.5), "fields": fields, **maybe(random, version=(random_json(random),))}


def random_key(random: Random) -> str:
    """A field key without leading and trailing white space, as in a CSV header."""
    letters = "abcdefgh ÄöÜ_-.,;\"'01答👩"
    key = "".join(random.choices(letters, k=random.choice((1, 2, 3, 5, 8, 128)))).strip()
    return key or "k"


def key_of_type(random: Random, schema: Schema, *types: str) -> str:
    """The key of a field of one of these types, added when the schema has none."""
    keys: list[str] = [key for key, one in schema["fields"].items() if one["type"] in types]
    if not keys:
        keys = [f"added {len(schema['fields'])}"]
        schema["fields"][keys[0]] = _definition(random, random.choice(types))
    return random.choice(keys)


def invalid_schema(random: Random, error: str) -> Json:
    """A schema with one of the defects below."""
    return INVALID_SCHEMAS[error](random, random_schema(random))


def _definition(random: Random, kind: str) -> dict[str, Json]:
    unknown = {random.choice(UNKNOWN_KEYS): random_json(random)} if chance(random, 0.1) else {}
    return {"type": kind, **maybe(random, label=(None, "", random_text(random)[:255], "x" * 255)), **unknown}


def _no_object(random: Random, schema: Schema) -> Json:
    return random.choice(([schema], None, "schema", 4, True))


def _strict(random: Random, schema: Schema) -> Json:
    put(random, schema, "strict", (None, 1, 0, "true", []))
    return schema


def _fields(random: Random, schema: Schema) -> Json:
    many = {f"field {number}": {"type": "text"} for number in range(201)}
    put(random, schema, "fields", (ABSENT, None, {}, [], [schema["fields"]], "fields", 3, many))
    return schema


def _key(random: Random, schema: Schema) -> Json:
    schema["fields"][random.choice(("", "k" * 129, "答" * 200))] = {"type": "text"}
    return schema


def _key_with_lone_surrogate(random: Random, schema: Schema) -> Json:
    schema["fields"][random.choice(("\ud800", "key\udfff"))] = {"type": "text"}
    return schema


def _on_definition(name: str, values: tuple[Json, ...]) -> Callable[[Random, Schema], Json]:
    def breaks(random: Random, schema: Schema) -> Json:
        put(random, schema["fields"][random.choice(list(schema["fields"]))], name, values)
        return schema

    return breaks


def _replaced_definition(random: Random, schema: Schema) -> Json:
    schema["fields"][random.choice(list(schema["fields"]))] = random.choice((None, "text", 5, True, ["text"]))
    return schema


def _two_groups(random: Random, schema: Schema) -> Json:
    schema["fields"] |= {"group one": {"type": "task_group_id"}, "group two": {"type": "task_group_id"}}
    return schema


INVALID_SCHEMAS: Final[Mapping[str, Callable[[Random, Schema], Json]]] = {
    "no object": _no_object,
    "strict no boolean": _strict,
    "fields no object of 1 to 200": _fields,
    "a key too short or long": _key,
    "lone surrogate in a key": _key_with_lone_surrogate,
    "lone surrogate in a label": _on_definition("label", ("\ud800", "label\udfff")),
    "a definition no object": _replaced_definition,
    "a type unknown": _on_definition("type", (ABSENT, None, "", "Text", "number", "image", 4, ["text"], {})),
    "a label no text": _on_definition("label", (5, True, ["a"], {})),
    "a label too long": _on_definition("label", ("x" * 256, "👩" * 300)),
    "two group fields": _two_groups,
}
"""Ways to make a schema invalid, by name."""
