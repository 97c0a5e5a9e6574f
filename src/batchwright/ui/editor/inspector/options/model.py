"""A Qt table model of the options or units of an item."""

from collections.abc import Mapping
from enum import IntEnum

from PySide6.QtCore import QModelIndex, Qt, Signal
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject, is_array, is_object, json_equal
from batchwright.base.text import truncate
from batchwright.layout.attributes import Attribute
from batchwright.layout.option_values import as_text
from batchwright.layout.rules.problems import AttributePath, Problem, Severity
from batchwright.ui.editor.inspector.form import NodeForm, capitalized
from batchwright.ui.editor.inspector.options import entries
from batchwright.ui.editor.inspector.options.text_format import parse_options, paste_rows
from batchwright.ui.editor.inspector.presets import Preset
from batchwright.ui.editor.inspector.value_kinds import (
    ValueKind,
    convert_kind,
    resembles_other_type,
    value_from_text,
)
from batchwright.ui.theme.foreign import is_too_long
from batchwright.ui.widgets.tables.models import Index, TableModel


class OptionColumn(IntEnum):
    """The columns of the table."""

    HANDLE = 0
    LABEL = 1
    VALUE = 2
    REMOVE = 3


def kind_labels() -> Mapping[ValueKind, str]:
    """The titles of the types of values."""
    return {
        ValueKind.TEXT: _("Text"),
        ValueKind.NUMBER: _("A number"),
        ValueKind.BOOLEAN: _("True or false"),
    }


_MAX_CELL_CHARACTERS = 500
"""Maximum number of characters of a text that a cell paints."""

COLUMN_ATTRIBUTES = {OptionColumn.LABEL: "label", OptionColumn.VALUE: "value"}
"""The attribute of an option that a column shows."""


class OptionModel(TableModel):
    """The options in one list attribute of a form. Typing changes the study immediately.

    A new option begins as a draft: an extra row at the end, which is added to the layout with the first
    keystroke in it. An option that is still empty is therefore not reported as an error.
    """

    options_changed = Signal()
    """Emitted when the options may have changed."""

    def __init__(self, form: NodeForm, attribute: Attribute) -> None:
        super().__init__()
        self.form, self.attribute = form, attribute
        self._options: list[Json] = []
        self._has_draft = False
        self._previous_kind: ValueKind | None = None
        form.changed.connect(self._on_form_changed)
        self._on_form_changed()

    @property
    def options(self) -> list[Json]:
        """The current options."""
        return self._options

    def option_at(self, row: int) -> JsonObject:
        """The option at a row, or an empty object if there is none."""
        return entries.option_at(self._options, row)

    @property
    def draft_row(self) -> int:
        """The row of the draft, or -1 if there is none."""
        return len(self._options) if self._has_draft else -1

    def kind(self, row: int) -> ValueKind | None:
        """The type of an option's value if its text does not show it: a number, or a text that reads like
        one.
        """
        value = self.option_at(row).get("value")
        kind = ValueKind.of(value)
        return kind if kind is not ValueKind.TEXT or resembles_other_type(value) else None

    def problem(self, index: Index) -> Problem | None:
        """The problem of a cell, if any."""
        return self._problem(index.row(), OptionColumn(index.column()))

    def _problem(self, row: int, column: OptionColumn) -> Problem | None:
        inner = COLUMN_ATTRIBUTES.get(column)
        if inner is None:
            return None
        is_entry = not 0 <= row < len(self._options) or is_object(self._options[row])
        path = AttributePath(self.attribute.name, row, inner if is_entry else "")
        problems = self.form.problems.get(path, ())
        return problems[0] if problems else None

    def problems_of(self, row: int) -> list[Problem]:
        """The problems of an option, including those of its attributes."""
        problems = self.form.problems.items()
        return [
            problem for path, group in problems if path[:2] == (self.attribute.name, row) for problem in group
        ]

    def problems(self) -> list[Problem]:
        """The problems of the list and of its options, errors before hints."""
        problems = [
            problem
            for path, group in self.form.problems.items()
            if path.name == self.attribute.name
            for problem in group
        ]
        return sorted(problems, key=lambda problem: problem.severity is Severity.ADVICE)

    def move(self, row: int, to: int) -> None:
        """Move an option to row `to`, counted after it is removed."""
        if row != to and 0 <= to < len(self._options):
            self._set_options(entries.moved(self._options, row, to))

    def remove(self, row: int) -> None:
        """Remove an option or the draft."""
        if 0 <= row < len(self._options):
            self._set_options(entries.removed(self._options, row))
        elif row == self.draft_row:
            self.discard_draft()

    def start_draft(self) -> int:
        """Add a draft row if there is none, and return its row."""
        if not self._has_draft:
            self._replace_rows(self._options, has_draft=True)
        return self.draft_row

    def discard_draft(self) -> None:
        """Remove the draft row, if there is one."""
        if self._has_draft:
            self._replace_rows(self._options, has_draft=False)

    def paste(self, row: int, text: str) -> None:
        """Insert rows copied from a spreadsheet, overwriting options from `row` on."""
        self.discard_draft()
        at = min(max(0, row), len(self._options))
        self._set_options(paste_rows(self._options, at, text, self.attribute))

    def set_lines(self, text: str) -> None:
        """Replace the options by those described in lines of text."""
        self._set_options(parse_options(text, self._options, self.attribute))

    def apply_preset(self, preset: Preset) -> None:
        """Replace the options by those of a preset."""
        options = entries.from_preset(self._options, preset, self.attribute)
        if not json_equal(options, self._options):
            self.form.set_with_neutral_labels(self.attribute.name, options)

    def set_attribute(self, row: int, name: str, value: Json, *, is_typed: bool = False) -> None:
        """Set any attribute of an option, or remove it if `value` is None."""
        typing = f"{self.attribute.name} {row} {name}" if is_typed else ""
        self._set_options(entries.with_attribute(self._options, row, name, value), typing)

    def record_visit(self, row: int, name: str) -> None:
        """Record that the field of an attribute lost the focus.

        If it is empty, that is reported from now on.
        """
        if 0 <= row < len(self._options):
            self.form.record_visit(AttributePath(self.attribute.name, row, name))

    def set_kind(self, row: int, kind: ValueKind) -> None:
        """Convert the value of an option to text, a number or a boolean."""
        value = self.option_at(row).get("value", "")
        if ValueKind.of(value) is not kind:
            self.set_attribute(row, "value", convert_kind(value, kind, row + 1))

    def start_typing(self, row: int) -> None:
        """A cell editor was opened. The type of the value is kept: `1.`, typed between 1 and 1.5, stays a
        number.
        """
        self._previous_kind = ValueKind.of(self.option_at(row).get("value", ""))

    def end_typing(self) -> None:
        """The cell editor was closed."""
        self._previous_kind = None
        self.form.end_typing()

    def matches(self, index: Index, text: str) -> bool:
        """Whether a text represents the value of a cell: `1.50`, while it is typed, equals 1.5."""
        return self._matches(index.row(), OptionColumn(index.column()), text)

    def _matches(self, row: int, column: OptionColumn, text: str) -> bool:
        if column not in COLUMN_ATTRIBUTES:
            return False
        value = self.option_at(row).get(COLUMN_ATTRIBUTES[column])
        return json_equal(self._typed_value(row, text) if column is OptionColumn.VALUE else text, value)

    def _set_options(self, changed: list[Json], typing: str = "") -> None:
        if not json_equal(changed, self._options):
            self.form.set(self.attribute.name, changed, typing=typing)

    def _on_form_changed(self) -> None:
        """Show the options of the form; the editor of a cell stays open."""
        value = self.form.value(self.attribute.name)
        self._replace_rows(list(value) if is_array(value) else [], has_draft=self._has_draft)

    def _replace_rows(self, options: list[Json], *, has_draft: bool) -> None:
        """Replace the rows, with or without a draft. Contents change between the begin and end signals of the
        rows.
        """
        before, now = self.row_count(), len(options) + has_draft
        if now > before:
            self.beginInsertRows(QModelIndex(), before, now - 1)
        elif now < before:
            self.beginRemoveRows(QModelIndex(), now, before - 1)
        self._options, self._has_draft = options, has_draft
        if now > before:
            self.endInsertRows()
        elif now < before:
            self.endRemoveRows()
        if now:
            self.dataChanged.emit(self.index(0, 0), self.index(now - 1, len(OptionColumn) - 1))
        self.options_changed.emit()

    @override
    def row_count(self) -> int:
        return len(self._options) + self._has_draft

    @override
    def column_count(self) -> int:
        return len(OptionColumn)

    @override
    def cell_flags(self, row: int, column: int) -> Qt.ItemFlag:
        flags = super().cell_flags(row, column)
        is_entry = row == self.draft_row or is_object(self._options[row])
        is_editable = OptionColumn(column) in COLUMN_ATTRIBUTES and is_entry
        is_editable = is_editable and not is_too_long(self.text(row, OptionColumn(column)))
        return flags | Qt.ItemFlag.ItemIsEditable if is_editable else flags

    @override
    def heading(self, column: int, role: int) -> object:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return {OptionColumn.LABEL: _("Label"), OptionColumn.VALUE: _("Value")}.get(OptionColumn(column), "")

    @override
    def value(self, row: int, column: int, role: int) -> object:
        option_column = OptionColumn(column)
        if role == Qt.ItemDataRole.EditRole:
            return self.text(row, option_column)
        if role == Qt.ItemDataRole.DisplayRole:
            return truncate(self.text(row, option_column), _MAX_CELL_CHARACTERS)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._accessible_text(row, option_column)
        return self._tooltip(row, option_column) if role == Qt.ItemDataRole.ToolTipRole else None

    @override
    def set_value(self, row: int, column: int, value: object) -> bool:
        option_column = OptionColumn(column)
        if option_column not in COLUMN_ATTRIBUTES or not isinstance(value, str):
            return False
        if value == self.text(row, option_column) or (
            option_column is OptionColumn.VALUE and self._matches(row, option_column, value)
        ):
            return True
        if row == self.draft_row:
            self._options, self._has_draft = entries.added(self._options, self.attribute), False
        typing = f"{self.attribute.name} {row} {COLUMN_ATTRIBUTES[option_column]}"
        if option_column is OptionColumn.LABEL:
            self._set_options(entries.with_label(self._options, row, value), typing)
        else:
            typed = self._typed_value(row, value)
            self._set_options(entries.with_attribute(self._options, row, "value", typed), typing)
        return True

    def _typed_value(self, row: int, text: str) -> Json:
        kind = self._previous_kind or ValueKind.of(self.option_at(row).get("value", ""))
        return value_from_text(text, kind)

    def text(self, row: int, column: OptionColumn) -> str:
        """The text of a cell."""
        if column not in COLUMN_ATTRIBUTES or row >= len(self._options):
            return ""
        entry = self._options[row]
        if not is_object(entry):
            return as_text(entry) if column is OptionColumn.LABEL else ""
        value = entry.get(COLUMN_ATTRIBUTES[column])
        return "" if value is None else as_text(value)

    def _tooltip(self, row: int, column: OptionColumn) -> str | None:
        problem = self._problem(row, column)
        if problem is not None:
            return problem.message
        if column is OptionColumn.REMOVE:
            return _("Remove  Delete")
        kind = self.kind(row) if column is OptionColumn.VALUE else None
        text = truncate(self.text(row, column), _MAX_CELL_CHARACTERS)
        return f"{text} ({kind_labels()[kind]})" if kind is not None else text or None

    def _accessible_text(self, row: int, column: OptionColumn) -> str:
        what = f"{capitalized(_(self.attribute.entry_title))} {row + 1}"
        if column is OptionColumn.HANDLE:
            return _("Move {what}").format(what=what)
        if column is OptionColumn.REMOVE:
            return _("Remove {what}").format(what=what)
        heading = self.heading(column, Qt.ItemDataRole.DisplayRole)
        text = f"{what}, {heading}: {truncate(self.text(row, column), _MAX_CELL_CHARACTERS) or _('empty')}"
        kind = self.kind(row) if column is OptionColumn.VALUE else None
        return text if kind is None else f"{text}, {kind_labels()[kind]}"
