"""From a posted page to answers, and from answers to a page filled in (wire.md 7.1)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from batchwright.base.json_values import Json, is_array, is_object
from batchwright.layout.answers import BYTES_PER_MB, FileEntry
from batchwright.layout.form_encoding import field_name
from batchwright.layout.item_types.file_upload import file_size
from batchwright.layout.item_types.registry import FileUpload
from batchwright.layout.model import Page
from batchwright.layout.pages.page import PageValues, instructions_of
from batchwright.layout.pages.questions import UploadedFile
from batchwright.service.participate.file_uploads import KEPT_END, retained_files_field
from batchwright.service.participate.multipart import FormData
from batchwright.service.store.participant_files import StoredFile
from batchwright.service.store.responses import NewResponse


@dataclass(frozen=True)
class ValidatedPage:
    """The answers of a posted page, and the page filled in again with what is wrong."""

    answers: tuple[NewResponse, ...]
    filling: PageValues

    @property
    def taken(self) -> bool:
        """Whether nothing is wrong."""
        return not self.filling.errors


def validate_page(page: Page, posted: FormData, kept: Sequence[StoredFile]) -> ValidatedPage:
    """Read and check the answers of a page; `kept` are files that arrived before and may be named again."""
    known = {file.file_key: file for file in kept}
    answers, wrong, stay = [], {}, {}
    for number, item in enumerate(instructions_of(page)):
        named = dict.fromkeys(posted.fields.get(retained_files_field(number), ()))
        before = [known[key] for key in named if key in known]
        files = [*map(_entry, before), *posted.files.get(field_name(number), ())]
        answer = item.from_form(number, posted.fields, files)
        sentences = item.validate_answer(answer)
        if sentences:
            wrong[number] = sentences
        stay[number] = [_kept(file) for file in files if file.file_key]
        answers.append(NewResponse(str(item.id), item.kind or "", answer))
    return ValidatedPage(tuple(answers), PageValues(posted.fields, wrong, stay))


def prefilled_page(page: Page, answers: Mapping[str, Json]) -> PageValues:
    """A page filled in with stored answers, by instruction id."""
    fields: dict[str, list[str]] = {}
    kept = {}
    for number, item in enumerate(instructions_of(page)):
        answer = answers.get(str(item.id))
        for name, value in item.to_form(number, answer):
            fields.setdefault(name, []).append(value)
        if isinstance(item, FileUpload) and is_array(answer):
            kept[number] = [_kept_entry(entry) for entry in answer if is_object(entry)]
    return PageValues(fields, uploaded=kept)


def retained_file_keys(posted: FormData) -> list[str]:
    """The keys of files that a posted page names again."""
    return [key for name, keys in posted.fields.items() if name.endswith(KEPT_END) for key in keys]


def _entry(file: StoredFile) -> FileEntry:
    return FileEntry(file.file_key, file.file_name, file.size, file.content_type)


def _kept(file: FileEntry) -> UploadedFile:
    return UploadedFile(file.file_key, file.file_name, file_size(file.size))


def _kept_entry(entry: Mapping[str, Json]) -> UploadedFile:
    size = entry.get("file_size_mb")
    bytes_ = size * BYTES_PER_MB if isinstance(size, int | float) else 0
    return UploadedFile(str(entry.get("file_key")), str(entry.get("file_name")), file_size(bytes_))
