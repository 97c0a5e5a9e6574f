"""The page of the preview, composed of its blocks, at browser or phone width."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.layout.pages.page import ColumnView, RowView
from batchwright.layout.pages.questions import Question
from batchwright.ui.editor.item_types.registry import block_widget
from batchwright.ui.editor.preview.error_summary import ErrorSummary
from batchwright.ui.editor.preview.questions import QuestionView
from batchwright.ui.editor.preview.state import PreviewState
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded
from batchwright.ui.theme.shadows import Elevation, draw_shadow
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.placeholders import EmptyState
from batchwright.ui.widgets.progress import ProgressBar
from batchwright.ui.widgets.surfaces import Panel, SunkenSurface
from batchwright.ui.widgets.text import ElidedLabel, Label

_WIDE, _NARROW = 1000, 390
_RADIUS = 12
_RIM = Elevation.SHEET.extent
"""Space in pixels that the shadow around the sheet needs."""


class PreviewPage(QFrame):
    """One page with its answers. A new widget is created for each page."""

    next_pressed = Signal()
    back_pressed = Signal()

    def __init__(self, model: PreviewState, *, is_narrow: bool) -> None:
        super().__init__()
        self._model, self._is_narrow = model, is_narrow
        self.setAccessibleName(_("Page as participants see it"))
        self.questions: list[QuestionView] = []
        self.rows: list[list[PreviewColumn]] = []
        """The columns of each row."""
        self._accepted = _accepted_notice()
        self._error_summary = ErrorSummary(self._go_to)
        across = (16 if is_narrow else 40) + _RIM
        lines = column(gap=24, margins=(across, 26 + _RIM, across, 26 + _RIM), parent=self)
        lines.add(self._header())
        view = model.page_view()
        lines.add(self._error_summary, self._accepted)
        for row_view in view.rows:
            lines.add(self._row(row_view))
        if not view.rows:
            lines.add(EmptyState("layout", _("This page is empty"), _("Put something on it in the Layout.")))
        lines.add(self._footer())
        lines.addStretch(1)
        self._fit()
        self.show_validation()

    def show_validation(self) -> None:
        """Show the errors of the answers and focus the error summary, as the participant page does."""
        for view in self.questions:
            view.show_errors(self._model.errors_of(view.question.number))
        self._accepted.setVisible(self._model.is_accepted)
        faulty = [view for view in self.questions if view.question.number in self._model.invalid_questions]
        self._error_summary.show_errors(
            [(view.question, self._model.errors_of(view.question.number)) for view in faulty]
        )
        self._error_summary.take_focus()

    def take_focus(self) -> None:
        """Focus the first question, or the Next button if there is none."""
        for view in self.questions[:1]:
            view.take_focus()
        if not self.questions:
            self._next.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _go_to(self, question: int) -> None:
        for view in self.questions:
            if view.question.number == question:
                view.take_focus()

    def _fit(self) -> None:
        width = theme().px((_NARROW if self._is_narrow else _WIDE) + 2 * _RIM)
        self.setMaximumWidth(width)
        if self._is_narrow:
            self.setMinimumWidth(width)

    def _header(self) -> QWidget:
        head = QWidget()
        title = ElidedLabel(self._model.title, TextRole.SMALL_STRONG, "text2")
        fraction = (self._model.number + 1) / max(1, self._model.count)
        meter = ProgressBar(_("Progress"))
        meter.show_segments((fraction, "accent"))
        meter.setFixedWidth(theme().px(120))
        layout = row(gap=10, parent=head)
        layout.addWidget(title, 1)
        layout.add(Label(self._model.progress, TextRole.SMALL, "text2", tabular=True), meter)
        return head

    def _row(self, row_view: RowView) -> QWidget:
        container = QWidget()
        two = len(row_view.columns) > 1
        columns = [
            PreviewColumn(self._model, one, is_boxed=two and one.is_static, is_narrow=self._is_narrow)
            for one in row_view.columns
        ]
        self.rows.append(columns)
        self.questions += [view for one in columns for view in one.questions]
        if two and not self._is_narrow:
            layout = row(gap=16, parent=container)
            for one in columns:
                layout.addWidget(one, 1)
        else:
            column(*columns, gap=16, parent=container)
        return container

    def _footer(self) -> QWidget:
        footer = QWidget()
        self._next = Button(
            _("Finish") if self._model.is_last else _("Next page"),
            ButtonKind.PRIMARY,
            height=ButtonSize.WELCOME,
        )
        self._next.clicked.connect(self.next_pressed)
        layout = row(margins=(0, 8, 0, 0), parent=footer)
        if self._model.number > 0:
            back = Button(_("Back"), height=ButtonSize.WELCOME)
            back.clicked.connect(self.back_pressed)
            layout.add(back)
        layout.add(None, self._next)
        return footer

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, rim = QPainter(self), theme().tokens, theme().px(_RIM)
        box = self.rect().adjusted(rim, rim, -rim, -rim)
        draw_shadow(painter, box, Elevation.SHEET, tokens.shadow, is_dark=theme().is_dark)
        draw_rounded(painter, box, theme().px(_RADIUS), tokens.surface, tokens.border)


class PreviewColumn(QWidget):
    """The blocks of one column. A column without questions that is beside another one has a border."""

    def __init__(self, model: PreviewState, view: ColumnView, *, is_boxed: bool, is_narrow: bool) -> None:
        super().__init__()
        self.blocks: list[QWidget] = [
            QuestionView(model, block, is_narrow=is_narrow)
            if isinstance(block, Question)
            else block_widget(block)
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
