"""Asking for a field that no column of the file stands for, or before there is a file (wire.md 4.3)."""

from PySide6.QtWidgets import QComboBox, QLineEdit

from batchwright.base.i18n import _
from batchwright.schema.model import FieldType, Schema
from batchwright.schema.parsing import InvalidSchema, read_schema, write_schema
from batchwright.ui.data.fields import label_of, with_label, with_type
from batchwright.ui.data.labels import type_name
from batchwright.ui.widgets.dialogs import Dialog
from batchwright.ui.widgets.fields import InputField


class FieldDialog(Dialog):
    """A name, a type and a label; what cannot be is said at its field while it is written."""

    def __init__(self, schema: Schema | None) -> None:
        super().__init__(
            _("Add a field"),
            _("A column of the file is a field once it has a type. This adds one that the file lacks."),
            _("Add field"),
        )
        self._schema = schema
        self.name, self.type, self.label = "", FieldType.TEXT, ""
        """What was asked for; as in the header of a file, white space around a name does not count."""
        self._name, self._label, self._type = QLineEdit(), QLineEdit(), QComboBox()
        for type in FieldType:
            self._type.addItem(type_name(type), type.value)
        hint = _("The column's name in a CSV file, the key in JSONL.")
        self._name_field = InputField(_("Name"), self._name, hint=hint)
        self._label_field = InputField(
            _("Label that participants read"), self._label, hint=_("Empty for the name.")
        )
        self.put(self._name_field, InputField(_("Type"), self._type), self._label_field)
        self._name.textChanged.connect(self._validate)
        self._label.textChanged.connect(self._validate)
        self._type.currentIndexChanged.connect(self._validate)
        self._validate()

    def _validate(self) -> None:
        self.name, self.type = self._name.text().strip(), FieldType(self._type.currentData())
        usual = label_of(self.name) if self.type.referable else _("Never shown")
        self.label = (self._label.text().strip() or usual) if self.type.referable else ""
        self._label.setEnabled(self.type.referable)
        self._label.setPlaceholderText(usual)
        refusal = rejection_reason(self._schema, self.name, self.type, self.label) if self.name else ""
        self._name_field.show_error(refusal)
        self.act.allow(refusal or ("" if self.name else _("Give the field a name first")))


def rejection_reason(schema: Schema | None, name: str, type: FieldType, label: str) -> str:
    """Why a field cannot be put into a schema; empty where it can."""
    if schema is not None and name in schema.fields:
        return _("The schema has a field “{name}” already.").format(name=name)
    try:
        read_schema(write_schema(with_label(with_type(schema, (), None, name, type), name, label)))
    except InvalidSchema as faults:
        return faults.sentences[0]
    return ""
