"""How far participants agree with themselves about records that a preparation has repeated in their group.

The answers to these copies count for that only: to others they would be further records.
"""

from typing import NamedTuple

import numpy as np

from batchwright.analysis.statistics.participants.gold import keys_of_answers
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.base.i18n import ngettext
from batchwright.base.local_formats import count_text
from batchwright.prepare.columns import COPY_OF, RECORD_ID


def are_about_copies(table: AnswerTable) -> np.ndarray:
    """Whether each answer is about a record that came a second time in its group."""
    if COPY_OF not in table.fields:
        return np.zeros(len(table), bool)
    is_copy = np.array([bool(text) for text in table.fields[COPY_OF].texts()], bool)
    return is_copy[table.tasks.codes]


def copies_sentence(table: AnswerTable) -> str:
    """How many answers are about copies; empty if none are."""
    count = int(are_about_copies(table).sum())
    if not count:
        return ""
    text = ngettext(
        "{count} answer about a repeated record says only how far the participant agrees with themselves.",
        "{count} answers about repeated records say only how far participants agree with themselves.",
        count,
    )
    return text.format(count=count_text(count))


class SelfAgreement(NamedTuple):
    """The codes of participants who answered a record again, and whether they gave the same answer."""

    participants: np.ndarray
    is_equal: np.ndarray


def self_agreement(table: AnswerTable, index: int) -> SelfAgreement:
    """Compare the answers to a question about repeated records with the first ones of each participant."""
    if not {COPY_OF, RECORD_ID} <= table.fields.keys():
        return SelfAgreement(np.zeros(0, np.int64), np.zeros(0, bool))
    answers = table.answers_of(index)
    tasks = table.tasks.codes[answers]
    originals, ids = table.fields[COPY_OF].texts(), table.fields[RECORD_ID].texts()
    repeated = {*filter(None, originals)}
    compared = [bool(originals[task]) or ids[task] in repeated for task in tasks.tolist()]
    answers, tasks = answers[compared], tasks[compared]
    keys = keys_of_answers(table, table.questions[index], answers)
    participants = table.participants.codes[answers].tolist()
    first: dict[tuple[int, str], object] = {}
    again: list[tuple[int, str, object]] = []
    for participant, task, key in zip(participants, tasks.tolist(), keys, strict=True):
        if originals[task]:
            again.append((participant, originals[task], key))
        else:
            first[participant, ids[task]] = key
    pairs = [
        (participant, first[participant, id] == key)
        for participant, id, key in again
        if (participant, id) in first
    ]
    return SelfAgreement(
        np.array([participant for participant, _is_equal in pairs], np.int64),
        np.array([is_equal for _participant, is_equal in pairs], bool),
    )
