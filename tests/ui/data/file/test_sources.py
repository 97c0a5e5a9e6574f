"""Spreadsheets as data files: converted, shown, checked, and converted again with other options."""

import gzip
import json
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel

from batchwright.client.checkpoint import file_sha256
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.ui.data.file.check_panel import RejectionsTable
from batchwright.ui.data.file.data_file import FileState
from batchwright.ui.data.file.file_bar import ChoiceButton
from batchwright.ui.data.records.records_table import RowsTable
from batchwright.ui.data.stage import DataStage
from batchwright.ui.data.stage_pages import NotesBanner
from batchwright.ui.data.state import DataState
from batchwright.ui.widgets.buttons import IconButton
from tests.data_files.conversion.test_convert import workbook
from tests.data_files.files import write_file
from tests.data_files.sources.test_spreadsheets import FILES
from tests.ui.conftest import until
from tests.ui.data.conftest import checked


async def test_a_sheet_is_converted_checked_and_shown_with_its_own_rows(
    data: DataState, stage: DataStage, tmp_path: Path
) -> None:
    first = [["prompt", "picture"], ["Which?", "https://example.org/1.png"], ["Why?", "nowhere"]]
    second = [["Results of the pilot"], [], ["question", "id"], ["How?", "1"]]
    path = workbook(tmp_path / "study.xlsx", first, second)
    data.open_file(path)
    await checked(data)
    assert data.file.state is FileState.SHOWN
    assert data.file.summary is not None
    assert data.file.summary.columns == ("prompt", "picture")
    data.study.set_schema(Schema(strict=False, fields={"picture": Field(FieldType.IMAGE_URL)}))
    await until(lambda: bool(data.rejections))
    assert [(rejection.line, rejection.field) for rejection in data.rejections] == [(3, "picture")]
    assert data.study.data is not None
    assert data.study.data.path == path
    sheet, *_others = (button for button in stage.findChildren(ChoiceButton) if "Sheet" in button.text())
    sheet.menu().actions()[1].trigger()
    await until(lambda: data.file.summary is not None and data.file.summary.columns == ("question", "id"))
    await checked(data)
    assert data.study.data.conversion is not None
    assert data.study.data.conversion.options.sheet == "Sheet2"


async def test_a_changed_source_is_converted_again_with_its_options_and_its_digest_is_recorded(
    data: DataState, stage: DataStage, tmp_path: Path
) -> None:
    path = tmp_path / "study.json"

    def write(*records: dict[str, object]) -> str:
        path.write_text(json.dumps({"shown": [{"a": 1}, {"a": 2}], "chosen": records}), encoding="utf-8")
        return file_sha256(path)

    def recorded() -> str | None:
        return data.study.data.sha256 if data.study.data is not None else None

    first = write({"prompt": "Why?"})
    data.open_file(path)
    await until(lambda: recorded() == first)
    data.convert_with("array", "chosen")
    await until(lambda: data.file.summary is not None and data.file.summary.columns == ("prompt",))
    second = write({"prompt": "Why?"}, {"prompt": "How?", "id": 12345678901234567890})
    data.reload_if_changed()
    await until(lambda: recorded() == second)
    assert data.file.summary is not None
    assert data.file.summary.columns == ("prompt", "id")
    assert data.file.summary.records == 2
    assert data.study.data is not None
    assert data.study.data.conversion is not None
    assert data.study.data.conversion.options.array == "chosen"
    tooltips = [label.toolTip() for label in stage.findChildren(QLabel)]
    assert any(second in "".join(tooltip.split()) for tooltip in tooltips)
    await until(lambda: not data.is_reading)


async def test_two_header_rows_of_a_csv_file_are_chosen_and_taken_back(
    data: DataState, stage: DataStage, tmp_path: Path
) -> None:
    data.open_file(write_file(tmp_path, "Model A,,id\nleft,right,\nja,nein,007\n"))
    await checked(data)

    def entry(text: str) -> QAction:
        buttons = stage.findChildren(ChoiceButton)
        return next(
            action for button in buttons for action in button.menu().actions() if action.text() == text
        )

    entry("Two header rows").trigger()
    columns = ("Model A left", "Model A right", "id")
    await until(lambda: data.file.summary is not None and data.file.summary.columns == columns)
    await checked(data)
    assert [record.content for record in data.file.first_records] == [
        {"Model A left": "ja", "Model A right": "nein", "id": "007"}
    ]
    assert data.file.line_number(0) == 3
    assert data.study.data is not None
    assert data.study.data.conversion is not None
    entry("One header row").trigger()
    await until(lambda: data.file.summary is not None and data.file.summary.conversion is None)
    await checked(data)
    assert data.file.summary is not None
    assert data.file.summary.columns == ("Model A", "", "id")
    assert data.study.data.conversion is None


async def test_lines_of_a_compressed_file_that_are_no_rows_are_rejected_with_a_reason(
    data: DataState, stage: DataStage, tmp_path: Path
) -> None:
    path = tmp_path / "table.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n1,2\n3\n4,5,6\n"))
    data.open_file(path)
    await checked(data)
    await until(lambda: not data.is_reading)
    reason = "The row has another number of cells than the header has columns, or is damaged."
    assert [(rejection.line, rejection.reason) for rejection in data.rejections] == [(3, reason), (4, reason)]


async def test_what_the_conversion_did_is_closed_until_something_else_is_said(
    data: DataState, stage: DataStage
) -> None:
    stage.show()
    data.open_file(FILES / "study.ods")
    await checked(data)
    banner = stage.findChildren(NotesBanner)[0]
    await until(banner.isVisible)
    assert "1 hidden row was read as well." in banner.accessibleName()
    banner.findChildren(IconButton)[0].click()
    assert not banner.isVisible()
    data.convert_with("header_rows", 1)
    await until(banner.isVisible)
    await checked(data)


async def test_what_the_conversion_did_is_said_and_records_are_numbered_by_rows(
    data: DataState, stage: DataStage, tmp_path: Path
) -> None:
    sheet = [["prompt", "", "picture"], ["Which?", "a remark", "nowhere"]]
    data.study.set_schema(Schema(strict=False, fields={"picture": Field(FieldType.IMAGE_URL)}))
    data.open_file(workbook(tmp_path / "study.xlsx", sheet))
    await checked(data)
    note = "1 column without a usable name of its own is called “column_2”."
    await until(lambda: any(banner.accessibleName() == note for banner in stage.findChildren(NotesBanner)))
    heading = Qt.Orientation.Horizontal
    table = stage.findChildren(RowsTable)[0].model()
    assert table.headerData(0, heading) == "Row"
    await until(lambda: bool(data.rejections))
    assert stage.findChildren(RejectionsTable)[0].model().index(0, 1).data() == "Row 2"
    data.open_file(write_file(tmp_path, "prompt\nWhich?\n"))
    await checked(data)
    assert table.headerData(0, heading) == "Line"
    assert not any(banner.isVisibleTo(stage) for banner in stage.findChildren(NotesBanner))
