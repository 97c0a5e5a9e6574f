"""The state of the Results stage: the answers of a batch, collection or file, and downloads. No widgets."""

import asyncio
from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal

from batchwright.analysis.store.answer_query import AnswerRow
from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.layout.model import Layout
from batchwright.schema.model import FieldType
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.operations import OperationRunner
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.subject import Subject
from batchwright.ui.results.answers.answer_list import AnswerList
from batchwright.ui.results.answers.loaded_answers import LoadedAnswers, read_overview
from batchwright.ui.results.answers.new_answers import NewAnswers
from batchwright.ui.results.answers.records import RecordSearch, ShownAnswers
from batchwright.ui.results.answers.remote_answers import RemoteAnswers
from batchwright.ui.results.answers.shown_source import ShownSource
from batchwright.ui.study.answers_source import AnswersFile, AnswersSource
from batchwright.ui.study.study_model import Study

_FILE_PROGRESS_S = 0.5
"""Seconds after which more answers are shown for the first time while a file is being read."""
_PAUSE_GROWTH = 1.5
"""How many times longer each pause is than the one before: more answers take longer to count and sort."""


class ResultsState(QObject):
    """Loads the answers of `source` into `answers`, from a service or a file, and finds their records."""

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
        self._data = study.data
        self.source = ShownSource(study, session, selection or AnswersSource(self), self)
        self.answers = LoadedAnswers(tasks, self)
        self.new = NewAnswers(self.answers, tasks, self)
        self.list = AnswerList(self.answers, self.new, tasks, self)
        self.remote = RemoteAnswers(self.source, self.answers, session, tasks, self)
        self.records = RecordSearch(self._find_shown, self._show_records, session, tasks, self)
        self.operations = OperationRunner(Subject(lambda: "window", parent=self), session, tasks, self)
        """Downloads: they belong to the window, regardless of the open study, and run one at a time."""
        study.changed.connect(self._on_study_changed)
        self.source.subject.changed.connect(self._on_source_changed)
        self.answers.replaced.connect(self.records.clear)
        self.remote.answers_fetched.connect(self._on_answers_fetched)
        for signal in (
            self.source.subject.changed,
            self.answers.changed,
            self.new.changed,
            self.list.changed,
            self.remote.changed,
        ):
            signal.connect(self.changed)

    def layout_of(self, answer: AnswerRow) -> Layout:
        """The layout that an answer was given to, with its ids; empty if it is not known."""
        if self.source.file is not None:
            return self.source.file.layout
        fetched = self.remote.value
        return fetched.layouts.at(answer.answered_at) if fetched is not None else Layout()

    @property
    def is_loading(self) -> bool:
        """Whether the answers are being fetched or read and none are known yet."""
        return (self.remote.is_loading or self.source.file is not None) and not self.answers.has_answers

    @property
    def is_downloading(self) -> bool:
        """Whether a download is running."""
        return self.operations.current is not None

    def _on_source_changed(self) -> None:
        """Show other answers; those of a batch or collection are fetched while the stage is visible."""
        file = self.source.file
        self.list.clear_query()
        self.answers.clear(AnswerStore() if file is None else file.store)
        if file is not None:
            self.tasks.start(f"results file {id(file)}", lambda: self._show_file(file))

    async def _show_file(self, file: AnswersFile) -> None:
        """Show the answers in a file, also while it is being read."""
        pause = _FILE_PROGRESS_S
        while file is self.source.file and not file.reading.done():
            await self.answers.show_progress(file.store)
            await asyncio.wait({file.reading}, timeout=pause)
            pause *= _PAUSE_GROWTH
        overview = await asyncio.to_thread(read_overview, file.store)
        if file is self.source.file:
            self.answers.show_all(file.store, overview)
            self.records.start()

    def _on_answers_fetched(self, may_have_new_report: bool) -> None:
        if may_have_new_report:
            self.records.invalidate_report()
        self.records.start()

    def _find_shown(self) -> ShownAnswers:
        source = self.source
        return ShownAnswers(source.of, self.answers.store, self.study.data if source.other is None else None)

    async def _show_records(self, records: Mapping[str, Mapping[str, str]]) -> None:
        """Title the answers by the records, preferably by their text fields, which participants read."""
        schema = self.study.schema if self.source.other is None else None
        fields = schema.fields.items() if schema else ()
        texts = tuple(name for name, field in fields if field.type is FieldType.TEXT)
        await self.answers.set_records(records, texts)

    def _on_study_changed(self) -> None:
        if self.study.data != self._data:
            self._data = self.study.data
            self.records.clear_data_file()
