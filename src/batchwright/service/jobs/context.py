"""What all jobs use: the interface of a job, its dependencies, and slices for short transactions.

What is written in one transaction is bounded in rows and characters, so that memory use stays constant and
requests can write between the slices.
"""

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
    """The dependencies of a job; `clock` returns milliseconds since 1970."""

    database: Database
    blobs: Blobs
    clock: Callable[[], int]


class JobHandler(Protocol):
    """A kind of job.

    Each method may be called again after an interruption, and must not repeat work.
    """

    def start(self, context: JobContext, job: StoredJob) -> None:
        """Set the status that clients see to processing."""

    def run(self, context: JobContext, job: StoredJob) -> None:
        """Do the job, and delete it from the job table in the last transaction."""

    def fail(self, context: JobContext, job: StoredJob, reason: str) -> None:
        """End a job as failed, and delete it from the job table."""


def in_slices(rows: Iterable[T]) -> Iterator[list[T]]:
    """The rows in slices of the size of one transaction."""
    iterator = iter(rows)
    while slice_ := list(islice(iterator, ROWS_PER_TRANSACTION)):
        yield slice_
