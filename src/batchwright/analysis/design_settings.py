"""What an analysis begins with if a preparation has made the records: the fields with what it decided."""

from collections.abc import Collection
from dataclasses import replace

from batchwright.analysis.analyse import AnalysisSettings
from batchwright.analysis.statistics.comparisons.system_results import SystemFields
from batchwright.prepare.columns import GOLD_ANSWER, SYSTEM_LEFT, SYSTEM_RIGHT


def with_design(settings: AnalysisSettings, fields: Collection[str]) -> AnalysisSettings:
    """The settings with the fields of systems and of known answers, unless others are chosen."""
    systems = settings.systems
    if systems is None and SYSTEM_LEFT in fields and SYSTEM_RIGHT in fields:
        systems = SystemFields(SYSTEM_LEFT, SYSTEM_RIGHT)
    gold_field = settings.gold_field or (GOLD_ANSWER if GOLD_ANSWER in fields else "")
    return replace(settings, systems=systems, gold_field=gold_field)
