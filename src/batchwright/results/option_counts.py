"""Counting: how often each option of a question was chosen."""

from collections import Counter
from dataclasses import dataclass

from batchwright.base.cooperative import yielding_gil
from batchwright.base.i18n import _
from batchwright.results.answer_table import Answers
from batchwright.results.questions import AnsweredQuestion


@dataclass(frozen=True)
class Count:
    """How often one option was chosen; `series` is its number among the options, None for the rest."""

    label: str
    count: int
    series: int | None = None


@dataclass(frozen=True)
class OptionCounts:
    """The counts of one question, in the order of its options; `answers` is how many people answered it.

    Where several options may be chosen, the counts add up to more than the answers.
    """

    question: AnsweredQuestion
    answers: int
    counts: tuple[Count, ...]

    def share(self, count: Count) -> float:
        """The part of all answers that chose an option, from 0 to 1."""
        return count.count / self.answers if self.answers else 0.0

    def condensed(self, most: int) -> "OptionCounts":
        """The same with `most` bars at most: sorted, the rest together."""
        if len(self.counts) <= most:
            return self
        ordered = sorted(self.counts, key=lambda count: -count.count)
        kept, rest = ordered[: most - 1], ordered[most - 1 :]
        more = Count(_("{count} more").format(count=len(rest)), sum(count.count for count in rest))
        return OptionCounts(self.question, self.answers, (*kept, more))


def count_options(answers: Answers, question: AnsweredQuestion) -> OptionCounts:
    """How often each option of a question was chosen; what is no option any more stands at the end."""
    chosen: Counter[int] = Counter()
    other: Counter[str] = Counter()
    given = 0
    for sheet in yielding_gil(answers.sheets):
        answer = sheet.answers.get(question.id)
        if answer is not None:
            given += 1
            chosen.update(answer.chosen)
            other.update(answer.other)
    counts = [Count(label, chosen[number], number) for number, label in enumerate(question.labels)]
    counts += [Count(label, count) for label, count in other.items()]
    return OptionCounts(question, given, tuple(counts))


def count_all_options(answers: Answers) -> tuple[OptionCounts, ...]:
    """The tallies of all questions that have options."""
    return tuple(count_options(answers, question) for question in answers.questions if question.has_options)
