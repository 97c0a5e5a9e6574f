"""The files of an analysis. They contain neither the time nor the place of their creation."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, partial
from importlib.metadata import version
from pathlib import Path

from batchwright.analysis.analyse import Analysis
from batchwright.analysis.charts import Chart
from batchwright.analysis.output.figures import figures
from batchwright.analysis.output.file_columns import (
    CodebookRow,
    FileColumn,
    WideColumn,
    codebook_rows,
    long_columns,
    wide_columns,
)
from batchwright.analysis.output.preference_pairs import PairFields, TieRule, preference_pairs
from batchwright.analysis.output.report import report
from batchwright.analysis.output.text_files import write_csv, write_json, write_jsonl, write_objects
from batchwright.analysis.result_tables import ResultTable, result_table
from batchwright.analysis.statistics.comparisons import comparison_questions
from batchwright.analysis.store.text_columns import UnusableField
from batchwright.base.i18n import _
from batchwright.base.json_values import JsonObject

_LIBRARIES = ("numpy", "duckdb", "pandas", "pyreadstat", "xlsxwriter")
"""The libraries that compute results or write files."""
_REPORTED_ROWS = 1000

OnRows = Callable[[int], object]
"""Called with the number of rows of answers written since the last call; raises to end the work."""


class OutputKind(StrEnum):
    """What can be written."""

    REPORT = "report"
    TABLES = "tables"
    """Every result as CSV, and all in one JSON file."""
    FIGURES = "figures"
    """The figures as SVG, and as PNG if that is possible."""
    CODEBOOK = "codebook"
    LABELS = "labels"
    """One aggregated label per record and question, with the fields of the record."""
    PAIRS = "pairs"
    """Preference pairs."""
    CSV = "csv"
    """The answers in two files: one row per entry of an answer, and one row per participant and task."""
    JSONL = "jsonl"
    PARQUET = "parquet"
    XLSX = "xlsx"
    SAV = "sav"


ANSWER_FORMATS = (OutputKind.CSV, OutputKind.JSONL, OutputKind.PARQUET, OutputKind.XLSX, OutputKind.SAV)
"""The formats of files with answers."""


@dataclass(frozen=True)
class OutputChoices:
    """What is written, and how."""

    kinds: Set[OutputKind]
    pair_fields: PairFields | None = None
    """Required for preference pairs."""
    tie_rule: TieRule = TieRule.DROP
    is_spreadsheet_safe: bool = True
    """Whether texts in CSV files that a spreadsheet program may run as a formula get an apostrophe."""
    study: str = ""
    """What the answers are about, for the title of the report."""
    picture: Callable[[Chart], bytes] | None = None
    """Paints a figure as PNG; without it, figures are written as SVG only."""


@dataclass(frozen=True)
class OutputFile:
    """A file: its name, and the function that writes it to a path."""

    name: str
    write: Callable[[Path], None]


def output_files(
    analysis: Analysis, choices: OutputChoices, on_rows: OnRows = lambda _count: None
) -> list[OutputFile]:
    """Return the files in the order in which they are written.

    `on_rows` is called every thousand rows of answers, and with 0 before a picture.

    Raises:
        UnusableField: a field of the preference pairs is missing; the message is its name.
    """
    fields = choices.pair_fields
    if OutputKind.PAIRS in choices.kinds and fields is not None:
        for name in (fields.prompt, fields.left, fields.right):
            if name not in analysis.table.fields:
                raise UnusableField(name)
    source = _Source(analysis, choices, on_rows)
    return [file for kind in OutputKind if kind in choices.kinds for file in _FILES[kind](source)]


@dataclass(frozen=True, eq=False)
class _Source:
    """What the files are written from; columns are computed when the first file needs them."""

    analysis: Analysis
    choices: OutputChoices
    on_rows: OnRows

    @cached_property
    def reasons(self) -> list[str]:
        """The reason of exclusion of each answer."""
        return self.analysis.settings.exclusions.reasons(self.analysis.table)

    @cached_property
    def long(self) -> list[FileColumn]:
        return long_columns(self.analysis.answers, self.reasons)

    @cached_property
    def wide(self) -> list[WideColumn]:
        return wide_columns(self.analysis.table, self.reasons)

    @cached_property
    def codebook(self) -> ResultTable:
        return result_table("codebook", _("Codebook"), CodebookRow, list(codebook_rows(self.wide)))

    def rows(self, columns: Sequence[FileColumn]) -> Iterator[tuple[object, ...]]:
        """Yield the rows of columns."""
        rows = zip(*(column.values for column in columns), strict=True)
        for number, row in enumerate(rows):
            if number % _REPORTED_ROWS == 0:
                self.on_rows(_REPORTED_ROWS if number else 0)
            yield row

    def csv_file(self, table: ResultTable) -> OutputFile:
        """Return the file of a table, with the number of excluded answers in the last column."""
        excluded = excluded_count(self.analysis)
        rows = ((*row, excluded) for row in table.rows)

        def write(path: Path) -> None:
            header = (*table.columns, "answers_excluded")
            write_csv(path, header, rows, is_spreadsheet_safe=self.choices.is_spreadsheet_safe)

        return OutputFile(f"{table.name}.csv", write)


def _report_files(source: _Source) -> Iterator[OutputFile]:
    yield OutputFile(
        "report.html",
        lambda path: _write_text(path, report(source.analysis, versions(), source.choices.study)),
    )


def _table_files(source: _Source) -> Iterator[OutputFile]:
    results = as_json(source.analysis)
    yield OutputFile("results.json", lambda path: write_json(path, results))
    yield from map(source.csv_file, source.analysis.results)


def _figure_files(source: _Source) -> Iterator[OutputFile]:
    for figure in figures(source.analysis):
        yield OutputFile(f"{figure.name}.svg", partial(_write_text, text=figure.svg))
        if source.choices.picture is not None:
            yield OutputFile(f"{figure.name}.png", partial(_write_picture, source, figure.captioned))


def _codebook_files(source: _Source) -> Iterator[OutputFile]:
    def write(path: Path) -> None:
        source.csv_file(source.codebook).write(path)

    yield OutputFile("codebook.csv", write)


def _label_files(source: _Source) -> Iterator[OutputFile]:
    if source.analysis.table.is_survey:
        return  # there are no records
    yield OutputFile("labels.jsonl", lambda path: write_objects(path, labelled_records(source.analysis)))


def _pair_files(source: _Source) -> Iterator[OutputFile]:
    fields = source.choices.pair_fields
    if fields is not None:
        pairs = all_pairs(source.analysis, fields, source.choices.tie_rule)
        yield OutputFile("preference-pairs.jsonl", lambda path: write_objects(path, pairs))


def _csv_files(source: _Source) -> Iterator[OutputFile]:
    is_safe = source.choices.is_spreadsheet_safe

    def write(columns: Sequence[FileColumn], path: Path) -> None:
        write_csv(path, _names(columns), source.rows(columns), is_spreadsheet_safe=is_safe)

    yield OutputFile("answers-long.csv", lambda path: write(source.long, path))
    yield OutputFile("answers-wide.csv", lambda path: write(list(map(_for_people, source.wide)), path))
    if OutputKind.CODEBOOK not in source.choices.kinds:
        yield from _codebook_files(source)


def _for_people(column: WideColumn) -> FileColumn:
    """Return a column with its heading, whose codes are written as in the codebook: `1` instead of `1.0`."""
    codes = {value: int(value) for value in column.value_labels if value.is_integer()}
    values = [codes.get(value, value) for value in column.values] if codes else column.values
    return FileColumn(column.heading, values, column.is_number)


def _jsonl_files(source: _Source) -> Iterator[OutputFile]:
    yield OutputFile(
        "answers.jsonl", lambda path: write_jsonl(path, _names(source.long), source.rows(source.long))
    )


def _parquet_files(source: _Source) -> Iterator[OutputFile]:
    def write(path: Path) -> None:
        from batchwright.analysis.output.parquet import write_parquet

        write_parquet(path, source.long)

    yield OutputFile("answers.parquet", write)


def _excel_files(source: _Source) -> Iterator[OutputFile]:
    def write(path: Path) -> None:
        from batchwright.analysis.output.excel import write_excel

        tables = (source.codebook, *source.analysis.results)
        answers = (("answers", source.long), ("answers wide", list(map(_for_people, source.wide))))
        write_excel(
            path,
            [
                *((name, _names(columns), source.rows(columns)) for name, columns in answers),
                *((table.name, table.columns, table.rows) for table in tables),
            ],
        )

    yield OutputFile("answers.xlsx", write)


def _sav_files(source: _Source) -> Iterator[OutputFile]:
    def write(path: Path) -> None:
        from batchwright.analysis.output.spss import write_sav

        write_sav(path, source.wide)

    yield OutputFile("answers.sav", write)


_FILES: Mapping[OutputKind, Callable[[_Source], Iterator[OutputFile]]] = {
    OutputKind.REPORT: _report_files,
    OutputKind.TABLES: _table_files,
    OutputKind.FIGURES: _figure_files,
    OutputKind.CODEBOOK: _codebook_files,
    OutputKind.LABELS: _label_files,
    OutputKind.PAIRS: _pair_files,
    OutputKind.CSV: _csv_files,
    OutputKind.JSONL: _jsonl_files,
    OutputKind.PARQUET: _parquet_files,
    OutputKind.XLSX: _excel_files,
    OutputKind.SAV: _sav_files,
}


def all_pairs(analysis: Analysis, fields: PairFields, rule: TieRule) -> Iterator[JsonObject]:
    """Yield the preference pairs of all comparisons, without excluded answers.

    Raises:
        UnusableField: a field is missing; the message is its name.
    """
    included = analysis.settings.exclusions.included(analysis.table)
    for question in comparison_questions(included):
        for pair in preference_pairs(included, question, fields, rule, analysis.settings.seed):
            yield {**pair, "answers_excluded": excluded_count(analysis)}


def labelled_records(analysis: Analysis) -> Iterator[JsonObject]:
    """Yield each aggregated label with the fields of its record; missing values are omitted."""
    table = analysis.table
    task_codes = {task: code for code, task in enumerate(table.tasks.values)}
    titles = {question.id: question.title for question in table.questions}
    labels = next((result for result in analysis.results if result.name == "labels"), None)
    if labels is None:
        return
    for row in labels.rows:
        values = dict(zip(labels.columns, row, strict=True))
        code = task_codes[str(values["task"])]
        record = {name: column[code] for name, column in table.fields.items() if column.codes[code] >= 0}
        present = {name: value for name, value in values.items() if value not in (None, "")}
        more: JsonObject = {"question_text": titles[str(values["question"])], "record": record}
        yield {**present, **more, "answers_excluded": excluded_count(analysis)}


def as_json(analysis: Analysis) -> JsonObject:
    """Return all results as JSON, with the exclusions, the seed and the versions that produced them."""
    return {
        "answers": len(analysis.table),
        "answers_excluded": excluded_count(analysis),
        "seed": analysis.settings.seed,
        "versions": versions(),
        "results": {table.name: table.as_json() for table in analysis.results},
    }


def excluded_count(analysis: Analysis) -> int:
    """Return how many answers the results leave out."""
    return len(analysis.table) - analysis.included


def versions() -> dict[str, str]:
    """Return the versions of the program and of the libraries that compute or write files."""
    return {name: version(name) for name in ("batchwright", *_LIBRARIES)}


def _names(columns: Sequence[FileColumn]) -> list[str]:
    return [column.name for column in columns]


def _write_picture(source: _Source, chart: Chart, path: Path) -> None:
    source.on_rows(0)
    if source.choices.picture is not None:
        path.write_bytes(source.choices.picture(chart))


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="")
