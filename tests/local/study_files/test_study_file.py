"""The file of a study: read, written in its original format, and not overwritten if it has changed."""

import json
import stat
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.base.json_texts.yaml_values import parse_yaml, yaml_content
from batchwright.base.json_values import Json, JsonObject, json_equal
from batchwright.layout.serialization import random_keys, read, write
from batchwright.local.projects import Project, StudyKind, project_content
from batchwright.local.study_files import project_migrations
from batchwright.local.study_files.project_migrations import (
    InvalidProjectFile,
    ProjectTooNew,
    current_version,
    migrate,
)
from batchwright.local.study_files.project_parser import read_project
from batchwright.local.study_files.study_file import (
    StudyFile,
    StudyFormat,
    free_sibling_path,
    has_changed,
    read_study,
    write_study,
)
from tests.layout.random_layouts import any_json, any_pages

PAGES: list[Any] = [{"rows": [{"columns": [{"items": [{"type": "rich_text", "content": "Hello"}]}]}]}]


@given(any_pages(), st.dictionaries(st.sampled_from(["id", "new", "status", "x"]), any_json(), max_size=3))
def test_a_plain_file_is_written_back_as_equal_json(
    tmp_path_factory: pytest.TempPathFactory, pages: list[Json], around: dict[str, Json]
) -> None:
    path = tmp_path_factory.mktemp("plain") / "layout.json"
    for value in (pages, {**around, "batch_items": pages}):
        path.write_text(json.dumps(value), encoding="utf-8")
        project, file = read_study(path)
        assert file.format is StudyFormat.LAYOUT
        assert file.as_saved(project) == project
        write_study(project, file)
        assert json_equal(json.loads(path.read_bytes()), value)


def test_a_plain_file_contains_only_its_original_parts(tmp_path: Path) -> None:
    path = tmp_path / "layout.json"
    path.write_text(json.dumps(PAGES))
    project, file = read_study(path)
    assert project.name == "layout"
    for richer in (
        replace(project, name="Other"),
        replace(project, tasks_per_group=2),
        replace(project, page_names={project.layout.pages[0].key: "Compare"}),
    ):
        assert file.as_saved(richer) == project != richer


def test_a_project_is_recognised_by_its_content_and_not_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "study.json"
    path.write_bytes(project_content(Project("Study", read(PAGES, random_keys()))))
    project, file = read_study(path)
    assert (project.name, file.format) == ("Study", StudyFormat.STUDY)


def test_a_change_of_the_file_by_another_program_is_detected(tmp_path: Path) -> None:
    file = write_study(Project("Study"), StudyFile(tmp_path / "a.batchwright"))
    assert not has_changed(file)
    file.path.touch()
    assert not has_changed(file)
    write_study(Project("Other"), file)
    assert has_changed(file)
    file.path.unlink()
    assert not has_changed(file)


def test_the_name_proposed_for_a_copy_is_unused(tmp_path: Path) -> None:
    file = StudyFile(tmp_path / "a.batchwright", "digest", StudyFormat.LAYOUT, around={"x": 1})
    first = free_sibling_path(file)
    assert first == replace(file, path=tmp_path / "a (mine).batchwright", digest=None)
    first.path.touch()
    assert free_sibling_path(file).path.name == "a (mine 2).batchwright"


def test_a_read_only_file_is_not_overwritten_even_by_root(tmp_path: Path) -> None:
    file = write_study(Project("Study"), StudyFile(tmp_path / "a.batchwright"))
    file.path.chmod(stat.S_IREAD)
    with pytest.raises(PermissionError, match="the file is read-only"):
        write_study(Project("Other"), file)
    assert not has_changed(file)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of files")
def test_a_write_on_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    import resource  # noqa: PLC0415

    file = write_study(Project("Study"), StudyFile(tmp_path / "a.batchwright"))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, before[1]))
    try:
        with pytest.raises(OSError, match=r"File too large: .*a\.batchwright"):
            write_study(Project("x" * 5000), file)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not has_changed(file)
    assert [path.name for path in tmp_path.iterdir()] == ["a.batchwright"]


def test_an_excessively_large_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "film.json"
    with path.open("wb") as file:
        file.truncate(600 * 1024 * 1024)
    with pytest.raises(InvalidProjectFile, match="larger than 512 MB"):
        read_study(path)


def to_version_2(value: JsonObject) -> JsonObject:
    """A possible migration step: it renames `name` to `title`."""
    return {**{key: inner for key, inner in value.items() if key != "name"}, "title": value["name"]}


def to_version_3(value: JsonObject) -> JsonObject:
    """The next migration step: it renames `title` back to `name`."""
    return {**{key: inner for key, inner in value.items() if key != "title"}, "name": f"{value['title']}!"}


STEPS = (to_version_2, to_version_3)


@pytest.mark.parametrize(("version", "name"), [(1, "Study!"), (2, "Study!"), (3, "Study")])
def test_an_older_project_is_migrated_step_by_step(
    monkeypatch: pytest.MonkeyPatch, version: int, name: str
) -> None:
    monkeypatch.setattr(project_migrations, "STEPS", STEPS)
    key = "title" if version == 2 else "name"
    older = {"batchwright": version, key: "Study", "batch_items": PAGES, "flows": [1]}
    project = read_project(json.dumps(older).encode())
    assert (project.name, write(project.layout), project.unknown_keys) == (name, PAGES, {"flows": [1]})
    written = json.loads(project_content(project))
    assert (written["batchwright"], written["name"], written["flows"]) == (3, name, [1])


def test_a_newer_project_is_not_opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(project_migrations, "STEPS", STEPS)
    file = write_study(Project("Study"), StudyFile(tmp_path / "a.batchwright"))
    monkeypatch.undo()
    with pytest.raises(ProjectTooNew, match="version 3; this one supports 1"):
        read_study(file.path)
    assert not has_changed(file)


@pytest.mark.parametrize("version", [0, -1, 1.0, True, "1", None])
def test_a_version_is_a_positive_integer(version: Json) -> None:
    with pytest.raises(InvalidProjectFile, match="must be a number"):
        migrate({"batchwright": version})


def test_the_newest_version_needs_no_migration() -> None:
    value: JsonObject = {"batchwright": current_version(), "name": "Study"}
    assert migrate(value) == value


COLLECTION: dict[str, Any] = {
    "name": "Kitchen",
    "workspace_id": "65f0a1b2c3d4e5f607182930",
    "task_details": {"task_name": "Cook", "task_introduction": "<p>yes</p>", "task_steps": "1"},
    "collection_items": [
        {
            "id": "0193a7c0-0d01-7d01-8a1b-4c5d6e7f0d01",
            "order": 0,
            "page_items": [
                {"order": 0, "type": "rich_text", "content": "<p>Line 1\nLine 2</p>"},
                {"order": 1, "type": "free_text", "description": "Why?"},
            ],
        }
    ],
    "extra": [1, True, None],
}


@pytest.mark.parametrize("name", ["kitchen.json", "kitchen.yaml", "kitchen.yml"])
def test_a_collection_is_saved_in_its_original_format(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    is_json = path.suffix == ".json"
    path.write_bytes(json.dumps(COLLECTION).encode() if is_json else yaml_content(COLLECTION))
    project, file = read_study(path)
    assert (project.name, project.kind) == ("Kitchen", StudyKind.COLLECTION)
    assert file.as_saved(project) == project
    written = write_study(project, file)
    content = path.read_bytes()
    value = json.loads(content) if is_json else parse_yaml(content)
    assert json_equal(value, COLLECTION)
    assert not has_changed(written)
    assert file.as_saved(replace(project, tasks_per_group=2)) != replace(project, tasks_per_group=2)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"name: x\ncollection_items: 5\n", "It contains no pages under"),
        (b"a: [1\n", "The file is not valid YAML: while parsing a flow sequence"),
        (b"collection_items: []\ntask_details: {task_name: 1}\n", "“task_details” in the study file"),
    ],
)
def test_a_damaged_collection_is_reported(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "damaged.yaml").write_bytes(content)
    with pytest.raises(InvalidProjectFile, match=reason):
        read_study(tmp_path / "damaged.yaml")


def test_a_study_file_stores_its_kind(tmp_path: Path) -> None:
    project = Project("Study", kind=StudyKind.COLLECTION)
    write_study(project, StudyFile(tmp_path / "a.batchwright"))
    assert read_study(tmp_path / "a.batchwright")[0] == project
