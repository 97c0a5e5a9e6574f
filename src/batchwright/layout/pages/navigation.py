"""The order of the pages in a task group: each step shows a page of the layout for a task.

Intro pages are shown once, then the other pages once for each task, then outro pages once (wire reference,
section 12). Steps and tasks count from 0.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from batchwright.base.i18n import _
from batchwright.layout.model import Layout, Page


@dataclass(frozen=True)
class PageStep:
    """A step: a page of the layout, shown for one task of the group, or for the group as a whole."""

    number: int
    page: Page
    page_number: int
    task: int | None


class PageSteps:
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

    def __getitem__(self, number: int) -> PageStep:
        if not 0 <= number < len(self):
            raise IndexError(number)
        if number < len(self._intro):
            return self._step(number, self._intro[number], None)
        repeated = number - len(self._intro)
        if repeated < self._tasks * len(self._body):
            task, index = divmod(repeated, len(self._body))
            return self._step(number, self._body[index], task)
        return self._step(number, self._outro[number - len(self)], None)

    def __iter__(self) -> Iterator[PageStep]:
        return (self[number] for number in range(len(self)))

    def first_step_of(self, key: str | None) -> PageStep | None:
        """The first step that shows the page with a key; None when no step does."""
        repeated = self._body if self._tasks else []
        sections = (
            (0, self._intro),
            (len(self._intro), repeated),
            (len(self) - len(self._outro), self._outro),
        )
        for first, pages in sections:
            index = next((index for index, page in enumerate(pages) if page.key == key), None)
            if index is not None:
                return self[first + index]
        return None

    def progress(self, step: PageStep) -> str:
        """The progress at a step, as text."""
        if step.task is not None:
            return self._task_text(step.task, (step.number - len(self._intro)) % len(self._body))
        if step.number < len(self._intro):
            return _section_text(_("Introduction"), step.number, self._intro)
        return _section_text(_("Closing"), step.number - len(self) + len(self._outro), self._outro)

    def _step(self, number: int, page: Page, task: int | None) -> PageStep:
        return PageStep(number, page, self._numbers[page.key], task)

    def _task_text(self, task: int, index: int) -> str:
        if self._tasks == 1:
            return _("Page {page} of {pages}").format(page=index + 1, pages=len(self._body))
        name = _("Task {task} of {tasks}").format(task=task + 1, tasks=self._tasks)
        return _section_text(name, index, self._body)


def _section_text(name: str, index: int, pages: list[Page]) -> str:
    if len(pages) == 1:
        return name
    return _("{part}, page {page} of {pages}").format(part=name, page=index + 1, pages=len(pages))
