"""One record for the rows that a preparation has put into every group, so that their answers are compared."""

from dataclasses import replace

import numpy as np

from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.text_columns import TextColumn
from batchwright.prepare.columns import IS_SHARED
from batchwright.schema.model import GROUPING_COLUMN


def joined_shared_records(table: AnswerTable) -> AnswerTable:
    """The table in which answers about a record that is in every group have the same task, the first one.

    Rows are the same record if all their fields but the group are equal. As elsewhere, a record counts once
    for each language.
    """
    if IS_SHARED not in table.fields:
        return table
    shared = np.flatnonzero([bool(text) for text in table.fields[IS_SHARED].texts()])
    timelines = np.zeros(len(table.tasks.values), dtype=np.int64)
    timelines[table.tasks.codes] = table.timelines
    columns = [column.codes for name, column in table.fields.items() if name != GROUPING_COLUMN]
    rows = np.stack([timelines, *columns], axis=1)[shared]
    _rows, first, row_of = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    codes = np.arange(len(timelines), dtype=table.tasks.codes.dtype)
    codes[shared] = shared[first[row_of.reshape(-1)]]
    return replace(table, tasks=TextColumn(codes[table.tasks.codes], table.tasks.values))
