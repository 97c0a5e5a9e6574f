"""One thing that takes a service a while, from asking for it to what must be there in the end."""

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
    """One thing to do at a service, from its start to what must be there in the end."""

    total: int
    """What `progress` comes to."""

    @abstractmethod
    def start(self, runs: ServiceRuns) -> None:
        """Prepare it, then ask for it; what is asked for runs on when this returns."""

    @abstractmethod
    def progress(self, folder: Path) -> int:
        """How far it has come."""

    def has_ended(self, folder: Path) -> bool:
        """Whether there is nothing left to interrupt."""
        return not rows_in(folder, "job")

    @abstractmethod
    def check(self, runs: ServiceRuns) -> None:
        """Wait for its end; everything is there, and once."""


def study(researcher: Researcher, kind: str, tasks: int, pages: int = 1) -> JsonDict:
    """A batch of so many tasks in groups of `pages`, or a collection of so many pages.

    Each page asks for a text and a file.
    """
    if kind == "collections":
        return researcher.collection(collection_items=[{"page_items": [WHY, FILE]} for _page in range(pages)])
    asked = [{key: value for key, value in item.items() if key != "order"} for item in (WHY, FILE)]
    made = researcher.batch(dataset_id=researcher.filled_dataset(tasks), batch_items=[page(*asked)])
    researcher.set_up(made["id"], tasks_per_group=pages)
    return made


def link_to(researcher: Researcher, kind: str, made: JsonDict) -> str:
    """What participants of a batch or collection open."""
    if kind == "collections":
        return link_of(researcher, made)
    return str(researcher.request("GET", f"/local/v1/batches/{made['id']}/participation", None, 200)["url"])


def unfinished(folder: Path) -> int:
    """The size of what is being received or written."""
    sizes = [0]
    for file in (folder / "blobs" / "unfinished").iterdir():
        with suppress(FileNotFoundError):
            sizes.append(file.stat().st_size)
    return max(sizes)


def in_thread(work: Callable[[], T]) -> Future[T]:
    """Begin something, and go on."""
    threads = ThreadPoolExecutor(1)
    begun = threads.submit(work)
    threads.shutdown(wait=False)
    return begun
