"""The commands of the Collections stage, with the workflow of each replaced by one that the tests script."""

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.local.projects import LastSent, RemoteBinding
from batchwright.ui.collections import commands
from batchwright.ui.collections.commands import CollectionsContext
from batchwright.ui.collections.publishable import COLLECTION
from batchwright.ui.collections.state import CollectionsState
from batchwright.ui.publishing import commands as publishing
from batchwright.ui.publishing.publish import fetch_existing, start_publish
from batchwright.ui.publishing.state import RemoteResources
from batchwright.ui.study.downloads import DownloadContext
from batchwright.wire.collections import Collection
from batchwright.workflows.publishing.published import Published, WithAnswerCount
from batchwright.workflows.rehearsal import simulate as workflow
from batchwright.workflows.rehearsal.simulate import SimulationOptions
from tests.ui.collections.collections_stage import kitchen
from tests.ui.core.operation_fixtures import Command, Fixture, ScriptedWork
from tests.ui.core.stage_commands import NoParticipants, StageCommands

BEFORE = Collection(id="c", name="Cats", collection_items=())
AFTER = BEFORE.model_copy(update={"name": "Cats, later"})
BINDING = RemoteBinding("w1", collection_id="c")
STUDY = kitchen("Cats")


class Collections(StageCommands[CollectionsState]):
    """A Collections stage without a window, whose collections are known."""

    def __init__(
        self, at: Fixture, monkeypatch: pytest.MonkeyPatch, binding: RemoteBinding = BINDING
    ) -> None:
        super().__init__(at, monkeypatch, STUDY, binding, CollectionsState, commands)
        self.context: CollectionsContext = CollectionsContext(
            self.state,
            cast("QWidget", None),
            self.open_study,
            self.opened.append,
            lambda _id: None,
            lambda _id: None,
            cast("DownloadContext", None),
        )
        self.state.publishable = replace(COLLECTION, fetch=self._fetch_shown)

    @override
    def store_fetched(self) -> None:
        self.state.remote_list.store(RemoteResources({"c": BEFORE}))

    def has_collection(self) -> bool:
        return AFTER in self.state.resources

    async def _fetch_shown(self, *_arguments: object) -> WithAnswerCount[Collection]:
        return WithAnswerCount(BEFORE, 0)


def publish(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    fixture = Collections(at, monkeypatch, replace(BINDING, collection_id=None))
    result = Published(AFTER, {}, LastSent("s", "r", ""))
    return fixture.command_of_kind(
        "send",
        result,
        lambda: start_publish(fixture.state, None),
        fixture.has_collection,
    )


def copy(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    fixture = Collections(at, monkeypatch)
    created = AFTER.model_copy(update={"id": "copy"})
    return fixture.command(
        "copy_collection",
        created,
        lambda: commands.start_copy(fixture.state, BEFORE, "Copy"),
        lambda: created in fixture.state.resources,
    )


def check(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    fixture = Collections(at, monkeypatch)
    start = fixture.run_task(lambda context: fetch_existing(context.state, "c"))
    return fixture.command_of_kind("fetch", WithAnswerCount(AFTER, 0), start, fixture.has_collection)


def open_as_study(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    fixture = Collections(at, monkeypatch)
    start = fixture.run_task(publishing.open_as_study)
    return fixture.command_of_kind("read_study", STUDY, start, lambda: fixture.opened == [STUDY])


def participate(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    fixture, work = Collections(at, monkeypatch), ScriptedWork(SimpleNamespace(url="link"))
    at.use_local(participation_in_collection=work)
    return fixture.command_of(
        work, lambda: publishing.participate(fixture.context), lambda: fixture.opened == ["link"]
    )


def simulate(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    fixture, work = Collections(at, monkeypatch), ScriptedWork(SimpleNamespace(url="link"))
    at.use_local(participation_in_collection=work)

    monkeypatch.setattr(workflow, "SimulatedParticipants", NoParticipants)

    def start() -> None:
        commands.start_simulation(fixture.state, BEFORE, SimulationOptions(1))

    return fixture.command_of(work, start, fixture.was_notified)


COLLECTIONS_COMMANDS = (publish, copy, check, open_as_study, participate, simulate)
"""Each makes a command, given the session and a monkeypatch."""
