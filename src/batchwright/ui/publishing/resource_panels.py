"""Panels about a batch or a collection: its numbers, its task details, and the operation that is running."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.client.published_content import details_of
from batchwright.ui.core.operations import Operation, OperationState
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import clear, column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.headings import SectionHeading
from batchwright.ui.widgets.progress import ProgressRow
from batchwright.ui.widgets.surfaces import Panel
from batchwright.ui.widgets.text import ElidedLabel, Label
from batchwright.wire.batches import TaskDetails, TaskDetailsResponse

_AFTER = 5
"""Stretch factor after the last number; that between two numbers is 1."""


class StatisticsPanel(Panel):
    """Up to four numbers beside each other."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._shown: tuple[tuple[str, str], ...] = ()
        self._line = row(gap=6, margins=(20, 14, 20, 14), parent=self)

    def show_figures(self, figures: Sequence[tuple[str, str]]) -> None:
        """Show the numbers, each above its label."""
        if tuple(figures) == self._shown:
            return
        self._shown = tuple(figures)
        clear(self._line)
        for place, (count, noun) in enumerate(figures):
            if place:
                self._line.addStretch(1)
            figure = Label(count, TextRole.WELCOME, tabular=True)
            figure.setAccessibleName(f"{count} {noun}")
            self._line.add(column(figure, ElidedLabel(noun, TextRole.SMALL, "text2"), gap=1))
        self._line.addStretch(_AFTER)


class DetailsPanel(Panel):
    """The task details, which participants read first."""

    help_address = "run.md#create-the-batch"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.edit = Button(_("Edit"), ButtonKind.QUIET, glyph="pencil-simple", height=ButtonSize.SMALL)
        self.edit.setAccessibleName(_("Edit task details"))
        self._task = Label("", TextRole.NAME, wraps=True)
        self._introduction = Label("", TextRole.BODY, "text2", wraps=True)
        heading = SectionHeading(_("Task details"), self.edit, has_help=True)
        column(heading, self._task, self._introduction, gap=4, margins=(20, 12, 20, 16), parent=self)

    def show_details(self, details: TaskDetails | TaskDetailsResponse | None, *, may_edit: bool) -> None:
        """Show the name and introduction of the task."""
        task, introduction, _steps = details_of(details)
        self._task.setText(task)
        text = QTextDocumentFragment.fromHtml(introduction).toPlainText().strip()
        self._introduction.setText(text or _("No introduction yet."))
        self.edit.setVisible(may_edit)


class ProgressPanel(Panel):
    """The progress of an operation, with a button that stops it."""

    stop_pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._progress = ProgressRow(_("Progress"))
        self.stop = Button(_("Stop"), ButtonKind.QUIET, height=ButtonSize.SMALL)
        self.stop.clicked.connect(self.stop_pressed)
        line = row(gap=12, margins=(20, 14, 20, 16), parent=self)
        line.addWidget(self._progress, 1)
        line.add(self.stop)

    def show_operation(self, operation: Operation | None) -> None:
        """Show an operation; hidden while none is running. One that changes something is not stopped."""
        self.setVisible(operation is not None)
        if operation is not None:
            self._progress.show_progress(operation.message, operation.fraction)
            is_offline = operation.state is OperationState.OFFLINE
            self.stop.setVisible(is_offline or operation.key == "simulate")
