"""Unusual data files: any encoding, ragged, malformed, huge, empty, or not a table at all."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QScrollArea, QWidget

from batchwright.data_files.formats import FormatKind
from batchwright.data_files.text_rows.encodings import ENCODINGS
from batchwright.ui.data.dataset.dataset_operations import UPLOAD
from batchwright.ui.data.dataset.upload import start_upload
from batchwright.ui.data.file.check_panel import RejectionsTable
from batchwright.ui.data.file.data_file import FileState
from batchwright.ui.data.file.data_file_commands import choose_file
from batchwright.ui.data.file.data_file_dialogs import EncodingDialog
from batchwright.ui.data.file.file_bar import ChoiceButton, FileBar
from batchwright.ui.data.next_step import DataAction, next_step
from batchwright.ui.data.records.record_dialog import RecordDialog
from batchwright.ui.data.records.records_table import RowsTable
from batchwright.ui.data.schema_panel import FieldTypeCombo
from batchwright.ui.data.stage import DataStage
from batchwright.ui.data.stage_pages import NoFilePage
from batchwright.ui.shell.state import ShellState
from batchwright.ui.widgets.fields import TextArea
from batchwright.ui.widgets.notices import NoticeCard
from tests.ui.conftest import until
from tests.ui.data.conftest import buttons, checked, drop, opened, shown, wait_for_dialog
from tests.ui.fake_connection_pool import FakeConnectionPool

pytestmark = pytest.mark.gui

WriteFile = Callable[[str, bytes | str], Path]


@pytest.fixture
def write_file(tmp_path: Path) -> WriteFile:
    """A function that writes a file."""

    def write(name: str, content: bytes | str) -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def cells(stage: DataStage, row: int) -> list[str]:
    """The texts of a row of the table."""
    table = shown(stage, RowsTable).model()
    return [table.index(row, column).data() for column in range(table.columnCount())]


def rejected(stage: DataStage) -> list[list[str]]:
    """The rows of the rejections table: line, field, reason."""
    listed = shown(stage, RejectionsTable).model()
    return [[listed.index(row, column).data() for column in (1, 2, 3)] for row in range(listed.rowCount())]


def shown_text(widget: QWidget) -> str:
    """All texts of a widget."""
    return "\n".join(label.text() for label in widget.findChildren(QLabel))


def choose_entry(stage: DataStage, owner: type[QWidget], entry: str) -> None:
    """Choose an entry of a format menu."""
    menus = [button.menu() for button in shown(stage, owner).findChildren(ChoiceButton)]
    assert all(isinstance(menu, QMenu) for menu in menus)
    next(action for menu in menus for action in menu.actions() if action.text() == entry).trigger()


async def unreadable(stage: DataStage, path: Path) -> None:
    """Open a file that is not a table."""
    stage.state.open_file(path)
    await until(lambda: stage.state.file.state is FileState.UNREADABLE, 30)


@pytest.mark.parametrize(
    ("encoding", "delimiter"),
    [(encoding, ",") for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-be", "cp1252")]
    + [("utf-8", delimiter) for delimiter in (";", "\t", "|")],
)
async def test_csv_text_of_any_unicode_encoding_and_delimiter_is_shown(
    stage: DataStage, write_file: WriteFile, encoding: str, delimiter: str
) -> None:
    table = f'prompt{delimiter}note\n"Où est le «{delimiter}» ?\nLà-bas."{delimiter}été\n'
    await opened(stage, write_file("table.csv", table.encode(encoding)))
    assert cells(stage, 0) == [
        "2",
        f"Où est le «{delimiter.strip()}» ? Là-bas.".replace("«»", "« »"),
        "été",
    ]
    assert not rejected(stage)


async def test_the_encoding_can_be_corrected(stage: DataStage, write_file: WriteFile) -> None:
    await opened(stage, write_file("table.csv", "prompt,note\nété,œufs\n".encode("cp1252")))
    choose_entry(stage, FileBar, "UTF-16 LE")
    await until(lambda: stage.state.file.state is FileState.UNREADABLE, 30)
    assert "not encoded as UTF-16-LE" in shown_text(shown(stage, NoFilePage))
    choose_entry(stage, NoFilePage, "UTF-8")
    await checked(stage.state)
    assert cells(stage, 0)[0] == "2"
    assert stage.state.study.schema is not None
    assert set(stage.state.study.schema.fields) == {"prompt", "note"}


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("shift_jis", "質問,画像\n猫は何匹いますか,一枚目\nどちらが好きですか,二枚目\n"),
        ("gb18030", "问题,图片\n图中有几只猫？,第一张\n你更喜欢哪一个？,第二张\n"),
        ("cp1251", "вопрос,картинка\nСколько кошек на картинке?,первая\nЧто вам больше нравится?,вторая\n"),
    ],
)
async def test_a_legacy_encoding_is_detected(
    stage: DataStage, write_file: WriteFile, encoding: str, text: str
) -> None:
    await opened(stage, write_file("table.csv", text.encode(encoding)))
    lines = text.splitlines()
    assert cells(stage, 0) == ["2", *lines[1].split(",")]
    assert cells(stage, 1) == ["3", *lines[2].split(",")]
    schema = stage.state.study.schema
    assert schema is not None
    assert ",".join(schema.fields) == lines[0]
    assert not rejected(stage)


async def test_any_encoding_can_be_found_and_selected(stage: DataStage, write_file: WriteFile) -> None:
    async def choose(owner: type[QWidget], typed: str, encoding: str) -> None:
        choose_entry(stage, owner, "More encodings…")
        dialog = await wait_for_dialog(stage, EncodingDialog)
        QTest.keyClicks(dialog.search, typed)
        assert dialog.encoding == encoding
        QTest.keyClick(dialog.search, Qt.Key.Key_Return)
        await until(lambda: not stage.window().findChildren(EncodingDialog))

    await opened(stage, write_file("table.csv", "質問,b\n猫は何匹いますか,1\n".encode("iso2022_jp")))
    assert cells(stage, 0)[1] != "猫は何匹いますか"
    await choose(FileBar, "iso 2022 jp", "iso2022_jp")
    await checked(stage.state)
    assert cells(stage, 0) == ["2", "猫は何匹いますか", "1"]
    await choose(FileBar, "korean jo", "johab")
    await until(lambda: stage.state.file.state is not FileState.READING, 30)
    await unreadable(stage, write_file("wide.csv", ("a,b\n" + "x,1\n" * 300).encode("utf-32-le")))
    await choose(NoFilePage, "utf-32 le", "utf-32-le")
    await checked(stage.state)
    assert cells(stage, 0) == ["2", "x", "1"]


async def test_only_a_listed_encoding_can_be_accepted(stage: DataStage, write_file: WriteFile) -> None:
    await opened(stage, write_file("table.csv", "a,b\n1,2\n"))
    choose_entry(stage, FileBar, "More encodings…")
    dialog = await wait_for_dialog(stage, EncodingDialog)
    assert dialog.encoding == "utf-8"
    assert dialog.encodings.count() == len(ENCODINGS)
    QTest.keyClick(dialog.search, Qt.Key.Key_Down)
    assert dialog.encoding == "utf-16-le"
    geometry = dialog.geometry_in(stage.window().rect())
    QTest.keyClicks(dialog.search, "klingon")
    QApplication.processEvents()
    assert dialog.geometry_in(stage.window().rect()) == geometry
    assert dialog.encodings.isVisible()
    assert "No matching encodings" in shown_text(dialog)
    assert not dialog.accept_button.isEnabled()
    dialog.cancel_button.click()
    await until(lambda: not stage.window().findChildren(EncodingDialog))
    assert cells(stage, 0) == ["2", "1", "2"]


async def test_the_delimiter_can_be_corrected(stage: DataStage, write_file: WriteFile) -> None:
    await opened(stage, write_file("table.csv", "a;b,c\n1;2,3\n4;5,6\n"))
    choose_entry(stage, FileBar, "Semicolon")
    await checked(stage.state)
    assert cells(stage, 0) == ["2", "1", "2,3"]


async def test_only_ragged_rows_are_rejected_and_their_cells_are_shown(
    stage: DataStage, write_file: WriteFile
) -> None:
    await opened(stage, write_file("ragged.csv", "a,b,c\nx,2,3\nx,2\nx,2,3,beyond\ny,5,6\n"))
    shown(stage, RowsTable).record_requested.emit(2)
    await until(lambda: bool(stage.window().findChildren(RecordDialog)))
    dialog = stage.window().findChildren(RecordDialog)[0]
    await until(lambda: len(dialog.findChildren(TextArea)) == 4)
    values = dialog.findChildren(TextArea)
    assert [area.toPlainText() for area in values] == ["x", "2", "3", "beyond"]
    assert all(area.isReadOnly() and not area.frameWidth() for area in values)
    dialog.accept_button.click()
    await until(lambda: not stage.window().findChildren(RecordDialog))
    assert cells(stage, 1) == ["3", "x", "2", "empty"]
    assert rejected(stage) == [
        ["Line 3", "Whole record", "The row has 2 cells, but the header has 3 columns."],
        ["Line 4", "Whole record", "The row has 4 cells, but the header has 3 columns."],
    ]
    assert next_step(stage.state).button == "Upload 2 accepted records"


async def test_columns_with_the_same_name_are_shown_and_are_not_fields(
    stage: DataStage, write_file: WriteFile
) -> None:
    await opened(stage, write_file("twice.csv", "a,b,a\none,two,three\n"))
    assert cells(stage, 0) == ["2", "one", "two", "three"]
    part = next(part for part in stage.state.columns if part.name == "a")
    assert (part.type, part.reason, part.can_be_field) == (None, "Columns 1 and 3 have this name.", False)
    assert next_step(stage.state).action is DataAction.UPLOAD


async def test_a_huge_cell_is_accepted_and_a_null_byte_is_rejected(
    stage: DataStage, write_file: WriteFile
) -> None:
    await opened(stage, write_file("huge.csv", "a,b\n" + "x" * 200_000 + ",2\nx\0y,3\n"))
    shown(stage, RowsTable).record_requested.emit(0)
    await until(lambda: bool(stage.window().findChildren(RecordDialog)))
    stage.window().findChildren(RecordDialog)[0].accept_button.click()
    await until(lambda: not stage.window().findChildren(RecordDialog))
    assert len(cells(stage, 0)[1]) < 1000
    assert cells(stage, 1) == ["3", "x\N{REPLACEMENT CHARACTER}y", "3"]
    assert rejected(stage) == [["Line 3", "a", "The cell contains a null byte, which is not valid text."]]
    assert next_step(stage.state).button == "Upload 1 accepted record"


async def test_a_malformed_jsonl_line_is_reported_with_its_position(
    stage: DataStage, write_file: WriteFile
) -> None:
    await opened(stage, write_file("broken.jsonl", '{"a": "x"}\n\n{"a": "y", }\n{"a": "z"}\n'))
    reason = "The line is not valid JSON: a key in double quotes is missing, at character 12."
    assert rejected(stage) == [["Line 3", "Whole record", reason]]
    assert cells(stage, 1) == ["3", reason]
    assert cells(stage, 2) == ["4", "z"]


async def test_a_header_without_records_is_reported(stage: DataStage, write_file: WriteFile) -> None:
    await opened(stage, write_file("header.csv", "prompt,answer\n"))
    step = next_step(stage.state)
    assert step.action is DataAction.CHOOSE
    assert "has a header but no records" in step.text
    assert stage.state.dataset.upload_source() is None
    assert "No records yet" in shown_text(stage)


@pytest.mark.parametrize(
    ("name", "content", "what", "remedy"),
    [
        ("empty.csv", b"", "The file is empty.", "Write records into it"),
        ("blank.jsonl", b"\n \n", "The file is empty.", "Write records into it"),
        ("book.xlsx", b"PK\x03\x04" + bytes(99), "The spreadsheet is damaged", "save it again"),
        ("noise.csv", bytes(range(256)) * 9, "is not a text file", "or a table"),
        ("zero.csv", b"a\0,b\n1,2\n", "its first line contains null bytes", "Save the file as UTF-8"),
        ("words.jsonl", b"hello\nworld\n", "Line 1: The line is not valid JSON", "a JSON object on a line"),
        ("list.json", b'[\n {"a": 1}\n', "The file is not valid JSON", "Export it again"),
        ("endless.csv", b"a,b\n" + b"x" * 11_000_000, "longer than 10 MB", "Save the file"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_a_file_that_is_not_a_table_is_reported_with_a_remedy(
    stage: DataStage, write_file: WriteFile, name: str, content: bytes, what: str, remedy: str
) -> None:
    await unreadable(stage, write_file(name, content))
    page = shown(stage, NoFilePage)
    assert page.isVisible()
    assert what in shown_text(page)
    assert remedy in shown_text(page)
    assert {"Retry", "Choose another file"} <= set(buttons(stage))
    assert name in next_step(stage.state).text


async def test_a_changed_file_is_reloaded_with_a_notice(stage: DataStage, write_file: WriteFile) -> None:
    await opened(stage, path := write_file("table.csv", "a,b\nx,1\nx\n"))
    stage.state.schema.set_label("a", "My label")
    await checked(stage.state)
    path.write_text("a,b\nx,1\nx,2\ny,3\n")
    stage.state.reload_if_changed()
    await until(lambda: bool(stage.window().findChildren(NoticeCard)), 30)
    await checked(stage.state)
    assert stage.window().findChildren(NoticeCard)[0].accessibleName() == "table.csv has changed"
    assert not rejected(stage)
    assert cells(stage, 2) == ["4", "y", "3"]
    assert stage.state.study.schema is not None
    assert stage.state.study.schema.fields["a"].label == "My label"


async def test_a_file_that_reappears_is_reloaded(stage: DataStage, write_file: WriteFile) -> None:
    await opened(stage, path := write_file("table.csv", "a,b\nx,1\n"))
    before = stage.state.study.schema
    path.rename(path.with_suffix(".away"))
    stage.state.validate()
    await until(lambda: stage.state.file.state is FileState.UNREADABLE, 30)
    assert "“table.csv” was not found" in shown_text(shown(stage, NoFilePage))
    assert stage.state.study.schema == before
    assert stage.state.study.data is not None
    path.with_suffix(".away").rename(path)
    stage.state.reload_if_changed()
    await checked(stage.state)
    assert stage.state.study.schema == before
    assert cells(stage, 0) == ["2", "x", "1"]


async def test_a_file_that_changes_while_scrolling_is_reported(
    stage: DataStage, write_file: WriteFile
) -> None:
    path = write_file("long.csv", "a,b\n" + "".join(f"row {number},x\n" for number in range(9000)))
    await opened(stage, path)
    await until(lambda: stage.state.file.summary is not None and stage.state.file.summary.is_counted, 30)
    path.write_text("a,b\nx,1\n")
    shown(stage, RowsTable).go_to(8000, "a")
    await until(lambda: stage.state.file.state is FileState.UNREADABLE, 30)
    assert "has changed since it was opened" in shown_text(shown(stage, NoFilePage))
    buttons(stage)["Retry"].click()
    await checked(stage.state)
    assert cells(stage, 0) == ["2", "x", "1"]


async def test_dropping_several_files_is_rejected_with_a_notice(
    stage: DataStage, write_file: WriteFile
) -> None:
    first, second = write_file("a.csv", "a\n1\n"), write_file("b.csv", "b\n1\n")
    drop(stage, first, second)
    await until(lambda: len(stage.window().findChildren(NoticeCard)) == 1)
    messages = {card.accessibleName() for card in stage.window().findChildren(NoticeCard)}
    assert messages == {"2 files were dropped"}
    assert stage.state.file.state is FileState.NONE


async def test_a_study_or_folder_dropped_on_the_stage_is_passed_to_the_window(
    stage: DataStage, shell: ShellState, write_file: WriteFile, tmp_path: Path
) -> None:
    handed: list[tuple[Path, ...]] = []
    shell.files_dropped.connect(handed.append)
    study = write_file("a.batchwright", '{"batchwright": 1}')

    for path in (study, tmp_path):
        drop(stage, path)
        await until(lambda: bool(handed) and handed[-1] == (path,))  # noqa: B023
    assert stage.state.file.state is FileState.NONE


async def test_another_file_is_rejected_during_an_upload(
    stage: DataStage, write_file: WriteFile, pool: FakeConnectionPool
) -> None:
    await opened(stage, path := write_file("a.csv", "a\nx\n"))
    pool.may_continue = asyncio.Event()
    start_upload(stage.state.dataset)
    drop(stage, write_file("b.csv", "b\n1\n"))
    stage.context.start(choose_file)
    await until(lambda: len(stage.window().findChildren(NoticeCard)) == 2)
    assert stage.state.dataset.operations.current is not None
    assert stage.state.file.path == path
    stage.state.dataset.operations.cancel(UPLOAD)
    await until(lambda: stage.state.dataset.operations.current is None)


async def test_the_file_format_can_be_corrected(stage: DataStage, write_file: WriteFile) -> None:
    await unreadable(stage, write_file("table.jsonl", "a,b\nx,1\n"))
    choose_entry(stage, NoFilePage, "Read as CSV")
    await checked(stage.state)
    assert stage.state.file.summary is not None
    assert stage.state.file.summary.format.kind is FormatKind.CSV
    assert cells(stage, 0) == ["2", "x", "1"]


async def test_what_the_service_would_reject_in_a_schema_is_said_instead_of_the_upload(
    stage: DataStage, write_file: WriteFile
) -> None:
    stage.state.open_file(write_file("cats.csv", "name,age\nTom,3\n"))
    await checked(stage.state)
    stage.state.schema.set_label("name", "x" * 300)
    assert "the label has 300 characters" in next_step(stage.state).disabled_reason
    for column in ("name", "age"):
        stage.state.schema.set_type(column, None)
    assert "Choose a type for at least one" in next_step(stage.state).disabled_reason


async def test_the_list_of_thousands_of_columns_grows_as_it_is_scrolled(
    stage: DataStage, write_file: WriteFile
) -> None:
    names = [f"column {number}" for number in range(400)]
    fields = next(area for area in stage.findChildren(QScrollArea) if area.accessibleName() == "Fields")
    bar = fields.verticalScrollBar()

    def combos() -> list[str]:
        return [combo.accessibleName() for combo in fields.findChildren(FieldTypeCombo)]

    def shows_all_at_its_end() -> bool:
        bar.setValue(bar.maximum())  # the end moves when the rows are laid out
        return len(combos()) == len(names)

    await opened(stage, write_file("wide.csv", ",".join(names) + "\n" + ",".join(["x"] * 400) + "\n"))
    await until(lambda: len(combos()) == 300, 20)
    await until(shows_all_at_its_end, 20)
    assert combos() == [f"Type of {name}" for name in names]
