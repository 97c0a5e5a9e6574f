"""Random layouts: valid ones with every item type, and invalid ones."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from tests.reference_rules import UNKNOWN, Unknown
from tests.samples.items import CONTENT, ITEMS, dataset_field, newer_item
from tests.samples.schemas import REFERABLE, random_key, random_schema
from tests.samples.values import UNKNOWN_KEYS, Json, chance, random_json


@dataclass
class LayoutSample:
    """`batch_items`, and what they are validated against; defects are added by changing it.

    `schema` and `known_ids` are arguments of `reference_rules.check_layout`; `defects` names the defects.
    """

    batch_items: Json
    schema: Json | Unknown | None
    known_ids: frozenset[str] | None
    defects: list[str] = field(default_factory=list)


def valid_layout(random: Random) -> LayoutSample:
    """A valid layout."""
    schema = random.choice((random_schema(random), random_schema(random), None, UNKNOWN))
    pages = [_page(random, schema) for _ in range(random.randint(1, 3))]
    for entry in entries(pages):
        if chance(random, 0.1):
            entry.setdefault(random.choice(UNKNOWN_KEYS), random_json(random))
    return LayoutSample(pages, schema, _assign_ids(random, pages))


def entries(pages: Sequence[Json]) -> Iterator[Json]:
    """Every page, row, column and item of a valid layout."""
    for page in pages:
        yield page
        for row in page["rows"]:
            yield row
            for column in row["columns"]:
                yield column
                yield from column["items"]


def columns(pages: Sequence[Json]) -> list[Json]:
    """Every column of a valid layout."""
    return [column for page in pages for row in page["rows"] for column in row["columns"]]


def items(pages: Sequence[Json]) -> list[Json]:
    """Every item of a valid layout."""
    return [item for column in columns(pages) for item in column["items"]]


def _page(random: Random, schema: Json | Unknown | None) -> Json:
    position: Json = (
        random.choice(("intro", "outro", "body", None, "Intro", 5, [])) if chance(random, 0.3) else "body"
    )
    edge = position in ("intro", "outro")
    fields = [] if edge else _fields(random, schema)
    rows = [_row(random, fields, edge=edge) for _ in range(random.randint(1, 3))]
    return {"rows": rows} if position == "body" else {"display_position": position, "rows": rows}


def _row(random: Random, fields: list[str], *, edge: bool) -> Json:
    return {
        "columns": [
            {"items": [_item(random, fields, edge=edge) for _ in range(random.randint(1, 2))]}
            for _ in range(random.randint(1, 2))
        ]
    }


def _item(random: Random, fields: list[str], *, edge: bool) -> Json:
    if edge:
        return CONTENT[random.choice(list(CONTENT))](random)
    if fields and chance(random, 0.3):
        return dataset_field(random, fields.pop())
    if chance(random, 0.1):
        return newer_item(random)
    return ITEMS[random.choice(list(ITEMS))](random)


def _fields(random: Random, schema: Json | Unknown | None) -> list[str]:
    """Field keys that one page may show, each once."""
    if isinstance(schema, dict):
        return [key for key, definition in schema["fields"].items() if definition["type"] in REFERABLE]
    return [] if schema is None else list(dict.fromkeys(random_key(random) for _ in range(3)))


def _assign_ids(random: Random, pages: Sequence[Json]) -> frozenset[str] | None:
    """Assign ids to some nodes; returns the ids of the batch, or None for an unknown set."""
    assigned = set()
    for number, entry in enumerate(entries(pages)):
        if chance(random, 0.2):
            entry["id"] = None if chance(random, 0.2) else f"018f-{number}"
            assigned.add(f"018f-{number}")
    return None if chance(random, 0.4) else frozenset(assigned | {"018f-spare"})
