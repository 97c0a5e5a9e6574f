"""The commands of the layout editor: functions called by menus, shortcuts and buttons.

Of these, only a change of type can lose values. They are listed first, and the user has to confirm it.
"""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _, ngettext
from batchwright.base.text import truncate
from batchwright.layout.editing.clipboard import clone
from batchwright.layout.editing.edits import (
    AddBlock,
    AddItem,
    AddPage,
    ChangeType,
    Cut,
    Duplicate,
    Edit,
    MergeColumns,
    MergePages,
    Remove,
    SplitPage,
    SplitRow,
)
from batchwright.layout.editing.selection import EditRejected
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.editing.type_conversion import LostValue, convert, type_change
from batchwright.layout.item_types.registry import DatasetField, Item
from batchwright.layout.model import Page
from batchwright.layout.nodes import Level, Node, NodePath
from batchwright.layout.rules.problems import Problem
from batchwright.layout.serialization import random_keys, read_item
from batchwright.local.library import LibraryEntry
from batchwright.ui.editor.core.item_labels import item_type_label, node_name
from batchwright.ui.editor.core.keyboard_moves import (
    Direction,
    insertion_point_for,
    insertion_point_for_palette_item,
    keyboard_move,
)
from batchwright.ui.editor.core.state import EditorState
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.surfaces import SunkenSurface
from batchwright.ui.widgets.text import Label

_MAX_LISTED = 50
"""Maximum number of items whose lost values are listed."""
_MAX_TEXT = 300
"""Maximum number of characters of a lost value."""

LossesByItem = Sequence[tuple[str, Sequence[LostValue]]]
"""The names of items, each with the values that it would lose."""


def can_change(state: EditorState, to: type[Item]) -> bool:
    """Whether all selected items can be changed into a type or have it, and at least one has another."""
    items = _selected(state)
    others = [item for item in items if item.kind != to.type]
    return (
        bool(others)
        and len(items) == len(state.keys)
        and all(type_change(item, to.type) is not None for item in others)
    )


def losses(items: Sequence[Item], to: type[Item]) -> LossesByItem:
    """What each item would lose; items that lose nothing are omitted."""
    converted = [
        (node_name(item), convert(item, change).lost)
        for item in items
        if (change := type_change(item, to.type)) is not None
    ]
    return [(name, lost) for name, lost in converted if lost]


async def change_type(state: EditorState, host: QWidget, to: type[Item]) -> None:
    """Change the selected items into a type, after a question if anything would be lost."""
    items, title = _selected(state), item_type_label(to).title
    lost = losses(items, to)
    if lost and not await ChangeTypeDialog(title, lost).ask(host):
        return
    was_sent = any(item.key in state.study.remote(state.study.connection).ids for item in items)
    if state.apply(ChangeType(tuple(item.key for item in items), to.type)) and was_sent:
        state.message.emit(
            ngettext(
                "This is a new item for the service. Answers to the old one stay with that.",
                "These are new items for the service. Answers to the old ones stay with those.",
                len(items),
            )
        )


class ChangeTypeDialog(Dialog):
    """Lists what a change of the type would lose, and asks whether to go on."""

    help_address = "layout.md#questions"

    def __init__(self, type_title: str, lost: LossesByItem) -> None:
        super().__init__(
            _("Change to “{type}”?").format(type=type_title),
            ngettext(
                "The new type has no place for the following. You can undo the change.",
                "The new type has no place for the following of {count} items. You can undo the change.",
                len(lost),
            ).format(count=len(lost)),
            _("Change type"),
        )
        for name, values in lost[:_MAX_LISTED]:
            self.add(_losses_of_item(name, values))
        if len(lost) > _MAX_LISTED:
            rest = len(lost) - _MAX_LISTED
            text = ngettext("and {count} more item", "and {count} more items", rest)
            self.add(Label(text.format(count=rest), TextRole.SMALL, "text2"))


def _losses_of_item(name: str, values: Sequence[LostValue]) -> QWidget:
    surface = SunkenSurface()
    lines = column(Label(name, TextRole.SMALL_STRONG, wraps=True), gap=6, margins=12, parent=surface)
    for value in values:
        line = row(gap=12)
        title = Label(value.title[:1].upper() + value.title[1:], TextRole.SMALL, "text2", wraps=True)
        line.addWidget(title, 2, Qt.AlignmentFlag.AlignTop)
        line.addWidget(Label(truncate(value.text, _MAX_TEXT), TextRole.SMALL, wraps=True), 3)
        lines.addLayout(line)
    return surface


def _selected(state: EditorState) -> list[Item]:
    """The selected items, in reading order."""
    nodes = [state.layout.at(path) for path in state.paths().values()]
    return [node for node in nodes if isinstance(node, Item)]


_UNPLACED = NodePath()


def new_item(item_type: type[Item], field: str = "") -> Node:
    """A new item of a type, still to be filled in; a dataset field shows `field`."""
    attributes = item_type.new_attributes()
    if item_type is DatasetField:
        attributes = {**attributes, "field": field}
    return read_item(attributes, random_keys())


def block_nodes(block: LibraryEntry) -> tuple[Node, ...]:
    """The nodes of a block of the user with new keys; none if its file is damaged."""
    keys = random_keys()
    return () if block.nodes is None else tuple(clone(node, keys) for node in block.nodes.nodes)


def block_page_names(block: LibraryEntry, nodes: Sequence[Node]) -> dict[str, str]:
    """The names of the pages of a block by the keys of its copies, which `block_nodes` returned."""
    named = zip(nodes, block.page_names, strict=False)
    return {node.key: name for node, name in named if name and isinstance(node, Page)}


def insert_block(state: EditorState, block: LibraryEntry) -> None:
    """Insert the nodes of a block after the selection, as one undo step."""
    nodes = block_nodes(block)
    if block.nodes is None or not nodes:
        state.edit_rejected.emit(block.error)
        return
    if state.page is None and block.nodes.level is not Level.PAGE:
        add_page(state)
    names = block_page_names(block, nodes)
    state.apply(AddBlock(nodes, _paste_point(state, block.nodes.level), page_names=names))


def insert(state: EditorState, node: Node) -> None:
    """Insert a palette item as a new row after the selection; on a new page if there is none."""
    if state.page is None:
        add_page(state)
    insertion_point = insertion_point_for_palette_item(state.layout, state.selection.page, state.keys)
    state.apply(AddItem((node,), insertion_point))


def move(state: EditorState, direction: Direction) -> None:
    """Move the selection, or the selected pages, one step."""
    try:
        edit = keyboard_move(state.layout, state.targets, direction)
    except EditRejected as error:
        state.edit_rejected.emit(error.reason)
        return
    if edit is not None:
        state.apply(edit, select_keys=state.keys)


def remove(state: EditorState) -> None:
    """Remove the selection, or the selected pages, and select the next node."""
    _remove(state, Remove(state.targets))


def cut(state: EditorState) -> None:
    """Copy the selection to the clipboard and remove it."""
    if state.copy():
        _remove(state, Cut(state.targets))


def duplicate(state: EditorState) -> None:
    """Insert a copy after the selection, or after the selected pages."""
    state.apply(Duplicate(state.targets))


def paste(state: EditorState) -> None:
    """Insert the nodes of the clipboard after the selection."""
    state.paste(lambda level: _paste_point(state, level))


def add_page(state: EditorState) -> None:
    """Add an empty page after the page in view."""
    number = state.page_index
    index = len(state.layout.pages) if number is None else number + 1
    state.apply(AddPage((Page(next(random_keys()), {}),), InsertionPoint(None, index)))


def split_row(state: EditorState) -> None:
    """Move the selected item and those below it to a second column."""
    path = _first_path(state)
    if path.row is not None:
        row = state.layout.at(NodePath(path.page, path.row))
        state.apply(SplitRow(row.key, path.item if path.item is not None else _half(row)))


def merge_columns(state: EditorState) -> None:
    """Merge the columns of the selected row."""
    path = _first_path(state)
    if path.row is not None:
        state.apply(MergeColumns(state.layout.at(NodePath(path.page, path.row)).key))


def split_page(state: EditorState) -> None:
    """Move the selected row and those below it to a new page."""
    path = _first_path(state)
    if path.row is not None and state.page is not None:
        state.apply(SplitPage(state.page.key, path.row))


def merge_with_next_page(state: EditorState) -> None:
    """Append the rows of the next page to the page in view."""
    number, pages = state.page_index, state.layout.pages
    if number is not None and number + 1 < len(pages):
        state.apply(MergePages((pages[number].key, pages[number + 1].key)))


def select_all(state: EditorState) -> None:
    """Select every item of the page in view."""
    page = state.page
    if isinstance(page, Page):
        state.selection.select(item.key for _path, item in page.walk())


def select_parent(state: EditorState) -> None:
    """Select the parent of the selected node: its column if there are two, its row, its page.

    Of several pages the one in view stays selected.
    """
    path = _first_path(state)
    if not path.indices:
        state.selection.select(())
        return
    outer = path.parent
    if outer.indices and outer.level is Level.COLUMN and len(state.layout.at(outer.parent).children) == 1:
        outer = outer.parent
    if outer.indices:
        state.reveal(state.layout.at(outer).key)


def go_to_page(state: EditorState, by: int) -> None:
    """Show the page `by` pages further on."""
    number = state.page_index
    if number is not None and 0 <= number + by < len(state.layout.pages):
        state.selection.show_page(state.layout.pages[number + by].key)


def fix_selected(state: EditorState) -> None:
    """Fix the current problem, or the first fixable one of the selection."""
    problem = _fixable_problem(state)
    if problem is not None:
        state.fix(problem)


def fix_all_like_selected(state: EditorState) -> None:
    """Fix all problems of the rule of the problem that `fix_selected` would fix."""
    problem = _fixable_problem(state)
    if problem is not None:
        state.fix_all_like(problem)


def row_of(state: EditorState) -> Node | None:
    """The selected row, or the row of the selected node."""
    path = _first_path(state)
    return None if path.row is None else state.layout.at(NodePath(path.page, path.row))


def _fixable_problem(state: EditorState) -> Problem | None:
    """A fixable problem of the selection; if there is none, a message is shown and None returned."""
    candidates = (state.selected_problem(), *state.problems_of_targets())
    fixable = next(
        (problem for problem in candidates if problem is not None and problem.fix is not None), None
    )
    if fixable is None:
        state.edit_rejected.emit(_("No problem of the selection can be fixed automatically."))
    return fixable


def _paste_point(state: EditorState, level: Level) -> InsertionPoint:
    """The insertion point after the selection: for pages after the last selected page."""
    keys = state.targets if level is Level.PAGE else state.keys
    return insertion_point_for(state.layout, state.selection.page, keys, level)


def _remove(state: EditorState, edit: Edit) -> None:
    neighbour = _neighbour(state)
    if state.apply(edit) and neighbour is not None and state.layout.paths((neighbour,)):
        state.reveal(neighbour)


def _neighbour(state: EditorState) -> str | None:
    """The key of the node of the same level after the selection, or else before it."""
    selection, page, level = frozenset(state.targets), state.page, state.level()
    if level is None:
        siblings = [page_node.key for page_node in state.layout.pages]
    elif isinstance(page, Page):
        siblings = [node.key for path, node in page.nodes_with_paths() if path.level is level]
    else:
        return None
    last = max((number for number, key in enumerate(siblings) if key in selection), default=0)
    remaining = (key for key in siblings[last + 1 :] + siblings[:last][::-1] if key not in selection)
    return next(remaining, None)


def _first_path(state: EditorState) -> NodePath:
    return next(iter(state.paths().values()), _UNPLACED)


def _half(row: Node) -> int:
    return max(1, sum(len(column.children) for column in row.children) // 2)
