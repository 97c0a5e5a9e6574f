"""The schema panel: a type for each column, suggested from the values, and a summary of the dataset."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractButton, QComboBox, QMenu, QScrollArea, QSizePolicy, QWidget
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.schema.model import FieldType
from batchwright.ui.core.formatting import abbreviated_id, number, records
from batchwright.ui.data.dataset.remote_dataset import RemoteDataset
from batchwright.ui.data.labels import EXCLUDED_ICON, TYPE_ICONS, column_summary, type_name
from batchwright.ui.data.schema.schema_columns import SchemaColumn
from batchwright.ui.data.state import DataState
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded
from batchwright.ui.theme.focus import RING
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.theme.tips import tooltip_text
from batchwright.ui.widgets.box_layouts import ScaledBoxLayout, column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize, IconButton
from batchwright.ui.widgets.help_button import HelpButton, set_help_address
from batchwright.ui.widgets.icon_tile import Glyph, IconTile
from batchwright.ui.widgets.id_label import IdLabel
from batchwright.ui.widgets.surfaces import Edge, Separator, Surface
from batchwright.ui.widgets.text import ElidedLabel, Label, show_literal
from batchwright.ui.widgets.toggles import Switch
from batchwright.ui.widgets.wrapping_row import WrappingRow, group


class DatasetCard(Surface):
    """Visible while the dataset at the active connection is loaded, or if loading it has failed."""

    schema_change_requested = Signal()
    use_schema_requested = Signal()
    imports_requested = Signal()

    def __init__(self, remote: RemoteDataset, parent: QWidget | None = None) -> None:
        super().__init__("surface", Edge.TOP, parent)
        self.setAccessibleName(_("Dataset"))
        self._remote = remote
        self._name = ElidedLabel("", TextRole.NAME)
        self._facts = ElidedLabel("", TextRole.SMALL, "text2", tabular=True)
        self._id = IdLabel("", _("Copy the dataset id"))
        self._glyph = Glyph("check-circle-fill", "ok", 16)
        self._text = Label("", TextRole.SMALL, "text2", wraps=True)
        self._change = Button(_("Change the dataset's schema"), height=ButtonSize.NOTICE)
        self._change.clicked.connect(self.schema_change_requested)
        self._use_schema = Button(_("Use its schema"), ButtonKind.QUIET, height=ButtonSize.NOTICE)
        self._use_schema.clicked.connect(self.use_schema_requested)
        self._imports = Button(_("Imports"), ButtonKind.QUIET, glyph="list-bullets", height=ButtonSize.NOTICE)
        self._imports.clicked.connect(self.imports_requested)
        self._retry = Button(_("Retry"), height=ButtonSize.NOTICE)
        self._retry.clicked.connect(remote.refresh)
        self._sign_in = Button(_("Sign in"), height=ButtonSize.NOTICE)
        self._sign_in.clicked.connect(remote.sign_in)
        state = row(gap=8)
        state.add(self._glyph)
        state.addWidget(self._text, 1)
        buttons = row(self._change, self._use_schema, self._imports, self._retry, self._sign_in, None, gap=4)
        facts = row(self._facts, self._id, None, gap=6)
        column(self._name, facts, state, buttons, gap=4, margins=(15, 10, 12, 2), parent=self)

    def show_dataset(self) -> None:
        """Show the dataset as last loaded."""
        remote = self._remote
        dataset, error = remote.dataset, remote.error
        self.setVisible(dataset is not None or error is not None)
        differs = remote.schema_differs
        self._change.setVisible(differs)
        self._imports.setVisible(dataset is not None and dataset.is_v4 and error is None)
        self._use_schema.setVisible(differs and remote.schema is not None)
        self._retry.setVisible(error is not None and not remote.needs_sign_in)
        self._sign_in.setVisible(remote.needs_sign_in)
        self._facts.setVisible(dataset is not None and error is None)
        dataset_id = remote.binding.dataset_id or ""
        self._id.show_id(dataset_id, abbreviated_id(dataset_id))
        if error is not None:
            text = error.what
            if remote.needs_sign_in:
                text = _("Sign in to see the dataset.")
            elif remote.is_missing:
                text = _("This study has a dataset that is not here.")
            self._show(_("Dataset"), "", text)
            self._glyph.show_glyph(
                *(("lock-simple", "text2") if remote.needs_sign_in else ("warning-circle-fill", "err"))
            )
            self.setToolTip(tooltip_text(error.remedy))
        elif dataset is not None:
            name = _("Dataset “{name}”").format(name=dataset.name)
            self._show(name, _facts(remote), _state(remote))
            self._glyph.show_glyph(*(("warning-fill", "warn") if differs else ("check-circle-fill", "ok")))
            self.setToolTip(tooltip_text(dataset.id))

    def _show(self, name: str, facts: str, text: str) -> None:
        self._name.setText(name)
        self._facts.setText(facts)
        self._text.setText(text)


def _facts(remote: RemoteDataset) -> str:
    dataset = remote.dataset
    if dataset is None:
        return ""
    facts = [records(dataset.total_datapoint_count)]
    if dataset.is_v4:
        version = _("Version {version}").format(version=number(dataset.schema_version or 0))
        facts.append(version if remote.schema else _("No schema yet"))
    else:
        facts.append(_("V3"))
    return "  ·  ".join(facts)


def _state(remote: RemoteDataset) -> str:
    if remote.dataset is not None and not remote.dataset.is_v4:
        return _("A V3 dataset has no schema, and no records can be appended.")
    if remote.schema is None:
        return _("It has no schema yet; imports wait for one.")
    return _("Its schema differs from this one.") if remote.schema_differs else _("It has this schema.")


_ROW = 52
_COMBO = 146
_ROWS_PER_BATCH = 4
_ROWS_PER_SCROLL = 300
"""Rows that are created at first, and again whenever the list is scrolled to its end."""

"""Rows created per iteration of the event loop."""


class FieldTypeCombo(QComboBox):
    """The type of a field; the wheel scrolls the panel instead of changing it."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        for type in FieldType:
            self.addItem(type_name(type), type.value)
        self.addItem(_("Left out"), "")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.activated.connect(self._on_activated)

    def show_type(self, type: FieldType | None) -> None:
        """Show the current type."""
        self.setCurrentIndex(self.findData("" if type is None else type.value))

    def _on_activated(self) -> None:
        value = self.currentData()
        self.chosen.emit(FieldType(value) if value else None)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class FieldButton(QAbstractButton):
    """Icon, name and description of a column; opens the dialog for its label."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty(RING, 7)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._tile = IconTile("text-t", "field", 28)
        self._name = ElidedLabel("", TextRole.NAME)
        self._summary = ElidedLabel("", TextRole.CAPTION, "text2", tabular=True)
        line = row(gap=10, margins=(0, 2, 4, 2), parent=self)
        line.addWidget(self._tile)
        line.addLayout(column(self._name, self._summary, gap=1), 1)
        for summary in (self._tile, self._name, self._summary):
            summary.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def show_column(self, info: SchemaColumn) -> None:
        """Show a column."""
        text, is_lost = (
            column_summary(info),
            info.type is not None and info.is_in_file is False,
        )
        self._tile.show_glyph(*(EXCLUDED_ICON if info.type is None else TYPE_ICONS[info.type]))
        self._name.setText(info.name)
        self._name.set_tone("text" if info.type else "text3")
        self._summary.setText(text)
        self._summary.set_tone("warn" if is_lost else "text2")
        show_literal(self, info.name)
        self.setAccessibleName(sanitize_line(_("Label of {name}").format(name=info.name)))
        self.setAccessibleDescription(sanitize(text))
        label = _("Participants see “{label}”. ").format(label=info.label) if info.label else ""
        self.setToolTip(tooltip_text(f"{label}{info.reason}"))
        self.setEnabled(info.type is not None)

    @override
    def sizeHint(self) -> QSize:
        return QSize(theme().px(170), theme().px(40))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if (self.underMouse() or self.isDown()) and self.isEnabled():
            draw_rounded(QPainter(self), self.rect(), theme().px(7), theme().tokens.hover)


class SchemaColumnRow(QWidget):
    """One column of the file, with a combo box for its type."""

    type_chosen = Signal(str, object)
    label_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column: SchemaColumn | None = None
        self._field = FieldButton()
        self._field.clicked.connect(lambda: self.label_requested.emit(self._field.text()))
        self._choice = FieldTypeCombo()
        self._choice.chosen.connect(lambda type: self.type_chosen.emit(self._field.text(), type))
        line = row(gap=8, margins=(0, 5, 0, 6))
        line.addWidget(self._field, 1)
        line.addWidget(self._choice)
        column(line, Separator(), gap=0, parent=self)
        theme().on_changed(self._update_size)
        self._update_size()

    def show_column(self, info: SchemaColumn) -> None:
        """Show a column, unless nothing has changed."""
        if info == self._column:
            return
        self._column = info
        self._field.show_column(info)
        self._choice.show_type(info.type)
        self._choice.setEnabled(info.can_be_field)
        self._choice.setAccessibleName(sanitize_line(_("Type of {name}").format(name=info.name)))
        self._choice.setAccessibleDescription(sanitize(info.reason))

    def _update_size(self) -> None:
        self.setFixedHeight(theme().px(_ROW))
        self._choice.setFixedWidth(theme().px(_COMBO))


class SchemaPanel(Surface):
    """All columns with their types, and whether every field must be filled."""

    label_requested = Signal(str)
    save_requested = Signal()
    open_requested = Signal()
    existing_dataset_requested = Signal()
    new_field_requested = Signal()
    field_removed = Signal(str, object)
    """A field that is not a column was left out: its name, and the previous `Schema`."""

    def __init__(self, state: DataState, parent: QWidget | None = None) -> None:
        super().__init__("surface", parent=parent)
        set_help_address(self, "data.md#columns-and-the-schema")
        self.setAccessibleName(_("Schema"))
        self._state = state
        self._columns: tuple[SchemaColumn, ...] = ()
        self._rows: list[SchemaColumnRow] = []
        self._max_rows = _ROWS_PER_SCROLL
        self._row_timer = QTimer(self)
        self._row_timer.setSingleShot(True)
        self._row_timer.timeout.connect(self._add_rows)
        self._build()
        state.schema_changed.connect(self.show_schema)
        state.dataset.remote.changed.connect(self.card.show_dataset)
        self.show_schema()

    def show_schema(self) -> None:
        """Show the current schema."""
        schema, profile = self._state.study.schema, self._state.file.profile
        is_proposed = profile is not None and schema == profile.proposal.schema
        self._title.setText(_("Suggested schema") if is_proposed else _("Schema"))
        self._text.setText(self._status_text(is_proposed))
        self._strict.setChecked(schema is not None and schema.strict)
        self._strict.setEnabled(schema is not None)
        self._strict_text.setText(
            _("Records that lack a field are rejected.")
            if self._strict.isChecked()
            else _("Records may lack fields; the cells stay empty.")
        )
        self._propose.setEnabled(profile is not None and not is_proposed)
        self._save.setEnabled(schema is not None)
        self.card.show_dataset()
        self._show_columns()

    def _build(self) -> None:
        self._title, self._text = Label("", TextRole.SECTION), Label("", TextRole.SMALL, "text2", wraps=True)
        add = Button(_("Add field"), ButtonKind.QUIET, glyph="plus", height=ButtonSize.NOTICE)
        add.clicked.connect(self.new_field_requested)
        head = WrappingRow(self._title, HelpButton(_("Schema")), None, group(add, self._menu_button()))
        self._list: ScaledBoxLayout = column(gap=0)
        self._strict = Switch(_("Every field must be filled"))
        self._strict.clicked.connect(lambda on: self._state.schema.set_strict(is_strict=on))
        self._strict_text = Label("", TextRole.CAPTION, "text2", wraps=True)
        inner = Surface("surface")
        inside = column(self._list, gap=8, margins=(15, 4, 16, 16), parent=inner)
        inside.add(6, self._strict, self._strict_text, None)
        scroll = QScrollArea()
        scroll.setAccessibleName(_("Fields"))
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inner)
        self._scroll_bar = scroll.verticalScrollBar()
        self._scroll_bar.valueChanged.connect(self._on_scrolled)
        self._save = Button(_("Save schema"), glyph="floppy-disk")
        self._save.clicked.connect(self.save_requested)
        load = Button(_("Open a schema"), ButtonKind.QUIET)
        load.clicked.connect(self.open_requested)
        self.card = DatasetCard(self._state.dataset.remote)
        footer = column(WrappingRow(self._save, load), margins=(16, 8, 12, 14))
        top = column(head, self._text, gap=0, margins=(15, 8, 12, 6))
        layout = column(top, gap=0, parent=self)
        layout.addWidget(scroll, 1)
        layout.add(self.card)
        layout.addLayout(footer)

    def _menu_button(self) -> IconButton:
        self._more_button = more = IconButton("dots-three-bold", _("More schema actions"))
        self._menu = QMenu(self)
        self._propose = self._add_menu_entry(
            _("Suggest from the file again"), self._state.schema.use_proposal
        )
        self._add_menu_entry(_("Open a schema…"), self.open_requested.emit)
        self._add_menu_entry(_("Save the schema as a file…"), self.save_requested.emit)
        self._add_menu_entry(_("Use an existing dataset…"), self.existing_dataset_requested.emit)
        more.clicked.connect(self._show_menu)
        return more

    def _add_menu_entry(self, text: str, do: Callable[[], object]) -> QAction:
        entry = QAction(text, self)
        entry.triggered.connect(lambda: do())
        self._menu.addAction(entry)
        return entry

    def _show_menu(self) -> None:
        more = self._more_button
        self._menu.popup(more.mapToGlobal(more.rect().bottomLeft()))

    def _status_text(self, is_proposed: bool) -> str:
        profile, schema = self._state.file.profile, self._state.study.schema
        if profile is None and self._state.file.summary:
            return _("Reading the values of the columns.")
        if profile is not None and is_proposed:
            if not profile.proposal.records:
                return _("Suggested from the column names only. Correct it where necessary.")
            profiled = records(profile.proposal.records)
            return _("Suggested from {records}. Correct it where necessary.").format(records=profiled)
        count = len(schema.fields) if schema else 0
        if not count:
            return _("No fields yet.")
        return ngettext("{count} field.", "{count} fields.", count).format(count=number(count))

    def _set_type(self, name: str, type: FieldType | None) -> None:
        before = self._state.study.schema
        self._state.schema.set_type(name, type)
        if before is not None and name not in {info.name for info in self._state.columns}:
            self.field_removed.emit(name, before)

    def _show_columns(self) -> None:
        """Show a row for each column; new rows are created a few at a time to keep the window responsive.

        Files with thousands of columns get the further rows as the list is scrolled.
        """
        self._columns = columns = self._state.columns
        for row_shown, info in zip(self._rows, columns, strict=False):
            row_shown.show_column(info)
        for row_shown in self._rows[len(columns) :]:
            row_shown.hide()
            row_shown.deleteLater()
        del self._rows[len(columns) :]
        self._row_timer.start(0)

    def _on_scrolled(self, value: int) -> None:
        if value + self._scroll_bar.pageStep() >= self._scroll_bar.maximum():
            self._max_rows = max(self._max_rows, len(self._rows) + _ROWS_PER_SCROLL)
            self._row_timer.start(0)

    def _add_rows(self) -> None:
        columns = self._columns[: self._max_rows]
        for info in columns[len(self._rows) : len(self._rows) + _ROWS_PER_BATCH]:
            added = SchemaColumnRow()
            added.type_chosen.connect(self._set_type)
            added.label_requested.connect(self.label_requested)
            added.show_column(info)
            self._list.addWidget(added)
            self._rows.append(added)
        if len(self._rows) < len(columns):
            self._row_timer.start(0)
