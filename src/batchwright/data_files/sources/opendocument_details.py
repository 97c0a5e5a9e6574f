"""The details of sheets in `.ods` files: how numbers are shown, durations, errors, what is merged or hidden.

An OpenDocument file has the text that is shown beside the value of a cell. Its XML is searched block by block
as that of `.xlsx` files is; the rows in which something is special are read cell by cell.
"""

import re
import zipfile
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from datetime import timedelta
from functools import lru_cache
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from batchwright.data_files.archive_members import open_member
from batchwright.data_files.sources.merged_cells import MergedCell
from batchwright.data_files.sources.sheet_details import RowDetails, SheetDetails
from batchwright.data_files.sources.spreadsheet_values import duration_text

CONTENT = "content.xml"
"""The file in the archive that has all sheets."""

_STYLES = "styles.xml"
_BLOCK_BYTES = 1 << 20
_MAX_ROW_BYTES = 1 << 25
"""Bytes that are searched for the end of a row."""
_MAX_TAG_BYTES = 2000
_MOST_ROWS, _MOST_COLUMNS = 1 << 20, 1 << 14
"""The size of a sheet; a row or cell is not repeated more often."""

_ATTRIBUTE = re.compile(rb'([\w:-]+)="([^"]*)"')
_INDENT = re.compile(rb"(?<=>)\s+(?=</?(?:table|office):|<text:p\b)")
_TABLE = re.compile(rb"<table:table\s[^>]*>")
_ROW = re.compile(rb"<table:table-row(?=[\s/>])([^>]*)>")
_REPEATED_ROW = re.compile(rb'<table:table-row\s[^>]*number-rows-repeated="([0-9]{1,9})"')
_HIDDEN_ROW = re.compile(rb'<table:table-row\s[^>]*table:visibility="(?:collapse|filter)"')
_ROW_END, _TABLE_END = b"</table:table-row>", b"</table:table>"
_COLUMN = re.compile(rb"<table:table-column(?=[\s/>])[^>]*>")
_CELL = re.compile(rb"<table:(?:covered-)?table-cell\b([^>]*)>")
_ANNOTATION = re.compile(rb"<office:annotation\b.*?</office:annotation>", re.DOTALL)
_PARAGRAPH, _TAG = re.compile(rb"<text:p\b[^>]*>(.*?)</text:p>", re.DOTALL), re.compile(rb"<[^>]*>")
_SPECIAL = tuple(
    re.compile(sign)
    for sign in (
        rb'office:value="([^"]*)"[^>]*>\s*<(?!text:p>\1</text:p>|/|table:)',
        rb'office:value-type="time"',
        rb'calcext:value-type="error"',
        rb'table:formula="[^"]*"\s*/>',
        rb"<text:tab\b",
        rb"<text:line-break\b",
    )
)
"""Signs of cells whose value may not be what is shown; they are found faster one by one than all at once."""
_BREAKS = {b"tab": b"\t", b"line-break": b"\n"}
_BREAK, _SPACES = re.compile(rb"<text:(tab|line-break)\b[^>]*>"), re.compile(rb"<text:s\b([^>]*)>")
_SPANS = re.compile(rb"-spanned=\"(?!1\")")
_DURATION = re.compile(r"(-?)P(?:(\d+)D)?T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?")
_DATA_STYLE = re.compile(r"<number:(number|boolean)-style\s([^>]*)>(.*?)</number:\1-style>", re.DOTALL)
_GENERAL = re.compile(
    r'\s*<number:number(?![^>]*(?:decimal-places|grouping))[^>]*min-integer-digits="1"[^>]*/>\s*'
)
_CELL_STYLE = re.compile(r'<style:style\s[^>]*style:family="table-cell"[^>]*>')

_Attributes = dict[str, str]


class _XmlRow(NamedTuple):
    number: int
    """Counted from 1."""
    repeated: int
    attributes: _Attributes
    xml: bytes


class _Block:
    """The XML of some rows of a sheet; the first block begins with what precedes them."""

    def __init__(self, xml: bytes, number: int) -> None:
        self.xml, self._number = xml, number
        self.end = number + len(_ROW.findall(xml))
        """The number of the row after the last one."""
        for match in _REPEATED_ROW.finditer(xml):
            self.end += max(1, int(match[1])) - 1

    @property
    def before_rows(self) -> bytes:
        """What precedes the rows."""
        first = _ROW.search(self.xml)
        return self.xml[: first.start()] if first else self.xml

    def rows_at(self, positions: Collection[int]) -> Iterator[_XmlRow]:
        """The rows that have something at these positions, in order."""
        if not positions:
            return
        tags, number = [*_ROW.finditer(self.xml)], self._number
        starts = [tag.start() for tag in tags]
        wanted = {bisect_right(starts, position) - 1 for position in positions}
        for index, (tag, end) in enumerate(zip(tags, [*starts[1:], len(self.xml)], strict=True)):
            is_repeated = b"number-rows-repeated" in tag[1]
            repeated = _count(_attributes(tag[1]), "table:number-rows-repeated") if is_repeated else 1
            if index in wanted:
                yield _XmlRow(number, repeated, _attributes(tag[1]), self.xml[tag.start() : end])
            number += repeated


def sheet_details(path: Path, sheet: str, width: int) -> SheetDetails:
    """The details of a sheet with `width` columns.

    Raises, while rows are read:
        BadZipFile, OSError, RuntimeError: the file is damaged, or cannot be read.
    """
    details = SheetDetails(iter(()), are_known=True)
    details.rows = _rows(path, sheet, width, details)
    return details


def without_indents(path: Path) -> BytesIO:
    """A file with the same sheets, and without white space between tags, which some programs write.

    Raises:
        BadZipFile, OSError, RuntimeError: the file is damaged, or cannot be read.
    """
    target = BytesIO()
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(target, "w") as copied:
        for name in archive.namelist():
            with open_member(archive, name) as stream:
                copied.writestr(name, _INDENT.sub(b"", stream.read()))
    target.seek(0)
    return target


def merged_cells(path: Path, sheet: str) -> list[MergedCell]:
    """The merged cells of a sheet.

    Raises:
        BadZipFile, OSError, RuntimeError: the file is damaged, or cannot be read.
    """
    merged = []
    with zipfile.ZipFile(path) as archive:
        blocks = _blocks(archive, sheet) if _has_spans(archive) else ()
        for block in blocks:
            for row in block.rows_at([match.start() for match in _SPANS.finditer(block.xml)]):
                for column, attributes, _body in _cells(row.xml):
                    columns = _count(attributes, "table:number-columns-spanned")
                    rows = _count(attributes, "table:number-rows-spanned")
                    if columns > 1 or rows > 1:
                        last_row, last_column = row.number + rows - 1, column + columns - 1
                        merged.append(MergedCell(row.number, column, last_row, last_column))
    return merged


def _has_spans(archive: zipfile.ZipFile) -> bool:
    """Whether any sheet has merged cells."""
    end = b""
    with open_member(archive, CONTENT) as stream:
        while data := stream.read(_BLOCK_BYTES):
            if _SPANS.search(end + data):
                return True
            end = data[-_MAX_TAG_BYTES:]
    return False


def _rows(path: Path, sheet: str, width: int, details: SheetDetails) -> Iterator[tuple[int, RowDetails]]:
    with zipfile.ZipFile(path) as archive:
        number_styles = _number_styles(archive)
        column_styles: Sequence[str] = ()
        for block in _blocks(archive, sheet):
            column_styles = column_styles or _column_styles(block, width, details)
            hidden = [match.start() for match in _HIDDEN_ROW.finditer(block.xml)]
            details.hidden_rows += sum(
                row.repeated
                for row in block.rows_at(hidden)
                if b"<text:p" in row.xml or b"office:value=" in row.xml
            )
            for row in block.rows_at([*_special(block.xml)]):
                special = _row_details(row, number_styles, column_styles, details)
                for number in range(row.number, row.number + min(row.repeated, _MOST_ROWS)):
                    yield number, special
            yield block.end - 1, RowDetails()  # the next block is read when its rows are


def _special(xml: bytes) -> Iterator[int]:
    """Positions of cells whose value may not be what is shown."""
    for sign in _SPECIAL:
        for match in sign.finditer(xml):
            yield match.start()


def _blocks(archive: zipfile.ZipFile, sheet: str) -> Iterator[_Block]:
    """The XML of a sheet in blocks that end where a row ends."""
    with open_member(archive, CONTENT) as stream:
        rest, is_in_sheet, number = b"", False, 1
        while len(rest) < _MAX_ROW_BYTES and (data := stream.read(_BLOCK_BYTES)):
            rest += data
            if not is_in_sheet:
                tag = next((tag for tag in _TABLE.finditer(rest) if _name(tag[0]) == sheet), None)
                if tag is None:
                    rest = rest[-_MAX_TAG_BYTES:]
                    continue
                rest, is_in_sheet = rest[tag.end() :], True
            xml, is_end, _after = rest.partition(_TABLE_END)
            if not is_end:
                before, end, rest = rest.rpartition(_ROW_END)
                xml = before + end
            if xml:
                block = _Block(xml, number)
                yield block
                number = block.end
            if is_end:
                return


def _name(tag: bytes) -> str:
    return _attributes(tag).get("table:name", "")


@lru_cache(maxsize=4096)
def _attributes(tag: bytes) -> _Attributes:
    return {
        name.decode(): unescape(value.decode(errors="replace")) for name, value in _ATTRIBUTE.findall(tag)
    }


def _count(attributes: _Attributes, name: str) -> int:
    value = attributes.get(name, "")
    return max(1, int(value)) if value.isdecimal() else 1


def _cells(xml: bytes) -> Iterator[tuple[int, _Attributes, bytes]]:
    """The cells of a row: the column counted from 0, the attributes, and what is in it."""
    xml = _ANNOTATION.sub(b"", xml)
    tags = [*_CELL.finditer(xml)]
    column = 0
    for tag, end in zip(tags, [*(tag.start() for tag in tags[1:]), len(xml)], strict=True):
        attributes = _attributes(tag[1])
        repeated = _count(attributes, "table:number-columns-repeated")
        body = xml[tag.end() : end]
        if body or "table:formula" in attributes:
            for offset in range(min(repeated, _MOST_COLUMNS)):
                yield column + offset, attributes, body
        column += repeated


def _row_details(
    row: _XmlRow, number_styles: Collection[str], column_styles: Sequence[str], details: SheetDetails
) -> RowDetails:
    special = RowDetails()
    row_style = row.attributes.get("table:default-cell-style-name", "")
    for column, attributes, body in _cells(row.xml):
        if column >= len(column_styles):
            break
        text = "\n".join(_plain(paragraph) for paragraph in _PARAGRAPH.findall(body))
        is_error = attributes.get("calcext:value-type") == "error"
        kind = attributes.get("office:value-type", "")
        style = attributes.get("table:style-name") or row_style or column_styles[column]
        if is_error and text:
            details.errors += row.repeated
            special.texts[column] = text
        elif not kind and "table:formula" in attributes:
            details.formulas_without_value += row.repeated
        elif kind == "time":
            special.texts[column] = _duration(attributes.get("office:time-value", "")) or text
        elif text and _is_shown_as_text(kind, body, has_format=style in number_styles):
            special.texts[column] = text
        elif kind == "float" and text.isalpha() and attributes.get("office:value") in ("0", "1"):
            special.texts[column] = "TRUE" if attributes["office:value"] == "1" else "FALSE"
    return special


def _is_shown_as_text(kind: str, body: bytes, *, has_format: bool) -> bool:
    """Whether the text of a cell with a value of this type is what is read."""
    match kind:
        case "percentage" | "currency":
            return True
        case "float":
            return has_format
        case "string":
            return _BREAK.search(body) is not None
    return False


def _plain(xml: bytes) -> str:
    """The text of a paragraph, in which spaces, tabs and line ends may be elements."""
    xml = _SPACES.sub(lambda match: b" " * _count(_attributes(match[1]), "text:c"), xml)
    xml = _BREAK.sub(lambda match: _BREAKS[match[1]], xml)
    return unescape(_TAG.sub(b"", xml).decode(errors="replace"))


def _duration(text: str) -> str:
    """A duration such as PT36H00M00S as 36:00:00; empty if it is none."""
    match = _DURATION.fullmatch(text)
    if match is None:
        return ""
    days, hours, minutes = (int(part or 0) for part in match.group(2, 3, 4))
    seconds = float((match[5] or "0").replace(",", "."))
    duration = timedelta(days, hours=hours, minutes=minutes, seconds=seconds)
    return duration_text(-duration if match[1] else duration)


def _column_styles(block: _Block, width: int, details: SheetDetails) -> list[str]:
    """The styles of cells without one of their own, by column; hidden columns are counted."""
    styles: list[str] = []
    for tag in _COLUMN.findall(block.before_rows):
        attributes = _attributes(tag)
        repeated = min(_count(attributes, "table:number-columns-repeated"), width - len(styles))
        if attributes.get("table:visibility", "visible") != "visible":
            details.hidden_columns += repeated
        styles += [attributes.get("table:default-cell-style-name", "")] * repeated
    return styles + [""] * (width - len(styles))


def _number_styles(archive: zipfile.ZipFile) -> set[str]:
    """The styles of cells whose numbers have a format, which is none of exponents and fractions."""
    xml = ""
    with open_member(archive, CONTENT) as stream:
        xml += stream.read(_BLOCK_BYTES).partition(b"<office:body")[0].decode(errors="replace")
    if _STYLES in archive.namelist():
        with open_member(archive, _STYLES) as stream:
            xml += stream.read(_BLOCK_BYTES).decode(errors="replace")
    formats = {
        _attributes(attributes.encode()).get("style:name", "")
        for kind, attributes, content in _DATA_STYLE.findall(xml)
        if kind == "number" and "<number:number" in content and not _GENERAL.fullmatch(content)
    }
    tags = (_attributes(tag.encode()) for tag in _CELL_STYLE.findall(xml))
    return {tag.get("style:name", "") for tag in tags if tag.get("style:data-style-name") in formats}
