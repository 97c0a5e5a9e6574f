"""Answers to records whose right answer is known, from a field of the dataset."""

import math
import operator
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from batchwright.analysis.statistics.agreement.labels import SEPARATOR
from batchwright.analysis.statistics.unit_conversion import UnitConversion, converted_number
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.questions import AnalysedQuestion, QuestionKind
from batchwright.base.cooperative import yielding_gil
from batchwright.layout.item_types.typed_text import parse_number

_TOLERANCE = 1e-9
"""Largest difference of equal numbers, relative to them: 222 min are 3.7 h."""
_NO_ANSWERS = np.zeros(0, dtype=np.int64)


class GoldAnswers(NamedTuple):
    """The indexes of answers to records with a right answer, and whether each is right."""

    answers: np.ndarray
    is_right: np.ndarray


def gold_answers(
    table: AnswerTable, index: int, name: str, units: Sequence[UnitConversion] = ()
) -> GoldAnswers:
    """Compare the answers to a question with a field.

    A field has the value or label of the right option, several separated by semicolons, a number with its
    unit if there is one, or a text; upper case and white space do not matter in texts. A value that names no
    option is no right answer.

    Args:
        table: the answers.
        index: the index of the question.
        name: the field.
        units: how the numbers of the table have been converted, and how those of the field are.
    """
    question, column = table.questions[index], table.fields[name]
    answers = table.answers_of(index)
    codes = column.codes[table.tasks.codes[answers]]
    right = list(map(_key_of_field(question, units), column.values))
    has_right = np.array([key is not None for key in right] + [False], dtype=bool)[codes]
    if question.kind is QuestionKind.FILE or not has_right.any():
        return GoldAnswers(_NO_ANSWERS, _NO_ANSWERS.astype(bool))
    answers, codes = answers[has_right], codes[has_right]
    given = keys_of_answers(table, question, answers)
    is_same = _comparison_of_numbers(units) if question.kind is QuestionKind.NUMBER else operator.eq
    is_right = [is_same(key, right[code]) for key, code in zip(given, codes.tolist(), strict=True)]
    return GoldAnswers(answers, np.array(is_right, dtype=bool))


def right_options(table: AnswerTable, index: int, name: str) -> np.ndarray:
    """The index of the right option of a single choice for each task code; -1 where it is not known."""
    key, column = _key_of_field(table.questions[index]), table.fields[name]
    found = [_single(key(text)) for text in yielding_gil(column.values)]
    right: np.ndarray = np.array([*found, -1], dtype=np.int64)[column.codes]
    return right


def _single(options: object) -> int:
    (option,) = options if isinstance(options, frozenset) and len(options) == 1 else (-1,)
    return int(option)


def has_gold(table: AnswerTable, index: int, name: str) -> bool:
    """Whether a field has a value that is a right answer to a question."""
    question = table.questions[index]
    if question.kind is QuestionKind.FILE:
        return False
    key = _key_of_field(question)
    return any(key(text) is not None for text in yielding_gil(table.fields[name].values))


def gold_fields(table: AnswerTable, question: str = "") -> list[str]:
    """The fields that may have the right answers to a question, or to any question with options.

    These are the fields with a value that is a right answer; for a text, all fields with a value.
    """
    indexes = [
        index
        for index, candidate in enumerate(table.questions)
        if (
            candidate.id == question
            if question
            else candidate.kind in (QuestionKind.CHOICE, QuestionKind.CHOICES)
        )
    ]
    return [name for name in table.fields if any(has_gold(table, index, name) for index in indexes)]


def _key_of_field(
    question: AnalysedQuestion, units: Sequence[UnitConversion] = ()
) -> Callable[[str], object]:
    """The function of a text that returns what an answer must be equal to.

    It returns None if the text is not a right answer.
    """
    if question.kind is QuestionKind.TEXT:
        return lambda text: _normal(text) or None
    if question.kind is QuestionKind.NUMBER:
        return partial(_number_with_unit, units=units)
    options = list(enumerate(question.options))[::-1]
    codes = {option.label: code for code, option in options} | {
        option.value: code for code, option in options
    }

    def options_in(text: str) -> object:
        names = [text] if text in codes else [part.strip() for part in text.split(SEPARATOR.strip())]
        if not text or not all(name in codes for name in names):
            return None
        return frozenset(codes[name] for name in names)

    return options_in


def _number_with_unit(text: str, units: Sequence[UnitConversion]) -> tuple[float, str] | None:
    value, _space, unit = text.strip().partition(" ")
    number = parse_number(value)
    return None if number is None else converted_number(float(number), unit.strip(), units)


def _comparison_of_numbers(units: Sequence[UnitConversion]) -> Callable[[Any, Any], bool]:
    """The function of two numbers with their units, or None, that returns whether they are equal.

    An offset leaves a rounding error of its own size, also if the converted number is 0.
    """
    absolute = _TOLERANCE * max((abs(one.offset) for one in units), default=0.0)

    def is_same(first: tuple[float, str] | None, second: tuple[float, str] | None) -> bool:
        if first is None or second is None or first[1] != second[1]:
            return False
        return math.isclose(first[0], second[0], rel_tol=_TOLERANCE, abs_tol=absolute)

    return is_same


def keys_of_answers(table: AnswerTable, question: AnalysedQuestion, answers: np.ndarray) -> list[object]:
    """What each answer must be compared by: options, a number with its unit, or a text."""
    position = np.full(len(table), -1, dtype=np.int64)
    position[answers] = np.arange(len(answers))
    entries = np.flatnonzero(position[table.entry_answers] >= 0)
    places = position[table.entry_answers[entries]].tolist()
    if question.kind is QuestionKind.TEXT:
        return _filled(len(answers), places, [_normal(text) for text in table.values.take(entries).texts()])
    if question.kind is QuestionKind.NUMBER:
        units = table.units.take(entries).texts()
        return _filled(len(answers), places, list(zip(table.numbers[entries].tolist(), units, strict=True)))
    chosen: list[set[int]] = [set() for _answer in range(len(answers))]
    for place, option in zip(places, table.options[entries].tolist(), strict=True):
        chosen[place].add(option)
    return [frozenset(options) for options in chosen]


def _filled(count: int, places: list[int], keys: list[object]) -> list[object]:
    found: list[object] = [None] * count
    for place, key in zip(places, keys, strict=True):
        found[place] = key
    return found


def _normal(text: str) -> str:
    return " ".join(text.casefold().split())
