"""How fast a million records of sources are converted, compared with a bare loop that reads and encodes them;
how soon the first ones are there, and how much memory that needs.
"""

import csv
import gzip
import json
import sys
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import IO, cast

import duckdb
import pandas as pd
import polars as pl
import pyreadstat
import pytest
import xlsxwriter
from arro3.io import read_ipc
from python_calamine import CalamineWorkbook

from batchwright.base.json_texts.json_cursor import JsonCursor
from batchwright.data_files.conversion.conversion import Conversion
from batchwright.data_files.conversion.convert import FIRST_RECORDS, convert
from batchwright.data_files.process_job import Completed, ProcessJob
from batchwright.data_files.sources.registry import open_table
from batchwright.data_files.sources.source import SourceOptions
from tests.benchmarks.bare_loop import loop_seconds
from tests.benchmarks.conversion_memory import convert_and_weigh
from tests.figures import CheckFigure

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]

RECORDS = 1_000_000
MOST_BYTES = 150e6
"""The memory of a conversion, except of spreadsheets."""
MOST_LOOPS = 100
"""How many bare loops the first records may take: about 0.3 seconds."""


def table(records: int) -> pl.DataFrame:
    numbers = pl.Series("id", range(records))
    return pl.DataFrame([numbers]).with_columns(
        pl.format("Which answer is better, number {}?", pl.col("id")).alias("prompt"),
        pl.format("One answer, {}. One answer, {}.", pl.col("id"), pl.col("id")).alias("left"),
        pl.format("Another answer, {}. Another answer.", pl.col("id")).alias("right"),
    )


def rows_of(connection: duckdb.DuckDBPyConnection, query: str) -> Iterator[Mapping[str, object]]:
    connection.execute("SET threads = 1")
    connection.execute(query)
    names = [column[0] for column in connection.description or ()]
    while rows := connection.fetchmany(2048):
        for row in rows:
            yield dict(zip(names, row, strict=True))


def parquet_rows(path: Path) -> Iterator[Mapping[str, object]]:
    with duckdb.connect() as connection:
        yield from rows_of(connection, f"FROM read_parquet('{path}')")


def arrow_rows(path: Path) -> Iterator[Mapping[str, object]]:
    with duckdb.connect() as connection, path.open("rb") as stream:
        connection.register("source", read_ipc(stream))
        yield from rows_of(connection, "FROM source")


def json_rows(path: Path) -> Iterator[object]:
    with path.open("rb") as stream:
        for value, _text in JsonCursor(stream.read).array():
            yield value


def csv_gz_rows(path: Path) -> Iterator[object]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as stream:
        rows = csv.reader(stream)
        names = next(rows)
        for row in rows:
            yield dict(zip(names, row, strict=True))


def spss_rows(path: Path) -> Iterator[object]:
    for start in range(0, RECORDS, 50_000):
        columns, _metadata = pyreadstat.read_sav(
            path, output_format="dict", row_offset=start, row_limit=50_000
        )
        for row in zip(*columns.values(), strict=True):
            yield dict(zip(columns, row, strict=True))


def nested_rows(path: Path) -> Iterator[object]:
    with path.open(encoding="utf-8") as stream:
        for line in stream:
            record = json.loads(line)
            answers = record.pop("answers")
            yield {
                **record,
                "answers.left": answers["left"],
                "answers.right": answers["right"],
                "tags": "; ".join(record["tags"]),
            }


def workbook_rows(path: Path) -> Iterator[object]:
    rows = CalamineWorkbook.from_path(path).get_sheet_by_index(0).iter_rows()
    names = next(rows)
    for row in rows:
        yield dict(zip(names, row, strict=True))


def write_csv_gz(frame: pl.DataFrame, path: Path) -> None:
    with gzip.open(path, "wb", compresslevel=1) as stream:
        frame.write_csv(cast("IO[bytes]", stream))


def write_nested(frame: pl.DataFrame, path: Path) -> None:
    with path.open("w", encoding="utf-8") as stream:
        for row in frame.iter_rows(named=True):
            answers = {"left": row["left"], "right": row["right"]}
            record = {"id": row["id"], "prompt": row["prompt"], "answers": answers, "tags": ["a", "b"]}
            stream.write(json.dumps(record) + "\n")


def write_workbook(frame: pl.DataFrame, path: Path) -> None:
    with xlsxwriter.Workbook(path, {"constant_memory": True}) as book:
        sheet = book.add_worksheet()
        for number, row in enumerate([tuple(frame.columns), *frame.iter_rows()]):
            sheet.write_row(number, 0, row)


_OPENDOCUMENT = "application/vnd.oasis.opendocument.spreadsheet"
_NAMES = "urn:oasis:names:tc:opendocument:xmlns"


def write_opendocument(frame: pl.DataFrame, path: Path) -> None:
    names = "".join(f' xmlns:{name}="{_NAMES}:{name}:1.0"' for name in ("office", "table", "text"))
    manifest = f'<m:manifest xmlns:m="{_NAMES}:manifest:1.0"/>'
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("mimetype", _OPENDOCUMENT, zipfile.ZIP_STORED)
        archive.writestr("META-INF/manifest.xml", manifest)
        with archive.open("content.xml", "w", force_zip64=True) as out:
            out.write(f"<office:document-content{names}><office:body><office:spreadsheet>".encode())
            out.write(b'<table:table table:name="Data">')
            for row in (frame.columns, *frame.iter_rows()):
                out.write(
                    f"<table:table-row>{''.join(map(opendocument_cell, row))}</table:table-row>".encode()
                )
            out.write(b"</table:table></office:spreadsheet></office:body></office:document-content>")


def opendocument_cell(value: object) -> str:
    kind = 'string"' if isinstance(value, str) else f'float" office:value="{value}"'
    return f'<table:table-cell office:value-type="{kind}><text:p>{value}</text:p></table:table-cell>'


Write = Callable[[pl.DataFrame, Path], object]
SOURCES: dict[str, tuple[Callable[[Path], Iterator[object]], Write]] = {
    "parquet": (parquet_rows, lambda frame, path: frame.write_parquet(path)),
    "arrow": (
        arrow_rows,
        lambda frame, path: frame.write_ipc(path, compression="zstd", record_batch_size=50_000),
    ),
    "json": (json_rows, lambda frame, path: frame.write_json(path)),
    "csv.gz": (csv_gz_rows, write_csv_gz),
    "sav": (
        spss_rows,
        lambda frame, path: pyreadstat.write_sav(pd.DataFrame(frame.to_dict(as_series=False)), path),
    ),
    "jsonl": (nested_rows, write_nested),
    "xlsx": (workbook_rows, write_workbook),
    "ods": (workbook_rows, write_opendocument),
}
WORKBOOKS = ("xlsx", "ods")
"""Sheets that are in memory as a whole."""
OPENDOCUMENT_LIMITS = 2, 1.5
"""What converting and the first records may take: the XML is searched for what the library leaves out."""


@pytest.fixture(scope="module")
def source(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A million records in the type of file that the test needs."""
    kind: str = request.param
    path: Path = tmp_path_factory.mktemp("million") / f"table.{kind}"
    _read, write = SOURCES[kind]
    write(table(RECORDS), path)
    yield path
    path.unlink()


def kind_of(path: Path) -> str:
    return path.name.partition(".")[2]


@pytest.mark.parametrize("source", SOURCES, indirect=True)
def test_converting_costs_little_more_than_reading_and_encoding(
    source: Path, tmp_path: Path, figure: CheckFigure
) -> None:
    read, _write = SOURCES[kind_of(source)]

    def measure() -> tuple[float, float]:
        started = time.process_time()
        with (tmp_path / "bare").open("wb") as out:
            for row in read(source):
                out.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
        bare_seconds, started = time.process_time() - started, time.process_time()
        result = convert(source, Conversion(), tmp_path / "converted", lambda _message: None)
        assert result.records == RECORDS
        return time.process_time() - started, bare_seconds

    work = f"converting a million records of {kind_of(source)}, to a bare loop"
    limit = OPENDOCUMENT_LIMITS[0] if kind_of(source) == "ods" else 1.5
    figure(work, measure, limit, runs=3 if kind_of(source) == "jsonl" else 1)


def first_records(path: Path) -> float:
    """The CPU seconds until the first records are read."""
    started = time.process_time()
    with open_table(path, SourceOptions()) as opened:
        assert len(list(islice(opened.rows, FIRST_RECORDS))) == FIRST_RECORDS
        return time.process_time() - started


@pytest.mark.parametrize("source", [kind for kind in SOURCES if kind not in WORKBOOKS], indirect=True)
def test_the_first_records_are_there_at_once(source: Path, figure: CheckFigure) -> None:
    first_records(source)  # imports the libraries

    def measure() -> tuple[float, float]:
        return first_records(source), min(loop_seconds() for _run in range(5))

    work = f"the first of a million records of {kind_of(source)}, to a bare loop"
    figure(work, measure, MOST_LOOPS)


@pytest.mark.parametrize("source", WORKBOOKS, indirect=True)
def test_the_first_records_of_a_workbook_are_there_when_the_library_has_read_it(
    source: Path, figure: CheckFigure
) -> None:
    def measure() -> tuple[float, float]:
        started = time.process_time()
        CalamineWorkbook.from_path(source).get_sheet_by_index(0)
        library_seconds = time.process_time() - started
        return first_records(source), library_seconds

    limit = OPENDOCUMENT_LIMITS[1] if kind_of(source) == "ods" else 1.2
    figure(f"the first of a million records of {kind_of(source)}, to the library", measure, limit, runs=3)


@pytest.mark.skipif(sys.platform != "linux", reason="the peak of a process's memory is read from /proc")
@pytest.mark.parametrize("source", [kind for kind in SOURCES if kind not in WORKBOOKS], indirect=True)
def test_converting_needs_little_memory(source: Path, tmp_path: Path, figure: CheckFigure) -> None:
    def measure() -> tuple[float, float]:
        (last,) = ProcessJob(convert_and_weigh, source, tmp_path / "converted").messages()
        assert isinstance(last, Completed)
        records, weight = last.result
        assert records == RECORDS
        return weight, MOST_BYTES

    work = f"memory of converting a million records of {kind_of(source)}, to 150 MB"
    figure(work, measure, 1, runs=1, unit="B")
