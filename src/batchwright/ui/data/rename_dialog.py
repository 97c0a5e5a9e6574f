"""A dialog that asks for new names of columns whose names are not valid field names."""

from collections.abc import Sequence

from PySide6.QtWidgets import QLineEdit

from batchwright.base.i18n import _
from batchwright.data_files.column_names import distinct_names, name_problems
from batchwright.data_files.formats import Format
from batchwright.ui.widgets.dialogs import Dialog
from batchwright.ui.widgets.fields import InputField


class RenameDialog(Dialog):
    """An input for each column with an invalid name, filled with a valid name."""

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
