"""The page of the preview, at browser or phone width: its questions, and a summary of invalid answers."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QSizePolicy, QStyle, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.layout.item_types.questions import Question
from batchwright.layout.pages.page import ColumnView, RowView, errors_heading
from batchwright.ui.core.web_media import PreviewMedia
from batchwright.ui.editor.item_types.registry import block_widget, question_control
from batchwright.ui.editor.preview.state import PreviewState
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import direction_flag, draw_rounded
from batchwright.ui.theme.focus import RING
from batchwright.ui.theme.foreign import sanitize
from batchwright.ui.theme.shadows import Elevation, draw_shadow
from batchwright.ui.widgets.box_layouts import clear, column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.fields import mark_error
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.placeholders import EmptyState
from batchwright.ui.widgets.progress import ProgressBar
from batchwright.ui.widgets.surfaces import Panel, SunkenSurface
from batchwright.ui.widgets.text import ElidedLabel, Label, breakable, show_literal

_INDENT_PX = 18
_UNLIMITED_HEIGHT_PX = 10_000
"""A height in pixels that no wrapped text reaches."""


class ErrorSummary(QFrame):
    """How many answers are invalid, with a link to each of them."""

    def __init__(self, go_to: Callable[[int], None]) -> None:
        """`go_to` is called with the index of the question whose link was activated."""
        super().__init__()
        self._go_to = go_to
        self._head = Label("", TextRole.STRONG, wraps=True)
        self._links_layout = column(gap=2)
        self.links: list[ErrorLink] = []
        column(self._head, self._links_layout, gap=4, margins=(18, 14, 18, 14), parent=self)
        self.hide()

    def show_errors(self, errors: Sequence[tuple[Question, Sequence[str]]]) -> None:
        """Show the messages of the invalid questions."""
        clear(self._links_layout)
        self._head.setText(errors_heading(len(errors)))
        self.links = [self._link(question, message) for question, messages in errors for message in messages]
        self._links_layout.add(*self.links)
        self.setVisible(bool(errors))

    def set_initial_focus(self) -> None:
        """Focus the first link; Enter then leads to its question."""
        for link in self.links[:1]:
            link.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _link(self, question: Question, message: str) -> "ErrorLink":
        text = _("{question} {message}").format(question=question.description, message=message)
        link = ErrorLink(text.strip())
        link.clicked.connect(lambda: self._go_to(question.number))
        return link

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = theme().tokens
        draw_rounded(QPainter(self), self.rect(), theme().px(8), tokens.err_soft, tokens.err)


class ErrorLink(QAbstractButton):
    """A link with one error message; the text wraps."""

    def __init__(self, text: str) -> None:
        super().__init__()
        show_literal(self, text)
        self.setFont(theme().font(TextRole.BODY))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setProperty(RING, 5)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @override
    def heightForWidth(self, width: int) -> int:
        rect = QRect(0, 0, max(1, width - theme().px(_INDENT_PX)), _UNLIMITED_HEIGHT_PX)
        text = self.fontMetrics().boundingRect(rect, int(Qt.TextFlag.TextWordWrap), breakable(self.text()))
        return max(theme().px(24), text.height() + theme().px(4))

    @override
    def sizeHint(self) -> QSize:
        width = theme().px(300)
        return QSize(width, self.heightForWidth(width))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(80), theme().px(24))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, px = QPainter(self), theme().px
        font = self.font()
        font.setUnderline(True)
        painter.setPen(theme().tokens.text)
        direction, box = self.layoutDirection(), self.rect()
        align = (
            QStyle.visualAlignment(direction, Qt.AlignmentFlag.AlignVCenter) | Qt.AlignmentFlag.AlignAbsolute
        )
        bullet = QStyle.visualRect(direction, box, QRect(px(4), 0, px(_INDENT_PX - 4), px(24)))
        painter.drawText(bullet, int(align), "•")
        painter.setFont(font)
        text_box = QStyle.visualRect(direction, box, box.adjusted(px(_INDENT_PX), 0, 0, 0))
        flags = int(Qt.TextFlag.TextWordWrap) | direction_flag(self.text(), direction)
        painter.drawText(text_box, flags | int(align), breakable(self.text()))


class QuestionView(QWidget):
    """A question: its text, its control, and the errors of its answer."""

    def __init__(self, state: PreviewState, question: Question, *, is_narrow: bool) -> None:
        super().__init__()
        self.question, self._state = question, state
        self.control = question_control(state, question, is_narrow=is_narrow)
        label = Label(question.description or _("This question has no text yet."), TextRole.TITLE, wraps=True)
        label.set_tone("text" if question.description else "text3")
        self._errors_layout = column(gap=6)
        lines = column(label, gap=2, parent=self)
        if question.helper:
            lines.add(Label(question.helper, TextRole.PAGE, "text2", wraps=True))
        if question.hint:
            lines.add(Label(question.hint, TextRole.BODY, "text3", wraps=True))
        self._usage_label = Label("", TextRole.BODY, "text3", tabular=True)
        lines.add(self._errors_layout, 8, self.control, 4, self._usage_label)
        state.answer_changed.connect(self._on_answer_changed)
        self.show_errors(question.errors)
        self._refresh_usage()

    def show_errors(self, messages: Sequence[str]) -> None:
        """Show the errors of the answer; an empty sequence clears them."""
        clear(self._errors_layout)
        for message in messages:
            row_widget = QWidget()
            layout = row(gap=8, margins=(0, 6, 0, 0), parent=row_widget)
            layout.addWidget(
                Glyph("warning-circle-fill", "err", 18, text_role=TextRole.NAME), 0, Qt.AlignmentFlag.AlignTop
            )
            layout.addWidget(Label(message, TextRole.NAME, "err", wraps=True), 1)
            self._errors_layout.add(row_widget)
        for widget in self.control.inputs:
            mark_error(widget, has_error=bool(messages))
            widget.setAccessibleDescription(sanitize(" ".join(messages) or self.question.hint))

    def _on_answer_changed(self, question: int) -> None:
        if question == self.question.number:
            self.show_errors(self._state.errors_of(question))
            self._refresh_usage()

    def _refresh_usage(self) -> None:
        used = self._state.usage(self.question.number)
        self._usage_label.setText(used)
        self._usage_label.setVisible(bool(used))

    def set_initial_focus(self) -> None:
        """Focus the first input."""
        for widget in self.control.inputs[:1]:
            widget.setFocus(Qt.FocusReason.ShortcutFocusReason)


_BROWSER_WIDTH_PX, _PHONE_WIDTH_PX = 1000, 390
_RADIUS_PX = 12
_SHADOW_PX = Elevation.SHEET.extent
"""Space in pixels that the shadow around the sheet needs."""


class PreviewPage(QFrame):
    """One page with its answers. A new widget is created for each page."""

    next_pressed = Signal()
    back_pressed = Signal()

    def __init__(self, state: PreviewState, media: PreviewMedia, *, is_narrow: bool) -> None:
        super().__init__()
        self._state, self._media, self._is_narrow = state, media, is_narrow
        self.setAccessibleName(_("Page as participants see it"))
        self.questions: list[QuestionView] = []
        self.rows: list[list[PreviewColumn]] = []
        """The columns of each row."""
        self._accepted_notice = _accepted_notice()
        self._error_summary = ErrorSummary(self._go_to)
        across = (16 if is_narrow else 40) + _SHADOW_PX
        lines = column(gap=24, margins=(across, 26 + _SHADOW_PX, across, 26 + _SHADOW_PX), parent=self)
        lines.add(self._header())
        view = state.page_view()
        lines.add(self._error_summary, self._accepted_notice)
        for row_view in view.rows:
            lines.add(self._row(row_view))
        if not view.rows:
            lines.add(
                EmptyState("layout", _("This page is empty"), _("Add items to it in the Layout stage."))
            )
        lines.add(self._footer())
        lines.addStretch(1)
        self._update_width()
        self.show_validation()

    def show_validation(self) -> None:
        """Show the errors of the answers and focus the error summary, as the participant page does."""
        for view in self.questions:
            view.show_errors(self._state.errors_of(view.question.number))
        self._accepted_notice.setVisible(self._state.is_accepted)
        faulty = [view for view in self.questions if view.question.number in self._state.invalid_questions]
        self._error_summary.show_errors(
            [(view.question, self._state.errors_of(view.question.number)) for view in faulty]
        )
        self._error_summary.set_initial_focus()

    def set_initial_focus(self) -> None:
        """Focus the first question, or the Next button if there is none."""
        for view in self.questions[:1]:
            view.set_initial_focus()
        if not self.questions:
            self._next.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _go_to(self, question: int) -> None:
        for view in self.questions:
            if view.question.number == question:
                view.set_initial_focus()

    def _update_width(self) -> None:
        width = theme().px((_PHONE_WIDTH_PX if self._is_narrow else _BROWSER_WIDTH_PX) + 2 * _SHADOW_PX)
        self.setMaximumWidth(width)
        if self._is_narrow:
            self.setMinimumWidth(width)

    def _header(self) -> QWidget:
        head = QWidget()
        title = ElidedLabel(self._state.title, TextRole.SMALL_STRONG, "text2")
        fraction = (self._state.number + 1) / max(1, self._state.count)
        meter = ProgressBar(_("Progress"))
        meter.show_segments((fraction, "accent"))
        meter.setFixedWidth(theme().px(120))
        layout = row(gap=10, parent=head)
        layout.addWidget(title, 1)
        layout.add(Label(self._state.progress, TextRole.SMALL, "text2", tabular=True), meter)
        return head

    def _row(self, row_view: RowView) -> QWidget:
        container = QWidget()
        has_two = len(row_view.columns) > 1
        columns = [
            PreviewColumn(
                self._state,
                entry,
                self._media,
                is_boxed=has_two and entry.is_static,
                is_narrow=self._is_narrow,
            )
            for entry in row_view.columns
        ]
        self.rows.append(columns)
        self.questions += [view for entry in columns for view in entry.questions]
        if has_two and not self._is_narrow:
            layout = row(gap=16, parent=container)
            for entry in columns:
                layout.addWidget(entry, 1)
        else:
            column(*columns, gap=16, parent=container)
        return container

    def _footer(self) -> QWidget:
        footer = QWidget()
        self._next = Button(
            _("Finish") if self._state.is_last else _("Next page"),
            ButtonKind.PRIMARY,
            height=ButtonSize.WELCOME,
        )
        self._next.clicked.connect(self.next_pressed)
        layout = row(margins=(0, 8, 0, 0), parent=footer)
        if self._state.number > 0:
            back = Button(_("Back"), height=ButtonSize.WELCOME)
            back.clicked.connect(self.back_pressed)
            layout.add(back)
        layout.add(None, self._next)
        return footer

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, rim = QPainter(self), theme().tokens, theme().px(_SHADOW_PX)
        box = self.rect().adjusted(rim, rim, -rim, -rim)
        draw_shadow(painter, box, Elevation.SHEET, tokens.shadow, is_dark=theme().is_dark)
        draw_rounded(painter, box, theme().px(_RADIUS_PX), tokens.surface, tokens.border)


class PreviewColumn(QWidget):
    """The blocks of one column. A column without questions that is beside another one has a border."""

    def __init__(
        self,
        state: PreviewState,
        view: ColumnView,
        media: PreviewMedia,
        *,
        is_boxed: bool,
        is_narrow: bool,
    ) -> None:
        super().__init__()
        self.blocks: list[QWidget] = [
            QuestionView(state, block, is_narrow=is_narrow)
            if isinstance(block, Question)
            else block_widget(block, media)
            for block in view.blocks
        ]
        surface = Panel(10) if is_boxed else QWidget()
        column(*self.blocks, None, gap=16 if is_boxed else 24, margins=16 if is_boxed else 0, parent=surface)
        column(surface, parent=self)

    @property
    def questions(self) -> list[QuestionView]:
        """The blocks of the column that are questions."""
        return [block for block in self.blocks if isinstance(block, QuestionView)]


def _accepted_notice() -> QWidget:
    surface = SunkenSurface("ok_soft")
    label = Label(
        _("These answers would be accepted. A preview does not store them."), TextRole.NAME, "ok", wraps=True
    )
    row(label, margins=(18, 12, 18, 12), parent=surface)
    label.setAlignment(Qt.AlignmentFlag.AlignLeft)
    return surface
