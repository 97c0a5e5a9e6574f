"""Sets of items of which participants choose the best and the worst."""

from collections.abc import Mapping
from dataclasses import dataclass
from string import ascii_lowercase
from typing import ClassVar

import numpy as np
from typing_extensions import override

from batchwright.base.i18n import N_, _, ngettext
from batchwright.prepare.columns import NumberTexts
from batchwright.prepare.designs.item_sets import item_sets, set_balance, with_balanced_places
from batchwright.prepare.problems import StepProblem
from batchwright.prepare.random_numbers import RandomNumbers
from batchwright.prepare.reports import BalanceRow
from batchwright.prepare.steps.step import Step, StepResult, require_columns
from batchwright.prepare.tables import AddedColumn, MergedTable, PreparedTable
from batchwright.schema.item_sets import LARGEST_SET, SET_ID, SMALLEST_SET, identity_column, shown_column


@dataclass(frozen=True)
class ItemSets(Step):
    """Put items into sets for best–worst scaling: each item in as many sets, hardly any pair in two.

    Each item stands at each place equally often, give or take one.
    """

    label: ClassVar[str] = N_("Best–worst sets")
    least: ClassVar[Mapping[str, int]] = {"repeats": 1}
    item: str
    """The column that identifies an item."""
    shown: tuple[str, ...]
    """The columns that participants see; each becomes one for every place in a set."""
    size: int = 4
    repeats: int = 4
    """In how many sets each item is."""
    seed: int = 1

    @override
    def __call__(self, table: PreparedTable) -> StepResult:
        require_columns(table, [self.item, *self.shown])
        if not SMALLEST_SET <= self.size <= LARGEST_SET:
            text = _("A set has {least} to {most} items.")
            raise StepProblem(text.format(least=SMALLEST_SET, most=LARGEST_SET))
        items = table.numbered(self.item).first_rows
        if len(items) < self.size:
            text = ngettext(
                "There is {count} different item, fewer than in a set.",
                "There are {count} different items, fewer than in a set.",
                len(items),
            )
            raise StepProblem(text.format(count=len(items)))
        random = RandomNumbers(self.seed, "sets")
        sets = with_balanced_places(item_sets(len(items), self.size, self.repeats, random), random)
        places = [*enumerate(ascii_lowercase[: self.size])]
        sources = {identity_column(letter): (place, self.item) for place, letter in places}
        sources |= {
            shown_column(column, letter): (place, column) for column in self.shown for place, letter in places
        }
        numbers = AddedColumn(np.arange(len(sets)), NumberTexts(len(sets)))
        merged = MergedTable(table, items[sets], sources, {SET_ID: numbers})
        balance = set_balance(len(items), sets)
        notes = [self._note_about_pairs(balance.repeated_pairs)]
        if repeated := table.length - len(items):
            text = ngettext(
                "{count} row repeats an item or has none, and is left out.",
                "{count} rows repeat items or have none, and are left out.",
                repeated,
            )
            notes.append(text.format(count=repeated))
        rows = [
            BalanceRow(_("Items in sets"), str(times), int(count))
            for times, count in zip(*np.unique(balance.of_items, return_counts=True), strict=True)
        ]
        rows += [
            BalanceRow(_("Pairs of items in sets"), str(times), int(count))
            for times, count in zip(*np.unique(balance.of_pairs, return_counts=True), strict=True)
        ]
        return StepResult(merged, tuple(notes), tuple(rows))

    def _note_about_pairs(self, repeated: int) -> str:
        if not repeated:
            return _("No pair of items is in two sets.")
        text = ngettext(
            "{count} pair of items is in more than one set.",
            "{count} pairs of items are in more than one set.",
            repeated,
        )
        return text.format(count=repeated)
