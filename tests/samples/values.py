"""Random texts and JSON values, and the small choices that every sample consists of."""

from collections.abc import Sequence
from random import Random
from typing import Any, Final, TypeAlias

Json: TypeAlias = Any

TEXT_PARTS: Final = (
    "Which answer is better?",
    "Größe",
    "答え",
    "👩🏽‍🔬",
    "e\u0301",
    "\u202eright to left",
    "<b>bold</b>",
    'a, "quoted"\nand broken',
    "  ",
    "0",
    "true",
    "null",
    "x" * 300,
    "tab\there",
    "\x00",
    "a",
)
"""Parts of random texts, all without lone surrogates."""

UNKNOWN_KEYS: Final = ("order", "colour", "note", "Type", "ID", "created_at", "width %", "")
"""Keys without a meaning in any node of a layout or schema."""

ABSENT: Final = object()
"""Stands for a missing key."""


def chance(random: Random, probability: float) -> bool:
    """True with this probability."""
    return random.random() < probability


def random_text(random: Random) -> str:
    """A text of at least one character."""
    return "".join(random.choices(TEXT_PARTS, k=random.randint(1, 3)))


def random_value(random: Random) -> str | int | float | bool:
    """A text, number or boolean, often one that is easily confused with another."""
    tricky = ("0", 0, 0.0, False, "false", "1", 1, 1.0, True, "true", -0.0, 2.5, 10**20, 1e22, "1.0")
    return random.choice(tricky) if chance(random, 0.6) else random_text(random)


def random_json(random: Random, depth: int = 2) -> Json:
    """Any JSON value, nested at most `depth` deep."""
    kind = random.choice(("null", "value", "array", "object")) if depth else "value"
    if kind == "null":
        return None
    if kind == "array":
        return [random_json(random, depth - 1) for _ in range(random.randint(0, 3))]
    if kind == "object":
        return {random_text(random): random_json(random, depth - 1) for _ in range(random.randint(0, 3))}
    return random_value(random)


def maybe(random: Random, **choices: Sequence[Json]) -> dict[str, Json]:
    """Some of these attributes, each with one of its values."""
    return {name: random.choice(values) for name, values in choices.items() if chance(random, 0.4)}


def put(random: Random, target: dict[str, Json], name: str, values: Sequence[Json]) -> None:
    """Set an attribute to one of these values; `ABSENT` removes it."""
    value = random.choice(values)
    if value is ABSENT:
        target.pop(name, None)
    else:
        target[name] = value
