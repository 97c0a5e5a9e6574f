"""Writers of the same table in each kind of source, by other programs' libraries where there is one."""

import gzip
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

import pandas as pd
import polars as pl
import pyreadstat

from tests.data_files.conversion.test_convert import workbook

Values = Sequence[tuple[str, str]]
"""The values of the columns `prompt` and `model` of each record."""

COLUMNS = ("prompt", "model")
VALUES: Values = [
    ("“Wo?” – 日本", "007"),
    ("two\nlines", "12345678901234567890"),
    ("1+1=2", "NA"),
    ("more, and; more", "1.0"),
    (" \ttabs", "TRUE"),
    ("ما هو؟ 🙂", "1e5"),
]
"""Values that programs like to change: numbers as texts, quotation marks, line breaks, spaces, scripts."""


def frame(values: Values) -> pl.DataFrame:
    """The table as a data frame."""
    return pl.DataFrame(values, schema=list(COLUMNS), orient="row")


def csv_content(values: Values) -> bytes:
    """The table as CSV."""
    return frame(values).write_csv().encode()


def write_excel_csv(path: Path, values: Values) -> None:
    """Write CSV whose first line names its delimiter."""
    path.write_bytes(b"sep=;\r\n" + frame(values).write_csv(separator=";").encode())


def write_json(path: Path, values: Values) -> None:
    """Write the records as an array inside of an object."""
    items = [dict(zip(COLUMNS, pair, strict=True)) for pair in values]
    path.write_text(json.dumps({"data": {"items": items}}), encoding="utf-8")


def write_lines(path: Path, values: Values) -> None:
    """Write a JSON object on each line."""
    lines = (json.dumps(dict(zip(COLUMNS, pair, strict=True))) for pair in values)
    path.write_text("\n".join(lines), encoding="utf-8")


def write_zip(path: Path, values: Values) -> None:
    """Write a CSV file in an archive, beside a text about it."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("read me.txt", "The data of our study.")
        archive.writestr("data/table.csv", csv_content(values))


_ODS = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.3">'
    "<office:body><office:spreadsheet>{sheet}</office:spreadsheet></office:body></office:document-content>"
)

_MANIFEST = (
    '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
    '<manifest:file-entry manifest:full-path="/" '
    'manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/>'
    '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>'
    "</manifest:manifest>"
)


def write_ods(path: Path, values: Values) -> None:
    """Write a sheet of texts: a paragraph for each line, and elements for spaces and tabs."""

    def cell(text: str) -> str:
        marked = escape(text).replace(" ", "<text:s/>").replace("\t", "<text:tab/>")
        lines = "".join(f"<text:p>{line}</text:p>" for line in marked.split("\n"))
        return f'<table:table-cell office:value-type="string">{lines}</table:table-cell>'

    rows = "".join(
        f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in (COLUMNS, *values)
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", _MANIFEST)
        sheet = f'<table:table table:name="Sheet1">{rows}</table:table>'
        archive.writestr("content.xml", _ODS.format(sheet=sheet))


WRITE: Mapping[str, Callable[[Path, Values], object]] = {
    "xlsx": lambda path, values: workbook(path, [list(COLUMNS), *map(list, values)]),
    "ods": write_ods,
    "csv": lambda path, values: path.write_bytes(csv_content(values)),
    "txt": write_excel_csv,
    "json": write_json,
    "jsonl": write_lines,
    "parquet": lambda path, values: frame(values).write_parquet(path),
    "arrow": lambda path, values: frame(values).write_ipc(path, compression="zstd"),
    "sav": lambda path, values: pyreadstat.write_sav(pd.DataFrame(values, columns=list(COLUMNS)), path),
    "csv.gz": lambda path, values: path.write_bytes(gzip.compress(csv_content(values))),
    "zip": write_zip,
}
"""The writers by the end of the file name."""
