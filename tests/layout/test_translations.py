"""Translations of a layout: they stay with their texts, and are counted."""

from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batchwright.base.json_values import Json
from batchwright.layout.editing.clipboard import clipboard_nodes, nodes_to_paste
from batchwright.layout.editing.edits import ChangeType, Cut, Duplicate, Edit, MoveItems, Paste, SetAttributes
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.model import Layout
from batchwright.layout.serialization import random_keys, read, sequential_keys
from batchwright.layout.translations import (
    ParticipantTexts,
    TextAddress,
    TranslatedPages,
    Translation,
    TranslationCounts,
    Translations,
    assigned_anew,
    count_translations,
    follow,
    of_texts,
    with_keys,
    with_translation,
)

DETAILS = {"task_name": "Cats", "task_introduction": "<p>Judge.</p>", "task_steps": " "}
OPTIONS: list[Json] = [{"label": "Good", "value": "g"}, {"label": "Bad", "value": 2}]
CHOICE: Json = {
    "type": "multiple_choice",
    "description": "How is it?",
    "answer_limit": 1,
    "options": OPTIONS,
}
TEXT: Json = {"type": "free_text", "description": "Why?", "helper_text": "A sentence"}
LAYOUT = read([{"rows": [{"columns": [{"items": [CHOICE, TEXT]}]}]}], sequential_keys())
_PAGE, _ROW, COLUMN, QUESTION, REASON = (node.key for node in LAYOUT.walk_all())
GOOD = TextAddress(QUESTION, "options", '"g"', "label")
BAD = TextAddress(QUESTION, "options", "2", "label")
ASKED, WHY = TextAddress(QUESTION, "description"), TextAddress(REASON, "description")
GERMAN: Translations = {
    "de": {
        TextAddress("", "task_name"): Translation("Katzen", "Cats"),
        GOOD: Translation("Gut", "Good"),
        BAD: Translation("Schlecht", "Bad"),
        ASKED: Translation("Wie ist es?", "How is it?"),
        WHY: Translation("Warum?", "Why?"),
    }
}


def texts(layout: Layout, translations: Translations = GERMAN) -> list[str]:
    """What participants read in German."""
    translated = ParticipantTexts(DETAILS, layout).translated(translations["de"])
    return [text.text for _address, text in translated.texts()]


def edited(edit: Edit, layout: Layout = LAYOUT) -> list[str]:
    """What participants read in German after an edit."""
    after = edit(layout)
    return texts(after, follow(GERMAN, layout, after))[2:]


def test_a_layout_is_translated_and_what_has_no_translation_stays() -> None:
    reading_order = ["How is it?", "Good", "Bad", "Why?", "A sentence"]
    source = ParticipantTexts(DETAILS, LAYOUT)
    assert [text.text for _address, text in source.texts()] == ["Cats", "<p>Judge.</p>", *reading_order]
    german = ["Wie ist es?", "Gut", "Schlecht", "Warum?", "A sentence"]
    assert texts(LAYOUT) == ["Katzen", "<p>Judge.</p>", *german]
    values = [option["value"] for option in source.translated(GERMAN["de"]).layout.find(QUESTION).options]  # type: ignore[union-attr]
    assert values == ["g", 2]


def test_missing_translations_are_counted_and_those_of_a_changed_text() -> None:
    renamed = SetAttributes(REASON, {"description": "Why so?"})(LAYOUT)
    counts = count_translations(ParticipantTexts(DETAILS, renamed).texts(), GERMAN["de"])
    assert counts == TranslationCounts(missing=2, outdated=1)
    blank = with_translation(GERMAN, "de", WHY, Translation(" ", "Why?"))
    removed = with_translation(GERMAN, "de", WHY, None)
    for translations in (blank, removed):
        found = count_translations(ParticipantTexts(DETAILS, LAYOUT).texts(), translations["de"])
        assert found == TranslationCounts(missing=3, outdated=0)
    assert texts(LAYOUT, blank) == texts(LAYOUT, removed)


def test_an_option_keeps_its_translation_when_it_is_moved_or_gets_another_value() -> None:
    good, bad = OPTIONS
    assert edited(SetAttributes(QUESTION, {"options": [bad, good]}))[:3] == ["Wie ist es?", "Schlecht", "Gut"]
    other_value: Json = {"label": "Good", "value": "good"}
    assert edited(SetAttributes(QUESTION, {"options": [other_value, bad]}))[1:3] == ["Gut", "Schlecht"]
    new: Json = {"label": "Good", "value": "new"}
    assert edited(SetAttributes(QUESTION, {"options": [good, bad, new]}))[1:4] == ["Gut", "Schlecht", "Gut"]


def scale(*options: tuple[str, int]) -> Layout:
    """The layout with other options, given by their labels and values."""
    entries: list[Json] = [{"label": label, "value": value} for label, value in options]
    return SetAttributes(QUESTION, {"options": entries})(LAYOUT)


def shown_labels(layout: Layout, translations: Translations) -> list[str]:
    """The labels of the options that participants read in German."""
    return texts(layout, translations)[3:-2]


def translated_labels(
    options: Iterable[tuple[str, int]], labels: Iterable[str], outdated: Iterable[str] = ()
) -> Translations:
    """Translations of these labels of options, in capitals; the texts of `outdated` ones were changed."""
    chosen, sources = {*labels}, {label: f"former {label}" for label in outdated}
    return {
        "de": {
            TextAddress(QUESTION, "options", str(value), "label"): Translation(
                label.upper(), sources.get(label, label)
            )
            for label, value in options
            if label in chosen
        }
    }


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("a1 b2 c3", "a3 b2 c1", "A B C"),
        ("a1 b2 c3", "c1 b2 a3", "C B A"),
        ("a1 b2", "a2 b3", "A B"),
        ("a1 b2", "a0 x1 b2", "A x B"),
        ("a1 b2 c3", "b1 c2 d3 e4", "B C d e"),
        ("a1 b2", "x1 b2", "A B"),
    ],
)
def test_translations_stay_with_options_whose_values_are_exchanged_or_shifted(
    before: str, after: str, expected: str
) -> None:
    old, new = ([(option[0], int(option[1])) for option in text.split()] for text in (before, after))
    translations = follow(translated_labels(old, "abc"), scale(*old), scale(*new))
    assert shown_labels(scale(*new), translations) == expected.split()


def test_an_option_without_translation_gets_none_of_another_option() -> None:
    old, new = [("a", 1), ("b", 2)], [("a", 2), ("b", 1)]
    translations = follow(translated_labels(old, "a"), scale(*old), scale(*new))
    assert shown_labels(scale(*new), translations) == ["A", "b"]


@pytest.mark.parametrize("outdated", ["", "b"])
def test_the_translation_of_an_option_stays_if_the_other_one_with_its_value_is_removed(outdated: str) -> None:
    before, same, after = scale(("a", 1), ("b", 2)), scale(("a", 1), ("b", 1)), scale(("b", 1))
    translations = translated_labels([("a", 1), ("b", 2)], "ab", outdated)
    translations = follow(follow(translations, before, same), same, after)
    assert shown_labels(after, translations) == ["B"]


@settings(max_examples=300)
@given(
    st.integers(2, 5),
    st.sets(st.sampled_from("abcde")),
    st.sets(st.sampled_from("abcde")),
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 6)), max_size=12),
    st.permutations(range(5)),
)
def test_translations_stay_with_options_whose_values_are_typed_one_after_another(
    count: int, translated: set[str], outdated: set[str], typed: list[tuple[int, int]], final: list[int]
) -> None:
    labels = "abcde"[:count]
    values = [*range(count)]
    layout = scale(*zip(labels, values, strict=True))
    translations = translated_labels(zip(labels, values, strict=True), translated, outdated)
    for row, value in [*typed, *enumerate(final)]:
        if row < count:
            values[row] = value
            edited_layout = scale(*zip(labels, values, strict=True))
            translations = follow(translations, layout, edited_layout)
            layout = edited_layout
    expected = [label.upper() if label in translated else label for label in labels]
    assert shown_labels(layout, translations) == expected


def test_items_that_are_copied_moved_or_get_another_type_are_translated() -> None:
    german = texts(LAYOUT)[2:]
    assert edited(Duplicate((REASON,))) == [*german, "Warum?", "A sentence"]
    assert edited(MoveItems((REASON,), InsertionPoint(None, 0))) == ["Warum?", "A sentence", *german[:3]]
    assert edited(ChangeType((QUESTION,), "multiple_choice_with_free_text")) == german


def test_an_item_that_is_cut_and_pasted_is_translated_and_a_removed_one_is_not_stored() -> None:
    nodes = clipboard_nodes(LAYOUT, (REASON,))
    cut = Cut((REASON,))(LAYOUT)
    translations = follow(GERMAN, LAYOUT, cut)
    assert WHY not in of_texts(translations, ParticipantTexts(DETAILS, cut).texts())["de"]
    pasted = Paste(nodes_to_paste(nodes, cut, random_keys()), InsertionPoint(COLUMN, 0))(cut)
    assert texts(pasted, follow(translations, cut, pasted))[2:4] == ["Warum?", "A sentence"]


def test_translations_follow_their_texts_to_other_keys() -> None:
    keys = random_keys()
    other = read([{"rows": [{"columns": [{"items": [CHOICE, TEXT]}]}]}], keys)
    assert texts(other, with_keys(GERMAN, LAYOUT, other)) == texts(LAYOUT)
    longer = Layout((*other.pages, *LAYOUT.pages))
    anew = assigned_anew(GERMAN, ParticipantTexts(DETAILS, longer).texts())
    assert texts(longer, anew) == [*texts(LAYOUT), *texts(LAYOUT)[2:]]


def test_an_edit_of_another_page_or_without_translations_changes_none() -> None:
    page = replace(LAYOUT.pages[0], key="other")
    after = Layout((*LAYOUT.pages, page))
    assert follow({"de": {}}, LAYOUT, after) == {"de": {}}
    assert follow(GERMAN, after, LAYOUT) is GERMAN


def test_a_change_translates_only_its_page_again() -> None:
    second = read([{"rows": [{"columns": [{"items": [TEXT]}]}]}], (f"second {key}" for key in "prci"))
    layout, german = LAYOUT.with_pages(1, 1, second.pages), GERMAN["de"]
    source, pages = ParticipantTexts(DETAILS, layout), TranslatedPages()
    first = pages.translated(source, german)
    edited_layout = SetAttributes(REASON, {"description": "Why so?"})(layout)
    edited_texts = {**german, TextAddress("second i", "description"): Translation("Wieso?", "Why?")}
    for layout_now, texts_now, unchanged in ((edited_layout, german, 1), (edited_layout, edited_texts, 0)):
        changed = ParticipantTexts(DETAILS, layout_now)
        again = pages.translated(changed, texts_now)
        assert again == changed.translated(texts_now)
        assert again.layout.pages[unchanged] is first.layout.pages[unchanged]
        first = again
