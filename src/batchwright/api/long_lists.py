"""Lists that may be long: read entry by entry by whoever goes through them, off the event loop."""

from collections.abc import Iterator
from typing import Generic, TypeVar

from pydantic import ValidationError

from batchwright.api.answers import Answer, mistaken
from batchwright.api.errors import Nonsense
from batchwright.records.breathing import breathing
from batchwright.records.json_lists import entries
from batchwright.records.json_values import NotJson
from batchwright.wire.bodies import AnswerBody

M = TypeVar("M", bound=AnswerBody)


class LongList(Generic[M]):
    """The `results` of a good answer in the list envelope (wire.md 1.6). Go through it in a thread.

    Each time it is gone through it is read anew; nothing but the bytes that came is kept.
    """

    def __init__(self, call: str, answer: Answer, into: type[M]) -> None:
        self._call, self._answer, self._into = call, answer, into

    def __iter__(self) -> Iterator[M]:
        """The entries in order.

        Raises:
            Nonsense: what came is no list of these.
        """
        try:
            for entry in breathing(entries(self._answer.body, "results")):
                yield self._into.model_validate(entry)
        except NotJson as fault:
            reason = str(fault)
        except ValidationError as fault:
            reason = mistaken(fault)
        else:
            return
        raise Nonsense(self._call, reason)
