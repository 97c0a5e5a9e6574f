"""The dependencies of the commands of the Run stage."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtWidgets import QWidget

from batchwright.base.json_values import JsonObject
from batchwright.local.projects import Project
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.run.state import RunState
from batchwright.ui.study.answers_source import OtherSource
from batchwright.wire.instructions import InstructionRecord, InstructionsWrite

OpenStudy = Callable[[Project], Awaitable[object]]
"""Opens another study in place of the current one, after the user has agreed to close that."""


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
class RunContext:
    """The dependencies of the commands of the Run stage."""

    state: RunState
    host: QWidget
    """The parent of dialogs."""
    open_study: OpenStudy
    edit_instructions: EditInstructions
    open_url: Callable[[str], object]
    run_action: Callable[[ActionId], object]
    """Runs another action by its id, if it is enabled."""
    show_answers: Callable[[OtherSource | None], object]
    """Shows the answers of a batch in Results; None for the study's."""

    @property
    def live(self) -> str:
        """The title of the current connection if it is to a live service; empty in a rehearsal."""
        session = self.state.session
        return session.connection.title if session.is_live else ""
