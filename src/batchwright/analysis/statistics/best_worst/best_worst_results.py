"""Best–worst scaling: how often each item of sets was chosen as the best and the worst, and its strength."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Annotated, NamedTuple

import numpy as np

from batchwright.analysis.statistics.best_worst.max_difference import Choices, fit
from batchwright.analysis.statistics.best_worst.set_fields import BestWorstFields, places_of_options
from batchwright.analysis.statistics.clusters import cells_in_groups, spread
from batchwright.analysis.statistics.comparisons.estimates import (
    NOTHING,
    Answered,
    ModelEstimate,
    Value,
    cluster_covariances,
)
from batchwright.analysis.statistics.intervals import (
    effective_size,
    effective_size_for_ranks,
    mean_interval,
    wilson,
)
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.headings import Heading
from batchwright.analysis.store.sampling import Sampling, scaled_weights
from batchwright.analysis.store.text_columns import UnusableField
from batchwright.base.i18n import N_, NC_, _, ngettext
from batchwright.base.local_formats import count_text

MAX_ITEMS = 300
"""Items beyond which there are no strengths."""


@dataclass(frozen=True)
class ItemRow:
    """How often an item was chosen, and its strength.

    The score is how often it was the best less how often it was the worst, divided by how often it was shown.
    """

    question: str
    item: Annotated[str, Heading(NC_("what is compared", "Item"))]
    shown: Annotated[int, Heading(N_("Shown"))]
    """Answers about sets with the item."""
    best: Annotated[int, Heading(N_("Best"))]
    worst: Annotated[int, Heading(N_("Worst"))]
    score: Annotated[float, Heading(N_("Score"), interval=("score_low", "score_high"))]
    score_low: float
    score_high: float
    strength: Annotated[float, Heading(N_("Strength"), interval=("strength_low", "strength_high"))]
    """Logarithmic strength of the maximum difference model; the mean of the items in the same part is 0."""
    strength_low: float
    strength_high: float
    part: Annotated[int, Heading(N_("Part"))] = 1
    """The number of the group of items that were preferred to each other, directly or through others.

    Strengths are comparable within it; an item alone in its part has none.
    """


@dataclass(frozen=True)
class PlaceRow:
    """How often the item at a place was chosen; with items balanced, places differ only by a bias."""

    question: str
    place: Annotated[str, Heading(N_("Place"))]
    """A letter, counted from A."""
    shown: Annotated[int, Heading(N_("Shown"))]
    best: Annotated[int, Heading(N_("Best"))]
    best_share: Annotated[
        float, Heading(N_("Share of best"), is_share=True, interval=("best_low", "best_high"))
    ]
    best_low: float
    best_high: float
    worst: Annotated[int, Heading(N_("Worst"))]
    worst_share: Annotated[
        float, Heading(N_("Share of worst"), is_share=True, interval=("worst_low", "worst_high"))
    ]
    worst_low: float
    worst_high: float


@dataclass(frozen=True, eq=False)
class BestWorstAnswers:
    """The answers about sets: a row for each participant and record with both questions answered."""

    items: tuple[str, ...]
    choices: Choices
    tasks: np.ndarray
    participants: np.ndarray
    sampling: Sampling
    same: int
    """Further answers with the same item as the best and the worst."""
    incomplete: int
    """Further answers to one of the questions only."""


@dataclass(frozen=True)
class BestWorstResults:
    """The results of all items, the best one first, and of the places in a set."""

    items: tuple[ItemRow, ...] = ()
    places: tuple[PlaceRow, ...] = ()
    notes: tuple[str, ...] = ()
    """What is to be considered."""


def best_worst_answers(table: AnswerTable, fields: BestWorstFields) -> BestWorstAnswers | None:
    """The answers about sets; None if a question is not there, or its options stand for no places.

    Raises:
        UnusableField: a field is missing.
    """
    if not fields.is_complete:
        return None
    for name in fields.items:
        if name not in table.fields:
            raise UnusableField(name)
    best, worst = (_chosen_places(table, id, len(fields.items)) for id in (fields.best, fields.worst))
    if best is None or worst is None:
        return None
    columns = [table.fields[name] for name in fields.items]
    items = tuple(sorted({value for column in columns for value in column.values if value}))
    number = {item: index for index, item in enumerate(items)}
    of_tasks = [
        np.array([*(number.get(value, -1) for value in column.values), -1], np.int64)[column.codes]
        for column in columns
    ]
    keys, in_best, in_worst = np.intersect1d(best.keys, worst.keys, return_indices=True)
    tasks, participants = keys % best.width, keys // best.width
    sets = np.stack([column[tasks] for column in of_tasks], axis=1)
    choices = Choices(sets, best.places[in_best], worst.places[in_worst], table.sampling.weights_of(tasks))
    is_valid = (choices.best_items >= 0) & (choices.worst_items >= 0)
    is_same = choices.best_items == choices.worst_items
    rows = is_valid & ~is_same
    return BestWorstAnswers(
        items,
        choices.where(rows),
        tasks[rows],
        participants[rows],
        table.sampling,
        int((is_valid & is_same).sum()),
        len(best.keys) + len(worst.keys) - 2 * len(keys) + int((~is_valid).sum()),
    )


@dataclass(frozen=True, eq=False)
class _ChosenPlaces:
    """Which place was chosen by a participant about a record; the key has both."""

    keys: np.ndarray
    places: np.ndarray
    width: int


def _chosen_places(table: AnswerTable, id: str, count: int) -> _ChosenPlaces | None:
    index = table.question_index(id)
    places = places_of_options(table.questions[index], count) if index is not None else ()
    if index is None or not places:
        return None
    entries = table.entries_of(index)
    chosen = np.array([*places, -1])[table.options[entries]]
    answers, chosen = table.entry_answers[entries[chosen >= 0]], chosen[chosen >= 0]
    width = len(table.tasks.values) + 1
    keys = table.participants.codes[answers].astype(np.int64) * width + table.tasks.codes[answers]
    return _ChosenPlaces(keys, chosen, width)


def best_worst_results(question: str, answers: BestWorstAnswers) -> BestWorstResults:
    """The results of items and places, under the id of a question."""
    choices, count = answers.choices, len(answers.items)
    if not len(answers.tasks):
        return BestWorstResults(notes=tuple(_notes(answers, 0, 1)))
    shown = _shown(choices, choices.sets)
    scores = _means(answers, shown, shown.is_best.astype(np.float64) - shown.is_worst, count)
    best, worst = (np.bincount(items, minlength=count) for items in (choices.best_items, choices.worst_items))
    strengths, parts = _strengths(answers) if count <= MAX_ITEMS else ([NOTHING] * count, [1] * count)
    rows = [
        ItemRow(
            *(question, item, int(scores.counts[index]), int(best[index]), int(worst[index])),
            *scores.mean(index),
            *strengths[index],
            parts[index],
        )
        for index, item in enumerate(answers.items)
        if scores.counts[index]
    ]
    rows.sort(key=lambda row: (row.part, -_finite(row.strength), -_finite(row.score), row.item))
    notes = tuple(_notes(answers, count, len({row.part for row in rows})))
    return BestWorstResults(tuple(rows), tuple(_place_rows(question, answers)), notes)


def _strengths(answers: BestWorstAnswers) -> tuple[list[Value], list[int]]:
    """The strength and the number of the part of each item; the part with the best items is 1.

    Intervals are at least those of independent answers: there are often fewer sets than items.
    """
    has_weight, count = answers.choices.weights > 0, len(answers.items)
    choices, tasks, participants = (
        answers.choices.where(has_weight),
        answers.tasks[has_weight],
        answers.participants[has_weight],
    )
    found = fit(choices, count)
    answered = Answered(tasks, participants, choices.weights, answers.sampling.clusters)
    matrices, degrees = cluster_covariances(lambda codes: found.covariance(choices, codes), answered)
    estimate = ModelEstimate(found.values, [*matrices, found.inverse], degrees)
    sizes = np.bincount(found.parts)
    balance = np.bincount(found.parts[choices.best_items], minlength=len(sizes)) - np.bincount(
        found.parts[choices.worst_items], minlength=len(sizes)
    )
    numbers = np.empty(len(sizes), np.int64)
    numbers[np.argsort(-balance / sizes, kind="stable")] = np.arange(1, len(sizes) + 1)
    values = [
        estimate.value((item, 1.0)) if sizes[found.parts[item]] > 1 else NOTHING for item in range(count)
    ]
    return values, numbers[found.parts].tolist()


class _Shown(NamedTuple):
    """Items as they were shown, in groups: an array of each, with a row per answer and item."""

    groups: np.ndarray
    rows: np.ndarray
    """The index of the answer."""
    is_best: np.ndarray
    is_worst: np.ndarray


def _shown(choices: Choices, groups: np.ndarray) -> _Shown:
    """The items that were shown, given the group of each choice and place."""
    is_item = choices.sets >= 0
    rows, places = np.nonzero(is_item)
    return _Shown(groups[is_item], rows, choices.best[rows] == places, choices.worst[rows] == places)


class _Means(NamedTuple):
    """Weighted means of groups, and how much they vary: an array of each."""

    counts: np.ndarray
    """The numbers of answers."""
    sizes: np.ndarray
    """Those of answers with a weight."""
    means: np.ndarray
    totals: np.ndarray
    """The sums of the squared differences from the means, weighted."""
    clusters: np.ndarray
    between: np.ndarray

    def mean(self, group: int) -> Value:
        """The mean of a group with a t interval; without one if all values are the same."""
        count, mean, total, clusters, between = self._of(group)
        if count < 2 or total <= 0:
            return mean, math.nan, math.nan
        effective = effective_size(count, clusters, total, between)
        return mean, *mean_interval(mean, math.sqrt(total / (count - 1)), effective, clusters - 1)

    def share(self, group: int) -> Value:
        """The mean of a group of zeros and ones with a Wilson interval."""
        count, mean, total, clusters, between = self._of(group)
        return mean, *wilson(mean * count, count, effective_size_for_ranks(count, clusters, total, between))

    def _of(self, group: int) -> tuple[int, float, float, float, float]:
        size, mean, total, clusters, between = (float(column[group]) for column in self[1:])
        return int(size), mean, total, clusters, between


def _means(answers: BestWorstAnswers, shown: _Shown, values: np.ndarray, count: int) -> _Means:
    groups, rows = shown.groups, shown.rows
    counts = np.bincount(groups, minlength=count)
    weights, sizes = scaled_weights(answers.choices.weights[rows], groups, count)
    totals = np.bincount(groups, weights=weights * values, minlength=count)
    means = np.divide(totals, sizes, out=np.full(count, np.nan), where=sizes > 0)
    rests = values - means[groups]
    found = spread(
        answers.sampling.clusters,
        answers.tasks[rows],
        answers.participants[rows],
        count,
        lambda codes: cells_in_groups(codes, groups, count, weights, weights * rests),
    )
    squares = np.bincount(groups, weights=weights * rests**2, minlength=count)
    return _Means(counts, sizes, means, squares, found.clusters, found.between)


def _place_rows(question: str, answers: BestWorstAnswers) -> Iterator[PlaceRow]:
    sets = answers.choices.sets
    count = sets.shape[1]
    shown = _shown(answers.choices, np.broadcast_to(np.arange(count), sets.shape))
    best, worst = (
        _means(answers, shown, chosen.astype(np.float64), count) for chosen in (shown.is_best, shown.is_worst)
    )
    times = [
        np.bincount(of, minlength=count).tolist() for of in (answers.choices.best, answers.choices.worst)
    ]
    for place in range(count):
        shares = *best.share(place), times[1][place], *worst.share(place)
        yield PlaceRow(question, ascii_uppercase[place], int(best.counts[place]), times[0][place], *shares)


def _notes(answers: BestWorstAnswers, count: int, parts: int) -> Iterator[str]:
    if answers.same:
        text = ngettext(
            "{count} answer named the same item as the best and as the worst, and is left out.",
            "{count} answers named the same item as the best and as the worst, and are left out.",
            answers.same,
        )
        yield text.format(count=count_text(answers.same))
    if answers.incomplete:
        text = ngettext(
            "{count} answer has only the best or only the worst item of its set, and is left out.",
            "{count} answers have only the best or only the worst item of their set, and are left out.",
            answers.incomplete,
        )
        yield text.format(count=count_text(answers.incomplete))
    if count > MAX_ITEMS:
        text = _("There are no strengths: they are estimated for at most {most} items.")
        yield text.format(most=count_text(MAX_ITEMS))
    if parts > 1:
        yield _(
            "Strengths are comparable only among items that were preferred to each other, directly or "
            "through others (see Part)."
        )


def _finite(value: float) -> float:
    return value if math.isfinite(value) else -math.inf
