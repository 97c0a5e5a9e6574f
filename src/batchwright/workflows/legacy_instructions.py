"""The instructions of legacy batches, read and replaced while services still have them.

Wire reference, section 9.
"""

from batchwright.api.instructions import LegacyInstructions
from batchwright.base.i18n import _
from batchwright.client.context import WorkflowContext
from batchwright.wire.deprecation import Deprecation
from batchwright.wire.instructions import InstructionRecord, InstructionsWrite
from batchwright.workflows.changed_meanwhile import ChangedMeanwhile


async def read_instructions(bench: WorkflowContext, batch_id: str) -> tuple[InstructionRecord, ...]:
    """The instructions of a batch; when the service says that they end, so do we.

    Raises:
        Gone: the service has given them up.
        ApiError: the request failed for good.
    """
    return _records_with_notice(bench, await bench.service.instructions.list(batch_id))


async def replace_instructions(
    bench: WorkflowContext,
    batch_id: str,
    wanted: InstructionsWrite,
    known: tuple[InstructionRecord, ...] | None = None,
) -> tuple[InstructionRecord, ...]:
    """Put instructions in the place of all others, which may be done twice; those with their `id` stay.

    `known` are those that are to be replaced; None replaces whatever is there.

    Raises:
        ChangedMeanwhile: there are others by now.
        Gone: the service has given them up.
        BadRequest: an instruction is at fault (400), or the batch has a layout (422).
        ApiError: the request failed for good.
    """
    if known is not None and (await bench.service.instructions.list(batch_id)).records != known:
        raise ChangedMeanwhile(_("The instructions of this batch"))
    return _records_with_notice(bench, await bench.service.instructions.replace(batch_id, wanted))


def sunset_notice(deprecation: Deprecation) -> str:
    """When instructions end, and what to do instead (specification, Versioning 3)."""
    if deprecation.sunset is None:
        return _(
            "The service will remove instructions without a layout. "
            "Ask the questions in a layout (batch_items)."
        )
    sentence = _(
        "The service supports instructions without a layout until {date}. Ask the questions in a layout "
        "(batch_items)."
    )
    return sentence.format(date=deprecation.sunset.date().isoformat())


def _records_with_notice(bench: WorkflowContext, answer: LegacyInstructions) -> tuple[InstructionRecord, ...]:
    if answer.deprecation is not None:
        bench.notify(sunset_notice(answer.deprecation))
    return answer.records
