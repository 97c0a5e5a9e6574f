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


def _ignore(_sentence: str) -> None:
    """Discard the message."""


def _ready() -> None:
    """Nothing has to be prepared: every folder exists."""


def manager(folder: Path, command: Sequence[str] | None = None) -> LocalServiceManager:
    if command is None:
        return LocalServiceManager(service_factory(folder), _ready)
    return LocalServiceManager(lambda ended: ServiceProcess(folder, command=command, on_end=ended), _ready)


def states_of(service: LocalServiceManager) -> list[ServiceState]:
    """A list to which every reported state is appended from now on."""
    states: list[ServiceState] = []
    service.add_listener(lambda: states.append(service.status.state))
    return states


async def wait_for_state(service: LocalServiceManager, state: ServiceState) -> None:
    """Wait until the service is in this state."""
    changed = asyncio.Event()
    service.add_listener(changed.set)
    async with asyncio.timeout(SECONDS):
        while service.status.state is not state:
            await changed.wait()
            changed.clear()
    service.remove_listener(changed.set)


def process_of(service: LocalServiceManager) -> int:
    host = service._host
    assert isinstance(host, ServiceProcess)
    assert host._process is not None
    return host._process.pid


async def test_the_service_starts_once_for_concurrent_callers_and_ends_with_the_program(
    tmp_path: Path,
) -> None:
    service = manager(tmp_path)
    states = states_of(service)
    assert service.status.state is ServiceState.ASLEEP
    first, second = await asyncio.gather(service.ensure_running(_ignore), service.ensure_running(_ignore))
    assert first == second == await service.ensure_running(_ignore)
    await service.close()
    assert states == [ServiceState.STARTING, ServiceState.RUNNING]


async def test_a_service_that_ends_unexpectedly_is_reported_and_restarted_on_request(tmp_path: Path) -> None:
    service = manager(tmp_path)
    await service.ensure_running(_ignore)
    os.kill(process_of(service), signal.SIGTERM)
    await wait_for_state(service, ServiceState.FAILED)
    assert isinstance(service.status.error, ServiceEnded)
    await service.ensure_running(_ignore)
    assert service.status.state is ServiceState.RUNNING
    await service.close()


async def test_a_failed_start_reports_the_reason_and_can_be_repeated(tmp_path: Path) -> None:
    command = (sys.executable, "-c", "print('no room on the disk')")

    service = manager(tmp_path, command)
    states = states_of(service)
    for _attempt in range(2):
        with pytest.raises(ServiceDidNotStart, match="no room on the disk"):
            await service.ensure_running(_ignore)
    assert states == [ServiceState.STARTING, ServiceState.FAILED] * 2
    assert str(service.status.error) == "no room on the disk"
    await service.close()


async def test_a_folder_that_cannot_be_created_fails_the_start(tmp_path: Path) -> None:
    def prepare() -> None:
        raise PermissionError(13, "Permission denied", "data")

    service = LocalServiceManager(service_factory(tmp_path), prepare)
    with pytest.raises(PermissionError):
        await service.ensure_running(_ignore)
    assert service.status.state is ServiceState.FAILED
    await service.close()


async def test_cancelling_a_waiting_caller_does_not_stop_the_start(tmp_path: Path) -> None:
    service = manager(tmp_path)
    start = asyncio.create_task(service.ensure_running(_ignore))
    await wait_for_state(service, ServiceState.STARTING)
    start.cancel()
    await asyncio.gather(start, return_exceptions=True)
    await wait_for_state(service, ServiceState.RUNNING)
    await service.close()


class SlowHost:
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


async def test_the_program_can_end_while_the_service_starts() -> None:
    service = LocalServiceManager(SlowHost, _ready)
    start = asyncio.create_task(service.ensure_running(_ignore))
    await wait_for_state(service, ServiceState.STARTING)
    await service.close()
    with pytest.raises(ServiceDidNotStart):
        await start
