"""Options as plain lists: values follow labels until edited, and values of every type are preserved."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.base.json_values import Json
from batchwright.layout.item_types.registry import (
    FreeTextWithUnit,
    MultipleChoice,
    MultipleChoiceWithFreeText,
)
from batchwright.layout.option_values import read_number
from batchwright.ui.editor.inspector.options.entries import (
    added,
    from_preset,
    moved,
    value_from_label,
    with_attribute,
    with_label,
)
from batchwright.ui.editor.inspector.options.text_format import parse_options, paste_rows
from batchwright.ui.editor.inspector.presets import option_presets, unit_presets
from batchwright.ui.editor.inspector.value_kinds import ValueKind, convert_kind, value_from_text
from tests.call_counts import count_calls

OPTIONS = next(attribute for attribute in MultipleChoice.known_attributes if attribute.name == "options")
WITH_HEADING = next(
    attribute for attribute in MultipleChoiceWithFreeText.known_attributes if attribute.name == "options"
)


def typed(entries: list[Json], row: int, label: str) -> list[Json]:
    """Type a label letter by letter."""
    for end in range(1, len(label) + 1):
        entries = with_label(entries, row, label[:end])
    return entries


def test_a_value_follows_its_label_while_it_is_typed() -> None:
    assert typed(added([], OPTIONS), 0, "About the same!") == [
        {"label": "About the same!", "value": "about_the_same"}
    ]


def test_an_edited_value_no_longer_follows_its_label() -> None:
    entries: list[Json] = [{"label": "A", "value": "first"}]
    assert with_label(entries, 0, "Answer A") == [{"label": "Answer A", "value": "first"}]


def test_a_number_or_a_boolean_never_follows_a_label() -> None:
    entries: list[Json] = [{"label": "One", "value": 1}, {"label": "True", "value": True}]
    changed = with_label(with_label(entries, 0, "Uno"), 1, "Si")
    assert [entry["value"] for entry in changed if isinstance(entry, dict)] == [1, True]


def test_two_options_with_the_same_label_get_different_values() -> None:
    entries = typed(added([{"label": "Good", "value": "good"}], OPTIONS), 1, "Good")
    assert entries[1] == {"label": "Good", "value": "good_2"}


def test_unknown_keys_and_invalid_nodes_are_preserved() -> None:
    entries: list[Json] = ["odd", {"label": "A", "value": "a", "colour": "red"}]
    assert with_label(entries, 1, "B") == ["odd", {"label": "B", "value": "b", "colour": "red"}]


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("1", ValueKind.TEXT, "1"),
        ("1", ValueKind.NUMBER, 1),
        ("1.5", ValueKind.NUMBER, 1.5),
        ("1.", ValueKind.NUMBER, "1."),
        ("true", ValueKind.TEXT, "true"),
        ("True", ValueKind.BOOLEAN, True),
        ("maybe", ValueKind.BOOLEAN, "maybe"),
    ],
)
def test_a_typed_value_keeps_its_type(text: str, kind: ValueKind, value: Json) -> None:
    assert value_from_text(text, kind) == value
    assert type(value_from_text(text, kind)) is type(value)


@pytest.mark.parametrize(
    ("value", "kind", "becomes"),
    [
        (1, ValueKind.TEXT, "1"),
        (True, ValueKind.TEXT, "true"),
        ("2", ValueKind.NUMBER, 2),
        ("a", ValueKind.NUMBER, 7),
        ("yes", ValueKind.BOOLEAN, True),
        ("no", ValueKind.BOOLEAN, False),
    ],
)
def test_a_value_can_be_converted_to_another_type(value: Json, kind: ValueKind, becomes: Json) -> None:
    assert convert_kind(value, kind, 7) is becomes or convert_kind(value, kind, 7) == becomes
    assert ValueKind.of(convert_kind(value, kind, 7)) is kind


def test_only_json_numbers_become_numbers() -> None:
    assert [read_number(text) for text in ("", "01", "1e", "nan", "1e999", "٣", " 4 ")] == [None] * 6 + [4]


def test_lines_of_a_spreadsheet_become_options() -> None:
    entries = paste_rows([{"label": "", "value": ""}], 0, "Good\tg\nBad\n\nNeither\tn\tmore\n", OPTIONS)
    assert entries == [
        {"label": "Good", "value": "g"},
        {"label": "Bad", "value": "bad"},
        {"label": "Neither", "value": "n"},
    ]


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ('"A" is better\t1\n"B" is better\t2', ['"A" is better', '"B" is better']),
        ('" (inches)\tin\nfeet\tft', ['" (inches)', "feet"]),
        ('"""A"" is\r\nbetter"\t1\r\n"B"\t2\r\n', ['"A" is\r\nbetter', "B"]),
        (f"{'x' * 140_000}\t1\ry\t2", ["x" * 140_000, "y"]),
    ],
)
def test_a_pasted_cell_is_quoted_only_if_all_of_it_is(text: str, labels: list[str]) -> None:
    pasted = paste_rows([], 0, text, OPTIONS)
    assert [option["label"] for option in pasted if isinstance(option, dict)] == labels


def test_a_pasted_row_may_take_the_value_of_the_option_that_it_replaces() -> None:
    options: list[Json] = [
        {"label": label, "value": value} for label, value in zip("xay", "bab", strict=True)
    ]
    pasted = paste_rows([*options, {"label": "A", "value": "a_2"}], 1, "A\nA\tz\nA\nA", OPTIONS)
    values = [option["value"] for option in pasted if isinstance(option, dict)]
    assert values == ["b", "a", "z", "a_2", "a_3"]


@pytest.mark.parametrize("line", ["New {n} = v {n}", "Same", "{n} = {n}", "Old {n} = other", "Old {n}"])
@pytest.mark.parametrize("is_pasted", [False, True])
def test_many_lines_take_linear_time(line: str, is_pasted: bool) -> None:
    def entered(count: int) -> int:
        options: list[Json] = [{"label": f"Old {n}", "value": f"old {n}"} for n in range(count)]
        text = "\n".join(line.format(n=n) for n in reversed(range(count)))
        if is_pasted:
            return count_calls(lambda: paste_rows([], 0, text, OPTIONS))
        return count_calls(lambda: parse_options(text, options, OPTIONS))

    assert entered(400) < 2.5 * entered(200)


def test_the_presets_have_distinct_values_and_labels() -> None:
    sizes = []
    for preset in option_presets():
        labels, values = zip(*preset.options, strict=True)
        assert len(set(labels)) == len(set(values)) == len(labels)
        sizes.append(len(labels))
    assert sizes == [5, 7, 2, 3]


def test_a_preset_keeps_the_headings() -> None:
    entries: list[Json] = [{"label": "A", "value": "a", "heading": "Why A?"}]
    yes_no = option_presets()[2]
    assert from_preset(entries, yes_no, WITH_HEADING) == [
        {"label": "Yes", "value": True, "heading": "Why A?"},
        {"label": "No", "value": False, "heading": ""},
    ]


def test_an_attribute_of_an_option_can_be_removed() -> None:
    assert with_attribute([{"label": "A", "exclusive": True}], 0, "exclusive", None) == [{"label": "A"}]


@given(st.lists(st.integers(), min_size=1, max_size=6), st.data())
def test_moving_an_option_and_back_changes_nothing(entries: list[int], data: st.DataObject) -> None:
    row = data.draw(st.integers(0, len(entries) - 1))
    to = data.draw(st.integers(0, len(entries) - 1))
    moved_options = moved(entries, row, to)
    assert moved_options[to] == entries[row]
    assert moved(moved_options, to, row) == entries


@given(st.text(max_size=80))
def test_a_derived_value_is_short_and_alphanumeric(label: str) -> None:
    value = value_from_label(label)
    assert len(value) <= 40
    assert all(letter.isalnum() or letter == "_" for letter in value)


def test_a_preset_of_units_keeps_the_validations() -> None:
    units = next(
        attribute for attribute in FreeTextWithUnit.known_attributes if attribute.name == "unit_options"
    )
    rule: Json = {"type": "number", "min": 0}
    time = unit_presets()[0]
    assert from_preset([{"label": "x", "value": "x", "validation": rule}], time, units) == [
        {"label": "seconds", "value": "s", "validation": rule},
        {"label": "minutes", "value": "min"},
        {"label": "hours", "value": "h"},
    ]
