"""The dialog about changes that others have made since the study was last sent: which version to keep."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtWidgets import QButtonGroup, QRadioButton

from batchwright.base.i18n import _, ngettext
from batchwright.layout.merge import Choices, MergeSide
from batchwright.ui.core.formatting import number
from batchwright.ui.review.changes_list import ChangesList
from batchwright.ui.review.conflict_list import ConflictChooser
from batchwright.ui.review.conflicts import ConflictRow
from batchwright.ui.review.rows import ChangeRow
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.buttons import ButtonKind
from batchwright.ui.widgets.dialogs import WIDE, Dialog, info_row
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.toggles import explained_choice

_HEIGHT_PX, _SMALL_HEIGHT_PX = 220, 110
"""Maximum heights of the list of their changes: without, and beside the list of conflicts."""


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


class ConflictDialog(Dialog):
    """The changes of others, and the choice between both versions.

    Args:
        texts: the texts about the resource.
        conflicts: what both versions have changed differently; None if they cannot be combined.
        changes: the rows for what others have changed; None if that is not known.
        can_use_theirs: whether their version can be used; if not, `texts` says why.
    """

    def __init__(
        self,
        texts: ConflictTexts,
        conflicts: Sequence[ConflictRow] | None,
        changes: Sequence[ChangeRow] | None,
        *,
        can_use_theirs: bool = True,
    ) -> None:
        super().__init__(texts.title, texts.text, _("Continue"), ButtonKind.PRIMARY, width=WIDE)
        self.decision: Decision | None = None
        self._group = QButtonGroup(self)
        self.chooser = ConflictChooser(conflicts or ())
        self.chooser.hide()
        self.chooser.model.decided.connect(self._refresh)
        self.changes = self._add_changes(changes)
        self._add_choices(texts, can_merge=conflicts is not None)
        self._group.button(Decision.THEIRS.value).setEnabled(can_use_theirs)
        self._group.idToggled.connect(self._on_chosen)
        self._show_lists()
        self._refresh()

    @property
    def choices(self) -> Choices:
        """The sides chosen for conflicts in the layout."""
        sides = self.chooser.model.sides
        return {identity: side for identity, side in sides.items() if not isinstance(identity, str)}

    @property
    def text_choices(self) -> Mapping[str, MergeSide]:
        """The sides chosen for other texts, by name."""
        sides = self.chooser.model.sides
        return {identity: side for identity, side in sides.items() if isinstance(identity, str)}

    def choose(self, decision: Decision) -> None:
        """Select a version."""
        self._group.button(decision.value).setChecked(True)

    def _add_changes(self, changes: Sequence[ChangeRow] | None) -> ChangesList | None:
        if changes is None:
            text = _("The study file does not record what was last sent, so their changes cannot be listed.")
            self.add(info_row(text))
            return None
        shown = ChangesList(_("Their changes"), changes)
        self.add(Label(_("Their changes"), TextRole.STRONG), shown)
        return shown

    def _add_choices(self, texts: ConflictTexts, *, can_merge: bool) -> None:
        if can_merge:
            count = len(self.chooser.model.all_rows)
            text = _("Your changes and theirs are at different places. Both are kept.")
            if count:
                text = ngettext(
                    "Both are kept. {count} change is at the same place: choose a side for it.",
                    "Both are kept. {count} changes are at the same place: choose a side for each.",
                    count,
                ).format(count=number(count))
            self._add_choice(Decision.MERGE, _("Combine both versions"), text)
            self.add(self.chooser)
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

    def _on_chosen(self, value: int, is_on: bool) -> None:
        if is_on:
            self.decision = Decision(value)
            self._show_lists()
            self._refresh()

    def _show_lists(self) -> None:
        """Show the conflicts while both versions are to be combined; their list has more space then."""
        conflicts = self.chooser.list
        decides = self.decision is Decision.MERGE and bool(self.chooser.model.all_rows)
        self.chooser.setVisible(decides)
        if self.changes is not None:
            self.changes.set_max_height(_SMALL_HEIGHT_PX if decides else _HEIGHT_PX)
        shrinking = conflicts if decides else self.changes
        if shrinking is not None:
            self.set_shrinking(shrinking, lambda: shrinking.preferred_height)

    def _refresh(self) -> None:
        undecided = self.chooser.model.undecided
        reason = ""
        if self.decision is None:
            reason = _("Choose a version first")
        elif self.decision is Decision.MERGE and undecided:
            text = ngettext(
                "Choose a side for {count} change first", "Choose a side for {count} changes first", undecided
            )
            reason = text.format(count=number(undecided))
        self.accept_button.set_disabled_reason(reason)
