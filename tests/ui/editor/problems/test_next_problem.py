"""F8 focuses the field of a problem and announces it; Fix all reports what it fixed."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from batchwright.base.json_values import JsonObject
from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.item_types.registry import Choice, MultipleChoice, MultipleChoiceWithFreeText
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.editor.core import commands
from batchwright.ui.editor.stage import EditorStage
from tests.ui.conftest import focused
from tests.ui.editor.conftest import selected, settle

pytestmark = pytest.mark.gui

Key = Qt.Key
OPTION: JsonObject = {"label": "Yes", "value": "yes"}


def press_f8(stage: EditorStage) -> str:
    """Press F8; return the name of the focused field."""
    QTest.keyClick(stage.window(), Key.Key_F8)
    settle()
    return focused().accessibleName()


def problem_text(stage: EditorStage) -> str:
    return stage.context.shell.message


def add(stage: EditorStage, kind: type[Choice], **changed: object) -> str:
    """Add a choice that is valid except for these attributes, as if it was read from a file."""
    attributes = {"description": "Which?", "options": [OPTION, {"label": "No", "value": "no"}], **changed}
    item = commands.new_item(kind)
    commands.insert(stage.state, item)
    stage.state.apply(SetAttributes(item.key, attributes))  # type: ignore[arg-type]
    stage.state.study.show_unfilled_as_errors()
    stage.state.reveal("a")
    settle()
    return item.key


def test_f8_focuses_the_field_and_announces_the_problem(stage: EditorStage) -> None:
    for key in ("b", "e"):
        stage.state.apply(SetAttributes(key, {"helper_text": 7}))
    settle()
    assert stage.panels.header.primary.text() == "Go to next problem"
    assert press_f8(stage) == "Helper text"
    assert selected(stage) == ["b"]
    assert problem_text(stage).startswith("Problem 1 of 2: Wrong type of value: helper text.")
    assert press_f8(stage) == "Helper text"
    assert selected(stage) == ["e"]
    assert problem_text(stage).startswith("Problem 2 of 2: ")
    assert press_f8(stage) == "Helper text"
    assert selected(stage) == ["b"]


def test_each_press_goes_to_the_next_problem_of_an_item(stage: EditorStage) -> None:
    stage.state.apply(SetAttributes("b", {"description": "", "helper_text": 7, "placeholder_text_input": 3}))
    settle()
    names = [press_f8(stage) for _ in range(4)]
    assert names == ["Question", "Helper text", "Placeholder", "Question"]


def test_the_card_shows_the_current_problem(stage: EditorStage) -> None:
    stage.state.apply(SetAttributes("b", {"description": "", "helper_text": 7}))
    settle()
    shown = stage.panels.canvas.page_canvas.card_of("b")
    assert shown is not None
    for words in ("Empty: question.", "Wrong type of value: helper text."):
        press_f8(stage)
        assert shown.footer is not None
        assert shown.footer.text.startswith(words)


def test_after_a_fix_the_next_problem_has_the_same_number(stage: EditorStage) -> None:
    stage.state.apply(SetAttributes("b", {"description": "", "helper_text": 7}))
    settle()
    assert press_f8(stage) == "Question"
    QTest.keyClicks(focused(), "Why?")
    settle()
    assert press_f8(stage) == "Helper text"
    assert problem_text(stage).startswith("Problem 1 of 1: ")


def test_f8_focuses_the_cell_of_an_option(stage: EditorStage) -> None:
    add(stage, MultipleChoice, options=[OPTION, {"label": "No", "value": "yes"}])
    assert press_f8(stage).startswith("Option 2, Value")


def test_f8_focuses_the_field_below_the_option_table(stage: EditorStage) -> None:
    options = [{**OPTION, "heading": "Why?"}, {"label": "No", "value": "no", "heading": ""}]
    add(stage, MultipleChoiceWithFreeText, options=options)
    assert press_f8(stage) == "Heading"
    QTest.keyClicks(focused(), "Why not?")
    settle()
    assert not stage.state.error_count()


def test_the_panel_shows_the_current_problem_and_its_fix(stage: EditorStage) -> None:
    key = add(stage, MultipleChoice, answer_limit=3)
    press_f8(stage)
    panel = stage.panels.problems
    assert panel.title.text() == "Problem 1 of 1"
    assert panel.fix_button.text() == "Allow 2"
    panel.fix_button.click()
    settle()
    item = stage.state.layout.find(key)
    assert isinstance(item, MultipleChoice)
    assert item.answer_limit == 2


def test_fix_all_fixes_problems_of_several_rules_in_one_step_with_a_message(stage: EditorStage) -> None:
    add(stage, MultipleChoice, answer_limit=3, description="", helper_text=7)
    stage.state.apply(SetAttributes("b", {"helper_text": 7}))
    settle()
    before = stage.state.layout
    stage.context.actions.run(ActionId.LAYOUT_FIX_ALL)
    settle()
    assert problem_text(stage) == "Fixed 3 problems. 1 is left for you to decide."
    assert [problem.attribute.name for problem in stage.state.study.problems] == ["description"]
    stage.state.study.undo()
    assert stage.state.layout == before


def test_fix_all_removes_nothing(stage: EditorStage) -> None:
    commands.add_page(stage.state)
    stage.state.study.show_unfilled_as_errors()
    assert [problem.code for problem in stage.state.study.problems if problem.fix] == ["LY03"]
    pages = len(stage.state.layout.pages)
    stage.state.fix_all()
    assert len(stage.state.layout.pages) == pages


def test_f8_focuses_the_bound_that_is_too_large(stage: EditorStage) -> None:
    stage.state.apply(SetAttributes("b", {"validation": {"type": "number", "min": 10, "max": 1}}))
    settle()
    assert press_f8(stage).endswith(", from")
