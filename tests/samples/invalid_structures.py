"""Every known way to make the structure of a layout invalid, by name."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Final, TypeAlias

from tests.samples import items as sound
from tests.samples.layouts import LayoutSample, entries, items
from tests.samples.values import ABSENT, Json, put

Fault: TypeAlias = Callable[[Random, LayoutSample], None]


def _whole(*values: Json) -> Fault:
    def breaks(random: Random, sample: LayoutSample) -> None:
        sample.batch_items = random.choice(values)

    return breaks


def _level(name: str) -> Callable[[LayoutSample], list[list[Json]]]:
    """The arrays that hold the pages, rows, columns or items of a layout."""

    def arrays(sample: LayoutSample) -> list[list[Json]]:
        if name == "pages":
            return [sample.batch_items]
        return [entry[name] for entry in entries(sample.batch_items) if isinstance(entry.get(name), list)]

    return arrays


def _replaced(level: str, inner: str | None) -> Fault:
    """An entry that is no object, or whose inner array is none."""

    def breaks(random: Random, sample: LayoutSample) -> None:
        array = random.choice(_level(level)(sample))
        place = random.randrange(len(array))
        values: list[Json] = [None, 5, "entry", True, [array[place]], []]
        if inner is not None:
            values += [{}, {inner: None}, {inner: {}}, {inner: "none"}, {**array[place], inner: 3}]
        array[place] = random.choice(values)

    return breaks


def _emptied(level: str) -> Fault:
    def breaks(random: Random, sample: LayoutSample) -> None:
        random.choice(_level(level)(sample)).clear()

    return breaks


def _three_columns(random: Random, sample: LayoutSample) -> None:
    array = random.choice(_level("columns")(sample))
    expected = random.choice((3, 4))
    array.extend({"items": [sound.rich_text(random)]} for _ in range(expected - len(array)))


def _no_type(random: Random, sample: LayoutSample) -> None:
    put(random, random.choice(items(sample.batch_items)), "type", (ABSENT, None, 5, True, ["image"], {}))


def _id(*values: Json) -> Fault:
    return lambda random, sample: put(random, random.choice(list(entries(sample.batch_items))), "id", values)


def _id_foreign(random: Random, sample: LayoutSample) -> None:
    sample.known_ids = sample.known_ids or frozenset({"018f-other"})
    random.choice(list(entries(sample.batch_items)))["id"] = random.choice(("018f-foreign", "", "018F-0"))


def _id_twice(random: Random, sample: LayoutSample) -> None:
    one, other = random.sample(list(entries(sample.batch_items)), 2)
    one["id"] = other["id"] = "018f-spare"


INVALID_STRUCTURES: Final[Mapping[str, Fault]] = {
    "no array": _whole(None, {}, {"rows": []}, "pages", 5, True),
    "no page": _whole([]),
    "page misshapen": _replaced("pages", "rows"),
    "page without rows": _emptied("rows"),
    "row misshapen": _replaced("rows", "columns"),
    "row without columns": _emptied("columns"),
    "row of three columns": _three_columns,
    "column misshapen": _replaced("columns", "items"),
    "column without items": _emptied("items"),
    "item no object": _replaced("items", None),
    "item without type": _no_type,
    "id no text": _id(5, 0, True, False, [], {}, ["018f-0"]),
    "id foreign": _id_foreign,
    "id twice": _id_twice,
}
"""Ways to break a layout above its items, by name; each is answered with 400."""
