"""A screen reader in a separate process operates the canvas and the form of a question (AT-SPI)."""

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import screen_readers
from tests.desktop.conftest import DriverProcess
from tests.screen_readers import AccessibleRef, NoReply, Reader

pytestmark = [
    pytest.mark.desktop,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="AT-SPI is on Linux only"),
    pytest.mark.skipif(bool(screen_readers.missing()), reason=f"not installed: {screen_readers.missing()}"),
]

EXPANDABLE, EXPANDED, SELECTABLE, SELECTED = 9, 10, 22, 23
"""States of the accessibility bus (`AtspiStateType`)."""


class Listener:
    """Finds elements of the program by role and accessible name."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def all(self, role: str, name: str) -> list[AccessibleRef]:
        """The elements of this role whose name starts with this text, in reading order."""
        matches = []
        for ref in (ref for program in self.reader.programs() for ref in self.reader.walk(program)):
            try:
                if self.reader.text(ref).startswith(name) and self.reader.role(ref).endswith(role):
                    matches.append(ref)
            except NoReply:
                continue
        return matches

    def cards(self) -> dict[str, AccessibleRef]:
        """The cards of the page by their letters."""
        cards = self.all("list item", "Free text: ")
        return {self.reader.text(card)[-1]: card for card in cards}

    def collapsible(self) -> AccessibleRef | None:
        """The header of the collapsible section of the form."""
        return next(
            (node for node in self.all("button", "More") if EXPANDABLE in self.reader.states(node)), None
        )


def until(condition: Callable[[], Any]) -> Any:
    """Wait until a condition returns something true, and return that."""
    end = time.monotonic() + 20
    while not (matches := condition()):
        assert time.monotonic() < end, "timed out"
    return matches


@pytest.fixture
def window_with_screen_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Listener, DriverProcess]]:
    """Open a window with the layout `ab / c|d // e`, and start the screen reader."""
    with screen_readers.session(tmp_path) as environment:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        program = DriverProcess(environment["DISPLAY"])
        program.open("ab / c|d // e", tmp_path, "light")
        until(lambda: program.call("is_ready"))
        reader = Reader()
        yield Listener(reader), program
        reader.close()
        assert program.end() == 0


def test_a_screen_reader_can_move_select_and_open_cards(
    window_with_screen_reader: tuple[Listener, DriverProcess],
) -> None:
    listener, program = window_with_screen_reader
    reader = listener.reader
    card: AccessibleRef = until(lambda: listener.cards().get("a"))
    assert reader.text(card, "Description").startswith("page 1, row 1, column 1, item 1")
    assert SELECTABLE in reader.states(card)
    assert SELECTED not in reader.states(card)
    reader.do(card, "Select")
    until(lambda: SELECTED in reader.states(card))
    reader.do(card, "Move down")
    until(lambda: program.call("drawing") == "ba / c|d // e")
    assert list(listener.cards()) == ["b", "a", "c", "d"]
    collapsible: AccessibleRef = until(listener.collapsible)
    assert EXPANDED not in reader.states(collapsible)
    reader.do(collapsible, "Open")
    until(lambda: EXPANDED in reader.states(collapsible))
