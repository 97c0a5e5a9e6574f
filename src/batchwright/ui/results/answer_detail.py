"""The detail panel of the Results stage: all answers of one participant to one task, and the record of
the task.
"""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.results.answer_table import TaskAnswers
from batchwright.results.questions import AnsweredQuestion
from batchwright.ui.core.formatting import short_datetime
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.widgets.box_layouts import clear, column, row
from batchwright.ui.widgets.buttons import IconButton
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.surfaces import Edge, Separator, Surface
from batchwright.ui.widgets.text import ElidedLabel, Label

_WIDTH = 380
_MOST = 20_000
"""Maximum number of characters shown of an answer or a value."""


def _readable(name: str, text: str) -> Label:
    """A label whose text can be selected and copied."""
    shown = Label(text[:_MOST] or "–", wraps=True)
    shown.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    shown.setAccessibleName(sanitize_line(name))
    shown.setAccessibleDescription(sanitize(text[:_MOST]))
    return shown


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
        self._title.setText(sheet.title or _("One task"))
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
        return QSize(theme().px(_WIDTH), super().sizeHint().height())
