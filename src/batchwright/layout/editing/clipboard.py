"""Copying nodes to the clipboard and back, as `batch_items` JSON text.

The text is the JSON of the nodes as in `batch_items`, so that it can be pasted into a layout file or another
program. It contains no ids: pasted nodes are new nodes.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from batchwright.base.i18n import _
from batchwright.base.json_values import (
    DEEPEST,
    DEEPEST_WRAPPED,
    InvalidJson,
    Json,
    is_array,
    parse,
    to_json,
    too_deep,
)
from batchwright.layout.editing.selection import select
from batchwright.layout.file_format import KEY, InvalidLayoutFile
from batchwright.layout.model import Layout
from batchwright.layout.nodes import InvalidNode, Level, Node, ObjectNode
from batchwright.layout.serialization import INSIDE, node_to_json, random_keys, read_node


@dataclass(frozen=True)
class ClipboardNodes:
    """Cut or copied nodes of one level, in reading order, with their original keys."""

    level: Level
    nodes: tuple[Node, ...]

    @property
    def text(self) -> str:
        """The text for the clipboard."""
        copies = (clone(node, random_keys()) for node in self.nodes)
        return to_json([node_to_json(copy) for copy in copies], indent=2)


def clipboard_nodes(layout: Layout, keys: Collection[str]) -> ClipboardNodes:
    """The clipboard content for these nodes.

    Raises:
        EditRejected: one of them is gone, or they are not of one level.
    """
    selection = select(layout, keys)
    return ClipboardNodes(selection.level, selection.nodes)


def parse_clipboard(text: str, keys: Iterator[str]) -> ClipboardNodes:
    """Parse a clipboard text: one page, row, column or item, or an array of them.

    An object with a `type` is an item, whatever else it contains; a batch, or any other object
    with `batch_items`, is read as its pages.

    Raises:
        InvalidLayoutFile: the text is not valid; with line and column if known.
    """
    try:
        value = parse(text, DEEPEST_WRAPPED)
    except InvalidJson as error:
        reason = _("The clipboard does not contain valid JSON: {reason}.").format(reason=error.reason)
        raise InvalidLayoutFile(reason, error.line, error.column) from None
    values = _several(value)
    levels = {level for level in map(_level, values) if level is not None}
    if len(levels) != 1:
        raise InvalidLayoutFile(
            _("The clipboard contains no pages, rows, columns or items, or a mixture of them.")
        )
    level = levels.pop()
    if any(too_deep(entry, DEEPEST - 1 - 2 * level) for entry in values):
        raise InvalidLayoutFile(
            _("The clipboard content is nested too deeply for a layout of at most {most} levels.").format(
                most=DEEPEST
            )
        )
    return ClipboardNodes(level, tuple(read_node(entry, level, keys) for entry in values))


def clone(node: Node, keys: Iterator[str]) -> Node:
    """A deep copy of a node with new keys and without ids."""
    key = next(keys)
    if isinstance(node, ObjectNode):
        copy = replace(node, key=key).without_attributes("id")
        return copy.with_children([clone(inner, keys) for inner in node.children])
    if isinstance(node, InvalidNode) and isinstance(node.value, Mapping):
        return InvalidNode(key, {name: value for name, value in node.value.items() if name != "id"})
    return replace(node, key=key)


def nodes_to_paste(clipped: ClipboardNodes, layout: Layout, keys: Iterator[str]) -> tuple[Node, ...]:
    """The nodes to add to a layout: those already in it are copied, the others are used unchanged.

    Nodes that were cut are therefore moved by pasting: they keep their keys and ids.
    """
    return tuple(
        clone(node, keys) if layout.paths([inner.key for inner in node.walk_all()]) else node
        for node in clipped.nodes
    )


def _several(value: Json) -> Sequence[Json]:
    if isinstance(value, Mapping) and not isinstance(value.get("type"), str) and KEY in value:
        value = value[KEY]
    return value if is_array(value) else [value]


def _level(value: Json) -> Level | None:
    """The level of a node by its attributes; None when it cannot be determined."""
    if not isinstance(value, Mapping):
        return None
    if isinstance(value.get("type"), str):
        return Level.ITEM
    return next((level for level, name in INSIDE.items() if is_array(value.get(name))), None)
