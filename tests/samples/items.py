"""Random valid items of every type (wire reference, 6)."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from tests.samples.urls import valid_url
from tests.samples.values import Json, chance, maybe, random_json, random_text, random_value

Item = dict[str, Json]

UNKNOWN_TYPES: Final = ("Image", "", "ranking", "multiple_choice ", "hologram")


def dataset_field(random: Random, field: str) -> Item:
    """A reference to a dataset field."""
    return {"type": "dataset_field", "field": field}


def image(random: Random) -> Item:
    """An image."""
    return {
        "type": "image",
        "url": valid_url(random),
        "alt_text": random_text(random),
        **maybe(random, caption=(None, "", random_text(random))),
    }


def rich_text(random: Random) -> Item:
    """Formatted text."""
    return {
        "type": "rich_text",
        "content": random_text(random),
        **maybe(random, content_format=("html", "markdown", None)),
    }


def free_text(random: Random) -> Item:
    """A question for text or a number."""
    return {
        "type": "free_text",
        "description": random_text(random),
        **_hints(random),
        **maybe(random, validation=(None, random_rule(random))),
    }


def free_text_with_unit(random: Random) -> Item:
    """A question for text or a number with a unit."""
    units = [random_unit(random) for _ in range(random.randint(1, 4))]
    texts = [unit["value"] for unit in units if isinstance(unit["value"], str)]
    return {
        "type": "free_text_with_unit",
        "description": random_text(random),
        "unit_options": units,
        "unit_position": random.choice(("prefix", "suffix")),
        **_hints(random),
        **maybe(random, default_unit=(None, *texts)),
    }


def random_unit(random: Random) -> Item:
    """One unit."""
    return {
        "label": random_text(random),
        "value": random_value(random),
        **maybe(random, validation=(None, random_rule(random))),
    }


def multiple_choice(random: Random) -> Item:
    """A choice."""
    return {
        "type": "multiple_choice",
        **_choice(random),
        **maybe(random, heading=(5, "", random_text(random))),
    }


def multiple_choice_with_free_text(random: Random) -> Item:
    """A choice with text fields."""
    item = {"type": "multiple_choice_with_free_text", **_choice(random)}
    for option in item["options"]:
        option["heading"] = random_text(random)
    return item


def file_upload(random: Random) -> Item:
    """A question for files."""
    least = random.randint(1, 5)
    return {
        "type": "file_upload",
        "description": random_text(random),
        **maybe(
            random,
            helper_text=(None, "", random_text(random)),
            placeholder_text_input=(5, random_text(random)),
            accepted_file_types=(None, [], [".png"], [".csv", ".TXT", "."]),
            max_file_size_mb=(None, 1, 0.5, 10**6),
            min_file_count=(None, least),
            max_file_count=(None, least, least + 3),
        ),
    }


def newer_item(random: Random) -> Item:
    """An item of a type that has no rules (wire reference, 12)."""
    values = {
        "description": random_json(random),
        "options": random_json(random),
        "url": random_json(random),
    }
    return {"type": "video_narration", **values}


def random_rule(random: Random) -> dict[str, Json]:
    """A validation (wire reference, 6.1)."""
    if chance(random, 0.5):
        low, high = sorted((random.randint(0, 50), random.randint(0, 50)))
        return {"type": "string", **maybe(random, min=(None, low), max=(None, high))}
    low_number, high_number = sorted(random.choice((-1e9, -3, 0, 0.5, 1.0, 10**30)) for _ in range(2))
    return {"type": "number", **maybe(random, min=(None, low_number), max=(None, high_number))}


CONTENT: Final[Mapping[str, Callable[[Random], Item]]] = {"image": image, "rich_text": rich_text}
"""Factories of items that are allowed on intro and outro pages."""

ITEMS: Final[Mapping[str, Callable[[Random], Item]]] = {
    **CONTENT,
    "free_text": free_text,
    "free_text_with_unit": free_text_with_unit,
    "multiple_choice": multiple_choice,
    "multiple_choice_with_free_text": multiple_choice_with_free_text,
    "file_upload": file_upload,
}
"""Factories of the items that need no dataset."""


def _hints(random: Random) -> Item:
    return maybe(
        random,
        helper_text=(None, "", random_text(random)),
        placeholder_text_input=(None, "", random_text(random)),
    )


def _choice(random: Random) -> Item:
    options = _options(random, random.randint(1, 7))
    limit = random.choice((1, -1, len(options), random.randint(1, len(options))))
    if limit != 1:
        for option in random.sample(options, random.randint(0, len(options) - 1)):
            option["exclusive"] = True
    return {
        "description": random_text(random),
        "answer_limit": limit,
        "options": options,
        **_hints(random),
        **maybe(random, disable_dropdown=(None, True, False)),
    }


def _options(random: Random, count: int) -> list[Item]:
    options: list[Item] = []
    while len(options) < count:
        value = random_value(random)
        if not any(_same(value, option["value"]) for option in options):
            label = random_text(random)
            options.append({"label": label, "value": value, **maybe(random, exclusive=(None, False))})
    return options


def _same(one: Json, other: Json) -> bool:
    kinds = [
        bool if isinstance(value, bool) else str if isinstance(value, str) else float
        for value in (one, other)
    ]
    return kinds[0] is kinds[1] and bool(one == other)
