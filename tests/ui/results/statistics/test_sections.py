"""The sections of Results, with answers at a real service."""

import math
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from batchwright.analysis.sections import RoleChoices
from batchwright.analysis.statistics.agreement.final_answers import FinalAnswer
from batchwright.analysis.statistics.agreement.label_models import LabelModel
from batchwright.analysis.statistics.comparisons.system_results import SystemFields
from batchwright.analysis.statistics.participants.participant_hints import ParticipantRow
from batchwright.analysis.statistics.roles.question_roles import QuestionRole
from batchwright.analysis.statistics.roles.role_files import roles_json
from batchwright.analysis.store.exclusions import Exclusions
from batchwright.analysis.store.questions import MeasurementLevel, Outcome, questions_in
from batchwright.analysis.store.sampling import Clusters
from batchwright.layout.serialization import read, sequential_keys
from batchwright.ui.content.charts.chart_canvas import ChartCanvas
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.results.charts.chart_view import ChartScrollArea
from batchwright.ui.results.commands import ExclusionDialog
from batchwright.ui.results.stage import ResultsStage
from batchwright.ui.results.statistics.agreement_page import AgreementPage
from batchwright.ui.results.statistics.analysis_state import AnalysisState
from batchwright.ui.results.statistics.best_worst_page import BestWorstPage
from batchwright.ui.results.statistics.comparisons_page import ComparisonsPage
from batchwright.ui.results.statistics.exclusion_rule_dialog import ExclusionRuleDialog
from batchwright.ui.results.statistics.final_answers_panel import FinalAnswerDialog
from batchwright.ui.results.statistics.participants_page import ParticipantsPage, _columns
from batchwright.ui.results.statistics.question_panel import QuestionPanel
from batchwright.ui.results.statistics.questions_page import QuestionsPage
from batchwright.ui.results.statistics.roles_dialog import MAX_LISTED, RolesDialog
from batchwright.ui.results.statistics.section_pages import ResultPage
from batchwright.ui.results.statistics.section_titles import Section
from batchwright.ui.results.statistics.titled_chart import TitledChart
from batchwright.ui.theme import Theme
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.wrapping_row import WrappingRow
from tests.policies import WritePolicy
from tests.ui import fake_connection_pool
from tests.ui.conftest import activate_window, until
from tests.ui.results.conftest import settled
from tests.ui.window_fixtures import press

pytestmark = pytest.mark.gui

SIDES = [
    {"label": "The first one", "value": "x"},
    {"label": "The second one", "value": "y"},
    {"label": "About the same", "value": "same"},
]
LAYOUT: list[Any] = [
    {
        "rows": [
            {
                "columns": [
                    {
                        "items": [
                            {"type": "dataset_field", "field": "prompt"},
                            {
                                "type": "multiple_choice",
                                "description": "Which?",
                                "answer_limit": 1,
                                "options": SIDES,
                            },
                            {"type": "free_text", "description": "Why?"},
                        ]
                    }
                ]
            }
        ]
    }
]
CHOICE: dict[str, Any] = {"id": "q", "type": "multiple_choice", "description": "Q?", "answer_limit": 1}
SCHEMA = {
    "strict": True,
    "fields": {
        "prompt": {"type": "text"},
        "model_a": {"type": "metadata"},
        "model_b": {"type": "metadata"},
    },
}
CSV = "prompt,model_a,model_b\nCats,one,two\nDogs,two,one\n"


@pytest.fixture
def comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    """A study that compares two systems; what its options mean is not recognised."""
    for name, value in (("LAYOUT", LAYOUT), ("SCHEMA", SCHEMA), ("CSV", CSV)):
        monkeypatch.setattr(fake_connection_pool, name, value)


SETS_CSV = "text_a,text_b,text_c,item_1,item_2,item_3\nU,V,W,u,v,w\nW,U,V,w,u,v\nV,W,U,v,w,u\n"


@pytest.fixture
def best_worst(monkeypatch: pytest.MonkeyPatch) -> None:
    """A study with sets of items, whose fields have other names than those of a preparation."""
    options = [{"label": letter, "value": letter} for letter in "ABC"]
    shown = [{"type": "dataset_field", "field": f"text_{letter}"} for letter in "abc"]
    choice = {"type": "multiple_choice", "answer_limit": 1, "options": options}
    questions = [{**choice, "description": f"Which one is the {name}?"} for name in ("worst", "best")]
    layout = [{"rows": [{"columns": [{"items": [*shown, *questions]}]}]}]
    names = SETS_CSV.split("\n")[0].split(",")
    types = {name: "text" if name.startswith("text") else "metadata" for name in names}
    schema = {"strict": True, "fields": {name: {"type": type} for name, type in types.items()}}
    for name, value in (("LAYOUT", layout), ("SCHEMA", schema), ("CSV", SETS_CSV)):
        monkeypatch.setattr(fake_connection_pool, name, value)


async def shown(stage: ResultsStage, section: Section) -> QWidget:
    """Show a section, wait until its results are shown, and return its page."""
    stage.show_section(section)
    await computed(stage)
    page = stage.sections.currentWidget()
    assert page is not None
    return page


async def computed(stage: ResultsStage) -> None:
    """Wait until the visible section is up to date, and its page shows that."""
    await settled(stage.context.window.tasks)
    await until(lambda: stage.analysis.is_current)
    page = stage.sections.page(stage.analysis.section)
    await until(lambda: not isinstance(page, ResultPage) or page.is_complete)
    await settled(stage.context.window.tasks)  # the page searches for texts


def texts(widget: QWidget) -> list[str]:
    """The visible texts of a widget."""
    return [label.text() for label in widget.findChildren(QLabel) if label.isVisible()]


def cells(page: QWidget, column: int) -> list[str]:
    """The texts of a column of the participants."""
    assert isinstance(page, ParticipantsPage)
    state = page.people.table.model()
    return [str(state.index(row, column).data()) for row in range(state.rowCount())]


@pytest.mark.parametrize(("seconds", "text"), [(math.nan, "–"), (0.18, "<1 s"), (1.2, "1 s"), (90, "2 min")])
def test_the_time_per_task_of_a_participant_is_rounded(seconds: float, text: str) -> None:
    row = ParticipantRow(
        "p", 18, 6, seconds, math.nan, 2, 0.5, 0, math.nan, math.nan, math.nan, 0, math.nan, ""
    )
    assert [column.text(row) for column in _columns() if column.title == "Time per task"] == [text]


@pytest.mark.parametrize("participants", [2])
async def test_a_participant_is_excluded_with_a_reason_and_included_again(stage: ResultsStage) -> None:
    page = await shown(stage, Section.PARTICIPANTS)
    assert isinstance(page, ParticipantsPage)
    assert cells(page, 1) == ["6", "6"]
    page.people.table.selectRow(0)
    window = stage.context.window.window
    press(page, "Exclude…")
    await until(lambda: window.findChild(ExclusionDialog) is not None)
    dialog = window.findChild(ExclusionDialog)
    assert isinstance(dialog, ExclusionDialog)
    press(dialog, "Exclude")
    assert "Enter a reason." in texts(dialog)
    field = dialog.findChild(QLineEdit)
    assert field is not None
    field.setText("Much too fast")
    press(dialog, "Exclude")
    await computed(stage)
    assert cells(page, 1) == ["6"]
    assert "6 answers of 1 participant are excluded." in texts(page)
    assert page.exclusions.table.rows.cell(0, 2).text == "Much too fast"
    press(window, "Undo")
    await computed(stage)
    assert cells(page, 1) == ["6", "6"]
    assert not any("excluded." in text for text in texts(stage.bar))


async def test_exclusions_are_listed_and_can_be_included_again(stage: ResultsStage) -> None:
    page = await shown(stage, Section.PARTICIPANTS)
    assert isinstance(page, ParticipantsPage)
    id = (await stage.context.state.session.context()).workspace_id  # any text
    stage.analysis.exclude_answers({id: "Unknown answer"})
    await computed(stage)
    activate_window(stage.window())
    page.exclusions.table.setFocus()
    page.exclusions.table.selectRow(0)
    press(page, "Include again")
    await computed(stage)
    assert stage.analysis.exclusions == Exclusions()
    await until(page.people.table.hasFocus)
    assert any(text.startswith("Nothing is excluded.") for text in texts(page))


@pytest.mark.parametrize("participants", [2])
async def test_a_rule_excludes_answers_is_listed_and_can_be_removed(stage: ResultsStage) -> None:
    page = await shown(stage, Section.PARTICIPANTS)
    assert isinstance(page, ParticipantsPage)
    assert not page.effect.isVisible()
    window = stage.context.window.window
    press(page, "Exclude by rule…")
    await until(lambda: window.findChild(ExclusionRuleDialog) is not None)
    dialog = window.findChild(ExclusionRuleDialog)
    assert isinstance(dialog, ExclusionRuleDialog)
    press(dialog, "Exclude")
    assert any(text.startswith("Enter a number such as") for text in texts(dialog))
    dialog.measure.setCurrentIndex(dialog.measure.findText("Number of answers of a participant"))
    dialog.relation.setCurrentIndex(dialog.relation.findText("is below"))
    dialog.limit.setText("100")
    press(dialog, "Exclude")
    await computed(stage)
    await settled(stage.context.window.tasks)
    assert not page.people.table.rows.row_count()
    table = page.exclusions.table.rows
    assert [table.cell(0, column).text for column in range(4)] == ["Rule", "answers < 100", "–", "12"]
    assert page.effect.isVisible()
    assert page.effect.table.rows.row_count() > 0
    rows = stage.state.grid.rows
    assert rows is not None
    assert {row.exclusion for row in rows.rows(0, rows.count)} == {"answers < 100"}
    page.exclusions.table.selectRow(0)
    press(page, "Include again")
    await computed(stage)
    assert stage.analysis.exclusions == Exclusions()
    assert cells(page, 1) == ["6", "6"]


@pytest.mark.usefixtures("comparison")
@pytest.mark.parametrize("participants", [2])
async def test_a_role_is_chosen_is_used_by_all_results_and_comes_back(stage: ResultsStage) -> None:
    page = await shown(stage, Section.QUESTIONS)
    assert isinstance(page, QuestionsPage)
    await until(lambda: page.is_complete)
    window = stage.context.window.window
    press(page, "Roles…")
    await until(lambda: window.findChild(RolesDialog) is not None)
    dialog = window.findChild(RolesDialog)
    assert isinstance(dialog, RolesDialog)
    dialog.question.setCurrentIndex(dialog.question.findText("Which?"))
    dialog.question.activated.emit(dialog.question.currentIndex())
    dialog.level.setCurrentIndex(dialog.level.findText("Ordinal: values have an order"))
    dialog.level.activated.emit(dialog.level.currentIndex())
    assert all(rank.isVisible() for rank in dialog.ranks)
    first, last = dialog.ranks[0], dialog.ranks[-1]
    first.setCurrentIndex(last.currentIndex())
    press(dialog, "Use")
    assert "Two options have the same rank." in texts(dialog)
    last.setCurrentIndex(0)
    press(dialog, "Use")
    await computed(stage)
    assert any(text == "Median" for text in texts(page))
    assert not any(text == "Mean" for text in texts(page)), "ordinal values have no mean"
    state, tasks = stage.state, stage.context.window.tasks
    find_key, find_time = stage.analysis._find_key, stage.analysis._find_time
    later = AnalysisState(state.answers.read_table, find_key, find_time, state.session, tasks)
    await later.load_settings()
    assert later.settings is not None
    assert stage.analysis.settings is not None
    assert later.settings.roles == stage.analysis.settings.roles != {}


@pytest.mark.usefixtures("stage")
async def test_roles_are_read_from_a_file_or_the_place_of_an_error_is_shown(tmp_path: Path) -> None:
    options = [{"label": label, "value": label} for label in ("poor", "good", "n/a")]
    (question,) = questions_in(
        read([{"rows": [{"columns": [{"items": [{**CHOICE, "options": options}]}]}]}], sequential_keys())
    )
    dialog = RolesDialog(RoleChoices((question,), {}), {})
    file, role = tmp_path / "roles.json", QuestionRole(MeasurementLevel.ORDINAL, ("poor", "good"), ("n/a",))
    for content, place in (('{"questions": {"q": {"level": 1}}}', "questions.q.level"), ("[", "line 1")):
        file.write_text(content, encoding="utf-8")
        await dialog.read_file(file)
        assert any(place in label.text() for label in dialog.findChildren(QLabel))
    await dialog.read_file(tmp_path / "missing.json")
    assert any("missing.json" in label.text() for label in dialog.findChildren(QLabel))
    file.write_text(roles_json({"q": role}), encoding="utf-8")
    await dialog.read_file(file)
    assert [meaning.currentText() for meaning in dialog.meanings][2] == "No answer (missing)"
    dialog.accept()
    assert dialog.roles == {"q": role}


@pytest.mark.usefixtures("stage")
async def test_roles_of_options_that_are_not_listed_stay() -> None:
    options = [{"label": f"Option {number}", "value": f"v{number}"} for number in range(MAX_LISTED + 5)]
    (question,) = questions_in(
        read([{"rows": [{"columns": [{"items": [{**CHOICE, "options": options}]}]}]}], sequential_keys())
    )
    last = options[-1]["value"]
    dialog = RolesDialog(RoleChoices((question,), {}), {"q": QuestionRole(missing=(last,))})
    assert len(dialog.meanings) == MAX_LISTED
    assert any("5 further options are not listed" in label.text() for label in dialog.findChildren(QLabel))
    dialog.meanings[0].setCurrentIndex(dialog.meanings[0].findText("No answer (missing)"))
    dialog.accept()
    assert dialog.roles == {"q": QuestionRole(missing=("v0", last))}


@pytest.mark.usefixtures("comparison")
@pytest.mark.parametrize("participants", [2])
async def test_the_final_answer_about_a_record_is_set_and_removed(stage: ResultsStage) -> None:
    await settled(stage.context.window.tasks)
    table = stage.state.answers.read_table()
    question = next(of for of in table.questions if of.title == "Which?")
    await stage.analysis.load_settings()
    stage.analysis.set_final_answer(FinalAnswer(question.id, table.tasks.values[0], "x", "Clear"))
    page = await shown(stage, Section.AGREEMENT)
    assert isinstance(page, AgreementPage)
    rows, window = page.finals.table.rows, stage.context.window.window
    assert [rows.cell(0, column).text for column in (2, 3)] == ["The first one", "Clear"]

    async def decide(option: str, note: str) -> None:
        page.finals.table.row_activated.emit(rows.row(0))
        await until(lambda: bool(window.findChildren(FinalAnswerDialog)))
        (dialog,) = window.findChildren(FinalAnswerDialog)
        dialog.option.setCurrentIndex(dialog.option.findText(option))
        dialog.note.setText(note)
        press(dialog, "Set")
        await until(lambda: not window.findChildren(FinalAnswerDialog))
        await settled(stage.context.window.tasks)

    await decide("About the same", "Both cite it")
    assert [rows.cell(0, column).text for column in (2, 3)] == ["About the same", "Both cite it"]
    assert stage.analysis.is_current, "results do not depend on final answers"
    await decide("None", "")
    assert rows.cell(0, 2).text == "–"
    assert stage.analysis.settings is not None
    assert stage.analysis.settings.final_answers == ()


async def test_answers_are_excluded_from_the_grid_and_included_again(stage: ResultsStage) -> None:
    context, answers = stage.context, stage.answers
    answers.table.selectRow(0)
    await until(lambda: stage.state.grid.selected is not None)
    selected = stage.state.grid.selected
    assert selected is not None
    context.window.actions.run(ActionId.RESULTS_EXCLUDE_ANSWERS)
    await until(lambda: context.window.window.findChild(ExclusionDialog) is not None)
    dialog = context.window.window.findChild(ExclusionDialog)
    assert isinstance(dialog, ExclusionDialog)
    field = dialog.findChild(QLineEdit)
    assert field is not None
    field.setText("Pressed the wrong key")
    press(dialog, "Exclude")
    await settled(context.window.tasks)
    rows = stage.state.grid.rows
    assert rows is not None
    reasons = {row.id: row.exclusion for row in rows.rows(0, rows.count) if row.exclusion}
    assert reasons == {selected.id: "Pressed the wrong key"}
    await shown(stage, Section.PARTICIPANTS)
    assert "1 answer of 1 participant is excluded." in texts(stage.bar)
    stage.show_section(Section.ANSWERS)
    await until(lambda: stage.state.grid.selected is not None)
    context.window.actions.run(ActionId.RESULTS_INCLUDE_ANSWERS)
    await settled(context.window.tasks)
    assert stage.analysis.exclusions == Exclusions()


async def test_settings_come_back_after_a_restart(stage: ResultsStage) -> None:
    await shown(stage, Section.AGREEMENT)
    stage.analysis.change(seed=11)
    await computed(stage)
    state, tasks = stage.state, stage.context.window.tasks
    find_key, find_time = stage.analysis._find_key, stage.analysis._find_time
    later = AnalysisState(state.answers.read_table, find_key, find_time, state.session, tasks)
    await later.load_settings()
    assert later.settings is not None
    assert later.settings.seed == 11
    other = AnalysisState(state.answers.read_table, lambda: None, find_time, state.session, tasks)
    await other.load_settings()
    assert other.settings is not None
    assert other.settings.seed == 0


@pytest.mark.parametrize("participants", [2])
async def test_each_question_has_the_chart_that_fits(stage: ResultsStage) -> None:
    page = await shown(stage, Section.QUESTIONS)
    assert isinstance(page, QuestionsPage)
    await until(lambda: page.is_complete)
    why, which, proof = page.panels.values()
    assert [why.accessibleName(), which.accessibleName(), proof.accessibleName()] == [
        "Why?",
        "Which?",
        "Proof",
    ]
    chart = charts(which)[0].view.chart
    assert chart is not None
    counts = {mark.label: int(mark.detail) for mark in chart.marks}
    table = stage.state.answers.read_table()
    options = [option.label for option in table.questions[1].options]
    chosen = table.options[table.entries_of(1)].tolist()
    assert counts == {label: chosen.count(place) for place, label in enumerate(options)}
    assert any("Wilson" in text for text in texts(which))
    assert not charts(why)
    assert any("different text" in text for text in texts(why))


def charts(panel: QuestionPanel) -> list[TitledChart]:
    """The charts of a question that are shown."""
    return [chart for chart in panel.findChildren(TitledChart) if not chart.isHidden()]


@pytest.mark.parametrize("participants", [2])
async def test_an_option_leads_to_its_answers(stage: ResultsStage) -> None:
    page = await shown(stage, Section.QUESTIONS)
    assert isinstance(page, QuestionsPage)
    await until(lambda: page.is_complete)
    which = list(page.panels.values())[1]
    item = charts(which)[0].view.canvas.items[0]
    item.setFocus()
    QTest.keyClick(item, Qt.Key.Key_Return)
    await settled(stage.context.window.tasks)
    assert stage.analysis.section is Section.ANSWERS
    assert stage.answers.isVisible()


@pytest.mark.usefixtures("best_worst")
@pytest.mark.parametrize("participants", [3])
async def test_items_of_sets_have_results_when_fields_and_questions_are_chosen(stage: ResultsStage) -> None:
    page = await shown(stage, Section.BEST_WORST)
    assert isinstance(page, BestWorstPage)
    assert any(text.startswith("Choose the questions about the best") for text in texts(page))
    assert not page.items.isVisible()
    press(page, "Use item_1 to item_3")
    await computed(stage)
    settings = stage.analysis.settings
    assert settings is not None
    assert settings.best_worst is not None
    assert settings.best_worst.items == ("item_1", "item_2", "item_3")
    assert page.choices.best.currentText() == "Which one is the best?"
    assert page.items.isVisible()
    page.choices.best.setCurrentIndex(0)
    page.choices.best.activated.emit(0)
    await computed(stage)
    assert not page.items.isVisible()


@pytest.mark.usefixtures("comparison")
@pytest.mark.parametrize("participants", [2])
async def test_systems_are_compared_when_fields_and_meanings_are_chosen(stage: ResultsStage) -> None:
    page = await shown(stage, Section.COMPARISONS)
    assert isinstance(page, ComparisonsPage)
    assert any(text.startswith("No question was recognised") for text in texts(page))
    window = stage.context.window.window
    press(page, "Roles…")
    await until(lambda: window.findChild(RolesDialog) is not None)
    dialog = window.findChild(RolesDialog)
    assert isinstance(dialog, RolesDialog)
    dialog.meanings[0].setCurrentIndex(dialog.meanings[0].findData(Outcome.LEFT))
    press(dialog, "Use")
    assert any(text.startswith("A comparison has an option for the left side") for text in texts(dialog))
    for combo, outcome in zip(dialog.meanings, (Outcome.LEFT, Outcome.RIGHT, Outcome.TIE), strict=True):
        combo.setCurrentIndex(combo.findData(outcome))
    press(dialog, "Use")
    await computed(stage)
    press(page, "Use model_a and model_b")
    await computed(stage)
    settings = stage.analysis.settings
    assert settings is not None
    assert settings.systems == SystemFields("model_a", "model_b")
    chart = page.systems.outcomes.view.chart
    assert chart is not None
    counts = [int(mark.detail) for mark in chart.marks]
    assert sum(counts[:3]) == sum(counts[3:]) == 4
    assert page.systems.isVisible()
    assert any(text == "Each system was on the left about as often as on the right." for text in texts(page))
    assert not any(text.startswith("Effect of the left side") for text in texts(page))
    page.systems.order.click()
    await computed(stage)
    assert any("effect of the left side" in text.casefold() for text in texts(page))
    assert stage.analysis.settings is not None
    assert stage.analysis.settings.has_order_effect
    page.systems.regularised.click()
    await computed(stage)
    assert stage.analysis.settings.is_regularised
    assert any(text.startswith("Regularised strengths") for text in texts(page))
    page.choices.clusters.combo.setCurrentIndex(2)
    page.choices.clusters.combo.activated.emit(2)
    await computed(stage)
    assert stage.analysis.settings.clusters is Clusters.BOTH
    assert any("further records, answered by further participants" in text for text in texts(page))


@pytest.mark.usefixtures("comparison")
@pytest.mark.parametrize("participants", [2])
async def test_labels_are_estimated_with_the_chosen_model(stage: ResultsStage) -> None:
    page = await shown(stage, Section.AGREEMENT)
    assert isinstance(page, AgreementPage)
    page.question.setCurrentIndex(page.question.findText("Which?"))
    page.question.activated.emit(page.question.currentIndex())
    for index, (model, author) in enumerate(
        [(LabelModel.ONE_COIN, "Zhang, Y."), (LabelModel.DAWID_SKENE, "Dawid, A. P.")], start=1
    ):
        assert not any(author in text for text in texts(page))
        page.labels.model.setCurrentIndex(index)
        page.labels.model.activated.emit(index)
        await computed(stage)
        assert any(author in text for text in texts(page))
        assert stage.analysis.settings is not None
        assert stage.analysis.settings.label_model is model
    assert page.labels.model.currentText() == "Dawid and Skene's model"
    assert any(text.startswith("Answers per participant: 2 in the median") for text in texts(page))


@pytest.mark.usefixtures("comparison")
@pytest.mark.parametrize("participants", [3])
async def test_pairs_of_participants_have_a_confusion_matrix_each(
    stage: ResultsStage, write_policy: WritePolicy
) -> None:
    page = await shown(stage, Section.AGREEMENT)
    assert isinstance(page, AgreementPage)
    page.question.setCurrentIndex(page.question.findText("Which?"))
    page.question.activated.emit(page.question.currentIndex())
    panel = page.pairs
    await until(lambda: panel.isVisibleTo(page))
    rows = [panel.table.rows.row(number) for number in range(panel.table.rows.row_count())]
    assert len(rows) == 3
    assert panel.table.selected == rows[0]
    assert panel.table.isColumnHidden(5), "there is no weighted kappa without a scale"
    for chosen in rows:
        assert chosen is not None
        panel.table.row_activated.emit(chosen)
        assert f"Answers of {chosen.first} (rows) and {chosen.second} (columns)" in texts(panel)
    write_policy("[lock]\npseudonyms = true\n")
    panel.table.row_activated.emit(rows[0])
    assert "Answers of one participant (rows) and another one (columns)" in texts(panel)
    assert rows[0] is not None
    (canvas,) = panel.confusions.findChildren(ChartCanvas)
    await until(lambda: canvas.chart is not None and "one participant" in canvas.chart.columns.titles())
    assert canvas.chart is not None
    assert {rows[0].first, rows[0].second}.isdisjoint(canvas.chart.columns.titles())


@pytest.mark.usefixtures("comparison")
@pytest.mark.parametrize("participants", [2])
async def test_the_right_answers_can_be_those_to_a_text_question(stage: ResultsStage) -> None:
    page = await shown(stage, Section.PARTICIPANTS)
    assert isinstance(page, ParticipantsPage)
    people = page.people
    assert not people.gold.isEnabled()
    people.gold_question.setCurrentIndex(people.gold_question.findText("Why?"))
    people.gold_question.activated.emit(people.gold_question.currentIndex())
    await computed(stage)
    assert people.gold.isEnabled()
    people.gold.setCurrentIndex(people.gold.findText("prompt"))
    people.gold.activated.emit(people.gold.currentIndex())
    await computed(stage)
    assert set(cells(page, 6)) == {"0 % of 2 (0 % to 66 %)"}
    assert people.gold.chosen == "prompt"


@pytest.mark.usefixtures("comparison")
@pytest.mark.parametrize("participants", [2])
async def test_few_records_with_differing_answers_are_named_below_the_coefficients(
    stage: ResultsStage,
) -> None:
    """The study has two records, whose answers are random: they are alike, or the intervals are in doubt."""
    page = await shown(stage, Section.AGREEMENT)
    assert isinstance(page, AgreementPage)
    page.question.setCurrentIndex(page.question.findText("Which?"))
    page.question.activated.emit(page.question.currentIndex())
    expected = (
        "All answers are the same",
        "Answers differ about only",
        "No record has answers that differ",
    )
    assert len([text for text in texts(page.coefficients) if text.startswith(expected)]) == 1


@pytest.mark.usefixtures("comparison")
@pytest.mark.parametrize("participants", [2])
async def test_a_record_with_disagreement_is_one_click_from_its_answers(stage: ResultsStage) -> None:
    page = await shown(stage, Section.AGREEMENT)
    assert isinstance(page, AgreementPage)
    table = page.disagreements.table if page.disagreements.isVisible() else page.labels.table
    place = table.visualRect(table.model().index(0, 0)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    await settled(stage.context.window.tasks)
    assert stage.answers.isVisible()
    assert stage.answers.table.model().rowCount() >= 1


async def test_the_last_section_is_shown_again(stage: ResultsStage) -> None:
    await shown(stage, Section.PARTICIPANTS)
    window = stage.context.window
    assert window.settings.results_section == "participants"
    stage.context.window.actions.qaction("results.show_answers").trigger()
    assert window.settings.results_section == "answers"
    assert stage.answers.isVisible()


async def test_nothing_is_computed_while_the_answers_are_shown(stage: ResultsStage) -> None:
    assert stage.answers.isVisible()
    assert stage.analysis.excluded is None
    await shown(stage, Section.PARTICIPANTS)
    assert stage.analysis.excluded is not None


async def test_a_question_about_files_leads_to_its_answers(stage: ResultsStage) -> None:
    page = await shown(stage, Section.QUESTIONS)
    assert isinstance(page, QuestionsPage)
    await until(lambda: page.is_complete)
    proof = list(page.panels.values())[2]
    assert "The answers are files, which are not summarised." in texts(proof)
    assert not any("not summarised" in text for text in texts(list(page.panels.values())[1]))
    activate_window(stage.window())
    press(proof, "Show answers")
    await settled(stage.context.window.tasks)
    assert stage.state.grid.query.questions == (proof._question.id,)
    await until(stage.answers.table.isVisible)


@pytest.mark.parametrize("participants", [2])
async def test_answers_of_a_record_have_the_focus_and_their_count_names_it(stage: ResultsStage) -> None:
    page = await shown(stage, Section.AGREEMENT)
    assert isinstance(page, AgreementPage)
    activate_window(stage.window())
    labels = page.labels.table
    labels.setFocus()
    labels.selectRow(0)
    title = labels.rows.cell(0, 0).text
    QTest.keyClick(labels, Qt.Key.Key_Return)
    await settled(stage.context.window.tasks)
    await until(stage.answers.table.hasFocus)
    expected = f"2 answers from 2 participants, only about “{title}”"
    await until(lambda: expected in texts(stage.answers))


def fits(area: VerticalScrollArea) -> bool:
    """Whether everything is in the visible width."""
    content = area.widget()
    return content is not None and content.width() <= area.viewport().width()


@pytest.mark.usefixtures("comparison")
async def test_no_section_is_wider_than_a_narrow_window(stage: ResultsStage, theme: Theme) -> None:
    theme.set_text_size(150)
    stage.window().resize(1024, 700)
    stage.analysis.change(systems=SystemFields("model_a", "model_b"))
    for section in [*Section][1:]:
        page = await shown(stage, section)
        areas = (area for area in page.findChildren(VerticalScrollArea) if area.isVisible())
        (area,) = (area for area in areas if not isinstance(area, ChartScrollArea))
        await until(partial(fits, area))
        controls = [row for row in page.findChildren(WrappingRow) if row.isVisible()]
        assert controls
        for control in controls:
            inner = [item.geometry() for line in control.lines(control.width()) for item in line]
            assert all(control.rect().contains(box) for box in inner)
            assert not any(one.intersects(other) for one, other in combinations(inner, 2))
