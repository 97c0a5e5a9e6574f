"""Participants: what may be worth a look. Hints, not verdicts: there are good reasons for each of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from batchwright.analysis.answer_table import AnswerTable
from batchwright.analysis.questions import QuestionKind
from batchwright.analysis.ratings import Ratings, ratings_of
from batchwright.base.i18n import _

MIN_ANSWERS = 10
"""Minimum number of answers for hints about straight-lining and agreement."""
STRAIGHT_LINING = 0.95
FAST = 1 / 3
"""A participant is fast with less than this fraction of the median time of all participants."""
LOW_AGREEMENT = 0.5
"""Agreement is low below this fraction of the mean agreement of all participants."""


@dataclass(frozen=True)
class ParticipantRow:
    """A participant; shares are from 0 to 1 and empty if nothing can be said."""

    participant: str
    answers: int
    tasks: int
    median_seconds: float
    """Per task, from the end of the previous one."""
    straight_lining: float
    """The largest share of one option among the answers to a single choice."""
    agreement: float
    """The mean share of the other participants with the same answer, over single choices."""
    gold_answers: int
    """Answers to records whose right answer is known."""
    gold_accuracy: float
    hints: str


def participant_rows(table: AnswerTable, gold_field: str = "") -> list[ParticipantRow]:
    """Return all participants, sorted by id; `gold_field` is the field with the right answer, if any."""
    people = len(table.participants.values)
    answers = np.bincount(table.participants.codes, minlength=people)
    tasks = np.bincount(table.participants.codes[_first_of_task(table)], minlength=people)
    seconds = _median_seconds(table, people)
    lining, agreement = np.full(people, np.nan), _Mean(people)
    gold = _Mean(people)
    for index, question in enumerate(table.questions):
        if question.kind is QuestionKind.CHOICE:
            ratings = ratings_of(table, index)
            lining = np.fmax(lining, _largest_shares(ratings, people))
            _add_agreement(agreement, ratings)
            if gold_field in table.fields:
                _add_gold(gold, table, index, gold_field)
    hints = _hints(seconds, lining, agreement.values)
    rows = [
        ParticipantRow(
            id,
            int(answers[code]),
            int(tasks[code]),
            float(seconds[code]),
            float(lining[code]),
            float(agreement.values[code]),
            int(gold.counts[code]),
            float(gold.values[code]),
            hints[code],
        )
        for code, id in enumerate(table.participants.values)
        if answers[code]
    ]
    return sorted(rows, key=lambda row: row.participant)


class _Mean:
    """Means by participant."""

    def __init__(self, people: int) -> None:
        self.counts = np.zeros(people)
        self._sums = np.zeros(people)

    def add(self, people: np.ndarray, values: np.ndarray) -> None:
        self.counts += np.bincount(people, minlength=len(self.counts))
        self._sums += np.bincount(people, weights=values, minlength=len(self.counts))

    @cached_property
    def values(self) -> np.ndarray:
        """The means; NaN without values."""
        return np.divide(
            self._sums, self.counts, out=np.full(len(self.counts), np.nan), where=self.counts > 0
        )


def _first_of_task(table: AnswerTable) -> np.ndarray:
    """Return an answer of each participant to each task."""
    keys = table.participants.codes.astype(np.int64) * (len(table.tasks.values) + 1) + table.tasks.codes
    return np.unique(keys, return_index=True)[1]


def _median_seconds(table: AnswerTable, people: int) -> np.ndarray:
    """Return the median seconds per task of each participant."""
    first = _first_of_task(table)
    seconds, person = table.seconds[first], table.participants.codes[first]
    is_known = np.isfinite(seconds)
    seconds, person = seconds[is_known], person[is_known]
    order = np.lexsort((seconds, person))
    ends = np.cumsum(np.bincount(person, minlength=people))
    parts = np.split(seconds[order], ends[:-1]) if people else []
    return np.array([float(np.median(part)) if len(part) else np.nan for part in parts])


def _largest_shares(ratings: Ratings, people: int) -> np.ndarray:
    """Return the share of the most frequent value of each rater with enough ratings."""
    width = max(1, len(ratings.domain))
    counts = np.bincount(ratings.raters * width + ratings.values, minlength=people * width).reshape(
        people, width
    )
    total = counts.sum(axis=1)
    return np.where(total >= MIN_ANSWERS, counts.max(axis=1) / np.maximum(total, 1), np.nan)


def _add_agreement(agreement: _Mean, ratings: Ratings) -> None:
    """Add for each rating the share of the other ratings of its unit with the same value."""
    width = max(1, len(ratings.domain))
    cells = ratings.units * width + ratings.values
    _cells, cell_of, same = np.unique(cells, return_inverse=True, return_counts=True)
    sizes = np.bincount(ratings.units, minlength=ratings.unit_count)[ratings.units]
    has_others = sizes > 1
    shares = (same[cell_of.reshape(-1)] - 1)[has_others] / (sizes[has_others] - 1)
    agreement.add(ratings.raters[has_others], shares)


def _add_gold(gold: _Mean, table: AnswerTable, index: int, name: str) -> None:
    """Add for each answer to a record with a right answer whether its option has that value or label."""
    options = table.questions[index].options
    column = table.fields[name]
    names = [{option.value, option.label} for option in options]
    if not any(value in known for value in column.values for known in names):
        return
    entries = table.entries_of(index)
    answers = table.entry_answers[entries]
    codes = column.codes[table.tasks.codes[answers]]
    right = np.array([[value in known for known in names] + [False] for value in column.values], dtype=bool)
    is_gold = codes >= 0
    is_gold &= right.any(axis=1)[codes]
    correct = right[codes[is_gold], table.options[entries][is_gold]]
    gold.add(table.participants.codes[answers][is_gold], correct.astype(float))


def _hints(seconds: np.ndarray, lining: np.ndarray, agreement: np.ndarray) -> list[str]:
    usual_seconds, usual_agreement = _median(seconds), _median(agreement)
    checks: Sequence[tuple[str, np.ndarray]] = (
        (_("much faster than others"), seconds < FAST * usual_seconds),
        (_("nearly always the same option"), lining >= STRAIGHT_LINING),
        (_("agrees with others less than usual"), agreement < LOW_AGREEMENT * usual_agreement),
    )
    return [", ".join(text for text, is_hint in checks if is_hint[person]) for person in range(len(seconds))]


def _median(values: np.ndarray) -> float:
    known = values[np.isfinite(values)]
    return float(np.median(known)) if len(known) else float("nan")
