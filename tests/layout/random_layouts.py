"""Strategies for unusual `batch_items`: unknown types and keys, values of any form."""

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from batchwright.base.json_values import Json
from batchwright.layout.item_types.registry import ITEM_TYPES
from batchwright.layout.nodes import Level
from batchwright.layout.serialization import INSIDE

TYPES = [*ITEM_TYPES, "video_narration", "hologram", ""]
NAMES = ["id", "type", "rows", "columns", "items", "description", "options", "display_position", "new"]


def any_json() -> SearchStrategy[Json]:
    """Any JSON value, small; floats are finite."""
    plain = (
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(max_size=3)
    )
    return st.recursive(
        plain,
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=3)
        ),
        max_leaves=6,
    )


def attributes() -> SearchStrategy[dict[str, Json]]:
    """Known and unknown attributes of a node."""
    return st.dictionaries(st.sampled_from(NAMES), any_json(), max_size=2)


def entries(level: Level, odd: bool = True) -> SearchStrategy[Json]:
    """A page, row, column or item; sometimes another value, unless `odd` is False."""
    if level is Level.ITEM:
        shaped = st.builds(lambda kind, rest: {**rest, "type": kind}, st.sampled_from(TYPES), attributes())
    else:
        least, most = (0, 3) if odd else (1, 2)
        inside = st.lists(entries(Level(level + 1), odd), min_size=least, max_size=most)
        shaped = st.builds(lambda rest, within: {**rest, INSIDE[level]: within}, attributes(), inside)
    return st.one_of(shaped, shaped, shaped, any_json()) if odd else shaped


def any_pages() -> SearchStrategy[list[Json]]:
    """A `batch_items` array of any content."""
    return st.lists(entries(Level.PAGE), max_size=4)


def well_formed_pages() -> SearchStrategy[list[Json]]:
    """A well-formed `batch_items` array: nothing is empty, no row too wide; its items have any type."""
    return st.lists(entries(Level.PAGE, odd=False), min_size=1, max_size=4)
