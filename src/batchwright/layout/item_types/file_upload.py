"""The `file_upload` item type: participants upload files, limited by type, size and number."""

import math
import mimetypes
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from batchwright.base.i18n import N_, _, ngettext
from batchwright.base.json_values import Json, JsonObject, is_array
from batchwright.layout.answers import BYTES_PER_MB, Answer, FileEntry, GeneratedFile
from batchwright.layout.attributes import DESCRIPTION, HELPER_TEXT, Attribute, AttributeType
from batchwright.layout.item_types.base import Instruction
from batchwright.layout.item_types.typed_text import LengthLimits, random_text
from batchwright.layout.option_values import as_text
from batchwright.layout.pages.questions import Question, QuestionContext, UploadedFile
from batchwright.layout.rules.examples import FILE_UPLOAD, one_item_layouts, with_attributes
from batchwright.layout.rules.page_index import PageIndex
from batchwright.layout.rules.problems import Fix, RejectionStatus
from batchwright.layout.rules.quick_fixes import set_attribute_fix, unset_attribute_fix
from batchwright.layout.rules.registry import Finding, rule

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

    def random_answer(self, random: Random, texts: Random | None = None) -> Answer:
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
    return _("{size} MB").format(size=f"{size / BYTES_PER_MB:.1f}")


@rule(
    "LY27",
    N_("An accepted file type begins with a dot"),
    RejectionStatus.ITEM,
    passes=one_item_layouts(
        FILE_UPLOAD, with_attributes(FILE_UPLOAD, accepted_file_types=[".pdf", ".tar.gz"])
    ),
    fails=one_item_layouts(
        with_attributes(FILE_UPLOAD, accepted_file_types=["pdf"]),
        with_attributes(FILE_UPLOAD, accepted_file_types=[".pdf", "image/png"]),
        with_attributes(FILE_UPLOAD, accepted_file_types=[""]),
    ),
    attribute="accepted_file_types",
)
def file_types_start_with_dot(index: PageIndex) -> Iterator[Finding]:
    """Each of `accepted_file_types` is an extension with its dot."""
    for path, item in index.of(FileUpload):
        value = item.attributes.get("accepted_file_types")
        types = value if is_array(value) else ()
        undotted = [
            file_type for file_type in types if isinstance(file_type, str) and not file_type.startswith(".")
        ]
        if undotted:
            yield Finding(
                path,
                item,
                _("An accepted file type begins with a dot, like .pdf. Change: {types}."),
                {"types": ", ".join(f"“{file_type}”" for file_type in undotted)},
                _add_dots_fix(item, types),
            )


@rule(
    "LY28",
    N_("The maximum file size is above 0"),
    RejectionStatus.ITEM,
    passes=one_item_layouts(
        FILE_UPLOAD,
        with_attributes(FILE_UPLOAD, max_file_size_mb=0.25),
        with_attributes(FILE_UPLOAD, max_file_size_mb=None),
    ),
    fails=one_item_layouts(
        with_attributes(FILE_UPLOAD, max_file_size_mb=0), with_attributes(FILE_UPLOAD, max_file_size_mb=-3.5)
    ),
    attribute="max_file_size_mb",
)
def positive_file_size(index: PageIndex) -> Iterator[Finding]:
    """`max_file_size_mb` is above 0."""
    for path, item in index.of(FileUpload):
        size = item.attributes.get("max_file_size_mb")
        if isinstance(size, int | float) and not isinstance(size, bool) and size <= 0:
            yield Finding(
                path,
                item,
                _("The maximum file size is {size} MB. It must be above 0."),
                {"size": size},
                unset_attribute_fix(item, _("Allow 25 MB, the usual size"), "max_file_size_mb"),
            )


@rule(
    "LY29",
    N_("At least one file is asked for"),
    RejectionStatus.ITEM,
    passes=one_item_layouts(FILE_UPLOAD, with_attributes(FILE_UPLOAD, min_file_count=2)),
    fails=one_item_layouts(
        with_attributes(FILE_UPLOAD, min_file_count=0),
        with_attributes(FILE_UPLOAD, min_file_count=-1, max_file_count=3),
    ),
    attribute="min_file_count",
)
def at_least_one_file(index: PageIndex) -> Iterator[Finding]:
    """`min_file_count` is 1 or more."""
    for path, item in index.of(FileUpload):
        fewest = item.integer("min_file_count")
        if fewest is not None and fewest < 1:
            yield Finding(
                path,
                item,
                _("The minimum number of files is {fewest}. It must be 1 or more."),
                {"fewest": fewest},
                _require_one_file_fix(item),
            )


@rule(
    "LY30",
    N_("The minimum number of files is not above the maximum"),
    RejectionStatus.ITEM,
    passes=one_item_layouts(
        with_attributes(FILE_UPLOAD, min_file_count=3, max_file_count=3),
        with_attributes(FILE_UPLOAD, min_file_count=10),
        with_attributes(FILE_UPLOAD, max_file_count=1),
    ),
    fails=one_item_layouts(
        with_attributes(FILE_UPLOAD, min_file_count=3, max_file_count=2),
        with_attributes(FILE_UPLOAD, min_file_count=11),
        with_attributes(FILE_UPLOAD, max_file_count=0),
    ),
    attribute="max_file_count",
)
def min_files_not_above_max(index: PageIndex) -> Iterator[Finding]:
    """`min_file_count` (1 when absent) is not above `max_file_count` (10 when absent)."""
    for path, item in index.of(FileUpload):
        if not all(_has_accepted_type(item, name) for name in ("min_file_count", "max_file_count")):
            continue
        fewest, most = item.value_or_default("min_file_count"), item.value_or_default("max_file_count")
        if isinstance(fewest, int) and isinstance(most, int) and fewest > most:
            yield Finding(
                path,
                item,
                _("The minimum number of files ({fewest}) is above the maximum ({most}). Raise the maximum."),
                {"fewest": fewest, "most": most},
                set_attribute_fix(item, _("Allow {count}").format(count=fewest), max_file_count=fewest),
            )


@rule(
    "LY56",
    N_("A list of accepted file types is not empty"),
    passes=one_item_layouts(FILE_UPLOAD, with_attributes(FILE_UPLOAD, accepted_file_types=[".pdf"])),
    fails=one_item_layouts(with_attributes(FILE_UPLOAD, accepted_file_types=[])),
    attribute="accepted_file_types",
)
def file_types_not_empty(index: PageIndex) -> Iterator[Finding]:
    """An empty list of types does not mean any type: the default types are accepted."""
    for path, item in index.of(FileUpload):
        types = item.attributes.get("accepted_file_types")
        if is_array(types) and not types:
            message = _("No file type is listed, so only images are accepted. List the types you want.")
            fix = unset_attribute_fix(item, _("Accept images, as usual"), "accepted_file_types")
            yield Finding(path, item, message, fix=fix)


@rule(
    "LY57",
    N_("Accepted file types look like file endings"),
    passes=one_item_layouts(
        FILE_UPLOAD, with_attributes(FILE_UPLOAD, accepted_file_types=[".pdf", ".tar.gz", ".7z", ".C++"])
    ),
    fails=one_item_layouts(
        with_attributes(FILE_UPLOAD, accepted_file_types=["."]),
        with_attributes(FILE_UPLOAD, accepted_file_types=[".pdf, .doc"]),
        with_attributes(FILE_UPLOAD, accepted_file_types=[".image/png"]),
    ),
    attribute="accepted_file_types",
)
def plausible_types(index: PageIndex) -> Iterator[Finding]:
    """An accepted type is the extension of a file name, so it contains letters, and no space or slash."""
    for path, item in index.of(FileUpload):
        value = item.attributes.get("accepted_file_types")
        types = [file_type for file_type in value if isinstance(file_type, str)] if is_array(value) else []
        odd = [
            file_type
            for file_type in types
            if file_type.startswith(".") and (len(file_type) == 1 or set(file_type) & set(" ,;/\\*"))
        ]
        if odd:
            message = _("No file name ends with {types}. List endings like .pdf, each by itself.")
            values = {"types": ", ".join(f"“{file_type}”" for file_type in odd)}
            yield Finding(path, item, message, values, _separate_types_fix(item, types))


RULES = (
    file_types_start_with_dot,
    positive_file_size,
    at_least_one_file,
    min_files_not_above_max,
    file_types_not_empty,
    plausible_types,
)


def _limits_text(limits: FileLimits) -> str:
    """The limits as text: number, types and size."""
    types = ", ".join(limits.types)
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
    if not name.casefold().endswith(tuple(file_type.casefold() for file_type in limits.types)):
        yield _("“{name}” is not of an accepted type ({types}).").format(
            name=name, types=", ".join(limits.types)
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


def _add_dots_fix(item: FileUpload, types: Sequence[Json]) -> Fix | None:
    """A fix that adds missing dots to the types; None if one is a media type such as `image/png`."""
    texts = [file_type for file_type in types if isinstance(file_type, str)]
    if len(texts) < len(types) or any("/" in file_type for file_type in texts):
        return None
    with_dots = [f".{file_type.lstrip('*.')}" if file_type.strip("*.") else "" for file_type in texts]
    extensions = [file_type for file_type in dict.fromkeys(with_dots) if file_type]
    return set_attribute_fix(item, _("Add the dot"), accepted_file_types=extensions) if extensions else None


def _require_one_file_fix(item: FileUpload) -> Fix:
    """A fix that requires at least one file. A maximum below 1 is unset, too."""
    names = ["min_file_count"]
    most = item.integer("max_file_count")
    if most is not None and most < 1:
        names.append("max_file_count")
    return unset_attribute_fix(item, _("Ask for at least 1"), *names)


def _has_accepted_type(item: FileUpload, name: str) -> bool:
    value = item.attributes.get(name)
    return value is None or AttributeType.INTEGER.accepts(value)


def _separate_types_fix(item: FileUpload, types: Sequence[str]) -> Fix | None:
    """A fix that splits extensions typed as one entry; None if one is a media type such as `image/png`."""
    names = [extension.strip("*") for file_type in types for extension in re.split(r"[\s,;]+", file_type)]
    endings = [f".{extension.lstrip('.')}" for extension in dict.fromkeys(names) if extension.strip(".")]
    if not endings or any(set(file_type) & set("/\\*") for file_type in endings):
        return None
    return set_attribute_fix(item, _("List each by itself"), accepted_file_types=endings)


def _number(value: Json) -> float:
    return value if isinstance(value, int | float) else 0
