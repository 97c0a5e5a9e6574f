"""The settings of an analysis come back after a restart."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from batchwright.analysis.result_settings import AnalysisSettings, from_stored, to_stored
from batchwright.analysis.statistics.comparisons.system_results import SystemFields
from batchwright.analysis.statistics.roles.question_roles import QuestionRole
from batchwright.analysis.statistics.unit_conversion import UnitConversion
from batchwright.analysis.store.exclusions import Exclusions
from batchwright.analysis.store.questions import MeasurementLevel, Outcome
from batchwright.local.analysis_settings import AnalysisSettingsTable, AnswersKey
from batchwright.local.database import COPY_NAME, back_up, open_database
from batchwright.local.id_registry import IdRegistry, RegisteredId, RemoteKind

KEY = AnswersKey("Lab", "batch:b")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[AnalysisSettingsTable]:
    with closing(open_database(tmp_path)) as database:
        yield AnalysisSettingsTable(database)


def test_settings_are_stored_by_connection_and_source(table: AnalysisSettingsTable) -> None:
    table.store(KEY, "1")
    table.store(KEY._replace(source="collection:b"), "2")
    table.store(KEY, "3")
    assert table.load(KEY) == "3"
    assert table.load(KEY._replace(source="collection:b")) == "2"
    assert table.load(KEY._replace(connection="Other")) == ""


def test_nothing_of_a_deleted_participant_is_left_in_any_settings(tmp_path: Path) -> None:
    kept = Exclusions({"p2": "too slow"}, {"a2": "wrong key"})
    with closing(open_database(tmp_path)) as database:
        table = AnalysisSettingsTable(database)
        for key in (KEY, KEY._replace(connection="")):
            excluded = Exclusions(
                {**kept.participants, "quoll7": "too fast"}, {**kept.answers, "quoll7-t1": ""}
            )
            table.store(key, to_stored(AnalysisSettings(excluded, seed=7)))
        IdRegistry(database).save(RegisteredId("Lab", RemoteKind.BATCH, "b"))
        back_up(database)  # as each start of the program does
        before_update = tmp_path / "batchwright.version-1.backup.db"
        before_update.write_bytes((tmp_path / COPY_NAME).read_bytes())
        table.forget_participant("quoll7")
        for key in (KEY, KEY._replace(connection="")):
            assert from_stored(table.load(key)) == AnalysisSettings(kept, seed=7)
        assert (tmp_path / COPY_NAME).exists()
        found = [file.name for file in tmp_path.iterdir() if b"quoll7" in file.read_bytes()]
    assert not found


def test_a_window_that_is_open_does_not_store_what_was_removed_meanwhile(
    table: AnalysisSettingsTable,
) -> None:
    loaded = to_stored(AnalysisSettings(Exclusions({"p1": "too fast", "p2": "too slow"}, {"p1-t1": ""})))
    table.store(KEY, loaded)
    table.forget_participant("p1")
    changed = AnalysisSettings(
        Exclusions({"p1": "too fast", "p2": "too slow", "p3": "no answers"}, {"p1-t1": ""}), seed=7
    )
    assert table.store(KEY, to_stored(changed), loaded) == {"p1", "p1-t1"}
    left = Exclusions({"p2": "too slow", "p3": "no answers"}, {})
    assert from_stored(table.load(KEY)) == AnalysisSettings(left, seed=7)


@pytest.mark.parametrize("id", ["p1", "s", "participants", "gold"])
def test_deleting_a_participant_leaves_other_settings_as_they_were(
    table: AnalysisSettingsTable, id: str
) -> None:
    """Other ids, and names of settings, contain the id that was entered."""
    settings = AnalysisSettings(
        Exclusions({"p12": "too slow"}, {"p12-t1": "wrong key", "gold2-t1": ""}),
        gold_field="gold",
        roles={"p1": QuestionRole(MeasurementLevel.ORDINAL, ("p1", "s"))},
    )
    table.store(KEY, to_stored(settings))
    table.forget_participant(id)
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
