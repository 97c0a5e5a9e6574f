"""Aggregated labels: one value per record and question, with its support."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from batchwright.analysis.statistics.dawid_skene import dawid_skene
from batchwright.analysis.statistics.numbers import group_medians
from batchwright.analysis.statistics.ratings import Ratings, ratings_of, selects
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.headings import Heading
from batchwright.analysis.store.questions import AnalysedQuestion, QuestionKind
from batchwright.base.cooperative import yielding_gil
from batchwright.base.i18n import N_

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
    unit: Annotated[str, Heading(N_("Unit"))]
    task: Annotated[str, Heading(N_("Task"), N_("Record"))]
    datapoint: Annotated[str, Heading(N_("Datapoint"))]
    ratings: Annotated[int, Heading(N_("Answers"))]
    label: Annotated[str, Heading(N_("Label"))]
    tied: Annotated[str, Heading(N_("Tied"))]
    confidence: Annotated[float, Heading(N_("Confidence"), is_share=True)]
    model_label: Annotated[str, Heading(N_("Label by the model"), N_("Most probable label"))]
    """The most probable label by Dawid and Skene's model, if wanted and if tasks have several ratings."""
    model_probability: Annotated[float, Heading(N_("Probability"), is_share=True)]


@dataclass(frozen=True, eq=False)
class RecordLabels:
    """The labels of the records in one question and unit of measure.

    A row is created when it is read: a million answers have more labels than anybody reads.
    """

    count: int
    ties: int
    """How many records have several labels with equal votes."""
    has_model: bool
    """Whether labels are also estimated with Dawid and Skene's model."""
    row: Callable[[int], LabelRow]
    """Returns a label by its index."""


def label_rows(table: AnswerTable, *, has_model: bool = False) -> list[LabelRow]:
    """The labels of all records for every question with options or numbers.

    With a model, labels of single choices are also estimated with that of Dawid and Skene.
    """
    return [
        labels.row(index)
        for question in range(len(table.questions))
        for labels in record_labels(table, question, has_model=has_model)
        for index in yielding_gil(range(labels.count))
    ]


def record_labels(table: AnswerTable, index: int, *, has_model: bool = False) -> list[RecordLabels]:
    """The labels of a question in each unit of measure, see `label_rows`; none without labels."""
    question = table.questions[index]
    if question.kind is QuestionKind.NUMBER:
        found = [_medians(table, index, unit) for unit in _units(table, index)]
    elif question.kind is QuestionKind.CHOICES:
        found = [_set_labels(table, index)]
    elif question.kind is QuestionKind.CHOICE:
        found = [_choice_labels(table, index, has_model=has_model)]
    else:
        found = []
    return [labels for labels in found if labels is not None]


def majority(counts: Sequence[int]) -> list[int]:
    """The indexes of the most frequent values; several in case of a tie, none without votes."""
    most = max(counts, default=0)
    return [index for index, count in enumerate(counts) if count == most and most]


def _units(table: AnswerTable, index: int) -> list[str]:
    codes = np.unique(table.units.codes[table.entries_of(index)]).tolist()
    return sorted("" if code < 0 else table.units.values[code] for code in codes)


def _choice_labels(table: AnswerTable, index: int, *, has_model: bool) -> RecordLabels | None:
    question, ratings = table.questions[index], ratings_of(table, index)
    if not len(ratings.values) or not ratings.is_countable:
        return None
    names, all_counts = _labels_of_values(question, ratings), ratings.counts
    model = _model_probabilities(ratings) if has_model else None

    def row(unit: int) -> LabelRow:
        counts = all_counts[unit].tolist()
        best, total = majority(counts), sum(counts)
        label = names[best[0]] if len(best) == 1 else ""
        tied = SEPARATOR.join(names[index] for index in best) if len(best) > 1 else ""
        likely = None if model is None else int(model[unit].argmax())
        return LabelRow(
            question.id,
            "",
            *_record_of(table, ratings, unit),
            total,
            label,
            tied,
            counts[best[0]] / total,
            "" if likely is None else names[likely],
            float("nan") if model is None else float(model[unit, likely]),
        )

    ties = (all_counts == all_counts.max(axis=1, keepdims=True)).sum(axis=1) > 1
    return RecordLabels(len(all_counts), int(ties.sum()), model is not None, row)


def _labels_of_values(question: AnalysedQuestion, ratings: Ratings) -> list[str]:
    """The label of each value in the domain."""
    if not question.is_scale:
        return [option.label for option in question.options]
    labels = {option.number: option.label for option in reversed(question.options)}
    return [labels[value] for value in ratings.domain if isinstance(value, float)]


def _model_probabilities(ratings: Ratings) -> np.ndarray | None:
    """The probability of each value for each unit; None without units with several ratings."""
    has_several = len(ratings.values) > ratings.unit_count
    is_small = len(ratings.domain) <= MAX_OPTIONS and ratings.is_countable
    return dawid_skene(ratings) if has_several and is_small else None


def _set_labels(table: AnswerTable, index: int) -> RecordLabels | None:
    question, ratings = table.questions[index], ratings_of(table, index)
    votes = [
        np.bincount(ratings.units, weights=selected[ratings.values], minlength=ratings.unit_count)
        for option in range(len(question.options))
        for selected in [selects(question, ratings, option)]
    ]
    if not votes or not ratings.unit_count:
        return None
    sizes = ratings.sizes
    shares = np.stack(votes, axis=1) / sizes[:, None]
    confidence = np.maximum(shares, 1 - shares).mean(axis=1)
    labels = [option.label for option in question.options]

    def row(unit: int) -> LabelRow:
        given = list(zip(labels, shares[unit].tolist(), strict=True))
        chosen = SEPARATOR.join(label for label, share in given if share > 1 / 2)
        tied = SEPARATOR.join(label for label, share in given if share == 1 / 2)
        record, support = _record_of(table, ratings, unit), float(confidence[unit])
        return LabelRow(question.id, "", *record, int(sizes[unit]), chosen, tied, support, "", float("nan"))

    return RecordLabels(len(shares), int((shares == 1 / 2).any(axis=1).sum()), False, row)


def _medians(table: AnswerTable, index: int, unit_name: str) -> RecordLabels | None:
    question, ratings = table.questions[index], ratings_of(table, index, unit_name)
    if not len(ratings.values):
        return None
    numbers = np.array(ratings.domain, dtype=np.float64)[ratings.values]
    medians, sizes = group_medians(numbers, ratings.units, ratings.unit_count), ratings.sizes

    def row(unit: int) -> LabelRow:
        record, median = _record_of(table, ratings, unit), f"{medians[unit]:g}"
        none = float("nan")
        return LabelRow(question.id, unit_name, *record, int(sizes[unit]), median, "", none, "", none)

    return RecordLabels(len(medians), 0, False, row)


def _record_of(table: AnswerTable, ratings: Ratings, unit: int) -> tuple[str, str]:
    """The task and the datapoint of a unit."""
    code = int(ratings.unit_codes[unit])
    return table.tasks.values[code], table.datapoints[code]
