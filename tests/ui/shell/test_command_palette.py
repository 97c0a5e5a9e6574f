"""The search of the command palette."""

import pytest
from hypothesis import given
from hypothesis.strategies import lists, text

from batchwright.ui.core.actions import PaletteEntry
from batchwright.ui.shell.command_palette import (
    CommandGroup,
    GroupHeading,
    matches,
    result_count_text,
    search_commands,
)

pytestmark = pytest.mark.gui


def offer(text: str, where: str = "Page", disabled_reason: str = "") -> PaletteEntry:
    return PaletteEntry(text, where, "", "", disabled_reason, lambda: None)


PAGES = CommandGroup(
    "Actions",
    lambda: [
        offer("Move page up"),
        offer("Add to collection", disabled_reason="Open a collection first"),
        offer("Page up"),
    ],
)
STAGES = CommandGroup("Go to", lambda: [offer("Results", "Stage")])


def texts(typed: str) -> list[str]:
    return [
        line.title if isinstance(line, GroupHeading) else line.text
        for line in search_commands((PAGES, STAGES), typed)
    ]


def test_entries_that_start_with_the_term_come_first() -> None:
    assert texts("page up") == ["Actions", "Page up", "Move page up"]


def test_disabled_entries_come_last() -> None:
    assert texts("")[:4] == ["Actions", "Move page up", "Page up", "Add to collection"]


def test_terms_are_found_in_the_menu_path() -> None:
    assert texts("stage") == ["Go to", "Results"]


def test_groups_without_results_have_no_heading() -> None:
    assert texts("nothing of the kind") == []


def test_the_count_excludes_headings() -> None:
    assert result_count_text(search_commands((PAGES, STAGES), "page up")) == "2 found"


@given(text(), lists(text(min_size=1), max_size=3))
def test_match_positions_are_inside_the_text(text: str, terms: list[str]) -> None:
    spans = matches(text, terms)
    if spans is not None:
        assert all(0 <= start < end <= len(text) for start, end in spans)


def test_letters_that_expand_in_case_folding_keep_their_positions() -> None:
    assert matches("Straße öffnen", ["öffnen"]) == ((7, 13),)


@pytest.mark.parametrize(
    ("typed", "end"), [("schließen", 19), ("SCHLIESSEN", 19), ("schliess", 17), ("schlies", 17)]
)
def test_letters_that_expand_in_case_folding_are_found_however_they_are_typed(typed: str, end: int) -> None:
    assert matches("Die Datei schließen", [typed]) == ((10, end),)
