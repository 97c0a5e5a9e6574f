"""The dialog for the name and the description of a template or block."""

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtWidgets import QLineEdit

from batchwright.base.i18n import _
from batchwright.local.library import MAX_DESCRIPTION_CHARS, name_error
from batchwright.ui.widgets.dialogs import Dialog
from batchwright.ui.widgets.fields import InputField


class LibraryEntryDialog(Dialog):
    """Asks for a name and a description. The name of another entry can be used too: that one is replaced.

    Args:
        title: title of the dialog.
        text: what is saved.
        accept: text of the button.
        existing: the files of the other entries by name, with case folded.
        description_hint: where the description is shown.
    """

    def __init__(
        self, title: str, text: str, accept: str, existing: Mapping[str, Path], description_hint: str
    ) -> None:
        super().__init__(title, text, accept)
        self._existing, self._accept_text = existing, accept
        self.name = self.description = ""
        """The texts entered, without white space around them."""
        self.replaced_path = Path()
        """The file to be replaced; `Path()` for a new one."""
        self._name, self._description = QLineEdit(), QLineEdit()
        self._description.setMaxLength(MAX_DESCRIPTION_CHARS)
        self._name_field = InputField(_("Name"), self._name)
        self.add(
            self._name_field,
            InputField(_("Description"), self._description, hint=description_hint),
        )
        self._name.textChanged.connect(self._validate)
        self._description.textChanged.connect(self._validate)
        self._validate()

    def fill(self, name: str, description: str = "") -> None:
        """Set the proposed texts."""
        self._name.setText(name)
        self._name.selectAll()
        self._description.setText(description)

    def _validate(self) -> None:
        self.name, self.description = self._name.text().strip(), self._description.text().strip()
        error = name_error(self.name)
        self.replaced_path = self._existing.get(self.name.casefold(), Path())
        is_replaced = self.replaced_path != Path()
        if error and self.name:
            self._name_field.show_error(error)
        elif is_replaced:
            self._name_field.show_advice(_("There is one of this name already. It will be replaced."))
        else:
            self._name_field.show_error("")
        self.accept_button.setText(_("Replace") if is_replaced else self._accept_text)
        self.accept_button.set_disabled_reason(error)
