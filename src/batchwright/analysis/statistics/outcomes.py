"""What options of a comparison say: recognised by their values and labels, or chosen by the researcher."""

import csv
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.questions import AnalysedQuestion, Outcome
from batchwright.base.i18n import _
from batchwright.data_files.rows import UnreadableFile

Outcomes = Mapping[str, Mapping[str, Outcome]]
"""Outcomes by question id and option value. Options that are not named have none."""


def outcomes_of(question: AnalysedQuestion) -> dict[str, Outcome]:
    """The outcomes by option value. They are suggestions if the researcher has not chosen any."""
    return {option.value: option.outcome for option in question.options if option.outcome is not None}


def with_outcomes(table: AnswerTable, outcomes: Outcomes) -> AnswerTable:
    """The table with the chosen outcomes; questions that are not named keep the recognised ones."""
    if not outcomes:
        return table
    return replace(
        table,
        questions=tuple(
            _with_outcomes(question, outcomes[question.id]) if question.id in outcomes else question
            for question in table.questions
        ),
    )


def read_outcomes(path: Path) -> Outcomes:
    """Read a CSV file with the columns `question` (id), `option` (value) and `outcome`.

    Raises:
        UnreadableFile: it has no such columns, an unknown outcome, or two outcomes for an option.
        OSError: it cannot be opened.
    """
    outcomes: dict[str, dict[str, Outcome]] = {}
    remedy = _("Write one row per option: question, option, outcome (left, right, tie or none).")
    with path.open(encoding="utf-8-sig", newline="") as file:
        try:
            for row in csv.DictReader(file):
                options, option = outcomes.setdefault(row["question"], {}), row["option"]
                outcome = Outcome((row["outcome"] or "").strip())
                if options.setdefault(option, outcome) is not outcome:
                    raise UnreadableFile(_("An option has two outcomes."), remedy)
        except UnreadableFile:
            raise
        except (csv.Error, KeyError, ValueError):
            raise UnreadableFile(_("The table of outcomes is not valid."), remedy) from None
    return outcomes


def _with_outcomes(question: AnalysedQuestion, outcomes: Mapping[str, Outcome]) -> AnalysedQuestion:
    options = tuple(replace(option, outcome=outcomes.get(option.value)) for option in question.options)
    return replace(question, options=options)
