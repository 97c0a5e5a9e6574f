"""The `file_upload` item type: participants upload files, limited by type, size and number."""

import math
import mimetypes
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from batchwright.base.i18n import N_, _, ngettext
from batchwright.base.json_values import Json, JsonObject, is_array
from batchwright.base.local_formats import decimal_text, joined
from batchwright.layout.answers import BYTES_PER_MB, FileEntry, GeneratedAnswer, GeneratedFile
from batchwright.layout.attributes import DESCRIPTION, HELPER_TEXT, Attribute, AttributeType
from batchwright.layout.item_types.base import Instruction
from batchwright.layout.item_types.questions import Question, QuestionContext, UploadedFile
from batchwright.layout.item_types.typed_text import LengthLimits, random_text
from batchwright.layout.option_values import as_text

DEFAULT_FILE_TYPES = (".jpg", ".jpeg", ".png", ".heic", ".heif")
"""The file types accepted when none are listed (specification, batch_items)."""

LARGEST_FILE_MB = 10**9
"""Limits in MB above this are treated as no limit: no disk holds such a file."""

_MAX_EXTRA_FILES = 2

# Without the types registered in the operating system, so that every computer generates the same.
_CONTENT_TYPES = mimetypes.MimeTypes()


@dataclass(frozen=True)
class FileLimits:
    """The limits on type, size and number of files."""

    types: tuple[str, ...]
    size_mb: float
    min_count: int
    max_count: int

    def accepts(self, file_name: str) -> bool:
        """Whether a file with this name is of an accepted type; `participant.js` decides in the same way."""
        return file_name.lower().endswith(tuple(file_type.lower() for file_type in self.types))


@dataclass(frozen=True)
class FilesQuestion(Question):
    """A question that asks for files; `uploaded` are the files uploaded before."""

    template = "file_upload"
    accept: str
    multiple: bool
    uploaded: tuple[UploadedFile, ...]
    uploaded_hint: str = field(default_factory=lambda: _("Untick a file to leave it out."))


class FileUpload(Instruction):
    """An instruction to upload files."""

    type = "file_upload"
    title = N_("File upload")
    known_attributes = (
        DESCRIPTION,
        HELPER_TEXT,
        Attribute(
            "accepted_file_types",
            AttributeType.TEXTS,
            N_("accepted file types"),
            default=DEFAULT_FILE_TYPES,
            entry_title=N_("file type"),
        ),
        Attribute("max_file_size_mb", AttributeType.NUMBER, N_("largest file in MB"), default=25),
        Attribute("min_file_count", AttributeType.INTEGER, N_("fewest files"), default=1),
        Attribute("max_file_count", AttributeType.INTEGER, N_("most files"), default=10),
    )

    @property
    def limits(self) -> FileLimits:
        """The limits with defaults filled in; an empty list of types means the default ones."""
        types = self.value_or_default("accepted_file_types")
        value = (
            tuple(file_type for file_type in types if isinstance(file_type, str)) if is_array(types) else ()
        )
        return FileLimits(
            value or DEFAULT_FILE_TYPES,
            min(_number(self.value_or_default("max_file_size_mb")), LARGEST_FILE_MB),
            int(_number(self.value_or_default("min_file_count"))),
            int(_number(self.value_or_default("max_file_count"))),
        )

    def question(self, context: QuestionContext) -> Question:
        """The question with a file input and the files uploaded before."""
        limits = self.limits
        return FilesQuestion(
            *context.texts(self.attributes, _limits_text(limits)),
            accept=",".join(limits.types),
            multiple=limits.max_count != 1,
            uploaded=context.uploaded,
        )

    def random_answer(self, random: Random, texts: Random | None = None) -> GeneratedAnswer:
        """Random small files of accepted types."""
        limits, random = self.limits, texts or random
        most = min(limits.max_count, limits.min_count + _MAX_EXTRA_FILES)
        count = random.randint(limits.min_count, max(most, limits.min_count))
        return [_random_file(limits, number, random) for number in range(1, count + 1)]

    def from_form(
        self, number: int, fields: Mapping[str, list[str]], files: Sequence[FileEntry]
    ) -> list[JsonObject]:
        """An entry of the answer for each uploaded file."""
        return [file.as_json() for file in files]

    def _answer_errors(self, entries: Sequence[JsonObject]) -> Iterator[str]:
        limits = self.limits
        if len(entries) < limits.min_count:
            yield ngettext(
                "Please add at least {fewest} file.", "Please add at least {fewest} files.", limits.min_count
            ).format(fewest=limits.min_count)
        if len(entries) > limits.max_count:
            yield ngettext(
                "Please add no more than {most} file.",
                "Please add no more than {most} files.",
                limits.max_count,
            ).format(most=limits.max_count)
        for entry in entries:
            yield from _file_errors(limits, entry)

    def _entry_fields(self, number: int, entry: JsonObject) -> list[tuple[str, str]]:
        return []


def file_size(size: float) -> str:
    """Format a file size given in bytes."""
    if size < BYTES_PER_MB:
        return _("{size} kB").format(size=max(1, round(size / 1024)))
    return _("{size} MB").format(size=decimal_text(size / BYTES_PER_MB, 1))


def _limits_text(limits: FileLimits) -> str:
    """The limits as text: number, types and size."""
    types = joined(limits.types)
    size = _("{size} MB").format(size=f"{limits.size_mb:g}")
    if limits.max_count == 1:
        return _("1 file: {types}; at most {size}.").format(types=types, size=size)
    if limits.min_count == limits.max_count:
        return _("{count} files: {types}; at most {size} each.").format(
            count=limits.max_count, types=types, size=size
        )
    return _("{fewest} to {most} files: {types}; at most {size} each.").format(
        fewest=limits.min_count, most=limits.max_count, types=types, size=size
    )


def _file_errors(limits: FileLimits, entry: JsonObject) -> Iterator[str]:
    name, size = as_text(entry.get("file_name")), entry.get("file_size_mb")
    if not limits.accepts(name):
        yield _("“{name}” is not of an accepted type ({types}).").format(
            name=name, types=joined(limits.types)
        )
    if isinstance(size, bool) or not isinstance(size, int | float):
        yield _("The size of “{name}” is not known. Please add the file again.").format(name=name)
    elif size <= 0 and limits.size_mb * BYTES_PER_MB >= 1:
        yield _("“{name}” is empty. Please check the file, and add it again.").format(name=name)
    elif size > limits.size_mb:
        yield _("“{name}” is larger than {size} MB.").format(name=name, size=f"{limits.size_mb:g}")


def _random_file(limits: FileLimits, number: int, random: Random) -> GeneratedFile:
    name = f"file-{number}{random.choice(limits.types)}"
    content = random_text(LengthLimits(20, None), random).encode() + b"\n"
    kind = _CONTENT_TYPES.guess_type(name)[0] or "application/octet-stream"
    return GeneratedFile(name, kind, content[: math.floor(limits.size_mb * BYTES_PER_MB)])


def _number(value: Json) -> float:
    return value if isinstance(value, int | float) else 0
