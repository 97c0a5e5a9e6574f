"""Commands for the study's dataset: each asks the user first, then starts an operation."""

import asyncio
from dataclasses import replace
from pathlib import Path

from batchwright.base.files.temporary_files import temporary_folder
from batchwright.base.i18n import _
from batchwright.client.errors import is_service_error
from batchwright.data_files.formats import RecordsFile
from batchwright.data_files.index import file_stamp
from batchwright.data_files.migration_impact import count_cleared_values
from batchwright.data_files.partition import write_selected
from batchwright.data_files.rows import UnreadableFile
from batchwright.ui.core.child_process import run_in_process
from batchwright.ui.core.formatting import number, records
from batchwright.ui.core.operations import OperationRun, OperationState, Work
from batchwright.ui.data.context import DataContext
from batchwright.ui.data.dataset.confirm_dialogs import AppendDialog, V3Dialog
from batchwright.ui.data.dataset.dataset_controller import DatasetController
from batchwright.ui.data.dataset.dataset_operations import (
    DATASET,
    AppendOperation,
    RecordsToAppend,
    SchemaChangeOperation,
)
from batchwright.ui.data.dataset.upload import prepare_media, start_upload, start_v3_upload
from batchwright.ui.data.dataset.use_existing_dataset import fetch_dataset, registered_datasets
from batchwright.ui.data.dataset.use_existing_dialog import UseDatasetDialog
from batchwright.ui.data.file.data_file_commands import choose_data_file
from batchwright.ui.data.file.replace_file import open_data_file
from batchwright.ui.data.schema.schema_dialog import ClearedValuesDialog, SchemaChangeDialog
from batchwright.ui.data.schema.schema_diff import SchemaDiff
from batchwright.ui.data.state import DataState
from batchwright.ui.widgets.buttons import ButtonKind
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.wire.datasets import Dataset
from batchwright.workflows.data.append import AppendProgress, append_file
from batchwright.workflows.data.change_schema import change_schema as change_dataset_schema
from batchwright.workflows.messages import describe

_V3_FILES = "CSV, ZIP (*.csv *.zip)"
_COUNT_TASK = "data count_cleared_values"


def upload_data(context: DataContext) -> None:
    """Upload the accepted records; a live service needs a confirmation."""
    if context.state.session.is_live:
        context.start(_confirm_upload)
    else:
        start_upload(context.state.dataset)


async def _confirm_upload(context: DataContext) -> None:
    dataset, service = context.state.dataset, context.state.session.connection.title
    source = dataset.upload_source()
    if source is None:
        return
    count, unfinished = records(source.records), dataset.dataset_to_resume
    if unfinished is not None:
        text = _("They are added to the dataset “{name}”, which was created for them.")
        text = text.format(name=unfinished.name)
    else:
        text = _("A new dataset “{name}” is created in the workspace.").format(name=source.name)
    title = _("Upload {count} to {connection}?").format(count=count, connection=service)
    dialog = Dialog(
        title, text, _("Upload {count}").format(count=count), ButtonKind.LIVE, help_address="data.md#upload"
    )
    dialog.add_warning(_("This reaches the live service and cannot be undone."), is_live=True)
    if await dialog.ask(context.window.window):
        start_upload(dataset)


async def use_existing_dataset(context: DataContext) -> None:
    """Use a dataset that exists at the service: one from the id registry, or any other by its id."""
    state, session = context.state, context.state.session
    registered = await registered_datasets(session)
    dialog = UseDatasetDialog(registered, state.study.schema, session.connection.title)

    async def look_up() -> bool:
        if dialog.lookup is not None:
            return True
        dialog.show_loading()
        try:
            dialog.show_dataset(await fetch_dataset(session, dialog.id))
        except Exception as error:
            if not is_service_error(error):
                raise
            dialog.show_error(str(describe(error)))
        return False

    if await dialog.ask_until(context.window.window, look_up) and dialog.lookup is not None:
        state.dataset.attach(dialog.lookup, uses_schema=dialog.uses_schema)


async def upload_v3(context: DataContext) -> None:
    """Upload the data file, or another one, as a V3 dataset."""
    state, summary = context.state, context.state.file.summary
    path: Path | None = summary.file.path if summary and summary.format.served else None
    is_v4_disabled = state.dataset.is_v4_disabled
    while True:
        file = (path, (await asyncio.to_thread(path.stat)).st_size) if path else None
        dialog = V3Dialog(file, is_v4_disabled=is_v4_disabled, live=context.live)
        if await dialog.ask(context.window.window) and path is not None:
            start_v3_upload(state.dataset, path)
            return
        if not (dialog.dropped_path or dialog.wants_another_file):
            return
        path = dialog.dropped_path or await choose_data_file(context, _V3_FILES) or path


async def change_schema(context: DataContext) -> None:
    """Change the dataset's schema to that of the study, after showing what the change does."""
    controller, tasks = context.state.dataset, context.window.tasks
    dataset, diff = controller.remote.dataset, controller.schema_diff
    if dataset is None or diff is None:
        return
    file, live = controller.source_file, context.live
    dialog = SchemaChangeDialog(dataset.name, diff, live, is_countable=file is not None)
    if file is not None and diff.may_clear_values:
        tasks.start(_COUNT_TASK, lambda: _count_cleared_values(dialog, file, diff))
    try:
        is_confirmed = await dialog.ask(context.window.window)
    finally:
        tasks.cancel(_COUNT_TASK)
    if is_confirmed:
        start_schema_change(controller)


async def show_cleared_values(context: DataContext) -> None:
    """List the values that the latest migration has cleared."""
    change = context.state.dataset.schema_change
    if change is not None and change.migration is not None:
        await ClearedValuesDialog(change.migration).ask(context.window.window)


async def append_records(context: DataContext) -> None:
    """Append the records of the data file, or of another one, to the dataset."""
    state, controller = context.state, context.state.dataset
    subject = controller.remote.subject
    while True:
        await _wait_until_read(state)
        dataset, source = controller.remote.dataset, controller.records_to_append()
        if dataset is None or controller.remote.subject != subject:
            return
        dialog = AppendDialog(dataset, source, _append_notes(state), context.live)
        is_confirmed = await dialog.ask(context.window.window)
        path: Path | None = dialog.dropped_path
        if dialog.wants_another_file:
            path = await choose_data_file(context)
        if controller.remote.subject != subject:
            return
        if is_confirmed and source is not None:
            start_append(controller, dataset, source)
        if is_confirmed or path is None:
            return
        await open_data_file(context, path, confirms_file=False)


def send_corrected(context: DataContext) -> None:
    """Append the records corrected after the others were sent; a live service needs a confirmation."""
    if context.state.session.is_live:
        context.start(_confirm_corrected)
    else:
        _send_corrected(context.state.dataset)


async def _confirm_corrected(context: DataContext) -> None:
    source, dataset = context.state.dataset.corrected_records, context.state.dataset.remote.dataset
    if source is None or dataset is None:
        return
    count = records(source.records)
    title = _("Append {count} to “{name}”?").format(count=count, name=dataset.name)
    text = _("They were rejected when the others were sent, and have been corrected.")
    dialog = Dialog(
        title, text, _("Append {count}").format(count=count), ButtonKind.LIVE, help_address="data.md#upload"
    )
    dialog.add_warning(_("This reaches the live service and cannot be undone."), is_live=True)
    if await dialog.ask(context.window.window):
        _send_corrected(context.state.dataset)


def _send_corrected(controller: DatasetController) -> None:
    source, dataset = controller.corrected_records, controller.remote.dataset
    if source is not None and dataset is not None:
        start_append(controller, dataset, source)


def start_append(controller: DatasetController, dataset: Dataset, source: RecordsToAppend) -> None:
    """Append records to the study's dataset, or continue an append that was stopped."""
    connection = controller.session.connection
    operation = AppendOperation(
        DATASET,
        _("Appending {name}").format(name=source.path.name),
        connection.name,
        fraction=0.0,
        connection_title=connection.title,
        source=source,
        dataset_id=dataset.id,
    )
    controller.start(operation, _append_work(dataset.id, source))


def start_schema_change(controller: DatasetController) -> None:
    """Change the dataset's schema to that of the study; the migration is monitored to its end."""
    dataset, diff, connection = (
        controller.remote.dataset,
        controller.schema_diff,
        controller.session.connection,
    )
    if dataset is not None and diff is not None:
        title = _("Changing the dataset's schema")
        operation = SchemaChangeOperation(
            DATASET, title, connection.name, connection_title=connection.title, diff=diff
        )
        controller.start(operation, _schema_change_work(dataset, diff))


def _append_work(dataset_id: str, source: RecordsToAppend) -> Work[None]:
    """The work of an append operation."""

    async def work(run: OperationRun) -> None:
        if await asyncio.to_thread(file_stamp, source.path) != source.stamp:
            raise UnreadableFile(
                _("The file has changed since it was checked."),
                _("It is being checked again. Append once that is done."),
            )

        def on_progress(progress: AppendProgress) -> None:
            run.update(
                state=OperationState.RUNNING,
                is_connected=True,
                accepted=progress.accepted,
                rejected=progress.rejected,
                fraction=min(1.0, (progress.accepted + progress.rejected) / source.records),
                has_count_mismatch=progress.counted != progress.sent,
            )

        notified = replace(
            run.context, notify=lambda _text: run.update(state=OperationState.WAITING, is_connected=True)
        )
        path = await _file_to_append(source, run)
        await prepare_media(run, path, source.media)
        appended = await append_file(notified, dataset_id, path, source.format, on_progress, run.hooks)
        run.update(rejections=tuple(appended.rejections))

    return work


async def _file_to_append(source: RecordsToAppend, run: OperationRun) -> Path:
    """The data file itself, or a temporary file with the records that were selected."""
    if source.selected is None:
        return source.path
    folder = await asyncio.to_thread(run.resources.enter_context, temporary_folder("append"))
    target = folder / source.path.name
    arguments = (source.path, source.format, source.selected, target)
    await run_in_process(write_selected, *arguments, on_progress=lambda *_progress: None)
    return target


def _schema_change_work(dataset: Dataset, diff: SchemaDiff) -> Work[None]:
    """The work of a schema change."""

    async def work(run: OperationRun) -> None:
        run.update(is_connected=True)
        notified = replace(run.context, notify=lambda text: run.update(text=text))
        changed = await change_dataset_schema(notified, dataset.id, diff.new, dataset.name, dataset)
        run.update(migration=changed.migration, released=changed.released)

    return work


async def _count_cleared_values(dialog: SchemaChangeDialog, file: RecordsFile, diff: SchemaDiff) -> None:
    """Count the values that a schema change will clear, while the dialog is open."""
    arguments = (file.path, file.format, diff.old, diff.new)
    try:
        cleared = await run_in_process(count_cleared_values, *arguments, on_progress=dialog.show_counting)
        dialog.show_cleared_values(cleared)
    except (OSError, UnreadableFile) as error:
        dialog.show_count_error(describe(error).what)


def _append_notes(state: DataState) -> tuple[str, ...]:
    notes, report = [], state.validation.report
    if state.dataset.is_uploaded:
        notes.append(
            _("These records are already in the dataset. Records that are equal in every field count once.")
        )
    if not state.dataset.remote.has_study_schema:
        notes.append(_("The schema of the dataset differs from this one; its own schema decides."))
    elif report is not None and report.rejected:
        text = _("{rejected} of {all} would be rejected; the others are accepted.")
        notes.append(text.format(rejected=number(report.rejected), all=number(report.records)))
    return tuple(notes)


async def _wait_until_read(state: DataState) -> None:
    """Wait until the data file is counted and checked, or found to be unreadable."""
    is_read = asyncio.Event()

    def check() -> None:
        if not state.is_reading:
            is_read.set()

    state.changed.connect(check)
    try:
        check()
        await is_read.wait()
    finally:
        state.changed.disconnect(check)
