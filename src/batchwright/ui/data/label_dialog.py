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

    def __init__(self, part: SchemaColumn) -> None:
        type = type_name(part.type) if part.type else ""
        sentence = f"{type}. {part.reason}" if part.reason else f"{type}."
        super().__init__(part.name, sentence, _("Set label"))
        self._edit = QLineEdit(part.label)
        self._edit.setMaxLength(LONGEST_LABEL)
        self._edit.selectAll()
        hint = _("Shown above the value. Empty for none.")
        self.put(InputField(_("Label that participants read"), self._edit, hint=hint))
        self.label = part.label
        """What is written; the field itself is gone when the dialog is."""
        self._edit.textChanged.connect(self._take)

    def _take(self, text: str) -> None:
        self.label = text
