"""Drags with a real pointer: X carries them, and Qt's own drag loop runs in the window's process."""

from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from tests.desktop.conftest import MakeDesktop

pytestmark = pytest.mark.desktop


def is_at_end(scrolled: int, most: int) -> bool:
    """Whether a canvas that can be scrolled is scrolled to its end."""
    return 0 < most <= scrolled


def test_a_part_pulled_onto_the_page_lands_where_the_line_is(desktop: MakeDesktop) -> None:
    window = desktop("a / b // c")
    window.take(window.point("part", "Rich text"))
    window.over(window.point("entry", "b", y=0.8), "After")
    assert window.ask("marked")
    window.pointer.release()
    window.until(lambda: window.ask("types") == ["free_text", "free_text", "rich_text", "free_text"])
    assert window.ask("undo") == "a / b // c"


def test_an_item_goes_into_another_column(desktop: MakeDesktop) -> None:
    window = desktop("ab|c")
    window.take(window.point("entry", "a", y=0.2))
    window.over(window.point("entry", "c", y=0.9), "After c")
    window.pointer.release()
    window.becomes("b|ca")


def test_an_item_dropped_beside_a_row_of_one_column_makes_it_two(desktop: MakeDesktop) -> None:
    window = desktop("a / b")
    window.take(window.point("entry", "b", y=0.2))
    window.over(window.point("entry", "a", x=0.985), "Second column of row 1")
    window.pointer.release()
    window.becomes("a|b")
    assert window.ask("undo") == "a / b"


def test_a_row_is_moved_by_its_grip(desktop: MakeDesktop) -> None:
    window = desktop("a / b / c")
    window.pointer.go(*window.point("entry", "rc", x=0.01))
    window.take(window.point("grip", "rc"))
    window.over(window.point("entry", "ra", y=0.02), "Before row 1")
    window.pointer.release()
    window.becomes("c / a / b")


def test_a_page_is_moved_in_the_list(desktop: MakeDesktop) -> None:
    window = desktop("a // b // c")
    window.take(window.point("picture_of", 2))
    window.over(window.point("picture_of", 0, y=0.02), "Before page 1")
    window.pointer.release()
    window.becomes("c // a // b")


def test_an_item_dropped_on_a_page_of_the_list_goes_to_its_end(desktop: MakeDesktop) -> None:
    window = desktop("ab // c")
    window.take(window.point("entry", "a", y=0.2))
    window.over(window.point("picture_of", 1), "Release")
    window.pointer.release()
    window.becomes("b // c / a")


def test_escape_gives_a_drag_up(desktop: MakeDesktop) -> None:
    window = desktop("a / b")
    window.take(window.point("entry", "b", y=0.2))
    window.over(window.point("entry", "a", y=0.2), "Before a")
    window.pointer.strike("Escape")
    window.until(lambda: not window.ask("marked") and not window.ask("hint"))
    window.pointer.release()
    assert window.ask("drawing") == "a / b"


def test_ctrl_copies(desktop: MakeDesktop) -> None:
    window = desktop("a / b")
    window.take(window.point("entry", "b", y=0.2))
    window.pointer.hold("ctrl")
    window.over(window.point("entry", "a", y=0.2), "Before a")
    window.pointer.release()
    window.pointer.let_go("ctrl")
    window.becomes("ba / b")


def test_a_refused_drop_says_why_beside_the_pointer(desktop: MakeDesktop) -> None:
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


def test_the_page_scrolls_while_a_drag_waits_near_its_edge(desktop: MakeDesktop) -> None:
    window = desktop(" / ".join("abcdefghijklmnop"))
    assert window.ask("scrolled")[0] == 0
    window.take(window.point("entry", "a", y=0.2))
    window.pointer.go(*window.point("canvas", y=0.985))
    window.until(lambda: is_at_end(*window.ask("scrolled")))
    window.over(window.point("entry", "p", y=0.2), "Before p")
    window.pointer.release()
    window.becomes(" / ".join("bcdefghijklmno") + " / ap")


@pytest.mark.parametrize("look", ["light", "dark"])
def test_a_picture_taken_during_a_drag_shows_it(desktop: MakeDesktop, tmp_path: Path, look: str) -> None:
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
