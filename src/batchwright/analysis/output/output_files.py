"""The files of an analysis. They contain neither the time nor the place of their creation."""

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.metadata import version
from itertools import chain
from pathlib import Path

from batchwright.analysis.analyse import Analysis
from batchwright.analysis.charts import Chart
from batchwright.analysis.output.file_columns import (
    CodebookRow,
    ColumnType,
    FileColumn,
    WideColumn,
    codebook_rows,
    long_columns,
    wide_columns,
)
from batchwright.analysis.output.output_kinds import LIBRARIES, READING_CODE, OutputKind
from batchwright.analysis.output.pair_fields import PairFields, TieRule
from batchwright.analysis.output.text_files import write_csv
from batchwright.analysis.prepared_answers import in_roles
from batchwright.analysis.result_tables import ResultTable, result_table
from batchwright.base.i18n import _

_REPORTED_ROWS = 1000

OnRows = Callable[[int], object]
"""Called with the number of rows of answers written since the last call; raises to end the work."""


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
    design: str = ""
    """How the records were prepared, for the report, if the steps are known."""
    picture: Callable[[Chart], bytes] | None = None
    """Paints a figure as PNG; without it, figures are written as SVG only."""


@dataclass(frozen=True)
class OutputFile:
    """A file: its name, and the function that writes it to a path."""

    name: str
    write: Callable[[Path], None]
    note: str = ""
    """What people should know about it when it is written."""


def output_files(
    analysis: Analysis, choices: OutputChoices, on_rows: OnRows = lambda _count: None
) -> list[OutputFile]:
    """The files in the order in which they are written.

    `on_rows` is called every thousand rows of answers, and with 0 before a picture.

    Raises:
        UnusableField: a field of the preference pairs is missing; the message is its name.
    """
    source = OutputSource(analysis, choices, on_rows)
    modules = [*(kind.module for kind in OutputKind if kind in choices.kinds), READING_CODE]
    return [file for module in modules for file in _files_of(module, source)]


def _files_of(module: str, source: "OutputSource") -> Iterator[OutputFile]:
    files: Iterator[OutputFile] = import_module(f"{__package__}.{module}").files(source)
    return files


@dataclass(frozen=True, eq=False)
class OutputSource:
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
        """The columns with a row per entry of an answer."""
        return long_columns(self.analysis.answers, self.reasons, self.analysis.settings.final_answers)

    @cached_property
    def wide(self) -> list[WideColumn]:
        """The columns with a row per participant and task."""
        table = in_roles(self.analysis.answers, self.analysis.settings)
        return wide_columns(table, self.reasons, self.analysis.settings.final_answers)

    @cached_property
    def wide_with_headings(self) -> list[FileColumn]:
        """The wide columns for people."""
        return [column.for_people() for column in self.wide]

    @cached_property
    def codebook(self) -> ResultTable:
        """What the wide columns and their codes stand for."""
        return result_table("codebook", _("Codebook"), CodebookRow, list(codebook_rows(self.wide)))

    def rows(self, columns: Sequence[FileColumn]) -> Iterator[tuple[object, ...]]:
        """Yield the rows of columns."""
        rows = zip(*(column.values for column in columns), strict=True)
        for number, row in enumerate(rows):
            if number % _REPORTED_ROWS == 0:
                self.on_rows(_REPORTED_ROWS if number else 0)
            yield row

    def csv_file(self, table: ResultTable) -> OutputFile:
        """The file of a table, with the number of excluded answers in the last column."""
        excluded = self.analysis.excluded
        rows = ((*row, excluded) for row in table.rows)

        def write(path: Path) -> None:
            header = (*table.columns, "answers_excluded")
            write_csv(path, header, rows, is_spreadsheet_safe=self.choices.is_spreadsheet_safe)

        return OutputFile(f"{table.name}.csv", write)

    def write_picture(self, chart: Chart, path: Path) -> None:
        """Write a figure as PNG."""
        self.on_rows(0)
        if self.choices.picture is not None:
            path.write_bytes(self.choices.picture(chart))


def count_texts(columns: Iterable[FileColumn], condition: Callable[[str], bool]) -> int:
    """How many different texts in columns meet a condition."""
    values = chain.from_iterable({*of.values} for of in columns if of.type is ColumnType.TEXT)
    return len({value for value in values if isinstance(value, str) and condition(value)})


def versions() -> dict[str, str]:
    """The versions of the program and of the libraries that compute or write files."""
    return {name: version(name) for name in ("batchwright", *LIBRARIES)}
