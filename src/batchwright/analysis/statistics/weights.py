"""Weights of records: a field says how many records of a population each one stands for."""

import math

import numpy as np

from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.text_columns import TextColumn, UnusableField
from batchwright.base.i18n import _, ngettext
from batchwright.base.local_formats import count_text
from batchwright.base.plain_numbers import plain_number


def weight_fields(table: AnswerTable) -> list[str]:
    """The fields that can be weights: every answered record has a number of at least 0, not all the same."""
    return [name for name in table.fields if is_weight_field(table, name)]


def is_weight_field(table: AnswerTable, name: str) -> bool:
    """Whether a field can be weights."""
    if name not in table.fields:
        return False
    used = _numbers(table.fields[name])[table.tasks.codes]
    return len(used) > 0 and bool(np.isfinite(used).all() and np.ptp(used) > 0)


def record_weights(table: AnswerTable, given: AnswerTable, name: str) -> np.ndarray:
    """The weight of each task, by code; excluded records may have none, and have 0 then.

    Args:
        table: all answers.
        given: those that are not excluded.
        name: the field with the weights.

    Raises:
        UnusableField: the field is missing, or a record in `given` has no number of at least 0.
    """
    if name not in table.fields:
        raise UnusableField(name)
    weights = _numbers(table.fields[name])
    used = np.unique(given.tasks.codes)
    missing = int((~np.isfinite(weights[used])).sum())
    if missing:
        text = ngettext(
            "“{field}” has no weight of {count} record: weights are numbers of at least 0.",
            "“{field}” has no weight of {count} records: weights are numbers of at least 0.",
            missing,
        )
        raise UnusableField(name, text.format(field=name, count=count_text(missing)))
    if len(used) and not weights[used].any():
        raise UnusableField(name, _("All weights in “{field}” are 0.").format(field=name))
    return np.nan_to_num(weights)


def weights_sentence(table: AnswerTable, name: str) -> str:
    """What is weighted, and how uneven the weights are; empty without weights.

    The number of equal records that tell as much is that of Kish, L. (1965), Survey sampling, section 11.7.
    """
    used = np.unique(table.tasks.codes)
    weights = table.sampling.weights[used] if table.sampling.weights is not None else np.zeros(0)
    if not weights.any():
        return ""
    effective = float(weights.sum() ** 2 / (weights**2).sum())
    text = _(
        "Records are weighted by “{field}”: shares, numbers, win rates and strengths are weighted; counts, "
        "agreement and labels are not. Number of records: {count}; with equal weights, as many would tell as "
        "much: {effective}."
    )
    return text.format(field=name, count=count_text(len(used)), effective=count_text(round(effective)))


def _numbers(column: TextColumn) -> np.ndarray:
    """The numbers of at least 0 in a field, by task; NaN where there is none."""
    values = np.full(len(column.values) + 1, np.nan)
    for code, text in enumerate(column.values):
        values[code] = _number(text)
    return values[column.codes]


def _number(text: str) -> float:
    try:
        number = plain_number(text)
    except ValueError:
        return math.nan
    return number if math.isfinite(number) and number >= 0 else math.nan
