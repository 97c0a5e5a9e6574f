"""Which entries an edit or a copy is about, and why an edit may be refused."""

from collections.abc import Collection
from dataclasses import dataclass

from batchwright.base.i18n import _
from batchwright.layout.model import Layout
from batchwright.layout.nodes import Level, Node, NodePath


class EditRefused(Exception):
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

    entries: tuple[Node, ...]
    places: tuple[NodePath, ...]

    @property
    def keys(self) -> frozenset[str]:
        """The keys of the entries themselves."""
        return frozenset(entry.key for entry in self.entries)

    @property
    def level(self) -> Level:
        """The one level at which all of them stand.

        Raises:
            EditRefused: they stand at several.
        """
        levels = {place.level for place in self.places}
        if len(levels) > 1:
            raise EditRefused(_("Select only pages, only rows, only columns or only items."))
        return levels.pop()


def select(layout: Layout, keys: Collection[str]) -> Selection:
    """The entries with these keys; one inside another that is selected, too, goes along with that one.

    Raises:
        EditRefused: one is not in the layout, or there are none.
    """
    places = layout.paths(keys)
    if not places or len(places) < len(set(keys)):
        raise EditRefused(_("The element is no longer in the layout."))
    chosen = set(places.values())
    outermost = tuple(place for place in places.values() if chosen.isdisjoint(parents(place)))
    return Selection(tuple(layout.at(place) for place in outermost), outermost)


def select_one(layout: Layout, key: str) -> tuple[NodePath, Node]:
    """The entry with this key, and where it stands.

    Raises:
        EditRefused: it is not in the layout.
    """
    selection = select(layout, (key,))
    return selection.places[0], selection.entries[0]


def parents(place: NodePath) -> tuple[NodePath, ...]:
    """The places of all that a place is inside of, page first."""
    path = place.path
    return tuple(NodePath(*path[:depth]) for depth in range(1, len(path)))
