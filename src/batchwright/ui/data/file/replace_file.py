"""Replacing the data file: the new one is read first, the user confirms, and the change can be undone."""

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path

from batchwright.base.i18n import _, ngettext
from batchwright.base.resources import resource
from batchwright.data_files.conversion.conversion import Changes, Conversion
from batchwright.data_files.conversion.edit_list import columns_after, have_columns
from batchwright.data_files.file_types import SOURCES, type_of
from batchwright.data_files.profiling import preview_file
from batchwright.data_files.text_rows.sniffing import sniff
from batchwright.local.projects import DataFile
from batchwright.schema.model import Schema
from batchwright.ui.core.child_process import run_in_process
from batchwright.ui.core.formatting import number
from batchwright.ui.data.context import DataContext
from batchwright.ui.data.file.data_file import PREVIEW_RECORDS, FileState
from batchwright.ui.data.labels import columns_named
from batchwright.ui.data.state import DataState
from batchwright.ui.widgets.dialogs.dialog import Dialog, info_row

SAMPLE = resource("samples", "preference", "records.csv")
"""The sample records; they are replaced without a question."""


@dataclass(frozen=True)
class Replacement:
    """The consequences of replacing the data file of the study.

    `missing_fields` are the fields of the schema that the new file has no column for. If there are any, a new
    schema is suggested.
    """

    old: Path | None
    new: Path
    schema: Schema | None
    missing_fields: tuple[str, ...]
    has_dataset: bool
    chosen: int
    """The number of media that were chosen in the folder `new`; 0 for all of them, or another file."""
    changes: Changes
    """What is made of the records now: edits, and the steps of the preparation."""
    keeps_edits: bool
    """Whether the new file has a column for each field and for each edit."""
    keeps_steps: bool
    """Whether the new file has the columns that the steps start from."""

    @property
    def kept_changes(self) -> Changes:
        """What is made of the records of the new file."""
        edits, steps = self.changes
        return Changes(edits if self.keeps_edits else (), steps if self.keeps_steps else ())

    @property
    def replaces_file(self) -> bool:
        """Whether a file other than the sample is replaced."""
        return self.old is not None and self.old != SAMPLE

    @property
    def replaces_schema(self) -> bool:
        """Whether a schema, other than that of the sample, does not fit the new file."""
        return self.old != SAMPLE and bool(self.missing_fields)

    @property
    def removes_changes(self) -> bool:
        """Whether changes of the records, other than those of the sample, are not made in the new file."""
        return self.old != SAMPLE and self.kept_changes != self.changes


async def open_data_file(
    context: DataContext,
    path: Path,
    conversion: Conversion | None = None,
    *,
    confirms_file: bool = True,
) -> None:
    """Open a data file; the current one is replaced only by a readable file, and after a confirmation.

    Without a conversion, a source is read as it is proposed.
    Without `confirms_file` the user has agreed to the new file already and only confirms a new schema.
    """
    state, study = context.state, context.state.study
    opening = study.opening
    try:
        replacement = await _plan_replacement(state, path, conversion)
        if any(replacement.kept_changes):
            conversion = await _with_changes(path, conversion, replacement.kept_changes)
    except (OSError, ValueError) as error:  # errors about the file, also of the system
        if state.file.state is FileState.SHOWN:
            state.show_not_opened(path, error)
        else:
            state.open_file(path, conversion)
        return
    loses_something = replacement.replaces_schema or replacement.removes_changes
    needs_confirmation = loses_something or (confirms_file and replacement.replaces_file)
    if needs_confirmation and not await ReplaceDialog(replacement).ask(context.window.window):
        return
    if opening != study.opening or state.dataset.busy_reason is not None:
        return
    data, schema = study.data, study.schema
    state.clear_not_opened()
    state.open_file(path, conversion)
    if replacement.old is not None and data is not None:
        _offer_undo(context, path, data, schema)


def _offer_undo(context: DataContext, path: Path, data: DataFile, schema: Schema | None) -> None:
    """Offer to open the replaced file again, with its schema."""
    state, opening = context.state, context.state.study.opening

    def undo() -> None:
        is_unchanged = opening == state.study.opening and state.file.path == path
        if is_unchanged and state.dataset.busy_reason is None:
            state.restore(data, schema)

    title = _("“{new}” replaced “{old}”").format(new=path.name, old=data.path.name)
    context.notify_with_undo(title, _("Undo brings back the file and its schema."), undo)


async def _plan_replacement(state: DataState, path: Path, conversion: Conversion | None) -> Replacement:
    """Read the beginning of a file, and compare its columns with the schema of the study.

    Raises:
        UnreadableFile: the file as a whole cannot be read.
        OSError: it cannot be opened.
    """
    columns = await _columns(path, conversion)
    changes = Changes(state.edits, state.steps)
    has_columns = have_columns(changes.edits, columns)
    if has_columns:
        columns = columns_after(changes.edits, columns)
    schema, reports = state.study.schema, state.file.step_reports
    keeps_steps = bool(reports) and set(reports[0].columns) <= set(columns)
    is_same = changes.steps and keeps_steps
    missing = tuple(name for name in schema.fields if name not in columns) if schema and not is_same else ()
    is_replaced = state.file.state is FileState.SHOWN or any(changes)
    return Replacement(
        state.file.path if is_replaced else None,
        path,
        schema,
        missing,
        has_dataset=state.dataset.remote.binding.dataset_id is not None,
        chosen=0 if conversion is None else len(conversion.options.files.splitlines()),
        changes=changes,
        keeps_edits=has_columns and not missing,
        keeps_steps=keeps_steps,
    )


async def _with_changes(path: Path, conversion: Conversion | None, changes: Changes) -> Conversion:
    """A conversion with changes of its records."""
    if conversion is None:
        is_source = await asyncio.to_thread(type_of, path) in SOURCES
        conversion = Conversion(text_format=None if is_source else await asyncio.to_thread(sniff, path))
    return replace(conversion, **changes._asdict())


async def _columns(path: Path, conversion: Conversion | None) -> tuple[str, ...]:
    if await asyncio.to_thread(type_of, path) in SOURCES:
        from batchwright.data_files.conversion.convert import source_columns

        return await run_in_process(
            source_columns, path, conversion or Conversion(), on_progress=lambda _message: None
        )
    return await asyncio.to_thread(lambda: preview_file(path, sniff(path), PREVIEW_RECORDS).columns)


class ReplaceDialog(Dialog):
    """Asks whether to replace the data file, and lists what changes and what stays."""

    help_address = "data.md#another-file"

    def __init__(self, replacement: Replacement) -> None:
        new, old = replacement.new.name, replacement.old
        title = (
            _title(old.name, replacement)
            if old is not None
            else _("Replace the schema for “{new}”?").format(new=new)
        )
        text = _("Files on the disk are not changed.")
        super().__init__(title, text, _("Replace"), cancels_by_default=True)
        self.add(*map(info_row, _consequences(replacement)))


def _title(old: str, replacement: Replacement) -> str:
    """The question whether to replace a file."""
    new, chosen = replacement.new.name, replacement.chosen
    if not chosen:
        return _("Replace “{old}” with “{new}”?").format(old=old, new=new)
    text = ngettext(
        "Replace “{old}” with {count} file of “{new}”?",
        "Replace “{old}” with {count} files of “{new}”?",
        chosen,
    )
    return text.format(old=old, count=number(chosen), new=new)


def _consequences(replacement: Replacement) -> tuple[str, ...]:
    """The changes and the parts that stay, one sentence each."""
    sentences = []
    schema, missing = replacement.schema, replacement.missing_fields
    if schema is not None and schema.fields:
        if missing:
            text = _(
                "The schema, with its types and labels, is replaced by one suggested for the new file, "
                "which has no column {names}."
            )
            sentences.append(text.format(names=columns_named(missing)))
        else:
            text = ngettext(
                "The schema is kept: the new file has its column.",
                "The schema is kept: the new file has all of its {count} columns.",
                len(schema.fields),
            )
            sentences.append(text.format(count=number(len(schema.fields))))
    if replacement.changes.edits:
        sentences.append(
            _("The changes of the records are kept, for records that are found again.")
            if replacement.keeps_edits
            else _("The changes of the records are removed: the new file lacks columns that they need.")
        )
    if replacement.changes.steps:
        sentences.append(
            _("The steps in Prepare are kept: the new file has the columns that they start from.")
            if replacement.keeps_steps
            else _("The steps in Prepare are removed: the new file lacks columns that they start from.")
        )
    if replacement.has_dataset:
        sentences.append(_("The uploaded dataset is not changed; it does not contain the new file."))
    sentences.append(_("The layout and everything else in the study are kept."))
    return tuple(sentences)
