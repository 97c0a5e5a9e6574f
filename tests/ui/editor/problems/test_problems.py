"""The problems panel: going to problems, and fixing one or all of a rule."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.item_types.registry import FreeText
from batchwright.layout.nodes import NodePath
from batchwright.layout.rules.problems import Problem
from batchwright.local.projects import Project
from batchwright.ui.editor.core import commands
from batchwright.ui.editor.problems.problems_panel import ProblemsPanel
from batchwright.ui.editor.stage import EditorStage
from batchwright.ui.theme import Theme
from batchwright.ui.widgets.rows.row_list import RowList
from tests.layout.builders import sketch
from tests.ui.conftest import focused
from tests.ui.editor.conftest import selected, settle
from tests.ui.editor.interaction import LEFT, NONE

pytestmark = pytest.mark.gui


@pytest.fixture
def invalid_stage(stage: EditorStage) -> EditorStage:
    """The stage of the study `ab / c|d // e` where an attribute of b, d and e has the wrong type."""
    for key in ("b", "d", "e"):
        stage.state.apply(SetAttributes(key, {"helper_text": 7}))
    stage.toggle_problems()
    settle()
    return stage


def list_in(panel: ProblemsPanel) -> RowList[Problem]:
    (shown,) = panel.findChildren(RowList)
    return shown


def rows(stage: EditorStage) -> RowList[Problem]:
    return list_in(stage.panels.problems)


def button(stage: EditorStage, start: str) -> QPushButton:
    buttons = stage.panels.problems.findChildren(QPushButton)
    return next(widget for widget in buttons if widget.text().startswith(start))


def test_arrow_keys_reveal_nodes_and_keep_the_focus_in_the_list(invalid_stage: EditorStage) -> None:
    rows(invalid_stage).setFocus()
    for key, expected, page in (
        (Qt.Key.Key_Down, "d", "pa"),
        (Qt.Key.Key_Down, "e", "pe"),
        (Qt.Key.Key_Home, "b", "pa"),
    ):
        QTest.keyClick(focused(), key)
        settle()
        assert (selected(invalid_stage), invalid_stage.selection.page) == ([expected], page)
        assert focused() is rows(invalid_stage)


def test_the_current_one_of_thousands_of_problems_is_in_view(
    qtbot: QtBot, invalid_stage: EditorStage
) -> None:
    panel, first = ProblemsPanel(), invalid_stage.state.study.problems[0]
    shown = list_in(panel)
    qtbot.addWidget(panel)
    problems = tuple(replace(first, path=NodePath(number)) for number in range(5000))
    panel.show_problems(problems, lambda path: path)
    panel.toggle()
    panel.resize(600, 200)
    panel.show()
    panel.show_current(problems[-1])
    last = shown.model().index(len(problems) - 1, 0)

    def is_in_view() -> bool:
        return bool(shown.visualRect(last)) and shown.viewport().rect().contains(shown.visualRect(last))

    qtbot.waitUntil(is_in_view, timeout=30_000)


def test_only_the_problems_of_the_page_in_view_or_of_the_selection_are_collected(
    invalid_stage: EditorStage,
) -> None:
    state = invalid_stage.state
    by_key = state.problems_by_key()
    assert set(by_key) == {"b", "d", "e"}
    state.reveal("d")
    assert state.problems_in_view() == {key: by_key[key] for key in ("b", "d")}
    assert state.problems_of_targets() == list(by_key["d"])
    state.selection.show_page("pe")
    assert state.problems_in_view() == {"e": by_key["e"]}
    assert state.problems_of_targets() == []


def test_enter_focuses_the_node_of_a_problem(invalid_stage: EditorStage) -> None:
    rows(invalid_stage).setFocus()
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    settle()
    assert focused() is invalid_stage.panels.canvas.page_canvas.card_of("b")


def test_a_click_on_the_fix_applies_it_and_elsewhere_reveals_the_node(invalid_stage: EditorStage) -> None:
    shown = rows(invalid_stage)
    QTest.mouseClick(shown.viewport(), LEFT, NONE, shown.area(1).box.center())
    settle()
    assert selected(invalid_stage) == ["d"]
    QTest.mouseClick(shown.viewport(), LEFT, NONE, shown.area(1).button.center())
    settle()
    assert len(invalid_stage.state.study.problems) == 2


def test_all_problems_of_a_rule_are_fixed_in_one_step(invalid_stage: EditorStage) -> None:
    before = invalid_stage.state.layout
    rows(invalid_stage).setFocus()
    QTest.keyClick(focused(), Qt.Key.Key_Down)
    settle()
    code = rows(invalid_stage).entries[0].code
    QTest.mouseClick(button(invalid_stage, f"Fix all 3 of {code}"), LEFT)
    settle()
    assert not invalid_stage.state.study.problems
    invalid_stage.state.study.undo()
    assert invalid_stage.state.layout == before


def test_fix_all_of_a_rule_is_not_offered_for_a_single_problem(invalid_stage: EditorStage) -> None:
    rows(invalid_stage).setFocus()
    for _ in range(2):
        invalid_stage.state.fix(invalid_stage.state.study.problems[0])
        settle()
    buttons = invalid_stage.panels.problems.findChildren(QPushButton)
    assert [button.text() for button in buttons if button.isVisible() and "Fix all" in button.text()] == [
        "Fix all"
    ]


def test_fix_all_is_shown_while_a_problem_has_a_fix(invalid_stage: EditorStage) -> None:
    for _ in range(2):
        invalid_stage.state.fix(invalid_stage.state.study.problems[0])
        settle()
    fix_all = button(invalid_stage, "Fix all")
    assert (fix_all.isVisible(), fix_all.isEnabled()) == (True, True)
    QTest.mouseClick(fix_all, LEFT)
    settle()
    assert not invalid_stage.state.study.problems
    assert not fix_all.isVisible()


def test_fix_all_says_why_it_would_remove_nothing(invalid_stage: EditorStage) -> None:
    invalid_stage.state.fix_all()
    commands.add_page(invalid_stage.state)
    invalid_stage.state.study.show_unfilled_as_errors()
    settle()
    fix_all = button(invalid_stage, "Fix all")
    assert (fix_all.isVisible(), fix_all.isEnabled()) == (True, False)
    assert "removes nothing" in fix_all.toolTip()


def test_shortcuts_fix_the_current_problem_and_all_of_its_rule(invalid_stage: EditorStage) -> None:
    rows(invalid_stage).setFocus()
    QTest.keyClick(focused(), Qt.Key.Key_Down)
    settle()
    QTest.keyClick(focused(), Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
    settle()
    assert [problem.path.page for problem in invalid_stage.state.study.problems] == [0, 1]
    assert rows(invalid_stage).currentIndex().row() >= 0
    QTest.keyClick(focused(), Qt.Key.Key_F8, Qt.KeyboardModifier.ControlModifier)
    settle()
    assert not invalid_stage.state.study.problems


def test_the_ring_of_a_revealed_node_is_highlighted_once(
    qtbot: QtBot, invalid_stage: EditorStage, moving: None
) -> None:
    glow = invalid_stage.panels.canvas.page_canvas.highlight
    invalid_stage.state.go_to_next_problem()
    qtbot.waitUntil(glow.isVisible)
    assert glow.target is invalid_stage.panels.canvas.page_canvas.card_of("b")
    qtbot.waitUntil(lambda: not glow.isVisible())


def test_the_highlight_ends_with_its_widget(qtbot: QtBot, invalid_stage: EditorStage, moving: None) -> None:
    glow = invalid_stage.panels.canvas.page_canvas.highlight
    invalid_stage.state.go_to_next_problem()
    qtbot.waitUntil(glow.isVisible)
    commands.remove(invalid_stage.state)
    settle()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    qtbot.waitUntil(lambda: not glow.isVisible())
    assert glow.target is None


def test_a_node_removed_before_scrolling_is_ignored(invalid_stage: EditorStage) -> None:
    canvas = invalid_stage.panels.canvas
    invalid_stage.state.reveal("b")
    settle()
    canvas.scroll_to("b")
    commands.remove(invalid_stage.state)
    invalid_stage._refresh()
    settle()
    assert canvas.page_canvas.card_of("b") is None


def test_with_reduced_motion_or_a_plain_selection_nothing_is_highlighted(
    invalid_stage: EditorStage, theme: Theme
) -> None:
    invalid_stage.state.go_to_next_problem()
    settle()
    assert not invalid_stage.panels.canvas.page_canvas.highlight.isVisible()
    theme.set_animations_enabled(True)
    invalid_stage.state.reveal("a")
    settle()
    assert not invalid_stage.panels.canvas.page_canvas.highlight.isVisible()
    theme.set_animations_enabled(False)


def test_a_problem_low_on_a_long_page_is_scrolled_into_view_with_its_footer(
    stage: EditorStage,
) -> None:
    stage.state.study.open(Project("Long", layout=sketch(" / ".join("abcdefghijklmnop"))), None)
    stage.state.apply(SetAttributes("p", {"helper_text": 7}))
    settle()
    stage.state.go_to_next_problem()
    settle()
    card = stage.panels.canvas.page_canvas.card_of("p")
    assert card is not None
    result = card.visibleRegion().boundingRect()
    assert result.contains(card.rect())


def test_f1_opens_the_rule_of_the_focused_or_selected_problem(invalid_stage: EditorStage) -> None:
    shell = invalid_stage.context.shell
    commands.insert(invalid_stage.state, commands.new_item(FreeText))
    settle()
    problems = invalid_stage.state.study.problems
    other = next(problem for problem in problems if problem.code != problems[0].code)
    invalid_stage.state.go_to_problem(problems[0])
    settle()
    assert shell.current_rule() == problems[0].code
    rows(invalid_stage).setFocus()
    invalid_stage.panels.problems.show_current(other)
    assert shell.current_rule() == other.code
    invalid_stage.panels.canvas.setFocus()
    invalid_stage.state.reveal("a")
    settle()
    assert shell.current_rule() == ""
    invalid_stage.state.go_to_problem(problems[0])
    shell.set_stage("home")
    assert shell.current_rule() == ""


@pytest.mark.parametrize("width", [1440, 1024, 800])
@pytest.mark.parametrize("is_open", [True, False], ids=["open", "closed"])
def test_no_button_is_cut_off_in_large_text(
    invalid_stage: EditorStage, theme: Theme, width: int, is_open: bool
) -> None:
    if not is_open:
        invalid_stage.toggle_problems()
    theme.set_text_size(200)
    invalid_stage.window().resize(width, 700)
    settle()
    panel = invalid_stage.panels.problems
    results = [widget for widget in panel.findChildren(QPushButton) if widget.isVisible()]
    assert len(results) >= 3
    for entry in results:
        place = QRect(entry.mapTo(panel, QPoint()), entry.size())
        assert panel.rect().contains(place), entry.text()
        assert entry.width() >= entry.sizeHint().width(), entry.text()
