"""Converts numbers to other units, by a table that the researcher has confirmed and by nothing else."""

import csv
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.text_columns import TextColumn
from batchwright.base.i18n import _
from batchwright.base.plain_numbers import plain_number
from batchwright.data_files.rows import UnreadableFile


@dataclass(frozen=True)
class UnitConversion:
    """A number in `unit` is converted to `number * factor + offset` in the unit `to`."""

    unit: str
    to: str
    factor: float
    offset: float = 0.0


def read_conversions(path: Path) -> tuple[UnitConversion, ...]:
    """Read a CSV file with the columns `unit`, `to`, `factor`, and optionally `offset`.

    Raises:
        UnreadableFile: a row has no units, or no finite numbers, or a unit is in two rows.
        OSError: it cannot be opened.
    """
    remedy = _("Write one row per unit: unit, to, factor, and an offset if needed.")
    with path.open(encoding="utf-8-sig", newline="") as file:
        try:
            conversions = tuple(
                UnitConversion(
                    row["unit"],
                    row["to"],
                    plain_number(row["factor"]),
                    plain_number(row.get("offset") or "0"),
                )
                for row in csv.DictReader(file)
            )
        except (csv.Error, KeyError, TypeError, ValueError) as error:
            raise UnreadableFile(str(error), remedy) from None
    numbers = [number for one in conversions for number in (one.factor, one.offset)]
    units = [one.unit for one in conversions]
    if not all(map(math.isfinite, numbers)) or len(set(units)) < len(units) or not all(units):
        raise UnreadableFile(_("The table of units is not valid."), remedy)
    return conversions


def converted(table: AnswerTable, conversions: Sequence[UnitConversion]) -> AnswerTable:
    """The table with numbers and units converted, each at most once; values stay as given."""
    if not conversions:
        return table
    same = list(map(_conversion_of(conversions), table.units.values))
    places = {name: place for place, name in enumerate(dict.fromkeys(one.to for one in same))}
    codes = table.units.codes
    factors, offsets = np.array([(one.factor, one.offset) for one in same] + [(1.0, 0.0)]).T
    new_codes = np.array([places[one.to] for one in same] + [-1], dtype=np.int32)
    return replace(
        table,
        numbers=table.numbers * factors[codes] + offsets[codes],
        units=TextColumn(new_codes[codes], tuple(places)),
    )


def converted_number(number: float, unit: str, conversions: Sequence[UnitConversion]) -> tuple[float, str]:
    """A number and its unit, converted like those of a table."""
    found = _conversion_of(conversions)(unit)
    return number * found.factor + found.offset, found.to


def _conversion_of(conversions: Sequence[UnitConversion]) -> Callable[[str], UnitConversion]:
    """The function of a unit that returns its conversion; units without one stay as they are."""
    by_unit = {one.unit: one for one in conversions}
    return lambda unit: by_unit.get(unit, UnitConversion(unit, unit, 1.0))
