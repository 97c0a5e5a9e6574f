"""The payloads of drags, and the edits that dropping them applies. Previews use the same edits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from batchwright.base.i18n import _
from batchwright.layout.editing.edits import (
    Add,
    AddBlock,
    AddItem,
    Copy,
    Edit,
    Move,
    MoveColumns,
    MoveItems,
    MovePages,
    MoveRows,
)
from batchwright.layout.editing.selection import EditRejected, select
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.model import Layout
from batchwright.layout.nodes import Level, Node, ObjectNode
from batchwright.layout.serialization import random_keys
from batchwright.schema.model import Schema
from batchwright.ui.editor.core.item_labels import ItemLabel, count_phrase, item_label

_MOVE_EDITS: dict[Level, type[Move]] = {
    Level.PAGE: MovePages,
    Level.ROW: MoveRows,
    Level.COLUMN: MoveColumns,
    Level.ITEM: MoveItems,
}


def _seed() -> str:
    return next(random_keys())


@dataclass(frozen=True)
class DragPayload:
    """The payload of a drag: its title and icon, the number of nodes, and their level.

    One seed for new keys is used for the whole drag, so that the previewed edit equals the applied one.
    """

    label: ItemLabel
    count: int = 1
    level: Level = Level.ITEM
    seed: str = field(default_factory=_seed, kw_only=True)

    @property
    def is_new(self) -> bool:
        """Whether the nodes are not in the layout yet."""
        return True

    @property
    def name(self) -> str:
        """How the payload is named in a sentence: its title, or the number and level of its nodes."""
        return self.label.title if self.count == 1 else count_phrase(self.level, self.count)

    def edit(self, insertion_point: InsertionPoint, *, copies: bool = False) -> Edit:
        """The edit that inserts the payload.

        With `copies`, nodes of the layout are copied instead of moved.
        """
        raise EditRejected(_("This cannot be added to a layout."))


@dataclass(frozen=True)
class NewItemPayload(DragPayload):
    """An item from the palette that is not in the layout yet."""

    node: Node | None = None

    def edit(self, insertion_point: InsertionPoint, *, copies: bool = False) -> Edit:
        """The edit that adds the item."""
        del copies
        return AddItem(() if self.node is None else (self.node,), insertion_point, seed=self.seed)


@dataclass(frozen=True)
class MovedNodesPayload(DragPayload):
    """Nodes of the layout that are moved or copied."""

    keys: tuple[str, ...] = ()

    @property
    def is_new(self) -> bool:
        """Always False: the nodes are in the layout."""
        return False

    def edit(self, insertion_point: InsertionPoint, *, copies: bool = False) -> Edit:
        """The edit that moves or copies the nodes."""
        if copies:
            return Copy(self.keys, insertion_point, seed=self.seed)
        return _MOVE_EDITS[self.level](self.keys, insertion_point, seed=self.seed)


@dataclass(frozen=True)
class ExternalNodesPayload(DragPayload):
    """Nodes from another study or program, which are copied."""

    nodes: tuple[Node, ...] = ()

    def edit(self, insertion_point: InsertionPoint, *, copies: bool = False) -> Edit:
        """The edit that adds copies of the nodes; the originals are unchanged."""
        del copies
        return Add(self.nodes, insertion_point, seed=self.seed)


@dataclass(frozen=True)
class BlockPayload(ExternalNodesPayload):
    """The nodes of a block of the user, with new keys, and the names of its pages by key."""

    page_names: Mapping[str, str] = field(default_factory=dict, kw_only=True)

    def edit(self, insertion_point: InsertionPoint, *, copies: bool = False) -> Edit:
        """The edit that adds the nodes."""
        del copies
        return AddBlock(self.nodes, insertion_point, seed=self.seed, page_names=self.page_names)


@dataclass(frozen=True)
class RejectedPayload(DragPayload):
    """A payload that cannot be dropped; `reason` says what is possible."""

    reason: str = ""

    def edit(self, insertion_point: InsertionPoint, *, copies: bool = False) -> Edit:
        """Raises `EditRejected`."""
        del insertion_point, copies
        raise EditRejected(self.reason)


def payload_for_nodes(layout: Layout, keys: Sequence[str], schema: Schema | None = None) -> MovedNodesPayload:
    """Create the payload for nodes of one level.

    Raises:
        EditRejected: the nodes are of different levels, or no longer exist.
    """
    selection = select(layout, keys)
    label = item_label(selection.nodes[0], schema)
    if selection.level is not Level.ITEM:
        label = replace(label, title=f"{label.title} {selection.paths[0].indices[-1] + 1}")
    names = tuple(node.key for node in selection.nodes)
    return MovedNodesPayload(label, len(names), selection.level, names)


def payload_from_outside(nodes: tuple[Node, ...], schema: Schema | None = None) -> ExternalNodesPayload:
    """Create the payload for nodes that are not in the layout; there must be at least one."""
    level = next((node.level for node in nodes if isinstance(node, ObjectNode)), Level.ITEM)
    return ExternalNodesPayload(item_label(nodes[0], schema), len(nodes), level, nodes)
