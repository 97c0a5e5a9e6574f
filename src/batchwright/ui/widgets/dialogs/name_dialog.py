"""A dialog that asks for the name of something that only the workspace sees."""

from PySide6.QtWidgets import QLineEdit
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.base.text import is_blank
from batchwright.ui.widgets.buttons import ButtonKind
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.fields import InputField
from batchwright.ui.widgets.long_texts import fill


class NameDialog(Dialog):
    """Asks for a name, which must not be blank; subclasses add what else there is to know or choose.

    Args:
        title: the title of the dialog.
        text: the text below it.
        accept_text: the label of the button.
        field: the label of the field.
        name: the initial value.
        missing: the reason shown while the button is disabled because the name is blank.
        is_live: whether the service is live.
    """

    def __init__(
        self, title: str, text: str, accept_text: str, *, field: str, name: str, missing: str, is_live: bool
    ) -> None:
        super().__init__(title, text, accept_text, ButtonKind.LIVE if is_live else ButtonKind.PRIMARY)
        self.name = ""
        """What the user entered, once the dialog was accepted."""
        self._missing = missing
        self._name = QLineEdit()
        self._name.setObjectName("name")
        named = InputField(field, self._name, hint=_("Only your workspace sees it."))
        self._entered = fill(named, name)
        self.add(named)
        self._name.textChanged.connect(self._refresh)
        self._name.selectAll()
        self._refresh()

    @override
    def accept(self) -> None:
        self.name = self._entered().strip()
        super().accept()

    def _refresh(self) -> None:
        self.accept_button.set_disabled_reason(self._missing if is_blank(self._entered()) else "")
