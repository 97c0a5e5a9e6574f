"""The state of the statistics in Results: settings, and the results of the visible section. No widgets.

Results are computed in a worker thread, one section at a time, and only for the section that is visible. A
computation whose answers or settings have changed meanwhile ends early and is repeated. The modules of the
analysis are imported in the worker thread when the first section is computed: numpy takes long to import.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QObject, Signal

from batchwright.local.analysis_settings import AnswersKey
from batchwright.ui.core.background_tasks import TaskMessage, Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.results.statistics.section_titles import Section

if TYPE_CHECKING:  # imported in a worker thread when Results opens
    from batchwright.analysis.prepared_answers import ExcludedCounts, PreparedAnswers
    from batchwright.analysis.result_settings import AnalysisSettings
    from batchwright.analysis.sections import RoleChoices
    from batchwright.analysis.statistics.agreement.agreement_results import AgreementRow
    from batchwright.analysis.statistics.agreement.final_answers import FinalAnswer
    from batchwright.analysis.statistics.agreement.rater_pairs import RaterPairs
    from batchwright.analysis.statistics.text_lengths import TextRow
    from batchwright.analysis.store.answer_table import AnswerTable
    from batchwright.analysis.store.exclusion_rules import ExclusionRule
    from batchwright.analysis.store.exclusions import Exclusions
    from batchwright.local.analysis_settings import AnalysisSettingsTable

R = TypeVar("R")

Undo = Callable[[], None]
"""Undoes a change of settings, also while other answers are shown."""

_COMPUTE, _STORE = "results statistics", "results settings"


class _Outdated(Exception):
    """Answers or settings have changed: the computation has to start again."""


class AnalysisState(QObject):
    """The settings of the analysis, and the results of the sections.

    Args:
        read_table: returns the current answers; called in a worker thread.
        find_key: returns what the answers belong to, by which settings are stored; None while there are none.
        find_time: returns when the answers began to be fetched or read.
        find_exclusions: returns the exclusions that the answers were saved with.
        session: provides the table of settings.
        tasks: runs the computations.
    """

    changed = Signal()
    """The settings, a result, the section, or the error."""
    progress_changed = Signal()
    """The fraction of the running computation."""
    exclusions_changed = Signal()
    selection_changed = Signal()
    """Another participant is selected."""

    def __init__(
        self,
        read_table: "Callable[[], AnswerTable]",
        find_key: Callable[[], AnswersKey | None],
        find_time: Callable[[], datetime],
        session: ConnectionSession,
        tasks: Tasks,
        parent: QObject | None = None,
        *,
        find_exclusions: "Callable[[], Exclusions] | None" = None,
    ) -> None:
        super().__init__(parent)
        self._read_table, self._find_key, self._find_time = read_table, find_key, find_time
        self._find_exclusions = find_exclusions
        self._session, self._tasks = session, tasks
        self.section = Section.ANSWERS
        self.is_active = False
        """Whether the section is visible; while it is not, nothing is computed."""
        self.selected_participant = ""
        """The id of the participant who is selected in the table; empty for none."""
        self.settings: AnalysisSettings | None = None
        """What was chosen; None until it is loaded."""
        self.fraction: float | None = None
        """The fraction of the running computation that is done; None while none is running."""
        self.error: TaskMessage | None = None
        """Why the visible section could not be computed."""
        self._key: AnswersKey | None = None
        """What `settings` belong to."""
        self._design: AnalysisSettings | None = None
        """The settings of the latest result, with the fields on which a preparation has decided."""
        self._unsaved: list[_Change] = []
        """Changes that are not stored yet, the earliest first."""
        self._prepared: PreparedAnswers | None = None
        self._table: AnswerTable | None = None
        self.excluded: ExcludedCounts | None = None
        """What the latest result leaves out; None before the first one."""
        self._version = 0
        """Incremented when anything changes that results depend on."""
        self._computed: dict[Section, int] = {}
        """The version of each result."""
        self._results: dict[Section, object] = {}

    @property
    def is_computing(self) -> bool:
        """Whether the result of the visible section is being computed."""
        return self.fraction is not None

    @property
    def is_current(self) -> bool:
        """Whether the result of the visible section is up to date."""
        return self._computed.get(self.section) == self._version

    @property
    def settings_in_use(self) -> "AnalysisSettings | None":
        """The settings with the fields on which a preparation has decided, once a section was computed."""
        settings, design = self.settings, self._design
        return settings if settings is None or design is None else settings.with_fields_of(design)

    @property
    def exclusions(self) -> "Exclusions | None":
        """The exclusions; None until they are loaded."""
        return None if self.settings is None else self.settings.exclusions

    @property
    def excluded_answers(self) -> int:
        """How many answers the results leave out."""
        return 0 if self.excluded is None else self.excluded.answers

    def result(self, kind: type[R]) -> R | None:
        """The latest result of a type, also while a newer one is computed; None if there is none."""
        return next((result for result in self._results.values() if isinstance(result, kind)), None)

    def show_section(self, section: Section) -> None:
        """Set the visible section, and compute it if its result is not up to date."""
        if section is not self.section:
            self.section, self.error = section, None
            self.changed.emit()
        self._compute_soon()

    def set_active(self, *, is_active: bool) -> None:
        """Set whether the section is visible."""
        self.is_active = is_active
        self._compute_soon()

    def split_by(self, field: str) -> None:
        """Split choices and numbers by the values of a field; empty: not at all."""
        self.change(split_field=field)

    def on_answers_changed(self) -> None:
        """Compute again, because there are other answers."""
        self._table = None
        self._invalidate()

    def change(self, **changes: Any) -> Undo:
        """Change settings by name from now on, and store them; does nothing before they are loaded."""
        before, key = self.settings, self._key
        if before is None or key is None:
            return lambda: None
        change = _Change(key, before, before.with_changes(**changes), self._find_time())
        if change.after != before:
            self._apply(change)
        return lambda: self._apply(change.inverse)

    def _apply(self, change: "_Change") -> None:
        """Store a change, and show it if the answers are those to which it belongs."""
        self._unsaved.append(change)
        self._tasks.start(_STORE, self._store)
        if change.key == self._key and self.settings is not None:
            self._set_settings(self.settings, change.apply(self.settings))

    def _set_settings(self, before: "AnalysisSettings", after: "AnalysisSettings") -> None:
        """Use other settings for the same answers."""
        self.settings = after
        if _has_same_results(before, after):
            self.changed.emit()
        elif before.with_changes(split_field=after.split_field) == after:  # it changes one section
            self._computed.pop(Section.QUESTIONS, None)
            self._compute_soon()
        else:
            self._invalidate()
        if before.exclusions != after.exclusions or after.exclusions.rules:
            self.exclusions_changed.emit()

    def select_participant(self, id: str) -> None:
        """Set the participant who is selected; empty for none."""
        if id != self.selected_participant:
            self.selected_participant = id
            self.selection_changed.emit()

    def exclude_participants(self, reasons: Mapping[str, str]) -> Undo:
        """Exclude participants, with a reason for each id."""
        return self._change_exclusions(lambda of: replace(of, participants={**of.participants, **reasons}))

    def exclude_answers(self, reasons: Mapping[str, str]) -> Undo:
        """Exclude answers, with a reason for each id."""
        return self._change_exclusions(lambda of: replace(of, answers={**of.answers, **reasons}))

    def exclude_by_rule(self, rule: "ExclusionRule") -> Undo:
        """Exclude what a rule finds, now and among answers that arrive later."""
        return self._change_exclusions(lambda of: replace(of, rules=tuple(dict.fromkeys((*of.rules, rule)))))

    def include(self, *ids: str) -> Undo:
        """Include participants or answers again, and remove rules, which are named by their texts."""

        def change(of: "Exclusions") -> "Exclusions":
            people = {id: reason for id, reason in of.participants.items() if id not in ids}
            answers = {id: reason for id, reason in of.answers.items() if id not in ids}
            rules = tuple(rule for rule in of.rules if rule.text not in ids)
            return replace(of, participants=people, answers=answers, rules=rules)

        return self._change_exclusions(change)

    def _change_exclusions(self, change: "Callable[[Exclusions], Exclusions]") -> Undo:
        before = self.exclusions
        return self.change() if before is None else self.change(exclusions=change(before))

    def set_final_answer(self, answer: "FinalAnswer") -> None:
        """Set the final answer to a question about a record, or remove it if the answer is empty."""
        before = self.settings
        if before is not None:
            key = answer.question, answer.task
            others = [one for one in before.final_answers if (one.question, one.task) != key]
            self.change(final_answers=(*others, *([answer] if answer.final else [])))

    async def find_texts(self, question: str, search: str) -> "list[TextRow]":
        """The texts given to a question that contain another text; none before the section is computed."""
        prepared = self._prepared
        return [] if prepared is None else await asyncio.to_thread(_find_texts, prepared, question, search)

    async def find_agreement(self, question: str, field: str) -> "list[AgreementRow]":
        """Agreement about a question by option, and by a field if one is given; none before it is known."""
        prepared = self._prepared
        return [] if prepared is None else await asyncio.to_thread(_find_agreement, prepared, question, field)

    async def find_settings_in_use(self) -> "AnalysisSettings | None":
        """The settings with the fields of a preparation, and with everything that rules exclude.

        None before settings are loaded.
        """
        settings, table = self.settings, self._table
        if settings is None:
            return None
        return await asyncio.to_thread(_find_settings_in_use, table, self._read_table, settings)

    async def find_roles(self) -> "RoleChoices | None":
        """The questions that can have a role, and what is proposed; None before settings are loaded."""
        await self.load_settings()
        settings, table = self.settings, self._table
        if settings is None:
            return None
        return await asyncio.to_thread(_find_roles, table, self._read_table, settings)

    async def find_pairs(self, question: str) -> "RaterPairs | None":
        """The pairs of participants in a question; None before they are known."""
        prepared = self._prepared
        return None if prepared is None else await asyncio.to_thread(_find_pairs, prepared, question)

    async def load_settings(self) -> None:
        """Load the settings of the current answers, unless they are loaded."""
        while (key := self._find_key()) != self._key or self.settings is None:
            content, unsaved = "", [change for change in self._unsaved if change.key == key]
            if key is not None:
                table = await self._session.analysis_settings()
                content = await asyncio.to_thread(table.load, key)
            settings = await asyncio.to_thread(_from_stored, content)
            if not content and self._find_exclusions is not None:
                settings = replace(settings, exclusions=self._find_exclusions())
            is_loaded = key == self._key and self.settings is not None
            if key == self._find_key() and not is_loaded:
                self._key, self.settings, self._design = key, _with_changes(settings, unsaved), None
                self._results.clear()
                self.excluded = None
                self._invalidate()
                self.exclusions_changed.emit()

    def _invalidate(self) -> None:
        self._version += 1
        self._prepared = None
        self._compute_soon()
        self.changed.emit()

    def _compute_soon(self) -> None:
        if self._is_due:
            self._tasks.start(_COMPUTE, self._compute)

    @property
    def _is_due(self) -> bool:
        return self.is_active and self.section is not Section.ANSWERS and not self.is_current

    async def _compute(self) -> None:
        """Compute the visible section until its result is up to date."""
        try:
            while self._is_due:
                self._set_fraction(0.0)
                await self.load_settings()
                await self._compute_once()
        finally:
            self._set_fraction(None)
            self.changed.emit()

    async def _compute_once(self) -> None:
        settings, version = self.settings, self._version
        if settings is None:
            return
        job = _Job(self.section, settings, self._table, self._prepared)
        loop = asyncio.get_running_loop()

        def step(fraction: float) -> None:
            current = self.settings
            is_same = current is not None and _has_same_results(current, settings)
            if version != self._version or self.section is not job.section or not is_same:
                raise _Outdated
            loop.call_soon_threadsafe(self._on_step, fraction)

        try:
            done = await asyncio.to_thread(job.compute, self._read_table, step)
            step(1.0)
        except _Outdated:
            return
        except Exception as error:
            if version == self._version:
                self._tasks.report(_COMPUTE, error)
                self.error = self._tasks.message(error)
                self._computed[job.section] = version
            return
        self._table, self._prepared, self.error = done.table, done.prepared, None
        self._design, self.excluded = done.prepared.settings, done.prepared.excluded
        self._results[job.section] = done.result
        self._computed[job.section] = version

    def _on_step(self, fraction: float) -> None:
        if self.is_computing:
            self._set_fraction(fraction)

    def _set_fraction(self, fraction: float | None) -> None:
        if fraction != self.fraction:
            self.fraction = fraction
            self.progress_changed.emit()

    async def _store(self) -> None:
        """Store what has changed, and show what another window has changed meanwhile."""
        table = await self._session.analysis_settings()
        while self._unsaved:
            change = self._unsaved[0]
            stored = await asyncio.to_thread(change.store, table)
            self._unsaved.remove(change)
            before = self.settings
            after = _with_changes(stored, (more for more in self._unsaved if more.key == change.key))
            if change.key == self._key and before is not None and after != before:
                self._set_settings(before, after)


@dataclass(frozen=True, eq=False)
class _Change:
    """A change of the settings of some answers."""

    key: AnswersKey
    before: "AnalysisSettings"
    after: "AnalysisSettings"
    answers_at: datetime
    """When the answers for which it was chosen began to be fetched or read."""

    @property
    def inverse(self) -> "_Change":
        """The change that undoes this one."""
        return replace(self, before=self.after, after=self.before)

    def store(self, table: "AnalysisSettingsTable") -> "AnalysisSettings":
        """Store the change; returns the settings with what other windows have stored. Blocks.

        Raises:
            StorageUnavailable: the disk is full, or another program locks the database.
        """
        from batchwright.analysis.result_settings import from_stored, to_stored

        def change(stored: str) -> str:
            return to_stored(self.apply(from_stored(stored)) if stored else self.after)

        return from_stored(table.change(self.key, change, answers_at=self.answers_at))

    def apply(self, settings: "AnalysisSettings") -> "AnalysisSettings":
        """Make the change to other settings."""
        from batchwright.analysis.result_settings import merged

        return merged(self.before, self.after, settings)


def _with_changes(settings: "AnalysisSettings", changes: Iterable[_Change]) -> "AnalysisSettings":
    for change in changes:
        settings = change.apply(settings)
    return settings


@dataclass(frozen=True)
class _Computed:
    """A result, and what later computations need."""

    table: "AnswerTable"
    prepared: "PreparedAnswers"
    result: object


@dataclass(frozen=True)
class _Job:
    """One computation, with the table and the prepared answers if they are known."""

    section: Section
    settings: "AnalysisSettings"
    table: "AnswerTable | None"
    prepared: "PreparedAnswers | None"

    def compute(self, read_table: "Callable[[], AnswerTable]", step: Callable[[float], None]) -> _Computed:
        """Compute the result, in a worker thread."""
        from batchwright.analysis.prepared_answers import prepare

        table = read_table() if self.table is None else self.table
        step(0.0)
        prepared = prepare(table, self.settings) if self.prepared is None else self.prepared
        step(0.0)
        split_field = self.settings.with_fields_of(prepared.settings).split_field
        result = _result(self.section, prepared, step, split_field)
        return _Computed(table, prepared, result)


def _has_same_results(before: "AnalysisSettings", after: "AnalysisSettings") -> bool:
    """Whether settings differ at most in final answers, which change no result."""
    return replace(before, final_answers=after.final_answers) == after


def _result(section: Section, prepared: "PreparedAnswers", step: Callable[[float], None], by: str) -> object:
    from batchwright.analysis import sections

    match section:
        case Section.QUESTIONS:
            return sections.questions_result(prepared, step, by)
        case Section.AGREEMENT:
            return sections.agreement_result(prepared, step)
        case Section.COMPARISONS:
            return sections.comparisons_result(prepared, step)
        case Section.BEST_WORST:
            return sections.best_worst_result(prepared, step)
        case _:
            return sections.participants_result(prepared, step)


def _find_texts(prepared: "PreparedAnswers", question: str, search: str) -> "list[TextRow]":
    from batchwright.analysis.statistics.text_lengths import text_rows

    return text_rows(prepared.included, question, search)


def _find_agreement(prepared: "PreparedAnswers", question: str, field: str) -> "list[AgreementRow]":
    from batchwright.analysis.sections import agreement_details

    return agreement_details(prepared, question, field)


def _find_settings_in_use(
    table: "AnswerTable | None", read_table: "Callable[[], AnswerTable]", settings: "AnalysisSettings"
) -> "AnalysisSettings":
    from batchwright.analysis.prepared_answers import prepare

    return prepare(read_table() if table is None else table, settings).settings


def _find_roles(
    table: "AnswerTable | None", read_table: "Callable[[], AnswerTable]", settings: "AnalysisSettings"
) -> "RoleChoices":
    from batchwright.analysis.sections import role_choices

    return role_choices(read_table() if table is None else table, settings)


def _find_pairs(prepared: "PreparedAnswers", question: str) -> "RaterPairs":
    from batchwright.analysis.sections import pairs_of_participants

    return pairs_of_participants(prepared, question)


def _from_stored(content: str) -> "AnalysisSettings":
    from batchwright.analysis.result_settings import from_stored

    return from_stored(content)
