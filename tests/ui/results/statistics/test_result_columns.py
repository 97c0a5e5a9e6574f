"""Columns of tables of results."""

import pytest
from PySide6.QtWidgets import QApplication

from batchwright.analysis.statistics.text_lengths import TextRow
from batchwright.ui.results.statistics.result_columns import text_column
from batchwright.ui.results.statistics.row_table import RowColumn, RowModel, RowTable

pytestmark = pytest.mark.gui


def test_texts_are_sorted_as_names_are_and_long_ones_by_their_start() -> None:
    start = "b" * 1_000
    texts = ["Z", f"{start}2", "a 10", f"{start}1", "A 9"]
    model = RowModel((text_column(TextRow, "text"),))
    model.show_rows([TextRow(text, 1, 1) for text in texts])
    model.sort(0)
    rows = [model.row(number) for number in range(len(texts))]
    assert [row.text for row in rows if row] == ["A 9", "a 10", f"{start}2", f"{start}1", "Z"]


def test_columns_share_the_space_and_a_long_heading_gets_what_it_needs(qapp: QApplication) -> None:
    titles = {"Record": 0, "Label": 0, "A heading that is much longer than the others": 0, "Answers": 90}
    table = RowTable("Table", [RowColumn(title, str, str, width) for title, width in titles.items()])
    table.resize(800, 200)
    table.show()
    qapp.processEvents()
    head = table.horizontalHeader()
    widths = [head.sectionSize(number) for number in range(len(titles))]
    assert sum(widths) == table.viewport().width()
    assert widths[2] == head.sectionSizeHint(2) > 800 // 3
    assert abs(widths[0] - widths[1]) <= 1
    table.setColumnHidden(2, True)
    assert head.length() == table.viewport().width()
    table.close()
