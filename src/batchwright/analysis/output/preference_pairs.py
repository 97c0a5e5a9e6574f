"""Preference pairs: the prompt, the answer that was chosen, and the one that was rejected."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from batchwright.analysis.analyse import Analysis
from batchwright.analysis.output.output_files import OutputFile, OutputSource
from batchwright.analysis.output.pair_fields import PairFields, TieRule
from batchwright.analysis.output.text_files import write_objects
from batchwright.analysis.result_tables import result_table
from batchwright.analysis.statistics.comparisons.system_results import comparison_questions
from batchwright.analysis.statistics.participants.self_agreement import are_about_copies
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.questions import Outcome
from batchwright.analysis.store.text_columns import TextColumn, UnusableField
from batchwright.base.i18n import N_, _, ngettext
from batchwright.base.json_values import JsonObject
from batchwright.base.local_formats import count_text, joined


class Omission(StrEnum):
    """Why a record that was answered is in no pair."""

    NO_PROMPT = "no prompt"
    EMPTY_RESPONSE = "empty response"
    NO_VOTE = "no vote for a side"
    TIE = "tie"


@dataclass(frozen=True)
class OmittedRecord:
    """A record that is in no pair."""

    question: str
    task: str
    datapoint: str
    reason: Omission


def files(source: OutputSource) -> Iterator[OutputFile]:
    """Yield the file, and the list of the records that are in no pair, if there are any.

    Raises:
        UnusableField: a field is missing; the message is its name.
    """
    fields, rule = source.choices.pair_fields, source.choices.tie_rule
    if fields is None:
        return
    for name in (fields.prompt, fields.left, fields.right):
        if name not in source.analysis.table.fields:
            raise UnusableField(name)
    pairs = _all_pairs(source.analysis, fields, rule)
    yield OutputFile("preference-pairs.jsonl", lambda path: write_objects(path, pairs))
    table = _compared(source.analysis)
    questions = comparison_questions(table)
    omitted = [row for question in questions for row in omitted_records(table, question, fields, rule)]
    if omitted:
        title = _("Records without preference pair")
        rows = result_table("preference-pairs-omitted", title, OmittedRecord, omitted)
        yield replace(source.csv_file(rows), note=omission_sentence(omitted))


def omission_sentence(omitted: Sequence[OmittedRecord]) -> str:
    """How many records are in no pair, and why."""
    counts = Counter(row.reason for row in omitted)
    text = ngettext(
        "{count} record is in no preference pair ({reasons}).",
        "{count} records are in no preference pair ({reasons}).",
        len(omitted),
    )
    reasons = joined(
        f"{_(_REASONS[reason])}: {count_text(counts[reason])}" for reason in Omission if counts[reason]
    )
    return text.format(count=count_text(len(omitted)), reasons=reasons)


_REASONS = {
    Omission.NO_PROMPT: N_("no prompt"),
    Omission.EMPTY_RESPONSE: N_("empty response"),
    Omission.NO_VOTE: N_("no vote for a side"),
    Omission.TIE: N_("tie"),
}


def _all_pairs(analysis: Analysis, fields: PairFields, rule: TieRule) -> Iterator[JsonObject]:
    """Yield the preference pairs of all comparisons."""
    table = _compared(analysis)
    for question in comparison_questions(table):
        for pair in preference_pairs(table, question, fields, rule, analysis.settings.seed):
            yield {**pair, "answers_excluded": analysis.excluded}


def _compared(analysis: Analysis) -> AnswerTable:
    """The answers without excluded ones, and without those about records that came again."""
    included = analysis.settings.exclusions.included(analysis.table)
    return included.where(~are_about_copies(included))


def preference_pairs(
    table: AnswerTable, question: int, fields: PairFields, rule: TieRule, seed: int
) -> Iterator[JsonObject]:
    """Yield the pair of each record by the majority of the votes for a side, in the order of the tasks.

    Left out are the records of `omitted_records`.

    Raises:
        UnusableField: a field is missing; the message is its name.
    """
    columns = _columns(table, fields)
    draws = random.Random(seed)  # noqa: S311
    for task, votes in sorted(_votes(table, question).items()):
        if _omission(columns, task, votes, rule) is None:
            prompt, *sides = (column[task] for column in columns)
            left, right, tie = votes
            more: JsonObject = {"task": table.tasks.values[task], "votes": votes}
            for first in _orders(left, right, tie, rule, draws):
                yield {"prompt": prompt, "chosen": sides[first], "rejected": sides[1 - first], **more}


def omitted_records(
    table: AnswerTable, question: int, fields: PairFields, rule: TieRule
) -> Iterator[OmittedRecord]:
    """Yield the records that were answered and are in no pair, in the order of the tasks.

    Raises:
        UnusableField: a field is missing; the message is its name.
    """
    columns, votes, id = _columns(table, fields), _votes(table, question), table.questions[question].id
    for task in np.unique(table.tasks.codes[table.answers_of(question)]).tolist():
        if reason := _omission(columns, task, votes.get(task, [0, 0, 0]), rule):
            yield OmittedRecord(id, table.tasks.values[task], table.datapoints[task], reason)


def _columns(table: AnswerTable, fields: PairFields) -> list[TextColumn]:
    """The columns of the prompt and of both sides."""
    names = (fields.prompt, fields.left, fields.right)
    for name in names:
        if name not in table.fields:
            raise UnusableField(name)
    return [table.fields[name] for name in names]


def _omission(
    columns: Sequence[TextColumn], task: int, votes: Sequence[int], rule: TieRule
) -> Omission | None:
    """Why a record with votes for left, right and tie is in no pair; None if it is in one."""
    prompt, *sides = columns
    if not prompt[task].strip():
        return Omission.NO_PROMPT
    if not all(side[task].strip() for side in sides):
        return Omission.EMPTY_RESPONSE
    if not any(votes):
        return Omission.NO_VOTE
    return Omission.TIE if rule is TieRule.DROP and not _has_winner(*votes) else None


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
    if _has_winner(left, right, tie):
        return [0 if left > right else 1]
    if rule is TieRule.RANDOM:
        return [draws.randrange(2)]
    return [0, 1] if rule is TieRule.BOTH else []


def _has_winner(left: int, right: int, tie: int) -> bool:
    return left != right and tie <= max(left, right)
