"""Answers that a participant gave again: the last answer to a question about a record counts.

The others are excluded, with a reason, after the exclusions by id: an answer that is excluded does not count
as the last one. Answers without the id of a participant may be those of different people; none is repeated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.exclusions import ANSWERED_AGAIN, Exclusions
from batchwright.analysis.store.headings import Heading
from batchwright.base.i18n import N_, ngettext
from batchwright.base.local_formats import count_text, joined

_NAMED = 3
"""Repeated answers that a sentence names."""


@dataclass(frozen=True)
class RepeatedRow:
    """A question that a participant answered several times about the same record."""

    participant: Annotated[str, Heading(N_("Participant"))]
    task: Annotated[str, Heading(N_("Task"), N_("Record"))]
    question: str
    omitted: Annotated[int, Heading(N_("Earlier answers, left out"))]


def exclude_repeated(exclusions: Exclusions, table: AnswerTable) -> tuple[Exclusions, list[RepeatedRow]]:
    """The exclusions with all but the last of repeated answers, and what is repeated."""
    included = exclusions.included(table)
    found = np.flatnonzero(are_repeated(included))
    if not len(found):
        return exclusions, []
    ids = (included.ids[index] for index in found.tolist())
    reasons: Mapping[str, str] = dict.fromkeys(ids, ANSWERED_AGAIN)
    return replace(exclusions, answers={**exclusions.answers, **reasons}), _rows(included, found)


def are_repeated(table: AnswerTable, is_excluded: np.ndarray | None = None) -> np.ndarray:
    """Whether a later answer of the same participant to the same question about the same record counts.

    Answers without a time are in the order of arrival, before those with one. An answer in `is_excluded`
    counts only if all others are excluded, too.
    """
    keys = _keys(table)
    is_repeated = np.zeros(len(keys), dtype=bool)
    in_order = np.sort(keys)
    if not np.any(in_order[1:] == in_order[:-1]):
        return is_repeated
    is_included = np.ones(len(keys), dtype=bool) if is_excluded is None else ~is_excluded
    order = np.lexsort((table.times, is_included, keys))
    is_repeated[order[:-1]] = keys[order[1:]] == keys[order[:-1]]
    anonymous = [not id for id in table.participants.values]
    return is_repeated & ~np.array([*anonymous, True])[table.participants.codes]


def repeated_sentence(rows: Sequence[RepeatedRow]) -> str:
    """How many answers are left out, and of whom; empty if none are."""
    if not rows:
        return ""
    count = sum(row.omitted for row in rows)
    text = ngettext(
        "{count} answer is left out, because the participant answered the question about the record again: "
        "the last answer counts ({names}).",
        "{count} answers are left out, because participants answered the question about the record again: "
        "the last answer counts ({names}).",
        count,
    )
    names = (" · ".join(filter(None, (row.participant, row.task, row.question))) for row in rows)
    return text.format(count=count_text(count), names=joined(names, _NAMED))


def _keys(table: AnswerTable) -> np.ndarray:
    """A number for each participant, task and question."""
    tasks, questions = len(table.tasks.values) + 1, len(table.questions) + 1
    people = table.participants.codes.astype(np.int64) * tasks + table.tasks.codes
    return people * questions + table.question_codes


def _rows(table: AnswerTable, found: np.ndarray) -> list[RepeatedRow]:
    _keys_found, first, counts = np.unique(_keys(table)[found], return_index=True, return_counts=True)
    order = np.argsort(first)
    return [
        RepeatedRow(
            table.participants[index],
            "" if table.is_survey else table.tasks[index],
            table.questions[table.question_codes[index]].id,
            count,
        )
        for index, count in zip(found[first[order]].tolist(), counts[order].tolist(), strict=True)
    ]
