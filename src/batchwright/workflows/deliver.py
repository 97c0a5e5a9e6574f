"""Delivering: report and export are fetched to where a person wants them, and proved against the answers."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from batchwright.api.files import OnProgress
from batchwright.results.questions import questions_of
from batchwright.wire.batches import Batch
from batchwright.wire.responses import ResponseRecord
from batchwright.workflows.collect import collect_export, collect_report
from batchwright.workflows.proofs import Proof, prove_export, prove_report
from batchwright.workflows.workbench import Workbench

_ATTEMPTS = 3
"""How often a file is fetched while answers keep coming in between."""


@dataclass(frozen=True)
class Delivered:
    """A file on this computer, the number of answers it was proved against, and what was proved."""

    path: Path
    answers: int
    proofs: tuple[Proof, ...]

    @property
    def holds(self) -> bool:
        """Whether everything that has to hold does."""
        return all(proof.holds for proof in self.proofs)

    @property
    def broken(self) -> tuple[Proof, ...]:
        """What does not hold."""
        return tuple(proof for proof in self.proofs if not proof.holds)


async def deliver_report(
    bench: Workbench, batch: Batch, columns: Sequence[str], path: Path, on_progress: OnProgress | None = None
) -> Delivered:
    """The report of a batch with the fields `columns` of its dataset, proved.

    Raises:
        ApiError: a request failed for good.
        OSError: the file cannot be written.
    """
    rows = batch.total_task_count * max(1, len(questions_of(batch.batch_items)))

    def prove(responses: Sequence[ResponseRecord]) -> list[Proof]:
        return prove_report(path, columns, rows, responses)

    async def fetch() -> None:
        await collect_report(bench, batch.id, path, on_progress)

    return await _proven(bench, batch.id, path, fetch, prove)


async def deliver_export(
    bench: Workbench, batch_id: str, path: Path, on_progress: OnProgress | None = None
) -> Delivered:
    """The export of a batch, proved.

    Raises:
        NotExported: the service could not make it.
        ApiError: a request failed for good.
        OSError: the file cannot be written.
    """

    def prove(responses: Sequence[ResponseRecord]) -> list[Proof]:
        return prove_export(path, responses)

    async def fetch() -> None:
        await collect_export(bench, batch_id, path, on_progress)

    return await _proven(bench, batch_id, path, fetch, prove)


async def _proven(
    bench: Workbench,
    batch_id: str,
    path: Path,
    fetch: Callable[[], Awaitable[None]],
    prove: Callable[[Sequence[ResponseRecord]], list[Proof]],
) -> Delivered:
    """Fetch a file and prove it; anew when answers came in between, since it cannot hold all of them."""
    before = await _answers(bench, batch_id)
    for _attempt in range(_ATTEMPTS):
        await fetch()
        after = await _answers(bench, batch_id)
        proofs = await asyncio.to_thread(prove, after)
        delivered = Delivered(path, len(after), tuple(proofs))
        if delivered.holds or len(after) == len(before):
            break
        before = after
    return delivered


async def _answers(bench: Workbench, batch_id: str) -> Sequence[ResponseRecord]:
    return (await bench.service.batches.responses(batch_id)).results
