"""What the Layout stage shows and does: the study's layout with the selection. It knows no widgets."""

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QClipboard

from batchwright.layout.copies import clip, for_pasting, read_clip
from batchwright.layout.edits import Add, Copy, Duplicate, Edit, EditRefused, Gap, Paste, SplitPage
from batchwright.layout.edits.moving import Move
from batchwright.layout.entries import Entry, Level, Place
from batchwright.layout.files import NotALayout
from batchwright.layout.model import Layout, Misshapen, Page, Shaped
from batchwright.layout.reading import fresh_keys
from batchwright.layout.rules.problems import Problem, Severity
from batchwright.records.schema import Schema
from batchwright.ui.layout.selection import Selection
from batchwright.ui.layout.tallies import Tallies
from batchwright.ui.study import Study
from batchwright.words import _


class LayoutViewModel(QObject):
    """The layout of the study that is open, the page in view, and what is selected on it.

    Every change goes through `do`; what cannot be done is told by `refused`, in one sentence.
    """

    changed = Signal()
    """Anything that is shown: the layout, its problems, the schema, names, the selection."""
    possible = Signal()
    """What can be done may be something else than before."""
    refused = Signal(str)
    reached = Signal(str)
    """Someone wants to see this entry: it is to be scrolled into view."""

    def __init__(self, study: Study, selection: Selection, clipboard: QClipboard) -> None:
        super().__init__()
        self.study, self.selection, self._clipboard = study, selection, clipboard
        self._shown_number = 0
        self._tallies = Tallies()
        self._placed: tuple[Layout | None, tuple[str, ...], Mapping[str, Place]] = (None, (), {})
        """What `places` found last, for which layout and keys: every action asks it on every refresh."""
        self.last_problem: Problem | None = None
        self.takes_keys: Callable[[], bool] = lambda: True
        """Whether keys like Delete are meant for the layout; whoever knows where the keyboard is says so."""
        study.layout_changed.connect(self._follow)
        study.problems_changed.connect(self.changed)
        study.schema_changed.connect(self.changed)
        study.changed.connect(self._follow)
        selection.changed.connect(self._selected)
        self._follow()

    # What is shown

    @property
    def layout(self) -> Layout:
        """The layout as it is now."""
        return self.study.layout

    @property
    def schema(self) -> Schema | None:
        """The schema, once there is one."""
        return self.study.schema

    @property
    def page(self) -> Page | Misshapen | None:
        """The page in view."""
        number = self.page_number
        return None if number is None else self.layout.pages[number]

    @property
    def page_number(self) -> int | None:
        """Where the page in view stands, counted from zero."""
        return self._number_of(self.selection.page)

    @property
    def keys(self) -> tuple[str, ...]:
        """What is selected."""
        return self.selection.keys

    def places(self) -> Mapping[str, Place]:
        """Where what is selected stands, in reading order."""
        layout, keys = self.layout, self.keys
        if self._placed[0] is not layout or self._placed[1] != keys:
            self._placed = layout, keys, layout.places(keys)
        return self._placed[2]

    def level(self) -> Level | None:
        """The level of what is selected; None when nothing is."""
        return next((place.level for place in self.places().values()), None)

    def page_name(self, key: str) -> str:
        """The name that those who design the study gave a page; often empty (design.md D18a)."""
        return self.study.project.page_names.get(key, "")

    def uses(self) -> Mapping[str, tuple[int, ...]]:
        """For each dataset field the numbers of the pages that show it, counted from zero."""
        return self._tallies.uses(self.layout)

    def items(self) -> int:
        """How many items there are on all pages."""
        return self._tallies.items(self.layout)

    def problems_at(self) -> Mapping[str, tuple[Problem, ...]]:
        """The problems of each entry by its key, the worst first; those of the whole layout are left out."""
        found: dict[str, list[Problem]] = defaultdict(list)
        for problem in self.study.problems:
            if problem.place.path and (entry := self._entry_at(problem.place)) is not None:
                found[entry.key].append(problem)
        return {key: tuple(sorted(some, key=_worst_first)) for key, some in found.items()}

    def problem_here(self) -> Problem | None:
        """The problem gone to last while it is still selected, or else the first of what is selected."""
        found = self.problems_at()
        here = [problem for key in self.subjects() for problem in found.get(key, ())]
        return self.last_problem if self.last_problem in here else next(iter(here), None)

    def errors(self) -> int:
        """How many problems would make the service refuse the layout."""
        return sum(problem.severity is Severity.ERROR for problem in self.study.problems)

    # What is done

    def do(self, edit: Edit, *, follows: bool = True, then: Sequence[str] = ()) -> bool:
        """Do an edit and select what it made; False when it was refused, which has been told.

        What was moved is followed to another page, if `follows` says so, and selected there, or `then` is.
        """
        before = self.layout
        try:
            self.study.do(edit)
        except EditRefused as refusal:
            self.refused.emit(refusal.reason)
            return False
        self._select_new(before, _made_by(edit, before))
        if follows and isinstance(edit, Move):
            self._follow_to(then or edit.keys)
        return True

    def toggle(self, key: str) -> None:
        """Select one more entry, or one less; entries of another level or page are let go."""
        if key in self.keys:
            self.selection.select(one for one in self.keys if one != key)
            return
        places = self.layout.places((key, *self.keys))
        wanted = places.get(key)
        if wanted is not None:
            like = [one for one in self.keys if _beside(places.get(one), wanted)]
            self.reach(key, also=like)

    def reach(self, key: str, *, also: Iterable[str] = ()) -> None:
        """Select an entry, and bring it into view; for a page, the page itself."""
        place = self.layout.places((key,)).get(key)
        if place is None or place.page is None:
            return
        page = self.layout.pages[place.page].key
        self.selection.select(() if key == page else (*also, key), page)
        self.reached.emit(key)

    def reach_problem(self, problem: Problem) -> None:
        """Go to where a problem is."""
        self.last_problem = problem
        entry = self._entry_at(problem.place) if problem.place.path else None
        if entry is not None:
            self.reach(entry.key)

    def next_problem(self) -> None:
        """Go to the problem after the one gone to last; after the last, to the first; errors come first."""
        problems = sorted(self.study.problems, key=_worst_first)
        if not problems:
            return
        last = problems.index(self.last_problem) if self.last_problem in problems else -1
        self.reach_problem(problems[(last + 1) % len(problems)])

    def fix(self, problem: Problem) -> None:
        """Mend a problem in the way its rule offers."""
        if problem.fix is not None:
            self.do(_Mend(_("Fix: {what}").format(what=problem.fix.label), problem.fix.edit))

    def copy(self) -> bool:
        """Put what is selected, or the page in view, on the clipboard as `batch_items` JSON."""
        try:
            clipped = clip(self.layout, self.subjects())
        except EditRefused as refusal:
            self.refused.emit(refusal.reason)
            return False
        self._clipboard.setText(clipped.text)
        return True

    def paste(self, gap_for: "GapFor") -> None:
        """Put what the clipboard holds where `gap_for` says entries of its level go."""
        try:
            clipped = read_clip(self._clipboard.text(), fresh_keys())
        except NotALayout as fault:
            self.refused.emit(str(fault))
            return
        gap = gap_for(clipped.level)
        self.do(Paste(for_pasting(clipped, self.layout, fresh_keys()), gap))

    def subjects(self) -> tuple[str, ...]:
        """What deeds are about: what is selected, or else the page in view."""
        page = self.selection.page
        return self.keys or (() if page is None else (page,))

    # Following the study

    def _follow_to(self, keys: Sequence[str]) -> None:
        """Bring what was moved into view, selected."""
        places = self.layout.places(keys)
        for key, place in list(places.items())[:1]:
            if place.level is not Level.PAGE:
                self.selection.select(places, self.layout.pages[place.page or 0].key)
            self.reached.emit(key)

    def _follow(self) -> None:
        """Keep a page in view, and drop from the selection what is gone."""
        pages = self.layout.pages
        page, keys = self.selection.page, self.keys
        if self._number_of(page) is None:
            page = pages[min(self._shown_number, len(pages) - 1)].key if pages else None
        left = self.layout.places(keys)
        kept = tuple(key for key in keys if key in left and pages[left[key].page or 0].key == page)
        if page is None:
            self.selection.show_page(None)
        else:
            self.selection.select(kept, page)
        self.changed.emit()

    def _selected(self) -> None:
        self._shown_number = self.page_number or 0
        self.changed.emit()

    def _number_of(self, key: str | None) -> int | None:
        return next((number for number, page in enumerate(self.layout.pages) if page.key == key), None)

    def _entry_at(self, place: Place) -> Entry | None:
        try:
            return self.layout.at(place)
        except IndexError:
            return None

    def _select_new(self, before: Layout, level: Level | None) -> None:
        """Select the entries of a level that an edit has just made, and bring them into view."""
        here = {id(page) for page in self.layout.pages}
        there = {id(page) for page in before.pages}
        known = {entry.key for page in before.pages if id(page) not in here for entry in page.walk_all()}
        made = {
            entry.key: place
            for place, entry in _on_pages_but(there, self.layout)
            if place.level is level and entry.key not in known
        }
        if not made:
            return
        first, place = next(iter(made.items()))
        page = self.layout.pages[place.page or 0].key
        self.selection.select(() if level is Level.PAGE else made, page)
        self.reached.emit(first)


class GapFor(Protocol):
    """Where entries of a level go."""

    def __call__(self, level: Level) -> Gap:
        """The gap for them."""


@dataclass(frozen=True)
class _Mend:
    """A rule's fix as an edit, with a name for the undo menu."""

    label: str
    mend: Callable[[Layout], Layout]

    def __call__(self, layout: Layout) -> Layout:
        return self.mend(layout)


def _made_by(edit: Edit, before: Layout) -> Level | None:
    """The level of the entries that an edit makes; None when it makes none to select."""
    if isinstance(edit, Add):
        return next((entry.level for entry in edit.entries if isinstance(entry, Shaped)), None)
    if isinstance(edit, (Copy, Duplicate)):
        return next((place.level for place in before.places(edit.keys).values()), None)
    return Level.PAGE if isinstance(edit, SplitPage) else None


def _on_pages_but(known: Container[int], layout: Layout) -> Iterator[tuple[Place, Entry]]:
    """The entries of the pages that are not these objects, with their places."""
    for number, page in enumerate(layout.pages):
        if id(page) not in known:
            yield Place(number), page
            if isinstance(page, Page):
                for place, entry in page.placed():
                    yield place._replace(page=number), entry


def _beside(place: Place | None, other: Place) -> bool:
    return place is not None and place.level is other.level and place.page == other.page


def _worst_first(problem: Problem) -> int:
    return 0 if problem.severity is Severity.ERROR else 1
