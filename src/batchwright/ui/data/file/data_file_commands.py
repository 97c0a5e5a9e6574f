"""Commands for the data file and for files of schemas."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from batchwright.base.files.atomic_files import replace_atomically, sibling_temp_file, write_atomically
from batchwright.base.i18n import _
from batchwright.base.json_values import parse, to_json
from batchwright.data_files.checking import Progress
from batchwright.data_files.column_names import write_with_names
from batchwright.data_files.file_types import STUDIES, FileType, type_of
from batchwright.data_files.formats import Format, RecordsFile
from batchwright.data_files.partition import write_accepted, write_rejected
from batchwright.layout.searching.field_references import reference_counts
from batchwright.local.projects import study_name
from batchwright.schema.model import Schema
from batchwright.schema.parsing import read_schema, write_schema
from batchwright.ui.core.child_process import run_in_process
from batchwright.ui.core.formatting import records
from batchwright.ui.data.context import DataContext
from batchwright.ui.data.file.data_file_dialogs import EncodingDialog, RenameDialog
from batchwright.ui.data.file.drag_drop import are_media
from batchwright.ui.data.file.replace_file import SAMPLE, open_data_file
from batchwright.ui.data.renamed_columns import update_references
from batchwright.ui.widgets.dialogs.file_dialogs import DATA_FILE_FILTER, last_folder
from batchwright.ui.widgets.notices import NoticeSeverity

if TYPE_CHECKING:  # imported only when a source is read
    from batchwright.data_files.conversion.conversion import Conversion

_JSON = ("JSON (*.json)",)

Writer = Callable[[Path, Format, Schema, Path, Progress], int]
"""Writes a subset of the records of a file: `write_accepted` or `write_rejected`."""


async def choose_file(context: DataContext) -> None:
    """Choose another data file, unless a dataset operation is running, which that would cancel."""
    if context.notify_if_busy():
        return
    path = await choose_data_file(context)
    if path is not None:
        await open_data_file(context, path)


async def open_dropped_file(context: DataContext, path: Path, conversion: "Conversion | None" = None) -> None:
    """Open a file dropped on the window, unless a dataset operation is running."""
    if not context.notify_if_busy():
        await open_data_file(context, path, conversion)


async def open_drop(context: DataContext, paths: Sequence[Path]) -> None:
    """Open a file or media dropped on the stage; studies and folders are opened by the window.

    Raises:
        UnreadableFile: the media are on different drives.
        OSError: a file cannot be accessed.
    """
    path = paths[0]
    if are_media(paths) and not await asyncio.to_thread(path.is_dir):
        from batchwright.data_files.conversion.conversion import Conversion
        from batchwright.data_files.sources.media_folder import select_files

        folder, options = await asyncio.to_thread(select_files, paths)
        await open_dropped_file(context, folder, Conversion(options))
    elif await asyncio.to_thread(type_of, path) in {*STUDIES, FileType.FOLDER}:
        context.window.shell.files_dropped.emit((path,))
    else:
        await open_dropped_file(context, path)


async def choose_encoding(context: DataContext) -> None:
    """Choose among all encodings and read the file again, unless a dataset operation is running."""
    file_format = context.state.file.format
    if file_format is None or context.notify_if_busy():
        return
    dialog, opening = EncodingDialog(file_format.encoding), context.state.study.opening
    if await dialog.ask(context.window.window) and opening == context.state.study.opening:
        context.state.read_as(replace(file_format, encoding=dialog.encoding))


async def open_sample(context: DataContext) -> None:
    """Open the sample records."""
    await open_data_file(context, SAMPLE)


async def rename_columns(context: DataContext) -> None:
    """Write a copy of the file in which every column has a distinct valid name, and open the copy."""
    state = context.state
    summary, opening = state.file.summary, state.study.opening
    if summary is None or state.dataset.busy_reason is not None:
        return
    dialog = RenameDialog(summary.columns, summary.format)
    if not await dialog.ask(context.window.window):
        return
    proposed = _folder(context) / f"{_stem(context)}-renamed{summary.path.suffix}"
    target = await context.files.file_to_save(_("Save the renamed copy"), (_(DATA_FILE_FILTER),), proposed)
    if target is not None:
        await _save_with_names(summary.path, summary.format, dialog.names, target)
        if opening == state.study.opening and state.dataset.busy_reason is None:
            state.open_file(target, is_corrected=True)
            uses = reference_counts(state.study.layout)
            # Of several columns with the same name, items have shown the first one.
            columns = reversed([*zip(summary.columns, dialog.names, strict=True)])
            renames = {old: new for old, new in columns if old in uses and old not in dialog.names}
            if renames:
                await update_references(context, renames)


async def save_accepted(context: DataContext) -> None:
    """Save the records that would be accepted."""
    summary = context.state.file.summary
    if summary is not None:
        await _save_records(context, write_accepted, f"{_stem(context)}-good.{summary.format.kind}")


async def save_rejected(context: DataContext) -> None:
    """Save the records that would be rejected, unchanged."""
    summary = context.state.file.summary
    if summary is not None:
        await _save_records(context, write_rejected, f"{_stem(context)}-rejected{summary.file.path.suffix}")


async def open_schema(context: DataContext) -> None:
    """Use the schema of a file."""
    path = await context.files.file_to_open(_("Open a schema"), _JSON, _folder(context))
    if path is not None:
        schema = await asyncio.to_thread(lambda: read_schema(parse(path.read_bytes())))
        context.state.schema.set_schema(schema)


async def save_schema(context: DataContext) -> None:
    """Save the schema as a JSON file."""
    proposed = _folder(context) / f"{_stem(context)}-schema.json"
    target = await context.files.file_to_save(_("Save the schema"), _JSON, proposed)
    schema = context.state.study.schema
    if target is not None and schema is not None:
        content = f"{to_json(write_schema(schema), indent=2)}\n".encode()
        await asyncio.to_thread(write_atomically, target, content)
        context.notify(NoticeSeverity.SUCCESS, _("Schema saved"), str(target))


async def choose_data_file(context: DataContext, *kinds: str) -> Path | None:
    """Ask for a file of these kinds, otherwise for any data file; None when none was chosen."""
    kinds = kinds or (_(DATA_FILE_FILTER),)
    return await context.files.file_to_open(_("Choose a data file"), kinds, _folder(context))


async def _save_records(context: DataContext, write: Writer, name: str) -> None:
    target = await context.files.file_to_save(_("Save records"), (), _folder(context) / name)
    summary, schema = context.state.file.summary, context.state.study.schema
    if target is None or summary is None or schema is None:
        return
    count = await _save_record_subset(write, summary.file, schema, target)
    context.notify(NoticeSeverity.SUCCESS, _("{records} saved").format(records=records(count)), str(target))


async def _save_record_subset(write: Writer, file: RecordsFile, schema: Schema, target: Path) -> int:
    """Write a subset of the records of a data file atomically; returns their number.

    Raises:
        UnreadableFile: the data file can no longer be read.
        OSError: the target cannot be written.
    """
    with sibling_temp_file(target) as temporary:
        count = await run_in_process(
            write, file.path, file.format, schema, temporary, on_progress=_ignore_progress
        )
        await asyncio.to_thread(replace_atomically, temporary, target)
    return count


async def _save_with_names(path: Path, file_format: Format, names: Sequence[str], target: Path) -> None:
    """Write a copy of a CSV file with other column names atomically.

    Raises:
        UnreadableFile: the data file can no longer be read, or its encoding cannot represent a name.
        OSError: the target cannot be written.
    """
    with sibling_temp_file(target) as temporary:
        await asyncio.to_thread(write_with_names, path, file_format, names, temporary)
        await asyncio.to_thread(replace_atomically, temporary, target)


def _folder(context: DataContext) -> Path:
    summary = context.state.file.summary
    return summary.path.parent if summary else last_folder() or Path.home()


def _stem(context: DataContext) -> str:
    summary = context.state.file.summary
    return summary.path.stem if summary else study_name(context.state.study.project)


def _ignore_progress(*_progress: object) -> None:
    """Ignore progress: saving takes about as long as a check, and shows none."""
