"""The interface of a long operation that tests interrupt."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from tests.service.api_helpers import JsonDict, Researcher, page
from tests.service.collections_helpers import FILE, WHY, link_of
from tests.service.kill_helpers import ServiceRuns, rows_in

T = TypeVar("T")


class Operation(ABC):
    """A long operation of the service: how to start it, and how to check its result."""

    total: int
    """The final value of `progress`."""

    @abstractmethod
    def start(self, runs: ServiceRuns) -> None:
        """Prepare the operation and request it; it continues after this returns."""

    @abstractmethod
    def progress(self, folder: Path) -> int:
        """The progress of the operation, up to `total`."""

    def has_ended(self, folder: Path) -> bool:
        """Whether the operation has ended."""
        return not rows_in(folder, "job")

    @abstractmethod
    def check(self, runs: ServiceRuns) -> None:
        """Wait until it ends, and check that the result is complete and nothing was done twice."""


def study(researcher: Researcher, kind: str, tasks: int, pages: int = 1) -> JsonDict:
    """A batch with this number of tasks in groups of `pages`, or a collection with this number of pages.

    Each page asks for a text and a file.
    """
    if kind == "collections":
        return researcher.collection(collection_items=[{"page_items": [WHY, FILE]} for _page in range(pages)])
    items = [{key: value for key, value in item.items() if key != "order"} for item in (WHY, FILE)]
    created = researcher.batch(dataset_id=researcher.filled_dataset(tasks), batch_items=[page(*items)])
    researcher.set_up(created["id"], tasks_per_group=pages)
    return created


def link_to(researcher: Researcher, kind: str, created: JsonDict) -> str:
    """The participation link of a batch or collection."""
    if kind == "collections":
        return link_of(researcher, created)
    return str(
        researcher.request("GET", f"/local/v1/batches/{created['id']}/participation", None, 200)["url"]
    )


def unfinished(folder: Path) -> int:
    """The size in bytes of the largest file that is being received or written."""
    sizes = [0]
    for file in (folder / "blobs" / "unfinished").iterdir():
        with suppress(FileNotFoundError):
            sizes.append(file.stat().st_size)
    return max(sizes)


def in_thread(work: Callable[[], T]) -> Future[T]:
    """Run a function in a thread."""
    threads = ThreadPoolExecutor(1)
    future = threads.submit(work)
    threads.shutdown(wait=False)
    return future
