"""What the command finder finds: everything offered, narrowed by the words that were typed."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from batchwright.base.i18n import _
from batchwright.ui.core.actions import PaletteEntry
from batchwright.ui.core.formatting import number


@dataclass(frozen=True)
class CommandGroup:
    """Offers under one heading: the actions, the places to go, the recent studies."""

    title: str
    entries: Callable[[], Iterable[PaletteEntry]]


@dataclass(frozen=True)
class Heading:
    """A line between the offers."""

    title: str


Result = Heading | PaletteEntry
Spans = tuple[tuple[int, int], ...]


def matches(text: str, words: Sequence[str]) -> Spans | None:
    """Where each word stands in a text, as (start, end), in order; None when one is missing."""
    low = text.casefold()
    if len(low) != len(text):  # some letters grow when folded; their places would be wrong
        low = text.lower() if len(text.lower()) == len(text) else text
    spans = []
    for word in words:
        at = low.find(word.casefold())
        if at < 0:
            return None
        spans.append((at, at + len(word)))
    return tuple(sorted(spans))


def search_commands(sections: Iterable[CommandGroup], typed: str) -> list[Result]:
    """Headings and offers that hold every word typed; what starts with the first comes first."""
    words = typed.split()
    lines: list[Result] = []
    for section in sections:
        offers = [
            offer for offer in section.entries() if matches(f"{offer.text} {offer.menu}", words) is not None
        ]
        if offers:
            lines += [Heading(section.title), *sorted(offers, key=lambda offer: _rank(offer, words))]
    return lines


def _rank(offer: PaletteEntry, words: Sequence[str]) -> tuple[bool, bool]:
    starts = bool(words) and offer.text.casefold().startswith(words[0].casefold())
    return bool(offer.disabled_reason), not starts


def result_count_text(lines: Iterable[Result]) -> str:
    """How many offers were found."""
    count = sum(isinstance(line, PaletteEntry) for line in lines)
    return _("{count} found").format(count=number(count))
