"""The Data stage: from a dropped file to a dataset (design.md 5)."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QHideEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.base.json_values import Json
from batchwright.data_files.file_types import STUDIES, FileType, type_of
from batchwright.data_files.rows import ParsedRecord
from batchwright.ui.core.formatting import records
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.data.actions import ACTIONS
from batchwright.ui.data.data_file import FileState
from batchwright.ui.data.dataset_commands import DatasetCommands
from batchwright.ui.data.drag_drop import DropRefusal, dropped_file
from batchwright.ui.data.file_commands import FileCommands
from batchwright.ui.data.file_page import FilePage
from batchwright.ui.data.next_step import DataAction, next_step
from batchwright.ui.data.notifications import DataNotifications
from batchwright.ui.data.record_dialog import RecordDialog
from batchwright.ui.data.schema_commands import SchemaCommands
from batchwright.ui.data.schema_panel import SchemaPanel
from batchwright.ui.data.split_view import ResponsiveSplitView
from batchwright.ui.data.start_page import NoFilePage
from batchwright.ui.data.state import DataState
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.study_model import Study
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.dialogs import Dialog
from batchwright.ui.widgets.drops import accept_copy
from batchwright.ui.widgets.file_dialogs import FileDialogs
from batchwright.ui.widgets.headings import StageHeader
from batchwright.ui.widgets.notices import Toast, ToastSeverity
from batchwright.ui.widgets.surfaces import Surface
from batchwright.workflows.messages import describe


def build(context: StageContext, study: Study, session: ConnectionSession) -> QWidget:
    """The stage for one window."""
    return DataStage(context, DataState(study, session, context.tasks, describe))


class DataStage(Surface):
    """The head, and below it what there is: a place to drop a file, or the file with its schema."""

    def __init__(self, context: StageContext, model: DataState) -> None:
        super().__init__("window")
        self._frame, self.model = context, model
        self.files = FileCommands(context, model, FileDialogs(context.host))
        self.dataset = DatasetCommands(context, model, self.files)
        self.fields = SchemaCommands(context, model)
        DataNotifications(context, model, self)
        model.setParent(self)
        self.setAcceptDrops(True)
        self._header = StageHeader(_("Data"))
        self._check_again = Button(_("Check again"), glyph="arrow-clockwise", height=ButtonSize.STAGE)
        self._upload_again = Button(_("Upload anew"), glyph="upload-simple", height=ButtonSize.STAGE)
        self._append = Button(_("Append records"), glyph="list-plus", height=ButtonSize.STAGE)
        self._header.add(self._check_again)
        self._header.add(self._upload_again)
        self._header.add(self._append)
        self._pages = QStackedWidget()
        self._start = NoFilePage(model)
        self._file = FilePage(model)
        for page in (self._start, self._file):
            self._pages.addWidget(page)
        self._schema = SchemaPanel(model)
        self._panels = ResponsiveSplitView(self._pages, self._schema)
        whole = column(self._header, gap=0, parent=self)
        whole.addWidget(self._panels, 1)
        self._connect()
        context.actions.add(self, ACTIONS, model.changed)
        self.show_step()

    def regions(self) -> Sequence[QWidget]:
        """The parts that F6 walks through."""
        inner = self._file.regions() if self._pages.currentWidget() is self._file else (self._start,)
        return [part for part in (self._header, *inner, self._schema) if part.isVisibleTo(self)]

    def main_widget(self) -> QWidget | None:
        """The records, where they are in view."""
        return self._file.table if self._file.table.isVisibleTo(self) else None

    def show_step(self) -> None:
        """Show where the stage stands and what is next."""
        step, model = next_step(self.model), self.model
        self._header.show_sentence(step.text)
        self._header.show_primary(step.button, glyph=step.glyph, reason_not=step.disabled_reason)
        report = model.validation.report
        is_idle = model.file.state is FileState.SHOWN and model.dataset.busy_reason is None
        self._check_again.setVisible(
            is_idle and report is not None and step.action not in (DataAction.CHECK, DataAction.CONFIRM_MATCH)
        )
        self._upload_again.setVisible(step.action is DataAction.CONFIRM_MATCH)
        is_free = model.file.state in (FileState.SHOWN, FileState.NONE) and model.dataset.busy_reason is None
        self._append.setVisible(is_free and model.dataset.remote.accepts_records)
        self._panels.show_schema(is_there=model.shows_schema)
        self._pages.setCurrentWidget(self._file if model.file.state is FileState.SHOWN else self._start)

    def upload(self) -> None:
        """Upload the good records; where that reaches the live service, ask once."""
        if self.model.session.is_live:
            self._frame.tasks.start("data ask", self._ask_and_upload)
        else:
            self.model.dataset.upload()

    def step_rejection(self, by: int) -> None:
        """Go to the next rejected record, or to the one before."""
        self._file.step_rejection(by)

    def _connect(self) -> None:
        model, page, files = self.model, self._file, self.files
        model.changed.connect(self.show_step)
        model.study.data_file_offered.connect(self._take_file)
        self._header.primary.clicked.connect(self._take_step)
        self._check_again.clicked.connect(model.validate)
        self._upload_again.clicked.connect(self.upload)
        self._append.clicked.connect(self.dataset.append)
        self._start.choose_requested.connect(files.choose)
        self._start.sample_requested.connect(files.open_sample)
        self._start.existing_dataset_requested.connect(self.dataset.take)
        self._start.new_field_requested.connect(self.fields.add_field)
        page.check.save_accepted_requested.connect(files.save_good)
        page.check.save_rejected_requested.connect(files.save_rejected)
        page.upload.v3_requested.connect(self.dataset.send_v3)
        page.operation.action_requested.connect(self._take_way)
        page.record_requested.connect(self._show_record)
        page.rename_requested.connect(files.rename_columns)
        model.row_requested.connect(self._go_to)
        self._connect_schema(self._schema)

    def _connect_schema(self, panel: SchemaPanel) -> None:
        panel.new_field_requested.connect(self.fields.add_field)
        panel.field_removed.connect(self.fields.offer_back)
        panel.label_requested.connect(self.fields.ask_label)
        panel.existing_dataset_requested.connect(self.dataset.take)
        panel.card.schema_change_requested.connect(self.dataset.change_schema)
        panel.card.use_schema_requested.connect(self.model.use_dataset_schema)
        panel.save_requested.connect(self.files.save_schema)
        panel.open_requested.connect(self.files.open_schema)

    def _take_step(self) -> None:
        match next_step(self.model).action:
            case DataAction.CHOOSE:
                self.files.choose()
            case DataAction.CHECK:
                self.model.validate()
            case DataAction.UPLOAD:
                self.upload()
            case DataAction.CONFIRM_MATCH:
                self.model.dataset.confirm_match()
            case DataAction.UPLOAD_V3:
                self.dataset.send_v3()
            case DataAction.SHOW_REJECTION:
                self.step_rejection(1)
            case DataAction.OPEN_LAYOUT:
                self._frame.shell.set_stage("layout")

    def _take_way(self) -> None:
        if self.model.dataset.append_operation is not None:
            self._frame.shell.set_stage("run")
        else:
            self.dataset.show_nulled()

    async def _ask_and_upload(self) -> None:
        source = self.model.dataset.upload_source()
        if source is None:
            return
        count, here = records(source.records), self.model.session.connection.title
        begun = self.model.dataset.dataset_to_resume
        if begun is not None:
            text = _("They go into the dataset “{name}”, which was made for them.").format(name=begun.name)
        else:
            text = _("A new dataset “{name}” is made in the workspace.").format(name=source.name)
        dialog = Dialog(
            _("Upload {count} to {connection}?").format(count=count, connection=here),
            text,
            _("Upload {count}").format(count=count),
            ButtonKind.LIVE,
        )
        dialog.warn(_("This reaches the live service and cannot be undone."), is_live=True)
        if await dialog.ask(self._frame.host):
            self.model.dataset.upload()

    def _go_to(self, row: int, field: str) -> None:
        self._panels.show_records()
        self._file.table.go_to(row, field)

    def _show_record(self, entry: ParsedRecord[Json]) -> None:
        summary, bad = self.model.file.summary, self.model.rejections_by_record.get(entry.record_index)
        if summary is not None:
            dialog = RecordDialog(entry, summary.columns, f"{bad.field}: {bad.reason}" if bad else "")
            self._frame.tasks.start("data record", lambda: dialog.ask(self._frame.host))

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.model.reload_if_changed()
        self.model.dataset.remote.is_visible = True
        self.model.dataset.remote.ensure_loaded()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.model.dataset.remote.is_visible = False

    @override
    def changeEvent(self, event: QEvent) -> None:
        """Someone who comes back from another program may have mended the file there."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow() and self.isVisible():
            self.model.reload_if_changed()

    @override
    def sizeHint(self) -> QSize:
        return QSize(1024, 640)

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        what = self._dropped(event)
        if what is not None:
            # What is refused is taken all the same: only so can it be said why.
            accept_copy(event)
            self._start.show_target(is_target=isinstance(what, Path))

    @override
    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._start.show_target(is_target=False)

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        self._start.show_target(is_target=False)
        what = self._dropped(event)
        if what is None:
            return
        accept_copy(event)
        if isinstance(what, Path):
            self._frame.tasks.start("data drop", lambda: self._take_dropped(what))
        else:
            self._frame.notices.tell(Toast(ToastSeverity.ADVICE, what.what, what.remedy))

    async def _take_dropped(self, path: Path) -> None:
        """Take a data file; a study or a folder is opened by the window."""
        if await asyncio.to_thread(type_of, path) in {*STUDIES, FileType.FOLDER}:
            self._frame.shell.files_dropped.emit((path,))
        else:
            self._take_file(path)

    def _take_file(self, path: Path) -> None:
        if (why := self.model.dataset.busy_reason) is not None:
            self._frame.notices.tell(Toast(ToastSeverity.ADVICE, why.what, why.remedy))
        else:
            self.files.open(path)

    def _dropped(self, event: QDropEvent) -> Path | DropRefusal | None:
        return dropped_file(event.mimeData(), busy=self.model.dataset.busy_reason)
