"""The answer grid with its filters, and beside it the selected answer in full."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QMenu, QStackedWidget, QWidget
from typing_extensions import override

from batchwright.analysis.store.answer_query import AnswerColumn, AnswerQuery, Column
from batchwright.analysis.store.answer_store import AnswerRows
from batchwright.base.cooperative import yielding_gil
from batchwright.base.i18n import _, ngettext
from batchwright.base.policy import computer_policy
from batchwright.ui.core.formatting import abbreviated_id, number
from batchwright.ui.results.answers.answer_cells import AnswerCells
from batchwright.ui.results.answers.answer_columns import EXCLUSION, NEW, columns_for
from batchwright.ui.results.answers.answer_detail import AnswerDetail, AnswerDetailPanel
from batchwright.ui.results.answers.answer_filters import AnswerFilters, is_filtered
from batchwright.ui.results.answers.answered_record import answered_record
from batchwright.ui.results.answers.answers_model import BLOCK_SIZE, AnswersModel
from batchwright.ui.results.answers.answers_table import AnswersTable
from batchwright.ui.results.state import ResultsState
from batchwright.ui.shell.focus_regions import focus_region
from batchwright.ui.shell.page_stack import PageStack
from batchwright.ui.study.answered_record import CreatePreview
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.glyphs import icon
from batchwright.ui.theme.tips import shortcut_text
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.placeholders import EmptyState, LoadingState
from batchwright.ui.widgets.surfaces import Panel, Separator
from batchwright.ui.widgets.tables.table import ROW_HEIGHT
from batchwright.ui.widgets.text import ElidedLabel

_NARROW_BELOW = 700
_MIN_DETAIL_WIDTH = 220
_PROGRESS_DELAY_MS = 300
_MAX_COPIED = 100_000
"""Maximum number of rows that are copied."""


class AnswersPanel(Panel):
    """Filters, grid, and beside it the detail panel for the selected answer.

    The preview of a record takes the place of the grid while it is open.
    """

    help_address = "results.md#answers"

    copy_truncated = Signal(int)
    """Only some of the selected rows were copied; the argument is their number."""

    def __init__(self, state: ResultsState, create_preview: CreatePreview | None = None) -> None:
        super().__init__()
        self._state, self._create_preview = state, create_preview
        self._cells = AnswerCells(state.grid.is_new, state.answers.title_of)
        self._table_model = AnswersModel(self._cells.cell, state.tasks, self)
        self.table = AnswersTable(self._table_model)
        self.filters = AnswerFilters()
        self.columns = self.filters.columns
        self._count = ElidedLabel("", TextRole.SMALL, "text2", tabular=True)
        self._mark_seen_button = Button(_("Mark all as seen"), ButtonKind.LINK, height=ButtonSize.SMALL)
        self.detail = AnswerDetailPanel()
        self.detail.hide()
        self._awaits_row = False
        """Whether the selected row is being read."""
        self._busy = QTimer(self, singleShot=True, interval=_PROGRESS_DELAY_MS)
        self._no_matches, self._loading = self._create_no_matches(), LoadingState(ROW_HEIGHT)
        self._grid = QWidget()
        self._place_grid()
        self._stack = QStackedWidget()
        self._stack.addWidget(self._grid)
        column(self._stack, gap=0, margins=1, parent=self)
        self._connect()
        theme().on_changed(self._update_geometry)

    def show_answers(self) -> None:
        """Update filters, columns, numbers and the selected answer."""
        self.filters.show_choices(self._state.answers.overview, self._state.grid.field_values)
        self._show_columns()
        self._show_count()
        self._show_detail()

    @property
    def is_previewing(self) -> bool:
        """Whether the preview of a record is open."""
        return self._stack.currentWidget() is not self._grid

    def show_record(self) -> None:
        """Show the record of the selected answer as the participant saw it, or the grid again."""
        if self.is_previewing:
            self.close_preview()
        elif self._state.grid.selected is not None and self._create_preview is not None:
            self._state.tasks.start("results record", self._open_preview)

    def close_preview(self) -> None:
        """Close the preview and show the grid."""
        preview = self._stack.currentWidget()
        if preview is not None and preview is not self._grid:
            self._stack.removeWidget(preview)
            preview.deleteLater()
            self.table.setFocus()

    def copy(self, *, with_headings: bool) -> None:
        """Copy the selected rows as tab-separated text."""
        rows, ranges = self._table_model.rows, self.table.selected_ranges()
        if rows is not None and ranges:
            columns = self._table_model.columns
            if computer_policy().pseudonyms_reason:
                columns = tuple(column for column in columns if column.column is not AnswerColumn.PARTICIPANT)

            def text() -> str:
                chosen = (
                    row
                    for start, count in _blocks(ranges, _MAX_COPIED)
                    for row in yielding_gil(rows.rows(start, count))
                )
                return self._cells.as_tsv(chosen, columns, with_headings=with_headings)

            async def copy() -> None:
                QGuiApplication.clipboard().setText(await asyncio.to_thread(text))
                if sum(map(len, ranges)) > _MAX_COPIED:
                    self.copy_truncated.emit(_MAX_COPIED)

            self._state.tasks.start("copy answers", copy)

    async def selected_ids(self) -> list[str]:
        """Read the ids of the selected answers."""
        rows, ranges = self._table_model.rows, self.table.selected_ranges()
        if rows is None:
            return []
        return await asyncio.to_thread(lambda: [id for part in ranges for id in rows.ids(part)])

    def _place_grid(self) -> None:
        below = row(gap=8)
        below.addWidget(self._count, 1)
        below.add(self._mark_seen_button)
        top = column(self.filters, below, gap=6, margins=(12, 10, 12, 8))
        self._body, self._places = QWidget(), PageStack()
        body = row(gap=0, parent=self._body)
        body.addWidget(self.table, 1)
        body.addWidget(self.detail)
        for place in (self._body, self._no_matches, self._loading):
            self._places.addWidget(place)
        layout = column(top, Separator(), gap=0, parent=self._grid)
        layout.addWidget(self._places, 1)

    def _create_no_matches(self) -> EmptyState:
        again = Button(_("Show all answers"))
        again.clicked.connect(self._show_all)
        text = _("Try another search term, or remove filters.")
        return EmptyState("magnifying-glass", _("No matching answers"), text, again)

    def _show_all(self) -> None:
        query = self._state.grid.query
        self._state.grid.set_query(AnswerQuery(sort=query.sort, is_descending=query.is_descending))
        self.filters.search.setFocus()

    def _connect(self) -> None:
        state = self._state
        self.filters.query_requested.connect(state.grid.set_query)
        self.filters.values_requested.connect(state.grid.request_values)
        self.columns.choice_changed.connect(self._show_columns)
        self._mark_seen_button.clicked.connect(state.grid.mark_all_seen)
        self.table.order_requested.connect(self._on_order_requested)
        self.table.copy_requested.connect(lambda with_headings: self.copy(with_headings=with_headings))
        self.table.menu_opening.connect(self._add_to_menu)
        self.table.selection_changed.connect(self._on_selection_changed)
        self._table_model.cells_changed.connect(self._on_cells_changed)
        self.detail.closed.connect(self._close_detail)
        self.detail.record_requested.connect(self.show_record)
        self._busy.timeout.connect(self._show_count)
        state.grid.query_changed.connect(self._on_query_changed)
        state.grid.rows_changed.connect(self._on_rows_changed)
        state.grid.same_task_changed.connect(self._show_detail)
        state.records.changed.connect(self._show_detail)
        self._on_query_changed()

    def _show_columns(self) -> None:
        state = self._state
        title_field = next(iter(state.answers.titles.fields), None)
        columns = columns_for(
            state.answers.overview.fields,
            title_field=title_field,
            is_for_collection=state.source.is_for_collection,
        )
        self.columns.set_columns(columns)
        chosen = self.columns.chosen(columns)
        if not state.grid.new_answers and NEW.id not in self.columns.choice.shown:
            chosen = tuple(shown for shown in chosen if shown is not NEW)
        rows = self._table_model.rows
        if (rows is None or not rows.excluded) and EXCLUSION.id not in self.columns.choice.shown:
            chosen = tuple(shown for shown in chosen if shown is not EXCLUSION)
        self.table.show_columns(chosen)
        self.table.viewport().update()

    def _show_count(self) -> None:
        """Show how many answers match; a query that takes longer says so."""
        rows, state = self._table_model.rows, self._state
        is_outdated = rows is None or rows.query != state.grid.query
        if is_outdated and not self._busy.isActive() and state.answers.has_answers:
            self._count.setText(_("Searching…"))
        elif rows is not None:
            text = _count_text(rows.count, rows.participants, rows.excluded)
            for task in rows.query.tasks[:1]:
                title = state.answers.title_of(task) or abbreviated_id(task)
                text = _("{answers}, only about “{task}”").format(answers=text, task=title)
            new = _with_new_of_all if is_filtered(rows.query) else _with_new
            self._count.setText(new(text, state.grid.new_answers))
        self._mark_seen_button.setVisible(state.grid.new_answers > 0)

    def _on_query_changed(self) -> None:
        query = self._state.grid.query
        self.filters.show_query(query)
        self.table.show_order(query.sort, is_descending=query.is_descending)
        self._busy.start()

    def _on_order_requested(self, sort: Column, is_descending: bool) -> None:
        self._state.grid.set_query(replace(self._state.grid.query, sort=sort, is_descending=is_descending))

    def _on_rows_changed(self) -> None:
        rows = self._state.grid.rows
        if rows is None:
            self.table.clear_rows()
            self._places.show_page(self._loading)
            self._on_selection_changed()
        else:
            self._state.tasks.start(f"results show rows {id(rows)}", lambda: self._show_rows(rows))

    async def _show_rows(self, rows: AnswerRows) -> None:
        if await self.table.show_rows(rows):
            self._busy.stop()
            self._places.show_page(self._body if rows.count else self._no_matches)
            self._show_columns()
            self._show_count()
            self._on_selection_changed()

    def _on_selection_changed(self) -> None:
        index = self.table.selected_row()
        row = None if index is None else self._table_model.row(index)
        self._awaits_row = index is not None and row is None
        if not self._awaits_row:
            self._state.grid.select(row)

    def _on_cells_changed(self) -> None:
        if self._awaits_row:
            self._on_selection_changed()

    def _show_detail(self) -> None:
        """Show everything that is known about the selected answer."""
        state, answer = self._state, self._state.grid.selected
        if answer is not None:
            title, record = state.answers.title_of(answer.task), state.records.find(answer.task)
            is_finding = state.records.is_finding(answer.task)
            self.detail.show_detail(AnswerDetail(answer, state.grid.same_task, title, record, is_finding))
        self.detail.setVisible(answer is not None)

    async def _open_preview(self) -> None:
        answer = self._state.grid.selected
        if answer is None or self._create_preview is None or self.is_previewing:
            return
        record = await answered_record(self._state, answer)
        preview = await self._create_preview(record, self.close_preview)
        if answer == self._state.grid.selected and not self.is_previewing:
            self._stack.addWidget(preview)
            self._stack.setCurrentWidget(preview)
            focus_region(preview)

    def _add_to_menu(self, menu: QMenu) -> None:
        """Add what can be done with the selected rows to a context menu."""
        has_rows = bool(self.table.selected_ranges())
        for text, glyph, keys, run in (
            (_("Copy"), "copy", "Ctrl+C", lambda: self.copy(with_headings=False)),
            (_("Copy with headings"), "copy", "", lambda: self.copy(with_headings=True)),
            (_("Show as participants saw it"), "eye", "F4", self.show_record),
        ):
            action = menu.addAction(icon(glyph), f"{text}\t{shortcut_text(keys)}" if keys else text)
            action.setEnabled(has_rows)
            action.triggered.connect(run)

    def _close_detail(self) -> None:
        self.table.setFocus()
        self.table.clearSelection()

    def _update_geometry(self) -> None:
        """Adapt filters and detail panel to the width of the panel and the text size."""
        px = theme().px
        self.filters.set_narrow(is_narrow=self.width() < px(_NARROW_BELOW))
        self.detail.setMaximumWidth(max(px(_MIN_DETAIL_WIDTH), self.width() // 2))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_geometry()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.detail.isVisible():
            self._close_detail()
            return
        super().keyPressEvent(event)


def _blocks(ranges: Sequence[range], most: int) -> Iterator[tuple[int, int]]:
    """Yield ranges in parts of at most `BLOCK_SIZE` rows, as start and count; at most `most` rows in all."""
    for part in ranges:
        stop = min(part.stop, part.start + most)
        for start in range(part.start, stop, BLOCK_SIZE):
            yield start, min(BLOCK_SIZE, stop - start)
        most = max(0, most - len(part))


def _count_text(answers: int, participants: int, excluded: int) -> str:
    text = ngettext("{answers} from {count} participant", "{answers} from {count} participants", participants)
    received = ngettext("{count} answer", "{count} answers", answers).format(count=number(answers))
    text = text.format(answers=received, count=number(participants))
    more = ngettext("{answers}, {count} excluded", "{answers}, {count} excluded", excluded)
    return more.format(answers=text, count=number(excluded)) if excluded else text


def _with_new(text: str, new: int) -> str:
    """A text about answers, and how many of them are new."""
    template = ngettext("{answers}; {count} is new.", "{answers}; {count} are new.", new)
    return template.format(answers=text, count=number(new)) if new else text


def _with_new_of_all(text: str, new: int) -> str:
    """A text about answers that match the filters, and how many of all answers are new."""
    template = ngettext("{answers}; of all, {count} is new.", "{answers}; of all, {count} are new.", new)
    return template.format(answers=text, count=number(new)) if new else text
