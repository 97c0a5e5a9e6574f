"""The panel beside the answer grid: an answer in full, the other answers to the task, and its record."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from batchwright.analysis.store.answer_query import AnswerEntry, AnswerRow
from batchwright.base.i18n import _
from batchwright.ui.core.formatting import short_datetime
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.widgets.box_layouts import clear, column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize, IconButton, browser_button
from batchwright.ui.widgets.help_button import HelpButton, set_help_address
from batchwright.ui.widgets.rich_text_view import RichTextView
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.surfaces import Edge, Separator, Surface
from batchwright.ui.widgets.text import ElidedLabel, Label, breakable
from batchwright.ui.widgets.wrapping_row import WrappingRow
from batchwright.wire.local_routes import is_simulated

_WIDTH = 380
_MAX_SHOWN_CHARACTERS = 20_000
"""Maximum number of characters shown of an answer or a value."""
_LINKS = ("https://", "http://")


@dataclass(frozen=True)
class AnswerDetail:
    """What the panel shows."""

    answer: AnswerRow
    others: tuple[AnswerRow, ...] = ()
    """The participant's answers to the same task, in the order of the questions, the answer among them."""
    title: str = ""
    """The title of the record."""
    record: Mapping[str, str] | None = None
    """The complete record; None if it is unknown."""
    is_finding: bool = False
    """Whether the complete record is being looked up."""


class AnswerDetailPanel(Surface):
    """A panel beside the grid; it follows the selected row, and Escape closes it."""

    closed = Signal()
    record_requested = Signal()
    """The record is to be shown as the participant saw it."""
    include_requested = Signal()
    """The excluded answer is to be included again."""
    file_requested = Signal(object)
    """An uploaded file is to be saved; the argument is its `AnswerEntry`."""
    link_requested = Signal(str)
    """The URL of a medium is to be opened."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", Edge.LEFT, parent)
        set_help_address(self, "results.md#answers")
        self.setAccessibleName(_("Answer in full"))
        self._title = ElidedLabel("", TextRole.SECTION)
        self._participant = Label("", TextRole.CAPTION, "text2", wraps=True, tabular=True)
        close = IconButton("x", _("Close"), glyph_size=16)
        close.clicked.connect(self.closed)
        head = row(gap=8)
        head.addWidget(self._title, 1)
        head.add(HelpButton(_("Answer in full")), close)
        self._layout = column(gap=16)
        self._shown: AnswerDetail | None = None
        content = QWidget()
        column(self._layout, None, margins=(16, 0, 16, 16), parent=content)
        self._scrolled = VerticalScrollArea(content)
        self.preview_button = Button(
            _("Show as participants saw it"), glyph="eye", keys="F4", height=ButtonSize.SMALL
        )
        self.preview_button.clicked.connect(self.record_requested)
        self.include_button = Button(_("Include again"), glyph="arrow-u-up-left", height=ButtonSize.SMALL)
        self.include_button.clicked.connect(self.include_requested)
        top = column(
            head,
            self._participant,
            6,
            WrappingRow(self.preview_button, self.include_button, None),
            gap=2,
            margins=(16, 10, 10, 10),
        )
        layout = column(top, gap=0, margins=(1, 0, 0, 0), parent=self)
        layout.addWidget(self._scrolled, 1)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)

    @property
    def shown(self) -> AnswerDetail | None:
        """What is shown."""
        return self._shown

    def show_detail(self, detail: AnswerDetail) -> None:
        """Show an answer."""
        if detail == self._shown:
            return
        is_other = self._shown is None or detail.answer.id != self._shown.answer.id
        self._shown = detail
        answer = detail.answer
        self._title.setText(detail.title or (_("One task") if answer.task else _("One participant")))
        who = _("Simulated participant {id}") if is_simulated(answer.participant) else _("Participant {id}")
        lines = [who.format(id=answer.participant), short_datetime(answer.answered_at)]
        self.include_button.setVisible(bool(answer.exclusion))
        if answer.exclusion:
            lines.append(_("Excluded: {reason}").format(reason=answer.exclusion))
        self._participant.setText("\n".join(filter(None, lines)))
        clear(self._layout)
        self._add_answer(answer)
        others = [other for other in detail.others if other.id != answer.id]
        if others:
            self._layout.add(Separator(), Label(_("Other answers to this task"), TextRole.SECTION))
            for other in others:
                self._add_answer(other)
        if answer.task:
            self._add_record(detail)
        if is_other:
            self._scrolled.verticalScrollBar().setValue(0)

    def _add_answer(self, answer: AnswerRow) -> None:
        question = Label(answer.question.title, TextRole.SMALL, "text2", wraps=True)
        lines = column(question, _readable(answer.question.title, answer.text), gap=3)
        for entry in answer.entries:
            if entry.file_key is not None:
                lines.add(self._file_button(entry))
        self._layout.add(lines)

    def _file_button(self, entry: AnswerEntry) -> Button:
        text = _("Save “{name}”…").format(name=entry.file_name or entry.file_key)
        button = Button(text, ButtonKind.LINK, glyph="download-simple", height=ButtonSize.SMALL)
        button.clicked.connect(lambda: self.file_requested.emit(entry))
        return button

    def _add_record(self, detail: AnswerDetail) -> None:
        """Add the record below the answers, as far as it is known."""
        record = detail.answer.fields if detail.record is None else detail.record
        note = ""
        if detail.is_finding:
            note = _("Loading the record…")
        elif not record:
            note = _("The answers do not say which record this is, and it was not found in the report.")
        elif detail.record is None:
            note = _("Only its metadata is known: it was found neither in the data file nor in the report.")
        self._layout.add(Separator(), Label(_("Record"), TextRole.SECTION))
        for name, value in record.items():
            label = Label(name, TextRole.SMALL, "text2", wraps=True)
            lines = column(label, _readable(name, value), gap=3)
            if value.lower().startswith(_LINKS) and not any(map(str.isspace, value)):
                lines.add(self._link_button(name, value))
            self._layout.add(lines)
        if note:
            self._layout.add(Label(note, TextRole.SMALL, "text2", wraps=True))

    def _link_button(self, name: str, url: str) -> Button:
        button = browser_button(name)
        button.clicked.connect(lambda: self.link_requested.emit(url))
        return button

    @override
    def sizeHint(self) -> QSize:
        return QSize(theme().px(_WIDTH), super().sizeHint().height())


def _readable(name: str, text: str) -> QWidget:
    """A widget whose text can be selected and copied. A label would be as wide as the longest word."""
    text = text[:_MAX_SHOWN_CHARACTERS]
    if breakable(text) != text:
        view = RichTextView(name)
        view.show_text(sanitize(text))
        view.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # copies its selection with the keyboard
        return view
    shown = Label(text or "–", wraps=True)
    shown.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    shown.setAccessibleName(sanitize_line(name))
    shown.setAccessibleDescription(sanitize(text))
    return shown
