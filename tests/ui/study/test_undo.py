"""Everything that the user designs in a study has one undo history."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batchwright.data_files.conversion.column_edits import RenameColumn
from batchwright.data_files.conversion.conversion import Changes
from batchwright.data_files.formats import Format, FormatKind
from batchwright.layout.editing.edits import AddPage, Duplicate, Edit, MovePages, Remove, SetAttributes
from batchwright.layout.editing.selection import EditRejected
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.serialization import random_keys, read
from batchwright.local.projects import DataFile, LastSent, Project, RemoteBinding, StudyContent
from batchwright.schema.parsing import read_schema
from batchwright.ui.study.steps import RestoredStep
from batchwright.ui.study.study_model import Study
from batchwright.wire.batches import TaskDetails
from tests.layout.builders import sketch

pytestmark = pytest.mark.gui

SCHEMAS = [
    None,
    read_schema({"strict": False, "fields": {"a": {"type": "text"}}}),
    read_schema({"strict": True, "fields": {"a": {"type": "text", "label": "A"}}}),
]
PAGE = read([{"rows": []}], random_keys()).pages
DATA = DataFile(Path("a.csv"), 1, Format(FormatKind.CSV))


def details(text: str) -> TaskDetails:
    return TaskDetails(task_name=text, task_introduction="", task_steps="")


Setter = Callable[[Study], None]
texts = st.sampled_from(["", "a", "b"])
keys = st.sampled_from(["pa", "pc", "a", "c", "gone"])


def setters() -> st.SearchStrategy[Setter]:
    """Any change that a user can make to a study; a rejected edit changes nothing."""
    edits = st.one_of(
        st.builds(Remove, st.tuples(keys)),
        st.builds(Duplicate, st.tuples(keys)),
        st.builds(MovePages, st.tuples(keys), st.builds(InsertionPoint, st.none(), st.integers(0, 2))),
        st.builds(AddPage, st.just(PAGE), st.just(InsertionPoint(None, 0))),
        st.builds(lambda key, text: SetAttributes(key, {"description": text}), keys, texts),
    )
    merge_keys = st.sampled_from([None, "a", "b"])

    def applied(edit: Edit, merge_key: str | None) -> Setter:
        def apply(study: Study) -> None:
            with suppress(EditRejected):
                study.apply(edit, merge_key)

        return apply

    return st.one_of(
        st.builds(applied, edits, merge_keys),
        st.builds(lambda value: lambda study: study.set_name(value), texts),
        st.builds(lambda value: lambda study: study.set_details(details(value)), texts),
        st.builds(lambda value: lambda study: study.set_details(details(value), value), texts),
        st.builds(lambda value: lambda study: study.set_schema(value), st.sampled_from(SCHEMAS)),
        st.builds(lambda key, value: lambda study: study.set_page_name(key, value), keys, texts),
        st.builds(lambda value: lambda study: study.set_tasks_per_group(value), st.integers(1, 3)),
        st.just(lambda study: study.restore(replace(content("Old"), tasks_per_group=7), "Restore")),
        st.just(Study.close_step),
        # What is not undone may happen in between.
        st.builds(lambda value: lambda study: study.set_remote("Lab", RemoteBinding(value)), texts),
        st.just(lambda study: study.set_data(DATA)),
    )


def content(name: str) -> StudyContent:
    return Project(name, sketch("ab // c")).content


def open_study() -> Study:
    study = Study()
    study.open(Project("Study", sketch("ab // c")), None)
    return study


@settings(max_examples=150, deadline=None)
@given(st.lists(setters() | st.just(Study.undo) | st.just(Study.redo), max_size=12))
def test_any_sequence_of_changes_can_be_undone_and_redone(changes: list[Setter]) -> None:
    study = open_study()
    start = study.content
    for change in changes:
        change(study)
    while study.history.redo_label is not None:
        study.redo()
    contents = [study.content]
    project = study.project
    while study.history.undo_label is not None:
        study.undo()
        contents.append(study.content)
    assert study.content == start
    assert study.content.layout is start.layout
    for earlier in reversed(contents[:-1]):
        study.redo()
        assert study.content == earlier
        assert study.project.content == earlier
    assert study.project == project


@settings(max_examples=100, deadline=None)
@given(setters(), setters())
def test_every_change_is_one_labelled_step_or_none(first: Setter, second: Setter) -> None:
    study = open_study()
    first(study)
    study.close_step()
    before = study.content
    steps = len(study.history.past)
    second(study)
    assert len(study.history.past) == steps + (study.content != before)
    assert study.content == before or study.history.undo_label
    study.undo()
    assert study.content == before or steps == len(study.history.past) + 1


@pytest.mark.parametrize(
    ("change", "label", "attributes"),
    [
        (lambda study: study.set_name("New"), "Rename study", {"name"}),
        (lambda study: study.set_details(details("Judge")), "Change task details", {"details"}),
        (
            lambda study: study.set_details(details("Judge"), "New"),
            "Change task details",
            {"details", "name"},
        ),
        (lambda study: study.set_schema(SCHEMAS[1]), "Change schema", {"schema"}),
        (lambda study: study.set_page_name("pa", "Compare"), "Rename page", {"page_names"}),
        (lambda study: study.set_tasks_per_group(2), "Change tasks per group", {"tasks_per_group"}),
        (lambda study: study.apply(Remove(("a",))), Remove.label, {"layout"}),
    ],
)
def test_a_step_names_what_it_changes(change: Setter, label: str, attributes: set[str]) -> None:
    study = open_study()
    restored: list[RestoredStep] = []
    study.step_restored.connect(restored.append)
    change(study)
    assert study.history.undo_label == label
    study.undo()
    study.redo()
    assert [(step.label, step.is_undo, set(step.attributes)) for step in restored] == [
        (label, True, attributes),
        (label, False, attributes),
    ]


def test_nothing_to_undo_emits_nothing() -> None:
    study = open_study()
    restored: list[RestoredStep] = []
    study.step_restored.connect(restored.append)
    study.undo()
    study.redo()
    assert restored == []


def test_typing_a_page_name_is_one_step() -> None:
    study = open_study()
    for name in ("C", "Co", "Compare"):
        study.set_page_name("pa", name)
    study.set_page_name("pc", "Thanks")
    study.close_step()
    study.set_page_name("pc", "Thank you")
    study.undo()
    assert study.page_names == {"pa": "Compare", "pc": "Thanks"}
    study.undo()
    assert study.page_names == {"pa": "Compare"}
    study.undo()
    assert study.page_names == {}
    assert study.history.undo_label is None


def test_a_change_beside_the_data_file_is_undone_with_what_follows_from_it() -> None:
    study = open_study()
    study.set_data(DATA)
    edit = RenameColumn("a", "b")
    study.change_records(edit.label, Changes((edit,)), replace(study.content, tasks_per_group=3))
    assert study.data is not None
    assert study.data.changes == Changes((edit,))
    restored: list[RestoredStep] = []
    study.step_restored.connect(restored.append)
    study.undo()
    assert (study.data, study.project.tasks_per_group) == (DATA, 1)
    study.redo()
    assert (study.data.changes, study.project.tasks_per_group) == (Changes((edit,)), 3)
    assert [set(step.attributes) for step in restored] == [{"records", "tasks_per_group"}] * 2
    study.set_data(replace(DATA, path=Path("other.csv")))
    assert study.undo_label is None


def test_what_is_known_of_a_service_is_not_undone() -> None:
    study = open_study()
    study.set_name("New")
    study.set_remote("Lab", RemoteBinding("w", batch_id="b"))
    study.set_data(DATA)
    study.undo()
    assert study.project.name == "Study"
    assert study.remote("Lab").batch_id == "b"
    assert study.data == DATA


def test_the_name_of_the_first_file_is_no_step() -> None:
    study = Study()
    study.open(Project("Untitled", sketch("a")), None)
    study.apply(Remove(("a",)))
    study.set_name_of_file("Cats")
    assert study.project.name == "Cats"
    study.undo()
    assert (study.project.name, study.layout) == ("Cats", sketch("a"))
    assert study.history.undo_label is None


def test_undo_after_a_change_of_the_schema_checks_the_layout_again() -> None:
    study = Study()
    item = {"type": "dataset_field", "field": "a"}
    study.open(
        Project(
            "Study", read([{"rows": [{"columns": [{"items": [item]}]}]}], random_keys()), schema=SCHEMAS[1]
        ),
        None,
    )
    assert not [problem for problem in study.problems if problem.rejection]
    study.set_schema(read_schema({"strict": True, "fields": {"b": {"type": "text"}}}))
    assert [problem.field for problem in study.problems if problem.rejection] == ["a"]
    study.undo()
    assert not [problem for problem in study.problems if problem.rejection]


EARLIER = RemoteBinding(
    "w", "d1", "i1", "b", ids={"pa": "1"}, delivered="sum", last_sent=LastSent("mine", "mine", "1")
)
ADOPTED = replace(
    EARLIER.with_dataset("w", "d2", is_filled=True),
    ids={"pa": "1", "pc": "2"},
    last_sent=LastSent("theirs", "theirs", "2"),
)


def with_version_of_service(version: StudyContent | None = None) -> Study:
    """A study that has just taken the version of a service; by default one with the same content."""
    study = Study()
    study.open(replace(Project("Old").with_content(content("Old")), remotes={"Lab": EARLIER}), None)
    study.adopt(version or study.content, "Lab", ADOPTED, "Load")
    return study


def test_undo_restores_what_was_last_sent_before_the_version_of_a_service_was_taken() -> None:
    study = with_version_of_service(content("Theirs"))
    changes: list[RemoteBinding] = []
    study.remote_changed.connect(lambda: changes.append(study.remote("Lab")))
    study.set_name("Edited")
    study.undo()
    assert (study.project.name, study.remote("Lab")) == ("Theirs", ADOPTED)
    study.undo()
    assert (study.project.name, study.remote("Lab")) == ("Old", EARLIER)
    study.redo()
    assert (study.project.name, study.remote("Lab")) == ("Theirs", ADOPTED)
    assert changes == [EARLIER, ADOPTED]


def test_a_version_with_another_dataset_alone_is_a_step_too() -> None:
    study = with_version_of_service()
    assert study.undo_label == "Load"
    study.undo()
    assert study.remote("Lab") == EARLIER
    study.redo()
    assert study.remote("Lab") == ADOPTED


def test_what_was_sent_or_attached_after_that_stays_recorded() -> None:
    study = with_version_of_service(content("Theirs"))
    sent = replace(ADOPTED, last_sent=LastSent("later", "later", "3"))
    study.set_remote("Lab", sent)
    study.undo()
    assert (study.project.name, study.remote("Lab")) == ("Old", sent)
    study = with_version_of_service(content("Theirs"))
    study.set_remote("Lab", ADOPTED.with_dataset("w", "d3", "i3"))
    study.undo()
    remote = study.remote("Lab")
    assert (remote.dataset_id, remote.import_id, remote.last_sent) == ("d3", "i3", EARLIER.last_sent)
