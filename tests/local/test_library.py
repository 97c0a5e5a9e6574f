"""Own templates and blocks: what is stored of them, and files that are damaged."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from batchwright.data_files.formats import Format, FormatKind
from batchwright.layout.editing.clipboard import clipboard_nodes
from batchwright.layout.nodes import Level
from batchwright.layout.serialization import random_keys, read, write
from batchwright.local.library import (
    InvalidLibraryFile,
    Library,
    LibraryKind,
    block_of,
    entry_content,
    name_error,
    read_entry,
    study_from_template,
    template_of,
)
from batchwright.local.projects import DataFile, Project, RemoteBinding
from batchwright.schema.model import Field, FieldType, Schema, are_equivalent
from tests.samples.each_type import ALL, BETTER, WHY

PAGES: list[Any] = [
    {"rows": [{"columns": [{"items": [{**WHY, "id": "i"}, BETTER]}]}], "id": "p"},
    {"rows": [{"columns": [{"items": list(ALL)}]}], "display_position": "body"},
]


def project() -> Project:
    layout = read(PAGES, random_keys())
    return Project(
        "Cats",
        layout,
        page_names={layout.pages[0].key: "Why"},
        schema=Schema(strict=True, fields={"prompt": Field(FieldType.TEXT, "Prompt")}),
        data=DataFile(Path("cats.csv"), 5, Format(FormatKind.CSV)),
        remotes={"here": RemoteBinding(batch_id="b")},
        tasks_per_group=3,
    )


def without_ids(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_ids(inner) for name, inner in value.items() if name != "id"}
    return [without_ids(inner) for inner in value] if isinstance(value, list) else value


def test_a_template_is_a_study_without_records_and_ids(tmp_path: Path) -> None:
    library, study = Library(tmp_path), project()
    saved = library.save(template_of(study, "My cats", "One question"))
    (listed,) = library.entries()
    assert (listed.kind, listed.name, listed.description) == (LibraryKind.TEMPLATE, "My cats", "One question")
    assert listed.path == saved.path
    created = study_from_template(listed)
    assert write(created.layout) == without_ids(PAGES)
    assert created.name == "My cats"
    assert are_equivalent(created.schema, study.schema)
    assert (created.details, created.tasks_per_group) == (study.details, study.tasks_per_group)
    assert created.data is None
    assert created.remotes == {}
    assert created.page_names == {created.layout.pages[0].key: "Why"}


def test_every_study_from_a_template_has_its_own_nodes() -> None:
    template = template_of(project(), "Cats", "")
    first, second = study_from_template(template), study_from_template(template)
    keys = [{node.key for node in study.layout.walk_all()} for study in (first, second)]
    assert keys[0].isdisjoint(keys[1])


def test_a_study_from_a_template_does_not_share_versions_with_the_study_of_the_template(
    tmp_path: Path,
) -> None:
    study = replace(project(), study_id="a")
    template = template_of(study, "Cats", "")
    assert b"study_id" not in entry_content(template)
    earlier = replace(template, project=study)  # templates were saved with the id before
    read = read_entry(Library(tmp_path).save(earlier).path)
    assert read.project is not None
    assert read.project.study_id == "a"
    assert study_from_template(read).study_id == ""


@pytest.mark.parametrize("level", list(Level))
def test_a_block_holds_nodes_of_one_level_without_ids(tmp_path: Path, level: Level) -> None:
    layout, library = project().layout, Library(tmp_path)
    page = layout.pages[0]
    node = {Level.PAGE: page, Level.ROW: page.children[0]}.get(level)
    column = page.children[0].children[0]
    node = node or {Level.COLUMN: column, Level.ITEM: column.children[0]}[level]
    library.save(block_of(clipboard_nodes(layout, [node.key]), "Why"))
    (listed,) = library.entries()
    assert listed.nodes is not None
    assert (listed.kind, listed.nodes.level) == (LibraryKind.BLOCK, level)
    assert '"id"' not in listed.nodes.text
    assert json.loads(listed.nodes.text) == json.loads(clipboard_nodes(layout, [node.key]).text)


def test_a_block_of_pages_keeps_their_names(tmp_path: Path) -> None:
    library, layout = Library(tmp_path), read([{"rows": []}, {"rows": []}], random_keys())
    keys = [page.key for page in layout.pages]
    library.save(block_of(clipboard_nodes(layout, keys), "Two", {keys[1]: "Consent", "other": "Page"}))
    (listed,) = library.entries()
    assert listed.page_names == ("", "Consent")
    without_names = block_of(clipboard_nodes(layout, keys), "Two", {})
    assert b"page_names" not in entry_content(without_names)
    damaged = json.loads(entry_content(listed)) | {"page_names": [5, "Consent"]}
    listed.path.write_text(json.dumps(damaged))
    assert library.entries()[0].page_names == ("", "Consent")


def test_entries_are_renamed_in_their_file_and_listed_by_name(tmp_path: Path) -> None:
    library = Library(tmp_path)
    first = library.save(template_of(project(), "b", ""))
    library.save(template_of(project(), "A", ""))
    renamed = library.save(replace(first, name="C", description="new"))
    assert renamed.path == first.path
    listed = library.entries()
    assert [(entry.name, entry.description) for entry in listed] == [("A", ""), ("C", "new")]
    assert study_from_template(listed[1]).name == "C"


def test_what_is_removed_can_be_restored(tmp_path: Path) -> None:
    library = Library(tmp_path)
    saved = library.save(template_of(project(), "Cats", ""))
    content = library.remove(saved)
    assert library.entries() == []
    library.restore(saved, content)
    assert [entry.name for entry in library.entries()] == ["Cats"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not valid JSON"),
        (b"{}", "neither a template nor a block"),
        (b"[]", "neither a template nor a block"),
        (b'{"batchwright_library": 2}', "newer version"),
        (b'{"batchwright_library": 1, "kind": "block", "name": "", "description": ""}', "damaged"),
        (b'{"batchwright_library": 1, "kind": "block", "name": "x", "description": ""}', "contains no pages"),
        (
            b'{"batchwright_library": 1, "kind": "template", "name": "x", "description": "", "content": {}}',
            "",
        ),
        (
            b'{"batchwright_library": 1, "kind": "x", "name": "x", "description": "", "content": 1}',
            "no content",
        ),
        (b"\xff", "not valid JSON"),
    ],
)
def test_a_damaged_file_is_listed_as_such_beside_the_others(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    library = Library(tmp_path)
    library.save(template_of(project(), "Cats", ""))
    damaged = tmp_path / "library" / "mine.batchwright-block"
    damaged.write_bytes(content)
    (tmp_path / "library" / "notes.txt").write_text("no entry")
    cats, mine = library.entries()
    assert (cats.name, cats.error) == ("Cats", "")
    assert (mine.name, mine.path) == ("mine", damaged)
    assert reason in mine.error
    assert mine.error
    with pytest.raises(InvalidLibraryFile):
        read_entry(damaged)
    with pytest.raises(InvalidLibraryFile):
        study_from_template(mine)
    library.remove(mine)
    assert not damaged.exists()


def test_an_exported_file_is_imported_elsewhere(tmp_path: Path) -> None:
    exported = tmp_path / "cats.batchwright-template"
    exported.write_bytes(entry_content(template_of(project(), "Cats", "All of them")))
    other = Library(tmp_path / "other")
    other.save(read_entry(exported))
    (entry,) = other.entries()
    assert (entry.name, entry.description) == ("Cats", "All of them")
    assert entry.path.parent == tmp_path / "other" / "library"


@pytest.mark.parametrize("name", ["CON", "a/b\\c", "..", "Ünï", "x" * 80, " "])
def test_any_name_can_be_saved(tmp_path: Path, name: str) -> None:
    library = Library(tmp_path)
    if name_error(name):
        assert not name.strip()
        return
    saved = library.save(template_of(project(), name, ""))
    assert saved.path.parent == tmp_path / "library"
    assert [entry.name for entry in library.entries()] == [name]


def test_invalid_names_are_explained() -> None:
    assert name_error("Cats") == ""
    assert "Enter a name" in name_error("  ")
    assert "80 characters" in name_error("x" * 81)
    assert "invalid character" in name_error("a\nb")
    assert "invalid character" in name_error("\ud800")


def test_an_empty_folder_has_no_entries(tmp_path: Path) -> None:
    assert Library(tmp_path).entries() == []
