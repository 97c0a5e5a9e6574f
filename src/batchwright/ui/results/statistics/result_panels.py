"""Panels of results: title and number of answers, content, and the methods below."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QWidget
from typing_extensions import override

from batchwright.analysis.prepared_answers import ExcludedCounts
from batchwright.analysis.statistics.methods import Method
from batchwright.analysis.store.questions import AnalysedQuestion
from batchwright.base.i18n import _
from batchwright.ui.results.statistics.number_texts import excluded_text
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.widgets.box_layouts import LayoutItem, clear, column, row
from batchwright.ui.widgets.help_button import HelpButton
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.surfaces import Panel, Separator
from batchwright.ui.widgets.text import ElidedLabel, Label

_NARROW_BELOW = 760
_GAP = 32


class SideBySide(QWidget):
    """The first widget is wider than the second one."""

    def __init__(self, first: QWidget, second: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        for widget in (first, second):
            widget.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._layout = row(gap=_GAP, parent=self)
        self._layout.addWidget(first, 3, Qt.AlignmentFlag.AlignTop)
        self._layout.addWidget(second, 2, Qt.AlignmentFlag.AlignTop)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = self.width() < theme().px(_NARROW_BELOW)
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._layout.setDirection(down if is_narrow else across)


class ResultPanel(Panel):
    """A panel with a title, a text at its right, content, and methods."""

    def __init__(self, title: str, side: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setAccessibleName(sanitize_line(title))
        self._title, self._side = ElidedLabel(title, TextRole.SECTION), Label("", TextRole.SMALL, "text2")
        self.head = row(gap=16)
        self.head.addWidget(self._title, 1)
        self.head.add(self._side, HelpButton(title))
        self.content = column(gap=12)
        self._notes = column(gap=12)
        self._layout = column(
            self.head, self.content, self._notes, gap=12, margins=(20, 16, 20, 14), parent=self
        )
        self._shown_methods: tuple[Sequence[Method], ExcludedCounts] | None = None
        self.show_side(side)

    def show_title(self, title: str) -> None:
        """Set the title."""
        self._title.setText(title)
        self.setAccessibleName(sanitize_line(title))

    def show_side(self, text: str) -> None:
        """Set the text at the right of the title."""
        self._side.setText(text)
        self._side.setVisible(bool(text))

    def add(self, *items: LayoutItem) -> None:
        """Add content."""
        self.content.add(*items)

    def show_methods(self, methods: Sequence[Method], excluded: ExcludedCounts) -> None:
        """Show the names, assumptions and references of methods below the content, and what is excluded."""
        if (methods, excluded) != self._shown_methods:
            self._shown_methods = methods, excluded
            clear(self._notes)
            if methods or excluded.answers:
                self._notes.add(Separator(), MethodNotes(methods, excluded))


class MethodNotes(QWidget):
    """Methods with their assumptions and references in small print, and what is excluded."""

    def __init__(
        self, methods: Sequence[Method], excluded: ExcludedCounts, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        lines = column(gap=6, parent=self)
        text = excluded_text(excluded.answers, excluded.participants)
        if text:
            lines.add(Label(text, TextRole.CAPTION, "warn", wraps=True))
        for method in methods:
            note = Label(f"{_(method.name)}. {_(method.assumptions)}", TextRole.CAPTION, "text2", wraps=True)
            reference = Label(method.reference, TextRole.CAPTION, "text3", wraps=True)
            lines.add(column(note, reference, gap=1))


def question_title(question: AnalysedQuestion) -> str:
    """The text of a question on one line."""
    return sanitize_line(question.title) or _("Untitled question")


def page_content(*panels: QWidget) -> QWidget:
    """Panels below each other that scroll together."""
    content = QWidget()
    column(*panels, None, gap=14, margins=(24, 18, 24, 18), parent=content)
    return VerticalScrollArea(content)
