"""Parses stored layouts."""

from functools import lru_cache

from batchwright.base.json_values import DEEPEST_WRAPPED, is_array, parse
from batchwright.layout.ids import collect_ids
from batchwright.layout.model import Layout
from batchwright.layout.serialization import read, sequential_keys
from batchwright.service.store.batches import BatchItems


@lru_cache(maxsize=32)
def layout_of(items: BatchItems) -> Layout:
    """A stored layout; empty for a legacy batch. Cached by its text."""
    pages = parse(items, DEEPEST_WRAPPED) if items is not None else ()
    return read(pages if is_array(pages) else (), sequential_keys())


def ids_in(items: BatchItems) -> frozenset[str]:
    """All ids in a stored layout."""
    return frozenset(collect_ids(layout_of(items)))
