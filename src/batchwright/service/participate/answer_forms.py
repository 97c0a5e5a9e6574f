"""Converts a posted form to answers, and stored answers to form values (wire reference, section 7.1)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from batchwright.base.json_values import Json, is_array, is_object
from batchwright.layout.answers import BYTES_PER_MB, FileEntry
from batchwright.layout.form_encoding import field_name
from batchwright.layout.item_types.file_upload import file_size
from batchwright.layout.item_types.questions import UploadedFile
from batchwright.layout.item_types.registry import FileUpload
from batchwright.layout.model import Page
from batchwright.layout.pages.page import PageValues, instructions_of
from batchwright.service.participate.file_uploads import RETAINED_SUFFIX, retained_files_field
from batchwright.service.participate.multipart import FormData
from batchwright.service.store.participant_files import StoredFile
from batchwright.service.store.responses import NewResponse


@dataclass(frozen=True)
class ValidatedPage:
    """The answers of a posted page, and the form values with error messages to show it again."""

    answers: tuple[NewResponse, ...]
    values: PageValues
    lacks_files: bool
    """Whether a file of an answer was not stored.

    This is so in previews, for a file beyond a limit, and if the form names unknown files to keep.
    """

    @property
    def is_valid(self) -> bool:
        """Whether there is no error."""
        return not self.values.errors


def validate_page(page: Page, form: FormData, uploaded_before: Sequence[StoredFile]) -> ValidatedPage:
    """Parse and validate the answers of a page; `uploaded_before` are the files that the form may keep."""
    stored_files = {file.file_key: file for file in uploaded_before}
    answers, errors, retained, lacks_files = [], {}, {}, False
    for number, item in enumerate(instructions_of(page)):
        named = dict.fromkeys(form.fields.get(retained_files_field(number), ()))
        before = [stored_files[key] for key in named if key in stored_files]
        files = [*map(_file_entry, before), *form.files.get(field_name(number), ())]
        lacks_files |= isinstance(item, FileUpload) and not all(file.file_key for file in files)
        answer = item.from_form(number, form.fields, files)
        messages = item.validate_answer(answer)
        if messages:
            errors[number] = messages
        retained[number] = [_uploaded_file(file) for file in files if file.file_key]
        answers.append(NewResponse(str(item.id), item.kind or "", answer))
    return ValidatedPage(tuple(answers), PageValues(form.fields, errors, retained), lacks_files)


def prefilled_page(page: Page, answers: Mapping[str, Json]) -> PageValues:
    """The form values of a page with stored answers, by instruction id."""
    fields: dict[str, list[str]] = {}
    retained = {}
    for number, item in enumerate(instructions_of(page)):
        answer = answers.get(str(item.id))
        for name, value in item.to_form(number, answer):
            fields.setdefault(name, []).append(value)
        if isinstance(item, FileUpload) and is_array(answer):
            retained[number] = [_uploaded_file_from_answer(entry) for entry in answer if is_object(entry)]
    return PageValues(fields, uploaded=retained)


def retained_file_keys(form: FormData) -> list[str]:
    """The keys of the uploaded files that a posted page keeps."""
    return [key for name, keys in form.fields.items() if name.endswith(RETAINED_SUFFIX) for key in keys]


def _file_entry(file: StoredFile) -> FileEntry:
    return FileEntry(file.file_key, file.file_name, file.size, file.content_type)


def _uploaded_file(file: FileEntry) -> UploadedFile:
    return UploadedFile(file.file_key, file.file_name, file_size(file.size))


def _uploaded_file_from_answer(entry: Mapping[str, Json]) -> UploadedFile:
    size = entry.get("file_size_mb")
    bytes_ = size * BYTES_PER_MB if isinstance(size, int | float) else 0
    return UploadedFile(str(entry.get("file_key")), str(entry.get("file_name")), file_size(bytes_))
