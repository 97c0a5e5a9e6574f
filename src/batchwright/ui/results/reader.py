"""The reader: everything one participant answered to one task, in full."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from batchwright.results.answers import Sheet
from batchwright.results.questions import Question
from batchwright.ui.kit.boxes import clear, column, row
from batchwright.ui.kit.buttons import IconButton
from batchwright.ui.kit.panels import Edge, Ground
from batchwright.ui.kit.scrolling import Scrolled
from batchwright.ui.kit.text import CutText, Text
from batchwright.ui.measures import when
from batchwright.ui.theme import Role, theme
from batchwright.words import _

_WIDTH = 380


class Reader(Ground):
    """A panel at the right of the table; arrows in the table turn its pages, Escape closes it."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", Edge.LEFT, parent)
        self.setAccessibleName(_("Answers in full"))
        self._title = CutText("", Role.SECTION)
        self._who = Text("", Role.CAPTION, "text2", wraps=True, tabular=True)
        close = IconButton("x", _("Close"), glyph_size=16)
        close.clicked.connect(self.closed)
        head = row(gap=8)
        head.addWidget(self._title, 1)
        head.put(close)
        self._lines = column(gap=16)
        content = QWidget()
        column(self._lines, None, margins=(16, 0, 16, 16), parent=content)
        self._scrolled = Scrolled(content)
        top = column(head, self._who, gap=2, margins=(16, 10, 10, 10))
        whole = column(top, gap=0, margins=(1, 0, 0, 0), parent=self)
        whole.addWidget(self._scrolled, 1)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)

    def show_sheet(self, sheet: Sheet, questions: Sequence[Question]) -> None:
        """Show all answers of a sheet."""
        self._title.setText(sheet.title or _("One task"))
        who = _("Simulated participant {id}") if sheet.is_simulated else _("Participant {id}")
        moment = when(sheet.answered_at)
        self._who.setText("\n".join((who.format(id=sheet.participant), moment)).rstrip())
        clear(self._lines)
        for question in questions:
            answer = sheet.answers.get(question.id)
            if answer is None:
                continue
            asked = Text(question.title, Role.SMALL, "text2", wraps=True)
            said = Text(answer.text or "–", wraps=True)
            said.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
            said.setAccessibleName(question.title)
            said.setAccessibleDescription(answer.text)
            self._lines.put(column(asked, said, gap=3))
        self._scrolled.verticalScrollBar().setValue(0)

    @override
    def sizeHint(self) -> QSize:
        return QSize(theme().px(_WIDTH), super().sizeHint().height())
