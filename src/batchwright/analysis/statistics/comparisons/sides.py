"""How systems and sides are crossed: how often each system of a pair was on the left and on the right."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, NamedTuple

import numpy as np

from batchwright.analysis.statistics.comparisons.system_results import Comparisons
from batchwright.analysis.store.headings import Heading
from batchwright.base.i18n import N_, _
from batchwright.base.local_formats import count_text

_MAX_DEVIATIONS = 3
"""By how many standard deviations sides that were drawn at random hardly ever differ from half."""
_FEWEST = 6
"""With fewer records, sides that were drawn at random are often all the same."""


class SideDesign(StrEnum):
    """How systems were assigned to sides, as far as the numbers of records show."""

    BALANCED = "balanced"
    UNBALANCED = "unbalanced"
    FIXED = "fixed"
    """A system was always on the same side."""


@dataclass(frozen=True)
class SideRow:
    """On which side the first of two systems was, in how many records."""

    question: str
    system: Annotated[str, Heading(N_("System"))]
    opponent: Annotated[str, Heading(N_("Opponent"))]
    left: Annotated[int, Heading(N_("On the left"))]
    right: Annotated[int, Heading(N_("On the right"))]


class SystemSides(NamedTuple):
    """On which side a system was, in how many records."""

    system: str
    left: int
    right: int

    @property
    def is_fixed(self) -> bool:
        """Whether the system was always on the same side."""
        return self.left + self.right >= _FEWEST and not (self.left and self.right)

    @property
    def deviations(self) -> float:
        """The distance from half, in standard deviations of sides that are drawn at random."""
        return abs(self.left - self.right) / math.sqrt(max(1, self.left + self.right))


def side_rows(question: str, comparisons: Comparisons) -> list[SideRow]:
    """Count the records of each pair of systems by side; the first system of a pair comes first by name."""
    _tasks, first = np.unique(comparisons.tasks, return_index=True)
    sides = Counter(zip(comparisons.left[first].tolist(), comparisons.right[first].tolist(), strict=True))
    pairs = sorted({(min(pair), max(pair)) for pair in sides})
    names = comparisons.systems
    return [SideRow(question, names[a], names[b], sides[a, b], sides[b, a]) for a, b in pairs]


def sides_of_systems(rows: Iterable[SideRow]) -> list[SystemSides]:
    """The sides of each system in all its pairs, by name."""
    left, right = Counter[str](), Counter[str]()
    for row in rows:
        left.update({row.system: row.left, row.opponent: row.right})
        right.update({row.system: row.right, row.opponent: row.left})
    return [SystemSides(system, left[system], right[system]) for system in sorted(left)]


def side_design(rows: Sequence[SideRow]) -> SideDesign | None:
    """How the systems of one question were assigned to sides; None without pairs."""
    systems = sides_of_systems(rows)
    if not systems:
        return None
    if any(sides.is_fixed for sides in systems):
        return SideDesign.FIXED
    pairs = (SystemSides(row.system, row.left, row.right) for row in rows)
    is_unbalanced = any(sides.deviations > _MAX_DEVIATIONS for sides in (*systems, *pairs))
    return SideDesign.UNBALANCED if is_unbalanced else SideDesign.BALANCED


def side_sentence(rows: Sequence[SideRow]) -> str:
    """What the sides of the systems of one question mean for its results; `rows` may be empty."""
    design, systems = side_design(rows), sides_of_systems(rows)
    if design is None:
        return _("Which system was on which side is not known: choose the fields that name the systems.")
    if design is SideDesign.BALANCED:
        return _("Each system was on the left about as often as on the right.")
    if design is SideDesign.UNBALANCED:
        sides = max(systems, key=lambda sides: sides.deviations)
        text = _(
            "Sides are not balanced: “{system}” was on the left in {left} of {total} records. A preference "
            "for a side changes the rates of systems; the model with an effect of the left side accounts "
            "for it."
        )
    else:
        sides = next(sides for sides in systems if sides.is_fixed)
        text = (
            _(
                "“{system}” was always on the left, in {total} records: a preference for this system and for "
                "the side cannot be told apart."
            )
            if sides.left
            else _(
                "“{system}” was always on the right, in {total} records: a preference for this system and "
                "for the side cannot be told apart."
            )
        )
    return text.format(
        system=sides.system,
        left=count_text(sides.left),
        total=count_text(sides.left + sides.right),
    )
