"""Reading and replacing the instructions of legacy batches, while services still support them.

The service says when support ends: by a 404 or 410, and before that in the headers of responses (wire
reference, section 9).
"""

from batchwright.api.http.errors import OutcomeUnknown
from batchwright.api.resources.instructions import LegacyInstructions
from batchwright.base.i18n import _
from batchwright.base.json_values import json_equal
from batchwright.client.content_review import entry_items, have_same_content
from batchwright.client.context import WorkflowContext
from batchwright.client.errors import ChangedMeanwhile
from batchwright.wire.deprecation import Deprecation
from batchwright.wire.instructions import InstructionRecord, InstructionsWrite


async def read_instructions(context: WorkflowContext, batch_id: str) -> tuple[InstructionRecord, ...]:
    """Fetch the instructions of a batch; `context.notify` is called with a deprecation that is announced.

    Raises:
        Gone: the service no longer supports instructions.
        ApiError: the request failed permanently.
    """
    return _records_with_notice(context, await context.service.instructions.list(batch_id))


async def replace_instructions(
    context: WorkflowContext,
    batch_id: str,
    instructions: InstructionsWrite,
    expected: tuple[InstructionRecord, ...] | None = None,
) -> tuple[InstructionRecord, ...]:
    """Replace all instructions of a batch; those sent with their `id` are kept.

    If all existing ones stay as they are, only the new ones are sent, and appended: what another client
    changes at the same time is not overwritten.

    `expected` are the instructions that the user wants to replace; None replaces any.

    Raises:
        ChangedMeanwhile: the instructions differ from `expected`.
        OutcomeUnknown: the response was lost, and the instructions are not those wanted.
        Gone: the service no longer supports instructions.
        BadRequest: an instruction is invalid (400), or the batch has a layout (422).
        ApiError: the request failed permanently.
    """
    if expected is not None and (await context.service.instructions.list(batch_id)).records != expected:
        raise ChangedMeanwhile(_("The instructions of this batch"))
    new = None if expected is None else _appended(instructions, expected)
    if expected is None or new is None:
        response = await context.service.instructions.replace(batch_id, instructions)
        return _records_with_notice(context, response)
    try:
        response = await context.service.instructions.add(batch_id, new)
    except OutcomeUnknown:
        records = await read_instructions(context, batch_id)
        if not have_same_content(records, instructions):
            raise
        return records
    return (*expected, *_records_with_notice(context, response))


def _appended(
    instructions: InstructionsWrite, existing: tuple[InstructionRecord, ...]
) -> InstructionsWrite | None:
    """The new instructions if all existing ones stay as they are before them; None otherwise."""
    entries, unchanged = entry_items(instructions), [record.item for record in existing]
    new = entries[len(unchanged) :]
    if not new or not json_equal(list(entries[: len(unchanged)]), list(unchanged)):
        return None
    return InstructionsWrite.model_validate({"instructions": new})


def sunset_notice(deprecation: Deprecation) -> str:
    """A message about when support for instructions ends and what to use instead.

    Specification, Versioning 3.
    """
    if deprecation.sunset is None:
        return _(
            "The service will remove instructions without a layout. "
            "Use a layout (batch_items) for data with a schema; V3 data cannot be shown in one."
        )
    text = _(
        "The service supports instructions without a layout until {date}. Use a layout (batch_items) for "
        "data with a schema; V3 data cannot be shown in one."
    )
    return text.format(date=deprecation.sunset.date().isoformat())


def _records_with_notice(
    context: WorkflowContext, response: LegacyInstructions
) -> tuple[InstructionRecord, ...]:
    if response.deprecation is not None:
        context.notify(sunset_notice(response.deprecation))
    return response.records
