"""Whatever a study becomes in a window, its file, recovery copy and version contain it: random actions."""

import asyncio
import csv
import tempfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from hypothesis.strategies import SearchStrategy

from batchwright.base.json_values import Json
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.schema_inference import Proposal, propose_schema
from batchwright.layout.collection_pages import single_column
from batchwright.layout.editing.edits import AddItem, Duplicate, Edit, MoveItems, Remove, SetAttributes
from batchwright.layout.editing.selection import EditRejected
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.model import Layout
from batchwright.layout.serialization import random_keys, read, read_item, write
from batchwright.local.autosave import AutosaveStore, RecoveredStudy
from batchwright.local.database import open_database
from batchwright.local.projects import DataFile, LastSent, Project, RemoteBinding, StudyKind, project_content
from batchwright.local.study_files.collection_file import collection_content
from batchwright.local.study_files.project_parser import read_project
from batchwright.local.study_files.study_file import StudyFile, StudyFormat, read_study, write_study
from batchwright.local.versions import VersionCause, VersionStore
from batchwright.schema.model import FieldType, Schema
from batchwright.schema.parsing import read_schema
from batchwright.ui.data.file.data_file import DataFileModel
from batchwright.ui.data.schema.schema_editor import SchemaEditor
from batchwright.ui.study.study_model import Study
from batchwright.wire.batches import TaskDetails
from tests.layout.random_layouts import any_json, any_pages, well_formed_pages
from tests.strategies import schemas

pytestmark = pytest.mark.gui

TEXTS = st.text(st.characters(codec="utf-8"), max_size=4)
HEADERS = st.lists(
    st.sampled_from(["a", "b", "prompt", "answer_a", "META_id", "task_group_id", "", "x" * 300]),
    min_size=1,
    max_size=5,
) | st.just([f"column {number}" for number in range(203)])
FORMATS = st.builds(
    Format,
    st.sampled_from(FormatKind),
    st.sampled_from(["utf-8", "cp1252"]),
    quote=st.sampled_from(["", '"']),
)
DETAILS = st.builds(TaskDetails, task_name=TEXTS, task_introduction=TEXTS, task_steps=TEXTS)
CONNECTIONS = st.sampled_from(["This computer", "Lab", ""])
WORKSPACES = st.sampled_from(["", "office", "home"])
IDS = st.none() | st.sampled_from(["1", "2"])
INDEXES = st.integers(0, 3)
SETTINGS = settings(deadline=None, phases=set(Phase) - {Phase.explain})
"""Explaining a failure takes minutes."""


class FileColumns:
    """The columns of a data file and the schema proposed for it, in place of the file model of the stage."""

    def __init__(self) -> None:
        self.summary = self.profile = None
        self.columns: tuple[str, ...] = ()
        self.proposal: Proposal

    def read(self, path: Path) -> None:
        """Read a CSV file."""
        with path.open(newline="") as stream:
            self.columns = tuple(next(csv.reader(stream), ()))
        self.proposal = propose_schema(path, Format(FormatKind.CSV))
        self.summary = self.profile = cast("None", self)


class Designing(RuleBasedStateMachine):
    """A user who designs a study, and saves and opens it now and then."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self.folder = Path(self._folder.name).resolve()
        self.study, self.data = Study(), FileColumns()
        self.schema = SchemaEditor(self.study, cast("DataFileModel", self.data))

    def teardown(self) -> None:
        self._folder.cleanup()

    @property
    def project(self) -> Project:
        return self.study.project

    @initialize(data=st.data(), kind=st.sampled_from(StudyKind), name=TEXTS)
    def open(self, data: st.DataObject, kind: StudyKind, name: str) -> None:
        self.study.open(Project(name, self.some_layout(data, kind), kind=kind), None)

    def some_layout(self, data: st.DataObject, kind: StudyKind) -> Layout:
        if kind is StudyKind.COLLECTION:
            return single_column(read(data.draw(well_formed_pages()), random_keys()))
        return read(data.draw(any_pages()), random_keys())

    def some_key(self, data: st.DataObject) -> str:
        return data.draw(st.sampled_from([node.key for node in self.study.layout.walk_all()] or ["gone"]))

    @rule(data=st.data(), value=any_json(), index=INDEXES)
    def edit(self, data: st.DataObject, value: Json, index: int) -> None:
        key, gap = self.some_key(data), InsertionPoint(self.some_key(data), index)
        item = read_item({"type": "new", "value": value}, random_keys())
        edits: list[Edit] = [
            AddItem((item,), gap),
            Duplicate((key,)),
            MoveItems((key,), gap),
            Remove((key,)),
            SetAttributes(key, {"description": value}),
        ]
        try:
            self.study.apply(data.draw(st.sampled_from(edits)))
        except EditRejected:
            return

    @rule(columns=HEADERS, cells=st.lists(TEXTS, max_size=3))
    def open_data_file(self, columns: list[str], cells: list[str]) -> None:
        path = self.folder / "records.csv"
        with path.open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerows([columns, cells])
        self.study.set_data(DataFile(path, path.stat().st_size, Format(FormatKind.CSV)))
        self.data.read(path)
        self.schema.expect_proposal()
        self.schema.apply_proposal()

    @rule(form=FORMATS, name=TEXTS, columns=st.lists(TEXTS, max_size=2))
    def set_data(self, form: Format, name: str, columns: list[str]) -> None:
        path = self.folder / f"data {name.replace('/', '')}".replace("\0", "")
        self.study.set_data(DataFile(path, 3, form, None, tuple(columns), tuple(columns[1:])))

    @rule(data=st.data(), type=st.none() | st.sampled_from(FieldType), label=TEXTS | st.just("y" * 300))
    def change_field(self, data: st.DataObject, type: FieldType | None, label: str) -> None:
        fields = self.study.schema.fields if self.study.schema else {}
        name = data.draw(st.sampled_from([*fields, *self.data.columns, "added"]))
        self.schema.set_type(name, type)
        self.schema.set_label(name, label)

    @rule(is_strict=st.booleans(), leaves_out_all=st.booleans())
    def change_schema(self, is_strict: bool, leaves_out_all: bool) -> None:
        self.schema.set_strict(is_strict=is_strict)
        for name in self.study.schema.fields if self.study.schema and leaves_out_all else ():
            self.schema.set_type(name, None)

    @rule(data=st.data(), new=TEXTS | st.just("k" * 200))
    def rename_field(self, data: st.DataObject, new: str) -> None:
        fields = self.study.schema.fields if self.study.schema else {}
        old = data.draw(st.sampled_from([*fields, "gone"]))
        self.schema.rename_field(old, new, updates_items=True)

    @rule(value=cast("SearchStrategy[Json]", schemas()))
    def use_schema_of_a_file(self, value: Json) -> None:
        self.schema.set_schema(read_schema(value))

    @rule(details=DETAILS, name=TEXTS, count=st.integers(1, 1000))
    def describe(self, details: TaskDetails, name: str, count: int) -> None:
        self.study.set_details(details, name)
        self.study.set_tasks_per_group(count)

    @rule(data=st.data(), name=TEXTS)
    def name_page(self, data: st.DataObject, name: str) -> None:
        self.study.set_page_name(self.some_key(data), name)

    @rule(
        data=st.data(),
        connection=CONNECTIONS,
        ids=st.tuples(IDS, IDS, IDS),
        text=TEXTS | WORKSPACES,
        is_true=st.booleans(),
    )
    def send(
        self,
        data: st.DataObject,
        connection: str,
        ids: tuple[str | None, str | None, str | None],
        text: str,
        is_true: bool,
    ) -> None:
        dataset, batch, collection = ids
        remote = RemoteBinding(
            text,
            dataset,
            dataset,
            batch,
            collection,
            {self.some_key(data): text},
            is_filled=is_true,
            delivered=text if is_true else None,
            lacks_schema=is_true,
            last_sent=LastSent(text, text, text) if is_true else None,
        )
        self.study.set_remote(connection, remote)

    @rule(local=WORKSPACES, hosted=WORKSPACES)
    def go_to_another_computer(self, local: str, hosted: str) -> None:
        was_saved, before = self.study.is_saved, with_ids(self.project)
        self.study.set_workspaces({"This computer": local, "Lab": hosted})
        assert self.study.is_saved == was_saved
        assert with_ids(self.project) == before

    @rule(data=st.data(), connection=CONNECTIONS)
    def adopt_a_version_of_the_service(self, data: st.DataObject, connection: str) -> None:
        layout = self.some_layout(data, self.project.kind)
        content = replace(self.study.content, layout=layout, page_names={})
        self.study.adopt(content, connection, RemoteBinding("w"), "Adopt")

    @rule()
    def undo(self) -> None:
        self.study.undo()

    @rule()
    def redo(self) -> None:
        self.study.redo()

    @rule()
    def store_version(self) -> None:
        database = open_database(self.folder)
        try:
            versions = VersionStore(database)
            versions.store(self.study.new_version(VersionCause.SAVED), datetime.now(UTC))
            newest, *_older = versions.versions(self.project.study_id)
            stored = versions.content(newest)
        finally:
            database.close()
        assert same_json(self.project.with_content(stored), self.project)
        assert replace(self.project.with_content(stored), layout=self.project.layout) == self.project

    @rule(name=st.sampled_from(["study.batchwright", "folder/other.batchwright"]))
    def save_and_open(self, name: str) -> None:
        file = StudyFile(self.folder / name)
        file.path.parent.mkdir(exist_ok=True)
        asyncio.run(self.study.save(file))
        opened, opened_file = read_study(file.path)
        assert self.study.is_saved
        assert opened == self.project
        assert opened.study_id == self.project.study_id
        self.study.open(opened, opened_file)

    @rule(layout_format=st.sampled_from([None, {"name": "", "later": 1, "batch_items": None}]))
    def save_as_a_layout(self, layout_format: dict[str, Json] | None) -> None:
        file = StudyFile(self.folder / "layout.json", format=StudyFormat.LAYOUT, around=layout_format)
        write_study(self.project, file)
        opened, _file = read_study(file.path)
        assert same_json(opened, file.as_saved(self.project))

    @precondition(lambda self: self.study.is_collection)
    @rule(form=st.sampled_from([StudyFormat.COLLECTION, StudyFormat.YAML_COLLECTION]))
    def save_as_a_collection(self, form: StudyFormat) -> None:
        suffix = "yaml" if form is StudyFormat.YAML_COLLECTION else "json"
        file = StudyFile(self.folder / f"collection.{suffix}", format=form, around={})
        write_study(self.project, file)
        opened, _file = read_study(file.path)
        assert collection_content(opened, {}, as_yaml=False) == collection_content(
            replace(self.project, name=opened.name), {}, as_yaml=False
        )

    @invariant()
    def the_content_of_a_file_is_the_study(self) -> None:
        assert read_project(project_content(self.project)) == self.project

    @rule()
    def recover(self) -> None:
        store = AutosaveStore(self.folder)
        store.save("copy", self.project, self.study.file)
        (recovered,) = store.copies()
        assert isinstance(recovered, RecoveredStudy)
        assert recovered.project == self.project
        assert recovered.file == self.study.file


def same_json(first: Project, second: Project) -> bool:
    """Whether two studies have the same pages, whatever the keys of their nodes."""
    return write(first.layout) == write(second.layout)


def with_ids(project: Project) -> list[str]:
    """What a study has at services, wherever that is."""
    return sorted(repr(remote) for remote in project.remotes.values() if remote.resources)


Designing.TestCase.settings = settings(SETTINGS, max_examples=25, stateful_step_count=20)


class LongDesigning(Designing):
    """A user with many more actions."""


LongDesigning.TestCase.settings = settings(SETTINGS, max_examples=300, stateful_step_count=50)


def test_a_schema_without_fields_is_saved_and_opened(tmp_path: Path) -> None:
    file = StudyFile(tmp_path / "study.batchwright")
    write_study(Project("Study", schema=Schema(strict=False, fields={})), file)
    assert read_study(file.path)[0].schema == Schema(strict=False, fields={})
