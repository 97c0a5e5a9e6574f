"""What is done with the study's dataset besides uploading: one thing at a time, shown as it goes on."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from batchwright.client.context import WorkflowContext
from batchwright.client.resilient_run import RecoveryHooks
from batchwright.ui.core.background_tasks import TaskMessage, Tasks
from batchwright.ui.core.session import ConnectionSession


class OperationState(Enum):
    """How it stands with a deed."""

    CONNECTING = auto()
    RUNNING = auto()
    WAITING = auto()
    """The service does something else with the dataset first."""
    OFFLINE = auto()
    """The network is away, and is waited for."""
    SUCCEEDED = auto()
    FAILED = auto()
    CANCELLED = auto()


@dataclass(frozen=True)
class DatasetOperation:
    """Something that is done with a dataset at a connection, as it stands."""

    connection: str
    connection_title: str
    """What the connection is called."""
    state: OperationState = OperationState.CONNECTING
    error: TaskMessage | None = None

    @property
    def is_running(self) -> bool:
        """Whether it goes on."""
        return self.state in (
            OperationState.CONNECTING,
            OperationState.RUNNING,
            OperationState.WAITING,
            OperationState.OFFLINE,
        )

    @property
    def fraction(self) -> float | None:
        """How much of it is done, from 0 to 1; None where nobody knows."""
        return None


class UpdateProgress(Protocol):
    """Shows that a deed has come further."""

    def __call__(self, **changes: object) -> None:
        """Change what is known of it."""


Work = Callable[[WorkflowContext, RecoveryHooks | None, UpdateProgress], Awaitable[None]]
"""Does a deed, or goes on with it where it was; what it leaves unsaid is that the deed has ended."""


class OperationRunner(QObject):
    """Holds the latest deed, whatever kind it is."""

    changed = Signal()
    finished = Signal()
    """One has ended, well or not."""

    def __init__(
        self,
        session: ConnectionSession,
        tasks: Tasks,
        describe: Callable[[BaseException], TaskMessage],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._tasks, self._describe = session, tasks, describe
        self._number = 0
        self.latest: DatasetOperation | None = None

    @property
    def is_running(self) -> bool:
        """Whether one goes on."""
        return self.latest is not None and self.latest.is_running

    def start(self, operation: DatasetOperation, work: Work) -> None:
        """Do something, unless something else is being done."""
        if self.is_running:
            return
        self._number += 1
        number = self._number
        self._show(operation)
        self._tasks.start(self._name, lambda: self._run(number, work, operation.connection))

    def stop(self) -> None:
        """Do no more; what has arrived stays at the service."""
        self._tasks.cancel(self._name)
        self._update(self._number, state=OperationState.CANCELLED)

    def clear(self) -> None:
        """Show nothing; what goes on is stopped."""
        self.stop()
        self._show(None)

    @property
    def _name(self) -> str:
        return f"data deed {self._number}"

    async def _run(self, number: int, work: Work, at: str) -> None:
        def update(**changes: object) -> None:
            self._update(number, **changes)

        before = OperationState.CONNECTING

        def away() -> None:
            nonlocal before
            if self.latest is not None and self.latest.state is not OperationState.OFFLINE:
                before = self.latest.state
                update(state=OperationState.OFFLINE)

        def back() -> None:
            if self.latest is not None and self.latest.state is OperationState.OFFLINE:
                update(state=before)

        try:
            await self._session.at_work(
                lambda context, recovery: work(context, recovery, update), away, at, back=back
            )
        except Exception as error:
            # Whatever goes wrong is shown where the deed stands.
            update(state=OperationState.FAILED, error=self._describe(error))
        except BaseException:
            update(state=OperationState.CANCELLED)
            raise
        else:
            update(state=OperationState.SUCCEEDED)

    def _update(self, number: int, **changes: object) -> None:
        """Show that the deed of this number has come further; neither a later nor an ended one is touched."""
        if self.latest is None or number != self._number or not self.latest.is_running:
            return
        self._show(replace(self.latest, **changes))  # type: ignore[arg-type]  # named by the dataclass
        if not self.is_running:
            self.finished.emit()

    def _show(self, operation: DatasetOperation | None) -> None:
        self.latest = operation
        self.changed.emit()
