"""The editor of a collection offers only what a collection can contain."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication, QLabel

from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.rules.problems import Severity
from batchwright.local.projects import Project, StudyKind
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.editor.canvas.cards import ItemCard
from batchwright.ui.editor.inspector.fields import SegmentedField
from batchwright.ui.editor.stage import EditorStage
from batchwright.ui.widgets.rows.row_list import RowList
from tests.layout.builders import sketch
from tests.ui.editor.conftest import drawing, settle
from tests.ui.spoken_rows import spoken_rows


@pytest.fixture
def collection(stage: EditorStage) -> EditorStage:
    project = Project("Survey", layout=sketch("a / b // c"), kind=StudyKind.COLLECTION)
    stage.state.study.open(project, None)
    settle()
    return stage


def has_positions(stage: EditorStage) -> bool:
    """Whether the form of a page offers its position among the records."""
    fields = stage.panels.findChildren(SegmentedField)
    return any(field.isVisible() for field in fields)


def test_the_palette_has_content_and_questions_only(collection: EditorStage) -> None:
    titles = [row.item.label.title for row in collection.panels.palette_panel.rows()]
    assert titles == [
        "Rich text",
        "Image",
        "Multiple choice",
        "Choice with free text",
        "Free text",
        "Free text with unit",
        "File upload",
    ]


def test_columns_are_not_offered(collection: EditorStage) -> None:
    state = collection.state
    state.reveal("a")
    settle()
    actions = collection.context.actions
    for id in (ActionId.LAYOUT_SPLIT_ROW, ActionId.LAYOUT_MOVE_LEFT, ActionId.LAYOUT_MOVE_RIGHT):
        assert not actions.qaction(id).isEnabled(), id
    assert actions.qaction(ActionId.LAYOUT_MOVE_DOWN).isEnabled()
    actions.run(ActionId.LAYOUT_MOVE_RIGHT)
    assert drawing(collection) == "a / b // c"
    actions.run(ActionId.LAYOUT_MOVE_DOWN)
    assert drawing(collection) == "b / a // c"


def test_a_page_has_no_position_among_records(collection: EditorStage) -> None:
    state = collection.state
    state.reveal(state.layout.pages[0].key)
    settle()
    assert not has_positions(collection)
    state.study.open(replace(state.study.project, kind=StudyKind.BATCH), None)
    state.reveal(state.layout.pages[0].key)
    settle()
    assert has_positions(collection)


def test_columns_of_a_file_are_a_problem_with_a_fix(collection: EditorStage, qapp: QApplication) -> None:
    state = collection.state
    wide = Project("Survey", layout=sketch("a|b // c"), kind=StudyKind.COLLECTION)
    state.study.open(wide, None)
    settle()
    (problem,) = [entry for entry in state.study.problems if entry.severity is Severity.ERROR]
    assert problem.code == "LY46"
    state.fix(problem)
    assert drawing(collection) == "ab // c"


def test_the_next_step_leads_to_collections(collection: EditorStage) -> None:
    settle()
    assert collection.panels.header.primary.text() == "Continue to Collections"
    assert not [label for label in collection.findChildren(QLabel) if "no schema" in label.text()]


def test_places_are_pages_and_items(collection: EditorStage) -> None:
    state = collection.state
    state.study.open(Project("Survey", sketch("ab / c // d"), kind=StudyKind.COLLECTION), None)
    for key in "bc":
        state.study.apply(SetAttributes(key, {"description": ""}))
    state.reveal("c")
    settle()
    panels = collection.panels
    (problems,) = panels.problems.findChildren(RowList)
    assert [", Page 1, item " in text for text in spoken_rows(problems)] == [True, True]
    assert ", Page 1, item 3, " in spoken_rows(problems)[1]
    assert any(label.text() == "Page 1, item 3" for label in panels.inspector.findChildren(QLabel))
    card = next(card for card in panels.canvas.findChildren(ItemCard) if card.node.key == "c")
    assert card.accessibleDescription().startswith("page 1, item 3. ")
