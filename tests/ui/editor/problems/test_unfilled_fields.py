"""New items are not errors yet: unfilled fields are counted separately until the user leaves them."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from batchwright.layout.item_types.registry import FreeText, MultipleChoice
from batchwright.layout.rules.problems import Severity
from batchwright.local.projects import Project
from batchwright.ui.content.card_footer import FooterSeverity as FootSeverity
from batchwright.ui.editor.core import commands
from batchwright.ui.editor.core.item_labels import item_type_label
from batchwright.ui.editor.palette.palette_model import PaletteItem
from batchwright.ui.editor.stage import EditorStage
from tests.layout.builders import sketch
from tests.ui.conftest import focused
from tests.ui.editor.conftest import settle

pytestmark = pytest.mark.gui


def add_choice(stage: EditorStage) -> str:
    """Add a choice as a click in the palette does; return its key."""
    stage.panels.palette_panel.item_chosen.emit(PaletteItem(item_type_label(MultipleChoice), MultipleChoice))
    settle()
    return stage.state.keys[0]


def severities(stage: EditorStage) -> list[Severity]:
    return [problem.severity for problem in stage.state.study.problems]


def test_a_new_question_shows_no_error(stage: EditorStage) -> None:
    key = add_choice(stage)
    card = stage.panels.canvas.page_canvas.card_of(key)
    assert set(severities(stage)) == {Severity.UNFILLED}
    assert (stage.state.error_count(), stage.state.unfilled_count()) == (0, 5)
    assert card is not None
    assert card.footer is not None
    assert (card.footer.severity, card.footer.text) == (FootSeverity.UNFILLED, "5 to fill in")
    form = stage.panels.inspector.form
    assert form is not None
    assert not form.problems
    assert stage.panels.problems.title.text() == "5 to fill in"
    assert stage.panels.header.primary.text() == "Fill in next field"
    assert stage.panels.problems.next_button.text() == "Fill in next field"


def test_a_visited_empty_field_is_an_error(stage: EditorStage) -> None:
    add_choice(stage)
    assert focused().accessibleName() == "Question"
    QTest.keyClick(focused(), Qt.Key.Key_Tab)
    settle()
    assert (stage.state.error_count(), stage.state.unfilled_count()) == (1, 4)
    assert stage.panels.header.primary.text() == "Go to next problem"


def test_switching_windows_does_not_count_as_leaving_a_field(stage: EditorStage) -> None:
    add_choice(stage)
    reason = Qt.FocusReason.ActiveWindowFocusReason
    QApplication.sendEvent(focused(), QFocusEvent(QEvent.Type.FocusOut, reason))
    settle()
    assert stage.state.error_count() == 0


def test_only_the_visited_empty_cell_is_an_error(stage: EditorStage) -> None:
    add_choice(stage)
    QTest.keyClicks(focused(), "Which?")
    stage.panels.inspector.focus_attribute(stage.state.study.problems[0].attribute)
    settle()
    QTest.keyClick(focused(), Qt.Key.Key_Down)
    settle()
    problems = [
        problem.attribute for problem in stage.state.study.problems if problem.severity is Severity.ERROR
    ]
    assert problems == [("options", 0, "label")]


def test_f8_goes_through_the_unfilled_fields(stage: EditorStage) -> None:
    add_choice(stage)
    stage.panels.canvas.setFocus()
    stage.state.study.open(stage.state.study.project, None, is_new=True)
    settle()
    QTest.keyClick(stage.window(), Qt.Key.Key_F8)
    settle()
    assert focused().accessibleName() == "Question"
    assert stage.context.shell.message == "To fill in: 1 of 5: Empty: question. Fill it in."


def test_f8_marks_an_unfilled_field_only_after_leaving_it(stage: EditorStage) -> None:
    add_choice(stage)
    messages: list[str] = []
    for left in range(5):
        QTest.keyClick(stage.window(), Qt.Key.Key_F8)
        settle()
        assert (stage.state.error_count(), stage.state.unfilled_count()) == (left, 5 - left)
        position = stage.panels.problems.title.text()
        assert stage.context.shell.message.startswith(f"{position}: ")
        messages.append(position)
    assert messages == [f"To fill in: 1 of {count}" for count in (5, 4, 3, 2, 1)]


def test_unfilled_fields_are_errors_in_a_request(stage: EditorStage) -> None:
    add_choice(stage)
    stage.state.study.show_unfilled_as_errors()
    assert (stage.state.error_count(), stage.state.unfilled_count()) == (5, 0)
    commands.insert(stage.state, commands.new_item(FreeText))
    assert stage.state.unfilled_count() == 1


def test_a_study_that_was_opened_shows_its_problems(stage: EditorStage) -> None:
    add_choice(stage)
    stage.state.study.open(Project("Opened", layout=stage.state.layout), None)
    assert (stage.state.error_count(), stage.state.unfilled_count()) == (5, 0)


def test_a_new_study_starts_without_an_error(stage: EditorStage) -> None:
    stage.state.study.open(Project("New", layout=sketch("-")), None, is_new=True)
    settle()
    assert stage.state.error_count() == 0
    assert stage.panels.header.primary.text() == "Continue to Run"
    assert not stage.panels.header.primary.isEnabled()


def test_undo_and_redo_keep_visited_fields(stage: EditorStage) -> None:
    add_choice(stage)
    QTest.keyClick(focused(), Qt.Key.Key_Tab)
    stage.state.study.undo()
    stage.state.study.redo()
    assert (stage.state.error_count(), stage.state.unfilled_count()) == (1, 4)
