"""One thing at a time is done for a study; another study or connection is left alone by what it comes to."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.run.remote_state import RemoteBatches
from batchwright.ui.study.study_model import Study

StudyAtConnection = tuple[int, str]
"""Which study at which connection something is done for."""

Show = Callable[[float], None]
"""Says how much of it is done, from 0 to 1."""

OnDone = Callable[[], object]
Operation = Callable[[], Awaitable[OnDone | None]]
"""What is done, and comes to what is to be told at its end, if that is anything."""


@dataclass(frozen=True)
class RunningOperation:
    """What runs for the study's batch just now; `done` is from 0 to 1, None where nobody knows."""

    text: str
    done: float | None = None


class BatchOperationRunner(QObject):
    """Begins deeds, and holds what is `going` for each study and connection; `changed` follows that."""

    changed = Signal()

    def __init__(
        self,
        study: Study,
        session: ConnectionSession,
        tasks: Tasks,
        seen: RemoteBatches,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._study, self._session, self._tasks, self._seen = study, session, tasks, seen
        self._going: dict[StudyAtConnection, RunningOperation] = {}
        self._about = self.about
        study.saved_changed.connect(self._take_study)
        session.changed.connect(self._take_study)

    @property
    def about(self) -> StudyAtConnection:
        """What is open now."""
        return self._study.opening, self._session.connection.name

    @property
    def going(self) -> RunningOperation | None:
        """What is done for what is open now."""
        return self._going.get(self.about)

    def start(self, name: str, deed: Operation) -> None:
        """Do something, and then look at the service, also after a failure."""
        about = self.about

        async def do() -> None:
            then = None
            try:
                then = await deed()
            finally:
                if about == self.about:
                    await self._seen.look_now()
            if then is not None and about == self.about:
                then()

        self._tasks.start(_task(name, about), do)

    @contextmanager
    def goes(self, text: str) -> Iterator[Show]:
        """Say what is done meanwhile; what is given says how far it is."""
        about = self.about

        def show(done: float | None) -> None:
            self._going[about] = RunningOperation(text, done)
            self._tell()

        show(None)
        try:
            yield show
        finally:
            self._going.pop(about, None)
            self._tell()

    def _tell(self) -> None:
        self._seen.joins_setups = self.going is None
        self.changed.emit()

    def _take_study(self) -> None:
        """Leave the last study alone: what was asked of the service goes on, people who answer do not."""
        if self._about != self.about:
            self._tasks.cancel(_task("simulate", self._about))
            self._about = self.about
            self._tell()


def _task(name: str, about: StudyAtConnection) -> str:
    opening, connection = about
    return f"run {name} {opening} {connection}"
