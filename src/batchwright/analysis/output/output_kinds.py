"""What can be saved of an analysis: a row for each kind, read by the command line, the dialog and the build.

It imports nothing, because the command line reads it before any command.
"""

from enum import Enum, StrEnum, auto

from batchwright.base.i18n import N_


class OutputGroup(Enum):
    """What files are about."""

    RESULTS = auto()
    RECORDS = auto()
    ANSWERS = auto()
    """The answers, each kind in another format."""


class OutputKind(StrEnum):
    """A kind of files: its name on the command line, label, group, module and the libraries that write it.

    The module is in this package. It has a function `files`, which yields the files to write from an
    `OutputSource`.
    """

    label: str
    """To be translated."""
    group: OutputGroup
    module: str
    libraries: tuple[str, ...]

    def __new__(cls, name: str, label: str, group: OutputGroup, module: str, *libraries: str) -> "OutputKind":
        """Create a member from its row."""
        kind = str.__new__(cls, name)
        kind._value_ = name
        kind.label, kind.group, kind.module, kind.libraries = label, group, module, libraries
        return kind

    REPORT = "report", N_("Report to read and print (HTML)"), OutputGroup.RESULTS, "report"
    TABLES = "tables", N_("All tables (CSV, JSON)"), OutputGroup.RESULTS, "tables"
    FIGURES = "figures", N_("Figures (SVG, PNG)"), OutputGroup.RESULTS, "figures"
    CODEBOOK = "codebook", N_("Codebook (CSV)"), OutputGroup.RESULTS, "codebook"
    LABELS = "labels", N_("One label per record (JSON lines)"), OutputGroup.RECORDS, "labelled_records"
    PAIRS = "pairs", N_("Preference pairs (JSON lines)"), OutputGroup.RECORDS, "preference_pairs"
    CSV = "csv", N_("CSV, long and wide"), OutputGroup.ANSWERS, "answers_csv"
    XLSX = "xlsx", N_("Excel"), OutputGroup.ANSWERS, "excel", "xlsxwriter"
    SAV = "sav", N_("SPSS (.sav)"), OutputGroup.ANSWERS, "spss", "pandas", "pyreadstat"
    JSONL = "jsonl", N_("JSON lines"), OutputGroup.ANSWERS, "answers_jsonl"
    PARQUET = "parquet", N_("Parquet"), OutputGroup.ANSWERS, "parquet"

    @classmethod
    def of(cls, group: OutputGroup) -> "tuple[OutputKind, ...]":
        """The kinds of a group, in the order in which they are offered."""
        return tuple(kind for kind in cls if kind.group is group)


LIBRARIES = ("numpy", "duckdb", *sorted(library for kind in OutputKind for library in kind.libraries))
"""The libraries that compute results or write files."""

READING_CODE = "reading_code"
"""The module that writes the code which reads the answers, beside every file that it reads."""
