"""What is known of all answers together, as the filters and the header of Results show it."""

from dataclasses import dataclass
from datetime import date, timedelta

from batchwright.analysis.store.answer_query import AnswerColumn, AnswerSummary
from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.analysis.store.layout_use import LayoutUse
from batchwright.analysis.store.questions import AnalysedQuestion
from batchwright.base.local_time import local_time

MAX_VALUES = 1_001
"""Maximum number of participants, or of values of a field, that are read: one more than filters list."""
_MAX_DAYS = 400


@dataclass(frozen=True)
class AnswersOverview:
    """What is known of all answers together."""

    summary: AnswerSummary = AnswerSummary()  # noqa: RUF009 - frozen
    questions: tuple[AnalysedQuestion, ...] = ()
    participants: tuple[str, ...] = ()
    """The participants, sorted; at most `MAX_VALUES`."""
    fields: tuple[str, ...] = ()
    """The dataset's fields of which values are known."""
    new_answers: int = 0
    is_survey: bool = False
    """Whether the answers belong to no record, as those to a collection."""
    layout_use: LayoutUse = LayoutUse()  # noqa: RUF009 - frozen

    @property
    def days(self) -> tuple[date, ...]:
        """The days from the oldest to the newest answer, in local time; at most the last `_MAX_DAYS`."""
        oldest, newest = self.summary.oldest, self.summary.newest
        if oldest is None or newest is None:
            return ()
        first, last = local_time(oldest).date(), local_time(newest).date()
        count = min((last - first).days + 1, _MAX_DAYS)
        return tuple(last - timedelta(days=back) for back in range(count - 1, -1, -1))


def read_overview(store: AnswerStore) -> AnswersOverview:
    """Read the overview of a store, in a worker thread."""
    return AnswersOverview(
        store.summary(),
        store.questions,
        store.distinct(AnswerColumn.PARTICIPANT, MAX_VALUES),
        store.fields,
        store.new_answers,
        store.is_survey,
        store.layout_use(),
    )
