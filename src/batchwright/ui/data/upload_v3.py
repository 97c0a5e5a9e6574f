"""Sending a file as a V3 dataset, for workspaces without V4 (specification, Datasets rule 2; wire.md 4.2)."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from typing_extensions import override

from batchwright.client.checkpoint import content_of
from batchwright.client.context import Workbench
from batchwright.client.job_monitoring.status import Sight
from batchwright.client.resilient_run import Waits
from batchwright.ui.data.operations import Deed, Pace, Turn, Work
from batchwright.wire.datasets import V3_EXTENSIONS, Dataset
from batchwright.workflows.upload_dataset import Onlooker
from batchwright.workflows.upload_v3_dataset import bring_v3_data


@dataclass(frozen=True)
class SendingV3(Deed):
    """A V3 dataset on its way: bytes sent, then the status that the service gives it, then the dataset."""

    path: Path = Path()
    done: int = 0
    total: int = 0
    state: str = ""
    workspace_id: str = ""
    dataset: Dataset | None = None

    @property
    @override
    def part(self) -> float | None:
        """How much of the file is sent; None before, and once the service reads it."""
        is_sending = self.is_running and self.total and not self.state
        return self.done / self.total if is_sending else None


def is_taken(path: Path) -> bool:
    """Whether a V3 dataset takes a file of this name."""
    return path.suffix.lower() in V3_EXTENSIONS


def send_v3(name: str, path: Path) -> Work:
    """The work of sending."""

    async def work(bench: Workbench, waits: Waits | None, turn: Turn) -> None:
        def moved(done: int, total: int | None) -> None:
            turn(pace=Pace.GOING, done=done, total=total or 0)

        def looked(sight: Sight) -> None:
            turn(state=sight.state)

        turn(pace=Pace.GOING)
        trail = bench.trail("v3 data", name, await asyncio.to_thread(content_of, path))
        dataset = await bring_v3_data(bench, trail, name, path, Onlooker(moved=moved, seen=looked), waits)
        turn(workspace_id=bench.workspace_id, dataset=dataset)

    return work
