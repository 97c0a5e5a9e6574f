"""The options or units of an item as a table that Qt can show and edit."""

from enum import IntEnum

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from typing_extensions import override

from batchwright.layout.attributes import Attribute
from batchwright.layout.option_values import as_text
from batchwright.layout.rules.problems import Problem
from batchwright.records.json_values import Json, JsonObject, is_array, is_object
from batchwright.ui.layout.inspector import entries
from batchwright.ui.layout.inspector.entries import Preset, ValueKind
from batchwright.ui.layout.inspector.form import Form, titled
from batchwright.ui.layout.inspector.spots import Spot
from batchwright.words import _

Index = QModelIndex | QPersistentModelIndex


class Part(IntEnum):
    """The columns."""

    HANDLE = 0
    LABEL = 1
    VALUE = 2
    REMOVE = 3


_INNER = {Part.LABEL: "label", Part.VALUE: "value"}


class EntryModel(QAbstractTableModel):
    """The entries of one list attribute of a form. Typing changes the study at once."""

    shown = Signal()
    """The entries may be others."""

    def __init__(self, form: Form, attribute: Attribute) -> None:
        super().__init__()
        self.form, self.attribute = form, attribute
        self._entries: list[Json] = []
        self._kind_before: ValueKind | None = None
        form.changed.connect(self._take)
        self._take()

    @property
    def entries(self) -> list[Json]:
        """The entries as they are now."""
        return self._entries

    def entry(self, row: int) -> JsonObject:
        """One entry; an empty one where none stands."""
        found = self._entries[row] if 0 <= row < len(self._entries) else None
        return found if is_object(found) else {}

    def problem(self, index: Index) -> Problem | None:
        """What is wrong with a cell."""
        inner = _INNER.get(Part(index.column()))
        found = self.form.problems.get(Spot(self.attribute.name, index.row(), inner or ""), ())
        return found[0] if inner and found else None

    def move(self, row: int, to: int) -> None:
        """Put an entry elsewhere, counted with it lifted out."""
        if row != to and 0 <= to < len(self._entries):
            self._put(entries.moved(self._entries, row, to))

    def remove(self, row: int) -> None:
        """Remove an entry."""
        if 0 <= row < len(self._entries):
            self._put(entries.removed(self._entries, row))

    def add(self) -> None:
        """Add an entry at the end."""
        self._put(entries.added(self._entries, self.attribute))

    def paste(self, row: int, text: str) -> None:
        """Fill in what was copied from a spreadsheet, from a row on."""
        self._put(entries.pasted(self._entries, max(0, row), text, self.attribute))

    def fill(self, preset: Preset) -> None:
        """Take the options of a preset."""
        self._put(entries.from_preset(self._entries, preset, self.attribute))

    def put_inner(self, row: int, name: str, value: Json, *, is_typed: bool = False) -> None:
        """Set any attribute of an entry, or take it away with None."""
        typing = f"{self.attribute.name} {row} {name}" if is_typed else ""
        self._put(entries.with_inner(self._entries, row, name, value), typing)

    def set_kind(self, row: int, kind: ValueKind) -> None:
        """Make the value of an entry text, a number, or true or false."""
        value = self.entry(row).get("value", "")
        if ValueKind.of(value) is not kind:
            self.put_inner(row, "value", entries.as_kind(value, kind, row + 1))

    def begin_typing(self, row: int) -> None:
        """A cell is edited now: `1.` on the way from 1 to 1.5 does not make a text of a number."""
        self._kind_before = ValueKind.of(self.entry(row).get("value", ""))

    def end_typing(self) -> None:
        """The cell is left."""
        self._kind_before = None
        self.form.leave()

    def _put(self, changed: list[Json], typing: str = "") -> None:
        self.form.put(self.attribute.name, changed, typing=typing)

    def _take(self) -> None:
        """Take the entries of the form; a cell that is being edited stays."""
        given = self.form.value(self.attribute.name)
        taken = list(given) if is_array(given) else []
        before, now = len(self._entries), len(taken)
        if now > before:
            self.beginInsertRows(QModelIndex(), before, now - 1)
            self._entries = taken
            self.endInsertRows()
        elif now < before:
            self.beginRemoveRows(QModelIndex(), now, before - 1)
            self._entries = taken
            self.endRemoveRows()
        self._entries = taken
        if taken:
            self.dataChanged.emit(self.index(0, 0), self.index(now - 1, len(Part) - 1))
        self.shown.emit()

    @override
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._entries)

    @override
    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(Part)

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if Part(index.column()) in _INNER and is_object(self._entries[index.row()]):
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    @override
    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        return {Part.LABEL: _("Label"), Part.VALUE: _("Value")}.get(Part(section), "")

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        part = Part(index.column())
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole}:
            return self._text(index.row(), part)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken(index.row(), part)
        if role == Qt.ItemDataRole.ToolTipRole:
            problem = self.problem(index)
            if problem is not None:
                return problem.sentence
            return _("Remove  Delete") if part is Part.REMOVE else self._text(index.row(), part) or None
        return None

    @override
    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        part, row = Part(index.column()), index.row()
        if role != Qt.ItemDataRole.EditRole or not isinstance(value, str) or row >= len(self._entries):
            return False
        if value == self._text(row, part):
            return True
        typing = f"{self.attribute.name} {row} {_INNER[part]}"
        if part is Part.LABEL:
            self._put(entries.with_label(self._entries, row, value), typing)
        else:
            kind = self._kind_before or ValueKind.of(self.entry(row).get("value", ""))
            typed = entries.typed_value(value, kind)
            self._put(entries.with_inner(self._entries, row, "value", typed), typing)
        return True

    def _text(self, row: int, part: Part) -> str:
        if part not in _INNER:
            return ""
        entry = self._entries[row]
        if not is_object(entry):
            return as_text(entry) if part is Part.LABEL else ""
        value = entry.get(_INNER[part])
        return "" if value is None else as_text(value)

    def _spoken(self, row: int, part: Part) -> str:
        what = f"{titled(_(self.attribute.entry_title))} {row + 1}"
        if part is Part.HANDLE:
            return _("Move {what}").format(what=what)
        if part is Part.REMOVE:
            return _("Remove {what}").format(what=what)
        heading = self.headerData(part, Qt.Orientation.Horizontal)
        return f"{what}, {heading}: {self._text(row, part) or _('empty')}"
