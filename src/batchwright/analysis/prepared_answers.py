"""The answers that results are about: the settings of an analysis are applied to a table."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from batchwright.analysis.design_settings import with_design
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.statistics.joined_wordings import joined_wordings, split_wordings
from batchwright.analysis.statistics.participants.repeated_answers import (
    RepeatedRow,
    exclude_repeated,
)
from batchwright.analysis.statistics.participants.rule_exclusions import applied_exclusions
from batchwright.analysis.statistics.participants.self_agreement import are_about_copies
from batchwright.analysis.statistics.roles.question_roles import (
    split_missing,
    with_roles,
)
from batchwright.analysis.statistics.shared_records import joined_shared_records
from batchwright.analysis.statistics.unit_conversion import converted
from batchwright.analysis.statistics.weights import record_weights
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.exclusions import ExclusionRow
from batchwright.analysis.store.sampling import Clusters, Sampling
from batchwright.analysis.store.text_columns import UnusableField, number_of_different


@dataclass(frozen=True)
class ExcludedCounts:
    """How many answers are excluded, and of how many participants."""

    answers: int = 0
    participants: int = 0


@dataclass(frozen=True, eq=False)
class PreparedAnswers:
    """The answers that results are about, with the settings applied."""

    settings: AnalysisSettings
    """Also with the fields on which a preparation has decided."""
    all: AnswerTable
    """With the chosen roles, but without exclusions and conversions; values that mean missing are there.

    Rows that a preparation has put into every group are one record here and in the other tables.
    """
    given: AnswerTable
    """Without excluded answers; answers that mean missing have neither an option nor a number."""
    included: AnswerTable
    """Also without the answers that mean missing, and those about records that came again."""
    excluded: ExcludedCounts
    exclusions: tuple[ExclusionRow, ...]
    """The rules and ids of exclusions; those in the settings have everything that rules exclude."""
    weights_error: UnusableField | None = None
    """Why the chosen field has no weights, so that all records have the same; None if it has."""
    repeated: tuple[RepeatedRow, ...] = ()
    """Questions that were answered again; all but the last answers are excluded."""

    @cached_property
    def missing(self) -> list[int]:
        """How many given answers to each question mean that there is none, without those about copies."""
        given = self.given.where(~are_about_copies(self.given))
        before, after = (
            np.bincount(table.question_codes, minlength=len(table.questions))
            for table in (given, self.included)
        )
        counts: list[int] = (before - after).tolist()
        return counts


def prepare(table: AnswerTable, settings: AnalysisSettings) -> PreparedAnswers:
    """Apply the settings to a table: records and questions, roles, fields, exclusions and units."""
    table = joined_shared_records(in_roles(table, settings))
    settings = with_design(settings, table)
    exclusions, repeated = exclude_repeated(settings.exclusions, table)
    exclusions, rows = applied_exclusions(exclusions, table, *settings.gold)
    settings = replace(settings, exclusions=exclusions)
    is_excluded = exclusions.is_excluded(table)
    table, weights_error = _sampled(table, table.where(~is_excluded), settings)
    given, included = split_missing(table.where(~is_excluded))
    included = included.where(~are_about_copies(included))
    people = number_of_different(table.participants.codes[is_excluded])
    excluded = ExcludedCounts(len(table) - len(given), people)
    given, included = (converted(part, settings.units) for part in (given, included))
    counts = tuple(rows), weights_error, tuple(repeated)
    return PreparedAnswers(settings, table, given, included, excluded, *counts)


def in_roles(table: AnswerTable, settings: AnalysisSettings) -> AnswerTable:
    """The table with the questions that results are about, and the chosen roles."""
    return with_roles(asked(table, settings).survey_units, settings.roles)


def asked(table: AnswerTable, settings: AnalysisSettings) -> AnswerTable:
    """The table with the questions that results are about: wordings are counted together, or apart."""
    return split_wordings(table) if settings.splits_versions else joined_wordings(table)


def _sampled(
    table: AnswerTable, given: AnswerTable, settings: AnalysisSettings
) -> tuple[AnswerTable, UnusableField | None]:
    """The table with what intervals are about and the weights of records, or why there are none.

    A survey is about participants, and has no records. `given` are the answers that are not excluded.
    """
    if table.is_survey or (settings.clusters is Clusters.RECORDS and not settings.weight_field):
        return table, None
    weights, error = None, None
    try:
        weights = record_weights(table, given, settings.weight_field) if settings.weight_field else None
    except UnusableField as unusable:
        error = unusable
    return replace(table, sampling=Sampling(settings.clusters, weights)), error
