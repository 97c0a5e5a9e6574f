"""A filter for answers, and the answers that match it."""

from dataclasses import dataclass

from batchwright.base.cooperative import yielding_gil
from batchwright.results.answer_table import Answers, TaskAnswers


@dataclass(frozen=True)
class AnswerFilter:
    """A filter for answers, by text, question and participant; an empty field matches everything."""

    text: str = ""
    question: str = ""
    participant: str = ""

    def apply(self, answers: Answers) -> "FilteredAnswers":
        """The answers that match."""
        text = self.text.strip().casefold()
        sheets = tuple(
            sheet
            for sheet in yielding_gil(answers.sheets)
            if self.participant in ("", sheet.participant)
            and (not self.question or self.question in sheet.answers)
            and (text in sheet.search_text or text in sheet.title.casefold())
        )
        count = len(sheets) if self.question else sum(len(sheet.answers) for sheet in sheets)
        return FilteredAnswers(sheets, count, len({sheet.participant for sheet in sheets}))


@dataclass(frozen=True)
class FilteredAnswers:
    """The rows that match a filter, with the number of answers in them and of participants."""

    sheets: tuple[TaskAnswers, ...] = ()
    answers: int = 0
    participants: int = 0
