"""Project files are written and read without loss."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.base.resources import resource
from batchwright.data_files.formats import Format, FormatKind
from batchwright.layout.serialization import random_keys, read, write
from batchwright.layout.translations import TextAddress, Translation
from batchwright.local.projects import (
    DataFile,
    LanguageBinding,
    LastSent,
    Project,
    RemoteBinding,
    StudyKind,
    project_content,
)
from batchwright.local.study_files.project_migrations import InvalidProjectFile
from batchwright.local.study_files.project_parser import read_project
from batchwright.schema.parsing import read_schema
from batchwright.wire.batches import TaskDetails

PAGES = [{"rows": [{"columns": [{"items": [{"type": "rich_text", "content": "Hello"}, {"type": "new"}]}]}]}]
SCHEMA = read_schema({"strict": True, "fields": {"z": {"type": "text"}, "a": {"type": "metadata"}}})
DETAILS = TaskDetails(task_name="Judge", task_introduction="<p>Hi</p>", task_steps="1")
CP1252 = Format(FormatKind.CSV, encoding="cp1252")
LAST_SENT = LastSent("a1", "b2", "2026-07-01T09:00:00+00:00", "eJwDAAAAAAE=")
REMOTE = RemoteBinding(
    "w", "d", "i", "b", is_filled=True, delivered="m", lacks_schema=True, last_sent=LAST_SENT
)


def study(folder: Path) -> Project:
    layout = read(PAGES, random_keys())
    key = layout.pages[0].key
    text = TextAddress(layout.pages[0].rows[0].columns[0].items[0].key, "content")  # type: ignore[union-attr]
    german = LanguageBinding("b2", "c2", {key: "2"}, LAST_SENT)
    return Project(
        name="Preference study",
        layout=layout,
        page_names={key: "Compare"},
        schema=SCHEMA,
        details=DETAILS,
        data=DataFile(folder / "records.csv", 10, CP1252, "ab", ("a", "b", "b"), ("b",)),
        remotes={"This computer": replace(REMOTE, ids={key: "1"}, languages={"de": german})},
        tasks_per_group=4,
        language="pt-BR",
        translations={"de": {text: Translation("Hallo", "Hi")}, "ar": {}},
    )


def same_study(first: Project, second: Project) -> bool:
    """Whether two projects are equal; layouts are compared by their JSON and their keys."""
    keys = [[node.key for node in project.layout.walk_all()] for project in (first, second)]
    same_layout = keys[0] == keys[1] and write(first.layout) == write(second.layout)
    return same_layout and replace(first, layout=second.layout) == second


def test_a_project_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    project = study(tmp_path)
    assert same_study(read_project(project_content(project)), project)


@pytest.mark.parametrize("value", ["Deutsch!", "d", 5, None, ["de"], "x" * 40])
def test_what_is_no_language_tag_is_no_language(value: object) -> None:
    assert (
        read_project(json.dumps({"batchwright": 1, "name": "x", "language": value}).encode()).language == ""
    )


def test_a_data_file_in_the_folder_of_the_project_moves_with_it(tmp_path: Path) -> None:
    content = project_content(study(tmp_path), tmp_path)
    assert json.loads(content)["data"]["path"] == "records.csv"
    moved = read_project(content, tmp_path / "elsewhere")
    assert moved.data is not None
    assert moved.data.path == tmp_path / "elsewhere" / "records.csv"


def test_keys_are_sorted_and_schema_fields_keep_their_order(tmp_path: Path) -> None:
    value = json.loads(project_content(study(tmp_path)))
    assert list(value) == sorted(value)
    assert list(value["schema"]["fields"]) == ["z", "a"]


def test_unknown_keys_are_stored() -> None:
    content = json.dumps(
        {"batchwright": 1, "name": "x", "batch_items": [], "flows": [1, {"a": None}]}
    ).encode()
    assert json.loads(project_content(read_project(content)))["flows"] == [1, {"a": None}]


def test_a_plain_layout_file_is_a_project(tmp_path: Path) -> None:
    content = resource("samples", "preference", "layout.json").read_bytes()
    assert write(read_project(content).layout) == json.loads(content)


def test_a_batch_has_its_name_and_task_details() -> None:
    batch = {"name": "B", "batch_items": PAGES, "task_details": DETAILS.model_dump()}
    project = read_project(json.dumps(batch).encode())
    assert (project.name, project.details) == ("B", DETAILS)


def test_manually_inserted_pages_invalidate_the_stored_keys(tmp_path: Path) -> None:
    value = json.loads(project_content(study(tmp_path)))
    value["batch_items"] += PAGES
    project = read_project(json.dumps(value).encode())
    assert len(project.layout.pages) == 2
    assert project.translations == {"de": {}, "ar": {}}
    assert project.page_names == {}
    german = LanguageBinding("b2", "c2", {}, LAST_SENT)
    assert project.remotes["This computer"] == replace(REMOTE, languages={"de": german})


@pytest.mark.parametrize("last_sent", [None, "now", {}, {"sent": "a", "returned": 1, "at": ""}])
def test_missing_or_invalid_details_of_the_last_batch_are_read_as_unknown(
    last_sent: object, tmp_path: Path
) -> None:
    value = json.loads(project_content(study(tmp_path)))
    value["remotes"]["This computer"]["last_sent"] = last_sent
    project = read_project(json.dumps(value).encode())
    assert project.remotes["This computer"].last_sent is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b'{"batchwright": 2, "name": "x"}',
        b'{"batchwright": true, "name": "x"}',
        b'{"batchwright": 1}',
        b'{"batchwright": 1, "name": "x", "batch_items": {}}',
        b'{"batchwright": 1, "name": "x", "schema": {}}',
        b'{"batchwright": 1, "name": "x", "data": {"path": "a", "size": 1, "format": {"kind": "xls"}}}',
        b'{"batchwright": 1, "name": "x", "remotes": [1]}',
        b'{"batchwright": 1, "name": "x", "task_details": {"task_name": 1}}',
        b'{"batchwright": 1, "name": "x", "tasks_per_group": 0}',
    ],
)
def test_a_file_that_is_not_a_project_is_rejected_with_a_message(content: bytes) -> None:
    with pytest.raises(InvalidProjectFile, match=r"\w+ .*\."):
        read_project(content)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
)

PARTS = ("batch_items", "keys", "page_names", "schema", "task_details", "data", "remotes")


@given(
    st.fixed_dictionaries(
        {"batchwright": st.just(1), "name": st.text(max_size=3)},
        optional=dict.fromkeys(PARTS, json_values),
    )
)
def test_any_json_is_read_as_a_project_or_rejected(value: object) -> None:
    try:
        project = read_project(json.dumps(value).encode())
    except InvalidProjectFile:
        return
    assert same_study(read_project(project_content(project)), project)


@pytest.mark.parametrize(
    "entry", [5, {"key": "a", "attribute": "content", "text": 5}, {"key": "b", "text": "Hallo"}]
)
def test_what_is_no_translation_is_left_out_and_the_others_stay(entry: object) -> None:
    right = {"key": "a", "attribute": "content", "text": "Hallo", "source": "Hello"}
    translations = {"de": [right, entry], "fr": 5, "no tag!": [right]}
    value = {"batchwright": 1, "name": "x", "translations": translations}
    assert read_project(json.dumps(value).encode()).translations == {
        "de": {TextAddress("a", "content"): Translation("Hallo", "Hello")}
    }


def test_a_study_in_another_language_has_its_texts_and_a_name_of_its_own(tmp_path: Path) -> None:
    project = study(tmp_path)
    german = project.in_language("de")
    assert (german.name, german.language) == ("Preference study (de)", "de")
    assert '"Hallo"' in str(write(german.layout)).replace("'", '"')
    assert german.details.task_name == "Judge"
    assert project.in_language("fr") is project
    unnamed = replace(project, details=DETAILS.model_copy(update={"task_name": ""}))
    assert unnamed.in_language("de").details.task_name == "Preference study"


def test_each_language_has_a_batch_of_its_own_with_the_dataset_of_the_study() -> None:
    german = REMOTE.in_language("de")
    assert (german.dataset_id, german.batch_id, german.last_sent) == ("d", None, None)
    bound = REMOTE.with_language("de", replace(german.with_id(StudyKind.BATCH, "b2"), ids={"key": "2"}))
    assert (bound.batch_id, bound.in_language("de").batch_id) == ("b", "b2")
    assert bound.resources == {"d", "b", "b2"}
    again = bound.with_language("", replace(bound.in_language(""), batch_id="b3"))
    assert (again.batch_id, again.in_language("de").ids) == ("b3", {"key": "2"})
