"""The state of the versions panel, without widgets: the list, the chosen version, and the comparison."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from batchwright.local.projects import StudyContent
from batchwright.local.versions import Version, VersionNotFound, VersionStore
from batchwright.ui.core.background_tasks import TaskMessage, Tasks
from batchwright.ui.study.study_model import Study
from batchwright.ui.versions.comparison import StudyComparison, compare_contents, with_shared_pages
from batchwright.ui.versions.labels import ComparedPart, parts_of, restore_label, summary

OpenStore = Callable[[], Awaitable[VersionStore]]

_Result = tuple[StudyComparison, str, tuple[ComparedPart, ...], StudyContent | None]
"""The comparison, its summary and parts, and the content of the chosen version if it differs from the study.
"""

_LOAD, _COMPARE = "load versions", "compare versions"


class VersionsState(QObject):
    """The versions of the open study, and the comparison of one of them with another or with the study.

    Contents are read and compared in a worker thread. The study does not change while the panel is open.
    """

    changed = Signal()
    """The list, its state, or a summary has changed."""
    comparison_changed = Signal()
    """The chosen versions, the comparison, or its error has changed."""

    def __init__(
        self, study: Study, open_store: OpenStore, tasks: Tasks, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._study, self._open_store, self._tasks = study, open_store, tasks
        self._store: VersionStore | None = None
        self.versions: tuple[Version, ...] = ()
        """Newest first."""
        self.is_loading = True
        self.error: TaskMessage | None = None
        """Why the list could not be read."""
        self.summaries: dict[int, str] = {}
        """What a version changed compared with the one before it, by row id; computed one by one."""
        self.chosen: Version | None = None
        self.other: Version | None = None
        """The version that the chosen one is compared with; None is the current study."""
        self.comparison: StudyComparison | None = None
        """None while it is computed."""
        self.summary = ""
        """What the comparison shows, as “1 page added, 3 items changed”."""
        self.parts: tuple[ComparedPart, ...] = ()
        """The parts of the comparison."""
        self.comparison_error: TaskMessage | None = None
        self._worker_lock = asyncio.Lock()
        """Lets one worker thread work at a time: several would slow the window down."""
        self._restorable: StudyContent | None = None
        """The content of the chosen version if it differs from the study."""

    def load(self) -> None:
        """Read the list, choose the newest version that differs from the study, and summarise all."""
        self.is_loading, self.error = True, None
        self.changed.emit()
        self._tasks.start(_LOAD, self._load)

    def close(self) -> None:
        """Stop reading and comparing."""
        self._tasks.cancel(_LOAD)
        self._tasks.cancel(_COMPARE)

    def choose(self, version: Version, other: Version | None = None) -> None:
        """Compare a version with another one, or with the current study."""
        if version == other:
            other = None
        if (version, other) != (self.chosen, self.other) or self.comparison_error is not None:
            self.chosen, self.other = version, other
            self.comparison = self.comparison_error = self._restorable = None
            self.summary, self.parts = "", ()
            self.comparison_changed.emit()
            self._tasks.start(_COMPARE, self._compare)

    @property
    def is_chosen_before(self) -> bool:
        """Whether the chosen version is the earlier one of the comparison."""
        return self.chosen is None or self.other is None or self.chosen.row_id < self.other.row_id

    @property
    def can_restore(self) -> bool:
        """Whether the chosen version has been read and differs from the study."""
        return self._restorable is not None

    def restore(self) -> bool:
        """Make the chosen version the content of the study, as one undo step."""
        if self._restorable is None or self.chosen is None:
            return False
        self._study.restore(self._restorable, restore_label(self.chosen))
        return True

    async def _load(self) -> None:
        try:
            self._store = store = await self._open_store()
            versions = await asyncio.to_thread(store.versions, self._study.project.study_id)
        except Exception as error:
            self.error, self.is_loading = self._tasks.message(error), False
            self.changed.emit()
            return
        self.versions, self.is_loading = versions, False
        self.changed.emit()
        if versions:
            self.choose(self.chosen or versions[0])
        await self._summarise(store)

    async def _summarise(self, store: VersionStore) -> None:
        """Compare each version with the one before it; each content is read once."""
        later: tuple[Version, StudyContent] | None = None
        for version in self.versions:
            try:
                async with self._worker_lock:
                    content = await asyncio.to_thread(store.content, version)
            except (VersionNotFound, ValueError):
                later = None
                continue
            if later is not None:
                async with self._worker_lock:
                    changes = await asyncio.to_thread(_changes, content, later[1])
                self.summaries[later[0].row_id] = changes
                self.changed.emit()
            later = version, content

    async def _compare(self) -> None:
        """Compare until the result is that of the versions that are chosen by then."""
        compared = None
        while self.chosen is not None and (self.chosen, self.other) != compared:
            compared = chosen, other = self.chosen, self.other
            result, error = None, None
            try:
                async with self._worker_lock:
                    result = await self._result(chosen, other)
            except Exception as raised:
                error = self._tasks.message(raised)
            if (self.chosen, self.other) == compared:
                self.comparison_error = error
                if result is not None:
                    self.comparison, self.summary, self.parts, self._restorable = result
                self.comparison_changed.emit()

    async def _result(self, chosen: Version, other: Version | None) -> _Result:
        store = self._store or await self._open_store()
        is_chosen_before, project, designed = self.is_chosen_before, self._study.project, self._study.content

        def compare() -> _Result:
            current = replace(designed, translations=project.written_translations)
            content = with_shared_pages(store.content(chosen), current)
            contents = [content, current if other is None else store.content(other)]
            before, after = contents if is_chosen_before else contents[::-1]
            comparison = compare_contents(before, after)
            restorable = None if content == current else content
            if restorable is not None:
                self._study.prepare(restorable)
            return comparison, summary(comparison), parts_of(comparison), restorable

        return await asyncio.to_thread(compare)


def _changes(before: StudyContent, after: StudyContent) -> str:
    """What differs between two contents."""
    return summary(compare_contents(before, after))
