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
from batchwright.local.database import open_database

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
