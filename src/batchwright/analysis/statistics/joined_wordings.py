"""One question for all wordings of a question, so that answers to several versions are counted together."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.questions import AnalysedQuestion, AnswerOption
from batchwright.base.i18n import _, ngettext
from batchwright.base.local_formats import joined

_MAX_TEXTS = 3
"""Maximum number of different texts that a combined one contains."""


def joined_wordings(table: AnswerTable) -> AnswerTable:
    """The table with one question for all wordings that ask for the same kind of value.

    Options with the same value are one option. Texts that differ are all named, with their versions; only
    wordings with answers count.
    """
    if not any(question.versions for question in table.questions):
        return table
    groups = list(_groups(table))
    indexes = np.zeros(len(table.questions), dtype=np.int32)
    starts = np.zeros(len(table.questions), dtype=np.int64)
    options: list[int] = []
    for place, group in enumerate(groups):
        for index, mapped in zip(group.indexes, group.options, strict=True):
            indexes[index], starts[index] = place, len(options)
            options += mapped
    is_option, codes = table.options >= 0, table.options.copy()
    chosen = starts[table.question_codes[table.entry_answers[is_option]]] + table.options[is_option]
    codes[is_option] = np.array(options, dtype=codes.dtype)[chosen]
    return replace(
        table,
        questions=tuple(group.question for group in groups),
        question_codes=indexes[table.question_codes],
        options=codes,
    )


def split_wordings(table: AnswerTable) -> AnswerTable:
    """The table with the versions in the titles of questions that have several wordings."""
    questions = tuple(
        replace(question, title=_with_versions(question.title, question.versions))
        if question.versions
        else question
        for question in table.questions
    )
    return replace(table, questions=questions)


def _with_versions(text: str, versions: Sequence[int]) -> str:
    return _("{text} ({version})").format(text=text, version=versions_text(versions))


def versions_text(versions: Sequence[int]) -> str:
    """`version 1`, or `versions 1, 3`."""
    text = ngettext("version {numbers}", "versions {numbers}", len(versions))
    return text.format(numbers=joined(map(str, versions)))


@dataclass(frozen=True)
class _Group:
    """A question, the indexes of its wordings, and the index that each option of each wording gets."""

    question: AnalysedQuestion
    indexes: Sequence[int]
    options: Sequence[Sequence[int]]


def _groups(table: AnswerTable) -> Iterator[_Group]:
    """Yield the questions in the order of the table."""
    answers = np.bincount(table.question_codes, minlength=len(table.questions)).tolist()
    together: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for index, question in enumerate(table.questions):
        together[question.instruction or question.id, question.kind].append(index)
    for indexes in together.values():
        answered = [index for index in indexes if answers[index]] or indexes[:1]
        wordings = [table.questions[index] for index in answered]
        question, options = _combined(wordings)
        ids = [table.questions[index].id for index in indexes]
        id = question.instruction if question.instruction in ids else ids[0]
        mapped = dict(zip(answered, options, strict=True))
        yield _Group(
            replace(question, id=id or question.id), indexes, [mapped.get(index, []) for index in indexes]
        )


def _combined(wordings: Sequence[AnalysedQuestion]) -> tuple[AnalysedQuestion, list[list[int]]]:
    """One question for its wordings, and the indexes that the options of each wording get."""
    if len(wordings) == 1:
        return wordings[0], [list(range(len(wordings[0].options)))]
    versions: list[list[tuple[AnswerOption, AnalysedQuestion]]] = []
    codes: dict[Hashable, int] = {}
    mapped: list[list[int]] = []
    for wording in wordings:
        keys = {index: key for key, index in wording.option_codes.items()}
        mapped.append([])
        for index, option in enumerate(wording.options):
            key = keys.get(index, (wording.id, index))  # an option whose value an earlier one has
            place = codes.setdefault(key, len(codes))
            if place == len(versions):
                versions.append([])
            versions[place].append((option, wording))
            mapped[-1].append(place)
    options = tuple(
        replace(same[0][0], label=_texts([(option.label, wording) for option, wording in same]))
        for same in versions
    )
    question = replace(
        wordings[0],
        title=_texts([(wording.title, wording) for wording in wordings]),
        options=options,
        option_codes=codes,
        wordings=tuple(wordings),
    )
    return question, mapped


def _texts(texts: Sequence[tuple[str, AnalysedQuestion]]) -> str:
    """A text, or if there are different ones, each of them with its versions."""
    versions: defaultdict[str, list[int]] = defaultdict(list)
    for text, wording in texts:
        versions[text] += wording.versions
    if len(versions) == 1:
        return texts[0][0]
    named = [_with_versions(text, sorted(numbers)) for text, numbers in versions.items()]
    return " / ".join(named[:_MAX_TEXTS] + ["…"] * (len(named) > _MAX_TEXTS))
