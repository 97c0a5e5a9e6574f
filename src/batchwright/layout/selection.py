"""Which entries an edit or a copy is about, and why an edit may be refused."""

from collections.abc import Collection
from dataclasses import dataclass

from batchwright.base.i18n import _
from batchwright.layout.model import Layout
from batchwright.layout.nodes import Level, Node, NodePath


class EditRejected(Exception):
    """An edit cannot be done; nothing has changed. `reason` says why, to the person who tried.

    This is the one answer to an edit whose target is gone, too: what calls an edit (a drop, a
    menu, a form that was still open) decides whether that is worth showing.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Selection:
    """Entries of a layout in reading order, none inside another."""

    nodes: tuple[Node, ...]
    paths: tuple[NodePath, ...]

    @property
    def keys(self) -> frozenset[str]:
        """The keys of the entries themselves."""
        return frozenset(node.key for node in self.nodes)

    @property
    def level(self) -> Level:
        """The one level at which all of them stand.

        Raises:
            EditRejected: they stand at several.
        """
        levels = {path.level for path in self.paths}
        if len(levels) > 1:
            raise EditRejected(_("Select only pages, only rows, only columns or only items."))
        return levels.pop()


def select(layout: Layout, keys: Collection[str]) -> Selection:
    """The entries with these keys; one inside another that is selected, too, goes along with that one.

    Raises:
        EditRejected: one is not in the layout, or there are none.
    """
    paths = layout.paths(keys)
    if not paths or len(paths) < len(set(keys)):
        raise EditRejected(_("The element is no longer in the layout."))
    chosen = set(paths.values())
    outermost = tuple(path for path in paths.values() if chosen.isdisjoint(parents(path)))
    return Selection(tuple(layout.at(path) for path in outermost), outermost)


def select_node(layout: Layout, key: str) -> tuple[NodePath, Node]:
    """The entry with this key, and where it stands.

    Raises:
        EditRejected: it is not in the layout.
    """
    selection = select(layout, (key,))
    return selection.paths[0], selection.nodes[0]


def parents(place: NodePath) -> tuple[NodePath, ...]:
    """The places of all that a place is inside of, page first."""
    indices = place.indices
    return tuple(NodePath(*indices[:depth]) for depth in range(1, len(indices)))
