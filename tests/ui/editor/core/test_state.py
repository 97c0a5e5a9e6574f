"""The editor state: the selection after edits, and the clipboard."""

import json

import pytest
from PySide6.QtGui import QGuiApplication, QImage
from pytestqt.qtbot import QtBot

from batchwright.layout.editing.edits import MoveItems, Remove, SetAttributes
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.item_types.registry import DatasetField, FreeText
from batchwright.local.projects import Project
from batchwright.ui.editor.core import commands
from batchwright.ui.editor.core.keyboard_moves import Direction
from batchwright.ui.editor.core.state import EditorState
from tests.layout.builders import picture, sketch
from tests.ui.editor.conftest import StateFactory


def drawing(state: EditorState) -> str:
    return picture(state.layout)


def selected(state: EditorState) -> list[str]:
    return list(state.keys)


def test_the_first_page_is_shown_initially(state_factory: StateFactory) -> None:
    state = state_factory("a // b")
    assert (state.selection.page, state.page_index, state.keys) == ("pa", 0, ())


def test_an_added_item_is_selected(state_factory: StateFactory) -> None:
    state = state_factory("a / b")
    state.selection.select(("a",))
    commands.insert(state, commands.new_item(FreeText))
    (place,) = state.paths().values()
    assert place.indices == (0, 1, 0, 0)


def test_removing_an_item_selects_the_next_one(state_factory: StateFactory) -> None:
    state = state_factory("abc")
    state.selection.select(("b",))
    commands.remove(state)
    assert (drawing(state), state.keys) == ("ac", ("c",))
    commands.remove(state)
    assert state.keys == ("a",)


def test_after_undo_the_node_beside_the_removed_one_is_selected(state_factory: StateFactory) -> None:
    state = state_factory("a")
    state.selection.select(("a",))
    commands.duplicate(state)
    assert len(selected(state)) == 1
    assert selected(state) != ["a"]
    state.study.undo()
    assert selected(state) == ["a"]


def test_nothing_is_selected_in_another_study(state_factory: StateFactory) -> None:
    state = state_factory("a")
    state.reveal("a")
    state.study.open(Project("Other", sketch("b")), None)
    assert state.keys == ()


def test_undo_and_redo_show_the_page_that_they_change(state_factory: StateFactory) -> None:
    state = state_factory("a // b // c")
    state.selection.show_page("pb")
    commands.remove(state)
    state.study.set_page_name("pa", "Compare")
    state.selection.show_page("pc")
    state.study.undo()
    assert (state.page_name("pa"), state.selection.page) == ("", "pa")
    state.study.undo()
    assert (drawing(state), state.selection.page) == ("a // b // c", "pb")
    state.selection.show_page("pc")
    state.study.redo()
    assert (drawing(state), state.selection.page) == ("a // c", "pc")
    state.study.redo()
    assert state.selection.page == "pa"


def test_undo_keeps_a_page_in_view_that_it_changes(state_factory: StateFactory) -> None:
    state = state_factory("a / b // c")
    state.selection.select(("b",))
    commands.move(state, Direction.DOWN)
    assert state.selection.page == "pc"
    state.study.undo()
    assert (drawing(state), state.selection.page) == ("a / b // c", "pc")


def test_removing_a_page_shows_its_neighbour(state_factory: StateFactory) -> None:
    state = state_factory("a // b // c")
    state.selection.show_page("pb")
    commands.remove(state)
    assert (drawing(state), state.selection.page) == ("a // c", "pc")


def test_moving_an_item_to_another_page_shows_that_page(state_factory: StateFactory) -> None:
    state = state_factory("a / b // c")
    state.selection.select(("b",))
    commands.move(state, Direction.DOWN)
    assert (drawing(state), state.selection.page, state.keys) == ("a // b / c", "pc", ("b",))


def test_a_drop_on_a_thumbnail_keeps_the_current_page(state_factory: StateFactory) -> None:
    state = state_factory("a / b // c")
    state.apply(MoveItems(("b",), InsertionPoint("pc", 1)), follows=False)
    assert (drawing(state), state.selection.page) == ("a // c / b", "pa")


def test_cut_and_paste_moves_nodes_with_their_keys(state_factory: StateFactory) -> None:
    state = state_factory("a / b / c")
    state.selection.select(("a",))
    commands.cut(state)
    state.selection.select(("c",))
    commands.paste(state)
    assert drawing(state) == "b / ca"


def test_copy_and_paste_between_studies(state_factory: StateFactory) -> None:
    one, other = state_factory("ab"), state_factory("x")
    one.selection.select(("a", "b"))
    one.copy()
    other.selection.select(("x",))
    commands.paste(other)
    assert drawing(other) == "xab"
    assert len(other.keys) == 2


def test_a_page_is_pasted_after_the_page_in_view(state_factory: StateFactory) -> None:
    state = state_factory("a // b")
    state.copy()
    commands.paste(state)
    assert drawing(state) == "a // a // b"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello", "The clipboard contains text."),
        (" ", "The clipboard is empty."),
        ('[{"type": "free_text",]', "Line 1, column 23"),
        ('{"name": "x"}', "no pages, rows, columns or items"),
    ],
)
def test_a_clipboard_without_a_layout_is_rejected_with_a_message(
    qtbot: QtBot, state_factory: StateFactory, text: str, message: str
) -> None:
    state = state_factory("a")
    QGuiApplication.clipboard().setText(text)
    with qtbot.waitSignal(state.edit_rejected) as messages:
        commands.paste(state)
    assert messages.args is not None
    assert message in str(messages.args[0])
    assert drawing(state) == "a"


def test_a_picture_on_the_clipboard_is_rejected_with_a_reason(
    qtbot: QtBot, state_factory: StateFactory
) -> None:
    state = state_factory("a")
    QGuiApplication.clipboard().setImage(QImage(2, 2, QImage.Format.Format_RGB32))
    with qtbot.waitSignal(state.edit_rejected) as messages:
        commands.paste(state)
    assert messages.args is not None
    assert "https address" in str(messages.args[0])


@pytest.mark.parametrize("level", ["a", "ca", "ra", "pa"])
def test_pasting_cut_nodes_restores_their_keys(state_factory: StateFactory, level: str) -> None:
    state = state_factory("a|b / c // d")
    state.reveal(level)
    commands.cut(state)
    assert level not in {node.key for node in state.layout.walk_all()}
    commands.paste(state)
    assert level in {node.key for node in state.layout.walk_all()}
    commands.paste(state)
    keys = [node.key for node in state.layout.walk_all()]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize(
    ("level", "after"),
    [("a", "xa"), ("ca", "x|a"), ("ra", "x / a|b"), ("pa", "x // a|b / c")],
)
def test_nodes_of_every_level_can_be_dragged_between_studies(
    state_factory: StateFactory, level: str, after: str
) -> None:
    one, other = state_factory("a|b / c // d"), state_factory("x")
    one.reveal(level)
    one.copy()
    other.selection.select(("x",))
    commands.paste(other)
    assert drawing(other) == after


def test_copied_nodes_are_batch_items_json_without_ids(state_factory: StateFactory) -> None:
    state = state_factory("a")
    state.apply(SetAttributes("a", {"id": "given by a service"}))
    state.copy()
    (page,) = json.loads(QGuiApplication.clipboard().text())
    assert page == {"rows": [{"columns": [{"items": [{"type": "free_text", "description": "a"}]}]}]}


def test_a_rejected_edit_changes_nothing_and_gives_the_reason(
    qtbot: QtBot, state_factory: StateFactory
) -> None:
    state = state_factory("a")
    with qtbot.waitSignal(state.edit_rejected):
        assert not state.apply(Remove(("nowhere",)))
    assert drawing(state) == "a"


def test_only_nodes_of_one_level_are_selected_together(state_factory: StateFactory) -> None:
    state = state_factory("ab / c")
    state.reveal("a")
    state.toggle_selected("c")
    assert selected(state) == ["a", "c"]
    state.toggle_selected("rc")
    assert selected(state) == ["rc"]


def test_escape_selects_the_parent_node(state_factory: StateFactory) -> None:
    state = state_factory("a|b / c")
    state.reveal("a")
    emitted_keys = []
    for _ in range(4):
        emitted_keys.append(state.keys)
        commands.select_parent(state)
    assert emitted_keys == [("a",), ("ca",), ("ra",), ()]
    state.reveal("c")
    commands.select_parent(state)
    assert state.keys == ("rc",)


def test_next_problem_goes_through_errors_first_and_wraps_around(state_factory: StateFactory) -> None:
    state = state_factory("a")
    commands.insert(state, commands.new_item(FreeText))
    commands.insert(state, commands.new_item(DatasetField, "nowhere"))
    state.study.show_unfilled_as_errors()
    assert state.error_count() == 2
    emitted = []
    for _ in range(3):
        state.go_to_next_problem()
        emitted.append(state.keys)
    assert emitted[0] != emitted[1]
    assert emitted[0] == emitted[2]


def test_columns_split_and_merge(state_factory: StateFactory) -> None:
    state = state_factory("ab")
    state.reveal("b")
    commands.split_row(state)
    assert drawing(state) == "a|b"
    commands.merge_columns(state)
    assert drawing(state) == "ab"


def test_pages_split_and_merge(state_factory: StateFactory) -> None:
    state = state_factory("a / b")
    state.reveal("b")
    commands.split_page(state)
    assert drawing(state) == "a // b"
    state.selection.show_page(state.layout.pages[0].key)
    commands.merge_with_next_page(state)
    assert drawing(state) == "a / b"


def test_field_usage_is_counted_by_page(state_factory: StateFactory) -> None:
    state = state_factory("a // b")
    commands.insert(state, commands.new_item(DatasetField, "prompt"))
    state.selection.show_page("pb")
    commands.insert(state, commands.new_item(DatasetField, "prompt"))
    assert state.pages_by_field() == {"prompt": (0, 1)}
