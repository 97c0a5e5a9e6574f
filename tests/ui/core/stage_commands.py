"""The commands of stages that show a resource of the study, without a window and with scripted workflows."""

from collections.abc import AsyncGenerator, Callable
from dataclasses import replace
from types import ModuleType
from typing import Any, Generic, TypeVar, cast

import pytest

from batchwright.local.projects import Project, RemoteBinding
from batchwright.ui.collections.state import CollectionsState
from batchwright.ui.run.state import RunState
from batchwright.ui.study.study_model import Study
from tests.ui.core.operation_fixtures import Command, Fixture, ScriptedWork

S = TypeVar("S", bound=RunState | CollectionsState)


class StageCommands(Generic[S]):
    """A stage without a window, with a study whose resource was fetched.

    Args:
        at: the session.
        monkeypatch: replaces workflows.
        project: the study.
        binding: the ids that it has at the service.
        kind: the class of the stage's state.
        module: the module of the stage that imports the workflows, unless a command names another one.
    """

    context: Any
    """The dependencies of the commands."""

    def __init__(
        self,
        at: Fixture,
        monkeypatch: pytest.MonkeyPatch,
        project: Project,
        binding: RemoteBinding,
        kind: type[S],
        module: ModuleType,
    ) -> None:
        self.at, self.monkeypatch, self.study, self._module = at, monkeypatch, Study(), module
        self.study.open(replace(project, remotes={"Lab": binding}), None, is_saved=False)
        self._subject = self.study.opening, "Lab"
        self.state = kind(self.study, at.session, at.tasks)
        self.opened: list[object] = []
        self.notified: list[str] = []
        self.state.notified.connect(lambda title, _line: self.notified.append(title))

    def store_fetched(self) -> None:
        """Store the resource of the study as fetched."""
        raise NotImplementedError

    def command(
        self,
        workflow: str,
        result: object,
        start: Callable[[], object],
        has_result: Callable[[], bool],
        module: ModuleType | None = None,
    ) -> Command:
        """The case of a command whose workflow is imported by a module of the stage."""
        work = ScriptedWork(result)
        self.monkeypatch.setattr(module or self._module, workflow, work)
        return self.command_of(work, start, has_result)

    def command_of_kind(
        self, name: str, result: object, start: Callable[[], object], has_result: Callable[[], bool]
    ) -> Command:
        """The case of a command whose workflow is a field of the `Publishable` of the stage."""
        work, state = ScriptedWork(result), cast("Any", self.state)
        state.publishable = replace(state.publishable, **{name: work})
        return self.command_of(work, start, has_result)

    def command_of(
        self, work: ScriptedWork, start: Callable[[], object], has_result: Callable[[], bool]
    ) -> Command:
        """The case of a command with some work."""

        def store_and_start() -> None:
            self.store_fetched()
            start()

        return Command(self.state.operations, work, store_and_start, has_result, self._open_another)

    def was_notified(self) -> bool:
        """Whether the end of a command was notified: the only result of some commands."""
        return bool(self.notified) and self.state.subject.value == self._subject

    def run_task(self, command: Callable[[Any], Any]) -> Callable[[], None]:
        """A function that starts a command that asks the user."""
        return lambda: self.at.tasks.start("command", lambda: command(self.context))

    async def open_study(self, project: Project) -> None:
        """Record a study that a command opens."""
        self.opened.append(project)

    def _open_another(self) -> None:
        self.study.open(Project("Dogs"), None)


class NoParticipants:
    """Simulated participants of whom nobody answers."""

    def __init__(self, *_arguments: object) -> None:
        """Accept the arguments of `SimulatedParticipants`."""

    async def run(self, *_arguments: object) -> AsyncGenerator[int]:
        """Yield nothing."""
        for number in range(0):
            yield number
