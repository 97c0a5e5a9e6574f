"""The fields that results use if a preparation has made the records: those with what it decided."""

from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.statistics.best_worst.set_fields import suggested_fields
from batchwright.analysis.statistics.comparisons.system_results import SystemFields
from batchwright.analysis.statistics.groups import is_category_field
from batchwright.analysis.statistics.weights import is_weight_field
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.prepare.columns import GOLD_ANSWER, STRATUM, SYSTEM_LEFT, SYSTEM_RIGHT, WEIGHT


def with_design(settings: AnalysisSettings, table: AnswerTable) -> AnalysisSettings:
    """The settings with the fields of systems, items, known answers, weights and strata.

    Fields that are chosen already stay, and so does the choice of none. `table` has the questions that
    results are about.
    """
    fields = table.fields
    has_systems = SYSTEM_LEFT in fields and SYSTEM_RIGHT in fields
    design = AnalysisSettings(
        systems=SystemFields(SYSTEM_LEFT, SYSTEM_RIGHT) if has_systems else None,
        gold_field=GOLD_ANSWER if GOLD_ANSWER in fields else "",
        weight_field=WEIGHT if is_weight_field(table, WEIGHT) else "",
        best_worst=suggested_fields(table),
        split_field=STRATUM if is_category_field(table, STRATUM) else "",
    )
    return settings.with_fields_of(design)
