"""The part of a list that a request asks for (wire.md 1.6)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from batchwright.base.i18n import _
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.responses import bad_request

T = TypeVar("T")


@dataclass(frozen=True)
class PageParams:
    """The part of a list that is asked for; a limit of -1 means all."""

    limit: int
    offset: int

    def of(self, whole: Sequence[T]) -> Sequence[T]:
        """The part of a list that is there whole."""
        end = None if self.limit < 0 else self.offset + self.limit
        return whole[self.offset : end]


def slice_of(call: ApiRequest) -> PageParams:
    """What `limit` and `offset` of a request ask for (wire.md 1.6).

    Raises:
        HttpError: one is no number from 0 up (400).
    """
    return PageParams(_number(call, "limit", -1), _number(call, "offset", 0))


def _number(call: ApiRequest, name: str, default: int) -> int:
    text = call.query.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) < 16):
        raise bad_request([_("{name} must be a whole number from 0 up.").format(name=name)])
    return int(text)
