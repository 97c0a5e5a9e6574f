"""The problems below the page: closed it counts them, open it leads to each (look.md 7)."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from batchwright.layout.rules.problems import Problem, Severity
from batchwright.ui.kit.boxes import column, row
from batchwright.ui.kit.buttons import Button, Height, IconButton, Kind
from batchwright.ui.kit.panels import Edge, Ground
from batchwright.ui.kit.statuses import Pill, Status
from batchwright.ui.kit.text import CutText, Text
from batchwright.ui.kit.tiles import Glyph
from batchwright.ui.layout.problems_list import FIX_ALL_KEYS, ProblemsList, place_words
from batchwright.ui.theme import Role
from batchwright.words import _, ngettext


class ProblemsPanel(Ground):
    """A head that counts, and below it, when it is open, the list."""

    fix_wanted = Signal(object)
    all_wanted = Signal(object)
    """All problems of the kind of this one are to be mended."""
    reached = Signal(object)
    entered = Signal(object)
    next_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", Edge.TOP, parent)
        self.setAccessibleName(_("Problems"))
        self._problems: tuple[Problem, ...] = ()
        self._is_open = False
        self._sign = Glyph("check-circle-fill", "ok", 16)
        self._count = Text("", Role.SMALL_STRONG)
        self._errors = Pill(Status("err", "warning-circle-fill", ""))
        self._hints = Pill(Status("warn", "warning-fill", ""))
        self._sentence = CutText("", Role.SMALL, "text2")
        self._next = Button(_("Next problem"), Kind.QUIET, keys="F8", height=Height.SMALL)
        self._next.clicked.connect(self.next_wanted)
        self._all = Button("", Kind.QUIET, keys=FIX_ALL_KEYS, height=Height.SMALL)
        self._all.clicked.connect(self._want_all)
        self._fold = IconButton("caret-up", _("Show problems"), keys="Shift+F8", glyph_size=14)
        self._fold.clicked.connect(self.toggle)
        head = row(self._sign, self._count, self._errors, self._hints, margins=(18, 6, 14, 6))
        head.addWidget(self._sentence, 1)
        head.put(self._all, self._next, self._fold)
        self._list = ProblemsList()
        self._list.fix_wanted.connect(self.fix_wanted)
        self._list.reached.connect(self.reached)
        self._list.entered.connect(self.entered)
        self._list.all_wanted.connect(self.all_wanted)
        self._list.selectionModel().currentChanged.connect(self._offer_all)
        whole = column(gap=0, parent=self)
        whole.addLayout(head)
        whole.addWidget(self._list)
        self._refresh()

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Show other problems."""
        if tuple(problems) != self._problems:
            self._problems = tuple(problems)
            self._list.show_problems(self._problems)
            self._refresh()

    def show_chosen(self, problem: Problem | None) -> None:
        """Mark the problem that was gone to."""
        self._list.show_chosen(problem)

    @property
    def asked_about(self) -> Problem | None:
        """The problem whose row has the keyboard."""
        return self._list.current() if self._list.hasFocus() else None

    @property
    def is_open(self) -> bool:
        """Whether the list is shown."""
        return self._is_open

    def toggle(self) -> None:
        """Open the list, or close it."""
        self._is_open = not self._is_open
        self._refresh()

    def _refresh(self) -> None:
        errors = sum(problem.severity is Severity.ERROR for problem in self._problems)
        hints = len(self._problems) - errors
        is_open = self._is_open and bool(self._problems)
        error_words = ngettext("{count} error", "{count} errors", errors).format(count=errors)
        hint_words = ngettext("{count} hint", "{count} hints", hints).format(count=hints)
        self._errors.show_status(Status("err", "warning-circle-fill", error_words))
        self._hints.show_status(Status("warn", "warning-fill", hint_words))
        self._errors.setVisible(is_open and errors > 0)
        self._hints.setVisible(is_open and hints > 0)
        self._sign.setVisible(not is_open)
        worst = ("warning-circle-fill", "err") if errors else ("warning-fill", "warn")
        self._sign.show_glyph(*(worst if self._problems else ("check-circle-fill", "ok")))
        said = ", ".join(word for word, count in ((error_words, errors), (hint_words, hints)) if count)
        self._count.setText(_("Problems") if is_open else said or _("No problems"))
        self._sentence.setText("" if is_open else self._first_sentence())
        self._list.setVisible(is_open)
        self._offer_all()
        self._next.setEnabled(bool(self._problems))
        self._fold.setEnabled(bool(self._problems))
        self._fold.setProperty("glyph", "caret-down" if is_open else "caret-up")
        self._fold.set_name(_("Hide problems") if is_open else _("Show problems"), "Shift+F8")

    def _offer_all(self) -> None:
        """Offer to mend all of a kind, where the chosen one is not the only one that can be."""
        chosen = self._list.current()
        alike = [one for one in self._problems if chosen and one.code == chosen.code and one.fix is not None]
        is_offered = self._is_open and chosen is not None and chosen.fix is not None and len(alike) > 1
        self._all.setVisible(is_offered)
        if is_offered and chosen is not None:
            words = _("Fix all {count} of {code}").format(count=len(alike), code=chosen.code)
            self._all.setText(words)
            self._all.setAccessibleName(words)

    def _want_all(self) -> None:
        if (chosen := self._list.current()) is not None:
            self.all_wanted.emit(chosen)

    def _first_sentence(self) -> str:
        if not self._problems:
            return _("The service would accept this layout.")
        first = next((one for one in self._problems if one.severity is Severity.ERROR), self._problems[0])
        place = place_words(first)
        return f"{place}: {first.sentence}" if place else first.sentence
