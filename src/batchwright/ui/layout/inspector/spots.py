"""Which attribute a problem is about, so that it can be shown there."""

from collections.abc import Mapping
from typing import NamedTuple

from batchwright.layout.entries import Entry
from batchwright.layout.model import FreeTextWithUnit, Item
from batchwright.layout.rules.flaws import Flaw, flaws
from batchwright.layout.rules.problems import Problem

_BY_CODE: Mapping[str, str] = {
    "LY07": "answer_limit",
    "LY20": "answer_limit",
    "LY21": "options",
    "LY22": "options",
    "LY23": "options",
    "LY52": "options",
    "LY53": "options",
    "LY54": "unit_options",
    "LY24": "default_unit",
    "LY15": "url",
    "LY16": "field",
    "LY17": "field",
    "LY18": "field",
    "LY19": "field",
    "LY27": "accepted_file_types",
    "LY56": "accepted_file_types",
    "LY57": "accepted_file_types",
    "LY28": "max_file_size_mb",
    "LY29": "min_file_count",
    "LY30": "max_file_count",
    "LY64": "description",
    "LY58": "display_position",
    "LY61": "display_position",
}
"""Rules about one attribute."""

_ON_RULES = frozenset({"LY25", "LY26", "LY62"})
"""Rules about a validation: that of the item, or those of its units."""


class Spot(NamedTuple):
    """An attribute of an entry; in a list also the number of an entry of it, and the attribute in that one.

    An empty name stands for the entry as a whole.
    """

    name: str = ""
    entry: int | None = None
    inner: str = ""


def spot_of(problem: Problem, entry: Entry) -> Spot:
    """Where in the form of an entry a problem of it is shown."""
    if not isinstance(entry, Item):
        return Spot(_BY_CODE.get(problem.code, ""))
    if problem.code in _ON_RULES:
        return Spot("unit_options" if isinstance(entry, FreeTextWithUnit) else "validation")
    if problem.code in _BY_CODE:
        return Spot(_BY_CODE[problem.code])
    what = problem.values.get("what")
    return next((_spot(flaw) for flaw in flaws(entry) if flaw.words == what), Spot())


def _spot(flaw: Flaw) -> Spot:
    if not flaw.within:
        return Spot(flaw.attribute.name, flaw.entry)
    (outer, number), *deeper = flaw.within
    return Spot(outer.name, number, deeper[0][0].name if deeper else flaw.attribute.name)
