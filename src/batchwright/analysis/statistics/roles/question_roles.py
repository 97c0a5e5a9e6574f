"""The roles of questions and options: what a researcher says about them that a layout does not.

A role has the level of a question, the order of its options, the values that mean a missing answer, and what
options say in a comparison of two sides. Roles change results only: answers stay as they were given.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

import numpy as np

from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.headings import Heading, words_of
from batchwright.analysis.store.questions import (
    LARGEST_NUMBER,
    OUTCOME_TEXTS,
    AnalysedQuestion,
    AnswerOption,
    MeasurementLevel,
    Outcome,
    QuestionKind,
)
from batchwright.analysis.store.text_columns import TextColumn
from batchwright.base.i18n import N_, _
from batchwright.base.local_formats import joined
from batchwright.layout.option_values import read_number

_WITH_OPTIONS = (QuestionKind.CHOICE, QuestionKind.CHOICES)


@dataclass(frozen=True)
class QuestionRole:
    """The role of a question; what it does not say stays as it is recognised."""

    level: MeasurementLevel | None = None
    order: tuple[str, ...] = ()
    """Values of options from the lowest to the highest; their numbers are 1, 2, 3 and so on."""
    missing: tuple[str, ...] = ()
    """Values of options, numbers or texts that mean that there is no answer."""
    outcomes: Mapping[str, Outcome] | None = None
    """What options say about two sides, by value; options that are not named say nothing."""


Roles = Mapping[str, QuestionRole]
"""Roles by question id."""


_ROLE_TEXTS: Mapping[str, str] = {
    MeasurementLevel.NOMINAL: N_("nominal"),
    MeasurementLevel.ORDINAL: N_("ordinal"),
    MeasurementLevel.INTERVAL: N_("interval"),
    "order": N_("Order"),
    "missing": N_("Missing"),
    **{str(outcome): text for outcome, text in OUTCOME_TEXTS.items()},
}


@dataclass(frozen=True)
class RoleRow:
    """A role that is used: of a question, or of one of its options or values."""

    question: str
    role: Annotated[str, Heading(N_("Role"), words=words_of(_ROLE_TEXTS))]
    """The level, `order`, `missing`, or an outcome."""
    value: Annotated[str, Heading(N_("Value"))]
    label: Annotated[str, Heading(N_("Label"))]
    answers: Annotated[int | None, Heading(N_("Answers"))]
    """How many answers have a value that means missing."""


def role_of(question: AnalysedQuestion, roles: Roles) -> QuestionRole | None:
    """The role of a question, or of the one that it is a wording of."""
    return roles.get(question.id) or roles.get(question.instruction_id)


def outcomes_of(question: AnalysedQuestion) -> dict[str, Outcome]:
    """The outcomes by option value. They are suggestions if the researcher has not chosen any."""
    return {option.value: option.outcome for option in question.options if option.outcome is not None}


def with_roles(table: AnswerTable, roles: Roles) -> AnswerTable:
    """The table with the roles of its questions; missing answers are still in it, see `split_missing`.

    A text whose level is ordinal or interval is a number.
    """
    if not roles:
        return table
    questions, numbers = list(table.questions), table.numbers.copy()
    for index, question in enumerate(table.questions):
        role = role_of(question, roles)
        if role is not None:
            questions[index] = changed = _with_role(question, role)
            if question.kind is QuestionKind.TEXT and changed.kind is QuestionKind.NUMBER:
                entries = table.entries_of(index)
                numbers[entries] = _typed_numbers(table.values.take(entries))
            elif role.order:
                by_option = [option.number for option in changed.options] + [None]
                entries = table.entries_of(index)
                numbers[entries] = np.array(by_option, dtype=np.float64)[table.options[entries]]
    return replace(table, questions=tuple(questions), numbers=numbers)


def split_missing(table: AnswerTable) -> tuple[AnswerTable, AnswerTable]:
    """The table in which values that mean missing are none, and the one without the answers that have one.

    Options that mean missing are left out of the questions; those with an order are in that order.
    """
    is_missing = _missing_entries(table)
    options, questions = table.options.copy(), list(table.questions)
    for index, question in enumerate(table.questions):
        places = _sorted_places(question)
        if places != list(range(len(question.options))):
            new_places = np.full(len(question.options) + 1, -1, dtype=options.dtype)
            new_places[places] = np.arange(len(places))
            entries = table.entries_of(index)
            options[entries] = new_places[options[entries]]
            questions[index] = _with_options(question, places)
    if questions == list(table.questions) and not is_missing.any():
        return table, table
    numbers = np.where(is_missing, np.nan, table.numbers)
    given = replace(table, questions=tuple(questions), options=options, numbers=numbers)
    has_value = np.ones(len(table), dtype=bool)
    has_value[table.entry_answers[is_missing]] = False
    return given, given.where(has_value)


def role_rows(table: AnswerTable, roles: Roles) -> list[RoleRow]:
    """List the roles of the questions of a table that has them."""
    is_missing, rows = _missing_entries(table), list[RoleRow]()
    for index, question in enumerate(table.questions):
        role = role_of(question, roles)
        if role is None:
            continue
        if role.level is not None:
            rows.append(RoleRow(question.id, role.level, "", "", None))
        labels = {option.value: option.label for option in question.options}
        rows += [RoleRow(question.id, "order", value, labels.get(value, ""), None) for value in role.order]
        entries = table.entries_of(index)
        codes, counts = np.unique(table.values.codes[entries[is_missing[entries]]], return_counts=True)
        found = {
            table.values.values[code]: count
            for code, count in zip(codes.tolist(), counts.tolist(), strict=True)
        }
        rows += [
            RoleRow(question.id, "missing", value, labels.get(value, ""), found.get(value, 0))
            for value in dict.fromkeys((*role.missing, *found))
        ]
        rows += [
            RoleRow(question.id, outcome, value, labels.get(value, ""), None)
            for value, outcome in (role.outcomes or {}).items()
        ]
    return rows


class RoleProblem(NamedTuple):
    """Why a role cannot be used for its question: the key at fault, and a sentence."""

    key: str
    text: str


def role_problems(questions: Sequence[AnalysedQuestion], roles: Roles) -> Iterator[str]:
    """Yield why roles cannot be used for questions, each with its place, as `questions.q1.order: …`."""
    known = {id for question in questions for id in (question.id, question.instruction_id)}
    for id in sorted(roles.keys() - known):
        names = joined(sorted(known))
        text = _("questions.{id}: No question has this id. There are: {names}.")
        yield text.format(id=id, names=names)
    for question in questions:
        role = role_of(question, roles)
        if role is not None and (problem := role_problem(question, role)):
            yield f"questions.{question.id}.{problem.key}: {problem.text}"


def role_problem(question: AnalysedQuestion, role: QuestionRole) -> RoleProblem | None:
    """Why a role cannot be used for a question; None if it can."""
    if question.kind not in _WITH_OPTIONS and (role.order or role.outcomes is not None):
        return RoleProblem("order", _("Only options have an order or a meaning in comparisons."))
    if role.outcomes and not {Outcome.LEFT, Outcome.RIGHT} <= {*role.outcomes.values()}:
        text = _("A comparison has an option for the left side and one for the right side.")
        return RoleProblem("left" if Outcome.RIGHT in role.outcomes.values() else "right", text)
    rest = {option.value for option in question.options} - {*role.order, *role.missing}
    if role.order and rest:
        text = _("These options are neither in the order nor missing: {names}.")
        return RoleProblem("order", text.format(names=joined(sorted(rest))))
    return None if role.level is None else _level_problem(question, role)


def _level_problem(question: AnalysedQuestion, role: QuestionRole) -> RoleProblem | None:
    is_choice, is_nominal = question.kind is QuestionKind.CHOICE, role.level is MeasurementLevel.NOMINAL
    if question.kind in (QuestionKind.CHOICES, QuestionKind.FILE):
        return RoleProblem("level", _("Several options and files have no level."))
    if not is_choice and is_nominal:
        return RoleProblem("level", _("Numbers and texts are ordinal or interval."))
    if is_choice and not is_nominal and not _with_role(question, role).is_scale:
        text = _("The options are not different numbers. Choose their order.")
        return RoleProblem("level", text)
    return None


def _with_role(question: AnalysedQuestion, role: QuestionRole) -> AnalysedQuestion:
    if question.kind not in _WITH_OPTIONS:
        is_number = question.kind is QuestionKind.TEXT and role.level in (
            MeasurementLevel.ORDINAL,
            MeasurementLevel.INTERVAL,
        )
        kind = QuestionKind.NUMBER if is_number else question.kind
        return replace(question, kind=kind, level=role.level, missing_values=role.missing)
    ranks = {value: float(rank) for rank, value in enumerate(role.order, start=1)}

    def changed(option: AnswerOption) -> AnswerOption:
        is_missing = option.value in role.missing
        outcome = option.outcome if role.outcomes is None else role.outcomes.get(option.value)
        return replace(
            option,
            number=ranks.get(option.value) if ranks else option.number,
            outcome=None if is_missing else outcome,
            is_missing=is_missing,
        )

    return replace(
        question, options=tuple(map(changed, question.options)), level=role.level, order=role.order
    )


def _sorted_places(question: AnalysedQuestion) -> list[int]:
    """The indexes of the options that are values, in their order if a researcher has chosen one."""
    places = [index for index, option in enumerate(question.options) if not option.is_missing]
    rank = {value: rank for rank, value in enumerate(question.order)}
    return sorted(places, key=lambda index: rank.get(question.options[index].value, len(rank)))


def _with_options(question: AnalysedQuestion, places: Sequence[int]) -> AnalysedQuestion:
    """The question with some of its options, in another order."""
    new_places = {place: new for new, place in enumerate(places)}
    codes = {key: new_places[place] for key, place in question.option_codes.items() if place in new_places}
    options = tuple(question.options[place] for place in places)
    return replace(question, options=options, option_codes=codes)


def _missing_entries(table: AnswerTable) -> np.ndarray:
    """Whether each entry means that there is no answer."""
    is_missing = np.zeros(len(table.entry_answers), dtype=bool)
    for index, question in enumerate(table.questions):
        if any(option.is_missing for option in question.options):
            flags = np.array([*(option.is_missing for option in question.options), False])
            entries = table.entries_of(index)
            is_missing[entries] = flags[table.options[entries]]
        elif question.missing_values:
            entries = table.entries_of(index)
            texts = {text.strip() for text in question.missing_values}
            codes = [code for code, text in enumerate(table.values.values) if text.strip() in texts]
            is_missing[entries] = np.isin(table.values.codes[entries], codes) | np.isin(
                table.numbers[entries], question.missing_numbers
            )
    return is_missing


def _typed_numbers(values: TextColumn) -> np.ndarray:
    """The numbers that texts are; NaN for others."""
    numbers = np.full(len(values.values) + 1, np.nan)
    for code in np.unique(values.codes[values.codes >= 0]).tolist():
        number = read_number(values.values[code])
        if number is not None and abs(number) <= LARGEST_NUMBER:
            numbers[code] = number
    return numbers[values.codes]
