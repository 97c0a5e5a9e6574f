"""Files of other programs, opened as the window does: LibreOffice, pandas, polars, and what people type."""

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

from batchwright.base.json_values import Json
from batchwright.data_files.reader import rows
from batchwright.schema.record_validator import RecordError
from batchwright.ui.data.file.data_file import FileState
from batchwright.ui.data.state import DataState
from tests.data_files.conversion.test_convert import workbook
from tests.data_files.sources.test_spreadsheets import FILES
from tests.ui.conftest import until
from tests.ui.data.conftest import checked

Records = Sequence[Mapping[str, Json]]

SURVEY: Records = [
    {
        "id": "00007",
        "question": "どちらが良いですか",
        "answer": "左、または「右」",
        "price": "1,234.50",
        "when": "2023-03-15 12:00",
    },
    {
        "id": "00008",
        "question": "複数行\nの質問",
        "answer": "NA",
        "price": "-0.25",
        "when": "2023-03-16 00:00",
    },
    {
        "id": "12345678901234567890",
        "question": '引用"符"',
        "answer": "",
        "price": "1,000,000.00",
        "when": "2023-03-17 06:00",
    },
]
FRAME = pd.DataFrame(
    {
        "id": ["007", "12345678901234567890", "NA"],
        "text": ["Größe, „ja“", 'say "no"\nor yes', "-"],
        "part": [0.5, 1234.25, -3.0],
    }
)
FRAME_RECORDS: Records = [
    {"id": "007", "text": "Größe, „ja“", "part": "0.5"},
    {"id": "12345678901234567890", "text": 'say "no"\nor yes', "part": "1234.25"},
    {"id": "NA", "text": "-", "part": "-3.0"},
]
JAPANESE = pd.DataFrame({"番号": ["007", "008"], "質問": ["猫は何匹いますか", "どちらが好きですか、理由も"]})


async def opened(data: DataState, path: Path) -> Records:
    """The records of a file that is opened in the window, with the names of its columns."""
    data.open_file(path)
    await checked(data)
    await until(lambda: not data.is_reading)
    summary = data.file.summary
    assert summary is not None
    records: list[Mapping[str, Json]] = []
    for entry in rows(summary.file.path, summary.file.format):
        content = entry.content
        assert not isinstance(content, RecordError)
        if isinstance(content, Mapping):
            records.append(content)
        else:
            assert isinstance(content, list)
            records.append(dict(zip(summary.columns, content, strict=True)))
    return records


@pytest.mark.parametrize("name", ["survey-shift-jis.csv", "survey-gb18030.csv", "survey-utf-16.csv"])
async def test_text_files_of_libreoffice(data: DataState, name: str) -> None:
    assert await opened(data, FILES / name) == SURVEY


async def test_decimal_commas_and_thousands_separators_stay(data: DataState) -> None:
    assert await opened(data, FILES / "survey-german.csv") == [
        {"id": "00007", "frage": "Was ist besser?", "preis": "1.234,50"},
        {"id": "00008", "frage": "„A“; oder B", "preis": "-0,25"},
        {"id": "12345678901234567890", "frage": "Größe", "preis": "1.000.000,00"},
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
async def test_text_files_of_pandas(data: DataState, tmp_path: Path, encoding: str, delimiter: str) -> None:
    path = tmp_path / "table.csv"
    FRAME.to_csv(path, index=False, sep=delimiter, encoding=encoding)
    assert await opened(data, path) == FRAME_RECORDS


@pytest.mark.parametrize("encoding", ["shift_jis", "cp932", "gb18030"])
async def test_japanese_text_files_of_pandas(data: DataState, tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "table.csv"
    JAPANESE.to_csv(path, index=False, encoding=encoding)
    assert await opened(data, path) == JAPANESE.to_dict("records")


async def test_decimal_commas_of_pandas(data: DataState, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    FRAME.to_csv(path, index=False, sep=";", decimal=",", lineterminator="\r\n")
    assert [record["part"] for record in await opened(data, path)] == ["0,5", "1234,25", "-3,0"]


async def test_two_header_rows_of_pandas(data: DataState, tmp_path: Path) -> None:
    frame = pd.DataFrame([["ja", 1, "nein", 2]])
    frame.columns = pd.MultiIndex.from_product([["Model A", "Model B"], ["text", "score"]])
    path = tmp_path / "table.csv"
    frame.to_csv(path, index=False)
    data.open_file(path)
    await until(lambda: not data.is_reading)
    data.convert_with("header_rows", 2)
    names = ("Model A text", "Model A score", "Model B text", "Model B score")
    await until(lambda: data.file.summary is not None and data.file.summary.columns == names)
    await checked(data)
    await until(lambda: not data.is_reading)
    assert data.file.summary is not None
    assert data.file.summary.records == 1


POLARS = pl.DataFrame({"id": ["007", "NA"], "count": [12345678901234567890, 2], "text": ["Ja, „gut“", None]})
WRITERS: Mapping[str, Callable[[Path], object]] = {
    "table.csv": POLARS.write_csv,
    "table.parquet": POLARS.write_parquet,
    "table.arrow": POLARS.write_ipc,
    "table.jsonl": POLARS.write_ndjson,
    "table.json": POLARS.write_json,
    "table.xlsx": POLARS.with_columns(pl.col("count").cast(pl.String)).write_excel,
}


@pytest.mark.parametrize("name", WRITERS)
async def test_files_of_polars(data: DataState, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    WRITERS[name](path)
    first, second = await opened(data, path)
    assert (first["id"], second["id"]) == ("007", "NA")
    assert (str(first["count"]), str(second["count"])) == ("12345678901234567890", "2")
    assert first["text"] == "Ja, „gut“"
    assert not second.get("text")


@pytest.mark.parametrize("name", ["table.json", "table.jsonl"])
async def test_lone_surrogates_are_read_and_rejected_by_the_check(
    data: DataState, tmp_path: Path, name: str
) -> None:
    record = {"text": "half \ud800", "id": "1"}
    path = tmp_path / name
    content = json.dumps([record, {"text": "whole", "id": "2"}] if name.endswith(".json") else record)
    path.write_text(content + "\n", encoding="utf-8")
    first = (await opened(data, path))[0]
    assert json.dumps(first) == json.dumps(record)
    await until(lambda: bool(data.rejections))
    assert [rejection.line for rejection in data.rejections] == [1]


async def test_headings_that_are_empty_or_the_same(data: DataState, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("text,,text,id\na,b,c,1\n", encoding="utf-8")
    data.open_file(path)
    await checked(data)
    assert data.file.summary is not None
    assert data.file.summary.columns == ("text", "", "text", "id")
    sheet = workbook(tmp_path / "table.xlsx", [["text", "", "text", "id"], ["a", "b", "c", "1"]])
    assert await opened(data, sheet) == [{"text": "a", "column_2": "b", "text_2": "c", "id": "1"}]


async def test_as_many_columns_as_spreadsheets_have(data: DataState, tmp_path: Path) -> None:
    names = [f"c{number}" for number in range(16_384)]
    path = tmp_path / "wide.csv"
    path.write_text(f"{','.join(names)}\n{','.join(names)}\n", encoding="utf-8")
    assert await opened(data, path) == [dict(zip(names, names, strict=True))]


async def test_a_cell_of_ten_megabytes(data: DataState, tmp_path: Path) -> None:
    cell = "word " * 1_999_999
    path = tmp_path / "long.csv"
    path.write_text(f'text,id\n"{cell}",1\nshort,2\n', encoding="utf-8")
    assert await opened(data, path) == [{"text": cell, "id": "1"}, {"text": "short", "id": "2"}]


@pytest.mark.parametrize(
    ("name", "change", "what"),
    [
        ("password.xlsx", None, "protected by a password"),
        ("study.xlsx", 4000, "damaged"),
        ("study.ods", 9000, "damaged"),
        ("study.xls", 2000, "damaged"),
        ("study.xlsb", 9000, "damaged"),
    ],
)
async def test_spreadsheets_that_cannot_be_read_are_named(
    data: DataState, tmp_path: Path, name: str, change: int | None, what: str
) -> None:
    path = tmp_path / name
    path.write_bytes((FILES / name).read_bytes()[:change])
    data.open_file(path)
    await until(lambda: data.file.state is FileState.UNREADABLE)
    assert data.file.error is not None
    assert what in data.file.error.what
    assert data.file.error.remedy


async def test_days_from_1904_errors_and_dates_before_1900(data: DataState) -> None:
    assert [*islice(await opened(data, FILES / "days-from-1904.xlsx"), 2)] == [
        {"when": "2024-05-06 00:00:00"},
        {"when": "1904-01-02 12:00:00"},
    ]
    for name in ("study.xlsx", "study.xls", "study.xlsb", "study.ods"):
        records = await opened(data, FILES / name)
        assert records[1]["Model B share"] == "#N/A"
        assert records[2]["when"] == "1899-05-06 00:00:00"
