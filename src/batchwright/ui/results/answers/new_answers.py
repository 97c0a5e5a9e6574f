"""Which answers are new: they arrived after all others had been loaded, and nobody has looked at them."""

from PySide6.QtCore import QObject, Signal

from batchwright.analysis.store.answer_query import AnswerRow
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.results.answers.loaded_answers import LoadedAnswers


class NewAnswers(QObject):
    """The new answers: which they are, how many, and when they are new no more."""

    changed = Signal()
    """The user has looked at a new answer, and there are more."""

    def __init__(self, answers: LoadedAnswers, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._answers, self._tasks = answers, tasks
        self._viewed: set[int] = set()
        """Numbers of the new answers that the user has looked at."""
        answers.replaced.connect(self._on_store_replaced)

    @property
    def count(self) -> int:
        """Number of new answers."""
        new = self._answers.overview.new_answers
        return max(0, new - len(self._viewed)) if self._answers.is_loaded else 0

    def includes(self, row: AnswerRow) -> bool:
        """Whether an answer is new."""
        return row.is_new and self._answers.is_loaded and row.number not in self._viewed

    def mark_viewed(self, row: AnswerRow) -> None:
        """The user has looked at an answer."""
        if self.includes(row):
            self._viewed.add(row.number)
            if self.count:
                self.changed.emit()
            else:
                self.mark_all_seen()

    def mark_all_seen(self) -> None:
        """No answer is new any more."""
        store = self._answers.store

        async def mark() -> None:
            await self._answers.mark_all_seen()
            if store is self._answers.store:
                self._viewed.clear()

        self._tasks.start("results mark as seen", mark)

    def _on_store_replaced(self) -> None:
        self._viewed.clear()
