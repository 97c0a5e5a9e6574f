"""Every known way to make the structure of a layout invalid, by name."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Final, TypeAlias

from tests.samples import items as valid_items
from tests.samples.layouts import LayoutSample, entries, items
from tests.samples.values import ABSENT, Json, put

Defect: TypeAlias = Callable[[Random, LayoutSample], None]


def _replaced_layout(*values: Json) -> Defect:
    def apply(random: Random, sample: LayoutSample) -> None:
        sample.batch_items = random.choice(values)

    return apply


def _level(name: str) -> Callable[[LayoutSample], list[list[Json]]]:
    """The arrays that contain the pages, rows, columns or items of a layout."""

    def arrays(sample: LayoutSample) -> list[list[Json]]:
        if name == "pages":
            return [sample.batch_items]
        return [entry[name] for entry in entries(sample.batch_items) if isinstance(entry.get(name), list)]

    return arrays


def _replaced(level: str, inner: str | None) -> Defect:
    """A node that is not an object, or whose inner array is not an array."""

    def apply(random: Random, sample: LayoutSample) -> None:
        array = random.choice(_level(level)(sample))
        index = random.randrange(len(array))
        values: list[Json] = [None, 5, "entry", True, [array[index]], []]
        if inner is not None:
            values += [{}, {inner: None}, {inner: {}}, {inner: "none"}, {**array[index], inner: 3}]
        array[index] = random.choice(values)

    return apply


def _emptied(level: str) -> Defect:
    def apply(random: Random, sample: LayoutSample) -> None:
        random.choice(_level(level)(sample)).clear()

    return apply


def _three_columns(random: Random, sample: LayoutSample) -> None:
    array = random.choice(_level("columns")(sample))
    expected = random.choice((3, 4))
    array.extend({"items": [valid_items.rich_text(random)]} for _ in range(expected - len(array)))


def _no_type(random: Random, sample: LayoutSample) -> None:
    put(random, random.choice(items(sample.batch_items)), "type", (ABSENT, None, 5, True, ["image"], {}))


def _id(*values: Json) -> Defect:
    return lambda random, sample: put(random, random.choice(list(entries(sample.batch_items))), "id", values)


def _id_foreign(random: Random, sample: LayoutSample) -> None:
    sample.known_ids = sample.known_ids or frozenset({"018f-other"})
    random.choice(list(entries(sample.batch_items)))["id"] = random.choice(("018f-foreign", "", "018F-0"))


def _id_twice(random: Random, sample: LayoutSample) -> None:
    first, second = random.sample(list(entries(sample.batch_items)), 2)
    first["id"] = second["id"] = "018f-spare"


INVALID_STRUCTURES: Final[Mapping[str, Defect]] = {
    "no array": _replaced_layout(None, {}, {"rows": []}, "pages", 5, True),
    "no page": _replaced_layout([]),
    "page malformed": _replaced("pages", "rows"),
    "page without rows": _emptied("rows"),
    "row malformed": _replaced("rows", "columns"),
    "row without columns": _emptied("columns"),
    "row of three columns": _three_columns,
    "column malformed": _replaced("columns", "items"),
    "column without items": _emptied("items"),
    "item no object": _replaced("items", None),
    "item without type": _no_type,
    "id no text": _id(5, 0, True, False, [], {}, ["018f-0"]),
    "id foreign": _id_foreign,
    "id twice": _id_twice,
}
"""Ways to make the structure of a layout invalid, by name; each is rejected with 400."""
