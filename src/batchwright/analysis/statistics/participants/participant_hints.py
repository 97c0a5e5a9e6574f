"""Participants: what may be worth a look. Hints, not verdicts: there are good reasons for each of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from batchwright.analysis.statistics.agreement.ratings import Ratings, ratings_of
from batchwright.analysis.statistics.intervals import wilson
from batchwright.analysis.statistics.numbers import group_medians
from batchwright.analysis.statistics.participants.gold import gold_answers
from batchwright.analysis.statistics.participants.self_agreement import self_agreement
from batchwright.analysis.statistics.unit_conversion import UnitConversion
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.headings import Heading
from batchwright.analysis.store.questions import AnalysedQuestion, QuestionKind
from batchwright.analysis.store.sampling import Clusters
from batchwright.base.i18n import N_, _, ngettext
from batchwright.base.local_formats import count_text, joined

MIN_ANSWERS = 10
"""Minimum number of answers for hints about straight-lining and agreement."""
STRAIGHT_LINING = 0.95
"""Share of one option from which a participant is straight-lining, if it is also larger than usual."""
FAST = 1 / 3
"""A participant is fast with less than this fraction of the median time of all participants."""
TOO_FAST_S = 1.0
"""Nobody reads and answers a task in fewer seconds."""
FEW_PARTICIPANTS = 20
"""With fewer participants, further ones may differ more than the intervals say."""
LARGE_SHARE = 0.3
"""Share of all answers above which a single participant dominates the results."""
LOW_AGREEMENT = 0.5
"""Agreement is low below this fraction of the median agreement of all participants."""


UNDER_1_S = "under_1_s"
"""The hint that has the number of tasks, as `under_1_s=3`."""
HINT_TEXTS = {
    "fast": N_("much faster than others"),
    "same_option": N_("nearly always the same option"),
    "low_agreement": N_("agrees with others less than usual"),
}
"""The other hints in words, to be translated."""
_SEPARATOR = "; "


def hints_text(hints: str) -> str:
    """The hints about a participant in words."""
    return joined(_hint_text(*hint.split("=")) for hint in hints.split(_SEPARATOR) if hint)


def _hint_text(name: str, tasks: str = "") -> str:
    if name != UNDER_1_S:
        return _(HINT_TEXTS[name])
    text = ngettext("{count} task in less than a second", "{count} tasks in less than a second", int(tasks))
    return text.format(count=count_text(int(tasks)))


@dataclass(frozen=True)
class ParticipantRow:
    """A participant; shares are from 0 to 1 and empty if nothing can be said."""

    participant: Annotated[str, Heading(N_("Participant"))]
    answers: Annotated[int, Heading(N_("Answers"))]
    tasks: Annotated[int, Heading(N_("Records"), N_("Tasks"))]
    median_seconds: Annotated[float, Heading(N_("Median seconds"), N_("Time per task"))]
    """Per task, from the end of the previous one."""
    straight_lining: Annotated[float, Heading(N_("Most frequent option"), N_("Same option"), is_share=True)]
    """The largest share of one option among the answers to a single choice."""
    longest_run: Annotated[int, Heading(N_("Longest run"))]
    """The most answers in a row with the same option, in the order of their times, to a single choice."""
    agreement: Annotated[float, Heading(N_("Agreement with others"), N_("Agreement"), is_share=True)]
    """The mean share of the other participants with the same answer, over questions with options."""
    gold_answers: Annotated[int, Heading(N_("Known records"))]
    """Answers to records whose right answer is known."""
    gold_accuracy: Annotated[
        float,
        Heading(N_("Accuracy"), N_("Right answers"), is_share=True, interval=("gold_low", "gold_high")),
    ]
    gold_low: float
    gold_high: float
    repeated_answers: Annotated[int, Heading(N_("Repeated records"))]
    """Answers to records that came a second time in the participant's task group."""
    self_agreement: Annotated[float, Heading(N_("Agreement with oneself"), N_("Same again"), is_share=True)]
    """The share of these answers that are the same as the first time."""
    hints: Annotated[str, Heading(N_("Hints"), words=hints_text)]
    """Identifiers, separated by semicolons."""


def participants_sentence(table: AnswerTable, clusters: Clusters) -> str:
    """Why results of further participants are uncertain; empty if they are not, or units are participants.

    `clusters` is what intervals are about.
    """
    counts = np.bincount(table.participants.codes)
    counts = counts[counts > 0]
    if table.is_survey or not len(counts):
        return ""
    largest = float(counts.max()) / len(table)
    if len(counts) >= FEW_PARTICIPANTS and largest <= LARGE_SHARE:
        return ""
    text = ngettext(
        "{count} participant gave these answers.",
        "{count} participants gave these answers, one of them {share} %.",
        len(counts),
    ).format(count=count_text(len(counts)), share=count_text(round(100 * largest)))
    if clusters is not Clusters.RECORDS:
        return f"{text} " + _("Intervals about further participants are wide for that reason.")
    return f"{text} " + _(
        "Intervals are about further records answered by the same people; results of other participants may "
        "differ by more. Intervals can be about further participants instead."
    )


def participant_rows(
    table: AnswerTable,
    gold_field: str = "",
    gold_question: str = "",
    units: Sequence[UnitConversion] = (),
) -> list[ParticipantRow]:
    """All participants, sorted by id.

    Args:
        table: the answers.
        gold_field: the field with the right answer, if any.
        gold_question: id of the question that it answers; without it, all of which it names options.
        units: how the numbers of the table have been converted.
    """
    count = len(table.participants.values)
    answers = np.bincount(table.participants.codes, minlength=count)
    tasks = np.bincount(table.participants.codes[_one_answer_per_task(table)], minlength=count)
    seconds = _median_seconds(table, count)
    same_option, runs = np.full(count, np.nan), np.zeros(count, dtype=np.int64)
    agreement, gold, again = (_MeanByParticipant(count) for _mean in range(3))
    for index, question in enumerate(table.questions):
        if question.kind in (QuestionKind.CHOICE, QuestionKind.CHOICES):
            ratings = ratings_of(table, index)
            _add_agreement(agreement, ratings)
            again.add(*self_agreement(table, index))
            if question.kind is QuestionKind.CHOICE:
                same_option = np.fmax(same_option, _largest_shares(ratings, count))
                runs = np.maximum(runs, _longest_runs(table, index, count))
        if gold_field in table.fields and _is_gold_question(question, gold_question):
            found, is_right = gold_answers(table, index, gold_field, units)
            gold.add(table.participants.codes[found], is_right.astype(np.float64))
    has_enough = agreement.counts >= MIN_ANSWERS
    hints = _hints(seconds, same_option, np.where(has_enough, agreement.values, np.nan), _too_fast(table))
    rows = [
        ParticipantRow(
            id,
            int(answers[code]),
            int(tasks[code]),
            float(seconds[code]),
            float(same_option[code]),
            int(runs[code]),
            float(agreement.values[code]),
            int(gold.counts[code]),
            float(gold.values[code]),
            *wilson(float(gold.sums[code]), int(gold.counts[code])),
            int(again.counts[code]),
            float(again.values[code]),
            hints[code],
        )
        for code, id in enumerate(table.participants.values)
        if answers[code]
    ]
    return sorted(rows, key=lambda row: row.participant)


def _is_gold_question(question: AnalysedQuestion, gold_question: str) -> bool:
    if gold_question:
        return question.has_id(gold_question)
    return question.kind in (QuestionKind.CHOICE, QuestionKind.CHOICES)


class _MeanByParticipant:
    """The mean of the values of each participant, which are added question by question."""

    def __init__(self, count: int) -> None:
        self.counts = np.zeros(count)
        self.sums = np.zeros(count)

    def add(self, participants: np.ndarray, values: np.ndarray) -> None:
        self.counts += np.bincount(participants, minlength=len(self.counts))
        self.sums += np.bincount(participants, weights=values, minlength=len(self.counts))

    @cached_property
    def values(self) -> np.ndarray:
        """The means; NaN without values."""
        return np.divide(self.sums, self.counts, out=np.full(len(self.counts), np.nan), where=self.counts > 0)


def _one_answer_per_task(table: AnswerTable) -> np.ndarray:
    """An answer of each participant to each task."""
    keys = table.participants.codes.astype(np.int64) * (len(table.tasks.values) + 1) + table.tasks.codes
    return np.unique(keys, return_index=True)[1]


def _median_seconds(table: AnswerTable, count: int) -> np.ndarray:
    """The median seconds per task of each participant."""
    answers = _one_answer_per_task(table)
    seconds, participants = table.seconds[answers], table.participants.codes[answers]
    has_time = np.isfinite(seconds)
    return group_medians(seconds[has_time], participants[has_time], count)


def _largest_shares(ratings: Ratings, count: int) -> np.ndarray:
    """The share of the most frequent value of each rater with enough ratings."""
    width = max(1, len(ratings.domain))
    counts = np.bincount(ratings.raters * width + ratings.values, minlength=count * width).reshape(
        count, width
    )
    total = counts.sum(axis=1)
    return np.where(total >= MIN_ANSWERS, counts.max(axis=1) / np.maximum(total, 1), np.nan)


def _add_agreement(agreement: _MeanByParticipant, ratings: Ratings) -> None:
    """Add for each rating the share of the other ratings of its unit with the same value."""
    width = max(1, len(ratings.domain))
    cells = ratings.units * width + ratings.values
    _cells, cell_of, same = np.unique(cells, return_inverse=True, return_counts=True)
    sizes = np.bincount(ratings.units, minlength=ratings.unit_count)[ratings.units]
    has_others = sizes > 1
    shares = (same[cell_of.reshape(-1)] - 1)[has_others] / (sizes[has_others] - 1)
    agreement.add(ratings.raters[has_others], shares)


def _longest_runs(table: AnswerTable, index: int, count: int) -> np.ndarray:
    """The most equal options in a row of each participant; answers without an option are left out."""
    entries = table.entries_of(index)
    entries = entries[table.options[entries] >= 0]
    answers = table.entry_answers[entries]
    order = np.lexsort((table.times[answers], table.participants.codes[answers]))
    person, option = table.participants.codes[answers][order], table.options[entries][order]
    is_start = np.ones(len(order), dtype=bool)
    is_start[1:] = (np.diff(person) != 0) | (np.diff(option) != 0)
    starts = np.flatnonzero(is_start)
    longest = np.zeros(count, dtype=np.int64)
    np.maximum.at(longest, person[starts], np.diff(np.append(starts, len(order))))
    return longest


def _too_fast(table: AnswerTable) -> np.ndarray:
    """The number of tasks of each participant that were answered in less than a second.

    Equal times do not count: they may be written without fractions of a second, or even only as days.
    """
    answers = _one_answer_per_task(table)
    seconds = table.seconds[answers]
    fast = answers[(seconds > 0) & (seconds < TOO_FAST_S)]
    return np.bincount(table.participants.codes[fast], minlength=len(table.participants.values))


def _hints(
    seconds: np.ndarray, same_option: np.ndarray, agreement: np.ndarray, too_fast: np.ndarray
) -> list[str]:
    usual_seconds, usual_share, usual_agreement = map(_median, (seconds, same_option, agreement))
    checks = {
        "fast": seconds < FAST * usual_seconds,
        "same_option": (same_option >= STRAIGHT_LINING) & (same_option > usual_share),
        "low_agreement": agreement < LOW_AGREEMENT * usual_agreement,
    }
    under_1_s = [[f"{UNDER_1_S}={tasks}"] if tasks else [] for tasks in too_fast.tolist()]
    return [
        _SEPARATOR.join([*under_1_s[person], *(name for name in checks if checks[name][person])])
        for person in range(len(seconds))
    ]


def _median(values: np.ndarray) -> float:
    finite = values[np.isfinite(values)]
    return float(np.median(finite)) if len(finite) else float("nan")
