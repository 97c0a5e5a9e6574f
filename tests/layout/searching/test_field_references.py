"""Items follow a field that was renamed."""

from collections.abc import Iterable

import pytest

from batchwright.layout.model import Layout
from batchwright.layout.searching import field_references
from batchwright.layout.searching.field_references import RenameFields, probable_renames, reference_counts
from batchwright.layout.serialization import read, sequential_keys, write
from batchwright.schema.model import Field, FieldType, Schema
from tests.samples.each_type import WHY


def layout_of(*pages: Iterable[str]) -> Layout:
    """Pages that show fields, in a text each named by a letter."""
    items = [[{"type": "dataset_field", "field": name} for name in page] + [WHY] for page in pages]
    return read([{"rows": [{"columns": [{"items": page}]}]} for page in items], sequential_keys())


def shown(layout: Layout) -> list[str]:
    return [item.text("field") for _path, item in layout.walk() if item.kind == "dataset_field"]


def schema_of(*names: str, type: FieldType = FieldType.TEXT) -> Schema:
    return Schema(strict=True, fields={name: Field(type) for name in names})


def test_the_items_that_show_a_field_are_counted() -> None:
    assert reference_counts(layout_of("ab", "a")) == {"a": 2, "b": 1}


def test_all_references_are_renamed_and_nothing_else() -> None:
    layout = layout_of("ab", "a", "c")
    after = RenameFields({"a": "x"})(layout)
    assert shown(after) == ["x", "b", "x", "c"]
    assert after.pages[2] is layout.pages[2]
    assert write(RenameFields({"x": "a"})(after)) == write(layout)


def test_names_can_be_exchanged() -> None:
    assert shown(RenameFields({"a": "b", "b": "a"})(layout_of("ab"))) == ["b", "a"]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (("a_prompt", "b"), ("A_Prompt", "b"), {"a_prompt": "A_Prompt"}),
        (("a_prompt", "b"), ("question", "b"), {"a_prompt": "question"}),
        (("a_prompt", "b"), ("b", "question"), {}),
        (("a_prompt", "b"), ("question", "b", "c"), {}),
        (("a_prompt", "b"), ("b", "prompt", "c"), {"a_prompt": "prompt"}),
        (("a_prompt", "b"), ("a_prompt", "c"), {}),
    ],
)
def test_probable_renames(before: tuple[str, ...], after: tuple[str, ...], expected: dict[str, str]) -> None:
    pages = [{"rows": [{"columns": [{"items": [{"type": "dataset_field", "field": "a_prompt"}]}]}]}]
    layout = read(pages, sequential_keys())
    assert probable_renames(layout, schema_of(*before), schema_of(*after)) == expected


def test_a_field_that_cannot_be_shown_is_no_new_name() -> None:
    pages = [{"rows": [{"columns": [{"items": [{"type": "dataset_field", "field": "prompt"}]}]}]}]
    layout = read(pages, sequential_keys())
    hidden = schema_of("prompt_2", type=FieldType.METADATA)
    assert probable_renames(layout, schema_of("prompt"), hidden) == {}


def test_several_missing_fields_are_the_new_ones_in_their_order() -> None:
    before, after = schema_of("p", "a", "b", "topic"), schema_of("q", "x", "y")
    assert probable_renames(layout_of("pab"), before, after) == {"p": "q", "a": "x", "b": "y"}


def test_two_fields_do_not_get_the_same_new_name() -> None:
    layout = layout_of("ab")
    assert probable_renames(layout, schema_of("a", "b"), schema_of("ab", "c")) == {"a": "ab", "b": "c"}


def test_many_long_names_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_names: object, **_options: object) -> list[str]:
        raise AssertionError("each comparison takes a millisecond")

    monkeypatch.setattr(field_references, "get_close_matches", never)
    names = [f"{number:03}" + "a" * 125 for number in range(100)]
    after = schema_of(*(f"b{name[:-1]}" for name in names))
    renames = probable_renames(layout_of(names), schema_of(*names), after)
    assert len(renames) == 100, "by their positions"
