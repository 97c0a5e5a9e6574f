"""The Data stage: from a data file to a dataset."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.desktop import open_medium
from batchwright.ui.core.formatting import number, records
from batchwright.ui.core.next_step import show_next_step
from batchwright.ui.core.operations import Operation, OperationState
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.web_images import WebImages
from batchwright.ui.core.web_media import PreviewMedia
from batchwright.ui.data.actions import ACTIONS
from batchwright.ui.data.context import DataContext
from batchwright.ui.data.dataset.dataset_commands import (
    append_records,
    change_schema,
    send_corrected,
    show_cleared_values,
    upload_data,
    upload_v3,
    use_existing_dataset,
)
from batchwright.ui.data.dataset.dataset_operations import DatasetOperation, UploadOperation
from batchwright.ui.data.dataset.further_imports import show_imports
from batchwright.ui.data.dataset.operation_text import result_text, status_text
from batchwright.ui.data.dataset.upload import start_upload
from batchwright.ui.data.file.base_address import set_base_address
from batchwright.ui.data.file.data_file import FileState
from batchwright.ui.data.file.data_file_commands import (
    choose_encoding,
    choose_file,
    open_drop,
    open_dropped_file,
    open_sample,
    open_schema,
    rename_columns,
    save_accepted,
    save_rejected,
    save_schema,
)
from batchwright.ui.data.file.drag_drop import DropRefusal, dropped_files
from batchwright.ui.data.labels import columns_named
from batchwright.ui.data.next_step import DataAction, next_step
from batchwright.ui.data.plan_command import how_many
from batchwright.ui.data.prepare.step_commands import add_design, add_step, change_step, show_result
from batchwright.ui.data.prepare.step_files import open_steps, save_steps
from batchwright.ui.data.proposal_notice import PROPOSED_LAYOUT, show_proposal
from batchwright.ui.data.records.column_changes import change_column
from batchwright.ui.data.records.record_commands import copy_records, count_values, go_to_row, show_record
from batchwright.ui.data.records.stored_arrangements import StoredArrangements
from batchwright.ui.data.records.value_edits import edit_cell, replace_hits
from batchwright.ui.data.renamed_columns import offer_update
from batchwright.ui.data.schema.schema_commands import add_field, edit_label, offer_restore
from batchwright.ui.data.side_panel import PREPARE, SidePanel
from batchwright.ui.data.stage_pages import FilePage, NoFilePage
from batchwright.ui.data.state import DataState
from batchwright.ui.shell.focus_regions import focus_region
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.study_model import Study
from batchwright.ui.theme import theme
from batchwright.ui.widgets import statuses
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.dialogs.file_dialogs import FileDialogs
from batchwright.ui.widgets.drops import accept_copy
from batchwright.ui.widgets.headings import StageHeader
from batchwright.ui.widgets.notices import Notice, NoticeSeverity
from batchwright.ui.widgets.splitters import Splitter
from batchwright.ui.widgets.surfaces import Edge, Surface
from batchwright.ui.widgets.toggles import SegmentedControl
from batchwright.workflows.messages import describe


def build(
    stage_context: StageContext, study: Study, session: ConnectionSession, images: WebImages
) -> QWidget:
    """Build the stage for one window."""
    return DataStage(stage_context, DataState(study, session, stage_context.tasks, describe), images)


class DataStage(Surface):
    """A header with the next step; below it a drop zone, or the data file with its schema."""

    def __init__(self, stage_context: StageContext, state: DataState, images: WebImages) -> None:
        super().__init__("window")
        self.state = state
        media = PreviewMedia(
            images, lambda address: open_medium(stage_context.notices, address, state.study.media)
        )
        self.context = DataContext(stage_context, state, FileDialogs(stage_context.window), media)
        state.file.reloaded.connect(images.forget_local)
        DataNotices(stage_context, state, self)
        state.setParent(self)
        self.setAcceptDrops(True)
        self.header = StageHeader(_("Data"))
        self._check_again = Button(_("Check again"), glyph="arrow-clockwise", height=ButtonSize.STAGE)
        self._upload_again = Button(_("Upload again"), glyph="upload-simple", height=ButtonSize.STAGE)
        self._append = Button(_("Append records"), glyph="list-plus", height=ButtonSize.STAGE)
        self.header.add_buttons(self._check_again)
        self.header.add_buttons(self._upload_again)
        self.header.add_buttons(self._append)
        self._pages = QStackedWidget()
        self._start = NoFilePage(state)
        self._file = FilePage(state)
        StoredArrangements(stage_context.settings, state.file, self._file.table.columns)
        for page in (self._start, self._file):
            self._pages.addWidget(page)
        self._side = SidePanel(state)
        self._panels = ResponsiveSplitView(self._pages, self._side)
        layout = column(self.header, gap=0, parent=self)
        layout.addWidget(self._panels, 1)
        self._connect()
        stage_context.actions.add(self.context, ACTIONS, state.changed)
        self.show_step()
        self._open_offered_file()

    def regions(self) -> Sequence[QWidget]:
        """The regions that F6 cycles through."""
        inner = self._file.regions() if self._pages.currentWidget() is self._file else (self._start,)
        regions = (self.header, *inner, *self._side.regions())
        return [region for region in regions if region.isVisibleTo(self)]

    def main_widget(self) -> QWidget | None:
        """The records if they are visible; while they are read, what holds the focus for them."""
        if self._file.table.isVisibleTo(self):
            return self._file.table
        return self._pages if self.state.file.state is FileState.READING else None

    def show_step(self) -> None:
        """Show the state of the data and the next step."""
        step, state = next_step(self.state), self.state
        show_next_step(self.header, step)
        report = state.validation.report
        is_idle = state.file.state is FileState.SHOWN and state.dataset.busy_reason is None
        self._check_again.setVisible(
            is_idle and report is not None and step.action not in (DataAction.CHECK, DataAction.CONFIRM_MATCH)
        )
        self._upload_again.setVisible(step.action is DataAction.CONFIRM_MATCH)
        is_free = state.file.state in (FileState.SHOWN, FileState.NONE) and state.dataset.busy_reason is None
        self._append.setVisible(is_free and state.dataset.remote.accepts_records)
        self._panels.show_schema(has_schema=state.shows_schema)
        self._show_page(self._file if state.file.state is FileState.SHOWN else self._start)

    def _show_page(self, page: QWidget) -> None:
        """Show a page, and focus it if the other one had the focus: Qt would focus the window's header."""
        focused = self.window().focusWidget()  # also while the window is inactive, as after a drop
        had_focus = focused is not None and (focused is self._pages or self._pages.isAncestorOf(focused))
        if page is self._pages.currentWidget():
            return
        if had_focus:
            self._pages.setFocus()
        self._pages.setCurrentWidget(page)
        if had_focus:
            focus_region(self if page is self._file else page)

    def _connect(self) -> None:
        state, context, run = self.state, self.context, self.context.start
        start, page, panel, steps = self._start, self._file, self._side.schema, self._side.prepare
        state.changed.connect(self.show_step)
        state.dataset.running_import_found.connect(lambda dataset: start_upload(state.dataset, dataset))
        state.row_requested.connect(self._on_row_requested)
        state.fields_renamed.connect(lambda renames: offer_update(context, renames))
        state.study.data_file_offered.connect(self._open_offered_file)
        self.header.primary.clicked.connect(self._on_primary_clicked)
        self._check_again.clicked.connect(state.validate)
        self._upload_again.clicked.connect(lambda: upload_data(context))
        self._append.clicked.connect(lambda: run(append_records))
        start.choose_requested.connect(lambda: run(choose_file))
        start.sample_requested.connect(lambda: run(open_sample))
        start.existing_dataset_requested.connect(lambda: run(use_existing_dataset))
        start.new_field_requested.connect(lambda: run(add_field))
        start.more_encodings_requested.connect(lambda: run(choose_encoding))
        page.more_encodings_requested.connect(lambda: run(choose_encoding))
        page.address_requested.connect(lambda: run(set_base_address))
        page.check.save_accepted_requested.connect(lambda: run(save_accepted))
        page.check.save_rejected_requested.connect(lambda: run(save_rejected))
        page.upload.action_requested.connect(lambda: run(upload_v3))
        page.operation.action_requested.connect(self._on_operation_action_requested)
        page.record_requested.connect(lambda: run(show_record, page))
        page.edit_requested.connect(lambda record, column: run(edit_cell, record, column))
        page.records_bar.replace_requested.connect(lambda: run(replace_hits))
        page.table.counts_requested.connect(lambda column: run(count_values, column))
        page.table.column_change_requested.connect(lambda kind, column: run(change_column, kind, column))
        page.table.copy_requested.connect(lambda: run(copy_records, page))
        state.row_number_requested.connect(lambda: run(go_to_row, page))
        state.search_requested.connect(self._on_search_requested)
        page.rename_requested.connect(lambda: run(rename_columns))
        panel.new_field_requested.connect(lambda: run(add_field))
        panel.field_removed.connect(lambda name, before: offer_restore(context, name, before))
        panel.label_requested.connect(lambda name: run(edit_label, name))
        panel.existing_dataset_requested.connect(lambda: run(use_existing_dataset))
        panel.card.schema_change_requested.connect(lambda: run(change_schema))
        panel.card.use_schema_requested.connect(state.use_dataset_schema)
        panel.card.imports_requested.connect(lambda: run(show_imports))
        panel.save_requested.connect(lambda: run(save_schema))
        panel.open_requested.connect(lambda: run(open_schema))
        start.prepare_requested.connect(self._on_prepare_requested)
        page.prepare_requested.connect(self._on_prepare_requested)
        state.prepare_requested.connect(self._on_prepare_requested)
        steps.step_requested.connect(lambda name: run(add_step, name))
        steps.design_requested.connect(lambda number: run(add_design, number))
        steps.change_requested.connect(lambda number: run(change_step, number))
        steps.result_requested.connect(lambda number: run(show_result, number))
        steps.plan_requested.connect(lambda: run(how_many))
        steps.open_requested.connect(lambda: run(open_steps))
        steps.save_requested.connect(lambda: run(save_steps))

    def _open_offered_file(self) -> None:
        offered = self.state.study.take_offered_file()
        if offered is not None:
            self.context.start(open_dropped_file, *offered)

    def _on_primary_clicked(self) -> None:
        context, step = self.context, next_step(self.state)
        if step.stage:
            context.window.shell.set_stage(step.stage)
        match step.action:
            case DataAction.CHOOSE | DataAction.UPLOAD_V3 | DataAction.SET_ADDRESS:
                context.start(_COMMANDS[step.action])
            case DataAction.CHECK:
                self.state.validate()
            case DataAction.UPLOAD:
                upload_data(context)
            case DataAction.CONFIRM_MATCH:
                self.state.dataset.confirm_match()
            case DataAction.SHOW_STEPS:
                self.state.prepare_requested.emit()
            case DataAction.PREPARE:
                self.state.file.retry()
            case DataAction.SEND_CORRECTED:
                send_corrected(context)
            case DataAction.SHOW_REJECTION:
                self.state.rejection_step_requested.emit(1)

    def _on_operation_action_requested(self) -> None:
        if self.state.dataset.append_operation is not None:
            self.context.window.shell.set_stage("run")
        else:
            self.context.start(show_cleared_values)

    def _on_prepare_requested(self) -> None:
        self._panels.show_prepare()

    def _on_search_requested(self) -> None:
        self._panels.show_records()
        self._file.focus_search()

    def _on_row_requested(self, row: int, field: str) -> None:
        self._panels.show_records()
        self._file.show_record(row, field)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.state.reload_if_changed()
        self.state.dataset.remote.is_active = True
        self.state.dataset.remote.ensure_loaded()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.state.dataset.remote.is_active = False

    @override
    def event(self, event: QEvent) -> bool:
        """When the window becomes active, check whether the file has changed on disk."""
        if event.type() == QEvent.Type.WindowActivate:
            self.state.reload_if_changed()
        return super().event(event)

    @override
    def sizeHint(self) -> QSize:
        return QSize(1024, 640)

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        dropped = self._dropped(event)
        if dropped is not None:
            # Rejected files are accepted as well: otherwise no message could give the reason.
            accept_copy(event)
            self._start.show_target(is_target=isinstance(dropped, tuple))

    @override
    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._start.show_target(is_target=False)

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        self._start.show_target(is_target=False)
        dropped = self._dropped(event)
        if dropped is None:
            return
        accept_copy(event)
        if isinstance(dropped, tuple):
            self.context.start(open_drop, dropped)
        else:
            self.context.notify(NoticeSeverity.WARNING, dropped.what, dropped.remedy)

    def _dropped(self, event: QDropEvent) -> tuple[Path, ...] | DropRefusal | None:
        return dropped_files(event.mimeData(), busy=self.state.dataset.busy_reason)


_COMMANDS = {
    DataAction.CHOOSE: choose_file,
    DataAction.UPLOAD_V3: upload_v3,
    DataAction.SET_ADDRESS: set_base_address,
}
"""The commands of the primary button that ask for something."""


class DataNotices(QObject):
    """Shows the progress and results of operations, and changes of the data file."""

    def __init__(self, stage_context: StageContext, state: DataState, stage: QWidget) -> None:
        super().__init__(stage)
        self._stage_context, self._state, self._stage = stage_context, state, stage
        state.dataset.operations.show_in(stage_context.shell)
        state.dataset.operations.finished.connect(self._on_operation_finished)
        state.file.reloaded.connect(self._on_file_reloaded)
        state.columns_included.connect(self._on_columns_included)
        state.layout_proposed.connect(self._on_layout_proposed)
        state.study.layout_changed.connect(self._on_layout_changed)

    def _on_operation_finished(self, operation: Operation) -> None:
        if operation.error is not None:
            self._notify(NoticeSeverity.ERROR, operation.error.what, operation.error.remedy)
        elif isinstance(operation, UploadOperation) and operation.job is not None:
            severity = NoticeSeverity.SUCCESS if operation.is_complete else NoticeSeverity.WARNING
            title = _("{records} imported").format(records=records(operation.job.accepted_count or 0))
            self._notify(severity, title, operation.source.path.name)
        elif isinstance(operation, DatasetOperation) and operation.state is OperationState.SUCCEEDED:
            is_partial = status_text(operation).status == statuses.PARTIAL
            self._notify(
                NoticeSeverity.WARNING if is_partial else NoticeSeverity.SUCCESS, *result_text(operation)
            )

    def _notify(self, severity: NoticeSeverity, title: str, line: str) -> None:
        if not self._stage.isVisible():
            self._stage_context.notices.show_notice(Notice(severity, title, line, _("Open"), self._open))

    def _open(self) -> None:
        self._stage_context.shell.set_stage("data")

    def _on_file_reloaded(self) -> None:
        path = self._state.file.path
        if path is not None:
            title = _("{name} has changed").format(name=path.name)
            line = _("It was read again, and every record is being checked.")
            self._stage_context.notices.show_notice(Notice(NoticeSeverity.INFO, title, line))

    def _on_layout_proposed(self) -> None:
        show_proposal(self._stage_context, self._state.proposals)

    def _on_layout_changed(self) -> None:
        if self._state.proposals.used is None:
            self._stage_context.notices.dismiss((PROPOSED_LAYOUT,))

    def _on_columns_included(self, names: tuple[str, ...]) -> None:
        count = len(names)
        title = ngettext("{count} column is included now", "{count} columns are included now", count).format(
            count=number(count)
        )
        line = _("The file was corrected: {names}. See the schema for types and labels.").format(
            names=columns_named(names)
        )
        self._stage_context.notices.show_notice(Notice(NoticeSeverity.INFO, title, line))


_MIN_WIDTH_FOR_BOTH = 880
"""Minimum width for both, in pixels at 100 %."""
_SCHEMA, _SCHEMA_MIN = 378, 300
_RECORDS_ID = "records"


class ResponsiveSplitView(QWidget):
    """A splitter; when it is narrow, a segmented control selects the panel shown."""

    def __init__(self, records: QWidget, side: SidePanel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._records, self._side = records, side
        self._has_schema = True
        self._choice = SegmentedControl(_("View"), [(_RECORDS_ID, _("Records"), ""), *SidePanel.choices()])
        self._choice.chosen.connect(self._update_layout)
        self._head = Surface("surface", Edge.BOTTOM)
        row(self._choice, None, margins=(24, 4, 24, 4), parent=self._head)
        across = self._across = Splitter(
            Qt.Orientation.Horizontal, records, side, name="data/schema", background="surface"
        )
        across.setStretchFactor(0, 1)
        across.setStretchFactor(1, 0)
        across.setSizes([10 * _SCHEMA, theme().px(_SCHEMA)])
        column(self._head, gap=0, parent=self).addWidget(across, 1)
        theme().on_changed(self._update_layout)
        self._update_layout()

    def show_records(self) -> None:
        """Make the records visible."""
        self._choice.choose(_RECORDS_ID)

    def show_prepare(self) -> None:
        """Make the steps of the preparation visible."""
        self._choice.choose(PREPARE)
        self._side.choose(PREPARE)

    def show_schema(self, *, has_schema: bool) -> None:
        """Set whether there is a schema to show."""
        if has_schema != self._has_schema:
            self._has_schema = has_schema
            self._update_layout()

    def _update_layout(self, *_args: object) -> None:
        is_narrow, has_schema = self.width() < theme().px(_MIN_WIDTH_FOR_BOTH), self._has_schema
        chosen = self._choice.current if has_schema else _RECORDS_ID
        self._head.setVisible(is_narrow and has_schema)
        self._across.show_panel(self._records, is_shown=not is_narrow or chosen == _RECORDS_ID)
        self._side.show_choice(is_shown=not is_narrow)
        if is_narrow and chosen != _RECORDS_ID:
            self._side.choose(chosen)
        self._across.show_panel(self._side, is_shown=has_schema and (not is_narrow or chosen != _RECORDS_ID))
        self._side.setMinimumWidth(theme().px(_SCHEMA_MIN))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_layout()
