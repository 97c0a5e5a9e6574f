"""Pairs of participants: how far two agree about the records that both answered, and which answers differ."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import nan
from typing import Annotated

import numpy as np

from batchwright.analysis.statistics.agreement.coefficients import cohen_kappa
from batchwright.analysis.statistics.agreement.distances import Weighting, similarities
from batchwright.analysis.statistics.agreement.jackknife import Estimate, estimate
from batchwright.analysis.statistics.agreement.labels import labels_of_values
from batchwright.analysis.statistics.agreement.ratings import Ratings, ratings_of
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.headings import Heading
from batchwright.analysis.store.questions import QuestionKind
from batchwright.base.i18n import N_, NC_, _
from batchwright.base.local_formats import count_text

MAX_PAIRED = 20
"""Maximum number of participants who are compared in pairs: those with most answers."""
MAX_OPTIONS = 50
"""Maximum number of options of questions whose participants are compared in pairs."""
_MAX_CONFUSED = 20
"""Maximum number of options of confusion matrices."""


@dataclass(frozen=True)
class RaterPairRow:
    """How far two participants agree about a single choice; weighted kappa on a scale only."""

    question: str
    first: Annotated[str, Heading(N_("First participant"), NC_("participant", "First"))]
    second: Annotated[str, Heading(N_("Second participant"), N_("Second"))]
    records: Annotated[int, Heading(N_("Records"))]
    """The number of records that both have answered."""
    agreement: Annotated[float, Heading(N_("Equal answers"), is_share=True)]
    kappa: Annotated[float, Heading(N_("Cohen's kappa"), interval=("low", "high"))]
    low: float
    high: float
    linear: Annotated[float, Heading(N_("Weighted kappa, linear"), N_("Linear"))]
    quadratic: Annotated[float, Heading(N_("Weighted kappa, quadratic"), N_("Quadratic"))]


@dataclass(frozen=True)
class ConfusionRow:
    """How many records got one answer from a participant and another or the same from a second one."""

    question: str
    first: Annotated[str, Heading(N_("First participant"))]
    second: Annotated[str, Heading(N_("Second participant"))]
    first_label: Annotated[str, Heading(N_("Answer of the first"))]
    second_label: Annotated[str, Heading(N_("Answer of the second"))]
    records: Annotated[int, Heading(N_("Records"))]


@dataclass(frozen=True)
class RaterPairs:
    """The pairs of participants in one question, and their confusion matrices."""

    pairs: tuple[RaterPairRow, ...] = ()
    confusions: tuple[ConfusionRow, ...] = ()
    """Every answer of the first with every answer of the second, pair by pair, unless these are many."""
    note: str = ""
    """Which participants are compared, if these are not all."""


def rater_pairs(table: AnswerTable, index: int) -> RaterPairs:
    """Compare the participants in a single choice who have answered most, if they have records in common."""
    question, ratings = table.questions[index], ratings_of(table, index)
    if question.kind is not QuestionKind.CHOICE or len(ratings.domain) > MAX_OPTIONS:
        return RaterPairs()
    labels, names = labels_of_values(question, ratings), table.participants.values
    raters, counts = np.unique(ratings.raters, return_counts=True)
    most = raters[np.lexsort((raters, -counts))][:MAX_PAIRED]
    chosen = sorted(most.tolist(), key=names.__getitem__)
    pairs: list[RaterPairRow] = []
    confusions: list[ConfusionRow] = []
    for first, second, cells in _confusion_matrices(ratings, chosen):
        of_pair, records = (question.id, names[first], names[second]), int(cells.sum())
        kappa, weighted = _kappas(cells, ratings, is_scale=question.is_scale)
        equal = float(np.trace(cells)) / records
        pairs.append(RaterPairRow(*of_pair, records, equal, kappa.value, *kappa.interval, *weighted))
        if len(labels) <= _MAX_CONFUSED:
            confusions += [
                ConfusionRow(*of_pair, labels[row], labels[column], int(count))
                for (row, column), count in np.ndenumerate(cells)
            ]
    note = ""
    if len(raters) > MAX_PAIRED and pairs:
        text = _("Of {all} participants, the {count} with most answers are compared.")
        note = text.format(all=count_text(len(raters)), count=count_text(MAX_PAIRED))
    return RaterPairs(tuple(pairs), tuple(confusions), note)


def cohen_estimate(ratings: Ratings, weighting: Weighting | None = None) -> Estimate:
    """Compute Cohen's kappa of two raters over the units that both rated, weighted if wanted."""
    ((_first, _second, cells),) = _confusion_matrices(ratings, np.unique(ratings.raters).tolist())
    return _kappa(cells, ratings, weighting)


def _kappas(cells: np.ndarray, ratings: Ratings, *, is_scale: bool) -> tuple[Estimate, tuple[float, float]]:
    kappa = _kappa(cells, ratings, None)
    if not is_scale:
        return kappa, (nan, nan)
    linear, quadratic = (_kappa(cells, ratings, weighting).value for weighting in Weighting)
    return kappa, (linear, quadratic)


def _kappa(cells: np.ndarray, ratings: Ratings, weighting: Weighting | None) -> Estimate:
    pairs, weights = np.argwhere(cells), cells[cells > 0]
    equal = np.eye(len(cells)) if weighting is None else similarities(weighting, ratings.domain)
    return estimate(cohen_kappa(pairs, equal), weights, int(weights.sum()))


def _confusion_matrices(ratings: Ratings, raters: list[int]) -> Iterator[tuple[int, int, np.ndarray]]:
    """Yield pairs of raters with how often each pair of values was given, if both rated a unit."""
    width, order = len(ratings.domain), np.lexsort((ratings.units, ratings.raters))
    codes, units, values = (column[order] for column in (ratings.raters, ratings.units, ratings.values))
    parts = {rater: slice(*np.searchsorted(codes, [rater, rater + 1])) for rater in raters}
    for first, second in combinations(raters, 2):
        one, two = parts[first], parts[second]
        _units, in_one, in_two = np.intersect1d(
            units[one], units[two], assume_unique=True, return_indices=True
        )
        if len(in_one):
            cells = values[one][in_one] * width + values[two][in_two]
            yield first, second, np.bincount(cells, minlength=width * width).reshape(width, width)
