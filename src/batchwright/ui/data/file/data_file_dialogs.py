"""Dialogs about the data file: its encoding, and names of its columns."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListWidget, QListWidgetItem
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.data_files.column_names import distinct_names, name_problems
from batchwright.data_files.format_names import encoding_name
from batchwright.data_files.formats import Format
from batchwright.data_files.text_rows.encodings import COMMON_ENCODINGS, ENCODINGS_BY_SCRIPT
from batchwright.ui.theme import theme
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.fields import InputField, SearchField
from batchwright.ui.widgets.text import Label

_LIST_HEIGHT = 320
_ENCODING = Qt.ItemDataRole.UserRole


class EncodingDialog(Dialog):
    """Lists the encodings with the script or language of each, the common ones first."""

    help_address = "data.md#open-a-table"

    def __init__(self, current: str) -> None:
        super().__init__(
            _("Choose an encoding"), _("The file is read again with this encoding."), _("Read the file")
        )
        self.encoding = ""
        """The Python name of the selected encoding; empty while none is selected."""
        self.search = SearchField(_("Search by name or language"))
        self.encodings = _EncodingList()
        self._no_match = Label(_("No matching encodings. Try another search term."), tone="text2", wraps=True)
        # Inside the list, so that the dialog keeps its height.
        column(self._no_match, None, margins=8, parent=self.encodings.viewport())
        self.add(self.search, self.encodings)
        self.search.textChanged.connect(self._filter)
        self.search.installEventFilter(self)
        self.encodings.currentItemChanged.connect(self._on_selected)
        self.encodings.itemDoubleClicked.connect(self.accept)
        self._filter("")
        self._select(current)

    def _on_selected(self, item: QListWidgetItem | None) -> None:
        self.encoding = str(item.data(_ENCODING)) if item is not None else ""

    def _filter(self, typed: str) -> None:
        """List the encodings that match each word typed."""
        terms = typed.casefold().split()
        self.encodings.clear()
        for encoding, script in _encodings():
            text = f"{encoding_name(encoding)}  ·  {_(script)}"
            searched = f"{text} {encoding} {encoding.replace('_', '-')}".casefold()
            if all(term in searched for term in terms):
                item = QListWidgetItem(text)
                item.setData(_ENCODING, encoding)
                self.encodings.addItem(item)
        has_match = self.encodings.count() > 0
        self.encodings.setCurrentRow(0)
        self._no_match.setVisible(not has_match)
        self.accept_button.set_disabled_reason("" if has_match else _("Choose an encoding"))

    def _select(self, encoding: str) -> None:
        for row in range(self.encodings.count()):
            if self.encodings.item(row).data(_ENCODING) == encoding:
                self.encodings.setCurrentRow(row)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Move through the list with the arrow keys while the search field has the focus."""
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            if step is not None:
                row = self.encodings.currentRow() + step
                self.encodings.setCurrentRow(max(0, min(row, self.encodings.count() - 1)))
                return True
        return super().eventFilter(watched, event)


class _EncodingList(QListWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(_("Encodings"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    @override
    def sizeHint(self) -> QSize:
        return QSize(theme().px(240), theme().px(_LIST_HEIGHT))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(240), theme().px(120))


def _encodings() -> list[tuple[str, str]]:
    """Every encoding with its script, the common ones first."""
    scripts = {name: script for script, names in ENCODINGS_BY_SCRIPT.items() for name in names.split()}
    ordered = dict.fromkeys((*COMMON_ENCODINGS, *scripts))
    return [(encoding, scripts[encoding]) for encoding in ordered]


class RenameDialog(Dialog):
    """An input for each column with an invalid name, filled with a valid name."""

    help_address = "data.md#columns-and-the-schema"

    def __init__(self, columns: Sequence[str], file_format: Format) -> None:
        super().__init__(
            _("Rename columns"),
            _("A copy of the file with these names is saved and used. The file itself is not changed."),
            _("Save a copy…"),
        )
        self._format = file_format
        self.names: tuple[str, ...] = distinct_names(columns)
        """The name of every column of the file, in order."""
        positions = {position for problem in name_problems(columns) for position in problem.positions}
        self._fields: dict[int, InputField] = {}
        self._edits: dict[int, QLineEdit] = {}
        for position in sorted(positions):
            self._add_column(position, columns[position - 1])
        self._validate()

    def _add_column(self, position: int, name: str) -> None:
        edit = QLineEdit(self.names[position - 1])
        label = (
            _("Column {position}, “{name}”").format(position=position, name=name)
            if name
            else _("Column {position}, without a name").format(position=position)
        )
        self._edits[position] = edit
        self._fields[position] = field = InputField(label, edit)
        edit.textChanged.connect(self._validate)
        self.add(field)

    def _validate(self) -> None:
        names = list(self.names)
        for position, edit in self._edits.items():
            names[position - 1] = edit.text().strip()
        self.names = tuple(names)
        reasons = {
            position: problem.reason for problem in name_problems(names) for position in problem.positions
        }
        for position, field in self._fields.items():
            if not self._format.quote and self._format.delimiter in names[position - 1]:
                reasons[position] = _("The name must not contain the delimiter of the file.")
            field.show_error(reasons.get(position, ""))
        self.accept_button.set_disabled_reason(next(iter(reasons.values()), ""))
