"""What follows an edit, undo, a drop or a jump does not grow with the number of pages."""

from collections.abc import Callable, Mapping

import pytest
from PySide6.QtWidgets import QApplication

from batchwright.base.json_values import Json
from batchwright.layout.editing.edits import MoveRows, SetAttributes
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.serialization import read, sequential_keys
from batchwright.local.projects import Project
from batchwright.ui.editor.stage import EditorStage
from tests.call_counts import count_calls
from tests.ui.editor.conftest import SCHEMA

pytestmark = pytest.mark.gui

FEW, MANY = 20, 400

PAGE: Json = {
    "rows": [
        {"columns": [{"items": [{"type": "dataset_field", "field": "prompt"}]}]},
        {"columns": [{"items": [{"type": "free_text", "description": "Why?"}]}]},
    ]
}


def calls_after_actions(stage: EditorStage, pages: int) -> Mapping[str, int]:
    """The number of function calls of each action with the refresh that follows, with this many pages."""
    state = stage.state
    state.study.open(Project("Study", layout=read([PAGE] * pages, sequential_keys()), schema=SCHEMA), None)
    question = [item.key for _path, item in state.layout.walk()][1]

    def edit(number: int) -> None:
        state.apply(SetAttributes(question, {"description": f"Why {number}?"}))

    def drop(_number: int) -> None:
        page = state.layout.pages[0]
        state.apply(MoveRows((page.children[0].key,), InsertionPoint(page.key, len(page.children))))

    def undo_or_redo(number: int) -> None:
        state.study.redo() if number % 2 else state.study.undo()

    def jump(number: int) -> None:
        state.selection.show_page(state.layout.pages[number * 5].key)

    actions = {"edit": edit, "drop": drop, "undo": undo_or_redo, "jump": jump}
    return {name: least_calls(stage, act) for name, act in actions.items()}


def least_calls(stage: EditorStage, act: Callable[[int], object]) -> int:
    """The function calls of one of several actions, whichever has the fewest."""

    def act_and_refresh(number: int) -> None:
        act(number)
        stage.panels.refresh()

    counts = []
    for number in range(4):
        counts.append(count_calls(lambda n=number: act_and_refresh(n)))  # type: ignore[misc]  # bound at once
        QApplication.processEvents()
    return min(counts)


def test_actions_do_not_take_more_calls_with_more_pages(stage: EditorStage) -> None:
    few, many = calls_after_actions(stage, FEW), calls_after_actions(stage, MANY)
    more = {name: many[name] - few[name] for name in few}
    assert max(more.values()) < (MANY - FEW) / 4, more
