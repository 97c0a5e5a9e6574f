"""The service of this computer: started for the first that needs it, watched, and ended with the program."""

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
    """How the service of this computer stands."""

    ASLEEP = auto()
    """Nobody needed it yet."""
    STARTING = auto()
    RUNNING = auto()
    FAILED = auto()
    """It did not start, or has ended by itself."""


@dataclass(frozen=True)
class ServiceStatus:
    """How the service stands, and what went wrong when it failed."""

    state: ServiceState = ServiceState.ASLEEP
    error: Exception | None = None


class ServiceEnded(Exception):
    """The service of this computer was running and has ended by itself; the text is what it said last."""


class ServiceHost(Protocol):
    """What starts and ends the process (`service.process.ServiceProcess`)."""

    def start(self) -> ServiceAddress:
        """Start it and wait until it is ready."""

    def stop(self) -> None:
        """End it, and wait until it is gone."""

    @property
    def is_running(self) -> bool:
        """Whether it was started and has not ended since."""

    @property
    def recent_output(self) -> str:
        """What it said last."""


HostFactory = Callable[[Callable[[], object]], ServiceHost]
"""Makes a host that calls what it is given, from any thread, once its process has ended."""


def service_factory(folder: Path) -> HostFactory:
    """Makes hosts on a data folder."""
    return lambda ended: ServiceProcess(folder, on_end=ended)


class LocalServiceManager:
    """One service for the program. Listeners are told of each new `condition` on the event loop.

    Args:
        make: makes the process that is to be started; once for each start.
        prepare: makes the folders it needs; runs in a thread.
    """

    def __init__(self, make: HostFactory, prepare: Callable[[], object]) -> None:
        self._create_host, self._prepare = make, prepare
        self._host: ServiceHost | None = None
        self._starting: asyncio.Task[ServiceAddress] | None = None
        """Goes on when the one who asked does not wait any more: the next one needs it, too."""
        self._listeners: list[Callable[[], object]] = []
        self._is_closing = False
        self.status = ServiceStatus()

    def add_listener(self, told: Callable[[], object]) -> None:
        """Be told whenever the service stands otherwise."""
        self._listeners.append(told)

    def remove_listener(self, told: Callable[[], object]) -> None:
        """Be told no more."""
        self._listeners.remove(told)

    async def ensure_running(self, tell: Notify) -> ServiceAddress:
        """The service; it is started when it does not run.

        Raises:
            ServiceDidNotStart: it ended before it was ready.
            OSError: its folders cannot be made, or its process cannot be started.
        """
        if self._starting is None or not self._is_starting_or_running(self._starting):
            self._starting = asyncio.create_task(self._start(tell))
            self._starting.add_done_callback(_retrieve_exception)
        return await asyncio.shield(self._starting)

    async def close(self) -> None:
        """End the service, also one that is just starting."""
        self._is_closing = True
        if self._starting is None:
            return
        await self._stop()
        await asyncio.gather(self._starting, return_exceptions=True)
        await self._stop()  # for one that began to start just then

    async def _start(self, tell: Notify) -> ServiceAddress:
        await self._stop()  # what has ended by itself still holds its pipe
        self._set_status(ServiceStatus(ServiceState.STARTING))
        tell(_("Starting the service on this computer."))
        loop = asyncio.get_running_loop()

        def ended() -> None:
            if not self._is_closing:
                loop.call_soon_threadsafe(self._on_process_ended, host)

        host = self._host = self._create_host(ended)
        try:
            await asyncio.to_thread(self._prepare)
            running = await asyncio.to_thread(host.start)
        except (ServiceDidNotStart, OSError) as error:
            self._set_status(ServiceStatus(ServiceState.FAILED, error))
            tell(_("The service on this computer did not start."))
            raise
        self._set_status(ServiceStatus(ServiceState.RUNNING))
        tell(_("The service on this computer is ready."))
        return running

    async def _stop(self) -> None:
        if self._host is not None:
            await asyncio.to_thread(self._host.stop)

    def _is_starting_or_running(self, starting: asyncio.Task[ServiceAddress]) -> bool:
        """Whether it starts, or has started and has not ended since."""
        if not starting.done():
            return True
        has_started = not starting.cancelled() and starting.exception() is None
        return has_started and self._host is not None and self._host.is_running

    def _on_process_ended(self, host: ServiceHost) -> None:
        if host is self._host and self.status.state is ServiceState.RUNNING:
            self._set_status(ServiceStatus(ServiceState.FAILED, ServiceEnded(host.recent_output)))

    def _set_status(self, condition: ServiceStatus) -> None:
        self.status = condition
        for told in tuple(self._listeners):
            told()


def _retrieve_exception(starting: asyncio.Task[ServiceAddress]) -> None:
    """Take note of an error that nobody may wait for any more: the condition tells it."""
    if not starting.cancelled():
        starting.exception()
