"""The last known state of something at a service, with the error and the time of the latest fetch.

`RemoteState` is the one cache of remote state in the window. A result that arrives after the study or the
connection has changed is discarded here, and nowhere else.
"""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from batchwright.client.context import WorkflowContext
from batchwright.client.errors import needs_sign_in
from batchwright.ui.core.background_tasks import TaskMessage, Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.subject import Subject

T = TypeVar("T")


class RemoteState(QObject, Generic[T]):
    """The value that `fetch` returned last for the current subject.

    A fetch does not wait for the network, and asks for a token only where a person has asked for it. When it
    fails, `value` stays what it was and `error` says why; whoever shows it decides whether an old value is
    worth showing. Another subject clears everything.

    Args:
        name: of the task, as "batches".
        subject: what the value is about; while it is None there is nothing to fetch.
        fetch: returns the value; called again when it was overtaken by `store` or by another subject.
        session: reaches the service of the current connection.
        tasks: runs the fetches.
    """

    changed = Signal()
    """Anything about the value or its state."""
    fetched = Signal()
    """A fetch has succeeded; emitted before `changed`."""

    def __init__(
        self,
        name: str,
        subject: Subject,
        fetch: Callable[[WorkflowContext], Awaitable[T]],
        session: ConnectionSession,
        tasks: Tasks,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._name, self._subject, self._fetch = name, subject, fetch
        self._session, self._tasks = session, tasks
        self.value: T | None = None
        self.error: TaskMessage | None = None
        """Why the last fetch failed."""
        self.needs_sign_in = False
        """Whether it failed because a token is missing or was rejected; nobody was asked for one."""
        self.fetched_at: datetime | None = None
        """When the last fetch succeeded, in UTC."""
        self.is_active = False
        """Whether anybody looks at it: another subject is fetched at once only then."""
        self._running = 0
        self._version = 0
        """Counts what makes a fetch that is running outdated."""
        self._started = self._applied = 0
        """Numbers of the latest fetch, and of the one that the value is from."""
        subject.changed.connect(self._on_subject_changed)

    @property
    def is_loading(self) -> bool:
        """Whether a fetch is running."""
        return self._running > 0

    def refresh(self, *, asks: bool = False) -> None:
        """Fetch the value again, unless that is going on; `asks` says whether a token may be asked for."""
        if self._subject.value is not None:
            self._tasks.start(f"fetch {self._name}", lambda: self.fetch_now(asks=asks))

    def invalidate(self) -> None:
        """Fetch the value again because the service has another one now, also where a fetch is running."""
        self._version += 1
        self.refresh()

    async def fetch_now(self, *, asks: bool = False) -> None:
        """Fetch the value and wait for it; an error is kept, not raised."""
        self._started += 1
        number = self._started
        self._running += 1
        self.changed.emit()
        try:
            while self._subject.value is not None:
                subject = self._subject.value
                if await self._fetch_once(number, asks=asks):
                    return
                if subject != self._subject.value and not self.is_active:
                    return
                asks = False  # nobody has asked for what is current now
        finally:
            self._running -= 1
            self.changed.emit()

    def store(self, value: T, *, overtakes: bool = True) -> None:
        """Know a value without fetching it, such as the result of an operation.

        Args:
            value: the new value; why the last fetch failed stays known.
            overtakes: whether a fetch that is running does not know it yet, and is repeated.
        """
        self._version += overtakes
        self.value = value
        self.changed.emit()

    def clear(self) -> None:
        """Know nothing."""
        self._version += 1
        self.value = self.error = self.fetched_at = None
        self.needs_sign_in = False
        self.changed.emit()

    async def _fetch_once(self, number: int, *, asks: bool) -> bool:
        """Fetch once; False where that was overtaken, and has to be done again."""
        version = self._version
        try:
            value = await self._session.at_work(lambda context, _hooks: self._fetch(context), asks=asks)
        except Exception as error:
            if version != self._version:
                return False
            if number == self._started:  # else a later fetch tells more
                self.error = self._tasks.message(error)
                self.needs_sign_in = needs_sign_in(error)
            return True
        if version != self._version:
            return False
        if number > self._applied:
            self._applied = number
            self.value, self.error, self.needs_sign_in = value, None, False
            self.fetched_at = datetime.now(UTC)
            self.fetched.emit()
        return True

    def _on_subject_changed(self) -> None:
        self.clear()
        if self.is_active:
            self.refresh()
