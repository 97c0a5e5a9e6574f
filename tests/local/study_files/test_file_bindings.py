"""The ids of a collection survive in the program's database, since its file does not contain them."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from batchwright.layout.collection_pages import items_of
from batchwright.layout.model import Page
from batchwright.local.database import open_database
from batchwright.local.projects import LastSent, Project, RemoteBinding
from batchwright.local.study_files.file_bindings import FileBindings
from batchwright.local.study_files.study_file import StudyFile, read_study, write_study

BINDING = RemoteBinding("workspace", collection_id="c", last_sent=LastSent("s", "r", "2026-03-10", "packed"))


def question(text: str) -> dict[str, Any]:
    return {"type": "free_text", "description": text}


def written(path: Path, *texts: str, name: str = "Kitchen") -> Path:
    """A file with a collection that has one page of questions."""
    pages = [{"page_items": [question(text) for text in texts]}]
    path.write_text(json.dumps({"name": name, "collection_items": pages}), encoding="utf-8")
    return path


@pytest.fixture
def bindings(tmp_path: Path) -> Iterator[FileBindings]:
    with closing(open_database(tmp_path)) as database:
        yield FileBindings(database)


@pytest.fixture
def path(tmp_path: Path, bindings: FileBindings) -> Path:
    """A file whose study was sent to a service and saved."""
    path = written(tmp_path / "kitchen.json", "Cook?", "Bake?")
    project, file = read_study(path)
    ids = {node.key: f"id of {place}" for place, node in enumerate(nodes(project))}
    saved = replace(project, remotes={"Lab": replace(BINDING, ids=ids)})
    bindings.store(saved, write_study(saved, file))
    return path


def nodes(project: Project) -> list[Any]:
    """The page and its questions."""
    (page,) = project.layout.pages
    assert isinstance(page, Page)
    return [page, *items_of(page)]


def opened(path: Path, bindings: FileBindings) -> tuple[Project, list[str | None]]:
    """The study in a file, and the ids of its page and questions."""
    project = bindings.restore(*read_study(path))
    remote = project.remotes.get("Lab", RemoteBinding())
    return project, [remote.ids.get(node.key) for node in nodes(project)]


def test_a_file_that_is_opened_again_has_its_ids(path: Path, bindings: FileBindings) -> None:
    project, ids = opened(path, bindings)
    assert ids == ["id of 0", "id of 1", "id of 2"]
    assert replace(project.remotes["Lab"], ids={}) == BINDING
    assert StudyFile(path, format=read_study(path)[1].format).as_saved(project) == project


def test_a_file_that_another_program_has_changed_has_the_ids_of_what_it_still_has(
    path: Path, bindings: FileBindings
) -> None:
    written(path, "New?", "Bake?", "Newer?", name="Kitchens")
    project, ids = opened(path, bindings)
    assert (project.remotes["Lab"].collection_id, ids) == ("c", ["id of 0", None, "id of 2", None])


def test_a_file_that_another_collection_has_replaced_has_no_ids(path: Path, bindings: FileBindings) -> None:
    written(path, "Dig?", "Mow?", name="Garden")
    assert bindings.restore(*read_study(path)).remotes == {}


def test_a_copy_of_the_file_has_no_ids(path: Path, bindings: FileBindings) -> None:
    copy = path.with_name("copy.json")
    copy.write_bytes(path.read_bytes())
    assert opened(copy, bindings)[0].remotes == {}


def test_ids_that_the_study_no_longer_has_are_removed(path: Path, bindings: FileBindings) -> None:
    project, file = read_study(path)
    bindings.store(project, file)
    assert opened(path, bindings)[0].remotes == {}


def test_a_study_file_contains_its_ids_itself(tmp_path: Path, bindings: FileBindings) -> None:
    project = Project("Study", remotes={"Lab": BINDING})
    file = write_study(project, StudyFile(tmp_path / "a.batchwright"))
    bindings.store(replace(project, remotes={}), file)
    assert bindings.restore(*read_study(file.path)).remotes == {"Lab": BINDING}
