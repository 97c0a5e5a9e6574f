"""The dependencies of the commands of the Run stage."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtWidgets import QWidget

from batchwright.base.json_values import JsonObject
from batchwright.client.batch_content import DesiredBatch
from batchwright.ui.publishing.context import PublishingContext
from batchwright.ui.run.state import RunState
from batchwright.wire.batches import Batch
from batchwright.wire.instructions import InstructionRecord, InstructionsWrite

ShowInstructions = Callable[[Sequence[JsonObject], Sequence[InstructionRecord]], InstructionsWrite | None]
"""Shows other instructions in the dialog than those that the user has entered.

Its arguments are the instructions, with the ids of existing ones, and what the service has now. It returns
the request for them; None if there is nothing to save, or if problems have to be fixed first.
"""


class EditInstructions(Protocol):
    """Shows the instructions of a legacy batch until they are saved; passed in: `ui.editor` has the forms."""

    async def __call__(
        self,
        host: QWidget,
        name: str,
        records: Sequence[InstructionRecord],
        save: Callable[[InstructionsWrite, ShowInstructions], Awaitable[bool]],
        *,
        deprecation: str,
        live: str,
    ) -> bool:
        """Return False if the dialog was cancelled."""


@dataclass(frozen=True)
class RunContext(PublishingContext[Batch, DesiredBatch]):
    """The dependencies of the commands of the Run stage."""

    state: RunState
    edit_instructions: EditInstructions
