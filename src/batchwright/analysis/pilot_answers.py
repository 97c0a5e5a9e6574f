"""The answers of a pilot from which a plan is estimated: without excluded ones, with fields of systems."""

from batchwright.analysis.prepared_answers import prepare
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.statistics.comparisons.system_fields import suggested_systems
from batchwright.analysis.statistics.planning.pilot import PilotAnswers
from batchwright.analysis.store.answer_table import AnswerTable


def pilot_answers(table: AnswerTable, settings: AnalysisSettings) -> PilotAnswers:
    """The answers that the settings include; the systems are those of the settings, or the suggested ones."""
    prepared = prepare(table, settings)
    included = prepared.included
    return PilotAnswers(included, prepared.settings.systems or suggested_systems(included))
