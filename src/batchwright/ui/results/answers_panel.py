"""The table of answers with its model and filters, next to the full answers of one task."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHeaderView, QSizePolicy, QStackedWidget, QWidget
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.results.answer_table import TaskAnswers
from batchwright.results.questions import AnsweredQuestion
from batchwright.ui.core.formatting import abbreviated_id, number, short_datetime
from batchwright.ui.results.answer_filter import AnswerFilter
from batchwright.ui.results.charts import series_token
from batchwright.ui.results.state import ResultsState
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.widgets.box_layouts import clear, column, row
from batchwright.ui.widgets.buttons import Button, IconButton
from batchwright.ui.widgets.fields import FilterCombo, SearchField
from batchwright.ui.widgets.models import TableModel
from batchwright.ui.widgets.placeholders import EmptyState
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.surfaces import Edge, Panel, Separator, Surface
from batchwright.ui.widgets.tables import Cell, CellRole, Table, TextCell, accessible_text
from batchwright.ui.widgets.text import ElidedLabel, Label

_BEFORE = 2
"""Columns before those of the questions: participant and task. The time is the last column."""


class AnswersModel(TableModel):
    """The rows and questions that match the filter."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sheets: tuple[TaskAnswers, ...] = ()
        self._questions: tuple[AnsweredQuestion, ...] = ()

    def show_answers(self, sheets: tuple[TaskAnswers, ...], questions: Sequence[AnsweredQuestion]) -> None:
        """Show other rows and questions. Rows are compared by identity only, since there may be very many."""
        if sheets is not self._sheets or tuple(questions) != self._questions:
            self.beginResetModel()
            self._sheets, self._questions = sheets, tuple(questions)
            self.endResetModel()

    def sheet(self, row: int) -> TaskAnswers | None:
        """The answers in a row; None if there is no such row."""
        return self._sheets[row] if 0 <= row < len(self._sheets) else None

    @override
    def row_count(self) -> int:
        return len(self._sheets)

    @override
    def column_count(self) -> int:
        return len(self._questions) + _BEFORE + 1

    @override
    def heading(self, column: int, role: int) -> object:
        if role == Qt.ItemDataRole.TextAlignmentRole and column == self.column_count() - 1:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._head(column)
        return None

    @override
    def value(self, row: int, column: int, role: int) -> object:
        if role not in (CellRole.CELL, Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        sheet = self._sheets[row]
        if role == Qt.ItemDataRole.ToolTipRole:
            return {0: sheet.participant, 1: sheet.task_id}.get(column)
        cell = self._cell(sheet, column)
        return cell if role == CellRole.CELL else accessible_text(cell)

    def _head(self, section: int) -> str:
        if section < _BEFORE:
            return (_("Participant"), _("Task"))[section]
        if section == self.column_count() - 1:
            return _("Time")
        return self._questions[section - _BEFORE].title

    def _cell(self, sheet: TaskAnswers, section: int) -> Cell:
        if section == 0:
            tone = "reh" if sheet.is_simulated else "text2"
            return TextCell(abbreviated_id(sheet.participant), tone=tone)
        if section == 1:
            return TextCell(sheet.title or abbreviated_id(sheet.task_id), is_name=True)
        if section == self.column_count() - 1:
            return TextCell(short_datetime(sheet.answered_at), is_number=True, tone="text2")
        answer = sheet.answers.get(self._questions[section - _BEFORE].id)
        if answer is None or not answer.text:
            return TextCell("–", tone="text3")
        text = " ".join(answer.text.split())
        return TextCell(text, marker=series_token(answer.chosen[0]) if answer.chosen else "")


_SEARCH_WIDTH, _SEARCH_LEAST = 260, 90
_READER_LEAST = 220
_NARROW_BELOW = 640
_WIDTHS = (126, 240)
_TASK = 1
"""The column of the task, which is hidden for a collection."""
_TIME_WIDTH = 110
_QUESTION_WIDTH, _LEAST = 200, 120
"""Width of a question's column in pixels at 100 % if the table scrolls, and the minimum width before it
does."""


class AnswersPanel(Panel):
    """Filters, table, and beside it the detail panel for the selected row."""

    def __init__(self, model: ResultsState, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._model, self._rows = model, AnswersModel(self)
        self._search = SearchField(_("Search answers"))
        self._questions = FilterCombo(_("Question"), _("All questions"))
        self._people = FilterCombo(_("Participant"), _("All participants"))
        self._count = ElidedLabel("", TextRole.SMALL, "text2", tabular=True)
        self._count.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.table = Table(_("Answers"), self._rows, radius=9)
        self.detail = AnswerDetailPanel()
        self.detail.hide()
        self._open_answers: TaskAnswers | None = None
        self._sheets_when_opened: tuple[TaskAnswers, ...] = ()
        """All rows at the time when the one in the detail panel was last looked up."""
        self._fitted: tuple[bool, int] | None = None
        """Whether all columns fitted when the widths were last set, and the text size at that time."""
        self.table.viewport().installEventFilter(self)
        filters = row(gap=8)
        for control, stretch in ((self._search, 4), (self._questions, 3), (self._people, 3)):
            filters.addWidget(control, stretch)
        self._head = row(gap=8)
        self._head.addLayout(filters, 10)
        self._head.addWidget(self._count, 2)
        top = column(self._head, margins=(12, 10, 16, 10))
        self._body, self._places = QWidget(), QStackedWidget()
        body = row(gap=0, parent=self._body)
        body.addWidget(self.table, 1)
        body.addWidget(self.detail)
        self._no_matches = self._create_no_matches()
        for place in (self._body, self._no_matches):
            self._places.addWidget(place)
        layout = column(top, Separator(), gap=0, margins=1, parent=self)
        layout.addWidget(self._places, 1)
        self._connect()
        theme().on_changed(self._update_geometry)

    def show_answers(self) -> None:
        """Update the choices of the filters, then the table."""
        answers, filter = self._model.answers, self._model.filter
        self._questions.set_choices(
            {question.id: question.title for question in answers.questions}, filter.question
        )
        self._people.set_choices({id: abbreviated_id(id) for id in answers.participants}, filter.participant)
        with QSignalBlocker(self._search):
            self._search.setText(filter.text)
        self.show_filtered()

    def show_filtered(self) -> None:
        """Show the answers that match the filter."""
        model, filtered = self._model, self._model.filtered
        questions = [
            question for question in model.answers.questions if model.filter.question in ("", question.id)
        ]
        before = self._rows.columnCount()
        self._rows.show_answers(filtered.sheets, questions)
        answers = ngettext("{count} answer", "{count} answers", filtered.answers)
        text = ngettext(
            "{answers} from {count} participant", "{answers} from {count} participants", filtered.participants
        )
        self._count.setText(
            text.format(
                answers=answers.format(count=number(filtered.answers)), count=number(filtered.participants)
            )
        )
        self.table.setColumnHidden(_TASK, model.is_for_collection)
        if self._rows.columnCount() != before:
            self._update_columns()
        if not filtered.sheets:
            self._open_answers = None
            self.detail.hide()
        self._refresh_detail()
        self._places.setCurrentWidget(self._body if filtered.sheets else self._no_matches)

    def _create_no_matches(self) -> EmptyState:
        again = Button(_("Show all answers"))
        again.clicked.connect(self._show_all)
        text = _("Try another search term, or show all questions and participants.")
        return EmptyState("magnifying-glass", _("No matching answers"), text, again)

    def _show_all(self) -> None:
        self._model.set_filter(AnswerFilter())
        self.show_answers()
        self._search.setFocus()

    def _connect(self) -> None:
        self._search.textChanged.connect(self._on_filter_changed)
        for choice in (self._questions, self._people):
            choice.currentIndexChanged.connect(self._on_filter_changed)
        self.table.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self.detail.closed.connect(self._close_detail)
        self._model.filtered_changed.connect(self.show_filtered)
        self._model.records.report_searched.connect(self._show_detail)

    def _on_filter_changed(self) -> None:
        filter = replace(
            self._model.filter,
            text=self._search.text(),
            question=self._questions.chosen,
            participant=self._people.chosen,
        )
        self._model.set_filter(filter)

    def _on_selection_changed(self) -> None:
        """Show the selected row in the detail panel; a row with only the keyboard focus does not count."""
        chosen = self.table.selectionModel().selectedRows()
        sheet = self._rows.sheet(chosen[0].row()) if chosen else None
        self._open_answers, self._sheets_when_opened = sheet, self._model.answers.sheets
        self._show_detail()
        self.detail.setVisible(sheet is not None)

    def _show_detail(self) -> None:
        """Show the open row with everything known about it."""
        if self._open_answers is not None:
            sheet = self._model.records.find(self._open_answers)
            self.detail.show_answers(
                sheet, self._model.answers.questions, is_finding=self._model.records.is_finding(sheet)
            )

    def _refresh_detail(self) -> None:
        """Update the detail panel after answers were fetched; it is closed if its row no longer exists."""
        read, sheets = self._open_answers, self._model.answers.sheets
        if read is not None and sheets is not self._sheets_when_opened:
            self._sheets_when_opened = sheets
            self._open_answers = next((sheet for sheet in sheets if sheet.is_same_task(read)), None)
            self.detail.setVisible(self._open_answers is not None)
        self._show_detail()

    def _close_detail(self) -> None:
        self.table.setFocus()
        self.table.clearSelection()

    def _update_columns(self) -> None:
        head, last = self.table.horizontalHeader(), self._rows.columnCount() - 1
        head.setStretchLastSection(False)
        for section, width in enumerate(_WIDTHS):
            head.setSectionResizeMode(section, QHeaderView.ResizeMode.Interactive)
            self.table.setColumnWidth(section, theme().px(width))
        many = not self._questions_fit()
        for section in range(len(_WIDTHS), last):
            mode = QHeaderView.ResizeMode.Interactive if many else QHeaderView.ResizeMode.Stretch
            head.setSectionResizeMode(section, mode)
            if many:
                self.table.setColumnWidth(section, theme().px(_QUESTION_WIDTH))
        head.setSectionResizeMode(last, QHeaderView.ResizeMode.Interactive)
        self.table.setColumnWidth(last, theme().px(_TIME_WIDTH))
        self._fitted = not many, theme().text_size

    def _questions_fit(self) -> bool:
        """Whether the question columns can share the remaining width without getting too narrow."""
        widths = _WIDTHS[:_TASK] if self._model.is_for_collection else _WIDTHS
        fixed, questions = sum(widths) + _TIME_WIDTH, self._rows.columnCount() - len(_WIDTHS) - 1
        return self.table.viewport().width() >= theme().px(fixed + questions * _LEAST)

    def _update_geometry(self) -> None:
        """Adapt filters, detail panel and columns to the width of the panel and the text size."""
        px = theme().px
        self._search.setMaximumWidth(px(_SEARCH_WIDTH))
        self._search.setMinimumWidth(px(_SEARCH_LEAST))
        down, right = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._head.setDirection(down if self.width() < px(_NARROW_BELOW) else right)
        self.detail.setMaximumWidth(max(theme().px(_READER_LEAST), self.width() // 2))
        fitted = self._questions_fit(), theme().text_size
        if self._rows.columnCount() > len(_WIDTHS) and fitted != self._fitted:
            self._update_columns()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_geometry()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._update_geometry()
        return super().eventFilter(watched, event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.detail.isVisible():
            self._close_detail()
            return
        super().keyPressEvent(event)


_DETAIL_WIDTH = 380
_MAX_SHOWN_CHARACTERS = 20_000
"""Maximum number of characters shown of an answer or a value."""


class AnswerDetailPanel(Surface):
    """A panel beside the table of answers; it follows the selected row, and Escape closes it."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", Edge.LEFT, parent)
        self.setAccessibleName(_("Answers in full"))
        self._title = ElidedLabel("", TextRole.SECTION)
        self._participant = Label("", TextRole.CAPTION, "text2", wraps=True, tabular=True)
        close = IconButton("x", _("Close"), glyph_size=16)
        close.clicked.connect(self.closed)
        head = row(gap=8)
        head.addWidget(self._title, 1)
        head.add(close)
        self._layout = column(gap=16)
        self._shown: tuple[TaskAnswers, tuple[AnsweredQuestion, ...], bool] | None = None
        content = QWidget()
        column(self._layout, None, margins=(16, 0, 16, 16), parent=content)
        self._scrolled = VerticalScrollArea(content)
        top = column(head, self._participant, gap=2, margins=(16, 10, 10, 10))
        layout = column(top, gap=0, margins=(1, 0, 0, 0), parent=self)
        layout.addWidget(self._scrolled, 1)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)

    def show_answers(
        self, sheet: TaskAnswers, questions: Sequence[AnsweredQuestion], *, is_finding: bool = False
    ) -> None:
        """Show all answers of a row; `is_finding` is true while its complete record is being looked up."""
        shown = sheet, tuple(questions), is_finding
        if shown == self._shown:
            return
        is_other_task = self._shown is None or not sheet.is_same_task(self._shown[0])
        self._shown = shown
        self._title.setText(sheet.title or (_("One task") if sheet.has_task else _("One participant")))
        who = _("Simulated participant {id}") if sheet.is_simulated else _("Participant {id}")
        moment = short_datetime(sheet.answered_at)
        self._participant.setText("\n".join((who.format(id=sheet.participant), moment)).rstrip())
        clear(self._layout)
        for question in questions:
            answer = sheet.answers.get(question.id)
            if answer is None:
                continue
            question_label = Label(question.title, TextRole.SMALL, "text2", wraps=True)
            self._layout.add(column(question_label, _readable(question.title, answer.text), gap=3))
        if sheet.has_task:
            self._add_record(sheet, is_finding=is_finding)
        if is_other_task:
            self._scrolled.verticalScrollBar().setValue(0)

    def _add_record(self, sheet: TaskAnswers, *, is_finding: bool) -> None:
        """Add the record below the answers, as far as it is known."""
        note = ""
        if is_finding:
            note = _("Loading the record…")
        elif not sheet.record:
            note = _("The answers do not say which record this is, and it was not found in the report.")
        elif not sheet.is_record_complete:
            note = _("Only its metadata is known: it was found neither in the data file nor in the report.")
        self._layout.add(Separator(), Label(_("Record"), TextRole.SECTION))
        for name, value in sheet.record.items():
            self._layout.add(
                column(Label(name, TextRole.SMALL, "text2", wraps=True), _readable(name, value), gap=3)
            )
        if note:
            self._layout.add(Label(note, TextRole.SMALL, "text2", wraps=True))

    @override
    def sizeHint(self) -> QSize:
        return QSize(theme().px(_DETAIL_WIDTH), super().sizeHint().height())


def _readable(name: str, text: str) -> Label:
    """A label whose text can be selected and copied."""
    shown = Label(text[:_MAX_SHOWN_CHARACTERS] or "–", wraps=True)
    shown.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    shown.setAccessibleName(sanitize_line(name))
    shown.setAccessibleDescription(sanitize(text[:_MAX_SHOWN_CHARACTERS]))
    return shown
