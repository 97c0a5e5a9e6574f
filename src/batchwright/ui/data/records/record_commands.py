"""Commands for the records of the data file: to show one, to count values, to copy some."""

import asyncio

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication
from shiboken6 import isValid

from batchwright.base.cooperative import yielding_gil
from batchwright.base.i18n import _
from batchwright.data_files.views.record_query import CountsQuestion, RecordQuery
from batchwright.ui.core.formatting import records
from batchwright.ui.data.context import DataContext
from batchwright.ui.data.file.try_addresses import try_addresses
from batchwright.ui.data.records.column_counts_dialog import ColumnCountsDialog
from batchwright.ui.data.records.copied_table import MAX_COPIED, CopiedTable, copied_table
from batchwright.ui.data.records.go_to_row_dialog import GoToRowDialog
from batchwright.ui.data.records.record_dialog import RecordDialog, ShownRecord, ValueForm
from batchwright.ui.data.stage_pages import FilePage
from batchwright.ui.widgets.notices import NoticeSeverity


async def show_record(context: DataContext, page: FilePage) -> None:
    """Show every field of the current record in full, and those of the records beside it on request."""
    summary, settings = context.state.file.summary, context.window.settings
    shown = await _shown_record(context, page)
    if summary is None or shown is None:
        return
    form = settings.record_form if settings.record_form in set(ValueForm) else ValueForm.SOURCE
    dialog = RecordDialog(
        shown, page.model, context.media, ValueForm(form), counts_lines=summary.counts_lines
    )
    dialog.step_requested.connect(lambda step: context.start(_show_beside, page, dialog, step))
    await dialog.ask(context.window.window)
    settings.record_form = dialog.form


async def _show_beside(context: DataContext, page: FilePage, dialog: RecordDialog, step: int) -> None:
    page.step_record(step)
    shown = await _shown_record(context, page)
    if shown is not None and isValid(dialog):
        dialog.show_record(shown)


async def _shown_record(context: DataContext, page: FilePage) -> ShownRecord | None:
    """The record that is selected in the table.

    Raises:
        UnreadableFile: the data file has changed.
        OSError: it cannot be opened.
    """
    index, row = context.state.file.index, page.table.currentIndex().row()
    if index is None or row < 0:
        return None
    records = [page.model.record_index(row)]
    for entry in await asyncio.to_thread(index.rows_at, records):
        rejection = context.state.rejections_by_record.get(entry.record_index)
        reason = f"{rejection.field}: {rejection.reason}" if rejection else ""
        edits = context.state.file.shown_edits
        shown = entry if edits is None else edits.record(entry)
        return ShownRecord(shown, reason, row > 0, row + 1 < page.row_count)
    return None


async def go_to_row(context: DataContext, page: FilePage) -> None:
    """Ask for a row of the table, and select it."""
    dialog = GoToRowDialog(page.table.currentIndex().row() + 1, page.row_count)
    if page.row_count and await dialog.ask(context.window.window):
        page.table.go_to(min(dialog.row, page.row_count) - 1)
        page.table.setFocus()


async def count_values(context: DataContext, column: int) -> None:
    """Count the values of a column, counted from zero; a count that is chosen filters the records."""
    summary, schema, views = context.state.file.summary, context.state.study.schema, context.state.views
    if summary is None:
        return
    name = summary.columns[column]
    field = schema.fields.get(name) if schema is not None else None
    dialog = ColumnCountsDialog(views, CountsQuestion(column, field.type if field else None), name)
    if not await dialog.ask(context.window.window):
        return
    if dialog.tries_addresses:
        context.start(try_addresses, column)
    elif dialog.chosen is not None:
        views.set_query(RecordQuery((dialog.chosen,), search=views.query.search))


async def copy_records(context: DataContext, page: FilePage) -> None:
    """Copy the selected records as a table with headings: as tab-separated text, and as HTML.

    Raises:
        UnreadableFile: the data file has changed.
        OSError: it cannot be opened.
    """
    file = context.state.file
    index, summary, edits = file.index, file.summary, file.shown_edits
    if index is None or summary is None:
        return
    selected, columns = page.selected_records(MAX_COPIED), page.table.columns.shown

    def copied() -> CopiedTable:
        entries = yielding_gil(index.rows_at(selected))
        shown = entries if edits is None else map(edits.record, entries)
        return copied_table(summary.columns, columns, (entry.content for entry in shown))

    table = await asyncio.to_thread(copied)
    mime = QMimeData()
    mime.setText(table.text)
    mime.setHtml(table.html)
    QGuiApplication.clipboard().setMimeData(mime)
    if table.records == MAX_COPIED:
        text = _("Save or filter the records to get the others.")
        title = _("The first {records} were copied").format(records=records(MAX_COPIED))
        context.notify(NoticeSeverity.WARNING, title, text)
