"""The pages of the Data stage: one without a data file, and one with its records, operations and check."""

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.base.local_formats import quoted
from batchwright.data_files.conversion.column_edits import ColumnEdit
from batchwright.data_files.conversion.edit_list import changes_by_column
from batchwright.data_files.views.record_query import RecordQuery
from batchwright.ui.connections.labels import at_connection_phrase
from batchwright.ui.core.background_tasks import TaskMessage
from batchwright.ui.core.formatting import number, records
from batchwright.ui.data.dataset.dataset_operations import DATASET, UPLOAD
from batchwright.ui.data.dataset.operation_panel import OperationPanel
from batchwright.ui.data.dataset.remote_dataset import RemoteDataset
from batchwright.ui.data.file.check_panel import CheckPanel
from batchwright.ui.data.file.data_file import FileState
from batchwright.ui.data.file.file_bar import EncodingButton, FileBar
from batchwright.ui.data.records.conspicuous import AutomaticMarks, ask_marks
from batchwright.ui.data.records.records_bar import RecordsBar
from batchwright.ui.data.records.records_model import RowsModel
from batchwright.ui.data.records.records_table import RowsTable
from batchwright.ui.data.records.value_edits import changes_text
from batchwright.ui.data.state import DataState
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize, IconButton
from batchwright.ui.widgets.help_button import set_help_address
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.placeholders import EmptyState, ErrorState, LoadingState
from batchwright.ui.widgets.splitters import Splitter
from batchwright.ui.widgets.surfaces import DropZone, Edge, Surface
from batchwright.ui.widgets.text import Label


class NoFilePage(Surface):
    """Shown while no file is open, while it is being read, and if it cannot be read or that was cancelled."""

    choose_requested = Signal()
    sample_requested = Signal()
    existing_dataset_requested = Signal()
    new_field_requested = Signal()
    more_encodings_requested = Signal()
    prepare_requested = Signal()
    """The steps of the preparation are to be shown."""

    def __init__(self, state: DataState, parent: QWidget | None = None) -> None:
        super().__init__("window", parent=parent)
        set_help_address(self, "data.md#open-a-table")
        self.setAccessibleName(_("Data file"))
        self._state = state
        self._shown: object = None
        self._zone = DropZone()
        self._states = QStackedWidget()
        column(self._states, margins=4, parent=self._zone)
        self._operation = OperationPanel(state.dataset, DATASET)
        around = column(self._zone, margins=(24, 24, 24, 24))
        layout = column(gap=0, parent=self)
        layout.addLayout(around, 1)
        layout.add(self._operation)
        state.file.changed.connect(self.show_state)
        state.dataset.remote.changed.connect(self._on_dataset_changed)
        state.study.remote_changed.connect(self._on_dataset_changed)
        state.study.schema_changed.connect(self._on_dataset_changed)
        self.show_state()

    def show_state(self) -> None:
        """Show the state of the file."""
        while (old := self._states.currentWidget()) is not None:
            self._states.removeWidget(old)
            old.deleteLater()
        state, remote = self._state.file.state, self._state.dataset.remote
        self._shown = self._content
        if state is FileState.READING:
            self._states.addWidget(LoadingState())
        elif (error := self._state.file.error) is not None and state is FileState.UNREADABLE:
            self._states.addWidget(self._unreadable(error))
        elif state is FileState.CANCELLED:
            self._states.addWidget(self._cancelled())
        elif state is FileState.NONE:
            self._states.addWidget(self._without_file(remote) if remote.binding.dataset_id else self._empty())

    def show_target(self, *, is_target: bool) -> None:
        """Highlight the drop zone while an acceptable file is over it."""
        self._zone.set_target(is_target=is_target)

    def _on_dataset_changed(self) -> None:
        """Rebuild the page only if its content changed: a button may have the focus or be pressed."""
        if self._state.file.state is FileState.NONE and self._content != self._shown:
            self.show_state()

    @property
    def _content(self) -> object:
        """The content of the page while there is no file."""
        state, remote = self._state, self._state.dataset.remote
        place = state.session.connection.title if remote.binding.dataset_id else None
        return place, state.shows_schema, remote.needs_sign_in, remote.error, _dataset_text(remote)

    def _empty(self) -> QWidget:
        choose = Button(_("Choose a file"), glyph="folder-open")
        choose.clicked.connect(self.choose_requested)
        sample = Button(_("Use the sample records"), ButtonKind.QUIET)
        sample.clicked.connect(self.sample_requested)
        line = _("Drop or paste a table here")
        text = _(
            "Each record becomes one task. Encoding and delimiter are detected, a type is suggested for each "
            "column, and every record is checked before anything is sent."
        )
        dataset = Button(_("Use an existing dataset"), ButtonKind.QUIET)
        dataset.clicked.connect(self.existing_dataset_requested)
        start = EmptyState("table", line, text, choose, sample, dataset)
        if self._state.shows_schema:
            return start
        field = Button(_("No file yet? Add fields manually"), ButtonKind.QUIET, height=ButtonSize.NOTICE)
        field.clicked.connect(self.new_field_requested)
        page = QWidget()
        lines = column(gap=0, parent=page)
        lines.addWidget(start, 1)
        lines.add(row(None, field, None))
        return page

    def _without_file(self, remote: RemoteDataset) -> QWidget:
        choose = Button(_("Choose the file"), glyph="folder-open")
        choose.clicked.connect(self.choose_requested)
        use_other = Button(_("Use another dataset"), ButtonKind.QUIET)
        use_other.clicked.connect(self.existing_dataset_requested)
        buttons = [choose, use_other]
        at_connection = at_connection_phrase(self._state.session.connection.title)
        line = _("The study has a dataset {here}").format(here=at_connection)
        if remote.needs_sign_in:
            text = _("Sign in to see the dataset. The study has no data file.")
            sign_in = Button(_("Sign in"), glyph="lock-simple")
            sign_in.clicked.connect(remote.sign_in)
            buttons.insert(0, sign_in)
        elif remote.error is not None:
            text = f"{remote.error.what} {remote.error.remedy}".strip()
            if remote.is_missing:
                line = _("The dataset of this study is not {here}").format(here=at_connection)
            again = Button(_("Retry"), glyph="arrow-clockwise")
            again.clicked.connect(remote.refresh)
            buttons.insert(0, again)
        else:
            text = _dataset_text(remote)
        return EmptyState("stack", line, text, *buttons)

    def _cancelled(self) -> QWidget:
        again = Button(_("Make the steps"), glyph="list-numbers")
        again.clicked.connect(self._state.file.retry)
        steps = Button(_("Show the steps"), ButtonKind.QUIET)
        steps.clicked.connect(self.prepare_requested)
        text = _("The steps in Prepare are as they were. Nothing is checked or uploaded until they are made.")
        return EmptyState("list-numbers", _("Making the steps was cancelled"), text, again, steps)

    def _unreadable(self, error: TaskMessage) -> QWidget:
        again = Button(_("Retry"), glyph="arrow-clockwise")
        again.clicked.connect(self._state.file.retry)
        choose_other = Button(_("Choose another file"), ButtonKind.QUIET)
        choose_other.clicked.connect(self.choose_requested)
        buttons = [again, choose_other]
        if self._state.steps:
            steps = Button(_("Show the steps"), glyph="list-numbers")
            steps.clicked.connect(self.prepare_requested)
            buttons = [steps, choose_other] if self._state.has_step_problem else [again, steps, choose_other]
        elif (file_format := self._state.file.format) is not None:
            encoding = EncodingButton(self._state.read_as)
            encoding.more_requested.connect(self.more_encodings_requested)
            encoding.show_format(file_format)
            buttons.insert(1, encoding)
        return ErrorState(error, *buttons)


def _dataset_text(remote: RemoteDataset) -> str:
    """A description of the dataset, and the reason to open a file."""
    dataset = remote.dataset
    if dataset is None:
        return _("The study has no data file.")
    if not dataset.total_datapoint_count:
        text = _("“{name}” has no records. Choose a data file to continue.")
        return text.format(name=dataset.name)
    text = _(
        "“{name}” has {records}. Nothing else is needed to lay out pages and run them. Choose the file "
        "that it was created from to see the records here."
    )
    return text.format(name=dataset.name, records=records(dataset.total_datapoint_count))


_MIN_HEIGHT = 64
"""Minimum height of the records in pixels at 100 %."""

_LOW = 236
"""Height in pixels at 100 % below which the check is hidden, so that a record is visible."""

_MAX_NAMED = 3
"""Columns named in full; more are counted."""


class ExcludedColumnsBanner(Surface):
    """Names the columns that cannot be fields, with the reasons; a button renames invalid ones."""

    rename_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", Edge.BOTTOM, parent)
        set_help_address(self, "data.md#columns-and-the-schema")
        self._text = Label("", TextRole.SMALL, "text", wraps=True)
        self._rename = Button(_("Rename columns…"), glyph="pencil-simple", height=ButtonSize.NOTICE)
        self._rename.clicked.connect(self.rename_requested)
        line = row(gap=12, margins=(24, 8, 14, 8), parent=self)
        line.addWidget(Glyph("warning-fill", "warn", 18), 0, Qt.AlignmentFlag.AlignVCenter)
        line.addWidget(self._text, 1)
        line.add(self._rename)
        self.hide()

    def show_columns(self, reasons: Mapping[str, str], *, can_rename: bool) -> None:
        """Show the reason for each column; hidden if there are none."""
        self.setVisible(bool(reasons))
        self._rename.setVisible(can_rename)
        self._text.setText(excluded_columns_text(reasons))
        self.setAccessibleName(self._text.text())


class NotesBanner(Surface):
    """Says what the conversion of the file did or left out; once closed, only others show it again."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", Edge.BOTTOM, parent)
        set_help_address(self, "data.md#open-a-table")
        self._notes: Sequence[str] = ()
        self._closed: Sequence[str] = ()
        self._text = Label("", TextRole.SMALL, "text", wraps=True)
        close = IconButton("x", _("Close"), glyph_size=14)
        close.clicked.connect(self._on_closed)
        line = row(gap=12, margins=(24, 8, 14, 8), parent=self)
        line.addWidget(Glyph("info", "text2", 18), 0, Qt.AlignmentFlag.AlignVCenter)
        line.addWidget(self._text, 1)
        line.add(close)
        self.hide()

    def show_notes(self, notes: Sequence[str]) -> None:
        """Show the sentences; hidden if there are none, or if these were closed."""
        self._notes = notes
        self.setVisible(bool(notes) and notes != self._closed)
        self._text.setText(" ".join(notes))
        self.setAccessibleName(self._text.text())

    def _on_closed(self) -> None:
        self._closed = self._notes
        self.hide()


class NotOpenedBanner(Surface):
    """Says why another file was not opened; the current file stays open."""

    close_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", Edge.BOTTOM, parent)
        set_help_address(self, "data.md#open-a-table")
        self._text = Label("", TextRole.SMALL, "text", wraps=True)
        close = IconButton("x", _("Close"), glyph_size=14)
        close.clicked.connect(self.close_requested)
        line = row(gap=12, margins=(24, 8, 14, 8), parent=self)
        line.addWidget(Glyph("warning-circle-fill", "err", 18), 0, Qt.AlignmentFlag.AlignVCenter)
        line.addWidget(self._text, 1)
        line.add(close)
        self.hide()

    def show_file(self, path: Path | None, current: str, error: TaskMessage | None) -> None:
        """Show which file was not opened and why; hidden for None."""
        self.setVisible(path is not None)
        if path is not None and error is not None:
            sentences = (
                "" if path.name in error.what else _("“{name}” was not opened.").format(name=path.name),
                error.what,
                error.remedy,
                _("“{file}” stays open.").format(file=current),
            )
            self._text.setText(" ".join(filter(None, sentences)))
            self.setAccessibleName(self._text.text())


def excluded_columns_text(reasons: Mapping[str, str]) -> str:
    """The first columns that are left out, each with the reason, and how many more there are."""
    first = list(reasons.items())[:_MAX_NAMED]
    texts = [f"{quoted(name)}: {reason}" if name else reason for name, reason in first]
    more = len(reasons) - _MAX_NAMED
    if more > 0:
        text = ngettext("And {count} more column.", "And {count} more columns.", more)
        texts.append(text.format(count=number(more)))
    return _("Left out of the schema: {columns}").format(columns=" ".join(texts)) if texts else ""


class FilePage(QWidget):
    """The records, with the result of the check below them."""

    def __init__(self, state: DataState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self.model = RowsModel(self)
        """The records, as the table shows them."""
        self._place_before: tuple[Path | None, int, int] = (None, -1, 0)
        """File, record and column of the cell that was selected before it was read again."""
        self.table = RowsTable(self.model)
        self.check = CheckPanel(state)
        self._bar = FileBar()
        self.records_bar = RecordsBar(state.views)
        self._excluded_banner = ExcludedColumnsBanner()
        self._notes = NotesBanner()
        self._not_opened = NotOpenedBanner()
        self.upload = OperationPanel(state.dataset, UPLOAD)
        self.operation = OperationPanel(state.dataset, DATASET)
        self._place()
        self._connect()
        self._on_file_changed()

    rename_requested = Signal()
    address_requested = Signal()
    prepare_requested = Signal()
    """The steps of the preparation are to be shown."""
    more_encodings_requested = Signal()
    record_requested = Signal()
    """The current record is to be shown in full."""
    edit_requested = Signal(object, int)
    """The value of a `ParsedRecord` in a column, counted from zero, is to be changed."""

    def regions(self) -> Sequence[QWidget]:
        """The regions that F6 cycles through."""
        regions = (
            self._bar,
            self._not_opened,
            self._notes,
            self._excluded_banner,
            self.records_bar,
            self.table,
            self.upload,
            self.operation,
            self.check,
        )
        return [region for region in regions if region.isVisibleTo(self)]

    def _place(self) -> None:
        below = QWidget()
        lower = column(self.upload, self.operation, gap=0, parent=below)
        lower.addWidget(self.check, 1)
        none = _("Records added below the header are shown here.")
        self._records = QStackedWidget()
        self._records.addWidget(self.table)
        empty = Surface("surface")
        column(EmptyState("table", _("No records yet"), none), parent=empty)
        self._records.addWidget(empty)
        no_match = Surface("surface")
        again = Button(_("Show all records"))
        again.clicked.connect(self._show_all)
        nothing = _("No record of the file fulfils the conditions.")
        column(EmptyState("funnel-simple", _("No matching records"), nothing, again), parent=no_match)
        self._records.addWidget(no_match)
        theme().on_changed(self._update_size)
        self._update_size()
        left = Splitter(
            Qt.Orientation.Vertical, self._records, below, name="data/check", background="surface"
        )
        left.setStretchFactor(0, 1)
        left.setStretchFactor(1, 0)
        above = (self._bar, self._not_opened, self._notes, self._excluded_banner, self.records_bar)
        column(*above, gap=0, parent=self).addWidget(left, 1)

    def _connect(self) -> None:
        state = self._state
        state.file.changed.connect(self._on_file_changed)
        state.file.count_changed.connect(self._on_count_changed)
        state.file.edited.connect(self._on_edited)
        state.file.page_read.connect(self.model.set_page)
        state.schema_changed.connect(self._on_schema_changed)
        state.rejections_changed.connect(self._on_rejections_changed)
        state.not_opened_changed.connect(self._on_not_opened_changed)
        self._not_opened.close_requested.connect(state.clear_not_opened)
        self._excluded_banner.rename_requested.connect(self.rename_requested)
        self.table.record_requested.connect(self._on_record_requested)
        self.table.edit_requested.connect(self._on_edit_requested)
        self.records_bar.undo_requested.connect(state.undo_edits)
        self.table.query_requested.connect(state.views.set_query)
        columns = self.table.columns
        columns.hidden_changed.connect(lambda: self.records_bar.show_hidden(columns.hidden))
        self.table.selectionModel().currentRowChanged.connect(
            lambda index: self.records_bar.show_row(index.row())
        )
        self.records_bar.column_requested.connect(columns.show)
        self.records_bar.step_requested.connect(self.show_hit)
        state.hit_step_requested.connect(self.show_hit)
        state.views.changed.connect(self._on_view_changed)
        state.views.marks_changed.connect(lambda: self.model.show_marks(state.views.marks))
        self.records_bar.find_conspicuous.clicked.connect(lambda: ask_marks(state))
        self.table.filter.closed.connect(self._show_place)
        AutomaticMarks(state, self)
        self.model.page_requested.connect(
            lambda page: state.file.request_page(page, self.model.records_of(page))
        )
        self._bar.format_chosen.connect(state.read_as)
        self._bar.option_chosen.connect(state.convert_with)
        self._bar.more_encodings_requested.connect(self.more_encodings_requested)
        self._bar.address_requested.connect(self.address_requested)
        self._bar.prepare_requested.connect(self.prepare_requested)
        state.rejection_step_requested.connect(self.check.list.step)
        self.check.row_focus_requested.connect(self.table.setFocus)

    def show_record(self, record: int, field: str) -> None:
        """Select a record, by its index in the file; all records are shown if the view leaves it out."""
        row_of = self.model.row_of(record)
        if row_of is None:
            self._show_all()
            self.model.show_view(None)
            row_of = record
        self.table.go_to(row_of, field)

    def show_hit(self, step: int) -> None:
        """Select the next search hit (1) or the previous one (-1)."""
        row_found = self._state.views.next_hit(self.table.currentIndex().row(), step)
        if row_found is not None:
            self.table.go_to(row_found)

    def step_record(self, step: int) -> None:
        """Select the next record (1) or the previous one (-1), in the same column."""
        current = self.table.currentIndex()
        row_beside = current.row() + step
        if 0 <= row_beside < self.row_count:
            self.table.go_to(row_beside)
            self.table.setCurrentIndex(self.model.index(row_beside, current.column()))

    def selected_records(self, most: int) -> list[int]:
        """The indexes of the selected records in the order in which they are shown, at most some."""
        rows = (number for part in self.table.selected_rows() for number in part)
        return [self.model.record_index(number) for number in islice(rows, most)]

    @property
    def row_count(self) -> int:
        """The number of rows that are shown."""
        return self.model.rowCount()

    def _show_all(self) -> None:
        views = self._state.views
        views.set_query(RecordQuery(search=views.query.search))

    def _on_view_changed(self) -> None:
        views = self._state.views
        self.table.show_query(views.query)
        self.model.show_filtered(frozenset(condition.column for condition in views.query.conditions))
        if views.view is not None or views.query == RecordQuery():
            record = self.model.record_index(at) if (at := self.table.currentIndex().row()) >= 0 else None
            self.model.show_view(views.view)
            self._show_place()
            if record is not None and self.table.currentIndex().row() < 0:
                self._select_again(record)
        self.table.viewport().update()

    def _select_again(self, record: int) -> None:
        """Select the record that was selected before, if it is still shown."""
        row_of = self.model.row_of(record)
        if row_of is not None and row_of < self.model.rowCount():
            self.table.go_to(row_of)

    def _show_place(self) -> None:
        """Show the table, or why it has no rows."""
        summary, view = self._state.file.summary, self._state.views.view
        is_filtered = view is not None and view.order is not None and not view.order and view.is_complete
        is_empty = summary is not None and summary.is_counted and not summary.records
        is_typing = self.table.filter.isVisible()  # in the heading, which stays
        self._records.setCurrentIndex(1 if is_empty else 2 if is_filtered and not is_typing else 0)

    @override
    def event(self, event: QEvent) -> bool:
        """Ctrl+F searches the records here, and not the layout."""
        if isinstance(event, QKeyEvent) and event.matches(QKeySequence.StandardKey.Find):
            if event.type() is QEvent.Type.KeyPress:
                self.focus_search()
            event.accept()
            return True
        return super().event(event)

    def focus_search(self) -> None:
        """Move the focus to the search field."""
        self.records_bar.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.records_bar.search.selectAll()

    def _update_size(self) -> None:
        """The header and one record stay visible; the page without records must not require more."""
        self._records.setMinimumHeight(theme().px(_MIN_HEIGHT))
        self.check.setVisible(self.height() >= theme().px(_LOW))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_size()

    def _on_record_requested(self, row: int) -> None:
        if row != self.table.currentIndex().row():
            self.table.go_to(row)
        self.record_requested.emit()

    def _on_edit_requested(self, row: int, column: int) -> None:
        entry = self.model.record(row)
        if entry is not None:
            self.edit_requested.emit(entry, column)

    def _on_file_changed(self) -> None:
        summary, current = self._state.file.summary, self.table.currentIndex()
        if summary is None:
            if current.isValid():
                record = self.model.record_index(current.row())
                self._place_before = (self._state.file.path, record, current.column())
            self.model.show_file((), ())
            return
        first, counts_lines = self._state.file.first_records, summary.counts_lines
        self.model.show_file(summary.columns, first, counts_lines=counts_lines)
        self._bar.show_file(summary)
        self._notes.show_notes(summary.notes)
        self.records_bar.show_columns(summary.columns)
        self._show_place()
        self._on_schema_changed()
        self._on_rejections_changed()

    def _on_count_changed(self) -> None:
        summary = self._state.file.summary
        if summary is not None:
            self._bar.show_count(summary)
            self._notes.show_notes(summary.notes)
            self.model.show_count(summary.records)
            self.records_bar.show_count(summary.records)
            self.model.show_edited(summary.edited_cells)
            edits = self._state.edits
            self.model.show_column_changes(changes_by_column(edits))
            of_columns = [edit.text for edit in edits if isinstance(edit, ColumnEdit)]
            self.records_bar.show_changes(len(edits), changes_text(len(edits)), of_columns, summary.notes)
            self._show_place()
            self._select_place_before()

    def _on_edited(self) -> None:
        summary, edits = self._state.file.summary, self._state.file.shown_edits
        self.model.show_edits(edits)
        if summary is not None and edits is None:
            self._bar.show_file(summary)
        self._on_count_changed()

    def _select_place_before(self) -> None:
        """Select the cell that was selected before the same file was read again, once it is read."""
        path, record, column_before = self._place_before
        summary = self._state.file.summary
        if summary is None or not summary.is_counted:
            return
        self._place_before = (None, -1, 0)
        row_of = self.model.row_of(record) if path == summary.path else None
        if (
            row_of is not None
            and 0 <= row_of < self.model.rowCount()
            and not self.table.currentIndex().isValid()
        ):
            self.table.go_to(row_of)
            self.table.setCurrentIndex(self.model.index(row_of, column_before))

    def _on_schema_changed(self) -> None:
        self.model.show_schema(self._state.study.schema)
        self._excluded_banner.show_columns(
            self._state.excluded_columns, can_rename=self._state.can_rename_columns
        )

    def _on_not_opened_changed(self) -> None:
        path, error = self._state.not_opened or (None, None)
        summary = self._state.file.summary
        self._not_opened.show_file(path, summary.path.name if summary else "", error)

    def _on_rejections_changed(self) -> None:
        self.model.show_rejections(self._state.rejections_by_record)
