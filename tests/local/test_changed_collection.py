"""Saving a collection file of another program changes only what was changed."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.base.json_texts.yaml_edits import with_changes
from batchwright.base.json_texts.yaml_values import parse_yaml, yaml_content
from batchwright.base.json_values import Json, json_equal, parse, to_json
from batchwright.layout.editing.edits import Duplicate, Remove, SetAttributes
from batchwright.layout.model import Layout
from batchwright.local.projects import Project
from batchwright.local.study_files.file_merge import with_differences
from batchwright.local.study_files.study_file import loses_form, read_study, write_study
from tests.call_counts import count_calls
from tests.layout.random_layouts import any_json

TEXT = """\
# Made by hand
workspace_id: 'w1'   # of the lab
name: "Bread"
task_details: {task_name: Bake, task_introduction: 'It''s short', task_steps: ""}
collection_items:
  # The first page
  - order: 0
    created_by: someone
    page_items:
    - order: 0
      type: "free_text"   # open
      description: What do you bake?
    - order: 1
      type: rich_text
      content: |
        Thank you.
        Really.
  - order: 1
    page_items:
    - {order: 0, type: free_text, description: Why?}
later: 1.0
"""
INDENT = "\n        "


def saved(path: Path, change: Any) -> str:
    project, file = read_study(path)
    write_study(change(project), file)
    return path.read_text(encoding="utf-8")


def item_keys(layout: Layout) -> tuple[str, ...]:
    return tuple(item.key for _path, item in layout.walk())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "bread.yaml"
    path.write_text(TEXT)
    return path


def test_a_file_without_changes_is_written_as_it_was(path: Path) -> None:
    assert saved(path, lambda project: project) == TEXT


@pytest.mark.parametrize(
    ("item", "attributes", "before", "after"),
    [
        (0, {"description": "What else?"}, "What do you bake?", "What else?"),
        (0, {"description": "yes"}, "What do you bake?", "'yes'"),
        (
            1,
            {"content": "Bye.\n\nNow."},
            "|\n        Thank you.\n        Really.\n",
            "|-\n        Bye.\n\n        Now.\n",
        ),
        (2, {"description": "a, b: {c}"}, "Why?", '"a, b: {c}"'),
    ],
)
def test_a_changed_text_is_replaced_where_it_stands(
    path: Path, item: int, attributes: dict[str, Any], before: str, after: str
) -> None:
    def change(project: Any) -> Any:
        return replace(
            project, layout=SetAttributes(item_keys(project.layout)[item], attributes)(project.layout)
        )

    result = saved(path, change)
    assert result in {TEXT.replace(before, after), TEXT.replace(before, after.replace('"', "'"))}


def test_added_and_removed_items_keep_everything_else(path: Path) -> None:
    def duplicate(project: Any) -> Any:
        return replace(project, layout=Duplicate(item_keys(project.layout)[:1])(project.layout))

    def remove(project: Any) -> Any:
        return replace(project, layout=Remove(item_keys(project.layout)[1:2])(project.layout))

    result = saved(path, duplicate)
    copy = "    - type: free_text\n      description: What do you bake?\n      order: 0\n"
    first, second = '    - order: 0\n      type: "free_text"', "    - order: 1\n      type: rich_text"
    expected = TEXT.replace(second, second.replace("1", "2")).replace(first, copy + first.replace("0", "1"))
    assert result == expected
    items: Any = parse_yaml(result.encode())
    assert [item["order"] for item in items["collection_items"][0]["page_items"]] == [0, 1, 2]
    assert items["collection_items"][0]["created_by"] == "someone"
    assert json_equal(parse_yaml(saved(path, remove).encode()), parse_yaml(TEXT.encode()))


def test_a_text_with_a_lone_surrogate_is_saved_with_the_replacement_character(path: Path) -> None:
    def change(project: Project) -> Project:
        edit = SetAttributes(item_keys(project.layout)[0], {"description": "Why\ud83d?"})
        return replace(project, layout=edit(project.layout))

    assert "Why\ufffd?" in saved(path, change)


def test_the_name_keeps_its_quotes(path: Path) -> None:
    assert saved(path, lambda project: replace(project, name="Cake")) == TEXT.replace('"Bread"', '"Cake"')


@pytest.mark.parametrize("text", ["1e3", "-2e10", "+.5", "1e+3"])
@pytest.mark.parametrize("pages", [TEXT, TEXT.replace("order: 0", "order: 5", 1), "collection_items: []"])
def test_texts_that_look_like_numbers_stay_texts(path: Path, pages: str, text: str) -> None:
    path.write_text(pages)

    def changed(project: Project) -> Project:
        details = project.details.model_copy(update={"task_name": text})
        edited = replace(project, name=text, details=details)
        for key in item_keys(project.layout):
            edited = replace(edited, layout=SetAttributes(key, {"description": text})(edited.layout))
        return edited

    saved(path, changed)
    project, _file = read_study(path)
    assert (project.name, project.details.task_name) == (text, text)
    assert {item.attributes["description"] for _path, item in project.layout.walk()} <= {text}


@pytest.mark.parametrize("suffix", ["json", "yaml"])
@pytest.mark.parametrize("names", [{}, {"name": ""}, {"name": None}])
def test_a_file_without_a_name_gets_one_only_when_the_study_is_renamed(
    tmp_path: Path, names: dict[str, Json], suffix: str
) -> None:
    path, value = tmp_path / f"bread.{suffix}", {**names, "collection_items": [{"page_items": []}]}
    content = to_json(value) if suffix == "json" else yaml_content(value).decode()
    path.write_text(content)
    assert saved(path, lambda project: project) == content
    assert read_study(path)[0].name == "bread"
    saved(path, lambda project: replace(project, name="Cake"))
    assert read_study(path)[0].name == "Cake"


@pytest.mark.parametrize("indent", [None, 2, 4])
def test_json_keeps_its_keys_and_their_order(tmp_path: Path, indent: int | None) -> None:
    path = tmp_path / "bread.json"
    value: Any = parse_yaml(TEXT.encode())
    path.write_text(to_json(value, indent=indent))
    assert saved(path, lambda project: project) == to_json(value, indent=indent)
    result = saved(path, lambda project: replace(project, name="Cake"))
    assert result == to_json({**value, "name": "Cake"}, indent=indent)
    assert json_equal(parse(result), {**value, "name": "Cake"})


ANCHORED = """\
# The same question twice
later: 1.0
name: Bread
collection_items:
- page_items:
  - &why
    type: free_text
    description: Why?
- page_items:
  - *why
"""


def test_a_file_that_is_written_anew_has_its_keys_in_their_order_and_no_others(tmp_path: Path) -> None:
    path = tmp_path / "bread.yaml"
    path.write_text(ANCHORED)

    def change(project: Any) -> Any:
        return replace(
            project,
            layout=SetAttributes(item_keys(project.layout)[0], {"description": "How?"})(project.layout),
        )

    project, file = read_study(path)
    assert loses_form(change(project), file)
    why = "  - type: free_text\n    description: Why?\n"
    _comment, _line_break, text = ANCHORED.partition("\n")
    first, second = "  - &why\n    type: free_text\n    description: Why?\n", "  - *why\n"
    assert saved(path, change) == text.replace(first, why.replace("Why", "How")).replace(second, why)


HAND_WRITTEN_JSON = """\
{
    "owner": "me",
    "collection_items": [
        {"order": 0, "page_items": [
            {"description": "Why?", "type": "free_text", "order": 0}
        ]}
    ],
    "name": "Bread"
}
"""


def test_json_that_was_indented_by_hand_is_changed_where_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "bread.json"
    path.write_text(HAND_WRITTEN_JSON)
    result = saved(path, lambda project: replace(project, name="Cake \N{PRETZEL}"))
    assert result == HAND_WRITTEN_JSON.replace("Bread", "Cake \N{PRETZEL}")


def test_a_list_in_such_json_gets_entries_with_its_indentation(tmp_path: Path) -> None:
    path = tmp_path / "bread.json"
    path.write_text(HAND_WRITTEN_JSON)

    def duplicate(project: Any) -> Any:
        return replace(project, layout=Duplicate(item_keys(project.layout))(project.layout))

    question = HAND_WRITTEN_JSON.splitlines()[4]
    copies = [
        f'            {{\n                "description": "Why?",\n                "type": "free_text",\n'
        f'                "order": {order}\n            }}'
        for order in (0, 1)
    ]
    assert saved(path, duplicate) == HAND_WRITTEN_JSON.replace(question, ",\n".join(copies))


def page_of(count: int, *, is_changed: bool) -> Json:
    """A page of items; a changed one has another text in every second item, and no last item."""
    return [
        {"order": place, "description": f"{'New' if is_changed and place % 2 else 'Old'} {place}"}
        for place in range(count - is_changed)
    ]


def test_the_work_grows_with_the_number_of_items() -> None:
    def work(count: int) -> int:
        old, new = page_of(count, is_changed=False), page_of(count, is_changed=True)
        return count_calls(lambda: with_differences(old, old, new))

    def work_of_yaml(count: int) -> int:
        old, new = page_of(count, is_changed=False), page_of(count, is_changed=True)
        content = yaml_content(old)
        return count_calls(lambda: with_changes(content, old, new))

    assert work(2_000) < 12 * work(200)
    assert work_of_yaml(2_000) < 12 * work_of_yaml(200)


@given(st.data())
def test_any_change_of_a_text_gives_the_wanted_value_or_none(data: st.DataObject) -> None:
    old, new = data.draw(any_json()), data.draw(any_json())
    values: tuple[Any, ...] = (old, [old, new], {"a": old, "b": [1, {"c": new}]})
    wanted_values: tuple[Any, ...] = (new, [new, old, old], {"a": new, "b": [{"c": old}, 1, 2]})
    for value in values:
        for wanted in wanted_values:
            changed = with_changes(yaml_content(value), value, wanted)
            assert changed is None or json_equal(parse_yaml(changed), wanted)
    assert json_equal(with_differences(old, old, new), new)
