"""The last fetched state of a resource, with the error and the time of the latest fetch.

`RemoteState` is the only cache of remote state in the window. A result that arrives after the study or the
connection has changed is discarded here, and nowhere else.
"""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from batchwright.client.context import WorkflowContext
from batchwright.client.errors import is_not_found, needs_sign_in
from batchwright.ui.core.background_tasks import TaskMessage, Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.subject import Subject

T = TypeVar("T")


class RemoteState(QObject, Generic[T]):
    """The value that `fetch` returned last for the current subject.

    A fetch does not wait for the network, and prompts for a token only if the user has requested the fetch,
    since an unexpected prompt is dismissed. When a fetch fails, `value` remains and `error` has the reason;
    the view decides whether to show an old value. A change of the subject clears everything.

    Args:
        name: name of the task, as "batches".
        subject: what the value is about; while it is None, nothing is fetched.
        fetch: returns the value; called again if its result is outdated because of `store` or another
            subject.
        session: provides the context of the current connection.
        tasks: runs the fetches.
    """

    changed = Signal()
    """The value, the error, or whether a fetch is running."""
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
        """The error of the last fetch; None if it succeeded."""
        self.needs_sign_in = False
        """Whether the last fetch failed because a token is missing or was rejected; the user was not
        prompted for one."""
        self.is_missing = False
        """Whether the last fetch failed because the service has no such resource."""
        self.fetched_at: datetime | None = None
        """When the last fetch succeeded, in UTC."""
        self.is_active = False
        """Whether a view shows the value: after a change of the subject, it is fetched at once only then."""
        self._running = 0
        self._version = 0
        """Incremented by whatever makes the result of a running fetch outdated."""
        self._started = self._applied = 0
        """Numbers of the latest fetch, and of the one that returned the value."""
        subject.changed.connect(self._on_subject_changed)

    @property
    def is_loading(self) -> bool:
        """Whether a fetch is running."""
        return self._running > 0

    def refresh(self, *, may_prompt: bool = False) -> None:
        """Fetch the value again, unless a fetch is running; `may_prompt` allows to prompt for a token."""
        if self._subject.value is not None:
            self._tasks.start(f"fetch {self._name}", lambda: self.fetch_now(may_prompt=may_prompt))

    def invalidate(self) -> None:
        """Fetch the value again because it has changed at the service, even if a fetch is running."""
        self._version += 1
        self.refresh()

    async def fetch_now(self, *, may_prompt: bool = False) -> None:
        """Fetch the value and wait for it; an error is stored in `error`, not raised."""
        self._started += 1
        number = self._started
        self._running += 1
        self.changed.emit()
        try:
            while self._subject.value is not None:
                subject = self._subject.value
                if await self._fetch_once(number, may_prompt=may_prompt):
                    return
                if subject != self._subject.value and not self.is_active:
                    return
                may_prompt = False  # the user has not requested a fetch for the new subject
        finally:
            self._running -= 1
            self.changed.emit()

    def store(self, value: T, *, overtakes: bool = True) -> None:
        """Set the value without fetching it, as to the result of an operation.

        Args:
            value: the new value; `error` does not change.
            overtakes: whether the result of a running fetch would be outdated, so that it is repeated.
        """
        self._version += overtakes
        self.value = value
        self.changed.emit()

    def clear(self) -> None:
        """Remove value and error."""
        self._version += 1
        self.value = self.error = self.fetched_at = None
        self.needs_sign_in = self.is_missing = False
        self.changed.emit()

    async def _fetch_once(self, number: int, *, may_prompt: bool) -> bool:
        """Fetch once; False if the result is outdated and the fetch must be repeated."""
        version = self._version
        try:
            value = await self._session.run(
                lambda context, _hooks: self._fetch(context), may_prompt=may_prompt
            )
        except Exception as error:
            if version != self._version:
                return False
            if number == self._started:  # otherwise a later fetch decides
                self.error = self._tasks.message(error)
                self.needs_sign_in, self.is_missing = needs_sign_in(error), is_not_found(error)
            return True
        if version != self._version:
            return False
        if number > self._applied:
            self._applied = number
            self.value, self.error, self.needs_sign_in, self.is_missing = value, None, False, False
            self.fetched_at = datetime.now(UTC)
            self.fetched.emit()
        return True

    def _on_subject_changed(self) -> None:
        self.clear()
        if self.is_active:
            self.refresh()
