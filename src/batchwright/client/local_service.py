"""The service on this computer: a child process that is started on first use and stopped with the program."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import Protocol

from batchwright.base.i18n import _
from batchwright.client.context import Notify
from batchwright.service.process import ServiceAddress, ServiceDidNotStart, ServiceProcess


class ServiceState(Enum):
    """The state of the service on this computer."""

    ASLEEP = auto()
    """Not needed so far, and not started."""
    STARTING = auto()
    RUNNING = auto()
    FAILED = auto()
    """It did not start, or has ended unexpectedly."""


@dataclass(frozen=True)
class ServiceStatus:
    """The state of the service, and the error if it failed."""

    state: ServiceState = ServiceState.ASLEEP
    error: Exception | None = None
    workspace_id: str = ""
    """The workspace of its data folder; empty unless it is running."""


class ServiceEnded(Exception):
    """The running service on this computer ended unexpectedly; the text is its latest output."""


class ServiceHost(Protocol):
    """An object that starts and stops the process; implemented by `service.process.ServiceProcess`."""

    def start(self) -> ServiceAddress:
        """Start the process, and block until the service is ready."""

    def stop(self) -> None:
        """Stop the process, and block until it has exited."""

    @property
    def is_running(self) -> bool:
        """Whether the process was started and has not exited."""

    @property
    def recent_output(self) -> str:
        """The latest output of the process."""


HostFactory = Callable[[Callable[[], object]], ServiceHost]
"""Creates a host; its argument is called, from any thread, when the process has exited."""


def service_factory(folder: Path) -> HostFactory:
    """A factory of hosts that use this data folder."""
    return lambda ended: ServiceProcess(folder, on_end=ended)


class LocalServiceManager:
    """Starts, monitors and stops the one local service, and notifies listeners of each new `status`.

    Listeners are called on the event loop.

    Args:
        create_host: creates the host of a process; called once per start.
        prepare: creates the folders that the service needs; runs in a thread.
    """

    def __init__(self, create_host: HostFactory, prepare: Callable[[], object]) -> None:
        self._create_host, self._prepare = create_host, prepare
        self._host: ServiceHost | None = None
        self._starting: asyncio.Task[ServiceAddress] | None = None
        """The start of the service; not cancelled with the caller, since the next caller needs it too."""
        self._listeners: list[Callable[[], object]] = []
        self._is_closing = False
        self.status = ServiceStatus()

    def add_listener(self, listener: Callable[[], object]) -> None:
        """Add a callable that is called whenever `status` has changed."""
        self._listeners.append(listener)

    def remove_listener(self, listener: Callable[[], object]) -> None:
        """Remove a callable added by `add_listener`."""
        self._listeners.remove(listener)

    async def ensure_running(self, notify: Notify) -> ServiceAddress:
        """The address and token of the service; it is started if it is not running.

        Raises:
            ServiceDidNotStart: the process ended before it was ready.
            OSError: its folders cannot be created, or the process cannot be started.
        """
        if self._starting is None or not self._is_starting_or_running(self._starting):
            self._starting = asyncio.create_task(self._start(notify))
            self._starting.add_done_callback(_retrieve_exception)
        return await asyncio.shield(self._starting)

    async def close(self) -> None:
        """Stop the service, also one that is starting."""
        self._is_closing = True
        if self._starting is None:
            return
        await self._stop()
        await asyncio.gather(self._starting, return_exceptions=True)
        await self._stop()  # stops a process that was created after the first call

    async def _start(self, notify: Notify) -> ServiceAddress:
        await self._stop()  # a process that has exited still has its pipe open
        self._set_status(ServiceStatus(ServiceState.STARTING))
        notify(_("Starting the service on this computer."))
        loop = asyncio.get_running_loop()

        def ended() -> None:
            if not self._is_closing:
                loop.call_soon_threadsafe(self._on_process_ended, host)

        host = self._host = self._create_host(ended)
        try:
            await asyncio.to_thread(self._prepare)
            address = await asyncio.to_thread(host.start)
        except (ServiceDidNotStart, OSError) as error:
            self._set_status(ServiceStatus(ServiceState.FAILED, error))
            notify(_("The service on this computer did not start."))
            raise
        self._set_status(ServiceStatus(ServiceState.RUNNING, workspace_id=address.workspace_id))
        notify(_("The service on this computer is ready."))
        return address

    async def _stop(self) -> None:
        if self._host is not None:
            await asyncio.to_thread(self._host.stop)

    def _is_starting_or_running(self, starting: asyncio.Task[ServiceAddress]) -> bool:
        """Whether the service is starting, or has started and not exited since."""
        if not starting.done():
            return True
        has_started = not starting.cancelled() and starting.exception() is None
        return has_started and self._host is not None and self._host.is_running

    def _on_process_ended(self, host: ServiceHost) -> None:
        if host is self._host and self.status.state is ServiceState.RUNNING:
            self._set_status(ServiceStatus(ServiceState.FAILED, ServiceEnded(host.recent_output)))

    def _set_status(self, status: ServiceStatus) -> None:
        self.status = status
        for listener in tuple(self._listeners):
            listener()


def _retrieve_exception(starting: asyncio.Task[ServiceAddress]) -> None:
    """Mark the error of a failed start as retrieved, so that asyncio does not log it; `status` has it too."""
    if not starting.cancelled():
        starting.exception()
