"""Sentences about labels of records: whether a model has enough answers, and how often labels are right."""

import numpy as np

from batchwright.analysis.statistics.agreement.label_models import LabelModel
from batchwright.analysis.statistics.agreement.labels import ChoiceLabels, RecordLabels
from batchwright.analysis.statistics.participants.gold import right_options
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.questions import QuestionKind
from batchwright.base.i18n import _, ngettext
from batchwright.base.local_formats import count_text, decimal_text, percent_text

ENOUGH_ANSWERS = 20
"""Number of answers per participant below which Dawid and Skene's model is not reliable."""


def label_warning(labels: RecordLabels, model: LabelModel) -> str:
    """Why the labels by a model are not reliable; empty if nothing is known against them."""
    if model is not LabelModel.DAWID_SKENE or labels.choice is None or not labels.has_model:
        return ""
    median = labels.choice.ratings_per_rater
    if median >= ENOUGH_ANSWERS:
        return ""
    return _(
        "Answers per participant: {median} in the median. With fewer than {enough}, Dawid and Skene's model "
        "is often wrong and states high probabilities nevertheless. Use the one-coin model or the majority."
    ).format(median=decimal_text(median, 0 if median.is_integer() else 1), enough=ENOUGH_ANSWERS)


def label_check(
    table: AnswerTable, index: int, labels: RecordLabels, gold_field: str, gold_question: str = ""
) -> str:
    """How often labels of a single choice are right, and what a model states; empty without known answers.

    `gold_field` has the known answers to the question with the id `gold_question`, or to any.
    """
    question, choice = table.questions[index], labels.choice
    if choice is None or question.kind is not QuestionKind.CHOICE or gold_field not in table.fields:
        return ""
    options = right_options(table, index, gold_field)[choice.tasks]
    if (gold_question and not question.has_id(gold_question)) or (options < 0).all():
        return ""
    right = np.append(choice.of_options, -1)[options]
    return " ".join(filter(None, (_majority_check(choice, right), _model_check(choice, right))))


def _majority_check(choice: ChoiceLabels, right: np.ndarray) -> str:
    given = choice.majority[right >= 0]
    number, ties = int((given == right[right >= 0]).sum()), int((given < 0).sum())
    text = ngettext(
        "The answer to {count} record is known: the majority is right about {right} ({share}) and tied about "
        "{ties}.",
        "The answers to {count} records are known: the majority is right about {right} ({share}) and tied "
        "about {ties}.",
        len(given),
    )
    return text.format(
        count=count_text(len(given)),
        right=count_text(number),
        share=percent_text(number / len(given), 1),
        ties=count_text(ties),
    )


def _model_check(choice: ChoiceLabels, right: np.ndarray) -> str:
    is_known = (right >= 0) & (choice.model >= 0)
    if not is_known.any():
        return ""
    number = int((choice.model == right)[is_known].sum())
    text = _("The model is right about {right} ({share}); its mean probability is {probability}.")
    return text.format(
        right=count_text(number),
        share=percent_text(number / is_known.sum(), 1),
        probability=percent_text(choice.probabilities[is_known].mean(), 1),
    )
