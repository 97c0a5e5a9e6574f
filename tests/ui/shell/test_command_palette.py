"""What the command finder finds."""

import pytest
from hypothesis import given
from hypothesis.strategies import lists, text

from batchwright.ui.core.actions import PaletteEntry
from batchwright.ui.shell.command_palette import (
    CommandGroup,
    Heading,
    matches,
    result_count_text,
    search_commands,
)

pytestmark = pytest.mark.gui


def offer(text: str, where: str = "Page", why_not: str = "") -> PaletteEntry:
    return PaletteEntry(text, where, "", "", why_not, lambda: None)


PAGES = CommandGroup(
    "Actions",
    lambda: [
        offer("Move page up"),
        offer("Add to collection", why_not="Open a collection first"),
        offer("Page up"),
    ],
)
PLACES = CommandGroup("Go to", lambda: [offer("Results", "Stage")])


def texts(typed: str) -> list[str]:
    return [
        line.title if isinstance(line, Heading) else line.text
        for line in search_commands((PAGES, PLACES), typed)
    ]


def test_what_starts_with_the_word_comes_first() -> None:
    assert texts("page up") == ["Actions", "Page up", "Move page up"]


def test_what_cannot_be_done_stays_but_comes_last() -> None:
    assert texts("")[:4] == ["Actions", "Move page up", "Page up", "Add to collection"]


def test_words_are_sought_in_the_menu_too() -> None:
    assert texts("stage") == ["Go to", "Results"]


def test_sections_without_a_find_have_no_heading() -> None:
    assert texts("nothing of the kind") == []


def test_only_offers_are_counted() -> None:
    assert result_count_text(search_commands((PAGES, PLACES), "page up")) == "2 found"


@given(text(), lists(text(min_size=1), max_size=3))
def test_places_of_words_lie_in_the_text(whole: str, words: list[str]) -> None:
    spans = matches(whole, words)
    if spans is not None:
        assert all(0 <= start < end <= len(whole) for start, end in spans)


def test_letters_that_grow_when_folded_keep_their_places() -> None:
    assert matches("Straße öffnen", ["öffnen"]) == ((7, 13),)
