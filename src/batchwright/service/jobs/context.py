"""What every kind of job works with, and the cutting of long work into short transactions."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Protocol, TypeVar

from batchwright.base.database import Database
from batchwright.service.blobs import Blobs
from batchwright.service.store.database import ROWS_PER_TRANSACTION
from batchwright.service.store.jobs import StoredJob

T = TypeVar("T")


@dataclass(frozen=True)
class JobContext:
    """The parts of the worker."""

    database: Database
    blobs: Blobs
    clock: Callable[[], int]


class JobHandler(Protocol):
    """A kind of job. Each call may come again after an interruption, and then changes nothing twice."""

    def begin(self, bench: JobContext, job: StoredJob) -> None:
        """Make it seen that the job's turn has come."""

    def run(self, bench: JobContext, job: StoredJob) -> None:
        """Do the job, and take it out of the table in the transaction that ends it."""

    def give_up(self, bench: JobContext, job: StoredJob, reason: str) -> None:
        """End a job that fails again and again."""


def in_slices(rows: Iterable[T]) -> Iterator[list[T]]:
    """The rows, as many at a time as one transaction may write."""
    rest = iter(rows)
    while part := list(islice(rest, ROWS_PER_TRANSACTION)):
        yield part
