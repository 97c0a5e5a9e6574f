"""Pagination by the query parameters `limit` and `offset` (wire reference, section 1.6)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from batchwright.base.i18n import _
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.responses import bad_request

T = TypeVar("T")


@dataclass(frozen=True)
class PageParams:
    """The requested part of a list; a limit of -1 means all."""

    limit: int
    offset: int

    def slice(self, items: Sequence[T]) -> Sequence[T]:
        """The requested part of a complete list."""
        end = None if self.limit < 0 else self.offset + self.limit
        return items[self.offset : end]


def page_params(request: ApiRequest) -> PageParams:
    """`limit` and `offset` of a request.

    Raises:
        HttpError: one is not an integer of 0 or more (400).
    """
    return PageParams(
        _non_negative_integer(request, "limit", -1), _non_negative_integer(request, "offset", 0)
    )


def _non_negative_integer(request: ApiRequest, name: str, default: int) -> int:
    text = request.query.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) < 16):
        raise bad_request([_("{name} must be an integer of 0 or more.").format(name=name)])
    return int(text)
