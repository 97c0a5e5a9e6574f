"""The commands of the Run stage, with scripted workflows."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import pytest
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.client.dataset_lookup import DatasetLookup
from batchwright.layout.serialization import random_keys, read
from batchwright.local.projects import LastSent, Project, RemoteBinding
from batchwright.schema.parsing import read_schema
from batchwright.ui.publishing import commands as publishing
from batchwright.ui.publishing import publish
from batchwright.ui.review.questions import TheirDataset
from batchwright.ui.run import commands, edit_batch, instructions, legacy_batch
from batchwright.ui.run import state as run_state
from batchwright.ui.run.context import RunContext
from batchwright.ui.run.publishable import BATCH
from batchwright.ui.run.remote_batches import BatchDetails, RemoteBatches
from batchwright.ui.run.state import RunState
from batchwright.wire.batches import Batch, BatchUpdate
from batchwright.wire.datasets import Dataset
from batchwright.wire.local_routes import Progress
from batchwright.wire.syncs import SyncJob
from batchwright.workflows.publishing.open_as_study import ConvertedBatch
from batchwright.workflows.publishing.published import Published, WithAnswerCount
from batchwright.workflows.publishing.set_up import SetupObstacle
from batchwright.workflows.rehearsal import simulate as workflow
from batchwright.workflows.rehearsal.simulate import SimulationOptions
from tests.api.studies import DETAILS, LAYOUT, SCHEMA
from tests.ui.core.operation_fixtures import Command, Fixture, ScriptedWork
from tests.ui.core.stage_commands import NoParticipants, StageCommands

BEFORE = Batch(id="b", name="Cats", status="READY", batch_items=[])
AFTER = BEFORE.model_copy(update={"name": "Cats, later"})
BINDING = RemoteBinding("w1", dataset_id="d", import_id="i", batch_id="b")
STUDY = Project("Cats", read(LAYOUT, random_keys()), schema=read_schema(SCHEMA), details=DETAILS)


class Run(StageCommands[RunState]):
    """The Run stage without a window, with fetched batches."""

    def __init__(
        self, at: Fixture, monkeypatch: pytest.MonkeyPatch, binding: RemoteBinding = BINDING
    ) -> None:
        super().__init__(at, monkeypatch, STUDY, binding, RunState, commands)
        self.context: RunContext = RunContext(
            self.state,
            cast("QWidget", None),
            self.open_study,
            self.opened.append,
            lambda _id: None,
            self.opened.append,
            self._edit_instructions,
        )
        monkeypatch.setattr(run_state, "fetch_batches", self._fetch)
        monkeypatch.setattr(run_state, "fetch_details", self._fetch_details)
        self.state.publishable = replace(BATCH, has_earlier_tasks=self._has_earlier_tasks)

    @override
    def store_fetched(self) -> None:
        self.state.remote_list.store(RemoteBatches({"b": BEFORE}))

    def has_batch(self) -> bool:
        return self.state.fetched.resources.get("b") is AFTER

    async def _edit_instructions(self, host: QWidget, name: str, *_arguments: Any, **_options: Any) -> bool:
        self.opened.append(name)
        return False

    async def _fetch(self, *_arguments: object) -> RemoteBatches:
        return self.state.fetched

    async def _has_earlier_tasks(self, *_arguments: object, **_options: object) -> bool:
        return False

    async def _fetch_details(self, *_arguments: object, **_options: object) -> BatchDetails:
        return self.state.details.value or BatchDetails()


class AcceptedDialog:
    """A dialog that the user accepts at once."""

    async def ask(self, _host: QWidget) -> bool:
        return True


class AcceptedDatasetDialog(AcceptedDialog):
    """The dialog for the id of a dataset, filled in."""

    dataset_id = "d"


def create(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    run = Run(at, monkeypatch, replace(BINDING, batch_id=None))
    result = Published(AFTER, {}, LastSent("s", "r", ""))
    start = partial(publish.start_publish, run.state, None)
    return run.command_of_kind("send", result, start, run.has_batch)


def set_up(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    run = Run(at, monkeypatch)
    start = partial(commands.start_set_up, run.state, BEFORE, 2)
    return run.command("set_up_confirmed", AFTER, start, run.was_notified)


def edit(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    run = Run(at, monkeypatch)
    start = partial(edit_batch.start_edit, run.state, BEFORE, BatchUpdate(name=AFTER.name))
    return run.command("edit_batch", AFTER, start, run.has_batch, edit_batch)


def set_up_with_dataset(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    """The lookup of the dataset, before anything is asked about the setup."""
    run = Run(at, monkeypatch)
    found: list[object] = []

    async def fetch(*_arguments: object) -> WithAnswerCount[Batch]:
        return WithAnswerCount(BEFORE, 0)

    async def ask_set_up(_context: object, _existing: object, *arguments: object) -> None:
        found.append(arguments)

    monkeypatch.setattr(commands, "fetch_existing", fetch)
    monkeypatch.setattr(commands, "SetUpDatasetDialog", lambda _name: AcceptedDatasetDialog())
    monkeypatch.setattr(commands, "_ask_set_up", ask_set_up)
    lookup = DatasetLookup(Dataset(id="d", status="READY", total_datapoint_count=3), None, "w1")
    start = run.run_task(commands.set_up_with_dataset)
    return run.command("look_up_dataset", lookup, start, lambda: found == [(3, None, "d")])


def sync(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    run = Run(at, monkeypatch)
    job = SyncJob(status="COMPLETE", tasks_created=0)
    return run.command("sync", job, lambda: commands.start_sync(run.state), run.was_notified)


def auto_sync(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    run = Run(at, monkeypatch)

    def start() -> None:
        commands.switch_auto_sync(run.state, is_on=True)

    return run.command("set_auto_sync", AFTER, start, run.has_batch)


def duplicate(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    run = Run(at, monkeypatch)

    def start() -> None:
        commands.start_duplicate(run.state, BEFORE, "Copy", with_dataset=True)

    return run.command("duplicate", AFTER, start, run.has_batch)


def check(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    run = Run(at, monkeypatch)
    start = run.run_task(lambda context: publish.fetch_existing(context.state, "b"))
    result = WithAnswerCount(AFTER, 0)
    return run.command_of_kind("fetch", result, start, run.has_batch)


def look_up_dataset(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    run = Run(at, monkeypatch)
    found: list[object] = []

    async def look_up(context: RunContext) -> None:
        found.append(await publish._look_up(context.state, "d"))

    lookup = DatasetLookup(Dataset(id="d"), None, "w1")
    return run.command(
        "look_up_dataset",
        lookup,
        run.run_task(look_up),
        lambda: found == [TheirDataset("d", lookup)],
        publish,
    )


def open_as_study(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    run = Run(at, monkeypatch)
    start = run.run_task(publishing.open_as_study)
    return run.command_of_kind("read_study", STUDY, start, lambda: run.opened == [STUDY])


def convert_legacy(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    run = Run(at, monkeypatch)
    converted = ConvertedBatch(STUDY, 1, 1, is_v3=False)
    monkeypatch.setattr(commands, "convert_dialog", lambda _converted: AcceptedDialog())
    start = run.run_task(commands.convert_to_layout)
    return run.command("study_from_legacy_batch", converted, start, lambda: run.opened == [STUDY], commands)


def find_obstacle(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    run = Run(at, monkeypatch)
    found: list[object] = []

    async def find(context: RunContext) -> None:
        found.append(await commands._find_obstacle(context.state, BEFORE))

    start = run.run_task(find)
    obstacle = SetupObstacle.NO_DATASET
    return run.command("find_setup_obstacle", obstacle, start, lambda: found == [(True, obstacle)])


def fetch_progress(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    run = Run(at, monkeypatch)
    found: list[object] = []

    async def fetch(context: RunContext) -> None:
        found.append(await commands._fetch_progress(context.state, BEFORE))

    return run.command("fetch_progress", Progress(), run.run_task(fetch), lambda: found == [Progress()])


def new_legacy_batch(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    run = Run(at, monkeypatch)

    async def accept(_dialog: object, _host: object) -> bool:
        return True

    async def edit(_context: object) -> None:
        return None

    monkeypatch.setattr(legacy_batch.LegacyBatchDialog, "ask", accept)
    monkeypatch.setattr(legacy_batch, "edit_instructions", edit)
    start = run.run_task(legacy_batch.new_legacy_batch)
    return run.command("create_legacy_batch", AFTER, start, run.has_batch, legacy_batch)


def read_instructions(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    run = Run(at, monkeypatch)
    monkeypatch.setattr(instructions, "replace", lambda context, **_changes: context)
    start = run.run_task(instructions.edit_instructions)
    return run.command("read_instructions", (), start, lambda: run.opened == ["Cats"], instructions)


def participate(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    run, work = Run(at, monkeypatch), ScriptedWork(SimpleNamespace(url="https://example.org"))
    at.use_local(participation=work)
    return run.command_of(
        work, lambda: publishing.participate(run.context), lambda: run.opened == ["https://example.org"]
    )


def simulate(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    run = Run(at, monkeypatch)
    monkeypatch.setattr(workflow, "SimulatedParticipants", NoParticipants)

    def start() -> None:
        commands.start_simulation(run.state, SimulationOptions(0))

    return run.command("fetch_progress", Progress(), start, run.was_notified)


def set_place_timeout(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    run = Run(at, monkeypatch)
    start = partial(commands.start_set_place_timeout, run.state, BEFORE, 5)
    return _changes_progress(run, start)


def release_places(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    run = Run(at, monkeypatch)
    return _changes_progress(run, partial(commands.start_release_places, run.state, BEFORE))


def _changes_progress(run: Run, start: Callable[[], None]) -> Command:
    result = Progress(place_timeout_minutes=5)
    return run.command("fetch_progress", result, start, lambda: run.state.progress == result)


RUN_COMMANDS = (
    create,
    set_up,
    edit,
    set_up_with_dataset,
    sync,
    auto_sync,
    duplicate,
    check,
    look_up_dataset,
    open_as_study,
    convert_legacy,
    find_obstacle,
    fetch_progress,
    set_place_timeout,
    release_places,
    new_legacy_batch,
    read_instructions,
    participate,
    simulate,
)
"""Each makes a command, given the session and a monkeypatch."""
