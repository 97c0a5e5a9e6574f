"""The states of the local service: starting, running, failed, ended."""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from batchwright.client.local_service import LocalServiceManager, ServiceEnded, ServiceState, service_factory
from batchwright.service.process import ServiceAddress, ServiceDidNotStart, ServiceProcess

SECONDS = 30


def _quiet(_sentence: str) -> None:
    """Nobody listens."""


def _ready() -> None:
    """Every folder is there."""


def standing_on(folder: Path, command: Sequence[str] | None = None) -> LocalServiceManager:
    if command is None:
        return LocalServiceManager(service_factory(folder), _ready)
    return LocalServiceManager(lambda ended: ServiceProcess(folder, command=command, on_end=ended), _ready)


def states_of(service: LocalServiceManager) -> list[ServiceState]:
    """Every state that is told from now on."""
    status: list[ServiceState] = []
    service.add_listener(lambda: status.append(service.status.state))
    return status


async def stands(service: LocalServiceManager, state: ServiceState) -> None:
    """Wait until the service stands so."""
    messages = asyncio.Event()
    service.add_listener(messages.set)
    async with asyncio.timeout(SECONDS):
        while service.status.state is not state:
            await messages.wait()
            messages.clear()
    service.remove_listener(messages.set)


def process_of(service: LocalServiceManager) -> int:
    host = service._host
    assert isinstance(host, ServiceProcess)
    assert host._process is not None
    return host._process.pid


def test_it_starts_once_for_all_who_ask_and_ends_with_the_program(tmp_path: Path) -> None:
    async def steps() -> None:
        service = standing_on(tmp_path)
        status = states_of(service)
        assert service.status.state is ServiceState.ASLEEP
        first, second = await asyncio.gather(service.ensure_running(_quiet), service.ensure_running(_quiet))
        assert first == second == await service.ensure_running(_quiet)
        await service.close()
        assert status == [ServiceState.STARTING, ServiceState.RUNNING]

    asyncio.run(steps())


def test_one_that_ends_by_itself_is_reported_and_started_again(tmp_path: Path) -> None:
    async def steps() -> None:
        service = standing_on(tmp_path)
        await service.ensure_running(_quiet)
        os.kill(process_of(service), signal.SIGTERM)
        await stands(service, ServiceState.FAILED)
        assert isinstance(service.status.error, ServiceEnded)
        await service.ensure_running(_quiet)
        assert service.status.state is ServiceState.RUNNING
        await service.close()

    asyncio.run(steps())


def test_one_that_does_not_start_states_the_reason_and_can_be_asked_again(tmp_path: Path) -> None:
    command = (sys.executable, "-c", "print('no room on the disk')")

    async def steps() -> None:
        service = standing_on(tmp_path, command)
        status = states_of(service)
        for _attempt in range(2):
            with pytest.raises(ServiceDidNotStart, match="no room on the disk"):
                await service.ensure_running(_quiet)
        assert status == [ServiceState.STARTING, ServiceState.FAILED] * 2
        assert str(service.status.error) == "no room on the disk"
        await service.close()

    asyncio.run(steps())


def test_folders_that_cannot_be_created_are_a_failure_too(tmp_path: Path) -> None:
    def prepare() -> None:
        raise PermissionError(13, "Permission denied", "data")

    async def steps() -> None:
        service = LocalServiceManager(service_factory(tmp_path), prepare)
        with pytest.raises(PermissionError):
            await service.ensure_running(_quiet)
        assert service.status.state is ServiceState.FAILED
        await service.close()

    asyncio.run(steps())


def test_who_gives_up_waiting_does_not_stop_the_start(tmp_path: Path) -> None:
    async def steps() -> None:
        service = standing_on(tmp_path)
        asking = asyncio.create_task(service.ensure_running(_quiet))
        await stands(service, ServiceState.STARTING)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        await stands(service, ServiceState.RUNNING)
        await service.close()

    asyncio.run(steps())


class Slow:
    """A host whose start takes until it is stopped."""

    recent_output = ""
    is_running = False

    def __init__(self, _ended: Callable[[], object]) -> None:
        self._stopped = threading.Event()

    def start(self) -> ServiceAddress:
        self._stopped.wait()
        raise ServiceDidNotStart("stopped")

    def stop(self) -> None:
        self._stopped.set()


def test_the_program_can_end_while_it_starts() -> None:
    async def steps() -> None:
        service = LocalServiceManager(Slow, _ready)
        asking = asyncio.create_task(service.ensure_running(_quiet))
        await stands(service, ServiceState.STARTING)
        await service.close()
        with pytest.raises(ServiceDidNotStart):
            await asking

    asyncio.run(steps())
