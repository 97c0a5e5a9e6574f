"""Dialogs that change a column of the data file, each with the first records as they become."""

from abc import abstractmethod
from collections.abc import Sequence
from itertools import islice

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLineEdit, QListWidget, QListWidgetItem, QMenu
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.base.json_values import JsonObject
from batchwright.data_files.conversion.column_edits import (
    MAX_PARTS,
    ColumnEdit,
    FillColumn,
    JoinColumns,
    ReadColumn,
    RenameColumn,
    SplitColumn,
    ValueType,
)
from batchwright.data_files.profiling import as_text
from batchwright.ui.data.cells_model import CellsModel
from batchwright.ui.theme import theme
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.dialogs.dialog import WIDE, Dialog
from batchwright.ui.widgets.fields import InputField
from batchwright.ui.widgets.tables.table import FittedTable, TextCell
from batchwright.ui.widgets.text import literal

SHOWN_RECORDS = 4
"""Records in the preview."""
_MAX_CHARS = 200
_MAX_SHOWN = 6
"""Columns in the preview."""
_MAX_LISTED = 40
"""Columns in the menu for a template."""


class ColumnDialog(Dialog):
    """Asks how a column is changed; `edit` is the change as entered so far.

    Args:
        title: the title of the dialog.
        accept_text: the text of its button.
        columns: the columns of the table.
        records: the first records, which are shown with the change.
    """

    help_address = "data.md#change-columns"

    def __init__(
        self, title: str, accept_text: str, columns: Sequence[str], records: Sequence[JsonObject]
    ) -> None:
        text = _(
            "The file itself stays as it is: the study keeps the change, and repeats it for new versions."
        )
        super().__init__(title, text, accept_text, width=WIDE)
        self._columns, self._records = columns, records[:SHOWN_RECORDS]
        self._preview = CellsModel([""], [[TextCell("")]] * SHOWN_RECORDS, self)
        self._table = FittedTable(
            _("The first records"), self._preview, width=WIDE, min_rows=1, max_rows=SHOWN_RECORDS
        )
        self._table.horizontalHeader().setStretchLastSection(True)
        self.edit: ColumnEdit

    @abstractmethod
    def _entered(self) -> ColumnEdit:
        """The change as entered."""

    @abstractmethod
    def _field_of(self, edit: ColumnEdit) -> InputField:
        """The field at which the problem of a change is shown."""

    @property
    def _fields(self) -> Sequence[InputField]:
        return self.findChildren(InputField)

    def _start(self) -> None:
        """Add the preview below the fields, and show it."""
        if self._records:
            self.add(self._table)
        self._on_changed()

    def _on_changed(self) -> None:
        """Show what the change does, or why it cannot be made."""
        self.edit = edit = self._entered()
        problem = edit.problem(self._columns)
        field = self._field_of(edit)
        for other in self._fields:
            other.show_error(problem if other is field else "")
        self.accept_button.set_disabled_reason(problem)
        self._show_preview(edit, is_possible=not problem)

    def _show_preview(self, edit: ColumnEdit, *, is_possible: bool) -> None:
        """Show the columns that are needed, and those that are changed if the change is possible."""
        columns = dict.fromkeys(self._columns)
        needed = (name for name in edit.needed if name in columns)
        before = list(islice(needed, _MAX_SHOWN)) or list(islice(columns, _MAX_SHOWN))
        changed = edit.created or edit.needed
        after = list(changed[:_MAX_SHOWN]) if is_possible else []
        headings = [_("{column}, before").format(column=name) if name in after else name for name in before]
        rows = [
            [_cell(record, name) for name in before]
            + [_cell(edit(record), name, is_unread=edit.is_unread(record)) for name in after]
            for record in self._records
        ]
        self._preview.show_cells([*headings, *after], rows)
        width = theme().px(WIDE - 60) // max(1, len(before) + len(after))
        for section in range(len(before) + len(after)):
            self._table.setColumnWidth(section, max(theme().px(96), width))


def _cell(record: JsonObject, name: str, *, is_unread: bool = False) -> TextCell:
    value = record.get(name)
    if value in (None, ""):
        return TextCell(_("empty"), tone="text3", is_missing=True)
    text = " ".join(as_text(value)[:_MAX_CHARS].split()).encode("utf-8", "replace").decode()
    return TextCell(text, tone="err" if is_unread else "text")


class RenameColumnDialog(ColumnDialog):
    """Asks for another name of a column."""

    def __init__(self, column: str, columns: Sequence[str], records: Sequence[JsonObject]) -> None:
        super().__init__(
            _("Rename “{column}”").format(column=column), _("Rename the column"), columns, records
        )
        self._column, self._line = column, QLineEdit(column)
        self._line.selectAll()
        self._name = InputField(_("New name"), self._line, hint=_("Items that show the column follow."))
        self._line.textChanged.connect(self._on_changed)
        self.add(self._name)
        self._start()

    @override
    def _entered(self) -> ColumnEdit:
        return RenameColumn(self._column, self._line.text().strip())

    @override
    def _field_of(self, edit: ColumnEdit) -> InputField:
        return self._name

    @override
    def _on_changed(self) -> None:
        super()._on_changed()
        if self._line.text().strip() == self._column:  # not an error: the dialog has just been opened
            self._name.show_error("")
            self.accept_button.set_disabled_reason(_("Enter another name."))


class ReadColumnDialog(ColumnDialog):
    """Asks for the type in which the values of a column are read."""

    def __init__(self, column: str, columns: Sequence[str], records: Sequence[JsonObject]) -> None:
        super().__init__(
            _("Read “{column}” in another type").format(column=column), _("Change type"), columns, records
        )
        self._column, self._type = column, QComboBox()
        for type, name in (
            (ValueType.NUMBER, _("Numbers")),
            (ValueType.TEXT, _("Text")),
            (ValueType.TRUTH, _("True and false")),
            (ValueType.ADDRESS, _("Addresses")),
        ):
            self._type.addItem(name, type.value)
        self._field = InputField(_("Type of the values"), self._type, hint=_type_hint(ValueType.NUMBER))
        self._type.currentIndexChanged.connect(self._on_changed)
        self.add(self._field)
        self._start()

    @override
    def _entered(self) -> ColumnEdit:
        return ReadColumn(self._column, ValueType(str(self._type.currentData())))

    @override
    def _field_of(self, edit: ColumnEdit) -> InputField:
        return self._field

    @override
    def _on_changed(self) -> None:
        super()._on_changed()
        self._field.set_hint(_type_hint(ValueType(str(self._type.currentData()))))


def _type_hint(type: ValueType) -> str:
    match type:
        case ValueType.NUMBER:
            return _("007 becomes 7, and 3,25 becomes 3.25. 1,234 could mean two numbers, and stays.")
        case ValueType.TEXT:
            return _("Numbers, and true and false, become texts.")
        case ValueType.TRUTH:
            return _("Yes, true, on and 1 become true; no, false, off and 0 become false.")
        case ValueType.ADDRESS:
            return _("Spaces around an address are removed, and https:// is added where it is missing.")


class SplitColumnDialog(ColumnDialog):
    """Asks at which text a column is split, and for the names of the parts."""

    def __init__(self, column: str, columns: Sequence[str], records: Sequence[JsonObject]) -> None:
        super().__init__(_("Split “{column}”").format(column=column), _("Split the column"), columns, records)
        values = [as_text(value) for record in records if (value := record.get(column)) is not None]
        separator = next((sign for sign in _SEPARATORS if any(sign in value for value in values)), ",")
        parts = max((value.count(separator) + 1 for value in values), default=2)
        names = [f"{column}_{number}" for number in range(1, min(max(parts, 2), _PROPOSED_PARTS) + 1)]
        self._column = column
        self._separator, self._names = QLineEdit(separator), QLineEdit(_BETWEEN_NAMES.join(names))
        self._separator_field = InputField(_("Split at"), self._separator)
        hint = _("Separated by commas. The last column has all that is left.")
        self._names_field = InputField(_("Names of the new columns"), self._names, hint=hint)
        self._separator.textChanged.connect(self._on_changed)
        self._names.textChanged.connect(self._on_changed)
        self.add(self._separator_field, self._names_field)
        self._start()

    @override
    def _entered(self) -> ColumnEdit:
        names = self._names.text().split(_BETWEEN_NAMES.strip(), MAX_PARTS)
        return SplitColumn(self._column, self._separator.text(), tuple(map(str.strip, names)))

    @override
    def _field_of(self, edit: ColumnEdit) -> InputField:
        return self._names_field if self._separator.text() else self._separator_field


_SEPARATORS = (";", "|", "\t", " / ", ",", "/", ":", " ")
"""Texts at which a column is proposed to be split, if a value has them."""
_BETWEEN_NAMES = ", "
_PROPOSED_PARTS = 6


class JoinColumnsDialog(ColumnDialog):
    """Asks which columns are joined, with which text between them."""

    def __init__(self, column: str, columns: Sequence[str], records: Sequence[JsonObject]) -> None:
        super().__init__(_("Join columns"), _("Join the columns"), columns, records)
        self._list = QListWidget()
        self._list.setFixedHeight(theme().px(_LIST_HEIGHT))
        for name in columns:
            item = QListWidgetItem(literal(name))
            item.setData(Qt.ItemDataRole.UserRole, name)
            item.setCheckState(Qt.CheckState.Checked if name == column else Qt.CheckState.Unchecked)
            self._list.addItem(item)
        self._separator, self._name = QLineEdit(" "), QLineEdit(f"{column}_joined")
        self._joined_field = InputField(_("Columns, in the order of the table"), self._list)
        between = InputField(_("Text between the values"), self._separator)
        self._name_field = InputField(_("Name of the new column"), self._name)
        self._list.itemChanged.connect(self._on_changed)
        self._separator.textChanged.connect(self._on_changed)
        self._name.textChanged.connect(self._on_changed)
        self.add(self._joined_field, between, self._name_field)
        self._start()
        at = list(columns).index(column)
        self._list.scrollToItem(self._list.item(at))
        self._joined_field.show_error("")  # the second column is still to be chosen

    @override
    def _entered(self) -> ColumnEdit:
        items = map(self._list.item, range(self._list.count()))
        joined = (item for item in items if item.checkState() is Qt.CheckState.Checked)
        names = tuple(str(item.data(Qt.ItemDataRole.UserRole)) for item in joined)
        return JoinColumns(names, self._separator.text(), self._name.text().strip())

    @override
    def _field_of(self, edit: ColumnEdit) -> InputField:
        return self._name_field if len(edit.needed) > 1 else self._joined_field


_LIST_HEIGHT = 132


class FillColumnDialog(ColumnDialog):
    """Asks for a text with names of columns in braces that fills a column, a new one if `column` is empty."""

    def __init__(self, column: str, columns: Sequence[str], records: Sequence[JsonObject]) -> None:
        title = _("Fill “{column}” from a text").format(column=column) if column else _("Add a column")
        super().__init__(title, _("Fill the column") if column else _("Add the column"), columns, records)
        self._column, self._name, self._template = column, QLineEdit(), QLineEdit()
        self._name_field = InputField(_("Name of the new column"), self._name)
        insert = Button(_("Insert a column"), ButtonKind.LINK, height=ButtonSize.TINY)
        insert.setMenu(self._columns_menu(insert))
        hint = _("Names of columns in braces stand for their values: {prompt} - {model}")
        self._template_field = InputField(_("Text"), self._template, hint=hint, corner=insert)
        self._name.textChanged.connect(self._on_changed)
        self._template.textChanged.connect(self._on_changed)
        self.add(*([] if column else [self._name_field]), self._template_field)
        if column:
            self._name_field.setParent(self)
            self._name_field.hide()
        self._start()
        for field in self._fields:  # nothing has been entered yet
            field.show_error("")

    def _columns_menu(self, button: Button) -> QMenu:
        menu = QMenu(button)
        for name in [name for name in self._columns if not {"{", "}"} & set(name)][:_MAX_LISTED]:
            action = menu.addAction(literal(name))
            action.triggered.connect(lambda _on=False, name=name: self._template.insert(f"{{{name}}}"))
        return menu

    @override
    def _entered(self) -> ColumnEdit:
        return FillColumn(self._column or self._name.text().strip(), self._template.text())

    @override
    def _field_of(self, edit: ColumnEdit) -> InputField:
        has_text = bool(self._template.text()) and set(edit.needed) <= set(self._columns)
        return self._name_field if has_text else self._template_field
