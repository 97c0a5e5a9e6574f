"""The state of the preview: one page with one record, and the answers given on it. It uses no widgets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Signal

from batchwright.base.i18n import _, program_language, text_direction
from batchwright.base.json_values import JsonObject
from batchwright.layout.answers import FileEntry
from batchwright.layout.form_encoding import field_name, number_of
from batchwright.layout.item_types.file_upload import file_size
from batchwright.layout.item_types.questions import UploadedFile
from batchwright.layout.item_types.registry import DatasetField, Instruction
from batchwright.layout.model import Layout, Page
from batchwright.layout.option_values import as_text
from batchwright.layout.pages.navigation import PageStep, PageSteps
from batchwright.layout.pages.page import PageValues, PageView, instructions_of, page_view
from batchwright.layout.serialization import write
from batchwright.local.projects import Project
from batchwright.schema.parsing import write_schema
from batchwright.ui.editor.core.sample_records import SampleRecords
from batchwright.ui.study.chosen_language import ChosenLanguage
from batchwright.ui.study.study_model import Study
from batchwright.wire.local_routes import PreviewRequest


@dataclass(frozen=True)
class RecordDifficulty:
    """How difficult one record is for a page."""

    number: int
    """The index of the record."""
    missing: tuple[str, ...]
    """The fields that the page shows and that are missing or empty in the record."""
    longest: str
    """The field with the longest text; empty if the page shows none."""
    length: int
    """The number of characters of that text."""

    @property
    def rank(self) -> tuple[int, int, int]:
        """Sort key: the hardest record first; equally hard ones in the order of the data."""
        return -len(self.missing), -self.length, self.number


def rank_records(page: Page, records: Sequence[JsonObject]) -> list[RecordDifficulty]:
    """The difficulty of every record for a page: records without a displayed field first, then long texts."""
    fields = (item.field for _path, item in page.walk() if isinstance(item, DatasetField))
    shown = tuple(dict.fromkeys(fields))
    return sorted(
        (_difficulty(number, record, shown) for number, record in enumerate(records)),
        key=lambda record: record.rank,
    )


def _difficulty(number: int, record: JsonObject, shown: Sequence[str]) -> RecordDifficulty:
    lengths = {key: len(as_text(record[key])) for key in shown if record.get(key) not in (None, "")}
    longest = max(lengths, key=lambda key: lengths[key], default="")
    missing = tuple(key for key in shown if key not in lengths)
    return RecordDifficulty(number, missing, longest, lengths.get(longest, 0))


class PreviewState(QObject):
    """One page of the study, filled with the current record.

    Answers are kept for each page while the preview is open, so that going back shows them.
    """

    changed = Signal()
    """Page, record or layout changed: everything must be redrawn."""
    validated = Signal()
    """The answers of the page were validated."""
    answer_changed = Signal(int)
    """The answer to a question (its index) changed, and with it perhaps its errors and its usage."""

    def __init__(self, study: Study, page_key: str | None, records: SampleRecords) -> None:
        super().__init__()
        self.study, self.records = study, records
        self._key = page_key
        self._language = ChosenLanguage(study)
        self._fields: dict[str, dict[str, list[str]]] = {}
        self._files: dict[tuple[str, int], list[FileEntry]] = {}
        self._errors: dict[int, list[str]] = {}
        self._is_accepted = False
        self._page_steps: tuple[Layout, PageSteps] | None = None
        self._is_hardest_first = False
        self._difficulties: list[RecordDifficulty] = []
        self._order: Sequence[int] = ()
        self._rank()
        study.layout_changed.connect(self._reset)
        study.schema_changed.connect(self._reset)
        study.details_changed.connect(self.changed)
        records.changed.connect(self._reset)

    @property
    def language(self) -> str:
        """The language that the page is shown in; empty for that of the study."""
        return self._language.tag

    def show_language(self, language: str) -> None:
        """Show the page in a language of the study."""
        if language != self.language:
            self._language.tag = language
            self._reset()

    @property
    def shown(self) -> Project:
        """The study in the language that is shown."""
        return self._language.project

    @property
    def direction(self) -> Qt.LayoutDirection:
        """The direction of the page in the language that is shown."""
        is_mirrored = text_direction(self.shown.language or program_language().tag) == "rtl"
        return Qt.LayoutDirection.RightToLeft if is_mirrored else Qt.LayoutDirection.LeftToRight

    @property
    def page(self) -> Page | None:
        """The current page, or the first one if it was removed."""
        step = self._step
        return None if step is None else step.page

    @property
    def number(self) -> int:
        """The index of the page in the sequence that a participant sees."""
        step = self._step
        return 0 if step is None else step.number

    @property
    def count(self) -> int:
        """How many pages a participant sees for one record."""
        return len(self._steps)

    @property
    def title(self) -> str:
        """The title that participants see: the task name, else the name of the study."""
        shown = self.shown
        return shown.details.task_name or shown.name

    @property
    def progress(self) -> str:
        """The progress text that participants see on this page."""
        step = self._step
        return _("No such page") if step is None else self._steps.progress(step)

    @property
    def position(self) -> str:
        """When the page is shown: `intro`, `body` or `outro`, that is before, for each of, or after the
        records.
        """
        page = self.page
        return "body" if page is None else page.position

    @property
    def record(self) -> JsonObject | None:
        """The record that fills the page. None without data, and on pages that are shown only once."""
        return self.records.record if self.position == "body" else None

    @property
    def is_last(self) -> bool:
        """Whether the page is the last one."""
        return self.number >= self.count - 1

    @property
    def is_accepted(self) -> bool:
        """Whether the last page was submitted and all its answers are valid."""
        return self._is_accepted

    def page_view(self) -> PageView:
        """The filled page; without rows if the layout has no page."""
        page = self.page or Page("", {})
        filling = PageValues(self.fields, self._errors, self._uploaded_files(page))
        return page_view(page, self.record or {}, self.study.schema, filling)

    @property
    def fields(self) -> Mapping[str, Sequence[str]]:
        """The answers on this page, as form fields (`layout.form_encoding`)."""
        return self._answers

    @property
    def record_position(self) -> int:
        """The index of the current record in the selected order."""
        return self._order.index(self.records.index) if self.records.index in self._order else 0

    @property
    def difficulty(self) -> RecordDifficulty | None:
        """The difficulty of the current record for this page, if there is a record."""
        return next(
            (difficulty for difficulty in self._difficulties if difficulty.number == self.records.index), None
        )

    def set_order(self, *, hardest_first: bool) -> None:
        """Order the records by difficulty and show the hardest one, or restore the order of the data."""
        self._is_hardest_first = hardest_first
        self._rank()
        if hardest_first:
            self.show_record(0)
        self.changed.emit()

    def show_record(self, at: int) -> None:
        """Show the record at an index of the selected order; the index is clamped to the valid range."""
        if self._order:
            self.records.show_record(self._order[max(0, min(at, len(self._order) - 1))])

    def show_page(self, key: str) -> None:
        """Show the page with this key."""
        if key != self._key:
            self._key = key
            self._reset()

    def set_answer(self, name: str, values: Sequence[str]) -> None:
        """Set the values of a form field; an empty sequence means unanswered.

        A question that has errors is validated again.
        """
        if values:
            self._answers[name] = list(values)
        else:
            self._answers.pop(name, None)
        number = number_of(name)
        if number in self._errors:
            self._errors[number] = self._validate_question(number)
        self.answer_changed.emit(number)

    def usage(self, question: int) -> str:
        """How much of its limit the answer to a question uses; empty if it has no limit."""
        item = self._instructions[question]
        return item.usage_text(self.fields.get(field_name(question), ()))

    def fill(self, page_key: str, fields: Mapping[str, Sequence[str]]) -> None:
        """Set the answers on a page, as form fields."""
        self._fields[page_key] = {name: list(values) for name, values in fields.items()}
        self._reset()

    def set_files(self, question: int, files: Sequence[FileEntry]) -> None:
        """Set the selected files of a question. Their contents are not read."""
        page = self.page
        if page is not None:
            self._files[page.key, question] = list(files)
            self.changed.emit()

    def go_forward(self) -> None:
        """Validate the answers as the service does, and show the next page if all are valid."""
        self._errors = self._validate()
        self._is_accepted = not self._errors and self.is_last
        if self._errors or self.is_last:
            self.validated.emit()
        else:
            self.show_page(self._steps[self.number + 1].page.key)

    def go_back(self) -> None:
        """Show the previous page."""
        if self.number > 0:
            self.show_page(self._steps[self.number - 1].page.key)

    def errors_of(self, question: int) -> Sequence[str]:
        """The error messages of the answer to a question."""
        return self._errors.get(question, ())

    def request(self) -> PreviewRequest:
        """The request with which the service shows the same page in the browser."""
        page, schema = self.page, self.study.schema
        shown = self.shown
        pages = shown.layout.pages
        return PreviewRequest.model_validate(
            {
                "batch_items": write(shown.layout),
                "page": pages.index(page) if page is not None else 0,
                "schema": None if schema is None else write_schema(schema),
                "record": self.record,
                "language": shown.language or program_language().tag,
            }
        )

    @property
    def _steps(self) -> PageSteps:
        """The sequence of pages for a participant who is assigned one record."""
        layout = self.shown.layout
        if self._page_steps is None or self._page_steps[0] is not layout:
            self._page_steps = layout, PageSteps(layout, 1)
        return self._page_steps[1]

    @property
    def _step(self) -> PageStep | None:
        return self._steps.first_step_of(self._key) or next(iter(self._steps), None)

    @property
    def _answers(self) -> dict[str, list[str]]:
        page = self.page
        return self._fields.setdefault(page.key if page is not None else "", {})

    @property
    def invalid_questions(self) -> Sequence[int]:
        """The questions whose answers were invalid at the last validation."""
        return [number for number, messages in sorted(self._errors.items()) if messages]

    @property
    def _instructions(self) -> Sequence[Instruction]:
        page = self.page
        return () if page is None else instructions_of(page)

    def _validate(self) -> dict[int, list[str]]:
        errors = {number: self._validate_question(number) for number in range(len(self._instructions))}
        return {number: messages for number, messages in errors.items() if messages}

    def _validate_question(self, number: int) -> list[str]:
        page, item = self.page, self._instructions[number]
        files = self._files.get((page.key if page is not None else "", number), [])
        return item.validate_answer(item.from_form(number, self._answers, files))

    def _uploaded_files(self, page: Page) -> Mapping[int, Sequence[UploadedFile]]:
        return {
            number: [UploadedFile(field_name(number), file.file_name, file_size(file.size)) for file in files]
            for (key, number), files in self._files.items()
            if key == page.key
        }

    def _rank(self) -> None:
        page = self.page
        self._difficulties = (
            rank_records(page, self.records.all) if self._is_hardest_first and page is not None else []
        )
        in_order = range(self.records.count)
        self._order = (
            [difficulty.number for difficulty in self._difficulties] if self._difficulties else in_order
        )

    def _reset(self) -> None:
        self._errors, self._is_accepted = {}, False
        self._rank()
        self.changed.emit()
