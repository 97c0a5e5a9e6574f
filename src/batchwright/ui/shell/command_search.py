"""The search of the command palette."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from batchwright.base.i18n import _
from batchwright.ui.core.actions import PaletteEntry
from batchwright.ui.core.formatting import number


@dataclass(frozen=True)
class CommandGroup:
    """Entries under one heading, for example actions or recent studies."""

    title: str
    entries: Callable[[], Iterable[PaletteEntry]]


@dataclass(frozen=True)
class Heading:
    """The heading of a group."""

    title: str


Result = Heading | PaletteEntry
Spans = tuple[tuple[int, int], ...]


def matches(text: str, terms: Sequence[str]) -> Spans | None:
    """The sorted (start, end) spans of all terms in a text; None if one is missing."""
    folded = text.casefold()
    if len(folded) != len(text):  # folding can change the length, which would shift the spans
        folded = text.lower() if len(text.lower()) == len(text) else text
    spans = []
    for term in terms:
        at = folded.find(term.casefold())
        if at < 0:
            return None
        spans.append((at, at + len(term)))
    return tuple(sorted(spans))


def search_commands(groups: Iterable[CommandGroup], typed: str) -> list[Result]:
    """Groups and their entries that contain all typed words.

    Those that start with the first word come first.
    """
    terms = typed.split()
    results: list[Result] = []
    for group in groups:
        entries = [
            entry for entry in group.entries() if matches(f"{entry.text} {entry.menu}", terms) is not None
        ]
        if entries:
            results += [Heading(group.title), *sorted(entries, key=lambda entry: _rank(entry, terms))]
    return results


def _rank(entry: PaletteEntry, terms: Sequence[str]) -> tuple[bool, bool]:
    starts = bool(terms) and entry.text.casefold().startswith(terms[0].casefold())
    return bool(entry.disabled_reason), not starts


def result_count_text(results: Iterable[Result]) -> str:
    """The number of entries found, as text."""
    count = sum(isinstance(result, PaletteEntry) for result in results)
    return _("{count} found").format(count=number(count))
