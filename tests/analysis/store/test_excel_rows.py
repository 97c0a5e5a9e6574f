"""Answers in Excel workbooks: of “Save results”, of spreadsheet programs, and damaged ones."""

import zipfile
from pathlib import Path

import pytest
import xlsxwriter

from batchwright.analysis.output.excel import write_excel
from batchwright.analysis.store.answer_files import read_saved_answers
from batchwright.data_files.rows import UnreadableFile

HEADER = ("participant", "task", "question", "value")


def values(path: Path) -> list[str]:
    return read_saved_answers(path).store.table().values.texts()


def test_rows_that_continue_on_further_sheets_are_read(tmp_path: Path) -> None:
    rows = [("p", f"t{number}", "q", f"Text {number}") for number in range(7)]
    wide = ("answers wide", ("participant", "q1"), [("p", 1)])
    write_excel(tmp_path / "a.xlsx", [("answers", HEADER, rows), wide], max_rows=3)
    assert values(tmp_path / "a.xlsx") == [f"Text {number}" for number in range(7)]


def test_a_workbook_with_shared_texts_numbers_and_empty_cells_is_read(tmp_path: Path) -> None:
    with xlsxwriter.Workbook(tmp_path / "a.xlsx") as workbook:
        workbook.add_worksheet("Notes").write_row(0, 0, ("Nothing", "here"))
        sheet = workbook.add_worksheet("Ratings")
        sheet.write_row(0, 0, ("task", "Remarks", "participant", "question", "value"))
        sheet.write_row(1, 0, (1, "fine", "ann", "q", 2.5))
        sheet.write_row(2, 0, (2, None, "ben", "q", True))
        sheet.write_rich_string(3, 4, "is ", workbook.add_format({"bold": True}), "very", " good")
        sheet.write_row(3, 2, ("ann", "q"))
        sheet.write_row(4, 2, ("ben", "q", "a\x01_x0001_"))
    table = read_saved_answers(tmp_path / "a.xlsx").store.table()
    assert table.values.texts() == ["2.5", "true", "is very good", "a\x01_x0001_"]
    assert table.tasks.texts() == ["1", "2", "", ""]
    assert table.participants.texts() == ["ann", "ben", "ann", "ben"]


def replaced(path: Path, name: str, old: bytes, new: bytes) -> Path:
    """A copy of a workbook with other bytes in one of its files."""
    changed = path.with_name("changed.xlsx")
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(changed, "w") as target:
        for item in source.namelist():
            content = source.read(item)
            target.writestr(item, content.replace(old, new) if item == name else content)
    return changed


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"</sheetData>", b""),
        (b'r="A2"', b'r="2"'),
    ],
)
def test_a_damaged_workbook_is_reported(tmp_path: Path, old: bytes, new: bytes) -> None:
    path = tmp_path / "a.xlsx"
    write_excel(path, [("answers", HEADER, [("p", "t", "q", "a")])])
    with pytest.raises(UnreadableFile, match="damaged"):
        read_saved_answers(replaced(path, "xl/worksheets/sheet1.xml", old, new))


def test_entities_of_a_document_type_are_not_expanded(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    write_excel(path, [("answers", HEADER, [("p", "t", "q", "hello")])])
    laughs = b"".join(b'<!ENTITY a%d "%s">' % (n + 1, b"&a%d;" % n * 10) for n in range(20))
    document_type = b'<!DOCTYPE x [<!ENTITY a0 "ha">' + laughs + b"]><worksheet"
    changed = replaced(path, "xl/worksheets/sheet1.xml", b"<worksheet", document_type)
    assert values(replaced(changed.replace(path), "xl/worksheets/sheet1.xml", b"hello", b"&amp;a20;")) == [
        "&a20;"
    ]


def test_a_workbook_that_decompresses_to_far_too_much_is_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    write_excel(path, [("answers", HEADER, [("p", "t", "q", "hello")])])
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/bomb.xml", b" " * (101 << 20))
    with pytest.raises(UnreadableFile, match="far too much"):
        read_saved_answers(path)


def test_an_old_workbook_or_one_without_answers_is_reported(tmp_path: Path) -> None:
    write_excel(tmp_path / "a.xlsx", [("answers", ("name", "age"), [("Ann", 7)])])
    (tmp_path / "b.xls").write_bytes(b"\xd0\xcf\x11\xe0" + "Workbook".encode("utf-16-le"))
    for path in (tmp_path / "a.xlsx", tmp_path / "b.xls"):
        with pytest.raises(UnreadableFile) as caught:
            read_saved_answers(path)
        assert caught.value.remedy


def test_a_damaged_parquet_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(b"PAR1\x15" + b"\0" * 100 + b"PAR1")
    with pytest.raises(UnreadableFile, match="Parquet"):
        read_saved_answers(tmp_path / "a.parquet")
