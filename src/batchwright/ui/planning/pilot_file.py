"""Reads a file with the answers of a pilot, for the planner."""

from contextlib import closing
from pathlib import Path

from batchwright.analysis.pilot_answers import pilot_answers
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.statistics.planning.pilot import PilotAnswers
from batchwright.base.i18n import N_
from batchwright.local.projects import Project
from batchwright.workflows.answers.open_answers import open_answers

FILTER = N_("Answers (*.zip *.json *.jsonl *.ndjson *.csv *.tsv *.parquet *.xlsx)")


def read_pilot_file(path: Path, study: Project) -> PilotAnswers:
    """The answers in a file without excluded ones, and the fields that name their systems.

    Raises:
        UnreadableFile: it has no answers, or is damaged.
        OSError: it cannot be opened.
    """
    opened = open_answers(path, study)
    with closing(opened.store) as store:
        return pilot_answers(store.table(), AnalysisSettings(store.saved_exclusions))
