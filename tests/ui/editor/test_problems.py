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
def wrong(stage: EditorStage) -> EditorStage:
    """The study `ab / c|d // e` where b, d and e have an attribute that is of the wrong kind."""
    for key in ("b", "d", "e"):
        stage.model.do(SetAttributes(key, {"helper_text": 7}))
    stage.toggle_problems()
    settle()
    return stage


def rows(stage: EditorStage) -> ProblemsList:
    (shown,) = stage.panels.problems.findChildren(ProblemsList)
    return shown


def button(stage: EditorStage, start: str) -> QPushButton:
    buttons = stage.panels.problems.findChildren(QPushButton)
    return next(one for one in buttons if one.text().startswith(start))


def test_arrows_lead_to_places_while_the_keyboard_stays(wrong: EditorStage) -> None:
    rows(wrong).setFocus()
    for key, expected, page in (
        (Qt.Key.Key_Down, "d", "pa"),
        (Qt.Key.Key_Down, "e", "pe"),
        (Qt.Key.Key_Home, "b", "pa"),
    ):
        QTest.keyClick(focused(), key)
        settle()
        assert (selected(wrong), wrong.selection.page) == ([expected], page)
        assert focused() is rows(wrong)


def test_enter_leads_to_the_place_with_the_keyboard(wrong: EditorStage) -> None:
    rows(wrong).setFocus()
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    settle()
    assert focused() is wrong.panels.canvas.page_canvas.card("b")


def test_a_click_on_the_mend_mends_and_anywhere_else_leads_there(wrong: EditorStage) -> None:
    shown = rows(wrong)
    second = shown.visualRect(shown.problems_model.index(1, 0))
    QTest.mouseClick(shown.viewport(), LEFT, NONE, second.center())
    settle()
    assert selected(wrong) == ["d"]
    fix = shown.problems_model.problems[1].fix
    assert fix is not None
    QTest.mouseClick(shown.viewport(), LEFT, NONE, fix_button_rect(second, fix.label).center())
    settle()
    assert len(wrong.model.study.problems) == 2


def test_all_of_a_kind_are_mended_in_one_step(wrong: EditorStage) -> None:
    before = wrong.model.layout
    rows(wrong).setFocus()
    QTest.keyClick(focused(), Qt.Key.Key_Down)
    settle()
    code = rows(wrong).problems_model.problems[0].code
    QTest.mouseClick(button(wrong, f"Fix all 3 of {code}"), LEFT)
    settle()
    assert not wrong.model.study.problems
    wrong.model.study.undo()
    assert wrong.model.layout == before


def test_one_of_a_kind_is_not_offered_as_all(wrong: EditorStage) -> None:
    rows(wrong).setFocus()
    for _ in range(2):
        wrong.model.fix(wrong.model.study.problems[0])
        settle()
    buttons = wrong.panels.problems.findChildren(QPushButton)
    assert [each.text() for each in buttons if each.isVisible() and "Fix all" in each.text()] == ["Fix all"]


def test_fix_all_is_there_as_long_as_a_problem_has_a_fix(wrong: EditorStage) -> None:
    for _ in range(2):
        wrong.model.fix(wrong.model.study.problems[0])
        settle()
    fix_all = button(wrong, "Fix all")
    assert (fix_all.isVisible(), fix_all.isEnabled()) == (True, True)
    QTest.mouseClick(fix_all, LEFT)
    settle()
    assert not wrong.model.study.problems
    assert not fix_all.isVisible()


def test_fix_all_says_why_it_would_remove_nothing(wrong: EditorStage) -> None:
    wrong.model.fix_all()
    commands.add_page(wrong.model)
    wrong.model.study.show_unfilled_as_errors()
    settle()
    fix_all = button(wrong, "Fix all")
    assert (fix_all.isVisible(), fix_all.isEnabled()) == (True, False)
    assert "removes nothing" in fix_all.toolTip()


def test_keys_mend_what_is_chosen_and_all_like_it(wrong: EditorStage) -> None:
    rows(wrong).setFocus()
    QTest.keyClick(focused(), Qt.Key.Key_Down)
    settle()
    QTest.keyClick(focused(), Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
    settle()
    assert [problem.path.page for problem in wrong.model.study.problems] == [0, 1]
    assert rows(wrong).currentIndex().row() >= 0
    QTest.keyClick(focused(), Qt.Key.Key_F8, Qt.KeyboardModifier.ControlModifier)
    settle()
    assert not wrong.model.study.problems


def test_the_ring_of_a_place_led_to_glows_once(qtbot: QtBot, wrong: EditorStage, moving: None) -> None:
    glow = wrong.panels.canvas.page_canvas.highlight
    wrong.model.go_to_next_problem()
    qtbot.waitUntil(glow.isVisible)
    assert glow.target is wrong.panels.canvas.page_canvas.card("b")
    qtbot.waitUntil(lambda: not glow.isVisible())


def test_the_ring_ends_with_what_it_glows_around(qtbot: QtBot, wrong: EditorStage, moving: None) -> None:
    glow = wrong.panels.canvas.page_canvas.highlight
    wrong.model.go_to_next_problem()
    qtbot.waitUntil(glow.isVisible)
    commands.remove(wrong.model)
    settle()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    qtbot.waitUntil(lambda: not glow.isVisible())
    assert glow.target is None


def test_what_is_removed_before_it_is_scrolled_to_is_not(wrong: EditorStage) -> None:
    canvas = wrong.panels.canvas
    wrong.model.reveal("b")
    settle()
    canvas.scroll_to("b")
    commands.remove(wrong.model)
    wrong._refresh()
    settle()
    assert canvas.page_canvas.card("b") is None


def test_nothing_glows_where_motion_is_reduced_or_a_card_was_only_chosen(
    wrong: EditorStage, theme: Theme
) -> None:
    wrong.model.go_to_next_problem()
    settle()
    assert not wrong.panels.canvas.page_canvas.highlight.isVisible()
    theme.set_animations_enabled(True)
    wrong.model.reveal("a")
    settle()
    assert not wrong.panels.canvas.page_canvas.highlight.isVisible()
    theme.set_animations_enabled(False)


def test_a_problem_low_on_a_long_page_is_scrolled_into_view_with_its_foot(
    stage: EditorStage,
) -> None:
    stage.model.study.open(Project("Long", layout=sketch(" / ".join("abcdefghijklmnop"))), None)
    stage.model.do(SetAttributes("p", {"helper_text": 7}))
    settle()
    stage.model.go_to_next_problem()
    settle()
    card = stage.panels.canvas.page_canvas.card("p")
    assert card is not None
    seen = card.visibleRegion().boundingRect()
    assert seen.contains(card.rect())


def test_f1_is_about_the_problem_that_has_the_keyboard_or_is_selected(wrong: EditorStage) -> None:
    shell = wrong._context.shell
    commands.insert(wrong.model, commands.new_item(FreeText))
    settle()
    problems = wrong.model.study.problems
    other = next(one for one in problems if one.code != problems[0].code)
    wrong.model.go_to_problem(problems[0])
    settle()
    assert shell.current_rule() == problems[0].code
    rows(wrong).setFocus()
    rows(wrong).show_current(other)
    assert shell.current_rule() == other.code
    wrong.panels.canvas.setFocus()
    wrong.model.reveal("a")
    settle()
    assert shell.current_rule() == ""
    wrong.model.go_to_problem(problems[0])
    shell.set_stage("home")
    assert shell.current_rule() == ""


@pytest.mark.parametrize("width", [1440, 1024, 800])
@pytest.mark.parametrize("is_open", [True, False], ids=["open", "closed"])
def test_no_button_is_cut_in_large_text(wrong: EditorStage, theme: Theme, width: int, is_open: bool) -> None:
    if not is_open:
        wrong.toggle_problems()
    theme.set_text_size(200)
    wrong.window().resize(width, 700)
    settle()
    panel = wrong.panels.problems
    seen = [one for one in panel.findChildren(QPushButton) if one.isVisible()]
    assert len(seen) >= 3
    for one in seen:
        place = QRect(one.mapTo(panel, QPoint()), one.size())
        assert panel.rect().contains(place), one.text()
        assert one.width() >= one.sizeHint().width(), one.text()
