"""The dialog about changes that others have made since the study was last sent: which version to keep."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QRadioButton
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.formatting import number
from batchwright.ui.review.changes_list import ChangesList
from batchwright.ui.review.conflict_list import ConflictChooser, Sides
from batchwright.ui.review.conflicts import ConflictRow
from batchwright.ui.review.rows import ChangeRow
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.buttons import ButtonKind
from batchwright.ui.widgets.dialogs.dialog import WIDE, Dialog, info_row
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.toggles import explained_choice

_HEIGHT_PX = 220
"""Maximum height of the list of their changes."""


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
        conflicts: how many changes of both versions are at the same place; None if they cannot be combined.
        changes: the rows for what others have changed; None if that is not known.
        can_use_theirs: whether their version can be used; if not, `texts` says why.
    """

    help_address = "run.md#when-two-people-change-a-batch"

    def __init__(
        self,
        texts: ConflictTexts,
        conflicts: int | None,
        changes: Sequence[ChangeRow] | None,
        *,
        can_use_theirs: bool = True,
    ) -> None:
        super().__init__(texts.title, texts.text, _("Continue"), ButtonKind.PRIMARY, width=WIDE)
        self.decision: Decision | None = None
        self._group = QButtonGroup(self)
        self.changes = self._add_changes(changes)
        self._add_choices(texts, conflicts)
        self._group.button(Decision.THEIRS.value).setEnabled(can_use_theirs)
        self._group.idToggled.connect(self._on_chosen)
        self.accept_button.set_disabled_reason(_("Choose a version first"))

    def choose(self, decision: Decision) -> None:
        """Select a version."""
        self._group.button(decision.value).setChecked(True)

    def _add_changes(self, changes: Sequence[ChangeRow] | None) -> ChangesList | None:
        if changes is None:
            text = _("The study file does not record what was last sent, so their changes cannot be listed.")
            self.add(info_row(text))
            return None
        shown = ChangesList(_("Their changes"), changes, max_height=_HEIGHT_PX)
        self.add(Label(_("Their changes"), TextRole.STRONG), shown)
        self.set_shrinking(shown, lambda: shown.preferred_height)
        return shown

    def _add_choices(self, texts: ConflictTexts, conflicts: int | None) -> None:
        if conflicts is not None:
            text = _("Your changes and theirs are at different places. Both are kept.")
            if conflicts:
                text = ngettext(
                    "Both are kept. {count} change is at the same place: you choose a side for it.",
                    "Both are kept. {count} changes are at the same place: you choose a side for each.",
                    conflicts,
                ).format(count=number(conflicts))
            self._add_choice(Decision.MERGE, _("Combine both versions"), text)
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
            self.accept_button.set_disabled_reason()


class ConflictsDialog(Dialog):
    """The choice of a side for each change that both versions have made at the same place.

    Args:
        conflicts: the changes.
        sides: the sides chosen before; the dialog changes them.
    """

    help_address = "run.md#when-two-people-change-a-batch"

    def __init__(self, conflicts: Sequence[ConflictRow], sides: Sides) -> None:
        count = len(conflicts)
        super().__init__(
            ngettext("Choose a side for the change", "Choose a side for each change", count),
            _("Click on a side, or press the arrow key left or right."),
            _("Combine"),
            width=WIDE,
        )
        self.cancel_button.setText(_("Back"))
        self.chooser = ConflictChooser(conflicts, sides)
        self.chooser.decided.connect(self._refresh)
        self.add(self.chooser)
        self.set_shrinking(self.chooser.list, lambda: self.chooser.list.preferred_height)
        self._refresh()

    @override
    def set_initial_focus(self) -> None:
        self.chooser.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _refresh(self) -> None:
        undecided, reason = self.chooser.undecided, ""
        if undecided:
            reason = ngettext(
                "Choose a side for {count} change first", "Choose a side for {count} changes first", undecided
            ).format(count=number(undecided))
        self.accept_button.set_disabled_reason(reason)
