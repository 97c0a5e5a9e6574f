"""Aggregated labels: one value per record and question, with its support."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from batchwright.analysis.answer_table import AnswerTable
from batchwright.analysis.dawid_skene import dawid_skene
from batchwright.analysis.questions import AnalysedQuestion, QuestionKind
from batchwright.analysis.ratings import Ratings, ratings_of, selects

SEPARATOR = "; "
"""Separates the options of a set, and tied labels."""
MAX_OPTIONS = 100
"""Maximum number of options for Dawid and Skene's estimate."""


@dataclass(frozen=True)
class LabelRow:
    """The label of a record.

    Of a single choice: the option with most votes; `confidence` is its share. Of several options: those that
    more than half of the participants selected; `confidence` is the mean share that agrees with the label. Of
    numbers: the median; no confidence. If options have equal votes, `label` is empty and `tied` lists them.
    """

    question: str
    unit: str
    task: str
    datapoint: str
    ratings: int
    label: str
    tied: str
    confidence: float
    model_label: str
    """The most probable label by Dawid and Skene's model, if wanted and if tasks have several ratings."""
    model_probability: float


def label_rows(table: AnswerTable, *, has_model: bool = False) -> list[LabelRow]:
    """Return the labels of all records for every question with options or numbers.

    With a model, labels of single choices are also estimated with that of Dawid and Skene.
    """
    rows: list[LabelRow] = []
    for index, question in enumerate(table.questions):
        if question.kind is QuestionKind.CHOICE:
            ratings = ratings_of(table, index)
            rows += _choice_labels(table, question, ratings, _model(ratings) if has_model else None)
        elif question.kind is QuestionKind.CHOICES:
            rows += _set_labels(table, question, ratings_of(table, index))
        elif question.kind is QuestionKind.NUMBER:
            for unit in _units(table, index):
                rows += _medians(table, question, unit, ratings_of(table, index, unit))
    return rows


def majority(counts: Sequence[int]) -> list[int]:
    """Return the indexes of the most frequent values; several in case of a tie, none without votes."""
    most = max(counts, default=0)
    return [index for index, count in enumerate(counts) if count == most and most]


def _units(table: AnswerTable, index: int) -> list[str]:
    codes = np.unique(table.units.codes[table.entries_of(index)]).tolist()
    return sorted("" if code < 0 else table.units.values[code] for code in codes)


def _choice_labels(
    table: AnswerTable, question: AnalysedQuestion, ratings: Ratings, model: np.ndarray | None
) -> Iterator[LabelRow]:
    if not len(ratings.values) or not ratings.is_countable:
        return
    names = _names(question, ratings)
    for unit, counts in enumerate(ratings.counts.tolist()):
        best, total = majority(counts), sum(counts)
        label, tied = (names[best[0]], "") if len(best) == 1 else ("", SEPARATOR.join(names[i] for i in best))
        likely = None if model is None else int(model[unit].argmax())
        yield LabelRow(
            question.id,
            "",
            *_place(table, ratings, unit),
            total,
            label,
            tied,
            counts[best[0]] / total,
            "" if likely is None else names[likely],
            float("nan") if model is None else float(model[unit, likely]),
        )


def _names(question: AnalysedQuestion, ratings: Ratings) -> list[str]:
    """Return the label of each value in the domain."""
    if not question.is_scale:
        return [option.label for option in question.options]
    labels = {option.number: option.label for option in reversed(question.options)}
    return [labels[value] for value in ratings.domain if isinstance(value, float)]


def _model(ratings: Ratings) -> np.ndarray | None:
    """Return the probability of each value for each unit; None without units with several ratings."""
    has_several = len(ratings.values) > ratings.unit_count
    is_small = len(ratings.domain) <= MAX_OPTIONS and ratings.is_countable
    return dawid_skene(ratings) if has_several and is_small else None


def _set_labels(table: AnswerTable, question: AnalysedQuestion, ratings: Ratings) -> Iterator[LabelRow]:
    sizes = ratings.sizes
    votes = [
        np.bincount(ratings.units, weights=selected[ratings.values], minlength=ratings.unit_count)
        for option in range(len(question.options))
        for selected in [selects(question, ratings, option)]
    ]
    if not votes or not len(sizes):
        return
    shares = np.stack(votes, axis=1) / sizes[:, None]
    confidence = np.maximum(shares, 1 - shares).mean(axis=1).tolist()
    labels = [option.label for option in question.options]
    for unit, row in enumerate(shares.tolist()):
        chosen = SEPARATOR.join(label for label, share in zip(labels, row, strict=True) if share > 1 / 2)
        tied = SEPARATOR.join(label for label, share in zip(labels, row, strict=True) if share == 1 / 2)
        place = _place(table, ratings, unit)
        yield LabelRow(
            question.id, "", *place, int(sizes[unit]), chosen, tied, confidence[unit], "", float("nan")
        )


def _medians(
    table: AnswerTable, question: AnalysedQuestion, unit_name: str, ratings: Ratings
) -> Iterator[LabelRow]:
    if not len(ratings.values):
        return
    numbers = np.array(ratings.domain, dtype=np.float64)[ratings.values]
    order = np.lexsort((numbers, ratings.units))
    ends = np.cumsum(np.bincount(ratings.units, minlength=ratings.unit_count))
    for unit, part in enumerate(np.split(numbers[order], ends[:-1])):
        place, median = _place(table, ratings, unit), f"{float(np.median(part)):g}"
        yield LabelRow(question.id, unit_name, *place, len(part), median, "", float("nan"), "", float("nan"))


def _place(table: AnswerTable, ratings: Ratings, unit: int) -> tuple[str, str]:
    code = int(ratings.unit_codes[unit])
    return table.tasks.values[code], table.datapoints[code]
