"""Determines the type of a file from its name and its first bytes, and explains why a type is rejected.

All entry points use this module: the command line, Open, drag and drop, files passed on by another instance
of the program, and everything that reads data files. So they never disagree about a file, and none of them
reads from a pipe or a device, which might never end.
"""

import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from itertools import islice
from pathlib import Path

from batchwright.base.i18n import N_, _
from batchwright.base.json_values import InvalidJson, is_array, is_object, parse
from batchwright.base.local_media import entries_below, is_medium
from batchwright.data_files.archive_members import member_names
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.text_rows.encodings import detect_encoding
from batchwright.layout.file_format import KEY

STUDY_KEY = "batchwright"
"""The key that identifies a study file among other JSON; its value is the version of the file format."""

ARCHIVED_STUDY = b"study.json"
"""The first file in the archive of a study with its data (`local.study_files.study_archive`)."""

SAMPLE_BYTES = 1 << 18
"""Bytes read from a file to determine its type."""


class FileType(Enum):
    """The type of a file; `rejection` has a message for each type that is not a table."""

    STUDY = auto()
    LAYOUT = auto()
    """Pages: an array, or `batch_items` in an object."""
    JSON = auto()
    """Other JSON, or text in a file with such an extension; reading it as a layout reports what is wrong."""
    CSV = auto()
    """Text with delimiters, according to the file name."""
    EXCEL_CSV = auto()
    """Text whose first line names its delimiter to Excel, as in `sep=;`."""
    JSONL = auto()
    NESTED_JSONL = auto()
    """JSONL whose first records have objects or arrays as values."""
    TEXT = auto()
    """Other text; the file name does not indicate a table."""
    JSON_ARRAY = auto()
    """A JSON array, an array of objects or arrays inside JSON objects, or records by their numbers."""
    SCHEMA = auto()
    COLLECTION = auto()
    EXCEL = auto()
    SPREADSHEET = auto()
    DOCUMENT = auto()
    PARQUET = auto()
    ARROW = auto()
    SPSS = auto()
    COMPRESSED = auto()
    """A compressed file, or a ZIP archive with tables but not with answers."""
    DATABASE = auto()
    ARCHIVE = auto()
    IMAGE = auto()
    MEDIA = auto()
    PDF = auto()
    WEB_PAGE = auto()
    BINARY = auto()
    EMPTY = auto()
    FOLDER = auto()
    MEDIA_FOLDER = auto()
    """A folder with pictures, recordings or videos, and without a study."""
    SPECIAL = auto()
    """A pipe, socket or device: reading it may never end."""


SOURCES = frozenset(
    {
        FileType.EXCEL,
        FileType.SPREADSHEET,
        FileType.EXCEL_CSV,
        FileType.JSON_ARRAY,
        FileType.NESTED_JSONL,
        FileType.PARQUET,
        FileType.ARROW,
        FileType.SPSS,
        FileType.COMPRESSED,
        FileType.MEDIA_FOLDER,
    }
)
"""Tables that are converted before the service takes them (`data_files.sources`)."""

TABLES = frozenset({FileType.CSV, FileType.JSONL}) | SOURCES
STUDIES = frozenset({FileType.STUDY, FileType.LAYOUT, FileType.COLLECTION, FileType.JSON})

CSV_SUFFIXES = (".csv", ".tsv", ".tab")
_TABLE_SUFFIXES = (*CSV_SUFFIXES, ".txt")
_JSONL_SUFFIXES = (".jsonl", ".ndjson")
_JSON_SUFFIXES = (".json", ".batchwright")
DELIMITER_LINE = re.compile(r'"?sep=([^\w\s"\']|\t)"?(?:\r\n?|\n)', re.IGNORECASE)
"""The first line of a text that names its delimiter to Excel."""
YAML_SUFFIXES = (".yaml", ".yml")


@dataclass(frozen=True)
class FileSample:
    """A file's type, and its first bytes with their detected encoding."""

    type: FileType
    sample: bytes = b""
    encoding: str = "utf-8"

    @property
    def text(self) -> str:
        """The sample as text, without a byte order mark."""
        return self.sample.decode(self.encoding, "replace").removeprefix("\ufeff")

    @property
    def is_cut(self) -> bool:
        """Whether the file may be longer than the sample."""
        return len(self.sample) == SAMPLE_BYTES


def type_of(path: Path) -> FileType:
    """The type of a file; reads at most `SAMPLE_BYTES` bytes, and only of a regular file.

    Raises:
        OSError: it is not there, or cannot be read.
    """
    return read_sample(path).type


def read_sample(path: Path) -> FileSample:
    """The type of a file, with its first bytes.

    Raises:
        OSError: it is not there, or cannot be read.
    """
    status = path.stat()
    if stat.S_ISDIR(status.st_mode):
        return FileSample(_folder_type(path))
    if not stat.S_ISREG(status.st_mode):
        return FileSample(FileType.SPECIAL)
    if not status.st_size:  # reading a virtual file such as /proc/kmsg may never end
        return FileSample(FileType.EMPTY)
    with path.open("rb") as stream:
        sample = stream.read(SAMPLE_BYTES)
    suffix = path.suffix.lower()
    type = _binary_type(suffix, sample)
    if type is FileType.ARCHIVE and sample.startswith(_ZIP):
        type = _type_of_archive(path)
    if type is not None:
        return FileSample(type, sample)
    encoding = detect_encoding(sample)
    sample_of_text = FileSample(FileType.TEXT, sample, encoding)
    return FileSample(_text_type(suffix, sample_of_text), sample, encoding)


def require_regular(path: Path) -> None:
    """Reject folders, pipes and devices; a missing file is reported when it is opened.

    Raises:
        UnreadableFile: it exists and is not a regular file.
    """
    if path.exists() and not path.is_file():
        raise rejection(FileType.FOLDER if path.is_dir() else FileType.SPECIAL, path.name)


def rejection(type: FileType, name: str) -> UnreadableFile:
    """Why a file of a type cannot be read as a table or opened at all, and what to do instead."""
    what, remedy = _REJECTIONS[type]()
    return UnreadableFile(what.format(name=name), remedy)


ARROW_FILE = b"ARROW1\0\0"
GZIP, BZIP2, XZ, ZSTD = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0", b"(\xb5/\xfd"
"""How compressed files start."""
_STUDY_FILES = ("layout.json", "collection.json")
_MAX_ENTRIES = 10_000
"""Entries of a folder among which media are looked for."""


def _folder_type(folder: Path) -> FileType:
    """Whether a folder contains media and no study (`local.study_files.study_folders`)."""
    if any((folder / name).is_file() for name in _STUDY_FILES):
        return FileType.FOLDER
    entries = islice(entries_below(folder, deep=True), _MAX_ENTRIES)
    return FileType.MEDIA_FOLDER if any(is_medium(entry.name) for entry in entries) else FileType.FOLDER


_ZIP, _OLD_OFFICE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_EXCEL = (".xlsx", ".xlsm", ".xls", ".xlsb")
_SPREADSHEETS = (".ods", ".numbers")
_DOCUMENTS = (".docx", ".doc", ".odt", ".pptx", ".ppt", ".odp", ".pages")
_BY_FIRST_BYTES: Mapping[FileType, tuple[bytes, ...]] = {
    FileType.PARQUET: (b"PAR1\x15",),
    FileType.ARROW: (ARROW_FILE, b"\xff\xff\xff\xff"),
    FileType.DATABASE: (b"SQLite format 3\0", b"Obj\x01", b"FEA1\0"),
    FileType.COMPRESSED: (GZIP, BZIP2, XZ, ZSTD),
    FileType.ARCHIVE: (_ZIP, b"PK\x05\x06", b"7z\xbc\xaf", b"Rar!\x1a"),
    FileType.IMAGE: (b"\x89PNG", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\0", b"MM\0*"),
    FileType.MEDIA: (b"ID3\x02", b"ID3\x03", b"ID3\x04", b"OggS\0", b"fLaC\0", b"\x1aE\xdf\xa3"),
    FileType.PDF: (b"%PDF-",),
}
_INSIDE_RIFF = {b"WEBP": FileType.IMAGE, b"WAVE": FileType.MEDIA, b"AVI ": FileType.MEDIA}


_SPSS_LAYOUT_CODES = frozenset(code.to_bytes(4, order) for code in (2, 3) for order in ("little", "big"))
"""A number in the header of an SPSS file, which tells it from text."""


def _binary_type(suffix: str, sample: bytes) -> FileType | None:
    """The type according to the first bytes; None for what may be text."""
    if sample.startswith(_ZIP) and sample[30:].startswith(ARCHIVED_STUDY):
        return FileType.STUDY
    if sample.startswith((_ZIP, _OLD_OFFICE)) and suffix != ".zip":  # which may contain a workbook
        if suffix in _EXCEL or b"xl/workbook" in sample or "Workbook".encode("utf-16-le") in sample:
            return FileType.EXCEL
        if suffix in _SPREADSHEETS or b"opendocument.spreadsheet" in sample[:200]:
            return FileType.SPREADSHEET
        if suffix in _DOCUMENTS or sample.startswith(_OLD_OFFICE):
            return FileType.DOCUMENT
    if sample.startswith(b"RIFF") and (inside := _INSIDE_RIFF.get(sample[8:12])):
        return inside
    if sample[4:8] == b"ftyp" and sample[:1] == b"\0":
        return FileType.MEDIA
    if sample.startswith((b"$FL2", b"$FL3")) and sample[64:68] in _SPSS_LAYOUT_CODES:
        return FileType.SPSS
    return next((type for type, starts in _BY_FIRST_BYTES.items() if sample.startswith(starts)), None)


_FIRST_LINES = 20
"""Lines of a JSONL file in which nested values are looked for."""

SOURCE_SUFFIXES = (
    *(*CSV_SUFFIXES, ".txt", ".jsonl", ".ndjson", ".json", *_EXCEL, ".ods"),
    *(".parquet", ".arrow", ".arrows", ".feather", ".ipc", ".sav", ".zsav"),
)
"""Extensions of tables in archives."""
_ANSWERS = ("responses-by-task.jsonl", "responses-by-submission.jsonl", "responses.jsonl")
"""Files of archives that Results opens."""


def _type_of_archive(path: Path) -> FileType:
    names = member_names(path)
    has_table = any(name.lower().endswith(SOURCE_SUFFIXES) for name in names)
    is_source = has_table and not set(_ANSWERS).intersection(names)
    return FileType.COMPRESSED if is_source else FileType.ARCHIVE


_MAX_CONTROL_CHARACTERS = 8
"""Control characters allowed in a short text; in a longer one, one in fifty."""
_CONTROL_CHARACTERS = frozenset(map(chr, {*range(32), 127} - {*b"\t\n\v\f\r\x1a\x1b"}))
_ARRAY_OF_RECORDS = re.compile(r"\s*\[\s*\{")
_WEB_PAGE = ("<!doctype html", "<html")
_COLLECTION_KEY = "collection_items"
_YAML_COLLECTION = re.compile(rf"^{_COLLECTION_KEY}\s*:", re.MULTILINE)


def _text_type(suffix: str, sample: FileSample) -> FileType:
    """The type of a text: by the file extension if that decides, otherwise by its content."""
    text = sample.text
    if not text.strip():
        return FileType.EMPTY
    if sum(map(text.count, _CONTROL_CHARACTERS)) > max(_MAX_CONTROL_CHARACTERS, len(text) // 50):
        return FileType.BINARY
    if text.lstrip()[:14].lower().startswith(_WEB_PAGE):
        return FileType.WEB_PAGE
    if suffix in _TABLE_SUFFIXES and DELIMITER_LINE.match(text):
        return FileType.EXCEL_CSV
    if suffix in CSV_SUFFIXES:
        return FileType.CSV
    if suffix in _JSONL_SUFFIXES:
        return FileType.JSON_ARRAY if _ARRAY_OF_RECORDS.match(text) else _jsonl_type(text)
    if (type := _json_type(suffix, text)) is not None:
        is_long_object = (
            type is FileType.JSON and suffix == ".json" and sample.is_cut and text.lstrip()[0] == "{"
        )
        return FileType.JSON_ARRAY if is_long_object else type  # an array may follow
    if suffix in YAML_SUFFIXES and _YAML_COLLECTION.search(text):
        return FileType.COLLECTION
    return FileType.CSV if suffix in _TABLE_SUFFIXES else FileType.TEXT


def json_extension(text: str) -> str:
    """The extension of a file with a text that is a table in JSON or JSON Lines; empty for any other text."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) > 1 and all(map(_is_object, lines)):
        return ".jsonl"
    is_table = _is_complete_json(text) and _json_type(".json", text) is FileType.JSON_ARRAY
    return ".json" if is_table else ""


def _has_values(text: str, suffix: str) -> bool:
    """Whether an array has values, in a file that is called JSON: other texts begin with brackets, too."""
    return suffix in _JSON_SUFFIXES and text.lstrip()[1:].lstrip()[:1] not in ("", "]")


_ARRAY_OF_ROWS = re.compile(r'"rows"\s*:\s*\[')
"""The rows of a page, which a number or a text is not."""
_BY_KEY = {STUDY_KEY: FileType.STUDY, KEY: FileType.LAYOUT, _COLLECTION_KEY: FileType.COLLECTION}


def _json_type(suffix: str, text: str) -> FileType | None:
    """The type of a JSON text; None for other text."""
    shape, keys = _outline(text)
    if shape == "{":
        if (type := _object_type(suffix, text, keys)) is not None:
            return type
    elif shape and "rows" in keys and _ARRAY_OF_ROWS.search(text):
        return FileType.LAYOUT
    elif (shape == "[{" and keys) or (shape == "[" and _has_values(text, suffix)):
        return FileType.JSON_ARRAY
    if suffix in _JSON_SUFFIXES:
        return FileType.STUDY if suffix == ".batchwright" else FileType.JSON
    return FileType.JSON if shape and _is_complete_json(text) else None


def _object_type(suffix: str, text: str, keys: set[str]) -> FileType | None:
    """The type of JSON that starts with an object with these keys; None if they do not decide."""
    for key, type in _BY_KEY.items():
        if key in keys:
            return type
    if {"strict", "fields"} <= keys:
        return FileType.SCHEMA
    if _is_jsonl(text, accepts_single_line=suffix not in _JSON_SUFFIXES):
        return _jsonl_type(text)
    if keys == {"fields"}:  # “strict” is optional
        return FileType.SCHEMA
    is_table = _has_array_of_records(text) or _BY_INDEX.match(text)
    return FileType.JSON_ARRAY if suffix != ".batchwright" and is_table else None


_BY_INDEX = re.compile(r'\s*\{\s*"(?:[0-9]+"\s*:\s*\{|(?:[^"\\]|\\.)*+"\s*:\s*\{\s*"[0-9]+"\s*:)', re.DOTALL)
"""The beginning of an object of records by their numbers, or of columns of such records."""
_OPENING = re.compile(r"\s*(\[?)\s*(\{?)")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[{}\[\]:]', re.DOTALL)
"""A string may lack its end, so that the text after its first quotation mark is not searched again."""


def _outline(text: str) -> tuple[str, set[str]]:
    """The outline of the beginning of a JSON text: its first brackets, and the keys found after them.

    The brackets are `{`, `[{`, `[` for an array of anything else, or empty. The keys are those of the object,
    or of the objects in the array, as far as `text` contains them.
    """
    opening = _OPENING.match(text)
    shape = opening[1] + opening[2] if opening else ""
    depth_of_keys = 1 if shape == "{" else 2
    keys: set[str] = set()
    depth, last = 0, ""
    for token in _TOKEN.finditer(text) if shape else ():
        sign = token[0]
        if sign in "{[":
            depth += 1
        elif sign in "}]":
            depth -= 1
            if depth == 0:
                break
        elif sign != ":":
            last = sign[1:-1]
        elif depth == depth_of_keys:
            keys.add(last)
    return shape, keys


def _jsonl_type(text: str) -> FileType:
    """Whether the first records of a JSONL text have nested values; its last line may be cut."""
    for line in text.split("\n", _FIRST_LINES)[:_FIRST_LINES]:
        try:
            record = parse(line)
        except InvalidJson:
            continue
        if is_object(record) and any(is_object(value) or is_array(value) for value in record.values()):
            return FileType.NESTED_JSONL
    return FileType.JSONL


def _has_array_of_records(text: str) -> bool:
    """Whether an array that begins with an object or an array is in a text, and only objects around it."""
    tokens = (token[0] for token in _TOKEN.finditer(text) if token[0] in "{}[]")
    is_array_opened, depth_in_arrays = False, 0
    for sign in tokens:
        if is_array_opened and sign in "{[":
            return True
        depth_in_arrays += (sign == "[") - (sign == "]")
        is_array_opened = sign == "[" and depth_in_arrays == 1
    return False


def _is_jsonl(text: str, *, accepts_single_line: bool) -> bool:
    first, _end, rest = text.strip().partition("\n")
    return (accepts_single_line or bool(rest.strip())) and _is_object(first)


def _is_object(text: str) -> bool:
    try:
        return is_object(parse(text))
    except InvalidJson:
        return False


def _is_complete_json(text: str) -> bool:
    try:
        parse(text)
    except InvalidJson:
        return False
    return True


_KNOWN = N_(
    "Choose a study, a layout, a collection, or a table: a spreadsheet, or a file of the type CSV, TSV, JSON,"
    " JSONL, Parquet, Arrow or SPSS."
)
_REJECTIONS = {
    FileType.STUDY: lambda: (
        _("“{name}” is a study."),
        _("Choose a table here; a study is opened by Open a study in the File menu."),
    ),
    FileType.LAYOUT: lambda: (
        _("“{name}” is a layout."),
        _("Choose a table here; a layout is opened by Open a study in the File menu."),
    ),
    FileType.JSON: lambda: (
        _("“{name}” is one JSON value, but a JSONL file has a record on each line."),
        _("Save it as JSONL: each record as a JSON object on a line of its own."),
    ),
    FileType.TEXT: lambda: (
        _("“{name}” is a text file, but its name does not indicate a table."),
        _("If it contains records, give it a name ending in .csv, .tsv, .txt or .jsonl, then open it."),
    ),
    FileType.JSON_ARRAY: lambda: (
        _("“{name}” is a JSON file with an array."),
        _("Save it as JSONL: each record as a JSON object on a line of its own, without commas between."),
    ),
    FileType.SCHEMA: lambda: (
        _("“{name}” is a schema of records."),
        _("Open a study or a data file first; then choose Open a schema at Data."),
    ),
    FileType.COLLECTION: lambda: (
        _("“{name}” is a collection, with pages under “collection_items”."),
        _("Collections have no data: open it as a study."),
    ),
    FileType.EXCEL: lambda: (
        _("“{name}” is an Excel workbook."),
        _("Save it as CSV in Excel (File, Save As, CSV UTF-8), then open that file."),
    ),
    FileType.SPREADSHEET: lambda: (
        _("“{name}” is a spreadsheet."),
        _("Save it as CSV in the program that created it, then open that file."),
    ),
    FileType.DOCUMENT: lambda: (
        _("“{name}” is an office document."),
        _("Save its table as CSV in the program that created it, then open that file."),
    ),
    FileType.PARQUET: lambda: (
        _("“{name}” is a Parquet file."),
        _("Convert it to CSV or JSONL with the tool that created it, then open that file."),
    ),
    FileType.ARROW: lambda: (
        _("“{name}” is an Arrow file."),
        _("Convert it to CSV or JSONL with the tool that created it, then open that file."),
    ),
    FileType.SPSS: lambda: (
        _("“{name}” is an SPSS file."),
        _("Save it as CSV in the program that created it, then open that file."),
    ),
    FileType.COMPRESSED: lambda: (
        _("“{name}” is compressed."),
        _("Unpack it, then open the file in it."),
    ),
    FileType.DATABASE: lambda: (
        _("“{name}” is a database."),
        _("Export its table as CSV in the program that created it, then open that file."),
    ),
    FileType.ARCHIVE: lambda: (
        _("“{name}” is an archive."),
        _("Unpack it, then open the file in it. An export with answers opens in Results."),
    ),
    FileType.IMAGE: lambda: (
        _("“{name}” is an image."),
        _("Drop it on Home or Data for a table with it; or put it on the web, and use its https URL."),
    ),
    FileType.MEDIA: lambda: (
        _("“{name}” is an audio or video file."),
        _("Drop it on Home or Data for a table with it; or put it on the web, and use its https URL."),
    ),
    FileType.PDF: lambda: (
        _("“{name}” is a PDF document."),
        _(_KNOWN),
    ),
    FileType.WEB_PAGE: lambda: (
        _("“{name}” is a web page, perhaps one that asks to sign in."),
        _("Download the data again, as CSV or JSONL."),
    ),
    FileType.BINARY: lambda: (
        _("“{name}” is not a text file."),
        _(_KNOWN),
    ),
    FileType.EMPTY: lambda: (
        _("“{name}” is empty."),
        _(_KNOWN),
    ),
    FileType.FOLDER: lambda: (
        _("“{name}” is a folder."),
        _("Choose a file in it."),
    ),
    FileType.SPECIAL: lambda: (
        _("“{name}” is not a regular file."),
        _("Choose a file on the disk."),
    ),
}
