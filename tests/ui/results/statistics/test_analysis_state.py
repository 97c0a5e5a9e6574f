"""The statistics in Results are computed when they are needed, and again when something has changed."""

import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import pytest

from batchwright.analysis.result_settings import AnalysisSettings, from_stored
from batchwright.analysis.sections import AgreementResult, ParticipantsResult, QuestionsResult
from batchwright.analysis.statistics.agreement.final_answers import FinalAnswer
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.exclusions import Exclusions
from batchwright.base.database import Database, StorageUnavailable
from batchwright.local.analysis_settings import AnalysisSettingsTable, AnswersKey
from batchwright.local.database import open_database
from batchwright.local.stored_participants import StoredParticipants
from batchwright.prepare.columns import WEIGHT
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.results.statistics.analysis_state import AnalysisState
from batchwright.ui.results.statistics.section_titles import Section
from tests.analysis.answers import record, table_of
from tests.ui.conftest import until

pytestmark = pytest.mark.gui


class Session:
    """A session with a database only."""

    def __init__(self, database: Database) -> None:
        self._table = AnalysisSettingsTable(database)
        self.participants = StoredParticipants(database)

    async def analysis_settings(self) -> AnalysisSettingsTable:
        return self._table


class Fixture:
    """A state with the answers of two participants to the question which answer is better."""

    def __init__(self, database: Database, tasks: Tasks) -> None:
        self.tables_read = 0
        self.key = AnswersKey("Lab", "batch:b")
        self.answers_at = datetime.now(UTC)
        self.may_read = threading.Event()
        self.may_read.set()
        self.records = [record(f"p{person}", "t", "better", "a") for person in range(2)]
        self.tasks = tasks
        self.session = Session(database)
        session = cast("ConnectionSession", self.session)
        self.state, self.other = (
            AnalysisState(self._read, lambda: self.key, lambda: self.answers_at, session, tasks)
            for _window in range(2)
        )

    async def show(self, section: Section) -> None:
        """Show a section, and wait until it is computed."""
        self.state.set_active(is_active=True)
        self.state.show_section(section)
        await self.settled()

    async def settled(self) -> None:
        """Wait until no task is running."""
        await until(lambda: not self.tasks.running)

    def _read(self) -> AnswerTable:
        self.tables_read += 1
        self.may_read.wait(5)
        return table_of(self.records)

    @property
    def people(self) -> list[str]:
        """The participants of the latest result."""
        result = self.state.result(ParticipantsResult)
        return [] if result is None else [row.participant for row in result.participants]


@pytest.fixture
def at(tmp_path: Path, tasks: Tasks) -> Iterator[Fixture]:
    with closing(open_database(tmp_path)) as database:
        yield Fixture(database, tasks)


async def test_only_the_visible_section_is_computed(at: Fixture) -> None:
    at.state.show_section(Section.QUESTIONS)
    await at.settled()
    assert at.tables_read == 0
    await at.show(Section.QUESTIONS)
    assert at.state.result(QuestionsResult) is not None
    assert at.state.result(AgreementResult) is None
    await at.show(Section.AGREEMENT)
    assert at.state.result(AgreementResult) is not None
    assert at.tables_read == 1


async def test_a_result_is_used_again_until_answers_or_settings_change(at: Fixture) -> None:
    await at.show(Section.PARTICIPANTS)
    before = at.state.result(ParticipantsResult)
    await at.show(Section.QUESTIONS)
    await at.show(Section.PARTICIPANTS)
    assert at.state.result(ParticipantsResult) is before
    at.state.exclude_participants({"p0": "Too fast"})
    await at.settled()
    assert at.people == ["p1"]
    at.records.append(record("p2", "t", "better", "b"))
    at.state.on_answers_changed()
    await at.settled()
    assert at.people == ["p1", "p2"]
    assert at.tables_read == 2


async def test_a_computation_whose_settings_have_changed_starts_again(at: Fixture) -> None:
    await at.state.load_settings()
    at.may_read.clear()
    at.state.set_active(is_active=True)
    at.state.show_section(Section.PARTICIPANTS)
    await until(lambda: at.tables_read == 1)
    assert at.state.is_computing
    at.state.exclude_participants({"p1": "Too fast"})
    at.may_read.set()
    await at.settled()
    assert at.people == ["p0"]
    assert not at.state.is_computing


async def test_settings_belong_to_what_the_answers_belong_to(at: Fixture) -> None:
    await at.show(Section.PARTICIPANTS)
    at.state.change(seed=5)
    at.key = AnswersKey("Lab", "batch:other")
    at.state.on_answers_changed()
    await at.settled()
    assert at.state.settings is not None
    assert at.state.settings.seed == 0
    at.key = AnswersKey("Lab", "batch:b")
    await at.state.load_settings()
    assert at.state.settings.seed == 5


async def test_a_participant_who_was_deleted_meanwhile_is_not_stored_again(at: Fixture) -> None:
    await at.show(Section.PARTICIPANTS)
    at.state.exclude_participants({"p0": "Too fast", "p1": "Too slow"})
    await at.settled()
    table = await at.session.analysis_settings()
    at.session.participants.forget("p0", has_account=False)
    at.state.change(seed=5)
    await at.settled()
    assert at.state.exclusions is not None
    assert at.state.exclusions.participants == {"p1": "Too slow"}
    at.state.change(seed=6)
    await at.settled()
    assert "p0" not in table.load(at.key)
    assert "p1" in table.load(at.key)


async def test_a_deleted_participant_who_is_still_shown_is_excluded_once_the_answers_are_new_ones(
    at: Fixture,
) -> None:
    await at.show(Section.PARTICIPANTS)
    table = await at.session.analysis_settings()
    at.session.participants.forget("p0", has_account=False)
    at.state.exclude_participants({"p0": "Too fast", "p1": "Too slow"})
    at.state.exclude_answers({"p0-t": "Wrong", "p1-t": "Wrong"})
    await at.settled()
    assert at.state.exclusions == Exclusions({"p1": "Too slow"}, {"p1-t": "Wrong"})
    assert "p0" not in table.load(at.key)
    at.answers_at = datetime.now(UTC) + timedelta(seconds=1)
    at.state.exclude_participants({"p0": "Too fast"})
    await at.settled()
    assert at.state.exclusions.participants == {"p1": "Too slow", "p0": "Too fast"}


async def test_weights_of_a_preparation_are_used_whatever_was_chosen_before_until_they_are_switched_off(
    at: Fixture,
) -> None:
    weights = enumerate("31")
    at.records = [record("p", f"t{task}", "better", "a", metadata={WEIGHT: of}) for task, of in weights]
    await at.state.load_settings()
    at.state.exclude_participants({"another": "Too fast"})
    await at.show(Section.QUESTIONS)
    assert at.state.settings_in_use is not None
    assert at.state.settings_in_use.weight_field == WEIGHT
    at.state.change(weight_field="")
    await at.settled()
    assert not at.state.settings_in_use.weight_field
    in_files = await at.state.find_settings_in_use()
    assert in_files is not None
    assert not in_files.weight_field


async def test_a_final_answer_that_is_set_during_a_computation_stays(at: Fixture) -> None:
    await at.show(Section.AGREEMENT)
    at.may_read.clear()
    at.state.on_answers_changed()
    await until(lambda: at.tables_read == 2)
    at.state.set_final_answer(FinalAnswer("better", "t", "b"))
    at.may_read.set()
    await at.settled()
    assert at.state.settings is not None
    assert at.state.settings.final_answers == (FinalAnswer("better", "t", "b"),)


async def test_two_windows_store_and_show_what_was_chosen_in_both(at: Fixture) -> None:
    final = FinalAnswer("better", "t", "b")
    await at.state.load_settings()
    await at.other.load_settings()
    at.state.exclude_participants({"p0": "Too fast"})
    at.state.set_final_answer(final)
    await at.settled()
    at.other.exclude_participants({"p1": "Too slow"})
    await at.settled()
    both = Exclusions({"p0": "Too fast", "p1": "Too slow"})
    assert at.other.settings is not None
    assert (at.other.exclusions, at.other.settings.final_answers) == (both, (final,))
    at.state.change(seed=5)
    await at.settled()
    assert at.state.exclusions == both
    at.state.include("p0")
    await at.settled()
    table = await at.session.analysis_settings()
    assert from_stored(table.load(at.key)) == AnalysisSettings(
        Exclusions({"p1": "Too slow"}), seed=5, final_answers=(final,)
    )


async def test_an_exclusion_is_undone_in_the_answers_to_which_it_belongs(at: Fixture) -> None:
    await at.state.load_settings()
    at.state.exclude_participants({"p0": "Too slow", "p1": "Too slow"})
    undo = at.state.exclude_participants({"p0": "Too fast", "p2": "Too fast"})
    await at.settled()
    first, at.key = at.key, AnswersKey("Lab", "batch:other")
    await at.state.load_settings()
    at.state.exclude_participants({"p0": "Wrong"})
    undo()
    await at.settled()
    assert at.state.exclusions == Exclusions({"p0": "Wrong"})
    at.key = first
    await at.state.load_settings()
    assert at.state.exclusions == Exclusions({"p0": "Too slow", "p1": "Too slow"})


async def test_a_change_that_could_not_be_stored_is_stored_with_the_next_one(
    at: Fixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object, **_more: object) -> str:
        raise StorageUnavailable("disk full")

    await at.state.load_settings()
    with monkeypatch.context() as full:
        full.setattr(AnalysisSettingsTable, "change", fail)
        at.state.exclude_participants({"p0": "Too fast"})
        await at.settled()
    at.state.change(seed=5)
    await at.settled()
    table = await at.session.analysis_settings()
    assert from_stored(table.load(at.key)) == AnalysisSettings(Exclusions({"p0": "Too fast"}), seed=5)


async def test_choices_are_split_by_another_field_without_reading_answers_again(at: Fixture) -> None:
    await at.show(Section.QUESTIONS)
    at.state.split_by("unknown")
    await at.settled()
    result = at.state.result(QuestionsResult)
    assert result is not None
    assert result.by_field == ""
    assert at.tables_read == 1


async def test_an_error_is_reported_once_and_shown(at: Fixture) -> None:
    failed: list[str] = []
    at.tasks.failed.connect(lambda name, _message, _error: failed.append(name))

    def fail() -> AnswerTable:
        raise MemoryError

    at.state._read_table = fail
    await at.show(Section.PARTICIPANTS)
    assert at.state.error is not None
    assert failed == ["results statistics"]
