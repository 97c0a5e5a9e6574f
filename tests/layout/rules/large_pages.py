"""Large pages that violate a rule as often as possible, made from the examples of the rule."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from batchwright.base.json_values import Json, is_array, is_object
from batchwright.layout.rules import Rule
from batchwright.layout.rules.examples import CHOICE, TEXT_WITH_UNIT, Example, page, with_attributes
from batchwright.layout.rules.problems import Fields, SchemaUnavailable
from batchwright.schema.model import Field, FieldType, Schema

HASH_MODULUS = (1 << 61) - 1
"""All multiples of it have the same hash."""

LONGEST_EXAMPLE = 10_000
"""Characters of an example that is still enlarged."""

Enlarge = Callable[[int], list[Json]]


def enlargements(example: Example) -> Iterator[tuple[str, Enlarge]]:
    """Ways to enlarge an example that is a layout: a function of the number of repetitions."""
    pages = example.batch_items
    if not is_array(pages) or not pages:
        return
    if any(is_object(entry) and is_array(entry.get("rows")) for entry in pages):
        yield "rows", lambda times: [repeated(entry, "rows", times) for entry in pages]
    for name in ("options", "unit_options", "accepted_file_types"):
        if f"'{name}': [" in str(pages):
            yield name, lambda times, name=name: [repeated(entry, name, times) for entry in pages]  # type: ignore[misc]


def repeated(value: Json, name: str, times: int) -> Json:
    """A value with every list of this name repeated."""
    if is_object(value):
        return {
            key: [*inner] * times if key == name and is_array(inner) else repeated(inner, name, times)
            for key, inner in value.items()
        }
    return [repeated(inner, name, times) for inner in value] if is_array(value) else value


def choice_page(name: str, item: Mapping[str, Json]) -> Callable[[Callable[[int], Json]], Enlarge]:
    return lambda entry: (
        lambda times: [page(with_attributes(item, **{name: [entry(k) for k in range(times)]}))]
    )


options, units = choice_page("options", CHOICE), choice_page("unit_options", TEXT_WITH_UNIT)

WORST: Mapping[str, Enlarge] = {
    "LY21": options(lambda k: {"label": "a", "value": "a" if k % 2 else f"a {k}"}),
    "LY53": options(lambda k: {"label": "a", "value": k if k % 2 else str(k + 1)}),
    "LY54": units(lambda k: {"label": "a", "value": k // 2}),
    "LY13": options(lambda k: {"label": k, "value": [k]}),
    "LY11": options(lambda k: {"value": k * HASH_MODULUS}),
    "LY17": lambda times: [
        page(*({"type": "dataset_field", "field": f"field{k}x"} for k in range(times)), CHOICE)
    ],
    "LY32": lambda times: [page(*({"type": f"multiple_choise{k}"} for k in range(times)))],
}
"""Pages that are worse than repeated examples."""


def schema(times: int) -> Schema:
    """A schema with many similar fields."""
    return Schema(False, {f"field{k}": Field(FieldType.TEXT) for k in range(times)})


def cases(rule: Rule[Any]) -> Iterator[tuple[str, Enlarge, Callable[[int], Fields]]]:
    """Names of large layouts, functions that return them, and what field references are checked against."""
    if rule.code in WORST:
        fields = schema if rule.code == "LY17" else (lambda _times: SchemaUnavailable.UNKNOWN)
        yield "worst", WORST[rule.code], fields
    for number, example in enumerate(rule.fails):
        if len(str(example.batch_items)) > LONGEST_EXAMPLE:
            continue
        for name, enlarge in enlargements(example):
            yield f"{name} of example {number + 1}", enlarge, lambda _times, example=example: example.fields  # type: ignore[misc]
