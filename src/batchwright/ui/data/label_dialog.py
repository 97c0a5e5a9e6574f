"""Asking what participants are to read as the name of a field."""

from PySide6.QtWidgets import QLineEdit

from batchwright.base.i18n import _
from batchwright.schema.parsing import LONGEST_LABEL
from batchwright.ui.data.columns import SchemaColumn
from batchwright.ui.data.labels import type_name
from batchwright.ui.widgets.dialogs import Dialog
from batchwright.ui.widgets.fields import InputField


class LabelDialog(Dialog):
    """A field for the label, and why the column has its type."""

    def __init__(self, info: SchemaColumn) -> None:
        type = type_name(info.type) if info.type else ""
        sentence = f"{type}. {info.reason}" if info.reason else f"{type}."
        super().__init__(info.name, sentence, _("Set label"))
        self._edit = QLineEdit(info.label)
        self._edit.setMaxLength(LONGEST_LABEL)
        self._edit.selectAll()
        hint = _("Shown above the value. Empty for none.")
        self.put(InputField(_("Label that participants read"), self._edit, hint=hint))
        self.label = info.label
        """What is written; the field itself is gone when the dialog is."""
        self._edit.textChanged.connect(self._on_text_changed)

    def _on_text_changed(self, text: str) -> None:
        self.label = text
