"""The stage with a study that is a collection, at a real service."""

import asyncio
from pathlib import Path

import pytest

from batchwright.service.process import ServiceAddress
from batchwright.ui.shell.state import ShellState
from batchwright.ui.shell.window import Window
from tests.ui.collections.collections_stage import Do, Steps, kitchen, on_stage


@pytest.fixture
def do(
    loop: asyncio.AbstractEventLoop,
    running: ServiceAddress,
    tmp_path: Path,
    window: Window,
    shell: ShellState,
) -> Do:
    def run(steps: Steps) -> None:
        on_stage(loop, running, tmp_path, window, shell, steps, kitchen())

    return run


@pytest.fixture
def do_without_study(
    loop: asyncio.AbstractEventLoop,
    running: ServiceAddress,
    tmp_path: Path,
    window: Window,
    shell: ShellState,
) -> Do:
    def run(steps: Steps) -> None:
        on_stage(loop, running, tmp_path, window, shell, steps, None)

    return run
