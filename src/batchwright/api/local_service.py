"""What only the service on this computer offers, below `/local/v1/`."""

from batchwright.api.transport import Transport
from batchwright.api.urls import segment
from batchwright.wire.local_routes import (
    AnnotatorsPerTask,
    Participation,
    Preview,
    PreviewRequest,
    Progress,
    ShuffleSeed,
)


class LocalService:
    """Calls that only the service on this computer answers."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def participation(self, batch_id: str) -> Participation:
        """The link under which people take part in a batch."""
        return await self._transport.send("GET", _path(batch_id, "participation"), into=Participation)

    async def set_annotators_per_task(self, batch_id: str, wanted: AnnotatorsPerTask) -> AnnotatorsPerTask:
        """Set how many people each task group is handed to."""
        path = _path(batch_id, "annotators-per-task")
        return await self._transport.send("PUT", path, into=AnnotatorsPerTask, body=wanted)

    async def set_shuffle_seed(self, batch_id: str, wanted: ShuffleSeed) -> ShuffleSeed:
        """Set what the next setup draws its random groups from, so that they can be had again."""
        path = _path(batch_id, "shuffle-seed")
        return await self._transport.send("PUT", path, into=ShuffleSeed, body=wanted)

    async def progress(self, batch_id: str) -> Progress:
        """How far each task group has come."""
        return await self._transport.send("GET", _path(batch_id, "progress"), into=Progress)

    async def reset(self, batch_id: str) -> None:
        """Throw away all submissions and answers of a batch.

        Raises:
            OutcomeUnknown: the answer was lost; `progress` shows whether it was done.
        """
        await self._transport.send("POST", _path(batch_id, "reset"), into=None)

    async def preview(self, request: PreviewRequest) -> Preview:
        """A link, good for an hour, to a page as a participant would see it; no answer is stored."""
        return await self._transport.send("POST", "/local/v1/previews", into=Preview, body=request)


def _path(batch_id: str, part: str) -> str:
    return f"/local/v1/batches/{segment(batch_id)}/{part}"
