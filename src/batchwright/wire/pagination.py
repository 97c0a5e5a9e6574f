"""Lists: the envelope (wire reference, section 1.6), and bare arrays of ids (wire reference, section 12)."""

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from pydantic import model_validator

from batchwright.base.json_values import Json, is_array, is_object
from batchwright.wire.base import ResponseBody

T = TypeVar("T", bound=ResponseBody)


class ListMeta(ResponseBody):
    """The metadata of a list envelope."""

    count: int | None = None
    """Total number of entries, however many are in this response."""


class Listing(ResponseBody, Generic[T]):
    """The list envelope `{"results": [...], "meta": {"count": n}}`; both keys may be absent."""

    results: tuple[T, ...] = ()
    meta: ListMeta | None = None

    @property
    def count(self) -> int:
        """Total number of entries: as reported, otherwise the number in this response."""
        reported = self.meta.count if self.meta else None
        return len(self.results) if reported is None else reported


class IdList(ResponseBody):
    """A list of ids: a bare array, or the envelope of other lists."""

    ids: tuple[str, ...]

    @model_validator(mode="before")
    @classmethod
    def _named(cls, value: Any) -> Any:
        return {"ids": value if is_array(value) else value.get("results") if is_object(value) else None}


def list_envelope(results: Sequence[Json], count: int | None = None) -> dict[str, Json]:
    """Create a list envelope; `count` is the total if `results` is one page."""
    return {"results": results, "meta": {"count": len(results) if count is None else count}}
