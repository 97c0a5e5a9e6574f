"""The dialog about changes that others have made since the study was last sent: which version to keep."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtWidgets import QButtonGroup, QRadioButton, QWidget

from batchwright.base.i18n import _, ngettext
from batchwright.base.text import truncate
from batchwright.client.content_review import MergedContent, TextConflict
from batchwright.layout.comparison import attribute_changes
from batchwright.layout.merge import Choices, ConflictIdentity, ConflictKind, MergeConflict, MergeSide
from batchwright.ui.core.formatting import number
from batchwright.ui.review.changes_list import ChangesList
from batchwright.ui.review.rows import (
    ChangeRow,
    attribute_title,
    node_title,
    text_title,
    value_text,
)
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import ButtonKind
from batchwright.ui.widgets.dialogs import WIDE, Dialog, info_row
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.toggles import SegmentedControl, explained_choice

_MAX_CONFLICTS = 50
"""Maximum number of conflicts that are decided one by one; more are decided together."""
_MAX_TEXT = 120


class Decision(Enum):
    """Which version is kept."""

    MERGE = auto()
    THEIRS = auto()
    MINE = auto()
    NEW = auto()
    """The study's version, as another batch or collection."""


@dataclass(frozen=True)
class ConflictTexts:
    """The texts of the dialog about one kind of resource, which is named in them."""

    title: str
    text: str
    new_title: str
    """Keeps the study's version as another resource."""
    new_text: str
    theirs_text: str = ""
    """What using their version means; empty if it replaces the content of the study."""


@dataclass(frozen=True)
class _Entry:
    """A conflict in the dialog: what both have changed, and how the choice is recorded."""

    title: str
    lines: tuple[str, ...]
    identity: ConflictIdentity | str
    """The name of the text for a text conflict."""


class ConflictDialog(Dialog):
    """The changes of others, and the choice between both versions.

    Args:
        texts: the texts about the resource.
        merged: both versions combined, with their conflicts; None if they cannot be combined.
        changes: the rows for what others have changed; None if that is not known.
        can_use_theirs: whether their version can be used; if not, `texts` says why.
    """

    def __init__(
        self,
        texts: ConflictTexts,
        merged: MergedContent | None,
        changes: Sequence[ChangeRow] | None,
        *,
        can_use_theirs: bool = True,
    ) -> None:
        super().__init__(texts.title, texts.text, _("Continue"), ButtonKind.PRIMARY, width=WIDE)
        self.decision: Decision | None = None
        self._group = QButtonGroup(self)
        self._sides: dict[ConflictIdentity | str, MergeSide] = {}
        self._controls: list[SegmentedControl] = []
        self._entries = () if merged is None else tuple(_entries(merged))
        self._conflicts = self._create_conflicts()
        self._conflicts.hide()
        self._add_changes(changes)
        self._add_choices(texts, can_merge=merged is not None)
        self._group.button(Decision.THEIRS.value).setEnabled(can_use_theirs)
        self._group.idToggled.connect(self._on_chosen)
        self._refresh()

    @property
    def choices(self) -> Choices:
        """The sides chosen for conflicts in the layout."""
        return {identity: side for identity, side in self._sides.items() if not isinstance(identity, str)}

    @property
    def text_choices(self) -> Mapping[str, MergeSide]:
        """The sides chosen for other texts, by name."""
        return {identity: side for identity, side in self._sides.items() if isinstance(identity, str)}

    def choose(self, decision: Decision) -> None:
        """Select a version."""
        self._group.button(decision.value).setChecked(True)

    def choose_side(self, side: MergeSide) -> None:
        """Decide all conflicts for one side."""
        self._sides = {entry.identity: side for entry in self._entries}
        for control in self._controls:
            control.choose(side.value)
        self._refresh()

    def _add_changes(self, changes: Sequence[ChangeRow] | None) -> None:
        if changes is None:
            text = _("The study file does not record what was last sent, so their changes cannot be listed.")
            self.add(info_row(text))
        else:
            self.changes = ChangesList(_("Their changes"), changes, max_height=220)
            self.add(Label(_("Their changes"), TextRole.STRONG), self.changes)
            self.set_shrinking(self.changes, lambda: self.changes.preferred_height)

    def _add_choices(self, texts: ConflictTexts, *, can_merge: bool) -> None:
        if can_merge:
            count = len(self._entries)
            text = _("Your changes and theirs are at different places. Both are kept.")
            if count:
                text = ngettext(
                    "Both are kept. {count} change is at the same place: choose a side for it.",
                    "Both are kept. {count} changes are at the same place: choose a side for each.",
                    count,
                ).format(count=number(count))
            self._add_choice(Decision.MERGE, _("Combine both versions"), text)
            self.add(self._conflicts)
        in_study = _("It replaces yours in the study. Undo brings yours back.")
        self._add_choice(Decision.THEIRS, _("Use their version"), texts.theirs_text or in_study)
        self._add_choice(
            Decision.MINE,
            _("Keep my version"),
            _("It overwrites theirs. You see what changes before it is sent."),
        )
        self._add_choice(Decision.NEW, texts.new_title, texts.new_text)

    def _add_choice(self, decision: Decision, title: str, text: str) -> None:
        choice = QRadioButton(title)
        self._group.addButton(choice, decision.value)
        self.add(explained_choice(choice, text))

    def _create_conflicts(self) -> QWidget:
        container = QWidget()
        layout = column(gap=12, margins=(26, 0, 0, 4), parent=container)
        if len(self._entries) > 1:
            everything = SegmentedControl(_("All of them"), _segments())
            everything.clear_choice()
            everything.chosen.connect(lambda side: self.choose_side(MergeSide(side)))
            layout.add(row(Label(_("All of them"), TextRole.SMALL_STRONG), None, everything))
        if len(self._entries) <= _MAX_CONFLICTS:
            for entry in self._entries:
                layout.add(self._conflict(entry))
        return container

    def _conflict(self, entry: _Entry) -> QWidget:
        container = QWidget()
        control = SegmentedControl(entry.title, _segments())
        control.clear_choice()
        control.chosen.connect(self._recorder(entry))
        self._controls.append(control)
        heading = row(gap=12, parent=None)
        heading.addWidget(Label(entry.title, TextRole.SMALL_NAME, wraps=True), 1)
        heading.addWidget(control)
        lines = [Label(line, TextRole.SMALL, "text2", wraps=True) for line in entry.lines]
        column(heading, *lines, gap=2, parent=container)
        return container

    def _recorder(self, entry: _Entry) -> Callable[[str], None]:
        def record(side: str) -> None:
            self._sides[entry.identity] = MergeSide(side)
            self._refresh()

        return record

    def _on_chosen(self, value: int, is_on: bool) -> None:
        if is_on:
            self.decision = Decision(value)
            self._conflicts.setVisible(self.decision is Decision.MERGE and bool(self._entries))
            self._refresh()

    def _refresh(self) -> None:
        undecided = sum(entry.identity not in self._sides for entry in self._entries)
        reason = ""
        if self.decision is None:
            reason = _("Choose a version first")
        elif self.decision is Decision.MERGE and undecided:
            text = ngettext(
                "Choose a side for {count} change first", "Choose a side for {count} changes first", undecided
            )
            reason = text.format(count=number(undecided))
        self.accept_button.set_disabled_reason(reason)


def _segments() -> list[tuple[str, str, str]]:
    return [(MergeSide.MINE.value, _("Mine"), ""), (MergeSide.THEIRS.value, _("Theirs"), "")]


def _entries(merged: MergedContent) -> Iterator[_Entry]:
    for text in merged.text_conflicts:
        yield _Entry(text_title(text.attribute), _text_lines(text), text.attribute)
    for conflict in merged.conflicts:
        node = conflict.mine or conflict.theirs or conflict.base
        title = _("Order of the pages") if node is None else node_title(node)
        yield _Entry(title, tuple(_lines(conflict)), conflict.identity)


def _text_lines(conflict: TextConflict) -> tuple[str, ...]:
    return _mine(conflict.mine), _theirs(conflict.theirs)


def _lines(conflict: MergeConflict) -> Sequence[str]:
    match conflict.kind:
        case ConflictKind.REMOVED_BY_ME:
            return (_("You removed it, they changed it."),)
        case ConflictKind.REMOVED_BY_THEM:
            return (_("You changed it, they removed it."),)
        case ConflictKind.PARENT:
            return (_("Both moved it, to different places."),)
        case ConflictKind.ORDER:
            return (_("Both changed the order of its parts."),)
        case ConflictKind.ATTRIBUTES:
            return [*_attribute_lines(conflict)]


def _attribute_lines(conflict: MergeConflict) -> Iterator[str]:
    mine, theirs = conflict.mine, conflict.theirs
    if mine is None or theirs is None:
        return
    for change in attribute_changes(mine, theirs):
        yield attribute_title(theirs, change.name)
        yield _mine(value_text(mine, change.name, change.before))
        yield _theirs(value_text(theirs, change.name, change.after))


def _mine(text: str) -> str:
    return _("Mine: {text}").format(text=_shortened(text))


def _theirs(text: str) -> str:
    return _("Theirs: {text}").format(text=_shortened(text))


def _shortened(text: str) -> str:
    return truncate(" ".join(text.split()), _MAX_TEXT) or _("(empty)")
