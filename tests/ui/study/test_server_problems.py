"""What a service refused stays with its item until that is changed."""

import pytest

from batchwright.layout.edits import MovePages, SetAttributes
from batchwright.layout.nodes import NodePath
from batchwright.layout.rules import Problem, RejectionStatus, Severity
from batchwright.layout.serialization import read, sequential_keys
from batchwright.layout.tree_edits import InsertionPoint
from batchwright.local.projects import Project
from batchwright.ui.study.study_model import Study

pytestmark = pytest.mark.gui

TEXT = {"type": "rich_text", "content": "Hello", "content_format": "html"}
PAGE = {"rows": [{"columns": [{"items": [TEXT]}]}]}
HERE = NodePath(1, 0, 0, 0)
SAID = Problem("422", HERE, Severity.ERROR, RejectionStatus.ITEM, "This cannot be.", item_type="rich_text")


@pytest.fixture
def study() -> Study:
    study = Study()
    study.open(Project("Cats", read([PAGE, PAGE], sequential_keys())), None)
    study.show_server_problems([SAID])
    return study


def refused(study: Study) -> list[NodePath]:
    return [problem.path for problem in study.problems if problem.code == "422"]


def test_a_refusal_is_a_problem_of_the_study(study: Study) -> None:
    assert refused(study) == [HERE]


def test_it_goes_along_when_the_item_is_moved(study: Study) -> None:
    study.apply(MovePages((study.layout.pages[1].key,), InsertionPoint(None, 0)))
    assert refused(study) == [NodePath(0, 0, 0, 0)]


def test_it_goes_when_the_item_is_changed_and_comes_back_with_undo(study: Study) -> None:
    study.apply(SetAttributes(study.layout.at(HERE).key, {"content": "Hello again"}))
    assert refused(study) == []
    study.undo()
    assert refused(study) == [HERE]


def test_a_place_that_is_not_there_is_left_out(study: Study) -> None:
    moved_away = Problem("422", NodePath(7, 0, 0, 0), Severity.ERROR, RejectionStatus.ITEM, "Nowhere.")
    study.show_server_problems([moved_away])
    assert refused(study) == []


def test_another_study_has_none_of_them(study: Study) -> None:
    study.open(Project("Dogs", study.layout), None)
    assert refused(study) == []
