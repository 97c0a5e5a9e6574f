"""Two contents of a study are compared, and what differs is said in words."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given

from batchwright.base.json_values import Json
from batchwright.layout.editing.edits import (
    AddPage,
    Edit,
    MoveItems,
    MovePages,
    Remove,
    SetAttributes,
    SplitRow,
)
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.serialization import read, sequential_keys
from batchwright.local.projects import UNTITLED, Project, StudyContent, StudyKind
from batchwright.local.versions import Version, VersionCause
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.schema.parsing import read_schema
from batchwright.ui.editor.find.state import texts_of
from batchwright.ui.versions.comparison import StudyComparison, compare_contents, with_shared_pages
from batchwright.ui.versions.labels import (
    move_text,
    node_differences,
    page_differences,
    page_summary,
    page_title,
    study_differences,
    summary,
    time_phrase,
    version_time,
)
from batchwright.wire.batches import TaskDetails
from tests.layout.builders import sketch
from tests.layout.random_layouts import any_pages

pytestmark = pytest.mark.gui


def content(drawing: str = "ab / c // d // e") -> StudyContent:
    return Project("Cats", sketch(drawing)).content


def edited(before: StudyContent, *edits: Edit) -> StudyContent:
    for edit in edits:
        before = replace(before, layout=edit(before.layout))
    return before


def compared(*edits: Edit) -> StudyComparison:
    before = content()
    return compare_contents(before, edited(before, *edits))


def pages(comparison: StudyComparison) -> list[str]:
    return [f"{page_title(page)}: {page_summary(page)}" for page in comparison.pages]


def test_equal_contents_have_no_changes() -> None:
    comparison = compared()
    assert comparison.is_equal
    assert summary(comparison) == "No changes"
    assert all(page.is_unchanged for page in comparison.pages)


def test_counts_of_pages_and_items_are_summarised() -> None:
    comparison = compared(
        SetAttributes("a", {"description": "Why?"}),
        MoveItems(("c",), InsertionPoint("cd", 0)),
        Remove(("pe",)),
    )
    assert summary(comparison) == "1 page removed, 1 item removed, 1 item moved, 1 item changed"
    assert pages(comparison) == [
        "Page 1: 1 item moved, 1 item changed",
        "Page 2: 1 item moved",
        "Page 3: removed",
    ]


def test_rows_are_only_named_if_no_item_is() -> None:
    comparison = compared(SplitRow("ra", 1))
    assert "column" in summary(comparison) or "item" in summary(comparison)
    assert summary(compared(MovePages(("pe",), InsertionPoint(None, 0)))) == "1 page moved"


def test_a_removed_page_follows_the_page_it_followed() -> None:
    new = read([{"rows": []}], sequential_keys()).pages
    comparison = compared(Remove(("pd",)), AddPage(new, InsertionPoint(None, 1)), Remove(("pe",)))
    keys = [page.page.key for page in comparison.pages]
    assert keys == ["pa", "pd", "pe", "0"]


def test_page_names_belong_to_their_page() -> None:
    before = replace(content(), page_names={"pa": "Compare"})
    comparison = compare_contents(before, replace(before, page_names={"pa": "Judge", "pe": "Thanks"}))
    assert summary(comparison) == "page names changed"
    assert pages(comparison) == [
        "Page 1, Judge: renamed",
        "Page 2: unchanged",
        "Page 3, Thanks: renamed",
    ]
    rows = [row for page in comparison.pages for row in page_differences(page)]
    assert [(row.title, row.before, row.after) for row in rows] == [
        ("Page name", "Compare", "Judge"),
        ("Page name", "(empty)", "Thanks"),
    ]


def test_changed_attributes_have_their_titles_and_old_and_new_text() -> None:
    comparison = compared(SetAttributes("a", {"description": "Why?"}))
    (row,) = node_differences(comparison.layout.by_key["a"])
    assert (row.title, row.before, row.after) == ("Question", "a", "Why?")


def test_a_moved_item_names_both_places() -> None:
    comparison = compared(MoveItems(("c",), InsertionPoint("cd", 0)))
    node = comparison.layout.by_key["c"]
    assert move_text(node, comparison, is_before=True) == "Moved to page 2, row 1, column 1, item 1"
    assert move_text(node, comparison, is_before=False) == "Moved from page 1, row 2, column 1, item 1"
    contents = (replace(side, kind=StudyKind.COLLECTION) for side in (comparison.before, comparison.after))
    collection = compare_contents(*contents)
    assert move_text(node, collection, is_before=True) == "Moved to page 2, item 1"
    assert move_text(node, collection, is_before=False) == "Moved from page 1, item 3"


@pytest.mark.usefixtures("german")
def test_a_study_without_a_name_is_called_as_in_the_title_of_the_window() -> None:
    before = replace(content(), name=UNTITLED)
    (row,) = study_differences(compare_contents(before, replace(before, name="Hunde")))
    assert (row.before, row.after) == ("Unbenannte Studie", "Hunde")
    assert next(texts_of(before).texts()).text == "Unbenannte Studie"


def test_everything_besides_the_layout_is_listed() -> None:
    before = replace(
        content(),
        schema=read_schema(
            {"strict": True, "fields": {"a": {"type": "text"}, "b": {"type": "text", "label": "B"}}}
        ),
    )
    after = replace(
        before,
        name="Dogs",
        details=TaskDetails(task_name="Judge", task_introduction="", task_steps=""),
        schema=read_schema({"strict": False, "fields": {"a": {"type": "image_url"}, "c": {"type": "text"}}}),
        tasks_per_group=3,
        kind=StudyKind.COLLECTION,
    )
    comparison = compare_contents(before, after)
    assert [(row.title, row.before, row.after) for row in study_differences(comparison)] == [
        ("Name of the study", "Cats", "Dogs"),
        ("Name of the task", "(empty)", "Judge"),
        ("Tasks in a group", "1", "3"),
        ("Kind", "Batch", "Collection"),
        ("Every field must be filled", "Yes", "No"),
        ("Field “a”", "Text", "Image URL"),
        ("Field “b”", "Text, label “B”", "(empty)"),
        ("Field “c”", "(empty)", "Text"),
    ]
    assert summary(comparison) == (
        "name changed, task details changed, schema changed, tasks per group changed, converted"
    )


@given(any_pages(), any_pages())
def test_every_page_of_either_content_is_listed_once(first: list[Json], second: list[Json]) -> None:
    before, after = (replace(content(), layout=read(pages, sequential_keys())) for pages in (first, second))
    comparison = compare_contents(before, after)
    later = [page.page.key for page in comparison.pages if page.page.after is not None]
    removed = {page.page.key for page in comparison.pages if page.page.after is None}
    assert later == [page.key for page in after.layout.pages]
    assert removed == {page.key for page in before.layout.pages} - set(later)
    assert len(comparison.pages) == len(later) + len(removed)
    assert summary(comparison)
    assert all(page_summary(page) for page in comparison.pages)


@given(any_pages(), any_pages())
def test_equal_pages_are_shared_and_nothing_else_changes(first: list[Json], second: list[Json]) -> None:
    old, current = (replace(content(), layout=read(pages, sequential_keys())) for pages in (first, second))
    shared = with_shared_pages(old, current)
    assert shared == old
    objects = {id(page) for page in current.layout.pages}
    assert all(id(page) in objects for page in shared.layout.pages if page in current.layout.pages)


def test_equal_items_of_a_changed_page_are_shared() -> None:
    current = content()
    old = replace(content(), layout=SetAttributes("a", {"description": "Why?"})(sketch("ab / c // d // e")))
    shared = with_shared_pages(old, current)
    assert shared == old
    nodes = {key: (shared.layout.find(key), current.layout.find(key)) for key in "abc"}
    assert {key for key, (now, before) in nodes.items() if now is before} == {"b", "c"}


def test_the_latest_versions_have_the_name_of_the_day_and_others_a_date() -> None:
    now = datetime(2026, 3, 10, 12).astimezone()
    version = Version(1, now - timedelta(minutes=1), VersionCause.SAVED, "", 1)
    assert version_time(version, now).startswith("Today, ")
    assert time_phrase(version, now).startswith("today, ")
    yesterday = replace(version, at=now - timedelta(days=1))
    assert version_time(yesterday, now).startswith("Yesterday, ")
    assert time_phrase(yesterday, now).startswith("yesterday, ")
    assert version_time(replace(version, at=now - timedelta(days=2)), now).startswith("Mar 8, 2026, ")


def test_another_order_of_the_fields_is_a_difference() -> None:
    first, second = (
        replace(content(), schema=Schema(True, {key: Field(FieldType.TEXT) for key in keys}))
        for keys in ("ab", "ba")
    )
    comparison = compare_contents(first, second)
    assert not comparison.is_equal
    (row,) = study_differences(comparison)
    assert (row.title, row.before, row.after) == ("Order of the fields", "a, b", "b, a")
    assert "schema changed" in summary(comparison)
