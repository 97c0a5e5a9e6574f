"""Counts how often each option of a question was selected."""

from collections import Counter
from dataclasses import dataclass

from batchwright.base.cooperative import yielding_gil
from batchwright.base.i18n import _
from batchwright.results.answer_table import Answers
from batchwright.results.questions import AnsweredQuestion


@dataclass(frozen=True)
class Count:
    """How often one option was selected; `series` is its index among the options, None for others."""

    label: str
    count: int
    series: int | None = None


@dataclass(frozen=True)
class OptionCounts:
    """The counts of one question, in the order of its options; `answers` is the number of answers to it.

    If several options may be selected, the counts add up to more than the answers.
    """

    question: AnsweredQuestion
    answers: int
    counts: tuple[Count, ...]

    def share(self, count: Count) -> float:
        """Return the fraction of answers that selected an option, from 0 to 1."""
        return count.count / self.answers if self.answers else 0.0

    def condensed(self, most: int) -> "OptionCounts":
        """Return at most `most` counts: sorted in descending order, the remaining ones combined."""
        if len(self.counts) <= most:
            return self
        ordered = sorted(self.counts, key=lambda count: -count.count)
        largest, rest = ordered[: most - 1], ordered[most - 1 :]
        more = Count(_("{count} more").format(count=len(rest)), sum(count.count for count in rest))
        return OptionCounts(self.question, self.answers, (*largest, more))


def count_options(answers: Answers, question: AnsweredQuestion) -> OptionCounts:
    """Count the selections of each option of a question; values that are no longer options come last."""
    chosen: Counter[int] = Counter()
    other: Counter[str] = Counter()
    answer_count = 0
    for sheet in yielding_gil(answers.sheets):
        answer = sheet.answers.get(question.id)
        if answer is not None:
            answer_count += 1
            chosen.update(answer.chosen)
            other.update(answer.other_values)
    counts = [Count(label, chosen[number], number) for number, label in enumerate(question.labels)]
    counts += [Count(label, count) for label, count in other.items()]
    return OptionCounts(question, answer_count, tuple(counts))


def count_all_options(answers: Answers) -> tuple[OptionCounts, ...]:
    """Count the options of all questions that have options."""
    return tuple(count_options(answers, question) for question in answers.questions if question.has_options)
