"""Aggregated labels: one value per record and question, with its support."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from batchwright.analysis.statistics.agreement.label_models import (
    MODEL_TEXTS,
    LabelModel,
    dawid_skene,
    one_coin,
)
from batchwright.analysis.statistics.agreement.ratings import Ratings, ratings_of, selects
from batchwright.analysis.statistics.numbers import group_medians
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.headings import Heading, words_of
from batchwright.analysis.store.questions import AnalysedQuestion, QuestionKind
from batchwright.base.i18n import N_
from batchwright.base.plain_numbers import plain_text

SEPARATOR = "; "
"""Separates the options of a set, and tied labels."""
MAX_OPTIONS = 100
"""Maximum number of options for labels by a model."""


@dataclass(frozen=True, slots=True)
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
    """The most probable label by the model, if one is wanted and if tasks have several ratings."""
    model_probability: Annotated[float, Heading(N_("Probability"), is_share=True)]
    model: Annotated[str, Heading(N_("Model"), words=words_of(MODEL_TEXTS))] = ""
    """The name of the model."""


@dataclass(frozen=True, eq=False)
class ChoiceLabels:
    """The labels of a single choice as indexes of values; a row per record."""

    tasks: np.ndarray
    """The codes of the tasks."""
    majority: np.ndarray
    """-1 if several values have equal votes."""
    model: np.ndarray
    """Those of the model, if there is one; else -1."""
    probabilities: np.ndarray
    """Those of the labels by the model; else NaN."""
    of_options: np.ndarray
    """The value of each option of the question."""
    ratings_per_rater: float
    """The median number of ratings of a rater."""


@dataclass(frozen=True, eq=False)
class RecordLabels:
    """The labels of the records in one question and unit of measure.

    A row is created when it is read: a million answers have more labels than anybody reads.
    """

    count: int
    ties: int
    """How many records have several labels with equal votes."""
    row: Callable[[int], LabelRow]
    """Returns a label by its index."""
    choice: ChoiceLabels | None = None
    """More about the labels of a single choice."""

    @property
    def has_model(self) -> bool:
        """Whether labels are also estimated with a model."""
        return self.choice is not None and bool((self.choice.model >= 0).any())


def record_labels(
    table: AnswerTable, index: int, model: LabelModel = LabelModel.MAJORITY
) -> list[RecordLabels]:
    """The labels of a question in each unit of measure, none without labels.

    With a model, labels of single choices are also estimated with it.
    """
    question = table.questions[index]
    if question.kind is QuestionKind.NUMBER:
        found = [_medians(table, index, unit) for unit in _units(table, index)]
    elif question.kind is QuestionKind.CHOICES:
        found = [_set_labels(table, index)]
    elif question.kind is QuestionKind.CHOICE:
        found = [_choice_labels(table, index, model)]
    else:
        found = []
    return [labels for labels in found if labels is not None]


def _units(table: AnswerTable, index: int) -> list[str]:
    codes = np.unique(table.units.codes[table.entries_of(index)]).tolist()
    return sorted("" if code < 0 else table.units.values[code] for code in codes)


def _choice_labels(table: AnswerTable, index: int, model: LabelModel) -> RecordLabels | None:
    question, ratings = table.questions[index], ratings_of(table, index)
    if not len(ratings.values) or not ratings.is_countable:
        return None
    names, all_counts = labels_of_values(question, ratings), ratings.counts
    most = all_counts.max(axis=1, keepdims=True)
    is_tied = (all_counts == most).sum(axis=1) > 1
    labels = ChoiceLabels(
        ratings.unit_codes,
        np.where(is_tied, -1, all_counts.argmax(axis=1)),
        *_labels_by_model(ratings, model),
        _values_of_options(question, ratings),
        float(np.median(np.unique(ratings.raters, return_counts=True)[1])),
    )
    model_name, sizes = str(model) if (labels.model >= 0).any() else "", ratings.sizes

    def row(unit: int) -> LabelRow:
        best, total = int(labels.majority[unit]), int(sizes[unit])
        tied = [] if best >= 0 else np.flatnonzero(all_counts[unit] == most[unit]).tolist()
        return LabelRow(
            question.id,
            "",
            *_record_of(table, ratings, unit),
            total,
            names[best] if best >= 0 else "",
            SEPARATOR.join(names[index] for index in tied),
            int(most[unit, 0]) / total,
            names[labels.model[unit]] if model_name else "",
            float(labels.probabilities[unit]),
            model_name,
        )

    return RecordLabels(len(all_counts), int(is_tied.sum()), row, labels)


def labels_of_values(question: AnalysedQuestion, ratings: Ratings) -> list[str]:
    """The label of each value in the domain."""
    if not question.is_scale:
        return [option.label for option in question.options]
    labels = {option.number: option.label for option in reversed(question.options)}
    return [labels[value] for value in ratings.domain if isinstance(value, float)]


def _values_of_options(question: AnalysedQuestion, ratings: Ratings) -> np.ndarray:
    """The index in the domain of the value of each option."""
    if not question.is_scale:
        return np.arange(len(question.options))
    numbers = np.array([option.number for option in question.options], dtype=np.float64)
    return np.searchsorted(np.array(ratings.domain, dtype=np.float64), numbers)


def _labels_by_model(ratings: Ratings, model: LabelModel) -> tuple[np.ndarray, np.ndarray]:
    """The most probable value of each unit and its probability; -1 and NaN if no unit has several ratings."""
    has_several = len(ratings.values) > ratings.unit_count
    if model is LabelModel.MAJORITY or not has_several or len(ratings.domain) > MAX_OPTIONS:
        return np.full(ratings.unit_count, -1), np.full(ratings.unit_count, np.nan)
    estimate = one_coin if model is LabelModel.ONE_COIN else dawid_skene
    probabilities = estimate(ratings)
    return probabilities.argmax(axis=1), probabilities.max(axis=1)


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

    return RecordLabels(len(shares), int((shares == 1 / 2).any(axis=1).sum()), row)


def _medians(table: AnswerTable, index: int, unit_name: str) -> RecordLabels | None:
    question, ratings = table.questions[index], ratings_of(table, index, unit_name)
    if not len(ratings.values):
        return None
    numbers = np.array(ratings.domain, dtype=np.float64)[ratings.values]
    medians, sizes = group_medians(numbers, ratings.units, ratings.unit_count), ratings.sizes

    def row(unit: int) -> LabelRow:
        record, median = _record_of(table, ratings, unit), _median_text(medians[unit])
        none = float("nan")
        return LabelRow(question.id, unit_name, *record, int(sizes[unit]), median, "", none, "", none)

    return RecordLabels(len(medians), 0, row)


def _median_text(median: float) -> str:
    """A median without the rounding errors of a mean of two numbers, or of a conversion of units."""
    return plain_text(median, digits=15)


def _record_of(table: AnswerTable, ratings: Ratings, unit: int) -> tuple[str, str]:
    """The task and the datapoint of a unit."""
    code = int(ratings.unit_codes[unit])
    return table.tasks.values[code], table.datapoints[code]
