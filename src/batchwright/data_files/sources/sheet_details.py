"""What `python-calamine` leaves out of a sheet: how numbers are shown, errors, and what is hidden."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from batchwright.base.i18n import _, ngettext

WriteNumber = Callable[[float], str]


@dataclass
class RowDetails:
    """What is special in a row, by column counted from 0."""

    texts: dict[int, str] = field(default_factory=dict)
    """The texts of cells whose value is not what is shown."""
    formats: dict[int, WriteNumber] = field(default_factory=dict)
    """How numbers are written."""


@dataclass
class SheetDetails:
    """What is special in a sheet; the counts are complete when all rows were read."""

    rows: Iterator[tuple[int, RowDetails]]
    """The rows that have details, and some that have none, in order, with their numbers counted from 1."""
    hidden_rows: int = 0
    hidden_columns: int = 0
    errors: int = 0
    formulas_without_value: int = 0
    times_of_zero: int = 0
    """Cells of files without known details that are midnight, or a date before 1900."""
    are_known: bool = False
    """Whether the details of the file can be read."""

    def notes(self) -> list[str]:
        """Sentences about what may be a surprise in the table that was read."""
        rows, columns = self.hidden_rows, self.hidden_columns
        errors, formulas = self.errors, self.formulas_without_value
        hidden_row = ngettext(
            "{count} hidden row was read as well.", "{count} hidden rows were read as well.", rows
        )
        hidden_column = ngettext(
            "{count} hidden column was read as well.", "{count} hidden columns were read as well.", columns
        )
        error = ngettext(
            "{count} cell has an error such as #N/A, which was read as text.",
            "{count} cells have errors such as #N/A, which were read as text.",
            errors,
        )
        formula = ngettext(
            "{count} formula has no stored result, and was read as an empty cell: save the file in a"
            " spreadsheet program.",
            "{count} formulas have no stored result, and were read as empty cells: save the file in a"
            " spreadsheet program.",
            formulas,
        )
        zero = ngettext(
            "{count} cell was read as 00:00:00; in this type of file, it may be a date before 1900.",
            "{count} cells were read as 00:00:00; in this type of file, they may be dates before 1900.",
            self.times_of_zero,
        )
        counts = (
            (rows, hidden_row),
            (columns, hidden_column),
            (errors, error),
            (formulas, formula),
            (self.times_of_zero, zero),
        )
        counted = [text.format(count=count) for count, text in counts if count]
        if not self.are_known:
            counted.append(
                _(
                    "Numbers were read as they are stored, such as 0.5 for 50%, errors as empty cells, and"
                    " hidden rows and columns like all others. Save the file as .xlsx to read what is shown."
                )
            )
        return counted
