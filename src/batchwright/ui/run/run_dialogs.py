"""What the Run stage asks before something is done, and what is done then."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime

from PySide6.QtWidgets import QWidget

from batchwright.api.errors import ApiError
from batchwright.local.projects import LastSent, Project
from batchwright.ui.core.formatting import short_datetime
from batchwright.ui.run.dialogs import (
    DetailsDialog,
    SetUpDialog,
    SimulationDialog,
    UpdateDialog,
    create_dialog,
    sync_dialog,
)
from batchwright.ui.run.duplicate_dialog import DuplicateDialog
from batchwright.ui.run.instructions import Instructions, is_legacy
from batchwright.ui.run.instructions_dialog import InstructionsDialog
from batchwright.ui.run.participant_dialog import show_test_participant_dialog
from batchwright.ui.run.state import RunState
from batchwright.wire.batches import BatchStatus
from batchwright.wire.instructions import InstructionRecord
from batchwright.workflows.batch_content import ContentComparison
from batchwright.workflows.changed_meanwhile import ChangedMeanwhile
from batchwright.workflows.existing_answers import Existing
from batchwright.workflows.legacy_instructions import read_instructions, replace_instructions

Begin = Callable[[Project], Awaitable[object]]
"""Opens another study in place of the one that is open, once the person has agreed to leave that."""


class RunDialogs:
    """Each asks over a window, and does nothing when the person goes back."""

    def __init__(self, host: QWidget, model: RunState, begin: Begin) -> None:
        self._host, self._model, self._begin = host, model, begin

    async def details(self) -> None:
        """Ask for the task details."""
        study = self._model.study
        dialog = DetailsDialog(study.project.name, study.details)
        if await dialog.ask(self._host) and dialog.taken is not None:
            name, details = dialog.taken
            study.set_name(name or study.project.name)
            study.set_details(details)

    async def publish(self) -> None:
        """Make or update the batch; ask where that reaches a live service, or where something may be lost.

        Raises:
            ApiError: how the batch is now could not be found out.
        """
        model, live, subject = self._model, self._live, self._model.subject
        existing = await model.existing()
        if subject != model.subject:
            return
        if existing is None:
            if not live or await create_dialog(model.name, live).ask(self._host):
                model.publish(None)
        elif await self._may_update(existing, live):
            model.publish(existing.batch)

    async def _may_update(self, existing: Existing, live: str) -> bool:
        model, last = self._model, self._model.remote.last_sent
        is_changed = model.comparison is ContentComparison.BATCH_CHANGED
        if not live and existing.answers == 0 and last is not None and not is_changed:
            return True
        dialog = UpdateDialog(
            existing.batch.name,
            answers=existing.answers,
            changed_since=_moment(last) if is_changed else None,
            is_recorded=last is not None or model.is_as_sent,
            asks_the_same=model.asks_the_same,
            live=live,
        )
        is_wanted = await dialog.ask(self._host)
        if dialog.opens_theirs:
            model.open_own(self._begin)
        return is_wanted

    async def set_up(self) -> None:
        """Ask how tasks are to be made, and have them made.

        Raises:
            ApiError: how the batch is now could not be found out.
        """
        model, subject = self._model, self._model.subject
        existing = await model.existing()
        if existing is None or subject != model.subject:
            return
        batch, schema = existing.batch, model.study.schema
        dialog = SetUpDialog(
            batch.name,
            model.records,
            model.study.project.tasks_per_group,
            group_field=schema.task_group_field if schema else None,
            live=self._live,
            is_again=batch.total_task_count > 0,
            is_processing=batch.status == BatchStatus.PROCESSING,
            answers=existing.answers,
        )
        if await dialog.ask(self._host):
            model.set_up(dialog.tasks_per_group)

    async def sync(self) -> None:
        """Have tasks made of what came later; where that reaches the live service, ask once."""
        model, live = self._model, self._live
        if not live or await sync_dialog(model.name, model.upkeep.unsynced, live).ask(self._host):
            model.sync()

    async def duplicate(self) -> None:
        """Ask what a copy of the batch looked at is to be, and have it made."""
        model, batch = self._model, self._model.chosen
        if batch is None:
            return
        dialog = DuplicateDialog(batch.name, has_dataset=bool(batch.datasets), live=self._live)
        if await dialog.ask(self._host):
            model.duplicate(dialog.name, with_dataset=dialog.with_dataset)

    async def instructions(self) -> None:
        """Show the instructions of the legacy batch looked at, and write those that come of it.

        Raises:
            Gone: the service has given instructions up.
            ApiError: they cannot be read.
        """
        model, batch = self._model, self._model.chosen
        if batch is None or not is_legacy(batch):
            return
        heard: list[str] = []
        bench = replace(await model.session.bench(), tell=heard.append)
        known: tuple[InstructionRecord, ...] | None = await read_instructions(bench, batch.id)
        instructions = Instructions(known or ())
        dialog = InstructionsDialog(batch.name, instructions, ending="".join(heard), live=self._live)

        async def attempt() -> bool:
            nonlocal known
            dialog.show_waiting()
            try:
                await replace_instructions(bench, batch.id, instructions.wanted(), known)
            except ChangedMeanwhile as error:
                dialog.show_fault(error)
                return False
            except ApiError as error:
                known = None  # what was sent may have arrived
                dialog.show_fault(error)
                return False
            return True

        if await dialog.ask_until(self._host, attempt):
            model.look()

    async def simulate(self) -> None:
        """Ask who answers, and let them."""
        dialog = SimulationDialog(self._model.groups)
        if await dialog.ask(self._host):
            self._model.simulate(dialog.people)

    async def tester(self) -> None:
        """Ask for the address of a test participant, and have one made."""
        await show_test_participant_dialog(self._host, self._model.session)

    @property
    def _live(self) -> str:
        """The live service that is reached; empty in a rehearsal."""
        session = self._model.session
        return session.connection.title if session.is_live else ""


def _moment(last: LastSent | None) -> str:
    """When something was last sent; empty where a file holds no such moment."""
    try:
        return short_datetime(datetime.fromisoformat(last.at)) if last else ""
    except ValueError:
        return ""
