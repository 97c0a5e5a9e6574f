"""Reads the rows of a table in an Excel workbook (ISO/IEC 29500, SpreadsheetML) as texts.

Texts and numbers are read as they are stored, without the formats of cells. Rows of a sheet that is full
continue on the sheets that follow it: `answers`, `answers 2` and so on.
"""

import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import BinaryIO
from xml.parsers import expat

from batchwright.analysis.store.archive_members import open_member
from batchwright.base.cooperative import yielding_gil
from batchwright.base.i18n import _
from batchwright.data_files.file_types import FileType, rejection
from batchwright.data_files.rows import UnreadableFile

_BLOCK_BYTES = 1 << 16
_MAX_COLUMNS = 16_384
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")
"""A character that XML does not allow."""
_FIRST_DAY, _DAY_MS = datetime(1899, 12, 30), 86_400_000
_NUMBER = re.compile(r"[0-9]{1,6}(\.[0-9]+)?")
_LETTERS = re.compile("[A-Z]+")

IsTable = Callable[[Sequence[str]], bool]
"""Whether names of columns are those of the table that is wanted."""


def excel_columns(path: Path, is_table: IsTable) -> tuple[str, ...]:
    """The names in the first row of the sheet with the table; those of the first sheet if none has it.

    Raises:
        UnreadableFile: the file is no workbook, or damaged.
        OSError: it cannot be opened.
    """
    with _workbook(path) as workbook:
        return workbook.columns(workbook.sheets_of_table(is_table)[0])


def excel_rows(path: Path, is_table: IsTable, time_column: str) -> Iterator[Mapping[str, str]]:
    """Yield the rows of the table; cells without a text are omitted.

    A number in `time_column` is a date and time, in UTC, which is read as ISO 8601.

    Raises:
        UnreadableFile: the file is no workbook, or damaged.
        OSError: it cannot be opened.
    """
    with _workbook(path) as workbook:
        for sheet in workbook.sheets_of_table(is_table):
            found = workbook.rows(sheet)
            names = next(found, {})
            for row in yielding_gil(found):
                cells = {names[column].strip(): text for column, text in row.items() if column in names}
                if time_column in cells:
                    cells[time_column] = _time_text(cells[time_column])
                yield cells


@contextmanager
def _workbook(path: Path) -> "Iterator[_Workbook]":
    if not zipfile.is_zipfile(path):
        raise rejection(FileType.EXCEL, path.name)
    damage = (KeyError, IndexError, ValueError, RuntimeError, EOFError, zlib.error, zipfile.BadZipFile)
    try:
        with zipfile.ZipFile(path) as archive:
            yield _Workbook(archive)
    except (*damage, expat.ExpatError) as error:
        raise UnreadableFile(_("The Excel workbook is damaged: {reason}.").format(reason=error)) from None


class _Workbook:
    """The sheets of a workbook, with the texts that they share."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        paths = {}
        for _name, attributes in self._elements("xl/_rels/workbook.xml.rels", "Relationship"):
            paths[attributes["Id"]] = str(PurePosixPath("/xl") / attributes["Target"]).removeprefix("/")
        self.sheets = {
            attributes["name"]: paths[attributes["id"]]
            for _name, attributes in self._elements("xl/workbook.xml", "sheet")
        }
        """The path of each sheet in the archive by name."""
        self._shared = self._shared_texts()

    def sheets_of_table(self, is_table: IsTable) -> list[str]:
        """The names of the first sheet with the table, or else the first, and of those where it continues."""
        names = list(self.sheets)
        first = next((name for name in names if is_table(self.columns(name))), names[0])
        more = [name for name in names if re.fullmatch(re.escape(first) + r" \d+", name)]
        return [first, *(name for name in more if self.columns(name) == self.columns(first))]

    def columns(self, sheet: str) -> tuple[str, ...]:
        """The texts in the first row of a sheet."""
        return tuple(text.strip() for text in next(self.rows(sheet), {}).values())

    def rows(self, sheet: str) -> Iterator[dict[int, str]]:
        """Yield the texts in the cells of each row by the number of the column, from 0."""
        reader = _CellReader(self._shared)
        with open_member(self._archive, self.sheets[sheet]) as file:
            for _block in _parse(file, reader.start, reader.end, reader.add_text):
                rows, reader.rows = reader.rows, []
                yield from rows

    def _elements(self, path: str, wanted: str) -> list[tuple[str, dict[str, str]]]:
        found: list[tuple[str, dict[str, str]]] = []

        def start(name: str, attributes: dict[str, str]) -> None:
            if _local(name) == wanted:
                found.append((wanted, {_local(key): value for key, value in attributes.items()}))

        with open_member(self._archive, path) as file:
            for _block in _parse(file, start, lambda _name: None, lambda _text: None):
                pass
        return found

    def _shared_texts(self) -> list[str]:
        name = "xl/sharedStrings.xml"
        if name not in self._archive.namelist():
            return []
        reader = _CellReader()
        with open_member(self._archive, name) as file:
            for _block in yielding_gil(_parse(file, reader.start, reader.end, reader.add_text)):
                pass
        return reader.texts


class _CellReader:
    """Collects the rows of a sheet, and shared texts.

    A text may have several parts; notes on its pronunciation are left out.
    """

    def __init__(self, shared: Sequence[str] = ()) -> None:
        self.rows: list[dict[int, str]] = []
        self.texts: list[str] = []
        self._shared = shared
        self._row: dict[int, str] = {}
        self._column = -1
        self._type = ""
        self._parts: list[str] = []
        self._is_value = self._is_note = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        local = _local(name)
        if local == "c":
            self._column = _column(attributes["r"]) if "r" in attributes else self._column + 1
            self._type, self._parts = attributes.get("t", ""), []
        elif local == "row":
            self._row, self._column = {}, -1
        elif local == "si":
            self._parts = []
        elif local == "rPh":
            self._is_note = True
        self._is_value = local in ("v", "t") and not self._is_note

    def end(self, name: str) -> None:
        local = _local(name)
        self._is_value = False
        if local == "c":
            if text := self._cell_text():
                self._row[self._column] = text
        elif local == "row":
            self.rows.append(self._row)
        elif local == "si":
            self.texts.append(_unescaped("".join(self._parts)))
        elif local == "rPh":
            self._is_note = False

    def add_text(self, text: str) -> None:
        if self._is_value:
            self._parts.append(text)

    def _cell_text(self) -> str:
        text = "".join(self._parts)
        match self._type:
            case "s":
                return self._shared[int(text)] if text else ""
            case "b":
                return {"0": "false", "1": "true"}.get(text, text)
            case "e":
                return ""
        return _unescaped(text)


def _time_text(text: str) -> str:
    """A time that is stored as days since the end of 1899; other texts as they are."""
    if not _NUMBER.fullmatch(text):
        return text
    milliseconds = round(float(text) * _DAY_MS)
    moment = _FIRST_DAY + timedelta(milliseconds=milliseconds)
    return f"{moment.isoformat(timespec='milliseconds')}Z"


def _parse(
    file: BinaryIO,
    start: Callable[[str, dict[str, str]], None],
    end: Callable[[str], None],
    add_text: Callable[[str], None],
) -> Iterator[None]:
    """Parse XML; yields after each block. A document type, which could define entities, is an error."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = add_text
    parser.StartDoctypeDeclHandler = _reject_doctype
    while block := file.read(_BLOCK_BYTES):
        parser.Parse(block, False)
        yield
    parser.Parse(b"", True)
    yield


def _reject_doctype(*_arguments: object) -> None:
    raise ValueError(_("it has a document type"))


def _local(name: str) -> str:
    """A name without its namespace."""
    return name.rpartition(" ")[2]


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text


def _column(reference: str) -> int:
    """The number of a column, from 0: 0 for `A1`, 27 for `AB7`."""
    letters, number = _LETTERS.match(reference), 0
    for letter in letters[0] if letters else "":
        number = 26 * number + ord(letter) - ord("A") + 1
    if not 0 < number <= _MAX_COLUMNS:
        raise ValueError(_("{reference} is not a cell").format(reference=reference))
    return number - 1
