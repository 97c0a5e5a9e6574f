"""The dialog that asks for the name of a copy of a batch, and whether to keep the dataset (Batches rule
8).
"""

from PySide6.QtWidgets import QLineEdit, QRadioButton
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import ScaledBoxLayout, column
from batchwright.ui.widgets.buttons import ButtonKind
from batchwright.ui.widgets.dialogs import Dialog
from batchwright.ui.widgets.fields import InputField
from batchwright.ui.widgets.text import Label

_UNDER_WORDS = 26
"""Indent in pixels of the text of a radio button."""


class DuplicateDialog(Dialog):
    """A name, and the choice about the dataset if the batch has one.

    Args:
        name: name of the batch.
        has_dataset: whether there is a choice.
        live: name of the live service; empty for the service on this computer.
    """

    def __init__(self, name: str, *, has_dataset: bool, live: str) -> None:
        super().__init__(
            _("Duplicate the batch"),
            _("The copy has the task details and the layout. It has no tasks yet, and no auto-sync."),
            _("Duplicate"),
            ButtonKind.LIVE if live else ButtonKind.PRIMARY,
        )
        self.name, self.with_dataset = "", has_dataset
        """What the user chose, once the dialog was accepted."""
        self._name = QLineEdit(f"{name} (Copy)")
        self._name.setObjectName("name")
        self.add(InputField(_("Name of the copy"), self._name, hint=_("Only your workspace sees it.")))
        self._shared, self._without = (
            QRadioButton(_("With the dataset")),
            QRadioButton(_("Without a dataset")),
        )
        if has_dataset:
            self._shared.setChecked(True)
            shared = _("Both batches share it, including records that are appended later.")
            without = _(
                "The copy asks the same questions about other records, which you upload in the Data stage."
            )
            self.add(_explained(self._shared, shared), _explained(self._without, without))
        else:
            self.add(
                Label(
                    _("The batch has no dataset, so the copy has none either."),
                    TextRole.SMALL,
                    "text2",
                    wraps=True,
                )
            )
        if live:
            self.add_warning(
                _("This reaches {service}. It cannot be undone.").format(service=live), is_live=True
            )
        self._name.textChanged.connect(self._refresh)
        self._name.selectAll()

    @override
    def accept(self) -> None:
        self.name, self.with_dataset = self._name.text().strip(), self._shared.isChecked()
        super().accept()

    def _refresh(self) -> None:
        self.accept_button.set_disabled_reason(
            "" if self._name.text().strip() else _("Enter a name for the copy first")
        )


def _explained(choice: QRadioButton, meaning: str) -> ScaledBoxLayout:
    """A radio button with an explanation below it."""
    choice.setAccessibleDescription(meaning)
    below = column(Label(meaning, TextRole.SMALL, "text2", wraps=True), margins=(_UNDER_WORDS, 0, 0, 0))
    return column(choice, below, gap=3)
