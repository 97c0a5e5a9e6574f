"""What the preview shows: one page with one record, and what was answered on it. It knows no widgets."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, Signal

from batchwright.layout.answers import FileEntry, faults
from batchwright.layout.forms import field_name, from_form
from batchwright.layout.model import Page
from batchwright.layout.reading import write
from batchwright.layout.screens.hints import file_size
from batchwright.layout.screens.questions import KeptFile
from batchwright.layout.screens.screen import Filling, Screen, instructions_of, screen
from batchwright.records.schema_reading import write_schema
from batchwright.ui.layout.records import SampleRecords
from batchwright.ui.study import Study
from batchwright.wire.local import PreviewRequest
from batchwright.words import _


class PreviewModel(QObject):
    """One page of the study, filled with the record in view.

    Answers are kept for each page as long as the preview is open, so that going back shows them.
    """

    changed = Signal()
    """Another page, record or layout: everything is to be drawn again."""
    judged = Signal()
    """The same page has other sentences about what is wrong."""

    def __init__(self, study: Study, page_key: str | None, records: SampleRecords) -> None:
        super().__init__()
        self.study, self.records = study, records
        self._key = page_key
        self._fields: dict[str, dict[str, list[str]]] = {}
        self._files: dict[tuple[str, int], list[FileEntry]] = {}
        self._faults: dict[int, list[str]] = {}
        self._is_taken = False
        study.layout_changed.connect(self._begin_again)
        study.schema_changed.connect(self._begin_again)
        study.details_changed.connect(self.changed)
        records.changed.connect(self._begin_again)

    @property
    def pages(self) -> tuple[Page, ...]:
        """The pages that can be shown."""
        return tuple(page for page in self.study.layout.pages if isinstance(page, Page))

    @property
    def page(self) -> Page | None:
        """The page in view; the first one when that is gone."""
        pages = self.pages
        return next((page for page in pages if page.key == self._key), pages[0] if pages else None)

    @property
    def number(self) -> int:
        """Where the page stands among those that can be shown, from 0."""
        page = self.page
        return self.pages.index(page) if page is not None else 0

    @property
    def title(self) -> str:
        """What participants read at the top: the name of the task."""
        return self.study.details.task_name or self.study.project.name

    @property
    def progress(self) -> str:
        """How far participants are told to be."""
        return _("Page {page} of {pages}").format(page=self.number + 1, pages=len(self.pages))

    @property
    def is_last(self) -> bool:
        """Whether no page follows."""
        return self.number >= len(self.pages) - 1

    @property
    def is_taken(self) -> bool:
        """Whether the last page was finished, and all its answers would be taken."""
        return self._is_taken

    def screen(self) -> Screen:
        """The page, filled in; it has no rows when there is no page."""
        page = self.page or Page("", {})
        filling = Filling(self.fields, self._faults, self._kept(page))
        return screen(page, self.records.record or {}, self.study.schema, filling)

    @property
    def fields(self) -> Mapping[str, Sequence[str]]:
        """What was answered on this page, as the fields of `layout.forms`."""
        return self._answers

    def show_page(self, key: str) -> None:
        """Show another page."""
        if key != self._key:
            self._key = key
            self._begin_again()

    def put(self, name: str, values: Sequence[str]) -> None:
        """Answer a field; no values for none chosen. What was wrong is said again at the next check."""
        if values:
            self._answers[name] = list(values)
        else:
            self._answers.pop(name, None)

    def put_files(self, question: int, files: Sequence[FileEntry]) -> None:
        """Choose files for a question; nothing of them is read."""
        page = self.page
        if page is not None:
            self._files[page.key, question] = list(files)
            self.changed.emit()

    def go_on(self) -> None:
        """Check the answers as the service would; when all are right, show the next page."""
        self._faults = self._judge()
        self._is_taken = not self._faults and self.is_last
        if self._faults or self.is_last:
            self.judged.emit()
        else:
            self.show_page(self.pages[self.number + 1].key)

    def go_back(self) -> None:
        """Show the page before."""
        if self.number > 0:
            self.show_page(self.pages[self.number - 1].key)

    def faults_of(self, question: int) -> Sequence[str]:
        """What is wrong with the answer to a question."""
        return self._faults.get(question, ())

    @property
    def first_fault(self) -> int | None:
        """The first question that something is wrong with."""
        return min(self._faults, default=None)

    def request(self) -> PreviewRequest:
        """What the service is asked for, to show the same page in the browser."""
        page, schema = self.page, self.study.schema
        pages = self.study.layout.pages
        return PreviewRequest.model_validate(
            {
                "batch_items": write(self.study.layout),
                "page": pages.index(page) if page is not None else 0,
                "schema": None if schema is None else write_schema(schema),
                "record": self.records.record,
            }
        )

    @property
    def _answers(self) -> dict[str, list[str]]:
        page = self.page
        return self._fields.setdefault(page.key if page is not None else "", {})

    def _judge(self) -> dict[int, list[str]]:
        page = self.page
        if page is None:
            return {}
        found = {}
        for number, item in enumerate(instructions_of(page)):
            files = self._files.get((page.key, number), [])
            sentences = faults(item, from_form(number, item, self._answers, files))
            if sentences:
                found[number] = sentences
        return found

    def _kept(self, page: Page) -> Mapping[int, Sequence[KeptFile]]:
        return {
            number: [KeptFile(field_name(number), file.file_name, file_size(file.size)) for file in files]
            for (key, number), files in self._files.items()
            if key == page.key
        }

    def _begin_again(self) -> None:
        self._faults, self._is_taken = {}, False
        self.changed.emit()
