"""Commands for the fields of the study's schema, and their dialogs.

A field may be added without a column for it: a JSONL file may lack a key, and the schema may come first.
"""

from dataclasses import replace

from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit

from batchwright.base.i18n import _, ngettext
from batchwright.layout.searching.field_references import reference_counts
from batchwright.schema.model import FieldType, Schema
from batchwright.schema.parsing import MAX_LABEL_CHARS, schema_errors
from batchwright.ui.core.formatting import number
from batchwright.ui.data.context import DataContext
from batchwright.ui.data.labels import type_name
from batchwright.ui.data.schema.schema_columns import SchemaColumn
from batchwright.ui.data.schema.schema_editor import label_of, with_label, with_type
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.fields import InputField
from batchwright.ui.widgets.long_texts import fill


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
        elif dialog.wants_rename:
            await rename_field(context, info)


async def rename_field(context: DataContext, info: SchemaColumn) -> None:
    """Rename a field, and update the items that show it unless the user decides against it."""
    state, opening = context.state, context.state.study.opening
    schema = state.study.schema
    if schema is None or info.name not in schema.fields:
        return
    uses = reference_counts(state.study.layout).get(info.name, 0)
    dialog = RenameFieldDialog(schema, info, uses)
    if await dialog.ask(context.window.window) and opening == state.study.opening:
        state.schema.rename_field(info.name, dialog.name, updates_items=dialog.updates_items)


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

    help_address = "data.md#columns-and-the-schema"

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
        default_label = label_of(self.name) if self.type.referable else _("Never shown")
        self.label = (self._label.text().strip() or default_label) if self.type.referable else ""
        self._label.setEnabled(self.type.referable)
        self._label.setPlaceholderText(default_label)
        error = field_error(self._schema, self.name, self.type, self.label) if self.name else ""
        self._name_field.show_error(error)
        self.accept_button.set_disabled_reason(
            error or ("" if self.name else _("Enter a name for the field first"))
        )


def field_error(schema: Schema | None, name: str, type: FieldType, label: str) -> str:
    """Why a field cannot be added to a schema; empty if it can."""
    if schema is not None and name in schema.fields:
        return _("The schema already has a field “{name}”.").format(name=name)
    return next(iter(schema_errors(with_label(with_type(schema, (), None, name, type), name, label))), "")


class RenameFieldDialog(Dialog):
    """Asks for another name of a field, and whether the items that show it follow."""

    help_address = "data.md#columns-and-the-schema"

    def __init__(self, schema: Schema, info: SchemaColumn, uses: int) -> None:
        super().__init__(
            _("Rename the field “{name}”").format(name=info.name),
            _("Its type and its label stay as they are."),
            _("Rename"),
        )
        self._schema, self._info = schema, info
        self.name = info.name
        """The name entered, without white space around it."""
        self.updates_items = uses > 0
        self._edit = QLineEdit()
        self._field = InputField(
            _("Name"), self._edit, hint=_("The column's name in a CSV file, the key in JSONL.")
        )
        self._entered = fill(self._field, info.name)
        self._edit.selectAll()
        self.add(self._field)
        if uses:
            question = ngettext(
                "{count} item shows this field. Update it",
                "{count} items show this field. Update them",
                uses,
            )
            self._update = QCheckBox(question.format(count=number(uses)))
            self._update.setChecked(True)
            self._update.toggled.connect(self._on_update_toggled)
            self.add(self._update)
        self._edit.textChanged.connect(self._validate)
        self._validate()

    def _on_update_toggled(self, is_on: bool) -> None:
        self.updates_items = is_on

    def _validate(self) -> None:
        self.name, old = self._entered().strip(), self._info.name
        field = self._schema.fields[old]
        error = ""
        if self.name and self.name != old:
            if self.name in self._schema.fields:
                error = _("The schema already has a field “{name}”.").format(name=self.name)
            else:
                others = {name: other for name, other in self._schema.fields.items() if name != old}
                error = field_error(replace(self._schema, fields=others), self.name, field.type, "")
        if error:
            self._field.show_error(error)
        elif self.name not in {"", old} and self._info.is_in_file:
            self._field.show_advice(
                _("The file still has the column “{name}”. Rename it there too.").format(name=old)
            )
        else:
            self._field.show_error("")
        reason = "" if self.name not in {"", old} else _("Enter another name first")
        self.accept_button.set_disabled_reason(error or reason)


class LabelDialog(Dialog):
    """Asks for the label of a field, and says why the column has its type."""

    help_address = "data.md#columns-and-the-schema"

    def __init__(self, info: SchemaColumn) -> None:
        type = type_name(info.type) if info.type else ""
        text = f"{type}. {info.reason}" if info.reason else f"{type}."
        super().__init__(info.name, text, _("Set label"))
        self._edit = QLineEdit()
        self._edit.setMaxLength(MAX_LABEL_CHARS)
        self._edit.setText(info.label)
        self._edit.selectAll()
        hint = _("Shown above the value. Leave empty for none.")
        self.add(InputField(_("Label that participants read"), self._edit, hint=hint))
        self.label = info.label
        """The text entered; the widget is deleted with the dialog."""
        self.wants_rename = False
        """Whether the dialog was closed to enter another name of the field."""
        if info.type is not None:
            rename = Button(_("Rename field…"), height=ButtonSize.DIALOG)
            rename.clicked.connect(self._on_rename_clicked)
            self.add_side_button(rename)
        self._edit.textChanged.connect(self._on_text_changed)

    def _on_rename_clicked(self) -> None:
        self.wants_rename = True
        self.reject()

    def _on_text_changed(self, text: str) -> None:
        self.label = text
