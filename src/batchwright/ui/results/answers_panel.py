"""The table of answers with its filter and its reader."""

from dataclasses import replace

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QHeaderView, QWidget
from typing_extensions import override

from batchwright.ui.kit.boxes import column, row
from batchwright.ui.kit.fields import SearchField
from batchwright.ui.kit.panels import Panel, Rule
from batchwright.ui.kit.tables import Table
from batchwright.ui.kit.text import Text
from batchwright.ui.measures import number, short
from batchwright.ui.results.answers_model import AnswersModel
from batchwright.ui.results.reader import Reader
from batchwright.ui.results.view_model import ResultsViewModel
from batchwright.ui.theme import Role, theme
from batchwright.words import _, ngettext

_SEARCH_WIDTH, _CHOICE_WIDTH = 260, 190
_WIDTHS = (126, 240)
_TIME_WIDTH = 110


class AnswersPanel(Panel):
    """Filter, table, and at its right the reader for the row chosen."""

    def __init__(self, model: ResultsViewModel, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._model, self._rows = model, AnswersModel(self)
        self._search = SearchField(_("Search answers"))
        self._search.setFixedWidth(theme().px(_SEARCH_WIDTH))
        self._questions, self._people = QComboBox(), QComboBox()
        for choice, name in ((self._questions, _("Question")), (self._people, _("Participant"))):
            choice.setAccessibleName(name)
            choice.setFixedWidth(theme().px(_CHOICE_WIDTH))
        self._count = Text("", Role.SMALL, "text2", tabular=True)
        self.table = Table(_("Answers"), self._rows, radius=9)
        self.reader = Reader()
        self.reader.hide()
        head = row(self._search, self._questions, self._people, None, self._count, gap=8)
        top = column(head, margins=(12, 10, 16, 10))
        body = row(gap=0)
        body.addWidget(self.table, 1)
        body.addWidget(self.reader)
        whole = column(top, Rule(), gap=0, margins=1, parent=self)
        whole.addLayout(body, 1)
        self._connect()

    def show_answers(self) -> None:
        """Draw what the model has, and its choices anew."""
        answers = self._model.answers
        asked = [(question.id, question.title) for question in answers.questions]
        _offer(self._questions, _("All questions"), asked, self._model.filter.question)
        people = [(id, short(id)) for id in answers.people]
        _offer(self._people, _("All participants"), people, self._model.filter.participant)
        self.show_filtered()

    def show_filtered(self) -> None:
        """Draw what the filter takes."""
        model = self._model
        chosen, sheets = model.filter, model.sheets
        questions = [one for one in model.answers.questions if chosen.question in ("", one.id)]
        before = self._rows.columnCount()
        self._rows.show_answers(sheets, questions)
        count = sum(1 if chosen.question else len(sheet.answers) for sheet in sheets)
        people = len({sheet.participant for sheet in sheets})
        words = ngettext("{count} answer", "{count} answers", count).format(count=number(count))
        said = ngettext("{answers} of {count} person", "{answers} of {count} people", people)
        self._count.setText(said.format(answers=words, count=number(people)))
        if self._rows.columnCount() != before:
            self._fit_columns()
        if not sheets:
            self.reader.hide()

    def _connect(self) -> None:
        self._search.textChanged.connect(self._narrow)
        self._questions.currentIndexChanged.connect(self._narrow)
        self._people.currentIndexChanged.connect(self._narrow)
        self.table.selectionModel().currentRowChanged.connect(self._read)
        self.reader.closed.connect(self._close_reader)
        self._model.filter_changed.connect(self.show_filtered)

    def _narrow(self) -> None:
        wanted = replace(
            self._model.filter,
            words=self._search.text(),
            question=self._questions.currentData() or "",
            participant=self._people.currentData() or "",
        )
        self._model.set_filter(wanted)

    def _read(self, current: QModelIndex) -> None:
        sheet = self._rows.sheet(current.row()) if current.isValid() else None
        if sheet is not None:
            self.reader.show_sheet(sheet, self._model.answers.questions)
        self.reader.setVisible(sheet is not None)

    def _close_reader(self) -> None:
        self.table.clearSelection()
        self.table.setCurrentIndex(QModelIndex())
        self.table.setFocus()

    def _fit_columns(self) -> None:
        head, last = self.table.horizontalHeader(), self._rows.columnCount() - 1
        head.setStretchLastSection(False)
        for section, width in enumerate(_WIDTHS):
            head.setSectionResizeMode(section, QHeaderView.ResizeMode.Interactive)
            self.table.setColumnWidth(section, theme().px(width))
        many = last - len(_WIDTHS) > 4
        for section in range(len(_WIDTHS), last):
            mode = QHeaderView.ResizeMode.Interactive if many else QHeaderView.ResizeMode.Stretch
            head.setSectionResizeMode(section, mode)
            if many:
                self.table.setColumnWidth(section, theme().px(_WIDTHS[1]))
        head.setSectionResizeMode(last, QHeaderView.ResizeMode.Interactive)
        self.table.setColumnWidth(last, theme().px(_TIME_WIDTH))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.reader.isVisible():
            self._close_reader()
            return
        super().keyPressEvent(event)


def _offer(choice: QComboBox, everything: str, offers: list[tuple[str, str]], chosen: str) -> None:
    """Offer everything and each; nothing is told, since nothing was chosen by a person."""
    with QSignalBlocker(choice):
        choice.clear()
        choice.addItem(everything, "")
        for id, text in offers:
            choice.addItem(text, id)
        choice.setCurrentIndex(max(0, choice.findData(chosen)))
