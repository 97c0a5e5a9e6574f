"""What preference pairs are made of: the fields of a record, and the rule for ties."""

from dataclasses import dataclass
from enum import StrEnum

from batchwright.analysis.statistics.comparisons.system_fields import differ_only_by_side
from batchwright.analysis.store.answer_table import AnswerTable

_PROMPTS = ("prompt", "question", "instruction", "input")
"""Usual names of the field with the prompt."""


class TieRule(StrEnum):
    """What becomes of a record for which both sides have equal votes, or most votes are ties."""

    DROP = "drop"
    BOTH = "both"
    """Two pairs, one in each order."""
    RANDOM = "random"
    """One pair in a random order, which depends on the seed only."""


@dataclass(frozen=True)
class PairFields:
    """The fields with the prompt and with the answers on both sides."""

    prompt: str
    left: str
    right: str


def suggested_pair_fields(table: AnswerTable) -> PairFields | None:
    """The fields that probably have the prompt and both answers.

    The answers have the longest texts among fields whose names differ in the side only, like `answer_a` and
    `answer_b`. The prompt is recognised by its name, or has the longest texts of the other fields.
    """
    length = {name: sum(map(len, column.values)) for name, column in table.fields.items()}
    sides = [(left, right) for left in length for right in length if differ_only_by_side(left, right)]
    if not sides or len(length) < len(("prompt", "left", "right")):
        return None
    left, right = max(sides, key=lambda pair: length[pair[0]] + length[pair[1]])
    others = [name for name in length if name not in {left, right}]
    named = [name for prompt in _PROMPTS for name in others if name.casefold() == prompt]
    return PairFields(named[0] if named else max(others, key=length.__getitem__), left, right)
