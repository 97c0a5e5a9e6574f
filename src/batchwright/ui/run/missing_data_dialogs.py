"""The dialogs about batches without data: creating one, and why a batch cannot be set up."""

from collections.abc import Sequence
from enum import Enum, auto
from functools import partial

from PySide6.QtCore import Qt
from typing_extensions import override

from batchwright.base.i18n import N_, _
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import ScaledBoxLayout, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.dialogs import WIDE, Dialog
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.text import Label
from batchwright.workflows.set_up import SetupObstacle


class Alternative(Enum):
    """What the user does instead of what a dialog was opened for."""

    DATA = auto()
    """Add data to the study."""
    CONVERT = auto()
    """Convert the study to a collection."""
    OPEN = auto()
    """Open the batch as a study."""
    CONVERT_LEGACY = auto()
    """Open a legacy batch as a new study with a layout."""


class CreateWithoutDataDialog(Dialog):
    """The confirmation before a batch without a dataset is created: what it lacks, and alternatives.

    Args:
        name: name of the batch.
        live: name of the live service; empty for the service on this computer.
    """

    def __init__(self, name: str, live: str) -> None:
        super().__init__(
            _("Create the batch “{name}” without data?").format(name=name),
            _("The layout shows no fields of a dataset, so the batch can be created without one."),
            _("Create batch"),
            ButtonKind.LIVE if live else ButtonKind.PRIMARY,
            width=WIDE,
        )
        self.alternative: Alternative | None = None
        """What the user wants to do instead; None if the dialog was cancelled or accepted."""
        self.add(
            note_line(
                _(
                    "Tasks are created from the records of a dataset, one for each. The batch cannot be set "
                    "up until a dataset is attached, which can be done later."
                )
            ),
            note_line(_("To ask every participant the same questions once, without data, use a collection.")),
        )
        if live:
            self.add_warning(
                _("This reaches {service}. It cannot be undone.").format(service=live), is_live=True
            )
        _add_alternatives(self, (Alternative.DATA, Alternative.CONVERT))


class SetupObstacleDialog(Dialog):
    """Says before anything is sent why a batch cannot be set up, and offers what to do about it.

    Args:
        name: name of the batch.
        obstacle: why the service would reject the setup.
        alternatives: what the user can do; the first is the accept button.
    """

    def __init__(self, name: str, obstacle: SetupObstacle, alternatives: Sequence[Alternative]) -> None:
        reason, rule = _OBSTACLES[obstacle]
        accept = _(_LABELS[alternatives[0]]) if alternatives else _("Close")
        super().__init__(_("“{name}” cannot be set up yet").format(name=name), _(reason), accept, width=WIDE)
        self.alternative: Alternative | None = None
        """What the user wants to do; None if the dialog was cancelled."""
        self._first = alternatives[0] if alternatives else None
        self.add(note_line(_(rule)))
        self.cancel_button.setVisible(bool(alternatives))
        _add_alternatives(self, alternatives[1:])

    @override
    def accept(self) -> None:
        self.alternative = self._first
        super().accept()


_OBSTACLES = {
    SetupObstacle.NO_DATASET: (
        N_("The batch has no dataset."),
        N_("Tasks are created from the records of a dataset, one for each record."),
    ),
    SetupObstacle.V3_NOT_READY: (
        N_("The service has not read the data file of its dataset, or could not."),
        N_("A V3 dataset can be set up once its status is READY."),
    ),
    SetupObstacle.NO_COMPLETE_IMPORT: (
        N_("No import of its dataset is complete."),
        N_(
            "A setup needs at least one import that accepted every record of its file. Imports that rejected "
            "some, and appended records, are not enough."
        ),
    ),
}
"""What is missing, and the rule of the service."""

_LABELS = {
    Alternative.DATA: N_("Go to Data"),
    Alternative.CONVERT: N_("Make it a collection…"),
    Alternative.OPEN: N_("Open as a study"),
    Alternative.CONVERT_LEGACY: N_("Convert to a layout…"),
}


def _add_alternatives(
    dialog: "CreateWithoutDataDialog | SetupObstacleDialog", alternatives: Sequence[Alternative]
) -> None:
    """Add a side button for each alternative; pressing it closes the dialog."""

    def leave(alternative: Alternative) -> None:
        dialog.alternative = alternative
        dialog.reject()

    for alternative in alternatives:
        button = Button(_(_LABELS[alternative]), height=ButtonSize.DIALOG)
        button.clicked.connect(partial(leave, alternative))
        dialog.add_side_button(button)


def note_line(text: str) -> ScaledBoxLayout:
    """A sentence with an info icon."""
    line = row(gap=8)
    line.addWidget(Glyph("info", "text2", 16), 0, Qt.AlignmentFlag.AlignTop)
    line.addWidget(Label(text, TextRole.SMALL, "text2", wraps=True), 1)
    return line
