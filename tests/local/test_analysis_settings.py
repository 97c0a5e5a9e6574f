"""The settings of an analysis come back after a restart."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from batchwright.analysis.result_settings import AnalysisSettings, from_stored, merged, to_stored
from batchwright.analysis.statistics.agreement.final_answers import FinalAnswer
from batchwright.analysis.statistics.comparisons.system_results import SystemFields
from batchwright.analysis.statistics.roles.question_roles import QuestionRole
from batchwright.analysis.statistics.unit_conversion import UnitConversion
from batchwright.analysis.store.exclusion_rules import parse_rule
from batchwright.analysis.store.exclusions import Exclusions
from batchwright.analysis.store.questions import MeasurementLevel, Outcome
from batchwright.base.database import Database
from batchwright.local.analysis_settings import AnalysisSettingsTable, AnswersKey
from batchwright.local.database import COPY_NAME, back_up, open_database
from batchwright.local.id_registry import IdRegistry, RegisteredId, RemoteKind
from batchwright.local.stored_participants import StoredParticipants

KEY = AnswersKey("Lab", "batch:b")
NOW = datetime.now(UTC)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(open_database(tmp_path)) as opened:
        yield opened


@pytest.fixture
def table(database: Database) -> AnalysisSettingsTable:
    return AnalysisSettingsTable(database)


def store(table: AnalysisSettingsTable, content: str, key: AnswersKey = KEY) -> str:
    """Store settings, whatever is stored."""
    return table.change(key, lambda _stored: content, answers_at=NOW)


def test_settings_are_stored_by_connection_and_source(table: AnalysisSettingsTable) -> None:
    store(table, "1")
    store(table, "2", KEY._replace(source="collection:b"))
    assert table.change(KEY, lambda stored: f"{stored}3", answers_at=NOW) == "13"
    assert table.load(KEY) == "13"
    assert table.load(KEY._replace(source="collection:b")) == "2"
    assert table.load(KEY._replace(connection="Other")) == ""


def test_nothing_of_a_deleted_participant_is_left_in_the_database_and_its_copies(
    database: Database, table: AnalysisSettingsTable, tmp_path: Path
) -> None:
    kept = Exclusions({"p2": "too slow"}, {"a2": "wrong key"})
    for key in (KEY, KEY._replace(connection="")):
        excluded = Exclusions({**kept.participants, "quoll7": "too fast"}, {**kept.answers, "quoll7-t1": ""})
        store(table, to_stored(AnalysisSettings(excluded, seed=7)), key)
    registry = IdRegistry(database)
    person = RegisteredId("Lab", RemoteKind.PARTICIPANT, "quoll7", "quoll7@example.org", was_made=True)
    registry.save(RegisteredId("Lab", RemoteKind.BATCH, "b"), person)
    back_up(database)  # as each start of the program does
    before_update = tmp_path / "batchwright.version-1.backup.db"
    before_update.write_bytes((tmp_path / COPY_NAME).read_bytes())
    StoredParticipants(database).forget("quoll7", has_account=False)
    registry.save(replace(person, first_at=NOW))  # received before, stored late
    for key in (KEY, KEY._replace(connection="")):
        assert from_stored(table.load(key)) == AnalysisSettings(kept, seed=7)
    assert (tmp_path / COPY_NAME).exists()
    assert not [file.name for file in tmp_path.iterdir() if b"quoll7" in file.read_bytes()]
    assert [entry.id for entry in registry.all("Lab")] == ["b"]


@pytest.mark.parametrize("id", ['the "first"', "a\\b", "a\tb", "Zoë"])
def test_a_participant_is_removed_whose_id_json_escapes(
    database: Database, table: AnalysisSettingsTable, id: str
) -> None:
    store(table, to_stored(AnalysisSettings(Exclusions({id: "too fast"}, {f"{id}-t1": "wrong key"}))))
    StoredParticipants(database).forget(id, has_account=False)
    assert from_stored(table.load(KEY)) == AnalysisSettings()


def test_a_participant_who_is_deleted_in_one_study_keeps_the_account(database: Database) -> None:
    registry = IdRegistry(database)
    registry.save(RegisteredId("Lab", RemoteKind.PARTICIPANT, "quoll7", "quoll7@example.org"))
    StoredParticipants(database).forget("quoll7", has_account=True)
    assert [entry.id for entry in registry.all("Lab")] == ["quoll7"]


def test_what_is_stored_late_excludes_no_participant_who_was_deleted_meanwhile(
    database: Database, table: AnalysisSettingsTable
) -> None:
    StoredParticipants(database).forget("p1", has_account=False)
    changed = AnalysisSettings(Exclusions({"p1": "too fast", "p2": "too slow"}, {"p1-t1": ""}), seed=7)
    stored = store(table, to_stored(changed))
    assert from_stored(stored) == AnalysisSettings(Exclusions({"p2": "too slow"}, {}), seed=7)
    assert table.load(KEY) == stored


def test_what_two_windows_have_changed_is_merged_by_setting_and_by_id() -> None:
    """The other window has changed its settings first."""
    a, b, c = (FinalAnswer("q", "t", final) for final in "abc")
    role, rule = QuestionRole(MeasurementLevel.ORDINAL), parse_rule("seconds<3")
    assert rule is not None
    before = AnalysisSettings(
        Exclusions({"p1": "x", "p2": "x"}, {"a1": "x"}), final_answers=(a,), weight_field="w"
    )
    other = replace(
        before.with_changes(weight_field="", seed=7),
        exclusions=Exclusions({"p2": "other", "p3": "x"}, {"a1": "x"}, (rule,)),
        final_answers=(b, FinalAnswer("q", "t2", "a")),
    )
    after = replace(
        before,
        exclusions=Exclusions({"p1": "x", "p2": "x", "p4": "x"}),
        final_answers=(c,),
        roles={"q": role},
    )
    assert merged(before, after, other) == replace(
        other,
        exclusions=Exclusions({"p2": "other", "p3": "x", "p4": "x"}, {}, (rule,)),
        final_answers=(c, FinalAnswer("q", "t2", "a")),
        roles={"q": role},
    )
    assert merged(before, after, before) == after


@pytest.mark.parametrize("id", ["p1", "s", "participants", "gold"])
def test_deleting_a_participant_leaves_other_settings_as_they_were(
    database: Database, table: AnalysisSettingsTable, id: str
) -> None:
    """Other ids, and names of settings, contain the id that was entered."""
    settings = AnalysisSettings(
        Exclusions({"p12": "too slow"}, {"p12-t1": "wrong key", "gold2-t1": ""}),
        gold_field="gold",
        roles={"p1": QuestionRole(MeasurementLevel.ORDINAL, ("p1", "s"))},
    )
    store(table, to_stored(settings))
    StoredParticipants(database).forget(id, has_account=False)
    assert from_stored(table.load(KEY)) == settings


def test_settings_are_the_same_after_they_were_stored() -> None:
    settings = AnalysisSettings(
        exclusions=Exclusions({"p1": "too fast"}, {"a1": "pressed the wrong key"}),
        seed=7,
        systems=SystemFields("model_a", "model_b"),
        gold_field="right",
        units=(UnitConversion("g", "kg", 0.001),),
        roles={
            "q": QuestionRole(outcomes={"1": Outcome.LEFT, "2": Outcome.TIE}),
            "r": QuestionRole(MeasurementLevel.ORDINAL, ("poor", "good"), ("n/a",)),
        },
    )
    assert from_stored(to_stored(settings)) == settings


@pytest.mark.parametrize("content", ["", "{", '{"seed": "many"}', "[]"])
def test_unusable_settings_are_the_default_ones(content: str) -> None:
    assert from_stored(content) == AnalysisSettings()
