"""Rules by which answers or participants are excluded, as `seconds < 3`."""

import math
import re
from dataclasses import dataclass
from enum import StrEnum

from batchwright.base.i18n import N_, _
from batchwright.base.local_formats import joined
from batchwright.base.plain_numbers import plain_number, plain_text


class Measure(StrEnum):
    """What a rule is about: the seconds of an answer, or a value of its participant."""

    label: str
    """To be translated."""

    def __new__(cls, name: str, label: str) -> "Measure":
        """Create a member from its name and label."""
        measure = str.__new__(cls, name)
        measure._value_, measure.label = name, label
        return measure

    SECONDS = "seconds", N_("Seconds of the page of an answer")
    MEDIAN_SECONDS = "median_seconds", N_("Median seconds per task of a participant")
    GOLD = "gold", N_("Share of right answers of a participant")
    AGREEMENT = "agreement", N_("Agreement of a participant with others")
    STRAIGHT_LINING = "straight_lining", N_("Share of the most frequent option of a participant")
    LONGEST_RUN = "longest_run", N_("Longest run of equal options of a participant")
    ANSWERS = "answers", N_("Number of answers of a participant")


class Operator(StrEnum):
    """How a value is compared with the limit of a rule."""

    BELOW = "<"
    AT_MOST = "<="
    ABOVE = ">"
    AT_LEAST = ">="


@dataclass(frozen=True)
class ExclusionRule:
    """Excludes what has a value below or above a limit; unknown values are never excluded."""

    measure: Measure
    relation: Operator
    limit: float

    @property
    def text(self) -> str:
        """The rule as it is written in a command, with spaces."""
        return f"{self.measure} {self.relation} {plain_text(self.limit)}"


_RULE = re.compile(r"\s*(?P<measure>\w+)\s*(?P<relation><=|>=|<|>)\s*(?P<limit>\S+)\s*")


def parse_rule(text: str) -> ExclusionRule | None:
    """The rule that a text is, as `seconds<3` or `gold < 0.6`; None if it is not written like one.

    Raises:
        ValueError: it is, but the measure is unknown, or the limit is no number; the message says which.
    """
    found = _RULE.fullmatch(text)
    if found is None:
        return None
    if found["measure"] not in set(Measure):
        known = joined(Measure)
        raise ValueError(_("“{name}” is not one of {known}.").format(name=found["measure"], known=known))
    try:
        limit = plain_number(found["limit"])
    except ValueError:
        limit = math.nan
    if not math.isfinite(limit):
        raise ValueError(_("“{text}” is not a number.").format(text=found["limit"]))
    return ExclusionRule(Measure[found["measure"].upper()], Operator(found["relation"]), limit)
