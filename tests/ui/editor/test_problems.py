"""The problems below the page: they lead to their places, and are mended one by one or all of a kind."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from batchwright.layout.edits import SetAttributes
from batchwright.layout.item_types.registry import FreeText
from batchwright.local.projects import Project
from batchwright.ui.editor import commands
from batchwright.ui.editor.problems_list import ProblemsList, fix_button_rect
from batchwright.ui.editor.stage import EditorStage
from batchwright.ui.theme import Theme
from tests.layout.builders import sketch
from tests.ui.editor.conftest import selected, settle
from tests.ui.editor.interaction import LEFT, NONE, focused

pytestmark = pytest.mark.gui


@pytest.fixture
def faulty_stage(stage: EditorStage) -> EditorStage:
    """The study `ab / c|d // e` where b, d and e have an attribute of the faulty_stage type."""
    for key in ("b", "d", "e"):
        stage.model.apply(SetAttributes(key, {"helper_text": 7}))
    stage.toggle_problems()
    settle()
    return stage


def rows(stage: EditorStage) -> ProblemsList:
    (shown,) = stage.panels.problems.findChildren(ProblemsList)
    return shown


def button(stage: EditorStage, start: str) -> QPushButton:
    buttons = stage.panels.problems.findChildren(QPushButton)
    return next(widget for widget in buttons if widget.text().startswith(start))


def test_arrows_lead_to_places_while_the_keyboard_stays(faulty_stage: EditorStage) -> None:
    rows(faulty_stage).setFocus()
    for key, expected, page in (
        (Qt.Key.Key_Down, "d", "pa"),
        (Qt.Key.Key_Down, "e", "pe"),
        (Qt.Key.Key_Home, "b", "pa"),
    ):
        QTest.keyClick(focused(), key)
        settle()
        assert (selected(faulty_stage), faulty_stage.selection.page) == ([expected], page)
        assert focused() is rows(faulty_stage)


def test_enter_leads_to_the_place_with_the_keyboard(faulty_stage: EditorStage) -> None:
    rows(faulty_stage).setFocus()
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    settle()
    assert focused() is faulty_stage.panels.canvas.page_canvas.card_of("b")


def test_a_click_on_the_fix_applies_it_and_elsewhere_reveals_the_node(faulty_stage: EditorStage) -> None:
    shown = rows(faulty_stage)
    second = shown.visualRect(shown.problems_model.index(1, 0))
    QTest.mouseClick(shown.viewport(), LEFT, NONE, second.center())
    settle()
    assert selected(faulty_stage) == ["d"]
    fix = shown.problems_model.problems[1].fix
    assert fix is not None
    QTest.mouseClick(shown.viewport(), LEFT, NONE, fix_button_rect(second, fix.label).center())
    settle()
    assert len(faulty_stage.model.study.problems) == 2


def test_all_problems_of_a_rule_are_fixed_in_one_step(faulty_stage: EditorStage) -> None:
    before = faulty_stage.model.layout
    rows(faulty_stage).setFocus()
    QTest.keyClick(focused(), Qt.Key.Key_Down)
    settle()
    code = rows(faulty_stage).problems_model.problems[0].code
    QTest.mouseClick(button(faulty_stage, f"Fix all 3 of {code}"), LEFT)
    settle()
    assert not faulty_stage.model.study.problems
    faulty_stage.model.study.undo()
    assert faulty_stage.model.layout == before


def test_fix_all_of_a_rule_is_not_offered_for_a_single_problem(faulty_stage: EditorStage) -> None:
    rows(faulty_stage).setFocus()
    for _ in range(2):
        faulty_stage.model.fix(faulty_stage.model.study.problems[0])
        settle()
    buttons = faulty_stage.panels.problems.findChildren(QPushButton)
    assert [button.text() for button in buttons if button.isVisible() and "Fix all" in button.text()] == [
        "Fix all"
    ]


def test_fix_all_is_there_as_long_as_a_problem_has_a_fix(faulty_stage: EditorStage) -> None:
    for _ in range(2):
        faulty_stage.model.fix(faulty_stage.model.study.problems[0])
        settle()
    fix_all = button(faulty_stage, "Fix all")
    assert (fix_all.isVisible(), fix_all.isEnabled()) == (True, True)
    QTest.mouseClick(fix_all, LEFT)
    settle()
    assert not faulty_stage.model.study.problems
    assert not fix_all.isVisible()


def test_fix_all_says_why_it_would_remove_nothing(faulty_stage: EditorStage) -> None:
    faulty_stage.model.fix_all()
    commands.add_page(faulty_stage.model)
    faulty_stage.model.study.show_unfilled_as_errors()
    settle()
    fix_all = button(faulty_stage, "Fix all")
    assert (fix_all.isVisible(), fix_all.isEnabled()) == (True, False)
    assert "removes nothing" in fix_all.toolTip()


def test_shortcuts_fix_the_current_problem_and_all_of_its_rule(faulty_stage: EditorStage) -> None:
    rows(faulty_stage).setFocus()
    QTest.keyClick(focused(), Qt.Key.Key_Down)
    settle()
    QTest.keyClick(focused(), Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
    settle()
    assert [problem.path.page for problem in faulty_stage.model.study.problems] == [0, 1]
    assert rows(faulty_stage).currentIndex().row() >= 0
    QTest.keyClick(focused(), Qt.Key.Key_F8, Qt.KeyboardModifier.ControlModifier)
    settle()
    assert not faulty_stage.model.study.problems


def test_the_ring_of_a_place_led_to_glows_once(qtbot: QtBot, faulty_stage: EditorStage, moving: None) -> None:
    glow = faulty_stage.panels.canvas.page_canvas.highlight
    faulty_stage.model.go_to_next_problem()
    qtbot.waitUntil(glow.isVisible)
    assert glow.target is faulty_stage.panels.canvas.page_canvas.card_of("b")
    qtbot.waitUntil(lambda: not glow.isVisible())


def test_the_ring_ends_with_what_it_glows_around(
    qtbot: QtBot, faulty_stage: EditorStage, moving: None
) -> None:
    glow = faulty_stage.panels.canvas.page_canvas.highlight
    faulty_stage.model.go_to_next_problem()
    qtbot.waitUntil(glow.isVisible)
    commands.remove(faulty_stage.model)
    settle()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    qtbot.waitUntil(lambda: not glow.isVisible())
    assert glow.target is None


def test_what_is_removed_before_it_is_scrolled_to_is_not(faulty_stage: EditorStage) -> None:
    canvas = faulty_stage.panels.canvas
    faulty_stage.model.reveal("b")
    settle()
    canvas.scroll_to("b")
    commands.remove(faulty_stage.model)
    faulty_stage._refresh()
    settle()
    assert canvas.page_canvas.card_of("b") is None


def test_nothing_glows_where_motion_is_reduced_or_a_card_was_only_chosen(
    faulty_stage: EditorStage, theme: Theme
) -> None:
    faulty_stage.model.go_to_next_problem()
    settle()
    assert not faulty_stage.panels.canvas.page_canvas.highlight.isVisible()
    theme.set_animations_enabled(True)
    faulty_stage.model.reveal("a")
    settle()
    assert not faulty_stage.panels.canvas.page_canvas.highlight.isVisible()
    theme.set_animations_enabled(False)


def test_a_problem_low_on_a_long_page_is_scrolled_into_view_with_its_footer(
    stage: EditorStage,
) -> None:
    stage.model.study.open(Project("Long", layout=sketch(" / ".join("abcdefghijklmnop"))), None)
    stage.model.apply(SetAttributes("p", {"helper_text": 7}))
    settle()
    stage.model.go_to_next_problem()
    settle()
    card = stage.panels.canvas.page_canvas.card_of("p")
    assert card is not None
    result = card.visibleRegion().boundingRect()
    assert result.contains(card.rect())


def test_f1_is_about_the_problem_that_has_the_keyboard_or_is_selected(faulty_stage: EditorStage) -> None:
    shell = faulty_stage._context.shell
    commands.insert(faulty_stage.model, commands.new_item(FreeText))
    settle()
    problems = faulty_stage.model.study.problems
    other = next(problem for problem in problems if problem.code != problems[0].code)
    faulty_stage.model.go_to_problem(problems[0])
    settle()
    assert shell.current_rule() == problems[0].code
    rows(faulty_stage).setFocus()
    rows(faulty_stage).show_current(other)
    assert shell.current_rule() == other.code
    faulty_stage.panels.canvas.setFocus()
    faulty_stage.model.reveal("a")
    settle()
    assert shell.current_rule() == ""
    faulty_stage.model.go_to_problem(problems[0])
    shell.set_stage("home")
    assert shell.current_rule() == ""


@pytest.mark.parametrize("width", [1440, 1024, 800])
@pytest.mark.parametrize("is_open", [True, False], ids=["open", "closed"])
def test_no_button_is_cut_in_large_text(
    faulty_stage: EditorStage, theme: Theme, width: int, is_open: bool
) -> None:
    if not is_open:
        faulty_stage.toggle_problems()
    theme.set_text_size(200)
    faulty_stage.window().resize(width, 700)
    settle()
    panel = faulty_stage.panels.problems
    results = [widget for widget in panel.findChildren(QPushButton) if widget.isVisible()]
    assert len(results) >= 3
    for entry in results:
        place = QRect(entry.mapTo(panel, QPoint()), entry.size())
        assert panel.rect().contains(place), entry.text()
        assert entry.width() >= entry.sizeHint().width(), entry.text()
