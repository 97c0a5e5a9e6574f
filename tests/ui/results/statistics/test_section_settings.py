"""Settings of the sections of Results in the window: units, fields, right answers, and many options."""

import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QAbstractButton, QWidget

from batchwright.analysis.statistics.unit_conversion import UnitConversion
from batchwright.prepare.columns import STRATUM
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.planning.planning_dialog import PlanningDialog
from batchwright.ui.results.stage import ResultsStage
from batchwright.ui.results.statistics.agreement_page import AgreementPage
from batchwright.ui.results.statistics.analysis_state import AnalysisState
from batchwright.ui.results.statistics.number_texts import MISSING
from batchwright.ui.results.statistics.participants_page import ParticipantsPage
from batchwright.ui.results.statistics.questions_page import QuestionsPage
from batchwright.ui.results.statistics.section_titles import Section
from batchwright.ui.results.statistics.settings_dialogs import UnitsDialog
from batchwright.ui.widgets.fields import FilterCombo
from batchwright.ui.widgets.help_button import HelpButton
from tests.analysis.answers import COMPARISON, DURATION, FAULTS, REASON, SCALE, layout, record
from tests.ui import fake_connection_pool
from tests.ui.conftest import until
from tests.ui.results.conftest import settled
from tests.ui.results.statistics.test_sections import SIDES, cells, charts, computed, shown, texts
from tests.ui.window_fixtures import FakeFileDialogs, press

pytestmark = pytest.mark.gui

MINUTES = [{"value": 30, "unit": "min"}, {"value": 90, "unit": "min"}, {"value": 2, "unit": "h"}]
OPTIONS = 1000


def export(folder: Path, records: Sequence[Mapping[str, Any]], *items: Mapping[str, Any]) -> Path:
    """Write an archive with answers and their layout."""
    path = folder / "answers.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("responses.jsonl", "".join(f"{json.dumps(record)}\n" for record in records))
        archive.writestr("batch.json", json.dumps({"batch_items": layout(*items)}))
    return path


async def open_file(stage: ResultsStage, answers: int) -> None:
    """Show the answers in the file that the dialog returns."""
    stage.context.window.actions.run(ActionId.RESULTS_OPEN)
    await until(lambda: stage.state.answers.overview.summary.answers == answers, 30)
    await settled(stage.context.window.tasks)


async def questions(stage: ResultsStage) -> QuestionsPage:
    """Show the section Questions."""
    page = await shown(stage, Section.QUESTIONS)
    assert isinstance(page, QuestionsPage)
    await until(lambda: page.is_complete)
    return page


def choose(combo: FilterCombo, text: str) -> None:
    """Choose an entry, as a user does."""
    place = combo.findText(text)
    assert place >= 0, text
    combo.setCurrentIndex(place)
    combo.activated.emit(place)


def titles(widget: QWidget) -> set[str]:
    """The titles of charts about distributions."""
    return {text for text in texts(widget) if text.startswith("Distribution")}


@pytest.mark.parametrize("participants", [0])
async def test_units_are_converted_and_stay_converted_in_the_next_session(
    stage: ResultsStage, files: FakeFileDialogs, tmp_path: Path
) -> None:
    records = [record(f"p{number}", "t", "duration", value) for number, value in enumerate(MINUTES)]
    files.path = export(tmp_path, records, DURATION)
    window = stage.context.window.window
    await open_file(stage, 3)
    page = await questions(stage)
    assert titles(page) == {"Distribution, in h", "Distribution, in min"}
    press(page, "Convert units…")
    await until(lambda: window.findChild(UnitsDialog) is not None)
    dialog = window.findChild(UnitsDialog)
    assert isinstance(dialog, UnitsDialog)
    to, factor, _offset = dialog.rows[0]
    to.setText("min")
    factor.setText("0")
    press(dialog, "Convert")
    assert any("cannot be 0" in text for text in texts(dialog))
    factor.setText("60")
    press(dialog, "Convert")
    await computed(stage)
    await until(lambda: titles(page) == {"Distribution, in min"})
    assert "80 min" in texts(page), "the mean of 30, 90 and 120"
    state, tasks = stage.state, stage.context.window.tasks
    find_key, find_time = stage.analysis._find_key, stage.analysis._find_time
    later = AnalysisState(state.answers.read_table, find_key, find_time, state.session, tasks)
    await later.load_settings()
    assert later.settings is not None
    assert later.settings.units == (UnitConversion("h", "min", 60.0, 0.0),)


@pytest.mark.parametrize("participants", [0])
async def test_a_study_is_planned_from_the_answers_that_are_shown(
    stage: ResultsStage, files: FakeFileDialogs, tmp_path: Path
) -> None:
    records = [record(f"p{n % 2}", f"t{n // 2}", "better", "ab"[n % 8 == 0]) for n in range(40)]
    files.path = export(tmp_path, records, COMPARISON)
    window = stage.context.window
    await open_file(stage, 40)
    window.actions.run(ActionId.RESULTS_PLAN)
    await until(lambda: window.window.findChild(PlanningDialog) is not None)
    dialog = window.window.findChild(PlanningDialog)
    assert isinstance(dialog, PlanningDialog)
    await until(lambda: any("Estimated from 40 answers to “Which answer" in text for text in texts(dialog)))
    assert dialog.state.request.assumptions.expected == pytest.approx(7 / 8)
    dialog.reject()


@pytest.mark.parametrize("participants", [0])
async def test_records_are_weighted_and_intervals_are_about_participants(
    stage: ResultsStage, files: FakeFileDialogs, tmp_path: Path
) -> None:
    """Task 0, whose answers are 3, stands for three records."""
    answers = [
        {**record(f"p{person}", f"t{task}", "scale", 3 if task == 0 else 1), "metadata": {"weight": weight}}
        for task, weight in enumerate((3, 1, 1))
        for person in range(4)
    ]
    files.path = export(tmp_path, answers, SCALE)
    await open_file(stage, len(answers))
    page = await questions(stage)
    assert "Records needed for an interval" in " ".join(texts(page))
    choose(page.weights.combo, "weight")
    await computed(stage)
    await until(lambda: any("Records are weighted by “weight”" in text for text in texts(page)))
    (panel,) = page.panels.values()
    chart = charts(panel)[0].view.chart
    assert chart is not None
    assert {mark.label: round(mark.value, 2) for mark in chart.marks}["3 of 5"] == 0.6
    page.clusters.combo.setCurrentIndex(1)
    page.clusters.combo.activated.emit(1)
    await computed(stage)
    await until(lambda: any("about further participants who answer" in text for text in texts(page)))
    assert "Records needed for an interval" not in " ".join(texts(page))


@pytest.mark.parametrize("participants", [0])
async def test_shares_and_means_are_split_by_the_strata_of_a_sample_until_that_is_switched_off(
    stage: ResultsStage, files: FakeFileDialogs, tmp_path: Path
) -> None:
    """Rare records are rated 3, and common ones 1."""
    answers = [
        {**record(f"p{person}", f"t{task}", "scale", 3 if task % 2 else 1), "metadata": {STRATUM: stratum}}
        for task, stratum in enumerate(("common", "rare") * 2)
        for person in range(2)
    ]
    files.path = export(tmp_path, answers, SCALE)
    await open_file(stage, len(answers))
    page = await questions(stage)
    await until(lambda: page.is_complete and f"Mean by {STRATUM}" in texts(page))
    (panel,) = page.panels.values()
    shown = {
        chart.view.chart.title: chart.view.chart for chart in charts(panel) if chart.view.chart is not None
    }
    (means,) = [chart for title, chart in shown.items() if title.endswith(f"Mean by {STRATUM}")]
    assert {mark.label: mark.value for mark in means.marks} == {"common": 1, "rare": 3}
    (shares,) = [chart for title, chart in shown.items() if title.endswith(f"– By {STRATUM}")]
    assert {(mark.group, mark.label) for mark in shares.marks if mark.value == 1} == {
        *{("common", "1 of 5"), ("rare", "3 of 5")}
    }
    choose(page.fields, "All answers")
    await computed(stage)
    await until(lambda: page.is_complete and f"Mean by {STRATUM}" not in texts(page))
    assert f"By {STRATUM}" not in texts(page)


@pytest.fixture
def with_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    """A study whose dataset has a topic and the right answer of each record."""
    item = {"type": "multiple_choice", "description": "Which?", "answer_limit": 1, "options": SIDES}
    prompt = {"type": "dataset_field", "field": "prompt"}
    fields = {"prompt": {"type": "text"}, "topic": {"type": "metadata"}, "right": {"type": "metadata"}}
    monkeypatch.setattr(
        fake_connection_pool, "LAYOUT", [{"rows": [{"columns": [{"items": [prompt, item]}]}]}]
    )
    monkeypatch.setattr(fake_connection_pool, "SCHEMA", {"strict": True, "fields": fields})
    rows = "Cats,pets,x\nDogs,pets,y\nOaks,trees,x\nElms,trees,same\n"
    monkeypatch.setattr(fake_connection_pool, "CSV", f"prompt,topic,right\n{rows}")


@pytest.mark.usefixtures("with_fields")
@pytest.mark.parametrize("participants", [2])
async def test_choices_are_split_by_a_field(stage: ResultsStage) -> None:
    page = await questions(stage)
    choose(page.fields, "topic")
    await computed(stage)
    await until(lambda: page.is_complete and "By topic" in texts(page))
    (panel,) = page.panels.values()
    counts: dict[str, int] = {}
    for chart in charts(panel):
        for mark in chart.view.chart.marks if chart.view.chart is not None else ():
            counts[mark.group] = counts.get(mark.group, 0) + int(mark.detail or 0)
    answers = stage.state.answers.overview.summary.answers
    assert counts.keys() >= {"pets", "trees"}
    assert counts["pets"] + counts["trees"] == answers
    choose(page.fields, "All answers")
    await computed(stage)
    await until(lambda: "By topic" not in texts(page))


@pytest.mark.usefixtures("with_fields")
@pytest.mark.parametrize("participants", [2])
async def test_the_right_answers_are_in_a_field(stage: ResultsStage) -> None:
    page = await shown(stage, Section.PARTICIPANTS)
    assert isinstance(page, ParticipantsPage)
    assert cells(page, 6) == [MISSING, MISSING]
    choose(page.people.gold, "right")
    await computed(stage)
    await until(lambda: MISSING not in cells(page, 6))
    right = [text.partition(" % of ") for text in cells(page, 6)]
    counts = [int(answers.partition(" ")[0]) for _share, _of, answers in right]
    assert counts == list(map(int, cells(page, 1)))


@pytest.mark.usefixtures("with_fields")
@pytest.mark.parametrize("participants", [2])
async def test_records_have_their_titles_in_tables_of_agreement(stage: ResultsStage) -> None:
    page = await shown(stage, Section.AGREEMENT)
    assert isinstance(page, AgreementPage)
    for table in (page.labels.table, page.disagreements.table):
        rows = range(table.rows.row_count())
        names = [table.rows.cell(row, 0).text for row in rows]
        assert set(names) <= {"Cats", "Dogs", "Oaks", "Elms"}
        datapoints = [row.datapoint for at in rows if (row := table.rows.row(at)) is not None]
        tooltips = [table.rows.tooltip(row, 0) for row in rows]
        assert tooltips == [f"{name}\n{id}" for name, id in zip(names, datapoints, strict=True)]
    assert page.labels.table.rows.row_count() == 4


@pytest.mark.parametrize("participants", [0])
async def test_a_question_with_a_thousand_options_is_shown(
    stage: ResultsStage, files: FakeFileDialogs, tmp_path: Path
) -> None:
    options = [{"label": f"Option {number}", "value": f"o{number}"} for number in range(OPTIONS)]
    item = {**COMPARISON, "options": options}
    records = [
        record(f"p{person}", f"t{task}", "better", f"o{(task * 7 + person * (task % 2)) % OPTIONS}")
        for person in range(2)
        for task in range(OPTIONS)
    ]
    files.path = export(tmp_path, records, item)
    await open_file(stage, 2 * OPTIONS)
    page = await questions(stage)
    (panel,) = page.panels.values()
    view = charts(panel)[0].view
    assert view.chart is not None
    assert len(view.canvas.items) < 100, "the others are in the table"
    assert view.canvas.height() < 3000
    press(panel, "Show as table: Share of answers")
    assert view.table is not None
    assert view.table.model().rowCount() >= OPTIONS
    agreement = await shown(stage, Section.AGREEMENT)
    assert isinstance(agreement, AgreementPage)
    assert agreement.disagreements.table.rows.row_count() == OPTIONS // 2
    press(agreement.coefficients, "Show as table: Coefficients of agreement")
    assert agreement.coefficients.chart.view.shows_table


@pytest.mark.parametrize("participants", [0])
async def test_a_question_without_answers_says_so(
    stage: ResultsStage, files: FakeFileDialogs, tmp_path: Path
) -> None:
    files.path = export(tmp_path, [record("p", "t", "better", "a")], COMPARISON, FAULTS, REASON)
    await open_file(stage, 1)
    page = await questions(stage)
    better, faults, reason = page.panels.values()
    nothing = "There are no answers to this question."
    assert nothing not in texts(better)
    for panel in (faults, reason):
        assert nothing in texts(panel)
        assert not any(chart.isVisible() for chart in charts(panel))
        assert not any(
            button.isVisible()
            for button in panel.findChildren(QAbstractButton)
            if not isinstance(button, HelpButton)
        )
