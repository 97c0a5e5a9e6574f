"""The list of the texts given to a question, which is searched in a worker thread."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from batchwright.analysis.sections import MAX_TEXTS, TextRow
from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.formatting import number
from batchwright.ui.results.analysis_state import AnalysisState
from batchwright.ui.results.row_table import RowColumn, RowTable
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.fields import SearchField
from batchwright.ui.widgets.text import Label


class TextList(QWidget):
    """A search field above the texts, the most frequent first; `text_chosen` is emitted with a text."""

    text_chosen = Signal(str)

    def __init__(
        self, state: AnalysisState, tasks: Tasks, question: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._state, self._tasks, self._question = state, tasks, question
        self._found_for: str | None = None
        self.search = SearchField(_("Search texts"))
        self._count = Label("", TextRole.SMALL, "text2", tabular=True)
        self.table: RowTable[TextRow] = RowTable(_("Texts"), _columns(), max_rows=8)
        head = row(gap=12)
        head.addWidget(self.search, 2)
        head.addWidget(self._count, 3)
        column(head, self.table, gap=8, parent=self)
        self.search.textChanged.connect(self._find_soon)
        self.table.row_activated.connect(lambda row: self.text_chosen.emit(row.text))

    def refresh(self) -> None:
        """Search again, because there are other answers."""
        self._found_for = None
        self._find_soon()

    def _find_soon(self) -> None:
        self._tasks.start(f"results texts {self._question}", self._find)

    async def _find(self) -> None:
        while (text := self.search.text().strip()) != self._found_for:
            rows = await self._state.find_texts(self._question, text)
            self._found_for = text
            self.table.show_rows(rows)
            count = ngettext("{count} different text", "{count} different texts", len(rows))
            if len(rows) == MAX_TEXTS:
                count = _("The {count} most frequent texts")
            self._count.setText(count.format(count=number(len(rows))))


def _columns() -> tuple[RowColumn[TextRow], ...]:
    return (
        RowColumn(_("Text"), lambda of: of.text, lambda of: of.text.casefold(), tooltip=lambda of: of.text),
        RowColumn(_("Words"), lambda of: number(of.words), lambda of: of.words, 90, is_number=True),
        RowColumn(_("Answers"), lambda of: number(of.answers), lambda of: of.answers, 90, is_number=True),
    )
