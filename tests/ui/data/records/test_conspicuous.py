"""What is conspicuous among the records is counted, marked and filtered; a heading filters by a text."""

from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest

from batchwright.ui.data.records.records_model import RowsModel
from batchwright.ui.data.records.records_table import RowsTable
from batchwright.ui.data.stage import DataStage
from batchwright.ui.data.stage_pages import FilePage
from batchwright.ui.widgets.tables.table import CellRole
from tests.ui.conftest import until
from tests.ui.data.conftest import opened, shown

EQUAL = "equal to another record"


def write_conspicuous(folder: Path) -> Path:
    """41 records: one text is very long, one empty, one value occurs twice, and two records are equal."""
    rows = [f"{number},text number {number:02},{'ab'[number % 2]}" for number in range(40)]
    rows[3] = f"3,{'long ' * 40},a"
    rows[5] = "5,,b"
    rows[7] = "7,text number 06,b"
    rows.append(rows[10])
    path = folder / "conspicuous.csv"
    path.write_text("\n".join(("id,prompt,kind", *rows)) + "\n")
    return path


async def marked(stage: DataStage) -> None:
    await until(lambda: stage.state.views.marks is not None, 30)


async def test_a_checked_file_is_marked_by_icons_and_words(stage: DataStage, tmp_path: Path) -> None:
    await opened(stage, write_conspicuous(tmp_path))
    await marked(stage)
    table = shown(stage, RowsTable)
    model = table.model()
    assert isinstance(model, RowsModel)
    interface = QAccessible.queryAccessibleInterface(table)
    assert interface is not None

    def spoken(row: int, column: int) -> str:
        # Qt counts the headings of rows and columns, too.
        cell = interface.child((row + 1) * (model.columnCount() + 1) + column + 1)
        assert cell is not None
        return cell.text(QAccessible.Text.Name)

    assert spoken(3, 2).endswith(", conspicuously long")
    assert spoken(5, 2) == "empty"
    assert spoken(6, 2) == spoken(7, 2) == "text number 06, occurs more than once"
    assert spoken(10, 0) == f"12, {EQUAL}"
    assert spoken(40, 0) == f"42, {EQUAL}"
    assert spoken(4, 2) == "text number 04"
    assert spoken(0, 3) == "a"  # a category, whose values all repeat
    glyphs = [model.index(row, 2).data(CellRole.CELL).glyph for row in (3, 4, 6)]
    assert glyphs == ["ruler", "", "copy"]
    assert model.index(3, 2).data(Qt.ItemDataRole.ToolTipRole).startswith("conspicuously long")
    tip = model.headerData(2, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert tip == "38 different values  ·  empty in 1 record  ·  14 to 200 characters"


async def test_each_kind_of_conspicuous_value_is_offered_and_shown(stage: DataStage, tmp_path: Path) -> None:
    await opened(stage, write_conspicuous(tmp_path))
    await marked(stage)
    bar, table = shown(stage, FilePage).records_bar, shown(stage, RowsTable)
    entries = {action.text(): action for action in bar.conspicuous.menu().actions()}
    assert list(entries) == [
        "equal to another record: 2 records",
        "“id” has a value that occurs more than once: 2 records",
        "“prompt” is empty: 1 record",
        "“prompt” has a value that occurs more than once: 4 records",
        "“prompt” is conspicuously long: 1 record",
    ]
    entries["“prompt” is conspicuously long: 1 record"].trigger()
    await until(lambda: table.model().rowCount() == 1 and table.model().index(0, 0).data() == "5", 20)


async def test_a_text_typed_in_a_heading_filters_while_it_is_typed(stage: DataStage, tmp_path: Path) -> None:
    await opened(stage, write_conspicuous(tmp_path))
    table = shown(stage, RowsTable)
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 2))
    QTest.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    field = table.filter
    assert field.hasFocus()
    assert field.accessibleName() == "Text that “prompt” contains"
    QTest.keyClicks(field, "NUMBER 1")
    await until(lambda: table.model().rowCount() == 11, 20)
    heading = table.model().headerData(2, Qt.Orientation.Horizontal, Qt.ItemDataRole.AccessibleTextRole)
    assert heading == "prompt, filtered"
    QTest.keyClicks(field, "99")
    await until(lambda: table.model().rowCount() == 0, 20)
    assert field.isVisible()
    QTest.keyClick(field, Qt.Key.Key_Escape)
    await until(lambda: table.model().rowCount() == 41, 20)
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert table.hasFocus()
    assert not field.isVisible()


async def test_the_filter_of_a_heading_can_be_changed_and_removed_by_mouse(
    stage: DataStage, tmp_path: Path
) -> None:
    await opened(stage, write_conspicuous(tmp_path))
    table = shown(stage, RowsTable)
    table.filter.open_at(1, "id")
    QTest.keyClicks(table.filter, "39")
    await until(lambda: table.model().rowCount() == 1, 20)
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(9, 9))
    await until(lambda: not table.filter.isVisible())
    table.filter.open_at(1, "id")
    assert table.filter.text() == "39"
    table.filter.clear()
    await until(lambda: table.model().rowCount() == 41, 20)
