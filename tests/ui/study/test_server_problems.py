"""Problems reported by the service stay with their item until it changes."""

import pytest

from batchwright.layout.editing.edits import MovePages, SetAttributes
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.nodes import NodePath
from batchwright.layout.rules import Problem, RejectionStatus, Severity
from batchwright.layout.serialization import read, sequential_keys
from batchwright.local.projects import Project
from batchwright.ui.study.study_model import Study

pytestmark = pytest.mark.gui

TEXT = {"type": "rich_text", "content": "Hello", "content_format": "html"}
PAGE = {"rows": [{"columns": [{"items": [TEXT]}]}]}
ITEM_PATH = NodePath(1, 0, 0, 0)
SERVER_PROBLEM = Problem(
    "422", ITEM_PATH, Severity.ERROR, RejectionStatus.ITEM, "This cannot be.", item_type="rich_text"
)


@pytest.fixture
def study() -> Study:
    study = Study()
    study.open(Project("Cats", read([PAGE, PAGE], sequential_keys())), None)
    study.show_server_problems([SERVER_PROBLEM])
    return study


def refused(study: Study) -> list[NodePath]:
    return [problem.path for problem in study.problems if problem.code == "422"]


def test_a_rejection_is_a_problem_of_the_study(study: Study) -> None:
    assert refused(study) == [ITEM_PATH]


def test_a_server_problem_moves_with_its_item(study: Study) -> None:
    study.apply(MovePages((study.layout.pages[1].key,), InsertionPoint(None, 0)))
    assert refused(study) == [NodePath(0, 0, 0, 0)]


def test_a_server_problem_is_hidden_while_its_item_is_changed(study: Study) -> None:
    study.apply(SetAttributes(study.layout.at(ITEM_PATH).key, {"content": "Hello again"}))
    assert refused(study) == []
    study.undo()
    assert refused(study) == [ITEM_PATH]


def test_a_problem_of_an_unknown_path_is_ignored(study: Study) -> None:
    moved_away = Problem("422", NodePath(7, 0, 0, 0), Severity.ERROR, RejectionStatus.ITEM, "Nowhere.")
    study.show_server_problems([moved_away])
    assert refused(study) == []


def test_opening_another_study_clears_the_server_problems(study: Study) -> None:
    study.open(Project("Dogs", study.layout), None)
    assert refused(study) == []
