"""Random sequences of edits keep a layout well-formed and lose nothing."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from batchwright.base.json_values import Json, json_equal, parse
from batchwright.layout.checking.fix_all import FixAllOfKind
from batchwright.layout.checking.validator import LayoutChecker
from batchwright.layout.editing.clipboard import (
    ClipboardNodes,
    clipboard_nodes,
    nodes_to_paste,
    parse_clipboard,
)
from batchwright.layout.editing.edits import (
    AddItem,
    AddPage,
    Copy,
    Cut,
    Duplicate,
    Edit,
    MergeColumns,
    MergePages,
    MoveColumns,
    MoveItems,
    MovePages,
    MoveRows,
    Paste,
    Remove,
    SetAttributes,
    SplitPage,
    SplitRow,
    SplitWideRow,
)
from batchwright.layout.editing.history import History
from batchwright.layout.editing.selection import EditRejected
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.file_format import LayoutFile, file_content, read_file
from batchwright.layout.ids import assign_ids, id_of, ids_from_response, to_request
from batchwright.layout.item_types.registry import Item
from batchwright.layout.model import Column, Layout, Page, Row
from batchwright.layout.nodes import Level, Node
from batchwright.layout.serialization import random_keys, read, read_item, sequential_keys, write
from batchwright.local.projects import Project, project_content
from batchwright.local.study_files.project_parser import read_project
from tests.layout.random_layouts import any_json, any_pages, well_formed_pages

MOVES = {Level.PAGE: MovePages, Level.ROW: MoveRows, Level.COLUMN: MoveColumns, Level.ITEM: MoveItems}
INDEXES = st.integers(0, 4)


def ill_formed(layout: Layout) -> set[str]:
    """The keys of rows and columns that the service would reject for their number of children."""
    return {
        node.key
        for node in layout.walk_all()
        if (isinstance(node, (Row, Column)) and not node.children)
        or (isinstance(node, Row) and len(node.children) > 2)
    }


def rejections(layout: Layout) -> Counter[tuple[str, str]]:
    """How often each rejecting rule is violated, by the key of the node."""
    problems = LayoutChecker().check(layout)
    return Counter(
        (problem.code, layout.at(problem.path).key if problem.path.indices else "")
        for problem in problems
        if problem.rejection
    )


def item_keys(layout: Layout) -> set[str]:
    return {node.key for node in layout.walk_all() if isinstance(node, Item)}


class Editing(RuleBasedStateMachine):
    """A user who edits one layout."""

    history: History[Layout]
    start: Layout
    clipboard: ClipboardNodes | None
    checker: LayoutChecker
    """Checks every layout of the sequence, like the checker of a window."""

    @initialize(pages=any_pages() | well_formed_pages())
    def open(self, pages: list[Json]) -> None:
        self.start = read(pages, random_keys())
        self.history = History(self.start)
        self.clipboard = None
        self.checker = LayoutChecker()

    @property
    def now(self) -> Layout:
        return self.history.now

    def do(self, edit: Edit, *, merge_key: str | None = None) -> bool:
        """Try an edit; a rejected one must change nothing, and repeating one must give the same result."""
        before = self.history
        try:
            self.history = before.do(edit, merge_key)
        except EditRejected:
            return False
        assert edit(before.now) == edit(before.now) == self.now
        return True

    def some_keys(
        self, data: st.DataObject, kind: Callable[[Node], bool] = lambda _entry: True
    ) -> tuple[str, ...]:
        keys = [node.key for node in self.now.walk_all() if kind(node)] or ["gone"]
        return tuple(data.draw(st.lists(st.sampled_from(keys), min_size=1, max_size=3)))

    def some_of_a_level(self, data: st.DataObject) -> tuple[Level, tuple[str, ...]]:
        paths = self.now.paths([node.key for node in self.now.walk_all()])
        if not paths:
            return Level.ITEM, ("gone",)
        level = data.draw(st.sampled_from(sorted({path.level for path in paths.values()})))
        return level, self.some_keys(data, lambda entry: paths[entry.key].level is level)

    def some_insertion_point(self, data: st.DataObject) -> InsertionPoint:
        holders = [None, *(node.key for node in self.now.walk_all() if not isinstance(node, Item))]
        return InsertionPoint(data.draw(st.sampled_from(holders)), data.draw(INDEXES))

    @rule(data=st.data())
    def move(self, data: st.DataObject) -> None:
        level, keys = self.some_of_a_level(data)
        before = self.now
        self.do(MOVES[level](keys, self.some_insertion_point(data)))
        assert item_keys(self.now) == item_keys(before)
        assert ill_formed(self.now) <= ill_formed(before)

    @rule(data=st.data(), index=INDEXES)
    def split_and_merge(self, data: st.DataObject, index: int) -> None:
        rows = self.some_keys(data, lambda entry: isinstance(entry, Row))
        pages = self.some_keys(data, lambda entry: isinstance(entry, Page))
        edits: list[Edit] = [
            SplitRow(rows[0], index),
            SplitPage(pages[0], index),
            MergeColumns(rows[0]),
            MergePages(pages),
        ]
        before = self.now
        self.do(data.draw(st.sampled_from(edits)))
        assert item_keys(self.now) == item_keys(before)
        assert ill_formed(self.now) <= ill_formed(before)

    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        keys = self.some_keys(data)
        before = self.now
        if self.do(Remove(keys)):
            assert not self.now.paths(keys)
        assert ill_formed(self.now) <= ill_formed(before)

    @rule(data=st.data(), added=any_json())
    def add(self, data: st.DataObject, added: Json) -> None:
        item = read_item({"type": "new", "value": added}, random_keys())
        page = Page(next(random_keys()), {})
        gap = self.some_insertion_point(data)
        self.do(AddItem((item,), gap))
        self.do(AddPage((page,), InsertionPoint(None, gap.index)))
        assert self.now.paths((page.key,))

    @rule(data=st.data())
    def copy(self, data: st.DataObject) -> None:
        _level, keys = self.some_of_a_level(data)
        before = self.now
        edits: list[Edit] = [Duplicate(keys), Copy(keys, self.some_insertion_point(data))]
        self.do(data.draw(st.sampled_from(edits)))
        assert {node.key for node in before.walk_all()} <= {node.key for node in self.now.walk_all()}

    @rule(data=st.data(), is_cut=st.booleans())
    def put_on_the_clipboard(self, data: st.DataObject, is_cut: bool) -> None:
        _level, keys = self.some_of_a_level(data)
        if keys != ("gone",):
            self.clipboard = clipboard_nodes(self.now, keys)
            if is_cut:
                assert self.do(Cut(keys))

    @precondition(lambda self: self.clipboard is not None)
    @rule(data=st.data(), by_text=st.booleans())
    def paste(self, data: st.DataObject, by_text: bool) -> None:
        clipped = self.clipboard
        assert clipped is not None
        if by_text and all(isinstance(entry, Item) and entry.kind is not None for entry in clipped.nodes):
            clipped = parse_clipboard(clipped.text, random_keys())
        self.do(Paste(nodes_to_paste(clipped, self.now, random_keys()), self.some_insertion_point(data)))

    @rule(data=st.data(), value=any_json(), merge_key=st.none() | st.just("typing"))
    def change(self, data: st.DataObject, value: Json, merge_key: str | None) -> None:
        (key, *_more) = self.some_keys(data)
        self.do(SetAttributes(key, {"description": value}), merge_key=merge_key)

    @rule(data=st.data())
    def split_wide_row(self, data: st.DataObject) -> None:
        before = self.now
        self.do(SplitWideRow(self.some_keys(data, lambda entry: isinstance(entry, Row))[0]))
        assert item_keys(self.now) == item_keys(before)
        assert ill_formed(self.now) <= ill_formed(before)

    @rule(data=st.data(), all_of_them=st.booleans())
    def fix(self, data: st.DataObject, all_of_them: bool) -> None:
        fixable = [problem for problem in self.checker.check(self.now) if problem.fix is not None]
        if not fixable:
            return
        problem = data.draw(st.sampled_from(fixable))
        assert problem.fix is not None
        before = rejections(self.now)
        assert self.do(FixAllOfKind(problem.code, self.checker) if all_of_them else problem.fix)
        assert rejections(self.now) <= before

    @rule()
    def undo(self) -> None:
        before = self.history
        self.history = before.undo()
        assert (self.history is before) == (not before.past)
        assert not before.past or self.history.redo().now is before.now

    @rule()
    def redo(self) -> None:
        before = self.history
        self.history = before.redo()
        assert (self.history is before) == (not before.future)
        assert not before.future or self.history.undo().now is before.now

    @rule()
    def save_and_open_a_plain_file(self) -> None:
        opened = read_file(file_content(LayoutFile(self.now)), (node.key for node in self.now.walk_all()))
        assert opened.layout == self.now

    @rule(json_object=st.dictionaries(st.sampled_from(["flows", "later", "x"]), any_json(), max_size=2))
    def save_and_open_a_project(self, json_object: dict[str, Json]) -> None:
        names = {page.key: f"Page {number}" for number, page in enumerate(self.now.pages)}
        project = Project("Study", self.now, page_names=names, unknown_keys=json_object)
        opened = read_project(project_content(project))
        assert opened.layout == self.now
        assert opened.page_names == names
        assert json_equal(opened.unknown_keys, json_object)

    @rule()
    def close_and_open_again(self) -> None:
        """Reopen the project: the undo history is empty, and the keys are those of the file."""
        self.start = read_project(project_content(Project("Study", self.now))).layout
        self.history = History(self.start)

    @rule()
    def send(self) -> None:
        numbers = count()
        answer = assign_ids(
            read(to_request(self.now, {}), sequential_keys()), (), lambda: f"id{next(numbers)}"
        )
        ids = ids_from_response(self.now, answer)
        again = read(to_request(self.now, ids, batch_ids=()), (node.key for node in self.now.walk_all()))
        assert {node.key: id_of(node) for node in again.walk_all() if node.key in ids} == ids

    @invariant()
    def the_problems_are_those_of_a_new_checker(self) -> None:
        assert self.checker.check(self.now) == LayoutChecker().check(self.now)

    @invariant()
    def no_key_is_used_twice(self) -> None:
        keys = [node.key for node in self.now.walk_all()]
        assert len(keys) == len(set(keys))

    @invariant()
    def every_node_is_found_at_its_path(self) -> None:
        keys = [node.key for node in self.now.walk_all()]
        paths = self.now.paths(keys)
        assert list(paths) == keys
        assert all(self.now.at(path).key == key for key, path in paths.items())

    def teardown(self) -> None:
        if not hasattr(self, "history"):
            return
        last = self.history
        while last.future:
            last = last.redo()
        current = last
        while current.past:
            current = current.undo()
        assert current.now is self.start
        while current.future:
            current = current.redo()
        assert current.now is last.now


Editing.TestCase.settings = settings(max_examples=30, stateful_step_count=25)
TestEditing = Editing.TestCase


class LongEditing(Editing):
    """A user with many more edits."""


LongEditing.TestCase.settings = settings(max_examples=300, stateful_step_count=60)
TestLongEditing = pytest.mark.timeout(1200)(pytest.mark.long(LongEditing.TestCase))


def same_keys(layout: Layout) -> Iterator[str]:
    return (node.key for node in layout.walk_all())


@given(any_pages())
def test_reading_and_writing_back_changes_nothing(pages: list[Json]) -> None:
    layout = read(pages, sequential_keys())
    assert json_equal(write(layout), pages)
    assert read(write(layout), same_keys(layout)) == layout


@given(any_pages(), any_json())
def test_a_file_with_any_pages_is_written_back_as_equal_json(pages: list[Json], other: Json) -> None:
    complete = {"first": other, "batch_items": pages, "last": other}
    file = LayoutFile(read(pages, sequential_keys()), {**complete, "batch_items": None})
    content = file_content(file)
    assert json_equal(parse(content), complete)
    assert read_file(content, sequential_keys()) == file


@given(well_formed_pages())
def test_a_valid_layout_gets_an_id_for_every_node_and_keeps_all_nodes(pages: list[Json]) -> None:
    numbers = count()
    layout = read(pages, sequential_keys())
    answer = assign_ids(read(to_request(layout, {}), sequential_keys()), (), lambda: f"id{next(numbers)}")
    ids = ids_from_response(layout, answer)
    assert set(ids) == set(same_keys(layout))
    sent = to_request(layout, ids)
    assert assign_ids(read(sent, sequential_keys()), set(ids.values()), lambda: "new") == answer
