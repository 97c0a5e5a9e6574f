"""The Jobs stage: all running and finished jobs, updated live; it includes those of earlier program runs."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QModelIndex, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QComboBox, QHeaderView, QMenu, QStackedWidget, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.job_types import KINDS
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.jobs.actions import (
    ACTIONS,
    AGAIN,
    OPEN,
    REFRESH,
    STOP,
    JobsContext,
    any_finished,
    any_running,
)
from batchwright.ui.jobs.labels import NO_CHECK, job_description, next_check, outcome, since, status, subtitle
from batchwright.ui.jobs.state import Job, JobFilter, JobsState, JobStateFilter
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.collection_selection import CollectionSelection
from batchwright.ui.study.study_model import Study
from batchwright.ui.theme import theme
from batchwright.ui.theme.glyphs import icon
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonSize, IconButton
from batchwright.ui.widgets.fields import SearchField
from batchwright.ui.widgets.headings import StageHeader
from batchwright.ui.widgets.placeholders import EmptyState, ErrorState, LoadingState
from batchwright.ui.widgets.surfaces import Panel, Separator, Surface
from batchwright.ui.widgets.tables.table import (
    DATE_WIDTH,
    TWO_LINE_ROW_HEIGHT,
    Cell,
    CellModel,
    Table,
    TextCell,
    accessible_text,
)
from batchwright.ui.widgets.toggles import Chip

_EVERY = 1000
"""Milliseconds between two updates of the times until the next poll."""
_WIDTHS = (400, 150, 0, DATE_WIDTH, 130)
"""Column widths in pixels at 100 %; a column of 0 takes the remaining width."""
_NARROW_BELOW = 840
_SEARCH_WIDTH, _KIND_WIDTHS = 240, (120, 200)
_ANY_WIDTH = (1 << 24) - 1
"""QWIDGETSIZE_MAX of Qt."""


def build_jobs(
    stage_context: StageContext, study: Study, session: ConnectionSession, collections: CollectionSelection
) -> QWidget:
    """Build the stage for one window."""
    return JobsStage(stage_context, JobsState(study, session, stage_context.tasks), collections)


class JobsStage(Surface):
    """The header; below it filter and table, or a page that says why there are no jobs."""

    chosen_changed = Signal()

    def __init__(
        self, stage_context: StageContext, state: JobsState, collections: CollectionSelection | None = None
    ) -> None:
        super().__init__("window")
        self.state, self.context = (
            state,
            JobsContext(stage_context, state, collections or CollectionSelection(self)),
        )
        state.setParent(self)
        self._filter = JobFilter()
        self.rows = JobsModel(state.seconds_to_poll, self)
        self.header = StageHeader(_("Jobs"))
        self._clear = Button(_("Clear finished"), height=ButtonSize.STAGE)
        self.header.add_buttons(self._clear)
        self.table = Table(_("Jobs"), self.rows, row_height=TWO_LINE_ROW_HEIGHT, radius=9)
        head = self.table.horizontalHeader()
        head.setStretchLastSection(False)
        for section, width in enumerate(_WIDTHS):
            mode = QHeaderView.ResizeMode.Interactive if width else QHeaderView.ResizeMode.Stretch
            head.setSectionResizeMode(section, mode)
        self._fitted_for: tuple[bool, int] | None = None
        self._set_widths: dict[int, int] = {}
        """The column widths set by the program; a width that differs was set by the user."""
        self._pages = QStackedWidget()
        for page in (self._create_table_page(), self._create_empty_page(), LoadingState()):
            self._pages.addWidget(page)
        layout = column(self.header, gap=0, parent=self)
        layout.addWidget(self._pages, 1)
        self._clock = QTimer(self)
        self._clock.setInterval(_EVERY)
        self._connect()
        stage_context.actions.add(self.context, ACTIONS, self.chosen_changed)
        self.show_state()

    def regions(self) -> Sequence[QWidget]:
        """The regions that F6 cycles through."""
        return self.header, self._panel

    def show_state(self) -> None:
        """Update everything shown."""
        state, chosen = self.state, self.state.chosen
        self.header.show_subtitle(subtitle(state))
        reason = any_running.disabled_reason(self.context)
        self.header.show_primary(_("Refresh all"), glyph="arrow-clockwise", disabled_reason=reason)
        self._clear.setEnabled(any_finished(self.context))
        self.rows.set_jobs(state.jobs, self._filter)
        if chosen is not None:
            self._choose(chosen.row.row_id)
        self._show_page()
        self._on_row_changed()

    def _create_table_page(self) -> QWidget:
        self._panel = Panel()
        self.kind = QComboBox()
        self.kind.setAccessibleName(_("Job type"))
        self.kind.addItem(_("All types"), "")
        for kind, of_kind in KINDS.items():
            self.kind.addItem(_(of_kind.group), str(kind))
        self._chips = {
            JobStateFilter.ALL: Chip(_("All")),
            JobStateFilter.RUNNING: Chip(_("Running")),
            JobStateFilter.FINISHED: Chip(_("Finished")),
            JobStateFilter.FAILED: Chip(_("Failed")),
        }
        self._chips[JobStateFilter.ALL].setChecked(True)
        self.poll_button = IconButton(REFRESH.glyph, _("Refresh"))
        self._stop_button = IconButton(STOP.glyph, _("Stop monitoring"))
        self.retry_button = IconButton(AGAIN.glyph, _("Retry"))
        self.open_button = IconButton(OPEN.glyph, _("Open"))
        self.search = SearchField(_("Search jobs"))
        self._row_actions = (
            (self.poll_button, REFRESH),
            (self._stop_button, STOP),
            (self.retry_button, AGAIN),
            (self.open_button, OPEN),
        )
        buttons = [button for button, _action in self._row_actions]
        choices = row(self.kind, *self._chips.values(), None, gap=4)
        self._head = row(choices, row(*buttons, self.search, gap=4), gap=8, margins=(12, 10, 12, 10))
        lines = column(self._head, Separator(), gap=0, margins=1, parent=self._panel)
        self._list = QStackedWidget()
        self._list.addWidget(self.table)
        text = _("Choose another filter or search term.")
        self._list.addWidget(EmptyState("funnel-simple", _("No matching jobs"), text))
        lines.addWidget(self._list, 1)
        theme().on_changed(self._update_geometry)
        place = QWidget()
        column(self._panel, gap=0, margins=(24, 18, 24, 18), parent=place).setStretch(0, 1)
        return place

    def _create_empty_page(self) -> QWidget:
        self._reasons = QStackedWidget()
        text = _("Uploads, imports, setups, syncs and exports show up here and survive a restart.")
        self._nothing = EmptyState("activity", _("No jobs yet"), text)
        self._reasons.addWidget(self._nothing)
        return self._reasons

    def _connect(self) -> None:
        state = self.state
        run_action, qaction = self.context.window.actions.run, self.context.window.actions.qaction
        state.changed.connect(self.show_state)
        self.header.primary.clicked.connect(lambda: run_action(ActionId.JOBS_REFRESH_ALL))
        self._clear.clicked.connect(lambda: run_action(ActionId.JOBS_CLEAR))
        self._clock.timeout.connect(self.rows.refresh_next_poll)
        self.kind.currentIndexChanged.connect(self._on_filter_changed)
        self.search.textChanged.connect(self._on_filter_changed)
        for chip in self._chips.values():
            chip.toggled.connect(self._on_filter_changed)
        for button, action in self._row_actions:
            button.clicked.connect(lambda _on, id=action.id: qaction(id).trigger())
        self.chosen_changed.connect(self._update_buttons)
        self.table.selectionModel().currentRowChanged.connect(self._on_row_changed)
        self.table.activated.connect(lambda: run_action(ActionId.JOBS_OPEN))
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._show_menu)

    def _on_row_changed(self) -> None:
        index = self.table.currentIndex()
        self.state.chosen = self.rows.job(index.row()) if index.isValid() else None
        self.chosen_changed.emit()

    def _on_filter_changed(self) -> None:
        which = next((which for which, chip in self._chips.items() if chip.isChecked()), JobStateFilter.ALL)
        self._filter = JobFilter(which, self.kind.currentData() or "", self.search.text())
        self.show_state()

    def _update_buttons(self) -> None:
        for button, action in self._row_actions:
            button.setEnabled(action.condition(self.context))

    def _show_menu(self, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for _button, action in self._row_actions:
            entry = menu.addAction(icon(action.glyph), str(action.text))
            entry.setEnabled(action.condition(self.context))
            entry.triggered.connect(self.context.window.actions.qaction(action.id).trigger)
        menu.popup(self.table.viewport().mapToGlobal(at))

    def _show_page(self) -> None:
        state = self.state
        if state.error is not None:
            again = Button(_("Retry"), glyph="arrow-clockwise")
            again.clicked.connect(state.refresh)
            why = ErrorState(state.error, again)
            self._show_placeholder(why)
            return
        if not state.jobs and not state.is_loading:
            self._show_placeholder(self._nothing)
            return
        self._list.setCurrentIndex(0 if self.rows.rowCount() else 1)
        self._pages.setCurrentIndex(0 if state.jobs else 2)

    def _show_placeholder(self, why: QWidget) -> None:
        old = self._reasons.widget(1)
        if old is not None:
            self._reasons.removeWidget(old)
            old.deleteLater()
        if why is not self._nothing:
            self._reasons.addWidget(why)
        self._reasons.setCurrentWidget(why)
        self._pages.setCurrentIndex(1)

    def _choose(self, number: int) -> None:
        at = self.rows.row_of(number)
        if at >= 0 and self.table.currentIndex().row() != at:
            self.table.setCurrentIndex(self.rows.index(at, 0, QModelIndex()))

    def _update_geometry(self) -> None:
        """Adapt header and columns to the width; in a narrow window, the last columns become second lines."""
        px = theme().px
        is_narrow = self.width() < px(_NARROW_BELOW)
        down, right = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._head.setDirection(down if is_narrow else right)
        self.kind.setMinimumWidth(px(_KIND_WIDTHS[0]))
        self.kind.setMaximumWidth(px(_KIND_WIDTHS[1]))
        self.search.setMaximumWidth(_ANY_WIDTH if is_narrow else px(_SEARCH_WIDTH))
        self.rows.set_collapsed(is_collapsed=is_narrow)
        for section in self.rows.collapsible_columns:
            self.table.setColumnHidden(section, is_narrow)
        self._update_columns(is_narrow=is_narrow)

    def _update_columns(self, *, is_narrow: bool) -> None:
        """Set the column widths; those set by the user remain until text size or arrangement change."""
        head = self.table.horizontalHeader()
        widths = {
            section: max(theme().px(width), head.sectionSizeHint(section))
            for section, width in enumerate(_WIDTHS)
            if width
        }
        # The first column is narrowed first, so that the result of a job can be read.
        widths[0] = min(widths[0], self.width() // (3 if is_narrow else 4))
        fitted = is_narrow, theme().text_size
        for section, width in widths.items():
            if fitted != self._fitted_for or self.table.columnWidth(section) == self._set_widths[section]:
                self.table.setColumnWidth(section, width)
                self._set_widths[section] = self.table.columnWidth(section)
        self._fitted_for = fitted

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_geometry()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._clock.start()
        self.state.refresh()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._clock.stop()


_OUTCOME, _NEXT_CHECK = 2, 4
_COLLAPSIBLE_COLUMNS = (3, 4)


class JobsModel(CellModel):
    """A row for each job that matches the filter; `seconds` returns the time until a job is polled next."""

    def __init__(self, seconds: Callable[[Job], float | None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._seconds = seconds
        self._jobs: list[Job] = []
        self._search_texts: dict[int, tuple[Job, str]] = {}
        """The text of each job that was searched, and the job whose text it is."""
        self._is_collapsed = False

    @property
    def collapsible_columns(self) -> Sequence[int]:
        """The columns hidden in a narrow window; second lines of other columns show their content."""
        return _COLLAPSIBLE_COLUMNS

    def set_collapsed(self, *, is_collapsed: bool) -> None:
        """Set whether second lines show the content of the collapsible columns."""
        if is_collapsed != self._is_collapsed:
            self._is_collapsed = is_collapsed
            self._notify_changed(0)

    def set_jobs(self, jobs: Sequence[Job], filter: JobFilter) -> None:
        """Show the jobs that match a filter; if they are the same rows as before, only their content is
        updated.
        """
        matching = [job for job in jobs if filter.matches(job, self._search_text(job) if filter.text else "")]
        if [job.row.row_id for job in matching] == [job.row.row_id for job in self._jobs]:
            self._jobs = matching
            self._notify_changed(0)
            return
        self.beginResetModel()
        self._jobs = matching
        self.endResetModel()

    def _search_text(self, job: Job) -> str:
        known, text = self._search_texts.get(job.row.row_id, (None, ""))
        if known != job:
            text = search_text(job)
            self._search_texts[job.row.row_id] = job, text
        return text

    def refresh_next_poll(self) -> None:
        """Repaint the times until the next poll."""
        self._notify_changed(_OUTCOME if self._is_collapsed else _NEXT_CHECK)

    def job(self, row: int) -> Job | None:
        """The job in a row; None if there is no such row."""
        return self._jobs[row] if 0 <= row < len(self._jobs) else None

    def row_of(self, number: int) -> int:
        """The row of a job; -1 if it is not shown."""
        return next((row for row, job in enumerate(self._jobs) if job.row.row_id == number), -1)

    @override
    def row_count(self) -> int:
        return len(self._jobs)

    @override
    def headings(self) -> Sequence[str]:
        return _("Job"), _("State"), _("Progress or result"), _("Since"), _("Next check")

    @override
    def cell(self, row: int, column: int) -> Cell:
        job = self._jobs[row]
        if column == _NEXT_CHECK:
            return TextCell(next_check(job, self._seconds(job)), tone="text2")
        if self._is_collapsed and column == _OUTCOME:
            return _with_next_check(outcome(job), next_check(job, self._seconds(job)))
        shown = job_description(job, since(job) if self._is_collapsed else "")
        return (shown, status(job), outcome(job), TextCell(since(job), tone="text2"))[column]

    @override
    def tooltip(self, row: int, column: int) -> str:
        return self.text(row, column)  # a narrow column elides reasons

    def _notify_changed(self, column: int) -> None:
        if self._jobs:
            last = self.index(len(self._jobs) - 1, self.columnCount() - 1, QModelIndex())
            self.dataChanged.emit(self.index(0, column, QModelIndex()), last)


def _with_next_check(cell: Cell, when: str) -> Cell:
    """The cell of a result, with the time of the next poll as its second line unless it has one already."""
    if not isinstance(cell, TextCell) or cell.subtitle or when == NO_CHECK:
        return cell
    return replace(cell, subtitle=_("Next check: {when}").format(when=when))


def search_text(job: Job) -> str:
    """The text of a row, which is searched."""
    return " ".join(map(accessible_text, (job_description(job), status(job), outcome(job))))
