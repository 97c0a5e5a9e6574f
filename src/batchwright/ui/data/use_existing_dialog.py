"""Choosing a dataset that is at the service already: from those known here, or by its id."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QObject, QSize, Qt
from PySide6.QtWidgets import QHeaderView, QLineEdit, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.local.id_registry import RegisteredId
from batchwright.schema.model import Schema, mean_the_same
from batchwright.ui.connections.labels import at_connection_phrase
from batchwright.ui.core.formatting import abbreviated_id, number, records, short_datetime
from batchwright.ui.data.schema_plan import SchemaDiff, diff_schemas
from batchwright.ui.data.use_existing_dataset import DatasetLookup
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.box_layouts import clear, column, row
from batchwright.ui.widgets.dialogs import WIDE, Dialog, WarningLine
from batchwright.ui.widgets.fields import InputField
from batchwright.ui.widgets.icon_tile import IconTile
from batchwright.ui.widgets.models import TableModel
from batchwright.ui.widgets.tables import ROW, CellRole, Table, TextCell
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.toggles import Switch

_NAME, _ID, _WHEN = range(3)
_MOST_ROWS = 5


class KnownDatasetsModel(TableModel):
    """Datasets of the register: what they are called, their ids, and since when they are known."""

    def __init__(self, known: Sequence[RegisteredId], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.known = known

    @override
    def row_count(self) -> int:
        return len(self.known)

    @override
    def column_count(self) -> int:
        return 3

    @override
    def heading(self, column: int, role: int) -> object:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return (_("Dataset"), _("Id"), _("RegisteredId since"))[column]

    @override
    def value(self, row: int, column: int, role: int) -> object:
        one = self.known[row]
        if role == Qt.ItemDataRole.ToolTipRole:
            return one.id
        text = (one.name or _("Without a name"), abbreviated_id(one.id), short_datetime(one.first_at))[column]
        if role == CellRole.CELL:
            tone = "text" if column == _NAME else "text2"
            return TextCell(text, tone=tone, is_name=column == _NAME)
        return text if role == Qt.ItemDataRole.DisplayRole else None


class UseDatasetDialog(Dialog):
    """Known datasets, a field for an id, and below them what was found under it.

    Use it with `ask_until`: the first attempt looks at the dataset, the next one takes it.

    Args:
        known: the datasets that the register knows.
        schema: that of the study, if it has one.
        service: what the connection is called.
    """

    def __init__(self, known: Sequence[RegisteredId], schema: Schema | None, service: str) -> None:
        super().__init__(
            _("Use a dataset that is there"),
            _("In place of uploading, the study takes a dataset {there}.").format(
                there=at_connection_phrase(service)
            ),
            _("Look at it"),
            width=WIDE,
        )
        self._schema = schema
        self.found: DatasetLookup | None = None
        """What was looked at, until another id is given."""
        self.table = _KnownTable(known)
        self._none = Label(
            _("No dataset of this connection is known here yet. Give the id of one."),
            TextRole.SMALL,
            "text2",
            wraps=True,
        )
        self._id = QLineEdit()
        self._id.setObjectName("dataset")
        self._field = InputField(_("Dataset id"), self._id)
        self.uses_schema = False
        """Whether the dataset's schema is to become the study's."""
        self._details = column(gap=12)
        self.put(self.table, self._none, self._field, self._details)
        # Not before they have a parent: they would be windows of their own for a moment.
        self.table.setVisible(bool(known))
        self._none.setVisible(not known)
        self.table.selectionModel().currentRowChanged.connect(self._on_row_selected)
        self.table.clicked.connect(self._on_row_selected)
        self._id.textChanged.connect(self._on_id_edited)
        self._clear()

    @property
    def id(self) -> str:
        """The id that was typed or chosen."""
        return self._id.text().strip()

    def show_loading(self) -> None:
        """The dataset is being looked at."""
        self.act.allow(_("The dataset is looked at"))

    def show_error(self, sentence: str) -> None:
        """Say why it could not be looked at."""
        self._clear()
        self._field.show_error(sentence)
        self._id.setFocus()
        self._id.selectAll()

    def show_dataset(self, found: DatasetLookup) -> None:
        """Show the dataset, its schema beside that of the study, and what can be done."""
        self._clear()
        self.found = found
        differs = found.schema is not None and not mean_the_same(found.schema, self._schema)
        shown = QWidget()
        line = row(IconTile("table", "content", 28), gap=12, parent=shown)
        facts = Label(_facts(found), TextRole.SMALL, "text2", wraps=True)
        line.addLayout(column(Label(found.dataset.name, TextRole.NAME, wraps=True), facts, gap=1), 1)
        self._details.put(shown, Label(self._comparison(found), TextRole.SMALL, "text2", wraps=True))
        if found.is_in_other_workspace:
            warning = WarningLine(
                _("It belongs to another workspace than the connection's; a batch here may refuse it."),
                is_live=False,
            )
            self._details.put(warning)
        self.reveal(shown)
        self.uses_schema = differs
        if differs:
            switch = Switch(_("Take over its schema"))
            switch.setChecked(True)
            switch.toggled.connect(self._on_schema_toggled)
            self._details.put(switch)
            self.reveal(switch)
        self.act.setText(_("Use this dataset"))
        self.act.allow()

    def _on_schema_toggled(self, is_taken: bool) -> None:
        self.uses_schema = is_taken

    def _on_row_selected(self, current: QModelIndex) -> None:
        if current.isValid():
            self._id.setText(self.table.known(current.row()).id)
            self.table.selectRow(current.row())

    def _on_id_edited(self) -> None:
        """An id that is typed is that of no row."""
        self.table.clearSelection()
        self._clear()

    def _clear(self) -> None:
        self.found = None
        clear(self._details)
        self._field.show_error("")
        self.act.setText(_("Look at it"))
        self.act.allow("" if self.id else _("Choose a dataset, or give its id"))

    def _comparison(self, found: DatasetLookup) -> str:
        if not found.dataset.is_v4:
            return _("A V3 dataset: it has no schema, and a layout cannot show its fields.")
        if found.schema is None:
            return _("It has no schema yet, and imports wait for one.")
        count = len(found.schema.fields)
        if self._schema is None:
            return _("Its schema has these fields: {names}.").format(names=", ".join(found.schema.fields))
        if mean_the_same(found.schema, self._schema):
            return _("Its schema is that of the study: {count} fields.").format(count=number(count))
        return _differences(diff_schemas(found.dataset, self._schema, found.schema))


class _KnownTable(Table):
    """As tall as its rows, up to five."""

    def __init__(self, known: Sequence[RegisteredId]) -> None:
        self._model = KnownDatasetsModel(known)
        super().__init__(_("Known datasets"), self._model)
        head = self.horizontalHeader()
        head.setStretchLastSection(False)
        head.setSectionResizeMode(_NAME, QHeaderView.ResizeMode.Stretch)
        theme().follow(self._size_columns)
        self._size_columns()

    def known(self, row: int) -> RegisteredId:
        """The dataset in a row."""
        return self._model.known[row]

    def _size_columns(self) -> None:
        for narrow in (_ID, _WHEN):
            self.setColumnWidth(narrow, theme().px(130))

    @override
    def sizeHint(self) -> QSize:
        rows = min(self._model.rowCount(), _MOST_ROWS)
        return QSize(theme().px(WIDE), theme().px(36) + rows * theme().px(ROW) + 4)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(240), min(self.sizeHint().height(), theme().px(36 + 2 * ROW)))


def _facts(found: DatasetLookup) -> str:
    dataset = found.dataset
    version = _("Version {version}").format(version=number(dataset.schema_version or 0))
    kind = version if dataset.is_v4 else _("V3")
    return "  ·  ".join((records(dataset.total_datapoint_count), kind, dataset.id))


def _differences(diff: SchemaDiff) -> str:
    """What the dataset's schema has that the study's has not, and the other way."""
    text = []
    if diff.added:
        text.append(_("Only in the dataset: {names}.").format(names=", ".join(diff.added)))
    if diff.removed:
        text.append(_("Only in the study: {names}.").format(names=", ".join(diff.removed)))
    if diff.retyped:
        names = ", ".join(name for name, _old, _new in diff.retyped)
        text.append(_("Of another type: {names}.").format(names=names))
    return " ".join(text) or _(
        "The same fields, with other labels, in another order, or asked for otherwise."
    )
