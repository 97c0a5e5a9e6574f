"""What the user can do instead of what a dialog about a batch asks: a button for each runs another action."""

from collections.abc import Sequence
from enum import Enum
from functools import partial

from batchwright.base.i18n import N_, _
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.dialogs.dialog import Dialog


class Alternative(Enum):
    """The id of the action that is run instead."""

    DATA = ActionId.GO_DATA
    """Add data to the study."""
    CONVERT = ActionId.CONVERT
    """Convert the study to a collection."""
    OPEN = ActionId.RUN_OPEN_BATCH
    """Open the batch as a study."""
    CONVERT_LEGACY = ActionId.RUN_CONVERT
    """Open a legacy batch as a new study with a layout."""

    @property
    def label(self) -> str:
        """The label of its button."""
        return _(_LABELS[self])


_LABELS = {
    Alternative.DATA: N_("Go to Data"),
    Alternative.CONVERT: N_("Make it a collection…"),
    Alternative.OPEN: N_("Open as a study"),
    Alternative.CONVERT_LEGACY: N_("Convert to a layout…"),
}


class AlternativesDialog(Dialog):
    """A dialog with side buttons for alternatives, which close it."""

    help_address = "run.md"

    alternative: Alternative | None = None
    """What the user wants to do instead; None if there is nothing to run."""

    def add_alternatives(self, alternatives: Sequence[Alternative]) -> None:
        """Add a side button for each alternative."""
        for alternative in alternatives:
            button = Button(alternative.label, height=ButtonSize.DIALOG)
            button.clicked.connect(partial(self._on_clicked, alternative))
            self.add_side_button(button)

    def _on_clicked(self, alternative: Alternative) -> None:
        self.alternative = alternative
        self.reject()
