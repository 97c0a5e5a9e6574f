"""The options of `batchwright-cli analyse` that changed nothing, which usually is a mistake."""

from collections.abc import Collection, Iterator
from typing import Any

from batchwright.analysis.analyse import Analysis
from batchwright.analysis.statistics.agreement.label_models import LabelModel
from batchwright.analysis.store.sampling import Clusters


def options_without_effect(analysis: Analysis, kinds: Collection[str], *, has_pairs: bool) -> list[str]:
    """The options that changed nothing, such as the systems of answers without a comparison.

    `kinds` has the questions whose kind was given, `has_pairs` is whether fields for preference pairs were.
    """
    settings, questions = analysis.settings, analysis.table.questions
    ids = {question.id for question in questions}
    has_effect = {
        "--systems": not settings.systems or any(_values(analysis, "systems", "system")),
        "--best-worst": not settings.best_worst or any(_values(analysis, "items", "item")),
        "--order-effect": not settings.has_order_effect or any(_values(analysis, "order", "question")),
        "--regularised": not settings.is_regularised or any(_values(analysis, "systems", "system")),
        "--intervals-about": settings.clusters is Clusters.RECORDS or not analysis.table.is_survey,
        "--weights": not settings.weight_field or not analysis.table.is_survey,
        "--gold": not settings.gold_field or any(_values(analysis, "participants", "gold_answers")),
        "--gold-question": not settings.gold_question or settings.gold_question in ids,
        "--labels": settings.label_model is LabelModel.MAJORITY or any(_values(analysis, "labels", "model")),
        "--further-answers": settings.further_answers in {0, *_values(analysis, "precision", "more")},
        "--units": not settings.units
        or any(one.unit in analysis.answers.units.values for one in settings.units),
        "--final": not settings.final_answers or any(_values(analysis, "final_answers", "task")),
        "--kind": ids.issuperset(kinds),
        "--pairs": not has_pairs or any(question.is_comparison for question in questions),
    }
    return [option for option, is_used in has_effect.items() if not is_used]


def _values(analysis: Analysis, name: str, column: str) -> Iterator[Any]:
    """The values in a column of a result; none if there is no such result."""
    for table in analysis.results:
        if table.name == name and column in table.columns:
            place = table.columns.index(column)
            yield from (row[place] for row in table.rows)
