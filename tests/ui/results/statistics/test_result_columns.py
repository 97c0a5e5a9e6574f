"""Columns of tables of results."""

import pytest

from batchwright.analysis.statistics.text_lengths import TextRow
from batchwright.ui.results.statistics.result_columns import text_column
from batchwright.ui.results.statistics.row_table import RowModel

pytestmark = pytest.mark.gui


def test_texts_are_sorted_as_names_are_and_long_ones_by_their_start() -> None:
    start = "b" * 1_000
    texts = ["Z", f"{start}2", "a 10", f"{start}1", "A 9"]
    model = RowModel((text_column(TextRow, "text"),))
    model.show_rows([TextRow(text, 1, 1) for text in texts])
    model.sort(0)
    rows = [model.row(number) for number in range(len(texts))]
    assert [row.text for row in rows if row] == ["A 9", "a 10", f"{start}2", f"{start}1", "Z"]
