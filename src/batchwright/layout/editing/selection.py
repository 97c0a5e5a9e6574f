"""Looks up the nodes for an edit or a copy; defines the exception for rejected edits."""

from collections.abc import Collection
from dataclasses import dataclass

from batchwright.base.i18n import _
from batchwright.layout.model import Layout
from batchwright.layout.nodes import Level, Node, NodePath


class EditRejected(Exception):
    """An edit cannot be applied; nothing has changed. `reason` explains it to the user.

    Also raised if the target no longer exists: the caller (a drop, a menu, an open form)
    decides whether to show the reason.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Selection:
    """Nodes of a layout in reading order; none is inside another."""

    nodes: tuple[Node, ...]
    paths: tuple[NodePath, ...]

    @property
    def keys(self) -> frozenset[str]:
        """The keys of the nodes, without those inside them."""
        return frozenset(node.key for node in self.nodes)

    @property
    def level(self) -> Level:
        """The common level of the nodes.

        Raises:
            EditRejected: they are of several levels.
        """
        levels = {path.level for path in self.paths}
        if len(levels) > 1:
            raise EditRejected(_("Select only pages, only rows, only columns or only items."))
        return levels.pop()


def select(layout: Layout, keys: Collection[str]) -> Selection:
    """The nodes with these keys, without those inside other selected nodes.

    Raises:
        EditRejected: one is not in the layout, or there are no keys.
    """
    paths = layout.paths(keys)
    if not paths or len(paths) < len(set(keys)):
        raise EditRejected(_("The element is no longer in the layout."))
    selected_indices = set(paths.values())
    outermost = tuple(path for path in paths.values() if selected_indices.isdisjoint(parents(path)))
    return Selection(tuple(layout.at(path) for path in outermost), outermost)


def select_node(layout: Layout, key: str) -> tuple[NodePath, Node]:
    """The node with this key, and its path.

    Raises:
        EditRejected: it is not in the layout.
    """
    selection = select(layout, (key,))
    return selection.paths[0], selection.nodes[0]


def parents(place: NodePath) -> tuple[NodePath, ...]:
    """The paths of all ancestors, page first."""
    indices = place.indices
    return tuple(NodePath(*indices[:depth]) for depth in range(1, len(indices)))
