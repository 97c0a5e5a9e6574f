"""The files that “Open answers from a file” offers; others are recognised by their content."""

from pathlib import Path

from batchwright.base.i18n import N_

FILTER = N_("Answers (*.zip *.json *.jsonl *.ndjson *.csv *.tsv *.parquet *.xlsx)")
LAYOUT_FILTER = N_("Layouts and studies (*.json *.yaml *.yml *.batchwright)")
_SUFFIXES = frozenset({".zip", ".json", ".jsonl", ".ndjson", ".parquet", ".xlsx"})


def may_have_answers(path: Path) -> bool:
    """Whether a dropped file is opened as answers."""
    return path.suffix.lower() in _SUFFIXES
