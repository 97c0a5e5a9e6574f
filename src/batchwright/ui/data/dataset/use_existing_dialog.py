"""The dialog for using an existing dataset: one in the id registry, or any by its id."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QObject
from PySide6.QtWidgets import QHeaderView, QLineEdit, QWidget
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.base.local_formats import joined
from batchwright.client.dataset_lookup import DatasetLookup
from batchwright.local.id_registry import RegisteredId
from batchwright.schema.model import Schema, are_equivalent
from batchwright.ui.connections.labels import at_connection_phrase
from batchwright.ui.core.formatting import abbreviated_id, number, records, short_datetime
from batchwright.ui.data.schema.schema_diff import SchemaDiff, diff_schemas
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.box_layouts import clear, column, row
from batchwright.ui.widgets.dialogs.dialog import WIDE, Dialog, WarningBanner
from batchwright.ui.widgets.fields import InputField
from batchwright.ui.widgets.icon_tile import IconTile
from batchwright.ui.widgets.tables.row_copy_button import RowCopyButton
from batchwright.ui.widgets.tables.table import DATE_WIDTH, CellModel, FittedTable, TextCell
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.toggles import Switch

_NAME, _ID, _WHEN = range(3)


class RegisteredDatasetsModel(CellModel):
    """Datasets in the id registry: name, id, and the time when the id was recorded."""

    def __init__(self, datasets: Sequence[RegisteredId], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.datasets = datasets

    @override
    def row_count(self) -> int:
        return len(self.datasets)

    @override
    def headings(self) -> Sequence[str]:
        return _("Dataset"), _("Id"), _("Known since")

    @override
    def cell(self, row: int, column: int) -> TextCell:
        dataset = self.datasets[row]
        return (
            TextCell(dataset.name or _("Unnamed"), is_name=True),
            TextCell(abbreviated_id(dataset.id), tone="text2"),
            TextCell(short_datetime(dataset.first_at), tone="text2"),
        )[column]

    @override
    def text(self, row: int, column: int) -> str:
        return self.datasets[row].id if column == _ID else super().text(row, column)

    @override
    def tooltip(self, row: int, column: int) -> str:
        return self.datasets[row].id


class UseDatasetDialog(Dialog):
    """Datasets in the id registry, a field for an id, and the dataset found for it.

    For use with `ask_until`: the first attempt looks the dataset up, the next one accepts it.

    Args:
        datasets: those in the id registry.
        schema: schema of the study, if it has one.
        service: name of the connection.
    """

    help_address = "data.md#upload"

    def __init__(self, datasets: Sequence[RegisteredId], schema: Schema | None, service: str) -> None:
        super().__init__(
            _("Use an existing dataset"),
            _("Instead of uploading, the study uses a dataset {there}.").format(
                there=at_connection_phrase(service)
            ),
            _("Look up"),
            width=WIDE,
        )
        self._schema = schema
        self.lookup: DatasetLookup | None = None
        """The dataset looked up, until another id is entered."""
        self.table = RegisteredDatasetsTable(datasets)
        self._none = Label(
            _("No datasets of this connection are known yet. Enter the id of one."),
            TextRole.SMALL,
            "text2",
            wraps=True,
        )
        self._id = QLineEdit()
        self._id.setObjectName("dataset")
        self._field = InputField(_("Dataset id"), self._id)
        self.uses_schema = False
        """Whether the study is to use the schema of the dataset."""
        self._details = column(gap=12)
        self.add(self.table, self._none, self._field, self._details)
        # Shown only once they have a parent: otherwise they would briefly be top-level windows.
        self.table.setVisible(bool(datasets))
        self._none.setVisible(not datasets)
        self.table.selectionModel().currentRowChanged.connect(self._on_row_selected)
        self.table.clicked.connect(self._on_row_selected)
        self._id.textChanged.connect(self._on_id_edited)
        self._clear()

    @property
    def id(self) -> str:
        """The id entered or selected."""
        return self._id.text().strip()

    def show_loading(self) -> None:
        """Show that the dataset is being looked up."""
        self.accept_button.set_disabled_reason(_("Looking up the dataset…"))

    def show_error(self, text: str) -> None:
        """Show why the lookup failed."""
        self._clear()
        self._field.show_error(text)
        self._id.setFocus()
        self._id.selectAll()

    def show_dataset(self, lookup: DatasetLookup) -> None:
        """Show the dataset, and how its schema differs from that of the study."""
        self._clear()
        self.lookup = lookup
        differs = lookup.schema is not None and not are_equivalent(lookup.schema, self._schema)
        shown = QWidget()
        line = row(IconTile("table", "content", 28), gap=12, parent=shown)
        facts = Label(_facts(lookup), TextRole.SMALL, "text2", wraps=True)
        line.addLayout(column(Label(lookup.dataset.name, TextRole.NAME, wraps=True), facts, gap=1), 1)
        self._details.add(shown, Label(self._comparison(lookup), TextRole.SMALL, "text2", wraps=True))
        if lookup.is_in_other_workspace:
            warning = WarningBanner(
                _("It belongs to a different workspace than the connection; a batch here may reject it."),
                is_live=False,
            )
            self._details.add(warning)
        self.reveal(shown)
        self.uses_schema = differs
        if differs:
            switch = Switch(_("Use its schema for the study"))
            switch.setChecked(True)
            switch.toggled.connect(self._on_schema_toggled)
            self._details.add(switch)
            self.reveal(switch)
        self.accept_button.setText(_("Use this dataset"))
        self.accept_button.set_disabled_reason()

    def _on_schema_toggled(self, is_checked: bool) -> None:
        self.uses_schema = is_checked

    def _on_row_selected(self, current: QModelIndex) -> None:
        if current.isValid():
            self._id.setText(self.table.dataset(current.row()).id)
            self.table.selectRow(current.row())

    def _on_id_edited(self) -> None:
        """An id that is typed clears the selection."""
        self.table.clearSelection()
        self._clear()

    def _clear(self) -> None:
        self.lookup = None
        clear(self._details)
        self._field.show_error("")
        self.accept_button.setText(_("Look up"))
        self.accept_button.set_disabled_reason("" if self.id else _("Choose a dataset, or enter its id"))

    def _comparison(self, lookup: DatasetLookup) -> str:
        if not lookup.dataset.is_v4:
            return _("A V3 dataset: it has no schema, and a layout cannot show its fields.")
        if lookup.schema is None:
            return _("It has no schema yet; imports wait for one.")
        count = len(lookup.schema.fields)
        if self._schema is None:
            return _("Its schema has these fields: {names}.").format(names=joined(lookup.schema.fields))
        if are_equivalent(lookup.schema, self._schema):
            text = ngettext(
                "It has the schema of the study: {count} field.",
                "It has the schema of the study: {count} fields.",
                count,
            )
            return text.format(count=number(count))
        return _differences(diff_schemas(lookup.dataset, self._schema, lookup.schema))


class RegisteredDatasetsTable(FittedTable):
    """The datasets. A button in the row under the pointer, or in the current row, copies its id."""

    def __init__(self, datasets: Sequence[RegisteredId]) -> None:
        self._model = RegisteredDatasetsModel(datasets)
        super().__init__(_("Known datasets"), self._model, width=WIDE, min_rows=2, max_rows=5)
        head = self.horizontalHeader()
        head.setStretchLastSection(False)
        head.setSectionResizeMode(_NAME, QHeaderView.ResizeMode.Stretch)
        self.copy_button = RowCopyButton(
            self, _ID, _("Copy the dataset id"), lambda row: self.dataset(row).id
        )
        theme().on_changed(self._size_columns)
        self._size_columns()

    def dataset(self, row: int) -> RegisteredId:
        """The dataset in a row."""
        return self._model.datasets[row]

    def _size_columns(self) -> None:
        self.set_column_width(_ID, 130)
        self.set_column_width(_WHEN, DATE_WIDTH)


def _facts(lookup: DatasetLookup) -> str:
    dataset = lookup.dataset
    version = _("Version {version}").format(version=number(dataset.schema_version or 0))
    kind = version if dataset.is_v4 else _("V3")
    return "  ·  ".join((records(dataset.total_datapoint_count), kind, dataset.id))


def _differences(diff: SchemaDiff) -> str:
    """How the schemas of the dataset and the study differ."""
    text = []
    if diff.added:
        text.append(_("Only in the dataset: {names}.").format(names=joined(diff.added)))
    if diff.removed:
        text.append(_("Only in the study: {names}.").format(names=joined(diff.removed)))
    if diff.retyped:
        names = joined(name for name, _old, _new in diff.retyped)
        text.append(_("Different type: {names}.").format(names=names))
    return " ".join(text) or _("Same fields, but labels, order or strictness differ.")
