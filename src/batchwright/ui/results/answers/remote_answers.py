"""Fetches the answers of a batch or collection into a store, and new ones while some may arrive."""

import asyncio
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal
from typing_extensions import override

from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.client.context import WorkflowContext
from batchwright.client.errors import none_if_missing
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.remote_state import RemoteState
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.results.answers.loaded_answers import AnswersOverview, LoadedAnswers, read_overview
from batchwright.ui.results.answers.shown_source import ShownSource
from batchwright.workflows.answers.update_answers import FetchedAnswers, update_answers

_POLL_MS, _LIVE_POLL_MS = 5_000, 30_000
"""Milliseconds between two fetches while answers arrive: on this computer, and at a hosted service."""


@dataclass(frozen=True)
class _Fetched:
    """What a fetch has changed, until it is shown."""

    store: AnswerStore
    overview: AnswersOverview | None
    """None if no answer is new, and the questions are the same."""


class RemoteAnswers(RemoteState[FetchedAnswers | None]):
    """The latest fetch of the answers that are shown.

    `value` is None if the service does not have the batch or collection any more.
    """

    answers_fetched = Signal(bool)
    """Answers have been fetched; the argument is whether the report may be different, too."""

    def __init__(
        self,
        source: ShownSource,
        answers: LoadedAnswers,
        session: ConnectionSession,
        tasks: Tasks,
        parent: QObject,
    ) -> None:
        super().__init__("the answers", source.remote_subject, self._fetch_answers, session, tasks, parent)
        self._source, self._answers = source, answers
        self._latest: _Fetched | None = None
        self._fetches_all = False
        """Whether the next fetch requests all answers, and the report is read again after it."""
        self._poll_timer = QTimer(self)
        self._poll_timer.timeout.connect(self._poll)
        self.fetched.connect(self._show_fetched)

    @property
    def total_tasks(self) -> int:
        """Number of tasks of the batch as it was last fetched; 0 for a collection."""
        return self.value.total_tasks if self.value is not None else 0

    @property
    def lacks_list(self) -> bool:
        """Whether the service does not offer the answers of collections as a list."""
        return self.value is not None and not self.value.has_list

    @override
    def refresh(self, *, may_prompt: bool = False) -> None:
        """Fetch the answers again.

        Args:
            may_prompt: the user requested it: a token may be asked for, and the report is read again, too.
        """
        self._fetches_all |= may_prompt
        super().refresh(may_prompt=may_prompt)

    def set_active(self, *, is_active: bool) -> None:
        """While the stage is visible, fetch the answers, and new ones as long as some may arrive."""
        self.is_active = is_active
        if is_active:
            self.refresh()
            self._poll_timer.start(_LIVE_POLL_MS if self._session.is_live else _POLL_MS)
        else:
            self._poll_timer.stop()

    def _poll(self) -> None:
        if self.value is not None and self.value.is_collecting and not self.needs_sign_in:
            self.refresh()

    async def _fetch_answers(self, context: WorkflowContext) -> FetchedAnswers | None:
        """Fetch the answers; None if the service does not have the batch or collection any more."""
        of, store, is_first = self._source.of, self._answers.store, not self._answers.is_loaded
        self._latest = None
        if of is None:
            return None
        loop, before = asyncio.get_running_loop(), self._answers.overview

        def on_progress() -> None:
            if is_first:
                store.mark_all_seen()
                loop.call_soon_threadsafe(self._on_progress, store)

        only_newest = not (is_first or self._fetches_all)
        fetched = await none_if_missing(
            update_answers(context, of, store, only_newest=only_newest, on_progress=on_progress)
        )
        if fetched is not None and fetched.has_removed:
            store = await asyncio.to_thread(AnswerStore)
            fetched = await none_if_missing(update_answers(context, of, store, only_newest=False))
            is_first = True
        if fetched is None:
            return None
        if is_first:
            await asyncio.to_thread(store.mark_all_seen)
        overview = await asyncio.to_thread(read_overview, store)
        is_same = overview == before and store is self._answers.store and not is_first
        self._latest = _Fetched(store, None if is_same else overview)
        return fetched

    def _on_progress(self, store: AnswerStore) -> None:
        """Show the answers that have been added so far."""
        if store is self._answers.store and not self._answers.is_loaded:
            self._tasks.start("results progress", lambda: self._answers.show_progress(store))

    def _show_fetched(self) -> None:
        latest, self._latest = self._latest, None
        if latest is None:
            self._answers.clear(AnswerStore())
            return
        self._answers.show_all(latest.store, latest.overview)
        may_have_new_report = latest.overview is not None or self._fetches_all
        self._fetches_all = False
        self.answers_fetched.emit(may_have_new_report)
