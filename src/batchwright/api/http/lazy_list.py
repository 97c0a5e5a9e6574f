"""Responses that are long lists, parsed entry by entry during iteration, off the event loop."""

from collections.abc import Iterator
from typing import Generic, TypeVar

from pydantic import ValidationError

from batchwright.api.http.errors import UnexpectedResponse
from batchwright.api.http.response_parsing import RawResponse, invalid_fields
from batchwright.base.cooperative import yielding_gil
from batchwright.base.json_texts.json_incremental import iter_array, iter_array_texts
from batchwright.base.json_values import DEEPEST_WRAPPED, InvalidJson, is_object, parse
from batchwright.wire.base import ResponseBody

M = TypeVar("M", bound=ResponseBody)


class LazyList(Generic[M]):
    """The `results` of a successful response in the list envelope (wire reference, section 1.6).

    Iterate over it in a thread. Each iteration parses the body again; only the bytes of the body are kept.
    """

    def __init__(self, call: str, response: RawResponse, model: type[M]) -> None:
        self._call, self._response, self._model = call, response, model

    def __iter__(self) -> Iterator[M]:
        """Iterate over the entries in order.

        Raises:
            UnexpectedResponse: the response is not a list of these records.
        """
        try:
            for entry in yielding_gil(iter_array(self._response.body, "results")):
                yield self._model.model_validate(entry)
        except InvalidJson as error:
            reason = str(error)
        except ValidationError as error:
            reason = invalid_fields(error)
        else:
            return
        raise UnexpectedResponse(self._call, reason)

    def texts(self) -> Iterator[str]:
        """Yield the JSON texts of the entries in order, without checking that they are such records.

        Raises:
            UnexpectedResponse: the response is not a list.
        """
        try:
            yield from yielding_gil(iter_array_texts(self._response.body, "results"))
        except InvalidJson as error:
            raise UnexpectedResponse(self._call, str(error)) from None

    def total(self, limit: int) -> int:
        """The number of entries that the service has; `limit` is the number that was requested.

        Raises:
            UnexpectedResponse: the response is not a list of these records.
        """
        received = sum(1 for _entry in self)
        if received > limit:  # the service ignores `limit` and has sent all of them
            return received
        envelope = parse(self._response.body, DEEPEST_WRAPPED)
        meta = envelope.get("meta") if is_object(envelope) else None
        count = meta.get("count") if is_object(meta) else None
        return max(received, count) if isinstance(count, int) else received
