"""Layouts as the store has them, read again."""

from functools import lru_cache

from batchwright.base.json_values import DEEPEST_WRAPPED, is_array, parse
from batchwright.layout.ids import collect_ids
from batchwright.layout.model import Layout
from batchwright.layout.serialization import read, sequential_keys
from batchwright.service.store.batches import BatchItems


@lru_cache(maxsize=32)
def layout_of(items: BatchItems) -> Layout:
    """A stored layout; a legacy batch has an empty one. The same text is read once."""
    pages = parse(items, DEEPEST_WRAPPED) if items is not None else ()
    return read(pages if is_array(pages) else (), sequential_keys())


def ids_in(items: BatchItems) -> frozenset[str]:
    """The ids of everything in a stored layout."""
    return frozenset(collect_ids(layout_of(items)))
