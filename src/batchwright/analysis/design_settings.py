"""What an analysis begins with if a preparation has made the records: the fields with what it decided."""

from dataclasses import replace

from batchwright.analysis.prepared_answers import asked
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.statistics.best_worst.set_fields import suggested_fields
from batchwright.analysis.statistics.comparisons.system_results import SystemFields
from batchwright.analysis.statistics.groups import is_category_field
from batchwright.analysis.statistics.weights import is_weight_field
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.prepare.columns import GOLD_ANSWER, STRATUM, SYSTEM_LEFT, SYSTEM_RIGHT, WEIGHT


def with_design(settings: AnalysisSettings, table: AnswerTable) -> AnalysisSettings:
    """The settings with the fields of systems, items, known answers, weights and strata.

    Fields that are chosen already stay.
    """
    fields = table.fields
    systems = settings.systems
    if systems is None and SYSTEM_LEFT in fields and SYSTEM_RIGHT in fields:
        systems = SystemFields(SYSTEM_LEFT, SYSTEM_RIGHT)
    gold_field = settings.gold_field or (GOLD_ANSWER if GOLD_ANSWER in fields else "")
    weight_field = settings.weight_field or (WEIGHT if is_weight_field(table, WEIGHT) else "")
    best_worst = settings.best_worst or suggested_fields(asked(table, settings))
    split_field = settings.split_field or (STRATUM if is_category_field(table, STRATUM) else "")
    return replace(
        settings,
        systems=systems,
        best_worst=best_worst,
        gold_field=gold_field,
        weight_field=weight_field,
        split_field=split_field,
    )
