"""Preference pairs: the prompt, the answer that was chosen, and the one that was rejected."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from batchwright.analysis.statistics.system_fields import are_sides
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.questions import Outcome
from batchwright.analysis.store.text_columns import UnusableField
from batchwright.base.json_values import JsonObject

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
    """Return the fields that probably have the prompt and both answers.

    The answers have the longest texts among fields whose names differ in the side only, like `answer_a` and
    `answer_b`. The prompt is recognised by its name, or has the longest texts of the other fields.
    """
    length = {name: sum(map(len, column.values)) for name, column in table.fields.items()}
    sides = [(left, right) for left in length for right in length if are_sides(left, right)]
    if not sides or len(length) < len(("prompt", "left", "right")):
        return None
    left, right = max(sides, key=lambda pair: length[pair[0]] + length[pair[1]])
    others = [name for name in length if name not in {left, right}]
    named = [name for prompt in _PROMPTS for name in others if name.casefold() == prompt]
    return PairFields(named[0] if named else max(others, key=length.__getitem__), left, right)


def preference_pairs(
    table: AnswerTable, question: int, fields: PairFields, rule: TieRule, seed: int
) -> Iterator[JsonObject]:
    """Yield the pair of each record by the majority of the votes for a side, in the order of the tasks.

    Records without the fields, or without a vote, are omitted.

    Raises:
        UnusableField: a field is missing; the message is its name.
    """
    for name in (fields.prompt, fields.left, fields.right):
        if name not in table.fields:
            raise UnusableField(name)
    columns = [table.fields[name] for name in (fields.prompt, fields.left, fields.right)]
    draws = random.Random(seed)  # noqa: S311
    for task, (left, right, tie) in sorted(_votes(table, question).items()):
        if any(column.codes[task] < 0 for column in columns):
            continue
        prompt, *sides = (column[task] for column in columns)
        votes: JsonObject = {"task": table.tasks.values[task], "votes": [left, right, tie]}
        for first in _orders(left, right, tie, rule, draws):
            yield {"prompt": prompt, "chosen": sides[first], "rejected": sides[1 - first], **votes}


def _votes(table: AnswerTable, question: int) -> dict[int, list[int]]:
    """Return the votes for left, right and tie by task code."""
    outcomes = [option.outcome for option in table.questions[question].options]
    kinds = [Outcome.LEFT, Outcome.RIGHT, Outcome.TIE]
    kind_of = np.array([kinds.index(o) if o in kinds else -1 for o in outcomes] + [-1])
    entries = table.entries_of(question)
    votes: dict[int, list[int]] = {}
    tasks = table.tasks.codes[table.entry_answers[entries]]
    for task, kind in zip(tasks.tolist(), kind_of[table.options[entries]].tolist(), strict=True):
        if kind >= 0:
            votes.setdefault(task, [0, 0, 0])[kind] += 1
    return votes


def _orders(left: int, right: int, tie: int, rule: TieRule, draws: random.Random) -> list[int]:
    """Return which side is chosen, in each pair of a record."""
    if left != right and tie <= max(left, right):
        return [0 if left > right else 1]
    if rule is TieRule.RANDOM:
        return [draws.randrange(2)]
    return [0, 1] if rule is TieRule.BOTH else []
