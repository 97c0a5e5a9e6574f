"""Lists: the envelope (wire reference, 1.6), and bare arrays of ids (wire reference, 12)."""

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from pydantic import model_validator

from batchwright.base.json_values import Json, is_array, is_object
from batchwright.wire.base import ResponseBody

T = TypeVar("T", bound=ResponseBody)


class ListMeta(ResponseBody):
    """What an envelope says about its list."""

    count: int | None = None
    """How many entries there are in all, however many of them came."""


class Listing(ResponseBody, Generic[T]):
    """`{"results": [...], "meta": {"count": n}}`; both keys may be absent."""

    results: tuple[T, ...] = ()
    meta: ListMeta | None = None

    @property
    def count(self) -> int:
        """How many entries there are in all: as said, or else as many as came."""
        said = self.meta.count if self.meta else None
        return len(self.results) if said is None else said


class IdList(ResponseBody):
    """A list of nothing but ids: a bare array, or the envelope that other lists have."""

    ids: tuple[str, ...]

    @model_validator(mode="before")
    @classmethod
    def _named(cls, given: Any) -> Any:
        return {"ids": given if is_array(given) else given.get("results") if is_object(given) else None}


def list_envelope(results: Sequence[Json], count: int | None = None) -> dict[str, Json]:
    """The envelope a service writes; `count` is the total when `results` is only a slice of it."""
    return {"results": results, "meta": {"count": len(results) if count is None else count}}
