"""The state of the Results stage: the answers of a batch, collection or file, and downloads. No widgets."""

from PySide6.QtCore import QObject, Signal

from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.operations import OperationRunner
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.subject import Subject
from batchwright.ui.results.answers.answer_grid import AnswerGrid
from batchwright.ui.results.answers.records import RecordSearch
from batchwright.ui.results.answers.shown_answers import ShownAnswers
from batchwright.ui.results.answers.shown_source import ShownSource
from batchwright.ui.study.answers_source import AnswersSource
from batchwright.ui.study.study_model import Study


class ResultsState(QObject):
    """The answers of `source`, the grid that shows them, their records, and downloads."""

    changed = Signal()

    def __init__(
        self,
        study: Study,
        session: ConnectionSession,
        tasks: Tasks,
        parent: QObject | None = None,
        *,
        selection: AnswersSource | None = None,
    ) -> None:
        super().__init__(parent)
        self.study, self.session, self.tasks = study, session, tasks
        opened = Subject(lambda: study.opening, study.saved_changed, parent=self)
        self.source = ShownSource(study, session, selection or AnswersSource(self))
        opened.changed.connect(self.source.show_own)
        self.answers = ShownAnswers(self.source, tasks, self)
        self.grid = AnswerGrid(self.answers, tasks, self)
        self.records = RecordSearch(self.answers, session, tasks, self)
        self.operations = OperationRunner(Subject(lambda: "window", parent=self), session, tasks, self)
        """Downloads: they belong to the window, regardless of the open study, and run one at a time."""
        for signal in (self.answers.changed, self.answers.answers_changed, self.grid.changed):
            signal.connect(self.changed)

    @property
    def is_downloading(self) -> bool:
        """Whether a download is running."""
        return self.operations.current is not None
