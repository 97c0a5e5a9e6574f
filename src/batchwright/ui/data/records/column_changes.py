"""The command that changes a column beside the data file, which stays as it is."""

from collections.abc import Callable, Mapping, Sequence

from batchwright.base.json_values import JsonObject
from batchwright.data_files.column_names import distinct_names
from batchwright.data_files.conversion.column_edits import ColumnEdit, LeaveOutColumn
from batchwright.data_files.conversion.edit_list import columns_after
from batchwright.ui.data.context import DataContext
from batchwright.ui.data.file.shown_edits import record_content
from batchwright.ui.data.records.column_dialogs import (
    ColumnDialog,
    FillColumnDialog,
    JoinColumnsDialog,
    ReadColumnDialog,
    RenameColumnDialog,
    SplitColumnDialog,
)
from batchwright.ui.data.records.records_menus import ColumnChange
from batchwright.ui.data.schema.column_fields import with_column_change

_DIALOGS: Mapping[ColumnChange, Callable[[str, Sequence[str], Sequence[JsonObject]], ColumnDialog]] = {
    ColumnChange.RENAME: RenameColumnDialog,
    ColumnChange.READ: ReadColumnDialog,
    ColumnChange.SPLIT: SplitColumnDialog,
    ColumnChange.JOIN: JoinColumnsDialog,
    ColumnChange.FILL: FillColumnDialog,
    ColumnChange.ADD: FillColumnDialog,
}


async def change_column(context: DataContext, kind: ColumnChange, column: int) -> None:
    """Ask how a column, counted from zero, is changed, unless a dataset operation is running."""
    state = context.state
    summary, study, opening = state.file.summary, state.study, state.study.opening
    if summary is None or context.notify_if_busy():
        return
    names = summary.columns if summary.conversion is not None else distinct_names(summary.columns)
    contents = [record_content(names, entry.content) for entry in state.file.first_records]
    records = [content for content in contents if content is not None]
    edit: ColumnEdit = LeaveOutColumn(names[column])
    if kind is not ColumnChange.LEAVE_OUT:
        name = "" if kind is ColumnChange.ADD else names[column]
        dialog = _DIALOGS[kind](name, names, records)
        if not await dialog.ask(context.window.window):
            return
        edit = dialog.edit
    if opening != study.opening or summary.path != state.file.path or edit.problem(names):
        return
    content = with_column_change(study.content, edit, columns_after((edit,), names), records)
    state.add_edit(edit, content)
