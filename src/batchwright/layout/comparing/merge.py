"""Merges two layouts that were both derived from an earlier one, node by node.

Nodes with the same key are the same node. What only one side has changed is taken from that side: attributes,
parent, order of the children, and whether a node exists. What both have changed differently is a conflict,
for which a side has to be chosen.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import Enum
from itertools import chain

from batchwright.base.json_values import json_equal
from batchwright.layout.editing.tree_edits import MAX_COLUMNS
from batchwright.layout.model import Layout, Row
from batchwright.layout.nodes import InvalidNode, Level, Node, ObjectNode


class MergeSide(Enum):
    """One of the two layouts that are merged."""

    MINE = "mine"
    THEIRS = "theirs"


class ConflictKind(Enum):
    """What both sides have changed differently."""

    ATTRIBUTES = "attributes"
    PARENT = "parent"
    """Both have moved the node, each to another place."""
    ORDER = "order"
    """Both have sorted the children of the node."""
    REMOVED_BY_ME = "removed by me"
    """My side has removed the node, the other has changed it or something in it."""
    REMOVED_BY_THEM = "removed by them"


@dataclass(frozen=True)
class MergeConflict:
    """A conflict at a node; the key is empty for the order of the pages. A side that removed it has none."""

    kind: ConflictKind
    key: str
    base: Node | None
    mine: Node | None
    theirs: Node | None

    @property
    def identity(self) -> "ConflictIdentity":
        """Identifies it among the conflicts of one merge."""
        return self.kind, self.key


ConflictIdentity = tuple[ConflictKind, str]
Choices = Mapping[ConflictIdentity, MergeSide]


@dataclass(frozen=True)
class Merge:
    """A merged layout; for conflicts without a choice it has my side."""

    layout: Layout
    conflicts: tuple[MergeConflict, ...]
    """All conflicts in reading order; also those for which a side was chosen."""


def merge_layouts(base: Layout, mine: Layout, theirs: Layout, choices: Choices | None = None) -> Merge:
    """Merge the changes from `base` to `mine` and from `base` to `theirs`.

    Containers that lose all their children are removed; columns of a row that becomes too wide continue in
    rows of their own.
    """
    return _Merger(_Tree(base), _Tree(mine), _Tree(theirs), choices or {}).merge()


class _Tree:
    """The nodes of a layout by key, with parents and children; the key of a page's parent is empty."""

    def __init__(self, layout: Layout) -> None:
        self.nodes: dict[str, Node] = {}
        self.parents: dict[str, str] = {}
        self.children: dict[str, list[str]] = {}
        self.levels: dict[str, Level] = {}
        self._add(layout.pages, "", Level.PAGE)

    def _add(self, nodes: Sequence[Node], parent: str, level: Level) -> None:
        self.children[parent] = [node.key for node in nodes]
        for node in nodes:
            self.nodes[node.key], self.parents[node.key], self.levels[node.key] = node, parent, level
            if node.children:
                self._add(node.children, node.key, Level(level + 1))

    def children_of(self, key: str) -> Sequence[str]:
        return self.children.get(key, ())


class _Merger:
    def __init__(self, base: _Tree, mine: _Tree, theirs: _Tree, choices: Choices) -> None:
        self._base, self._mine, self._theirs, self._choices = base, mine, theirs, choices
        self._conflicts: dict[str, list[MergeConflict]] = {}
        self._parents: dict[str, str] = {}

    def merge(self) -> Merge:
        removed = {*self._removed_by(MergeSide.MINE), *self._removed_by(MergeSide.THEIRS)}
        parents = {key: self._possible_parents(key) for key in self._keys()}
        removed -= self._needed(parents, removed)
        self._place({key: possible for key, possible in parents.items() if key not in removed})
        members: dict[str, set[str]] = {}
        for key, parent in self._parents.items():
            members.setdefault(parent, set()).add(key)
        layout = Layout().with_children([*self._built_children("", members)])
        return Merge(
            layout, tuple(chain.from_iterable(self._conflicts.get(key, ()) for key in self._order()))
        )

    def _keys(self) -> Iterator[str]:
        """The keys of both sides, outer nodes first."""
        both = {**self._mine.nodes, **self._theirs.nodes}
        return iter(sorted(both, key=lambda key: self._tree_with(key).levels[key]))

    def _order(self) -> Iterable[str]:
        """The keys of conflicts in reading order, then those of nodes that both sides have removed."""
        return dict.fromkeys(("", *self._mine.nodes, *self._theirs.nodes, *self._base.nodes))

    def _tree_with(self, key: str) -> _Tree:
        return self._mine if key in self._mine.nodes else self._theirs

    def _tree(self, side: MergeSide) -> _Tree:
        return self._mine if side is MergeSide.MINE else self._theirs

    def _choose(self, kind: ConflictKind, key: str) -> MergeSide:
        """Record a conflict and return the side that was chosen for it."""
        nodes = (tree.nodes.get(key) for tree in (self._base, self._mine, self._theirs))
        conflict = MergeConflict(kind, key, *nodes)
        self._conflicts.setdefault(key, []).append(conflict)
        return self._choices.get(conflict.identity, MergeSide.MINE)

    def _removed_by(self, side: MergeSide) -> Iterator[str]:
        """The nodes that a side has removed, unless the other has changed them and was chosen."""
        tree = self._tree(side)
        other_side = MergeSide.THEIRS if side is MergeSide.MINE else MergeSide.MINE
        kind = ConflictKind.REMOVED_BY_ME if side is MergeSide.MINE else ConflictKind.REMOVED_BY_THEM
        for key, parent in self._base.parents.items():
            is_outermost = key not in tree.nodes and (not parent or parent in tree.nodes)
            if not is_outermost:
                continue
            members = frozenset(self._removed_with(key, tree))
            is_conflict = any(self._is_changed(member, members, other_side) for member in members)
            if not is_conflict or self._choose(kind, key) is side:
                yield from members

    def _removed_with(self, key: str, tree: _Tree) -> Iterator[str]:
        """A removed node and its descendants, without those that were moved out of it before."""
        yield key
        for child in self._base.children_of(key):
            if child not in tree.nodes:
                yield from self._removed_with(child, tree)

    def _is_changed(self, key: str, members: frozenset[str], side: MergeSide) -> bool:
        """Whether a side has changed a node, moved it, or put another node into it."""
        tree = self._tree(side)
        if key not in tree.nodes:
            return False
        return (
            not has_same_attributes(tree.nodes[key], self._base.nodes[key])
            or tree.parents[key] != self._base.parents[key]
            or any(self._base.parents.get(child) not in members for child in tree.children_of(key))
        )

    def _possible_parents(self, key: str) -> Sequence[str]:
        """The parents of a node on both sides, the chosen one first."""
        sides = [tree.parents[key] for tree in (self._mine, self._theirs) if key in tree.parents]
        return self._parent(key), *sides

    def _needed(self, parents: Mapping[str, Sequence[str]], removed: Set[str]) -> set[str]:
        """The removed nodes that are still around a node of both sides, which would otherwise be lost.

        One side has moved it into what the other removed, and has removed its former parent: it stays there.
        """
        placed, needed = {""}, set[str]()
        for key, possible in parents.items():
            if key in removed:
                continue
            if placed.isdisjoint(possible) and key in self._mine.nodes and key in self._theirs.nodes:
                former = self._base.parents.get(key, possible[0])
                outer = former if former in possible else possible[0]
                while outer not in placed:
                    needed.add(outer)
                    placed.add(outer)
                    outer = parents[outer][0]
            if not placed.isdisjoint(possible):
                placed.add(key)
        return needed

    def _place(self, parents: Mapping[str, Sequence[str]]) -> None:
        """Determine the parents of these nodes, outer nodes first; a node without one is left out."""
        for key, possible in parents.items():
            parent = next((each for each in possible if not each or each in self._parents), None)
            if parent is not None:
                self._parents[key] = parent

    def _parent(self, key: str) -> str:
        mine, theirs = self._mine.parents.get(key), self._theirs.parents.get(key)
        base = self._base.parents.get(key)
        if mine is None or theirs is None or mine == theirs or theirs == base:
            return theirs or "" if mine is None else mine
        if mine == base:
            return theirs
        return theirs if self._choose(ConflictKind.PARENT, key) is MergeSide.THEIRS else mine

    def _built_children(self, parent: str, members: Mapping[str, set[str]]) -> Iterator[Node]:
        for key in self._sorted(parent, members.get(parent, set())):
            children = [*self._built_children(key, members)]
            if children or not self._had_children(key):
                yield from _within_width(_with_children(self._node(key), children))

    def _had_children(self, key: str) -> bool:
        return any(tree.children_of(key) for tree in (self._mine, self._theirs))

    def _sorted(self, parent: str, keys: set[str]) -> list[str]:
        """The children of a node in order: each new one follows the node that precedes it on its side."""
        base, mine, theirs = (
            [key for key in tree.children_of(parent) if key in keys]
            for tree in (self._base, self._mine, self._theirs)
        )
        common = {*base} & {*mine} & {*theirs}
        orders = [[key for key in order if key in common] for order in (base, mine, theirs)]
        if orders[1] == orders[2] or orders[2] == orders[0]:
            first, second = mine, theirs
        elif orders[1] == orders[0]:
            first, second = theirs, mine
        else:
            is_mine = self._choose(ConflictKind.ORDER, parent) is MergeSide.MINE
            first, second = (mine, theirs) if is_mine else (theirs, mine)
        return _with_inserted(first, second)

    def _node(self, key: str) -> Node:
        mine, theirs = self._mine.nodes.get(key), self._theirs.nodes.get(key)
        base = self._base.nodes.get(key)
        if mine is None or theirs is None:
            return mine or theirs or self._base.nodes[key]
        if has_same_attributes(mine, theirs) or (base and has_same_attributes(theirs, base)):
            return mine
        if base is not None and has_same_attributes(mine, base):
            return theirs
        return theirs if self._choose(ConflictKind.ATTRIBUTES, key) is MergeSide.THEIRS else mine


def _with_inserted(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """The first list, with what only the second has after the same predecessor as there."""
    first_keys, second_keys = {*first}, {*second}
    followers: dict[str, list[str]] = {"": []}
    last = ""
    for key in second:
        if key in first_keys:
            last = key
            followers[last] = []
        else:
            followers[last].append(key)
    inserted: list[str] = []
    last = ""
    for key in first:
        if key in second_keys:
            inserted += followers[last]
            last = key
        inserted.append(key)
    return inserted + followers[last]


def _within_width(node: Node) -> Iterator[Node]:
    """The node; a row that is too wide continues in further rows."""
    if not isinstance(node, Row) or len(node.columns) <= MAX_COLUMNS:
        yield node
        return
    yield node.with_children(node.columns[:MAX_COLUMNS])
    for column in node.columns[MAX_COLUMNS:]:
        yield Row(f"{column.key} row", {}, (column,))


def has_same_attributes(first: Node, second: Node) -> bool:
    """Whether two nodes are equal without their children."""
    if isinstance(first, InvalidNode) and isinstance(second, InvalidNode):
        return json_equal(first.value, second.value)
    if not isinstance(first, ObjectNode) or not isinstance(second, ObjectNode):
        return False
    return type(first) is type(second) and json_equal(first.attributes, second.attributes)


def _with_children(node: Node, children: Sequence[Node]) -> Node:
    return node if isinstance(node, InvalidNode) else node.with_children(children)
