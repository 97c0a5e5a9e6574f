"""Commands for the fields of the study's schema, and their dialogs.

A field may be added without a column for it: a JSONL file may lack a key, and the schema may come first.
"""

from PySide6.QtWidgets import QComboBox, QLineEdit

from batchwright.base.i18n import _
from batchwright.schema.model import FieldType, Schema
from batchwright.schema.parsing import MAX_LABEL_CHARS, InvalidSchema, read_schema, write_schema
from batchwright.ui.data.columns import SchemaColumn
from batchwright.ui.data.context import DataContext
from batchwright.ui.data.labels import type_name
from batchwright.ui.data.schema_editor import label_of, with_label, with_type
from batchwright.ui.widgets.dialogs import Dialog
from batchwright.ui.widgets.fields import InputField


async def add_field(context: DataContext) -> None:
    """Add a field that is not a column of the file."""
    dialog = FieldDialog(context.state.study.schema)
    if await dialog.ask(context.window.window):
        context.state.schema.add_field(dialog.name, dialog.type, dialog.label)


async def edit_label(context: DataContext, name: str) -> None:
    """Change the label of a field, which participants read above its value."""
    info = next((info for info in context.state.columns if info.name == name), None)
    if info is not None:
        dialog = LabelDialog(info)
        if await dialog.ask(context.window.window):
            context.state.schema.set_label(name, dialog.label)


def offer_restore(context: DataContext, name: str, before: Schema) -> None:
    """Offer to undo the removal of a field that is not a column: choosing a type cannot restore it."""
    state, opening = context.state, context.state.study.opening

    def restore() -> None:
        if opening == state.study.opening:
            state.schema.restore_field(name, before)

    title = _("“{name}” is no longer a field").format(name=name)
    context.notify_with_undo(title, _("The file has no column of this name."), restore)


class FieldDialog(Dialog):
    """Asks for the name, type and label of a field that is not a column of the file; checks while typing."""

    def __init__(self, schema: Schema | None) -> None:
        super().__init__(
            _("Add a field"),
            _(
                "A column of the file becomes a field once it has a type. Here you add a field that the "
                "file does not have."
            ),
            _("Add field"),
        )
        self._schema = schema
        self.name, self.type, self.label = "", FieldType.TEXT, ""
        """The values entered. White space around the name is removed, as in the header of a file."""
        self._name, self._label, self._type = QLineEdit(), QLineEdit(), QComboBox()
        for type in FieldType:
            self._type.addItem(type_name(type), type.value)
        hint = _("The column's name in a CSV file, the key in JSONL.")
        self._name_field = InputField(_("Name"), self._name, hint=hint)
        self._label_field = InputField(
            _("Label that participants read"), self._label, hint=_("Leave empty to use the name.")
        )
        self.add(self._name_field, InputField(_("Type"), self._type), self._label_field)
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
        error = field_error(self._schema, self.name, self.type, self.label) if self.name else ""
        self._name_field.show_error(error)
        self.accept_button.set_disabled_reason(
            error or ("" if self.name else _("Enter a name for the field first"))
        )


def field_error(schema: Schema | None, name: str, type: FieldType, label: str) -> str:
    """Why a field cannot be added to a schema; empty if it can."""
    if schema is not None and name in schema.fields:
        return _("The schema already has a field “{name}”.").format(name=name)
    try:
        read_schema(write_schema(with_label(with_type(schema, (), None, name, type), name, label)))
    except InvalidSchema as error:
        return error.sentences[0]
    return ""


class LabelDialog(Dialog):
    """Asks for the label of a field, and says why the column has its type."""

    def __init__(self, info: SchemaColumn) -> None:
        type = type_name(info.type) if info.type else ""
        text = f"{type}. {info.reason}" if info.reason else f"{type}."
        super().__init__(info.name, text, _("Set label"))
        self._edit = QLineEdit(info.label)
        self._edit.setMaxLength(MAX_LABEL_CHARS)
        self._edit.selectAll()
        hint = _("Shown above the value. Leave empty for none.")
        self.add(InputField(_("Label that participants read"), self._edit, hint=hint))
        self.label = info.label
        """The text entered; the widget is deleted with the dialog."""
        self._edit.textChanged.connect(self._on_text_changed)

    def _on_text_changed(self, text: str) -> None:
        self.label = text
