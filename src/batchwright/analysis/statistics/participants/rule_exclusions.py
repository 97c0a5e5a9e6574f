"""Applies the rules of exclusion to answers."""

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from batchwright.analysis.statistics.participants.participant_hints import ParticipantRow, participant_rows
from batchwright.analysis.statistics.roles.question_roles import split_missing
from batchwright.analysis.statistics.unit_conversion import UnitConversion, converted
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.exclusion_rules import ExclusionRule, Measure, Operator
from batchwright.analysis.store.exclusions import RULE, SEPARATOR, ExclusionRow, Exclusions, exclusion_rows

_RELATIONS: Mapping[Operator, Callable[[np.ndarray, float], np.ndarray]] = {
    Operator.BELOW: operator.lt,
    Operator.AT_MOST: operator.le,
    Operator.ABOVE: operator.gt,
    Operator.AT_LEAST: operator.ge,
}
_OF_PARTICIPANTS: Mapping[Measure, Callable[[ParticipantRow], float]] = {
    Measure.MEDIAN_SECONDS: lambda row: row.median_seconds,
    Measure.GOLD: lambda row: row.gold_accuracy,
    Measure.AGREEMENT: lambda row: row.agreement,
    Measure.STRAIGHT_LINING: lambda row: row.straight_lining,
    Measure.LONGEST_RUN: lambda row: row.longest_run,
    Measure.ANSWERS: lambda row: row.answers,
}


def applied_exclusions(
    exclusions: Exclusions,
    table: AnswerTable,
    gold_field: str = "",
    gold_question: str = "",
    units: Sequence[UnitConversion] = (),
) -> tuple[Exclusions, list[ExclusionRow]]:
    """The exclusions with everything that their rules exclude, and the list of rules and ids with counts.

    All rules are applied to the answers that are not excluded by id, so that their order does not matter.

    Args:
        exclusions: the ids and rules.
        table: all answers, with the roles of questions.
        gold_field: the field with the right answer, if any.
        gold_question: id of the question that it answers; without it, all of which it names options.
        units: how numbers are converted for results.
    """
    rows = exclusion_rows(exclusions, table)
    if not exclusions.rules:
        return exclusions, rows
    included = exclusions.included(table)
    people: list[ParticipantRow] = []
    if any(rule.measure in _OF_PARTICIPANTS for rule in exclusions.rules):
        people = participant_rows(
            converted(split_missing(included)[0], units), gold_field, gold_question, units
        )
    answers_of = {row.participant: row.answers for row in people}
    participants, answers = dict[str, str](), dict[str, str]()
    rule_rows = []
    for rule in exclusions.rules:
        is_outside = _RELATIONS[rule.relation]
        if rule.measure is Measure.SECONDS:
            found = np.flatnonzero(is_outside(included.seconds, rule.limit)).tolist()
            _add(answers, rule, [included.ids[index] for index in found])
            count = len(found)
        else:
            value_of = _OF_PARTICIPANTS[rule.measure]
            values = np.array([value_of(row) for row in people], dtype=np.float64)
            ids = [people[index].participant for index in np.flatnonzero(is_outside(values, rule.limit))]
            _add(participants, rule, ids)
            count = sum(answers_of[id] for id in ids)
        rule_rows.append(ExclusionRow(RULE, rule.text, "", count))
    applied = replace(
        exclusions,
        participants={**exclusions.participants, **participants},
        answers={**exclusions.answers, **answers},
    )
    by_rule = [
        ExclusionRow("participant", id, participants[id], answers_of[id]) for id in sorted(participants)
    ]
    return applied, [*rule_rows, *rows, *by_rule]


def _add(reasons: dict[str, str], rule: ExclusionRule, ids: list[str]) -> None:
    for id in ids:
        reasons[id] = f"{reasons[id]}{SEPARATOR}{rule.text}" if id in reasons else rule.text
