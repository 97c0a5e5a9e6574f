"""Calls about the deprecated instructions of legacy batches (wire reference, section 9)."""

from dataclasses import dataclass

from batchwright.api.http.response_parsing import ABSENT, RequestTarget
from batchwright.api.http.transport import Transport
from batchwright.api.http.urls import segment
from batchwright.base.i18n import _
from batchwright.wire import instructions as wire
from batchwright.wire.deprecation import Deprecation
from batchwright.wire.instructions import InstructionRecord, InstructionsWrite


@dataclass(frozen=True)
class LegacyInstructions:
    """The instructions in a response, and what its headers say about the end of the endpoint."""

    records: tuple[InstructionRecord, ...]
    deprecation: Deprecation | None


class Instructions:
    """Calls about instructions, which are deprecated in favour of `batch_items`.

    Every response, errors included, says in its headers when the endpoint ends (specification, Versioning 3).
    No date is compared with the clock: when the service has removed the endpoint, it responds with 404 or
    410, and `Gone` is raised.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def list(self, batch_id: str) -> LegacyInstructions:
        """Fetch the instructions of a batch; if it has a layout, those in the layout (wire reference, 9)."""
        return await self._send("GET", batch_id, None, absent=ABSENT | {400})

    async def add(self, batch_id: str, request: InstructionsWrite) -> LegacyInstructions:
        """Append instructions; the response contains only the new ones.

        Raises:
            BadRequest: an instruction is invalid (400), or the batch has a layout (422).
            OutcomeUnknown: the response was lost; `list` shows whether they were added.
        """
        return await self._send("POST", batch_id, request)

    async def replace(self, batch_id: str, request: InstructionsWrite) -> LegacyInstructions:
        """Replace all instructions; those sent with their `id` are kept.

        Raises:
            BadRequest: an instruction is invalid (400), or the batch has a layout (422).
        """
        return await self._send("PUT", batch_id, request)

    async def _send(
        self,
        method: str,
        batch_id: str,
        body: InstructionsWrite | None,
        absent: frozenset[int] = ABSENT,
    ) -> LegacyInstructions:
        path = f"/api/v1/data-collection/batches/{segment(batch_id)}/instructions"
        name = _("list of instructions of batch {id}").format(id=batch_id)
        target = RequestTarget(name, absent, is_deprecated=True)
        result, deprecation = await self._transport.send_deprecated(
            method, path, into=wire.InstructionList, body=body, target=target
        )
        return LegacyInstructions(result.results, deprecation)
