"""Compares two layouts whose nodes have keys: nodes of a level with the same key are the same node.

A comparison takes O(n log n) time in the number of nodes.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from batchwright.base.cooperative import yielding_gil
from batchwright.base.json_values import Json, JsonObject, json_equal
from batchwright.layout.model import Layout
from batchwright.layout.nodes import InvalidNode, Level, Node, NodePath, ObjectNode


class Change(Enum):
    """What can happen to a node between two layouts; a node can be both moved and changed."""

    UNCHANGED = "unchanged"
    ADDED = "added"
    REMOVED = "removed"
    MOVED = "moved"
    """It has another parent, or another position among the siblings that both layouts have."""
    CHANGED = "changed"
    """Its own attributes differ; those of its children do not count."""


@dataclass(frozen=True)
class AttributeChange:
    """An attribute whose value differs; the value is None where the attribute is not set.

    The value of an invalid node counts as an attribute with an empty name.
    """

    name: str
    before: Json
    after: Json
    was_set: bool
    is_set: bool


@dataclass(frozen=True)
class NodeComparison:
    """A node of either layout; node and path are None in a layout that does not have it."""

    key: str
    level: Level
    """The level in the later layout, or in the earlier one if the node was removed."""
    before: Node | None
    after: Node | None
    path_before: NodePath | None
    path_after: NodePath | None
    is_moved: bool = False
    attributes: tuple[AttributeChange, ...] = ()
    """The changed attributes of a node that is in both layouts, in the order in which they are written."""

    @property
    def changes(self) -> tuple[Change, ...]:
        """`UNCHANGED` alone, `ADDED` alone, `REMOVED` alone, or `MOVED`, `CHANGED` or both."""
        if self.before is None:
            return (Change.ADDED,)
        if self.after is None:
            return (Change.REMOVED,)
        moved = (Change.MOVED,) if self.is_moved else ()
        changed = (Change.CHANGED,) if self.attributes else ()
        return (*moved, *changed) or (Change.UNCHANGED,)


@dataclass(frozen=True)
class LayoutComparison:
    """All nodes of two layouts: those of the later one in reading order, then the removed ones likewise."""

    nodes: tuple[NodeComparison, ...]
    counts: Mapping[tuple[Level, Change], int]
    """The numbers of nodes by level and change; a moved and changed node counts as both."""

    @property
    def is_equal(self) -> bool:
        """Whether the layouts are equal."""
        return all(change is Change.UNCHANGED for _level, change in self.counts)

    @cached_property
    def by_key(self) -> Mapping[str, NodeComparison]:
        """The nodes by key; of two that have the same one at different levels, the later node."""
        return {node.key: node for node in reversed(self.nodes)}

    def at_level(self, level: Level, *changes: Change) -> tuple[NodeComparison, ...]:
        """The nodes of a level with one of these changes, or all of them."""
        return tuple(
            node
            for node in self.nodes
            if node.level is level and (not changes or not set(changes).isdisjoint(node.changes))
        )

    def count(self, level: Level, change: Change) -> int:
        """The number of nodes of a level with a change; a moved and changed node counts as both."""
        return self.counts.get((level, change), 0)


def compare_layouts(before: Layout, after: Layout) -> LayoutComparison:
    """Compare two layouts, the earlier one first."""
    earlier = {entry.node.key: entry for entry in yielding_gil(_entries(before.pages))}
    later = {entry.node.key: entry for entry in yielding_gil(_entries(after.pages))}
    common = {key for key, entry in later.items() if key in earlier and earlier[key].level is entry.level}
    moved = _moved_keys(common, earlier, later)
    compared = (
        _comparison(earlier[key] if key in common else None, entry, key in moved)
        for key, entry in yielding_gil(later.items())
    )
    nodes = (*compared, *(_removed(entry) for key, entry in earlier.items() if key not in common))
    counts = Counter((node.level, change) for node in yielding_gil(nodes) for change in node.changes)
    return LayoutComparison(nodes, counts)


class _Entry(NamedTuple):
    node: Node
    path: NodePath
    parent: str | None
    """The key of the parent; None for a page."""

    @property
    def level(self) -> Level:
        """The level of the node."""
        return Level(len(self.path.indices) - 1)


def _entries(
    nodes: Sequence[Node], parent: str | None = None, indices: tuple[int, ...] = ()
) -> Iterator[_Entry]:
    """The nodes and their descendants in reading order."""
    for index, node in enumerate(nodes):
        path = (*indices, index)
        yield _Entry(node, NodePath(*path), parent)
        yield from _entries(node.children, node.key, path)


def _comparison(before: _Entry | None, after: _Entry, is_moved: bool) -> NodeComparison:
    node, path = after.node, after.path
    if before is None:
        return NodeComparison(node.key, path.level, None, node, None, path)
    attributes = () if before.node is node else tuple(attribute_changes(before.node, node))
    return NodeComparison(
        node.key, path.level, before.node, node, before.path, path, is_moved=is_moved, attributes=attributes
    )


def _removed(entry: _Entry) -> NodeComparison:
    return NodeComparison(entry.node.key, entry.path.level, entry.node, None, entry.path, None)


def attribute_changes(before: Node, after: Node) -> Iterator[AttributeChange]:
    """The attributes that differ between two nodes, in the order in which they are written."""
    old, new = _attributes(before), _attributes(after)
    if old is new:
        return
    for name in {**old, **new}:
        was_set, is_set = name in old, name in new
        if not (was_set and is_set and json_equal(old[name], new[name])):
            yield AttributeChange(name, old.get(name), new.get(name), was_set, is_set)


def _attributes(node: Node) -> JsonObject:
    match node:
        case ObjectNode():
            return node.attributes
        case InvalidNode():
            return {"": node.value}
    raise TypeError(f"{type(node).__name__} is not a node of a layout")


def _moved_keys(
    common: Collection[str], earlier: Mapping[str, _Entry], later: Mapping[str, _Entry]
) -> frozenset[str]:
    """The keys of as few of the kept nodes as have to be moved to make one order of the other."""
    moved: set[str] = set()
    siblings: defaultdict[str | None, list[str]] = defaultdict(list)
    for key, entry in later.items():
        if key not in common:
            continue
        if earlier[key].parent == entry.parent:
            siblings[entry.parent].append(key)
        else:
            moved.add(key)
    for keys in siblings.values():
        previous = [earlier[key].path.indices[-1] for key in keys]
        in_order = _longest_increasing(previous)
        moved.update(key for key, index in zip(keys, previous, strict=True) if index not in in_order)
    return frozenset(moved)


def _longest_increasing(numbers: Sequence[int]) -> frozenset[int]:
    """A longest increasing subsequence of distinct numbers, by patience sorting."""
    tops: list[int] = []
    """For each length, the smallest last number of an increasing subsequence of that length."""
    predecessor: dict[int, int] = {}
    for number in numbers:
        length = bisect_left(tops, number)
        if length:
            predecessor[number] = tops[length - 1]
        tops[length : length + 1] = [number]
    chosen = tops[-1:]
    while chosen and chosen[-1] in predecessor:
        chosen.append(predecessor[chosen[-1]])
    return frozenset(chosen)
