"""Drags with a real pointer, through X and the drag loop of Qt in the process of the window."""

from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from tests.desktop.conftest import OpenDesktopWindow, program_to_drag_from

pytestmark = pytest.mark.desktop


def is_at_end(value: int, maximum: int) -> bool:
    """Whether a scrollable view is scrolled to its end."""
    return 0 < maximum <= value


def test_a_palette_item_is_inserted_at_the_drop_indicator(open_window: OpenDesktopWindow) -> None:
    window = open_window("a / b // c")
    window.start_drag(window.point("palette_row", "Rich text"))
    window.drag_over(window.point("node", "b", y=0.8), "After")
    assert window.call("has_drop_indicator")
    window.pointer.release()
    window.until(lambda: window.call("types") == ["free_text", "free_text", "rich_text", "free_text"])
    assert window.call("undo") == "a / b // c"


def test_an_item_is_moved_into_another_column(open_window: OpenDesktopWindow) -> None:
    window = open_window("ab|c")
    window.start_drag(window.point("node", "a", y=0.2))
    window.drag_over(window.point("node", "c", y=0.9), "After c")
    window.pointer.release()
    window.wait_for_layout("b|ca")


def test_an_item_dropped_beside_a_row_creates_a_second_column(open_window: OpenDesktopWindow) -> None:
    window = open_window("a / b")
    window.start_drag(window.point("node", "b", y=0.2))
    window.drag_over(window.point("node", "a", x=0.985), "Second column of row 1")
    window.pointer.release()
    window.wait_for_layout("a|b")
    assert window.call("undo") == "a / b"


def test_a_row_is_moved_by_its_drag_handle(open_window: OpenDesktopWindow) -> None:
    window = open_window("a / b / c")
    window.pointer.move_to(*window.point("node", "rc", x=0.01))
    window.start_drag(window.point("drag_handle", "rc"))
    window.drag_over(window.point("node", "ra", y=0.02), "Before row 1")
    window.pointer.release()
    window.wait_for_layout("c / a / b")


def test_a_page_is_moved_in_the_page_list(open_window: OpenDesktopWindow) -> None:
    window = open_window("a // b // c")
    window.start_drag(window.point("thumbnail", 2))
    window.drag_over(window.point("thumbnail", 0, y=0.02), "Before page 1")
    window.pointer.release()
    window.wait_for_layout("c // a // b")


def test_an_item_dropped_on_a_thumbnail_is_moved_to_the_end_of_that_page(
    open_window: OpenDesktopWindow,
) -> None:
    window = open_window("ab // c")
    window.start_drag(window.point("node", "a", y=0.2))
    window.drag_over(window.point("thumbnail", 1), "Release")
    window.pointer.release()
    window.wait_for_layout("b // c / a")


def test_escape_cancels_a_drag(open_window: OpenDesktopWindow) -> None:
    window = open_window("a / b")
    window.start_drag(window.point("node", "b", y=0.2))
    window.drag_over(window.point("node", "a", y=0.2), "Before a")
    window.pointer.press_key("Escape")
    window.until(lambda: not window.call("has_drop_indicator") and not window.call("hint"))
    window.pointer.release()
    assert window.call("drawing") == "a / b"


def test_a_drop_with_ctrl_copies(open_window: OpenDesktopWindow) -> None:
    window = open_window("a / b")
    window.start_drag(window.point("node", "b", y=0.2))
    window.pointer.hold_key("ctrl")
    window.drag_over(window.point("node", "a", y=0.2), "Before a")
    window.pointer.release()
    window.pointer.release_key("ctrl")
    window.wait_for_layout("ba / b")


def test_the_reason_of_a_rejected_drop_is_shown_beside_the_pointer(open_window: OpenDesktopWindow) -> None:
    window = open_window("a|b / c")
    window.start_drag(window.point("node", "c", y=0.2))
    x, y = window.point("node", "b", x=0.995)
    window.drag_over((x, y), "at most 2 columns")
    assert "at most 2 columns" in window.call("rejection_hint")
    assert not window.call("has_drop_indicator")
    left, top, width, _height = window.call("rejection_hint_rect")
    assert abs(left + width - x) < 2 * width
    assert 0 < y - top < 60, "it is above the pointer: the drag pixmap hides what is below"
    window.pointer.release()
    window.until(lambda: not window.call("rejection_hint"))
    assert window.call("drawing") == "a|b / c"


def test_the_canvas_scrolls_while_a_drag_is_near_its_edge(open_window: OpenDesktopWindow) -> None:
    window = open_window(" / ".join("abcdefghijklmnop"))
    assert window.call("canvas_scroll")[0] == 0
    window.start_drag(window.point("node", "a", y=0.2))
    window.pointer.move_to(*window.point("canvas", y=0.985))
    window.until(lambda: is_at_end(*window.call("canvas_scroll")))
    window.drag_over(window.point("node", "p", y=0.2), "Before p")
    window.pointer.release()
    window.wait_for_layout(" / ".join("bcdefghijklmno") + " / ap")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_screenshot_during_a_drag_shows_the_drop_indicator(
    open_window: OpenDesktopWindow, tmp_path: Path, scheme: str
) -> None:
    window = open_window("a|b / c // d", scheme)
    window.start_drag(window.point("palette_row", "Rich text"))
    window.drag_over(window.point("node", "c", y=0.5), "c")
    picture = tmp_path / "during.png"
    assert window.call("take_screenshot", str(picture))
    left, top, width, _height = window.call("drop_indicator_rect")
    assert QImage(str(picture)).pixelColor(left + width // 8, top).name() == window.call(
        "drop_indicator_colour"
    )
    window.pointer.press_key("Escape")
    window.until(lambda: not window.call("hint"))
    window.pointer.release()


@pytest.mark.parametrize(
    ("y", "hint", "after"),
    [(0.2, "Before a", "xab"), (0.99, "After a", "axb")],
)
def test_a_palette_item_is_inserted_before_and_between_items(
    open_window: OpenDesktopWindow, y: float, hint: str, after: str
) -> None:
    window = open_window("ab")
    window.start_drag(window.point("palette_row", "Rich text"))
    text = window.drag_over(window.point("node", "a", y=y), hint)
    assert text.startswith("Release to add Rich text")
    assert "Ctrl copies" not in text
    window.pointer.release()
    types = ["rich_text" if letter == "x" else "free_text" for letter in after]
    window.until(lambda: window.call("types") == types)


def test_a_palette_item_dropped_beside_a_row_creates_a_second_column(open_window: OpenDesktopWindow) -> None:
    window = open_window("a / b")
    window.start_drag(window.point("palette_row", "Image"))
    window.drag_over(window.point("node", "a", x=0.01), "First column of row 1")
    window.pointer.release()
    window.wait_for_layout("|a / b")


def test_a_palette_item_dropped_between_rows_becomes_a_row(open_window: OpenDesktopWindow) -> None:
    window = open_window("a / b")
    window.start_drag(window.point("palette_row", "Image"))
    window.drag_over(window.point("node", "b", y=0.01), "New row after row 1")
    window.pointer.release()
    window.wait_for_layout("a /  / b")


def test_a_palette_item_dropped_on_a_thumbnail_is_added_to_the_end_of_that_page(
    open_window: OpenDesktopWindow,
) -> None:
    window = open_window("a // b")
    window.start_drag(window.point("palette_row", "Image"))
    window.drag_over(window.point("thumbnail", 1), "New row after row 1")
    window.pointer.release()
    window.wait_for_layout("a // b / ")
    assert window.call("page") == 0


def test_a_palette_item_is_dropped_on_an_empty_page(open_window: OpenDesktopWindow) -> None:
    window = open_window("-")
    window.start_drag(window.point("palette_row", "Image"))
    window.drag_over(window.point("canvas"), "First row of this page")
    window.pointer.release()
    window.until(lambda: window.call("types") == ["image"])


def test_an_item_dropped_between_rows_becomes_a_row(open_window: OpenDesktopWindow) -> None:
    window = open_window("ab / c")
    window.start_drag(window.point("node", "a", y=0.2))
    text = window.drag_over(window.point("node", "c", y=0.01), "New row after row 1")
    assert text == "Release to move Free text: New row after row 1 · Ctrl copies · Esc cancels"
    window.pointer.release()
    window.wait_for_layout("b / a / c")


def test_several_selected_items_are_moved_together(open_window: OpenDesktopWindow) -> None:
    window = open_window("ab / c / d")
    window.call("select", "a", "d")
    window.start_drag(window.point("node", "d", y=0.2))
    text = window.drag_over(window.point("node", "c", y=0.9), "After c")
    assert "2 items" in text
    window.pointer.release()
    window.wait_for_layout("b / cad")
    assert window.call("undo") == "ab / c / d"


def test_a_column_is_moved_by_its_drag_handle_beside_another_row(open_window: OpenDesktopWindow) -> None:
    window = open_window("a|b / c")
    window.pointer.move_to(*window.point("node", "b", y=0.02))
    window.start_drag(window.point("drag_handle", "cb"))
    window.drag_over(window.point("node", "c", x=0.985), "Second column of row 2")
    window.pointer.release()
    window.wait_for_layout("a / c|b")


def test_a_column_dropped_between_rows_becomes_a_row(open_window: OpenDesktopWindow) -> None:
    window = open_window("ab|c / d")
    window.pointer.move_to(*window.point("node", "a", y=0.02))
    window.start_drag(window.point("drag_handle", "ca"))
    window.drag_over(window.point("node", "d", y=0.98), "row 2")
    window.pointer.release()
    window.wait_for_layout("c / d / ab")


def test_a_row_dropped_on_a_thumbnail_is_moved_to_the_end_of_that_page(
    open_window: OpenDesktopWindow,
) -> None:
    window = open_window("a|b / c // d")
    window.pointer.move_to(*window.point("node", "ra", x=0.01))
    window.start_drag(window.point("drag_handle", "ra"))
    window.drag_over(window.point("thumbnail", 1), "After row 1")
    window.pointer.release()
    window.wait_for_layout("c // d / a|b")


def test_a_row_dropped_between_thumbnails_is_moved_to_a_new_page(open_window: OpenDesktopWindow) -> None:
    window = open_window("a / b // c")
    window.pointer.move_to(*window.point("node", "rb", x=0.01))
    window.start_drag(window.point("drag_handle", "rb"))
    window.drag_over(window.point("thumbnail", 1, y=0.02), "New page after page 1")
    window.pointer.release()
    window.wait_for_layout("a // b // c")
    window.until(lambda: len(window.call("drawing").split("//")) == 3)


def test_a_drop_with_ctrl_copies_a_page(open_window: OpenDesktopWindow) -> None:
    window = open_window("a // b")
    window.start_drag(window.point("thumbnail", 1))
    window.pointer.hold_key("ctrl")
    text = window.drag_over(window.point("thumbnail", 0, y=0.02), "page 1")
    window.pointer.release()
    window.pointer.release_key("ctrl")
    window.wait_for_layout("b // a // b")
    assert text.startswith("Release to copy Page")


def test_the_page_list_scrolls_while_a_drag_is_near_its_edge(open_window: OpenDesktopWindow) -> None:
    window = open_window(" // ".join("abcdefghijklmnop"))
    window.start_drag(window.point("node", "a", y=0.2))
    window.pointer.move_to(*window.point("page_list", y=0.99))
    window.until(lambda: is_at_end(*window.call("page_list_scroll")))
    window.drag_over(window.point("thumbnail", 15), "New row after row 1")
    window.pointer.release()
    window.wait_for_layout("- // " + " // ".join("bcdefghijklmno") + " // p / a")


def test_an_item_is_copied_to_another_window(open_window: OpenDesktopWindow) -> None:
    window = open_window("a / b")
    window.call("open_second_window", "x / y")
    window.until(lambda: window.call("call_second_window", "is_ready"))
    window.start_drag(window.point("call_second_window", "node", "y", y=0.2))
    text = window.drag_over(window.point("node", "a", x=0.2, y=0.85), "After a")
    assert text.startswith("Release to add")
    window.pointer.release()
    window.wait_for_layout("ay / b")
    assert window.call("call_second_window", "drawing") == "x / y"


@pytest.mark.parametrize(
    ("kind", "what", "hint"),
    [
        ("url", "http://example.org/cat.png", "Images need an https address."),
        ("text", "Which answer is better?", "Text belongs in an item"),
    ],
    ids=["picture", "text"],
)
def test_unusable_drops_from_the_desktop_are_rejected_with_a_reason(
    open_window: OpenDesktopWindow, kind: str, what: str, hint: str
) -> None:
    window = open_window("a / b")
    with program_to_drag_from(window, kind, what) as source:
        window.start_drag(source.at)
        window.drag_over(window.point("node", "b", y=0.5), hint)
        assert hint in window.call("rejection_hint")
        assert not window.call("has_drop_indicator")
        window.pointer.release()
        window.until(lambda: not window.call("rejection_hint"))
    assert window.call("drawing") == "a / b"


def test_a_data_file_dropped_from_the_desktop_is_passed_to_the_window(open_window: OpenDesktopWindow) -> None:
    window = open_window("a / b")
    with program_to_drag_from(window, "url", "file:///home/someone/reviews.csv") as source:
        window.start_drag(source.at)
        window.drag_over(window.point("node", "b", y=0.5), "Drop to open “reviews.csv”")
        assert not window.call("has_drop_indicator")
        source.wait_for_report("CopyAction")
        window.pointer.release()
        window.until(lambda: window.call("dropped") == [["/home/someone/reviews.csv"]])
    assert window.call("drawing") == "a / b"


@pytest.mark.parametrize(
    ("kind", "what", "types"),
    [
        ("url", "https://example.org/cat.png", ["free_text", "image", "free_text"]),
        ("text", '{"type": "file_upload", "description": "x"}', ["free_text", "file_upload", "free_text"]),
    ],
    ids=["picture of a web page", "json"],
)
def test_usable_drops_from_other_programs_become_items(
    open_window: OpenDesktopWindow, kind: str, what: str, types: list[str]
) -> None:
    window = open_window("a / b")
    with program_to_drag_from(window, kind, what) as source:
        window.start_drag(source.at)
        window.drag_over(window.point("node", "b", y=0.01), "New row after row 1")
        source.wait_for_report("CopyAction")
        window.pointer.release()
        window.until(lambda: window.call("types") == types)


def test_an_item_is_moved_in_the_outline(open_window: OpenDesktopWindow) -> None:
    window = open_window("ab / c // d")
    window.call("show_outline", "pa", "ra", "ca", "pd")
    window.start_drag(window.point("outline_row", "b"))
    window.drag_over(window.point("outline_row", "a", y=0.1), "Before a")
    window.pointer.release()
    window.wait_for_layout("ba / c // d")


def test_a_row_is_moved_onto_another_page_in_the_outline(open_window: OpenDesktopWindow) -> None:
    window = open_window("ab / c // d")
    window.call("show_outline", "pa")
    window.start_drag(window.point("outline_row", "rc"))
    window.drag_over(window.point("outline_row", "pd"), "After row 1")
    window.pointer.release()
    window.wait_for_layout("ab // d / c")


def test_a_page_is_moved_in_the_outline(open_window: OpenDesktopWindow) -> None:
    window = open_window("a // b // c")
    window.call("show_outline")
    window.start_drag(window.point("outline_row", "pc"))
    window.drag_over(window.point("outline_row", "pa", y=0.1), "Before page 1")
    window.pointer.release()
    window.wait_for_layout("c // a // b")


def test_an_item_is_dragged_from_the_outline_to_the_canvas(open_window: OpenDesktopWindow) -> None:
    window = open_window("a // b")
    window.call("show_outline", "pb", "rb", "cb")
    window.start_drag(window.point("outline_row", "b"))
    window.call("show_page", 0)
    window.drag_over(window.point("node", "a", y=0.9), "After a")
    window.pointer.release()
    window.wait_for_layout("ab // -")


def test_the_reason_of_a_drop_rejected_by_the_page_list_is_shown(open_window: OpenDesktopWindow) -> None:
    window = open_window("a // b")
    with program_to_drag_from(window, "url", "https://example.org/notes.pdf") as source:
        window.start_drag(source.at)
        x, y = window.point("thumbnail", 1)
        window.drag_over((x, y), "A layout cannot contain files.")
        assert "A layout cannot contain files." in window.call("rejection_hint")
        _left, top, _width, _height = window.call("rejection_hint_rect")
        assert abs(top - y) < 100
        window.pointer.release()
        window.until(lambda: not window.call("rejection_hint"))
