"""Code that reads the saved answers in R and Python with the right types: `read.R` and `read.py`.

Without it, many programs take ids such as `007` for numbers, the answer `NA` for a missing value, and the
apostrophe in front of a formula for a part of the text.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from string import Template

from batchwright.analysis.output import answers_csv
from batchwright.analysis.output.file_columns import ColumnType
from batchwright.analysis.output.output_files import OutputFile, OutputSource
from batchwright.analysis.output.output_kinds import OutputKind
from batchwright.analysis.output.text_files import valid_text, write_text
from batchwright.data_files.spreadsheet_cells import PRECEDED, PRECEDED_NUMBER, safe_cell

_PYTHON = Template("""\
\"""Reads the answers that Batchwright saved in this folder, with pandas or with polars.

`with_pandas()` and `with_polars()` return a table for each file. Times are in UTC. An empty cell is a missing
value; every other one is a value, also the answer NA.
\"""

import csv
from pathlib import Path

FOLDER = Path(__file__).parent
NUMBERS = $numbers
TIMES = $times


def with_pandas():
    import pandas as pd

    tables = {}
    for name in NUMBERS:
        table = pd.read_csv(FOLDER / name, dtype="string", keep_default_na=False, na_values=[""])
        for column in table.columns:
            values = table[column]
            if column in NUMBERS[name]:
                table[column] = pd.to_numeric(values).astype("Float64")
            elif column in TIMES[name]:
                table[column] = pd.to_datetime(values, format="ISO8601", utc=True)
$pandas_cells\
        tables[name] = table
$pandas_files\
    return tables


def with_polars():
    import polars as pl

    tables = {}
    for name in NUMBERS:
        with (FOLDER / name).open(encoding="utf-8", newline="") as file:
            names = next(csv.reader(file))
        table = pl.read_csv(FOLDER / name, infer_schema=False, new_columns=names).with_columns(
            pl.col(NUMBERS[name]).cast(pl.Float64),
            pl.col(TIMES[name]).str.to_datetime("%Y-%m-%dT%H:%M:%S%.fZ", time_unit="ms", time_zone="UTC"),
        )
$polars_cells\
        tables[name] = table
$polars_files\
    return tables
""")
_PANDAS_CELLS = """\
            else:  # the apostrophe in front of a formula was added when the file was saved
                is_added = values.str.match($preceded) & ~values.str.fullmatch($number)
                table[column] = values.mask(is_added.fillna(False), values.str[1:])
"""
_POLARS_CELLS = """\
        text = pl.col(pl.String)  # the apostrophe in front of a formula was added when the file was saved
        is_added = text.str.contains($preceded) & ~text.str.contains("^" + $number + "$$")
        table = table.with_columns(pl.when(is_added).then(text.str.slice(1)).otherwise(text).name.keep())
"""
_R = Template("""\
# Reads the answers that Batchwright saved in this folder: source("read.R", chdir = TRUE) makes a table of
# each file. Times are in UTC. An empty cell is a missing value; all others are values, also the answer NA.
$csv$files""")
_R_CSV = Template("""\
library(readr)

read_answers <- function(file, numbers, times) {
  types <- c(
    list(.default = col_character()),
    setNames(rep(list(col_double()), length(numbers)), numbers),
    setNames(rep(list(col_datetime()), length(times)), times)
  )
  answers <- read_csv(file, na = "", trim_ws = FALSE, col_types = do.call(cols, types))
$cells\
  answers
}

""")
_R_CELLS = """\
  texts <- vapply(answers, is.character, logical(1))
  answers[texts] <- lapply(answers[texts], function(text) {
    # the apostrophe in front of a formula was added when the file was saved
    is_added <- grepl($preceded, text, perl = TRUE) & !grepl(paste0("^", $number, "\\\\z"), text, perl = TRUE)
    ifelse(is_added, substring(text, 2), text)
  })
"""
_PANDAS_FILES = {
    OutputKind.SAV: """\
    tables["answers.sav"] = pd.read_spss(FOLDER / "answers.sav", convert_categoricals=False)
"""
}
_POLARS_FILES = {
    OutputKind.PARQUET: '    tables["answers.parquet"] = pl.read_parquet(FOLDER / "answers.parquet")\n'
}
_R_FILES = {
    OutputKind.SAV: 'answers_sav <- haven::read_sav("answers.sav")\n',
    OutputKind.PARQUET: 'answers_parquet <- nanoparquet::read_parquet("answers.parquet")\n',
}


def files(source: OutputSource) -> Iterator[OutputFile]:
    """Yield the two files, if answers are saved in a format that they read."""
    if source.choices.kinds & {OutputKind.CSV, OutputKind.SAV, OutputKind.PARQUET}:
        yield OutputFile("read.R", lambda path: write_text(path, _r_code(source)))
        yield OutputFile("read.py", lambda path: write_text(path, _python_code(source)))


def _python_code(source: OutputSource) -> str:
    return _PYTHON.substitute(
        numbers=_literal(_names(source, ColumnType.NUMBER)),
        times=_literal(_names(source, ColumnType.TIME)),
        pandas_cells=_cells(_PANDAS_CELLS, source),
        polars_cells=_cells(_POLARS_CELLS, source),
        pandas_files=_lines(_PANDAS_FILES, source),
        polars_files=_lines(_POLARS_FILES, source),
    )


def _r_code(source: OutputSource) -> str:
    numbers, times = _names(source, ColumnType.NUMBER), _names(source, ColumnType.TIME)
    calls = (
        f"{name.removesuffix('.csv').replace('-', '_')} <- read_answers({_literal(name)}, "
        f"{_r_texts(numbers[name])}, {_r_texts(times[name])})\n"
        for name in numbers
    )
    csv = _R_CSV.substitute(cells=_cells(_R_CELLS, source)) if numbers else ""
    return _R.substitute(csv=csv, files="".join(calls) + _lines(_R_FILES, source))


def _names(source: OutputSource, type: ColumnType) -> dict[str, list[str]]:
    """The names of the columns of a type in each CSV file, as the file has them."""
    if OutputKind.CSV not in source.choices.kinds:
        return {}
    written = safe_cell if source.choices.is_spreadsheet_safe else str
    return {
        name: [written(valid_text(column.name)) for column in columns if column.type is type]
        for name, columns in answers_csv.tables(source).items()
    }


def _cells(template: str, source: OutputSource) -> str:
    """The lines that remove the apostrophes of a safe file, in ASCII; none for another file."""
    if not source.choices.is_spreadsheet_safe:
        return ""
    patterns = {"preceded": PRECEDED, "number": PRECEDED_NUMBER}
    return Template(template).substitute({name: json.dumps(text) for name, text in patterns.items()})


def _lines(lines: Mapping[OutputKind, str], source: OutputSource) -> str:
    return "".join(line for kind, line in lines.items() if kind in source.choices.kinds)


def _literal(value: str | Mapping[str, Sequence[str]]) -> str:
    """A text or names by file as Python writes them; a text is the same in R."""
    return json.dumps(value, ensure_ascii=False, indent=4)


def _r_texts(texts: Sequence[str]) -> str:
    return f"c({', '.join(map(_literal, texts))})"
