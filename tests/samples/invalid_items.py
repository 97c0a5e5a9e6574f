"""Every known way to make an item of a layout invalid, by name."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final, TypeAlias

from tests.samples import items as valid_items
from tests.samples.layouts import LayoutSample, columns, items
from tests.samples.schemas import key_of_type, random_schema
from tests.samples.values import ABSENT, Json, chance, put

Defect: TypeAlias = Callable[[Random, LayoutSample], None]

_NO_TEXT: Final[Sequence[Json]] = (ABSENT, None, "", 5, 0, True, False, ["text"], {"text": "text"})
_INVALID_TEXT: Final[Sequence[Json]] = (5, 0, 2.5, True, False, ["text"], [], {})
_NO_VALUE: Final[Sequence[Json]] = (ABSENT, None, "", [], ["a"], {})
_NO_ARRAY: Final[Sequence[Json]] = (ABSENT, None, [], {}, "ab", 3, True)
_NO_BOOLEAN: Final[Sequence[Json]] = (0, 1, "true", "", [], {})
_CHOICES = ("multiple_choice", "multiple_choice_with_free_text")
_HINTED = ("free_text", "free_text_with_unit", *_CHOICES)

_INVALID_ATTRIBUTES: Final[Sequence[tuple[str, Sequence[str], str, Sequence[Json]]]] = (
    ("field no text", ("dataset_field",), "field", _NO_TEXT),
    ("image url no text", ("image",), "url", _NO_TEXT),
    (
        "image url not https",
        ("image",),
        "url",
        ("http://media.example/a.png", "/a.png", "https:/a", " https://a"),
    ),
    ("alt_text no text", ("image",), "alt_text", _NO_TEXT),
    ("caption no text", ("image",), "caption", _INVALID_TEXT),
    ("content no text", ("rich_text",), "content", _NO_TEXT),
    ("content_format unknown", ("rich_text",), "content_format", ("", "HTML", "text", 5, True, [], ["html"])),
    ("helper_text no text", (*_HINTED, "file_upload"), "helper_text", _INVALID_TEXT),
    ("placeholder no text", _HINTED, "placeholder_text_input", _INVALID_TEXT),
    ("unit_options no array", ("free_text_with_unit",), "unit_options", _NO_ARRAY),
    ("unit_position unknown", ("free_text_with_unit",), "unit_position", (ABSENT, None, "", "Prefix", 1, [])),
    ("default_unit none", ("free_text_with_unit",), "default_unit", ("", "no such unit", 0, True, [], {})),
    ("options no array", _CHOICES, "options", _NO_ARRAY),
    ("answer_limit no integer", _CHOICES, "answer_limit", (ABSENT, None, "1", 1.0, 2.5, True, [1], {})),
    ("answer_limit too low", _CHOICES, "answer_limit", (0, -2, -(10**20))),
    ("answer_limit too high", _CHOICES, "answer_limit", (8, 100, 10**20)),
    ("disable_dropdown no boolean", _CHOICES, "disable_dropdown", _NO_BOOLEAN),
    (
        "file types wrong",
        ("file_upload",),
        "accepted_file_types",
        (".png", {}, ["png"], [".a", ""], [".a", 5], [None]),
    ),
    ("file size wrong", ("file_upload",), "max_file_size_mb", (0, -1, 0.0, -0.5, "25", True, False, [], {})),
    ("min count wrong", ("file_upload",), "min_file_count", (0, -1, 1.0, "1", True, False, [], {})),
    ("max count wrong", ("file_upload",), "max_file_count", (0, -1, 10.0, "10", True, False, [], {})),
    *(
        (f"{kind} without description", (kind,), "description", _NO_TEXT)
        for kind in (*_HINTED, "file_upload")
    ),
)

_INVALID_ENTRIES: Final[Sequence[tuple[str, Sequence[str], str, Sequence[Json]]]] = (
    ("option label no text", _CHOICES, "label", _NO_TEXT),
    ("option value missing", _CHOICES, "value", _NO_VALUE),
    ("option exclusive no boolean", _CHOICES, "exclusive", _NO_BOOLEAN),
    ("option heading no text", ("multiple_choice_with_free_text",), "heading", _NO_TEXT),
    ("unit label no text", ("free_text_with_unit",), "label", _NO_TEXT),
    ("unit value missing", ("free_text_with_unit",), "value", _NO_VALUE),
)

_RULES: Final[Mapping[str, Sequence[Json]]] = {
    "no object": (5, "number", [], [{"type": "number"}], True, False, ""),
    "type unknown": (
        {},
        {"type": None},
        {"type": "integer", "min": 1},
        {"type": 3},
        {"type": []},
        {"min": 1},
    ),
    "bound no number": ({"type": "number", "min": "1"}, {"type": "number", "max": True, "min": None}),
    "bound no length": (
        {"type": "string", "min": -1},
        {"type": "string", "max": 2.0},
        {"type": "string", "min": False},
        {"type": "string", "max": "9"},
    ),
    "bounds crossed": ({"type": "number", "min": 2, "max": 1.5}, {"type": "string", "min": 3, "max": 2}),
}


def _item(random: Random, sample: LayoutSample, *kinds: str) -> Json:
    """An item of one of these types, added to the layout when there is none."""
    present = [item for item in items(sample.batch_items) if item["type"] in kinds]
    if present:
        return random.choice(present)
    kind = random.choice(kinds)
    added = (
        valid_items.dataset_field(random, "added")
        if kind == "dataset_field"
        else valid_items.ITEMS[kind](random)
    )
    random.choice(columns(sample.batch_items))["items"].append(added)
    return added


def _inner(random: Random, item: Json) -> list[Json]:
    """The options or units of an item, replaced if an earlier defect made them unusable."""
    name = "unit_options" if item["type"] == "free_text_with_unit" else "options"
    present = item.get(name)
    if not (isinstance(present, list) and present and all(isinstance(entry, dict) for entry in present)):
        item[name] = valid_items.ITEMS[item["type"]](random)[name]
    inner: list[Json] = item[name]
    return inner


def _attribute(kinds: Sequence[str], name: str, values: Sequence[Json]) -> Defect:
    return lambda random, sample: put(random, _item(random, sample, *kinds), name, values)


def _entry(kinds: Sequence[str], name: str, values: Sequence[Json]) -> Defect:
    return lambda random, sample: put(
        random, random.choice(_inner(random, _item(random, sample, *kinds))), name, values
    )


def _option_no_object(random: Random, sample: LayoutSample) -> None:
    inner = _inner(random, _item(random, sample, *_CHOICES, "free_text_with_unit"))
    inner[random.randrange(len(inner))] = random.choice((None, "label", 5, ["label"], True))


def _value_twice(random: Random, sample: LayoutSample) -> None:
    options = _inner(random, _item(random, sample, *_CHOICES))
    first, second = random.choice(((0, 0.0), (0, -0.0), (1, 1.0), ("a", "a"), (True, True), (1e22, 10**22)))
    options[0]["value"] = first
    options.append({**options[0], "value": second})


def _limit_above(random: Random, sample: LayoutSample) -> None:
    item = _item(random, sample, *_CHOICES)
    item["answer_limit"] = len(_inner(random, item)) + random.randint(1, 3)


def _exclusive_single(random: Random, sample: LayoutSample) -> None:
    item = _item(random, sample, *_CHOICES)
    random.choice(_inner(random, item))["exclusive"] = True
    item["answer_limit"] = 1


def _exclusive_all(random: Random, sample: LayoutSample) -> None:
    item = _item(random, sample, *_CHOICES)
    item["answer_limit"] = -1
    for option in _inner(random, item):
        option["exclusive"] = True


def _default_unit_misspelt(random: Random, sample: LayoutSample) -> None:
    item = _item(random, sample, "free_text_with_unit")
    value, default = random.choice(
        (("km", "KM"), (True, "True"), (1.0, "1"), (2, "2.0"), ("kg", "kg "), (0, "-0"))
    )
    del _inner(random, item)[1:]
    item["unit_options"][0]["value"], item["default_unit"] = value, default


def _counts_crossed(random: Random, sample: LayoutSample) -> None:
    item = _item(random, sample, "file_upload")
    least, most = random.choice(((3, 2), (11, ABSENT), (11, None), (10**20, 9)))
    put(random, item, "min_file_count", (least,))
    put(random, item, "max_file_count", (most,))


def _rule(error: str, *kinds: str) -> Defect:
    def apply(random: Random, sample: LayoutSample) -> None:
        item = _item(random, sample, *kinds)
        holder = random.choice(_inner(random, item)) if "unit_options" in item else item
        put(random, holder, "validation", _RULES[error])

    return apply


def _no_schema(random: Random, sample: LayoutSample) -> None:
    _item(random, sample, "dataset_field")
    sample.schema = None


def _unknown_field(random: Random, sample: LayoutSample) -> None:
    sample.schema = sample.schema if isinstance(sample.schema, dict) else random_schema(random)
    key = random.choice(list(sample.schema["fields"]))
    _item(random, sample, "dataset_field")["field"] = random.choice(
        (key + "x", key.swapcase() + " ", " " + key)
    )


def _hidden_field(random: Random, sample: LayoutSample) -> None:
    sample.schema = sample.schema if isinstance(sample.schema, dict) else random_schema(random)
    key = key_of_type(random, sample.schema, "metadata", "task_group_id")
    _item(random, sample, "dataset_field")["field"] = key


def _field_twice(random: Random, sample: LayoutSample) -> None:
    page = random.choice(sample.batch_items)
    inside = columns([page])
    present = [item for item in items([page]) if item["type"] == "dataset_field"]
    first = random.choice(present) if present else valid_items.dataset_field(random, "twice")
    copies = 1 if present else 2
    for column in (random.choice(inside) for _ in range(copies)):
        column["items"].insert(random.randint(0, len(column["items"])), {**first, "id": None})


def _question_on_edge(random: Random, sample: LayoutSample) -> None:
    page = random.choice(sample.batch_items)
    page["display_position"] = random.choice(("intro", "outro"))
    if all(item["type"] in valid_items.CONTENT for item in items([page])):
        kind = random.choice([kind for kind in valid_items.ITEMS if kind not in valid_items.CONTENT])
        added = valid_items.newer_item(random) if chance(random, 0.2) else valid_items.ITEMS[kind](random)
        random.choice(columns([page]))["items"].append(added)


def _unknown_type(random: Random, sample: LayoutSample) -> None:
    _item(random, sample, *valid_items.ITEMS)["type"] = random.choice(valid_items.UNKNOWN_TYPES)


INVALID_ITEMS: Final[Mapping[str, Defect]] = {
    **{name: _attribute(kinds, attribute, values) for name, kinds, attribute, values in _INVALID_ATTRIBUTES},
    **{name: _entry(kinds, attribute, values) for name, kinds, attribute, values in _INVALID_ENTRIES},
    **{f"validation: {error}": _rule(error, "free_text") for error in _RULES},
    **{f"unit validation: {error}": _rule(error, "free_text_with_unit") for error in _RULES},
    "option or unit no object": _option_no_object,
    "option value twice": _value_twice,
    "answer_limit above options": _limit_above,
    "exclusive with one answer": _exclusive_single,
    "all options exclusive": _exclusive_all,
    "default_unit misspelt": _default_unit_misspelt,
    "file counts crossed": _counts_crossed,
    "field without schema": _no_schema,
    "field unknown": _unknown_field,
    "field hidden": _hidden_field,
    "field twice on a page": _field_twice,
    "question on an intro or outro page": _question_on_edge,
    "type unknown": _unknown_type,
}
"""Ways to make an item invalid, by name; each is rejected with 422."""
