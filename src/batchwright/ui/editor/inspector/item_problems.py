"""Problems of a node as a whole, shown above its form with their quick fixes."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from batchwright.layout.edits import EditRejected
from batchwright.layout.rules.problems import WHOLE_NODE, Problem, Severity
from batchwright.ui.editor.inspector.form import NodeForm
from batchwright.ui.theme import TextRole
from batchwright.ui.theme.tips import tooltip_text
from batchwright.ui.widgets.box_layouts import clear, column, row
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.surfaces import SunkenSurface
from batchwright.ui.widgets.text import Label


class ItemProblems(QWidget):
    """One line for each problem of the node that concerns no single attribute."""

    def __init__(self, form: NodeForm) -> None:
        super().__init__()
        self._form = form
        self._lines = column(gap=8, parent=self)
        self._shown: tuple[Problem, ...] = ()
        form.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the current problems."""
        problems = self._form.problems.get(WHOLE_NODE, ())
        if problems != self._shown:
            self._shown = problems
            clear(self._lines)
            for problem in problems:
                self._lines.add(self._line(problem))
        if not problems or self.parentWidget() is not None:  # without a parent it would be a window
            self.setVisible(bool(problems))

    def _line(self, problem: Problem) -> QWidget:
        tone = "err" if problem.severity is Severity.ERROR else "warn"
        glyph = "warning-circle-fill" if tone == "err" else "warning-fill"
        surface = SunkenSurface(f"{tone}_soft")
        texts = row(gap=8)
        texts.addWidget(Glyph(glyph, tone, 16, text_role=TextRole.SMALL), 0, Qt.AlignmentFlag.AlignTop)
        texts.addWidget(Label(problem.message, TextRole.SMALL, tone, wraps=True), 1)
        lines = column(texts, gap=8, margins=10, parent=surface)
        if problem.fix is not None:
            fix = Button(problem.fix.label, height=ButtonSize.SMALL)
            fix.clicked.connect(lambda: self._apply_fix(problem))
            lines.add(row(fix, None))
        return surface

    def _apply_fix(self, problem: Problem) -> None:
        if problem.fix is None:
            return
        try:
            self._form.study.apply(problem.fix)
        except EditRejected as refused:
            self.setToolTip(tooltip_text(refused.reason))
