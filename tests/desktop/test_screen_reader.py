"""A screen reader, in a process of its own, works the canvas and the options of a question (AT-SPI)."""

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import screen_readers
from tests.desktop.conftest import Program
from tests.screen_readers import AccessibleRef, NoReply, Reader

pytestmark = [
    pytest.mark.desktop,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="AT-SPI is on Linux only"),
    pytest.mark.skipif(bool(screen_readers.missing()), reason=f"not installed: {screen_readers.missing()}"),
]

EXPANDABLE, EXPANDED, SELECTABLE, SELECTED = 9, 10, 22, 23
"""The numbers of states (`AtspiStateType`)."""


class Listener:
    """Finds things in the program by what is read out of it."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def all(self, role: str, name: str) -> list[AccessibleRef]:
        """The things of this role whose name begins so, in the order in which they are read out."""
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

    def fold(self) -> AccessibleRef | None:
        """The fold of the form."""
        return next(
            (entry for entry in self.all("button", "More") if EXPANDABLE in self.reader.states(entry)), None
        )


def until(condition: Callable[[], Any]) -> Any:
    """What a condition gives once that is something."""
    end = time.monotonic() + 20
    while not (matches := condition()):
        assert time.monotonic() < end, "it did not come"
    return matches


@pytest.fixture
def window_with_screen_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Listener, Program]]:
    """A window on the layout `ab / c|d // e`, and the screen reader."""
    with screen_readers.session(tmp_path) as environment:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        program = Program(environment["DISPLAY"])
        program.open("ab / c|d // e", tmp_path, "light")
        until(lambda: program.ask("is_ready"))
        reader = Reader()
        yield Listener(reader), program
        reader.close()
        assert program.end() == 0


def test_cards_are_worked_by_a_screen_reader(window_with_screen_reader: tuple[Listener, Program]) -> None:
    listener, program = window_with_screen_reader
    reader = listener.reader
    card: AccessibleRef = until(lambda: listener.cards().get("a"))
    assert reader.text(card, "Description").startswith("page 1, row 1, column 1, item 1")
    assert SELECTABLE in reader.states(card)
    assert SELECTED not in reader.states(card)
    reader.do(card, "Select")
    until(lambda: SELECTED in reader.states(card))
    reader.do(card, "Move down")
    until(lambda: program.ask("drawing") == "ba / c|d // e")
    assert list(listener.cards()) == ["b", "a", "c", "d"]
    fold: AccessibleRef = until(listener.fold)
    assert EXPANDED not in reader.states(fold)
    reader.do(fold, "Open")
    until(lambda: EXPANDED in reader.states(fold))
