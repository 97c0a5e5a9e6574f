"""Preference pairs: the prompt, the answer that was chosen, and the one that was rejected."""

import random
from collections.abc import Iterator

import numpy as np

from batchwright.analysis.analyse import Analysis
from batchwright.analysis.output.output_files import OutputFile, OutputSource
from batchwright.analysis.output.pair_fields import PairFields, TieRule
from batchwright.analysis.output.text_files import write_objects
from batchwright.analysis.statistics.comparisons import comparison_questions
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.questions import Outcome
from batchwright.analysis.store.text_columns import UnusableField
from batchwright.base.json_values import JsonObject


def files(source: OutputSource) -> Iterator[OutputFile]:
    """Yield the file.

    Raises:
        UnusableField: a field is missing; the message is its name.
    """
    fields = source.choices.pair_fields
    if fields is None:
        return
    for name in (fields.prompt, fields.left, fields.right):
        if name not in source.analysis.table.fields:
            raise UnusableField(name)
    pairs = _all_pairs(source.analysis, fields, source.choices.tie_rule)
    yield OutputFile("preference-pairs.jsonl", lambda path: write_objects(path, pairs))


def _all_pairs(analysis: Analysis, fields: PairFields, rule: TieRule) -> Iterator[JsonObject]:
    """Yield the preference pairs of all comparisons, without excluded answers."""
    included = analysis.settings.exclusions.included(analysis.table)
    for question in comparison_questions(included):
        for pair in preference_pairs(included, question, fields, rule, analysis.settings.seed):
            yield {**pair, "answers_excluded": analysis.excluded}


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
    """The votes for left, right and tie by task code."""
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
    """Which side is chosen, in each pair of a record."""
    if left != right and tie <= max(left, right):
        return [0 if left > right else 1]
    if rule is TieRule.RANDOM:
        return [draws.randrange(2)]
    return [0, 1] if rule is TieRule.BOTH else []
