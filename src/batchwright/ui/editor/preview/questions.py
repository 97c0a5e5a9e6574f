"""The widget of a question: its text, its control, and the errors of its answer."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.layout.pages.questions import Question
from batchwright.ui.editor.item_types.registry import question_control
from batchwright.ui.editor.preview.state import PreviewState
from batchwright.ui.theme import TextRole
from batchwright.ui.theme.foreign import sanitize
from batchwright.ui.widgets.box_layouts import clear, column, row
from batchwright.ui.widgets.fields import mark_error
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.text import Label


class QuestionView(QWidget):
    """One question of the page."""

    def __init__(self, model: PreviewState, question: Question, *, is_narrow: bool) -> None:
        super().__init__()
        self.question, self._model = question, model
        self.control = question_control(model, question, is_narrow=is_narrow)
        label = Label(question.description or _("This question has no text yet."), TextRole.TITLE, wraps=True)
        label.set_tone("text" if question.description else "text3")
        self._wrong = column(gap=6)
        lines = column(label, gap=2, parent=self)
        if question.helper:
            lines.add(Label(question.helper, TextRole.PAGE, "text2", wraps=True))
        if question.hint:
            lines.add(Label(question.hint, TextRole.BODY, "text3", wraps=True))
        self._used = Label("", TextRole.BODY, "text3", tabular=True)
        lines.add(self._wrong, 8, self.control, 4, self._used)
        model.answer_changed.connect(self._answer)
        self.show_errors(question.errors)
        self._count()

    def show_errors(self, sentences: Sequence[str]) -> None:
        """Show the errors of the answer; an empty sequence clears them."""
        clear(self._wrong)
        for sentence in sentences:
            row_widget = QWidget()
            layout = row(gap=8, margins=(0, 6, 0, 0), parent=row_widget)
            layout.addWidget(
                Glyph("warning-circle-fill", "err", 18, text_role=TextRole.NAME), 0, Qt.AlignmentFlag.AlignTop
            )
            layout.addWidget(Label(sentence, TextRole.NAME, "err", wraps=True), 1)
            self._wrong.add(row_widget)
        for widget in self.control.inputs:
            mark_error(widget, has_error=bool(sentences))
            widget.setAccessibleDescription(sanitize(" ".join(sentences) or self.question.hint))

    def _answer(self, question: int) -> None:
        if question == self.question.number:
            self.show_errors(self._model.errors_of(question))
            self._count()

    def _count(self) -> None:
        used = self._model.usage(self.question.number)
        self._used.setText(used)
        self._used.setVisible(bool(used))

    def take_focus(self) -> None:
        """Focus the first input."""
        for widget in self.control.inputs[:1]:
            widget.setFocus(Qt.FocusReason.ShortcutFocusReason)
