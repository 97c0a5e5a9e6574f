"""Drags with a real pointer: X carries them, and Qt's own drag loop runs in the window's process."""

from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from tests.desktop.conftest import OpenDesktop, program_with

pytestmark = pytest.mark.desktop


def is_at_end(scrolled: int, most: int) -> bool:
    """Whether a canvas that can be scrolled is scrolled to its end."""
    return 0 < most <= scrolled


def test_a_part_pulled_onto_the_page_lands_where_the_line_is(desktop: OpenDesktop) -> None:
    window = desktop("a / b // c")
    window.take(window.point("part", "Rich text"))
    window.over(window.point("entry", "b", y=0.8), "After")
    assert window.ask("marked")
    window.pointer.release()
    window.until(lambda: window.ask("types") == ["free_text", "free_text", "rich_text", "free_text"])
    assert window.ask("undo") == "a / b // c"


def test_an_item_goes_into_another_column(desktop: OpenDesktop) -> None:
    window = desktop("ab|c")
    window.take(window.point("entry", "a", y=0.2))
    window.over(window.point("entry", "c", y=0.9), "After c")
    window.pointer.release()
    window.becomes("b|ca")


def test_an_item_dropped_beside_a_row_of_one_column_makes_it_two(desktop: OpenDesktop) -> None:
    window = desktop("a / b")
    window.take(window.point("entry", "b", y=0.2))
    window.over(window.point("entry", "a", x=0.985), "Second column of row 1")
    window.pointer.release()
    window.becomes("a|b")
    assert window.ask("undo") == "a / b"


def test_a_row_is_moved_by_its_grip(desktop: OpenDesktop) -> None:
    window = desktop("a / b / c")
    window.pointer.go(*window.point("entry", "rc", x=0.01))
    window.take(window.point("grip", "rc"))
    window.over(window.point("entry", "ra", y=0.02), "Before row 1")
    window.pointer.release()
    window.becomes("c / a / b")


def test_a_page_is_moved_in_the_list(desktop: OpenDesktop) -> None:
    window = desktop("a // b // c")
    window.take(window.point("picture_of", 2))
    window.over(window.point("picture_of", 0, y=0.02), "Before page 1")
    window.pointer.release()
    window.becomes("c // a // b")


def test_an_item_dropped_on_a_page_of_the_list_goes_to_its_end(desktop: OpenDesktop) -> None:
    window = desktop("ab // c")
    window.take(window.point("entry", "a", y=0.2))
    window.over(window.point("picture_of", 1), "Release")
    window.pointer.release()
    window.becomes("b // c / a")


def test_escape_gives_a_drag_up(desktop: OpenDesktop) -> None:
    window = desktop("a / b")
    window.take(window.point("entry", "b", y=0.2))
    window.over(window.point("entry", "a", y=0.2), "Before a")
    window.pointer.strike("Escape")
    window.until(lambda: not window.ask("marked") and not window.ask("hint"))
    window.pointer.release()
    assert window.ask("drawing") == "a / b"


def test_ctrl_copies(desktop: OpenDesktop) -> None:
    window = desktop("a / b")
    window.take(window.point("entry", "b", y=0.2))
    window.pointer.hold("ctrl")
    window.over(window.point("entry", "a", y=0.2), "Before a")
    window.pointer.release()
    window.pointer.let_go("ctrl")
    window.becomes("ba / b")


def test_a_refused_drop_states_why_beside_the_pointer(desktop: OpenDesktop) -> None:
    window = desktop("a|b / c")
    window.take(window.point("entry", "c", y=0.2))
    x, y = window.point("entry", "b", x=0.995)
    window.over((x, y), "at most 2 columns")
    assert "at most 2 columns" in window.ask("refusal")
    assert not window.ask("marked")
    left, top, width, _height = window.ask("refusal_corners")
    assert abs(left + width - x) < 2 * width
    assert 0 < y - top < 60, "it stands above the pointer: what is dragged hides what is below"
    window.pointer.release()
    window.until(lambda: not window.ask("refusal"))
    assert window.ask("drawing") == "a|b / c"


def test_the_page_scrolls_while_a_drag_waits_near_its_edge(desktop: OpenDesktop) -> None:
    window = desktop(" / ".join("abcdefghijklmnop"))
    assert window.ask("scrolled")[0] == 0
    window.take(window.point("entry", "a", y=0.2))
    window.pointer.go(*window.point("canvas", y=0.985))
    window.until(lambda: is_at_end(*window.ask("scrolled")))
    window.over(window.point("entry", "p", y=0.2), "Before p")
    window.pointer.release()
    window.becomes(" / ".join("bcdefghijklmno") + " / ap")


@pytest.mark.parametrize("look", ["light", "dark"])
def test_a_picture_taken_during_a_drag_shows_it(desktop: OpenDesktop, tmp_path: Path, look: str) -> None:
    window = desktop("a|b / c // d", look)
    window.take(window.point("part", "Rich text"))
    window.over(window.point("entry", "c", y=0.5), "c")
    picture = tmp_path / "during.png"
    assert window.ask("shoot", str(picture))
    left, top, width, _height = window.ask("mark_line")
    assert QImage(str(picture)).pixelColor(left + width // 8, top).name() == window.ask("mark_colour")
    window.pointer.strike("Escape")
    window.until(lambda: not window.ask("hint"))
    window.pointer.release()


@pytest.mark.parametrize(
    ("y", "says", "after"),
    [(0.2, "Before a", "xab"), (0.99, "After a", "axb")],
)
def test_a_part_goes_before_and_between_the_items_of_a_column(
    desktop: OpenDesktop, y: float, says: str, after: str
) -> None:
    window = desktop("ab")
    window.take(window.point("part", "Rich text"))
    text = window.over(window.point("entry", "a", y=y), says)
    assert text.startswith("Release to add Rich text")
    assert "Ctrl copies" not in text
    window.pointer.release()
    types = ["rich_text" if letter == "x" else "free_text" for letter in after]
    window.until(lambda: window.ask("types") == types)


def test_a_part_dropped_beside_a_row_of_one_column_makes_it_two(desktop: OpenDesktop) -> None:
    window = desktop("a / b")
    window.take(window.point("part", "Image"))
    window.over(window.point("entry", "a", x=0.01), "First column of row 1")
    window.pointer.release()
    window.becomes("|a / b")


def test_a_part_dropped_between_rows_becomes_one(desktop: OpenDesktop) -> None:
    window = desktop("a / b")
    window.take(window.point("part", "Image"))
    window.over(window.point("entry", "b", y=0.01), "New row after row 1")
    window.pointer.release()
    window.becomes("a /  / b")


def test_a_part_dropped_on_a_page_of_the_list_goes_to_its_end(desktop: OpenDesktop) -> None:
    window = desktop("a // b")
    window.take(window.point("part", "Image"))
    window.over(window.point("picture_of", 1), "New row after row 1")
    window.pointer.release()
    window.becomes("a // b / ")
    assert window.ask("page") == 0


def test_a_part_is_the_first_thing_on_an_empty_page(desktop: OpenDesktop) -> None:
    window = desktop("-")
    window.take(window.point("part", "Image"))
    window.over(window.point("canvas"), "First row of this page")
    window.pointer.release()
    window.until(lambda: window.ask("types") == ["image"])


def test_an_item_dropped_between_rows_becomes_one(desktop: OpenDesktop) -> None:
    window = desktop("ab / c")
    window.take(window.point("entry", "a", y=0.2))
    text = window.over(window.point("entry", "c", y=0.01), "New row after row 1")
    assert text == "Release to move Free text: New row after row 1 · Ctrl copies · Esc cancels"
    window.pointer.release()
    window.becomes("b / a / c")


def test_several_selected_items_move_together(desktop: OpenDesktop) -> None:
    window = desktop("ab / c / d")
    window.ask("select", "a", "d")
    window.take(window.point("entry", "d", y=0.2))
    text = window.over(window.point("entry", "c", y=0.9), "After c")
    assert "2 items" in text
    window.pointer.release()
    window.becomes("b / cad")
    assert window.ask("undo") == "ab / c / d"


def test_a_column_is_moved_by_its_grip_beside_another_row(desktop: OpenDesktop) -> None:
    window = desktop("a|b / c")
    window.pointer.go(*window.point("entry", "b", y=0.02))
    window.take(window.point("grip", "cb"))
    window.over(window.point("entry", "c", x=0.985), "Second column of row 2")
    window.pointer.release()
    window.becomes("a / c|b")


def test_a_column_dropped_between_rows_becomes_one(desktop: OpenDesktop) -> None:
    window = desktop("ab|c / d")
    window.pointer.go(*window.point("entry", "a", y=0.02))
    window.take(window.point("grip", "ca"))
    window.over(window.point("entry", "d", y=0.98), "row 2")
    window.pointer.release()
    window.becomes("c / d / ab")


def test_a_row_dropped_on_a_page_of_the_list_goes_to_its_end(desktop: OpenDesktop) -> None:
    window = desktop("a|b / c // d")
    window.pointer.go(*window.point("entry", "ra", x=0.01))
    window.take(window.point("grip", "ra"))
    window.over(window.point("picture_of", 1), "After row 1")
    window.pointer.release()
    window.becomes("c // d / a|b")


def test_a_row_goes_to_a_new_page_between_two(desktop: OpenDesktop) -> None:
    window = desktop("a / b // c")
    window.pointer.go(*window.point("entry", "rb", x=0.01))
    window.take(window.point("grip", "rb"))
    window.over(window.point("picture_of", 1, y=0.02), "New page after page 1")
    window.pointer.release()
    window.becomes("a // b // c")
    window.until(lambda: len(window.ask("drawing").split("//")) == 3)


def test_ctrl_copies_a_page_in_the_list(desktop: OpenDesktop) -> None:
    window = desktop("a // b")
    window.take(window.point("picture_of", 1))
    window.pointer.hold("ctrl")
    text = window.over(window.point("picture_of", 0, y=0.02), "page 1")
    window.pointer.release()
    window.pointer.let_go("ctrl")
    window.becomes("b // a // b")
    assert text.startswith("Release to copy Page")


def test_the_page_list_scrolls_while_a_drag_waits_near_its_edge(desktop: OpenDesktop) -> None:
    window = desktop(" // ".join("abcdefghijklmnop"))
    window.take(window.point("entry", "a", y=0.2))
    window.pointer.go(*window.point("page_list", y=0.99))
    window.until(lambda: is_at_end(*window.ask("pages_scrolled")))
    window.over(window.point("picture_of", 15), "New row after row 1")
    window.pointer.release()
    window.becomes("- // " + " // ".join("bcdefghijklmno") + " // p / a")


def test_an_item_goes_from_one_window_to_another_and_stays_in_the_first(desktop: OpenDesktop) -> None:
    window = desktop("a / b")
    window.ask("beside", "x / y")
    window.until(lambda: window.ask("other", "is_ready"))
    window.take(window.point("other", "entry", "y", y=0.2))
    text = window.over(window.point("entry", "a", x=0.2, y=0.85), "After a")
    assert text.startswith("Release to add")
    window.pointer.release()
    window.becomes("ay / b")
    assert window.ask("other", "drawing") == "x / y"


@pytest.mark.parametrize(
    ("kind", "what", "says"),
    [
        ("url", "http://example.org/cat.png", "Images need an https address."),
        ("text", "Which answer is better?", "Text belongs in an item"),
    ],
    ids=["picture", "text"],
)
def test_drags_from_the_desktop_are_told_which_actions_are_possible(
    desktop: OpenDesktop, kind: str, what: str, says: str
) -> None:
    window = desktop("a / b")
    with program_with(window, kind, what) as source:
        window.take(source.at)
        window.over(window.point("entry", "b", y=0.5), says)
        assert says in window.ask("refusal")
        assert not window.ask("marked")
        window.pointer.release()
        window.until(lambda: not window.ask("refusal"))
    assert window.ask("drawing") == "a / b"


def test_a_file_of_the_desktop_is_handed_to_the_window(desktop: OpenDesktop) -> None:
    window = desktop("a / b")
    with program_with(window, "url", "file:///home/someone/reviews.csv") as source:
        window.take(source.at)
        window.over(window.point("entry", "b", y=0.5), "Drop to open “reviews.csv”")
        assert not window.ask("marked")
        source.hears("CopyAction")
        window.pointer.release()
        window.until(lambda: window.ask("dropped") == [["/home/someone/reviews.csv"]])
    assert window.ask("drawing") == "a / b"


@pytest.mark.parametrize(
    ("kind", "what", "types"),
    [
        ("url", "https://example.org/cat.png", ["free_text", "image", "free_text"]),
        ("text", '{"type": "file_upload", "description": "x"}', ["free_text", "file_upload", "free_text"]),
    ],
    ids=["picture of a web page", "json"],
)
def test_what_can_be_an_item_is_one_wherever_it_comes_from(
    desktop: OpenDesktop, kind: str, what: str, types: list[str]
) -> None:
    window = desktop("a / b")
    with program_with(window, kind, what) as source:
        window.take(source.at)
        window.over(window.point("entry", "b", y=0.01), "New row after row 1")
        source.hears("CopyAction")
        window.pointer.release()
        window.until(lambda: window.ask("types") == types)


def test_an_item_is_moved_in_the_outline(desktop: OpenDesktop) -> None:
    window = desktop("ab / c // d")
    window.ask("show_outline", "pa", "ra", "ca", "pd")
    window.take(window.point("outline_row", "b"))
    window.over(window.point("outline_row", "a", y=0.1), "Before a")
    window.pointer.release()
    window.becomes("ba / c // d")


def test_a_row_is_moved_onto_another_page_in_the_outline(desktop: OpenDesktop) -> None:
    window = desktop("ab / c // d")
    window.ask("show_outline", "pa")
    window.take(window.point("outline_row", "rc"))
    window.over(window.point("outline_row", "pd"), "After row 1")
    window.pointer.release()
    window.becomes("ab // d / c")


def test_a_page_is_moved_in_the_outline(desktop: OpenDesktop) -> None:
    window = desktop("a // b // c")
    window.ask("show_outline")
    window.take(window.point("outline_row", "pc"))
    window.over(window.point("outline_row", "pa", y=0.1), "Before page 1")
    window.pointer.release()
    window.becomes("c // a // b")


def test_an_item_goes_from_the_outline_to_the_page(desktop: OpenDesktop) -> None:
    window = desktop("a // b")
    window.ask("show_outline", "pb", "rb", "cb")
    window.take(window.point("outline_row", "b"))
    window.ask("show_page", 0)
    window.over(window.point("entry", "a", y=0.9), "After a")
    window.pointer.release()
    window.becomes("ab // -")


def test_what_the_page_list_refuses_is_reported_beside_the_pointer_too(desktop: OpenDesktop) -> None:
    window = desktop("a // b")
    with program_with(window, "url", "https://example.org/notes.pdf") as source:
        window.take(source.at)
        x, y = window.point("picture_of", 1)
        window.over((x, y), "A layout cannot contain files.")
        assert "A layout cannot contain files." in window.ask("refusal")
        _left, top, _width, _height = window.ask("refusal_corners")
        assert abs(top - y) < 100
        window.pointer.release()
        window.until(lambda: not window.ask("refusal"))
