"""The model of the records table, which requests the rows that are shown."""

import pytest
from PySide6.QtCore import Qt

from batchwright.base.json_values import Json
from batchwright.data_files.checking import Rejection
from batchwright.data_files.rows import ParsedRecord
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.schema.record_validator import RecordError
from batchwright.ui.data.records.records_model import PAGE_SIZE, RowsModel
from batchwright.ui.widgets.tables.table import CellRole, TextCell

pytestmark = pytest.mark.gui


def entry(record: int, *cells: str) -> ParsedRecord[Json]:
    return ParsedRecord(record, record + 2, list(cells))


@pytest.fixture
def model() -> RowsModel:
    model = RowsModel()
    model.show_file(("a", "b"), [entry(0, "one\nmore", ""), entry(1, "<b>two</b>", "x" * 1000)])
    return model


def cell(model: RowsModel, row: int, column: int) -> TextCell:
    text = model.index(row, column).data(CellRole.CELL)
    assert isinstance(text, TextCell)
    return text


def test_the_first_column_has_the_line_numbers(model: RowsModel) -> None:
    assert [model.index(row, 0).data() for row in range(2)] == ["2", "3"]
    assert model.headerData(0, Qt.Orientation.Horizontal) == "Line"


def test_a_value_is_shown_on_one_line_and_truncated(model: RowsModel) -> None:
    assert cell(model, 0, 1).text == "one more"
    assert len(cell(model, 1, 2).text) < 1000


def test_an_empty_cell_is_shown_as_empty(model: RowsModel) -> None:
    assert cell(model, 0, 2).is_missing
    assert model.index(0, 2).data() == "empty"


def test_a_rejected_cell_is_marked_with_the_reason_in_its_tooltip(model: RowsModel) -> None:
    model.show_rejections({0: Rejection(2, 0, "b", "It is missing."), 1: Rejection(3, 1, "_raw", "Ragged.")})
    assert cell(model, 0, 2).has_error
    assert not cell(model, 0, 1).has_error
    assert cell(model, 1, 0).has_error
    assert model.index(0, 2).data(Qt.ItemDataRole.ToolTipRole) == "It is missing."


def test_the_tooltip_shows_a_long_value_in_full_as_plain_text(model: RowsModel) -> None:
    model.show_file(("a",), [entry(0, "<b>two</b> and much more that no cell shows")])
    assert (
        model.index(0, 1).data(Qt.ItemDataRole.ToolTipRole) == "<b>two</b> and much more that no cell shows"
    )


def test_missing_pages_of_rows_are_requested(model: RowsModel) -> None:
    expected: list[int] = []
    model.page_requested.connect(expected.append)
    model.show_count(10 * PAGE_SIZE)
    assert model.rowCount() == 10 * PAGE_SIZE
    assert model.index(5 * PAGE_SIZE + 1, 1).data() is None
    assert expected == [5]
    model.set_page(5, [entry(5 * PAGE_SIZE + number, f"v{number}", "") for number in range(PAGE_SIZE)])
    assert model.index(5 * PAGE_SIZE + 1, 1).data() == "v1"


def test_a_row_that_cannot_be_parsed_shows_its_error() -> None:
    model = RowsModel()
    model.show_file(("a", "b"), [ParsedRecord(0, 2, RecordError("_raw", "The row is broken."))])
    assert cell(model, 0, 1).text == "The row is broken."
    assert cell(model, 0, 2).text == ""


def test_the_header_shows_the_type_of_each_column(model: RowsModel) -> None:
    model.show_schema(Schema(strict=False, fields={"a": Field(FieldType.TEXT)}))
    for section in (1, 2):
        icon = model.headerData(section, Qt.Orientation.Horizontal, Qt.ItemDataRole.DecorationRole)
        assert not icon.isNull()  # type: ignore[attr-defined]  # a QIcon
    assert model.type_of("a") is FieldType.TEXT
    assert model.type_of("b") is None


def test_a_lone_surrogate_is_replaced() -> None:
    model = RowsModel()
    model.show_file(("a",), [entry(0, "x\udcff")])
    assert model.index(0, 1).data() == "x?"
