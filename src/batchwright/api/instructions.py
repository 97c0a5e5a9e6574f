"""The deprecated instructions of legacy batches, while services still have them (wire reference, 9)."""

from dataclasses import dataclass

from batchwright.api.response_parsing import ABSENT, RequestTarget
from batchwright.api.transport import Transport
from batchwright.api.urls import segment
from batchwright.base.i18n import _
from batchwright.wire import instructions as wire
from batchwright.wire.deprecation import Deprecation
from batchwright.wire.instructions import InstructionRecord, InstructionsWrite


@dataclass(frozen=True)
class LegacyInstructions:
    """The instructions of an answer, and what it says about the end of these calls."""

    records: tuple[InstructionRecord, ...]
    deprecation: Deprecation | None


class Instructions:
    """Calls about instructions; what they ask belongs into `batch_items` (specification, Versioning 3).

    Each answer, a refusal too, tells when they end. No date is compared: once they are gone, 404 or 410
    comes, and `Gone` is raised.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def list(self, batch_id: str) -> LegacyInstructions:
        """The instructions of a batch; of one with a layout, those in the layout (wire reference, 9)."""
        return await self._send("GET", batch_id, None, absent=ABSENT | {400})

    async def add(self, batch_id: str, wanted: InstructionsWrite) -> LegacyInstructions:
        """Add instructions behind those that there are; only the new ones come back.

        Raises:
            BadRequest: an instruction is at fault (400), or the batch has a layout (422).
            OutcomeUnknown: the answer was lost; `list` shows whether they were added.
        """
        return await self._send("POST", batch_id, wanted)

    async def replace(self, batch_id: str, wanted: InstructionsWrite) -> LegacyInstructions:
        """Put instructions in the place of all others; those that give their `id` are kept.

        Raises:
            BadRequest: an instruction is at fault (400), or the batch has a layout (422).
        """
        return await self._send("PUT", batch_id, wanted)

    async def _send(
        self,
        method: str,
        batch_id: str,
        body: InstructionsWrite | None,
        absent: frozenset[int] = ABSENT,
    ) -> LegacyInstructions:
        path = f"/api/v1/data-collection/batches/{segment(batch_id)}/instructions"
        name = _("list of instructions of batch {id}").format(id=batch_id)
        sought = RequestTarget(name, absent, is_deprecated=True)
        found, deprecation = await self._transport.send_deprecated(
            method, path, into=wire.InstructionList, body=body, sought=sought
        )
        return LegacyInstructions(found.results, deprecation)
