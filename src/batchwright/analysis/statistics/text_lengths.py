"""Texts: how long the answers to a question are, and a list of them to search."""

import math
import re
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.headings import Heading
from batchwright.analysis.store.questions import QuestionKind
from batchwright.base.cooperative import yielding_gil
from batchwright.base.i18n import N_

MAX_TEXTS = 500
"""Maximum number of texts in a list."""

_WITHOUT_SPACES = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f\U00020000-\U0003ffff]"
)
"""Letters of Thai, Lao, Burmese, Khmer, Japanese and Chinese, which put no spaces between words."""


@dataclass(frozen=True)
class TextSummary:
    """Lengths of the answers to a question; a text is empty if it has no character but white space.

    There are no numbers of words if an answer is in a script without spaces between words.
    """

    question: str
    answers: Annotated[int, Heading(N_("Answers"))]
    empty: Annotated[int, Heading(N_("Empty"))]
    different: Annotated[int, Heading(N_("Different texts"))]
    """How many different texts there are."""
    mean_characters: Annotated[float, Heading(N_("Mean characters"))]
    median_characters: Annotated[float, Heading(N_("Median characters"))]
    longest_characters: Annotated[int, Heading(N_("Longest, in characters"))]
    mean_words: Annotated[float, Heading(N_("Mean words"))]
    median_words: Annotated[float, Heading(N_("Median words"))]


@dataclass(frozen=True)
class TextRow:
    """A text, and how many answers are that text."""

    text: Annotated[str, Heading(N_("Text"))]
    answers: Annotated[int, Heading(N_("Answers"))]
    words: Annotated[int | None, Heading(N_("Words"))]
    """None in a script without spaces between words."""


def text_summaries(table: AnswerTable) -> list[TextSummary]:
    """Summarize every question that asks for a text, including those that are no longer in the layout."""
    lengths = np.array([len(text) for text in table.values.values], dtype=np.int64)
    words = np.array([_words(text) for text in table.values.values], dtype=np.float64)
    return [
        _summary(table, index, lengths, words)
        for index, question in enumerate(table.questions)
        if question.kind is QuestionKind.TEXT
    ]


def text_rows(table: AnswerTable, question: str, search: str = "") -> list[TextRow]:
    """List the texts given to a question that contain another text, the most frequent first.

    Case is ignored. At most `MAX_TEXTS` are returned.
    """
    search, index = search.casefold(), table.question_index(question)
    if index is None:
        return []
    codes = table.values.codes[table.entries_of(index)]
    counts = np.bincount(codes[codes >= 0], minlength=len(table.values.values))
    order = np.argsort(-counts, kind="stable")
    rows: list[TextRow] = []
    for code in yielding_gil(order[counts[order] > 0].tolist()):
        text = table.values.values[code]
        if text.strip() and search in text.casefold():
            rows.append(TextRow(text, int(counts[code]), _words(text)))
        if len(rows) == MAX_TEXTS:
            break
    return rows


def _words(text: str) -> int | None:
    """The number of words; None in a script without spaces between words."""
    return len(text.split()) if text.isascii() or not _WITHOUT_SPACES.search(text) else None


def _summary(table: AnswerTable, index: int, lengths: np.ndarray, words: np.ndarray) -> TextSummary:
    """Summarize one question, given the numbers of characters and words of every different text.

    A number of words that is not known is NaN, and so is a mean or median of it.
    """
    answers = len(table.answers_of(index))
    codes = table.values.codes[table.entries_of(index)]
    codes = codes[codes >= 0]
    codes = codes[words[codes] != 0]
    id = table.questions[index].id
    if not len(codes):
        return TextSummary(id, answers, answers, 0, math.nan, math.nan, 0, math.nan, math.nan)
    return TextSummary(
        id,
        answers,
        answers - len(codes),
        len(np.unique(codes)),
        float(lengths[codes].mean()),
        float(np.median(lengths[codes])),
        int(lengths[codes].max()),
        float(words[codes].mean()),
        float(np.median(words[codes])),
    )
