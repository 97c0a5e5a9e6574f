"""Between local keys and the ids of a service (design.md D18; specification, Batches rule 2).

A layout holds no ids of a service. Which entry has which id there is kept per connection and
batch, as a mapping of key to id; a request is written by joining the two.
"""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence

from batchwright.base.json_values import Json, JsonObject, is_array
from batchwright.layout.item_types.base import Item
from batchwright.layout.model import Layout
from batchwright.layout.nodes import InvalidNode, Node, ObjectNode
from batchwright.layout.serialization import INSIDE


def to_request(layout: Layout, ids: Mapping[str, str], known: Container[str] = ()) -> list[Json]:
    """The `batch_items` of a request: what the batch has goes with its id, what is new without.

    Each key gets the id that `ids` has for it. An entry without one keeps the id it was read
    with only where `known`, the ids of the target batch, has it. No id is written twice, unless
    `ids` has one for two keys.
    """
    taken = {ids[entry.key] for entry in layout.walk_all() if entry.key in ids}

    def choose(entry: Node) -> str | None:
        if entry.key in ids:
            return ids[entry.key]
        own = id_of(entry)
        if own is None or own in taken or own not in known:
            return None
        taken.add(own)
        return own

    return _with_ids(layout, choose)


def assign_ids(layout: Layout, existing: Container[str], new_id: Callable[[], str]) -> list[Json]:
    """The `batch_items` to store: every entry has an id, its own where the batch has that, else a new one.

    An id that stands twice stays with the first; such a layout has been refused before (wire.md 6).
    """
    taken: set[str] = set()

    def choose(entry: Node) -> str:
        own = id_of(entry)
        chosen = own if own is not None and own in existing and own not in taken else new_id()
        taken.add(chosen)
        return chosen

    return _with_ids(layout, choose)


def ids_from_response(layout: Layout, answer: Sequence[Json]) -> dict[str, str]:
    """The ids that the service gave, by key, paired by position with its answer to this very layout.

    The result takes the place of what was learnt before: what an update left out, the service has
    removed. Inside an entry of which the answer holds another number of parts nothing is learnt.
    """
    return dict(_paired(layout.pages, answer))


def collect_ids(layout: Layout) -> Iterator[str]:
    """Every id that stands in a layout as it was read, in reading order; one twice when it stands twice."""
    return (own for own in map(id_of, layout.walk_all()) if own is not None)


def id_of(entry: Node) -> str | None:
    """The id an entry was read with; None when there is none, or no string."""
    own = _attributes(entry).get("id")
    return own if isinstance(own, str) else None


def _attributes(entry: Node) -> JsonObject:
    match entry:
        case ObjectNode():
            return entry.attributes
        case InvalidNode(value=Mapping() as given):
            return given
    return {}


def _with_ids(layout: Layout, choose: Callable[[Node], str | None]) -> list[Json]:
    return [_with_id(page, choose) for page in layout.pages]


def _with_id(entry: Node, choose: Callable[[Node], str | None]) -> Json:
    if isinstance(entry, InvalidNode) and not isinstance(entry.value, Mapping):
        return entry.value
    chosen = choose(entry)
    whole: dict[str, Json] = {} if chosen is None else {"id": chosen}
    whole.update((name, value) for name, value in _attributes(entry).items() if name != "id")
    if isinstance(entry, ObjectNode) and entry.level in INSIDE:
        whole[INSIDE[entry.level]] = [_with_id(inner, choose) for inner in entry.children]
    return whole


def _paired(entries: Sequence[Node], answer: Json) -> Iterator[tuple[str, str]]:
    if not is_array(answer) or len(answer) != len(entries):
        return
    for entry, given in zip(entries, answer, strict=True):
        if not isinstance(entry, ObjectNode) or not isinstance(given, Mapping):
            continue
        if isinstance(entry, Item) and given.get("type") != entry.kind:
            continue
        own = given.get("id")
        if isinstance(own, str):
            yield entry.key, own
        if entry.level in INSIDE:
            yield from _paired(entry.children, given.get(INSIDE[entry.level]))
