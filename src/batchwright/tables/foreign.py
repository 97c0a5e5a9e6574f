"""Files that are no tables at all: told for what they are, instead of being shown as a table of nonsense."""

from pathlib import Path

from batchwright.records.json_values import NotJson, is_array, is_object, parse
from batchwright.tables.entries import Unreadable
from batchwright.words import _

_WORKBOOKS = (".xlsx", ".xlsm", ".xls", ".xlsb", ".ods", ".numbers")

_ZIP, _OLD_OFFICE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"

_PACKED = (_ZIP, b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!", b"(\xb5/\xfd")
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8")
_DATABASES = (b"SQLite format 3\0", b"PAR1", b"ARROW1", b"Obj\x01")

_MOST_STRANGE = 8
"""Control characters that a text may hold; in a longer one, one of fifty."""

_STRANGE = frozenset(map(chr, {*range(32), 127} - {*b"\t\n\v\f\r\x1a\x1b"}))


def refuse_no_file(path: Path) -> None:
    """Refuse a folder, and what gives bytes without end.

    Raises:
        Unreadable: it is there, and no file.
    """
    if path.is_dir():
        raise Unreadable(_("“{name}” is a folder.").format(name=path.name), _("Choose the file in it."))
    if path.exists() and not path.is_file():
        raise Unreadable(
            _("“{name}” is no ordinary file.").format(name=path.name), _("Choose a CSV or JSONL file.")
        )


def refuse_foreign_bytes(path: Path, sample: bytes) -> None:
    """Refuse what is known by its first bytes to be something else.

    Raises:
        Unreadable: it is a workbook, a picture, an archive, a document or a database.
    """
    as_table = _("Open it in the program that made it, and save it as CSV.")
    is_workbook = path.suffix.lower() in _WORKBOOKS and sample.startswith(_ZIP)
    if is_workbook or sample.startswith(_OLD_OFFICE):
        raise Unreadable(_("The file is a workbook."), as_table)
    if sample.startswith(_PACKED):
        raise Unreadable(
            _("The file is an archive."), _("Unpack it, and choose the CSV or JSONL file in it.")
        )
    if sample.startswith(_PICTURES):
        raise Unreadable(_("The file is a picture."), _("Choose a CSV or JSONL file."))
    if sample.startswith(b"%PDF-"):
        raise Unreadable(_("The file is a PDF document."), _("Choose a CSV or JSONL file."))
    if sample.startswith(_DATABASES):
        raise Unreadable(_("The file is a database."), as_table)


def refuse_no_text(text: str) -> None:
    """Refuse a sample that holds more control characters than any text, or that is a web page.

    Raises:
        Unreadable: it does.
    """
    strange = sum(map(text.count, _STRANGE))
    if strange > max(_MOST_STRANGE, len(text) // 50):
        raise Unreadable(_("The file holds no text."), _("Choose a CSV or JSONL file."))
    if text.lstrip()[:14].lower().startswith(("<!doctype html", "<html")):
        raise Unreadable(
            _("The file is a web page, perhaps one that asks to sign in."),
            _("Download the data again, as CSV or JSONL."),
        )


def refuse_one_value(path: Path, text: str, *, is_cut: bool) -> None:
    """Refuse JSON that is not written line by line; `is_cut` says that the file goes on after `text`.

    Raises:
        Unreadable: it is one array or one object over several lines.
    """
    if path.suffix.lower() == ".json" or (not is_cut and _is_one_value(text)):
        raise Unreadable(
            _("The file is one JSON value, where a JSONL file has a record on each line."),
            _("Save it as JSONL: each record as a JSON object on a line of its own."),
        )


def _is_one_value(text: str) -> bool:
    if not text.lstrip().startswith(("[", "{")):
        return False
    try:
        value = parse(text)
    except NotJson:
        return False
    return is_array(value) or is_object(value)
