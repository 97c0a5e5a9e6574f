"""Lists that may be long: read entry by entry by whoever goes through them, off the event loop."""

from collections.abc import Iterator
from typing import Generic, TypeVar

from pydantic import ValidationError

from batchwright.api.errors import UnexpectedResponse
from batchwright.api.response_parsing import RawResponse, invalid_fields
from batchwright.base.cooperative import yielding_gil
from batchwright.base.json_streaming import iter_array
from batchwright.base.json_values import DEEPEST_WRAPPED, InvalidJson, is_object, parse
from batchwright.wire.base import ResponseBody

M = TypeVar("M", bound=ResponseBody)


class LazyList(Generic[M]):
    """The `results` of a good answer in the list envelope (wire reference, 1.6). Go through it in a thread.

    Each time it is gone through it is read anew; nothing but the bytes that came is kept.
    """

    def __init__(self, call: str, answer: RawResponse, into: type[M]) -> None:
        self._call, self._answer, self._into = call, answer, into

    def __iter__(self) -> Iterator[M]:
        """The entries in order.

        Raises:
            UnexpectedResponse: the response is not a list of these records.
        """
        try:
            for entry in yielding_gil(iter_array(self._answer.body, "results")):
                yield self._into.model_validate(entry)
        except InvalidJson as fault:
            reason = str(fault)
        except ValidationError as fault:
            reason = invalid_fields(fault)
        else:
            return
        raise UnexpectedResponse(self._call, reason)

    def total(self, limit: int) -> int:
        """How many entries the service has, of which it was asked for at most `limit`.

        Raises:
            UnexpectedResponse: the response is not a list of these records.
        """
        came = sum(1 for _entry in self)
        if came > limit:  # the service knows no slices, and has sent all of them
            return came
        envelope = parse(self._answer.body, DEEPEST_WRAPPED)
        meta = envelope.get("meta") if is_object(envelope) else None
        count = meta.get("count") if is_object(meta) else None
        return max(came, count) if isinstance(count, int) else came
