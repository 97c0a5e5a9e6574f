"""The way through a task group: which page of the layout, for which task, at which step.

Intro pages come once, then the other pages once for each task, then outro pages once (wire.md 12).
Steps and tasks count from 0.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from gettext import gettext as _

from batchwright.layout.model import Layout, Page
from batchwright.layout.reading import counted_keys, read
from batchwright.records import json_values
from batchwright.records.json_values import is_array


@dataclass(frozen=True)
class Step:
    """One screen: a page of the layout, shown for one task of the group, or for none of them."""

    number: int
    page: Page
    page_number: int
    task: int | None
    progress: str


class Steps:
    """All steps of one task group."""

    def __init__(self, layout: Layout, tasks: int) -> None:
        self._tasks = tasks
        pages = [page for page in layout.pages if isinstance(page, Page)]
        self._numbers = {page.key: number for number, page in enumerate(layout.pages)}
        self._intro = [page for page in pages if page.position == "intro"]
        self._body = [page for page in pages if page.position == "body"]
        self._outro = [page for page in pages if page.position == "outro"]

    def __len__(self) -> int:
        return len(self._intro) + self._tasks * len(self._body) + len(self._outro)

    def __iter__(self) -> Iterator[Step]:
        return (self[number] for number in range(len(self)))

    def __getitem__(self, number: int) -> Step:
        if not 0 <= number < len(self):
            raise IndexError(number)
        if number < len(self._intro):
            return self._step(
                number, self._intro[number], None, _part(_("Introduction"), number, self._intro)
            )
        repeated = number - len(self._intro)
        if repeated < self._tasks * len(self._body):
            task, place = divmod(repeated, len(self._body))
            return self._step(number, self._body[place], task, self._of_task(task, place))
        last = repeated - self._tasks * len(self._body)
        return self._step(number, self._outro[last], None, _part(_("Closing"), last, self._outro))

    def _step(self, number: int, page: Page, task: int | None, progress: str) -> Step:
        return Step(number, page, self._numbers[page.key], task, progress)

    def _of_task(self, task: int, place: int) -> str:
        if self._tasks == 1:
            return _("Page {page} of {pages}").format(page=place + 1, pages=len(self._body))
        which = _("Task {task} of {tasks}").format(task=task + 1, tasks=self._tasks)
        return _part(which, place, self._body)


@lru_cache(maxsize=32)
def layout_of(batch_items: str) -> Layout:
    """The layout of a stored `batch_items` text; the same text is read once."""
    pages = json_values.parse(batch_items)
    return read(pages if is_array(pages) else (), counted_keys())


def _part(name: str, place: int, pages: list[Page]) -> str:
    if len(pages) == 1:
        return name
    return _("{part}, page {page} of {pages}").format(part=name, page=place + 1, pages=len(pages))
