"""Mapping local keys to the ids of a service and back (specification, Batches rule 2).

A layout contains no ids of a service. A mapping of key to id is stored per connection and
batch, and both are joined when a request is written. So undo after sending, and sending a rehearsed study
to the live service, neither recreate nodes nor are rejected.
"""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence

from batchwright.base.json_values import Json, JsonObject, is_array
from batchwright.layout.item_types.base import Item
from batchwright.layout.model import Layout
from batchwright.layout.nodes import InvalidNode, Node, ObjectNode
from batchwright.layout.serialization import INSIDE, read, sequential_keys


def to_request(layout: Layout, ids: Mapping[str, str], batch_ids: Container[str] = ()) -> list[Json]:
    """The `batch_items` of a request: existing nodes have their ids, new nodes have none.

    Each key gets its id in `ids`. A node without one keeps the id it was read
    with only if `batch_ids`, the ids of the target batch, contains it. No id is written twice, unless
    `ids` has the same id for two keys.
    """
    return _with_ids(layout, choose_known_ids(layout, ids, batch_ids))


def choose_known_ids(
    layout: Layout, ids: Mapping[str, str], known_ids: Container[str]
) -> Callable[[Node], str | None]:
    """A function that returns the id with which a node is sent, or None for a new node.

    See `to_request`. It is to be called once for each node, in reading order.
    """
    used_ids = {ids[node.key] for node in layout.walk_all() if node.key in ids}

    def choose(node: Node) -> str | None:
        if node.key in ids:
            return ids[node.key]
        node_id = id_of(node)
        if node_id is None or node_id in used_ids or node_id not in known_ids:
            return None
        used_ids.add(node_id)
        return node_id

    return choose


def assign_ids(layout: Layout, batch_ids: Container[str], new_id: Callable[[], str]) -> list[Json]:
    """The `batch_items` to store: every node has an id, its own if the batch has that, else a new one.

    A duplicate id stays with the first node; such a layout is rejected earlier (wire reference, section 6).
    """
    used_ids: set[str] = set()

    def choose(node: Node) -> str:
        own_id = id_of(node)
        chosen = own_id if own_id is not None and own_id in batch_ids and own_id not in used_ids else new_id()
        used_ids.add(chosen)
        return chosen

    return _with_ids(layout, choose)


def ids_from_response(layout: Layout, response: Sequence[Json]) -> dict[str, str]:
    """The ids that the service assigned, by key, from its response to the request for this layout.

    The result replaces the previous mapping: the service has removed what an update left out. Nodes are
    paired by position; where a node has another number of children in the response, these are skipped.
    """
    return dict(_paired(layout.pages, response))


def collect_ids(layout: Layout) -> Iterator[str]:
    """Every id of a layout as it was read, in reading order, including duplicates."""
    return (node_id for node_id in map(id_of, layout.walk_all()) if node_id is not None)


def id_of(node: Node) -> str | None:
    """The id a node was read with; None when it is absent or not a string."""
    node_id = _attributes(node).get("id")
    return node_id if isinstance(node_id, str) else None


def with_other_ids(layout: Layout, ids: Mapping[str, str]) -> Layout:
    """A layout as it was read, with other ids by those that it has; those that are not named stay."""
    if not ids:
        return layout

    def choose(node: Node) -> str | None:
        node_id = id_of(node)
        return None if node_id is None else ids.get(node_id, node_id)

    return read(_with_ids(layout, choose), sequential_keys())


def _attributes(node: Node) -> JsonObject:
    match node:
        case ObjectNode():
            return node.attributes
        case InvalidNode(value=Mapping() as value):
            return value
    return {}


def _with_ids(layout: Layout, choose: Callable[[Node], str | None]) -> list[Json]:
    return [_with_id(page, choose) for page in layout.pages]


def _with_id(node: Node, choose: Callable[[Node], str | None]) -> Json:
    if isinstance(node, InvalidNode) and not isinstance(node.value, Mapping):
        return node.value
    chosen = choose(node)
    json_object: dict[str, Json] = {} if chosen is None else {"id": chosen}
    json_object.update((name, value) for name, value in _attributes(node).items() if name != "id")
    if isinstance(node, ObjectNode) and node.level in INSIDE:
        json_object[INSIDE[node.level]] = [_with_id(inner, choose) for inner in node.children]
    return json_object


def _paired(nodes: Sequence[Node], response: Json) -> Iterator[tuple[str, str]]:
    if not is_array(response) or len(response) != len(nodes):
        return
    for node, stored in zip(nodes, response, strict=True):
        if not isinstance(node, ObjectNode) or not isinstance(stored, Mapping):
            continue
        if isinstance(node, Item) and stored.get("type") != node.kind:
            continue
        node_id = stored.get("id")
        if isinstance(node_id, str):
            yield node.key, node_id
        if node.level in INSIDE:
            yield from _paired(node.children, stored.get(INSIDE[node.level]))
