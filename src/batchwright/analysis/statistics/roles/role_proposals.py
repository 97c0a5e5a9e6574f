"""Values that probably mean that there is no answer. They are proposed to the researcher, never applied."""

from collections.abc import Iterator, Sequence

import numpy as np

from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.questions import AnalysedQuestion, QuestionKind
from batchwright.base.i18n import _
from batchwright.base.local_formats import joined, quoted
from batchwright.base.plain_numbers import plain_text

_NAMES = frozenset(
    {
        *("don't know", "dont know", "do not know", "i don't know", "not known", "unknown", "no idea"),
        *("not applicable", "does not apply", "n/a", "n.a.", "na", "no answer", "not answered", "missing"),
        *("prefer not to say", "prefer not to answer", "rather not say", "refused", "no opinion", "not sure"),
    }
)
"""Labels and values, in lower case."""
_CODES = frozenset(
    {*(77, 88, 97, 98, 99, 777, 888, 997, 998, 999, 9999), *(-1, -7, -8, -9, -77, -88, -98, -99)}
)
"""Numbers by which surveys usually code that there is no answer."""
_DISTANCE = 3
"""A code is at least so many times as large as all other numbers."""


def proposed_missing(table: AnswerTable) -> dict[str, tuple[str, ...]]:
    """The values that probably mean that there is no answer, by question id; only questions with such values.

    Those that are already missing by a role, and options that say something of sides, are left out.
    """
    found = {question.id: tuple(_values(table, index)) for index, question in enumerate(table.questions)}
    return {id: values for id, values in found.items() if values}


def proposal_sentence(question: AnalysedQuestion, values: Sequence[str]) -> str:
    """What the values are, and that they count until a role says that they are missing."""
    labels = {option.value: option.label for option in question.options}
    names = joined(
        f"{quoted(labels[value])} ({value})" if labels.get(value, value) != value else quoted(value)
        for value in values
    )
    text = _("Probably no answer, but counted like others until a role says that it is missing: {values}.")
    return text.format(values=names)


def _values(table: AnswerTable, index: int) -> Iterator[str]:
    question = table.questions[index]
    if question.kind in (QuestionKind.CHOICE, QuestionKind.CHOICES):
        options = [option for option in question.options if not option.is_missing]
        codes = _codes([option.number for option in options if option.number is not None])
        for option in options:
            is_code = question.is_scale and option.number in codes
            is_side = question.is_comparison and option.outcome is not None
            if not is_side and (is_code or _is_name(option.label) or _is_name(option.value)):
                yield option.value
    elif question.kind is QuestionKind.NUMBER:
        numbers = table.numbers[table.entries_of(index)]
        different = np.unique(numbers[np.isfinite(numbers)]).tolist()
        missing = question.missing_numbers
        yield from (
            plain_text(code) for code in _codes([number for number in different if number not in missing])
        )


def _codes(numbers: Sequence[float]) -> list[float]:
    """The numbers that are usual codes and far from all others."""
    usual = [number for number in numbers if number in _CODES]
    others = [number for number in numbers if number not in _CODES]
    if not others:
        return []
    low, high = min(others), max(others)
    return [code for code in usual if (code >= _DISTANCE * high if code > 0 else low >= 0)]


def _is_name(text: str) -> bool:
    return text.strip().casefold().replace("’", "'").rstrip(".!") in _NAMES
