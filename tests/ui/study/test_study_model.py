"""The study of a window: its changes, signals and file."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from batchwright.layout.checking.validator import LayoutChecker
from batchwright.layout.editing.edits import AddPage, Remove, SetAttributes
from batchwright.layout.editing.selection import EditRejected
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.model import Page
from batchwright.layout.serialization import random_keys, read
from batchwright.local.connections import THIS_COMPUTER
from batchwright.local.projects import Project, RemoteBinding
from batchwright.local.study_files.project_parser import read_project
from batchwright.local.study_files.study_file import StudyFile
from batchwright.schema.parsing import read_schema
from batchwright.ui.study.checks import checker_for
from batchwright.ui.study.file.save import load_study
from batchwright.ui.study.study_model import Study
from batchwright.wire.batches import TaskDetails

pytestmark = pytest.mark.gui

PAGES = [{"rows": [{"columns": [{"items": [{"type": "dataset_field", "field": "answer"}]}]}]}]
PAGE = read(PAGES, random_keys()).pages


@pytest.fixture
def study() -> Study:
    study = Study()
    study.open(Project("Study", read(PAGES, random_keys())), None)
    return study


def recorded_signals(study: Study) -> list[str]:
    signals: list[str] = []
    for name in ("layout", "schema", "data", "details", "remote", "problems", "saved"):
        getattr(study, f"{name}_changed").connect(lambda name=name: signals.append(name))
    study.changed.connect(lambda: signals.append("changed"))
    return signals


def test_an_edit_can_be_undone_and_redone(study: Study) -> None:
    before = study.layout
    study.apply(AddPage(PAGE, InsertionPoint(None, 0)))
    after = study.layout
    study.undo()
    assert study.layout == before
    study.redo()
    assert study.layout == after
    assert study.project.layout == after


@pytest.mark.parametrize("changes_schema", [False, True])
def test_a_prepared_content_is_not_checked_again(
    study: Study, monkeypatch: pytest.MonkeyPatch, changes_schema: bool
) -> None:
    page, schema = study.layout.pages[0], read_schema({"fields": {"title": {"type": "text"}}})
    layout = study.layout.with_children([page.with_children([*page.children] * 2)])
    content = replace(study.content, layout=layout, schema=schema if changes_schema else None)
    study.prepare(content)
    checked: list[object] = []
    monkeypatch.setattr(LayoutChecker, "_checked", lambda _checker, page: checked.append(page))
    study.restore(content, "Restore")
    assert study.layout is layout
    assert not checked
    monkeypatch.undo()
    assert list(study.problems) == checker_for(study.project).check(layout)


def test_all_problems_of_a_rule_are_fixed_in_one_step(study: Study) -> None:
    study.apply(SetAttributes(study.layout.pages[0].key, {"order": 1}))
    (page,) = PAGE
    assert isinstance(page, Page)
    study.apply(AddPage((page.with_attributes(order=2),), InsertionPoint(None, 0)))
    before = study.layout
    study.apply(study.fix_all_of_kind_edit("LY60"))
    assert "LY60" not in {problem.code for problem in study.problems}
    assert study.history.undo_label == "Fix all of a kind"
    study.undo()
    assert study.layout is before


def test_a_rejected_edit_changes_nothing(study: Study) -> None:
    signals = recorded_signals(study)
    with pytest.raises(EditRejected):
        study.apply(Remove(("nothing",)))
    assert signals == []


def test_setting_an_equal_value_emits_no_signal(study: Study) -> None:
    signals = recorded_signals(study)
    study.set_schema(None)
    study.set_name("Study")
    study.set_remote("Lab", RemoteBinding("w"))
    study.set_remote("Lab", RemoteBinding("w"))
    assert signals == ["remote", "changed"]


def test_problems_follow_the_schema(study: Study) -> None:
    signals = recorded_signals(study)
    study.set_schema(read_schema({"strict": True, "fields": {"other": {"type": "text"}}}))
    assert [problem.field for problem in study.problems if problem.rejection] == ["answer"]
    assert signals == ["schema", "problems", "changed"]


def test_problems_depend_on_the_dataset_of_the_current_connection(study: Study) -> None:
    study.set_schema(read_schema({"strict": True, "fields": {"answer": {"type": "text"}}}))
    study.set_remote(
        THIS_COMPUTER.name, RemoteBinding("w", dataset_id="v3", is_filled=True, lacks_schema=True)
    )
    (problem,) = [problem for problem in study.problems if problem.rejection]
    assert (problem.code, problem.field) == ("LY16", "answer")
    study.set_connection("Lab")
    assert not [problem for problem in study.problems if problem.rejection]
    study.set_remote("Lab", RemoteBinding("w", dataset_id="v4"))
    study.set_lacks_schema("Lab", lacks_schema=True)
    assert [problem.code for problem in study.problems if problem.rejection] == ["LY16"]
    study.set_lacks_schema("Lab", lacks_schema=False)
    assert not [problem for problem in study.problems if problem.rejection]


async def test_a_study_opens_with_the_problems_of_a_dataset_without_schema(
    study: Study, tmp_path: Path
) -> None:
    path = tmp_path / "v3.batchwright"
    study.set_remote(
        THIS_COMPUTER.name, RemoteBinding("w", dataset_id="v3", is_filled=True, lacks_schema=True)
    )
    await study.save(StudyFile(path))
    read = await load_study(path)
    study.set_connection("Lab")
    study.open(read.project, read.file, checker=read.checker)
    assert not [problem for problem in study.problems if problem.rejection]
    study.set_connection(THIS_COMPUTER.name)
    assert [problem.code for problem in study.problems if problem.rejection] == ["LY16"]


async def test_undoing_back_to_the_saved_version_makes_the_study_saved(study: Study, tmp_path: Path) -> None:
    path = tmp_path / "a.batchwright"
    await study.save(StudyFile(path))
    assert (study.is_saved, study.path) == (True, path)
    assert read_project(path.read_bytes()).name == "Study"
    study.apply(AddPage(PAGE, InsertionPoint(None, 0)))
    assert not study.is_saved
    study.undo()
    assert study.is_saved


async def test_a_study_opened_while_another_is_saved_is_not_marked_as_saved(
    study: Study, tmp_path: Path
) -> None:
    saving = asyncio.create_task(study.save(StudyFile(tmp_path / "a.batchwright")))
    await asyncio.sleep(0)
    study.open(Project("Other"), None)
    await saving
    assert (study.project.name, study.path, study.is_saved) == ("Other", None, False)


def test_changing_details_names_and_counts_emits_the_details_signal(study: Study) -> None:
    key = study.layout.pages[0].key
    signals = recorded_signals(study)
    study.set_details(TaskDetails(task_name="n", task_introduction="", task_steps=""))
    study.set_page_name(key, " Compare ")
    study.set_tasks_per_group(3)
    assert signals == ["details", "changed"] * 3
    assert study.page_names == {key: "Compare"}
    study.set_page_name(key, "")
    assert study.page_names == {}


def test_a_closed_study_counts_as_saved(study: Study) -> None:
    study.close()
    assert (study.is_open, study.is_saved, study.problems) == (False, True, ())
