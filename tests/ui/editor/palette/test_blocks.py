"""Own blocks: saved from the selection, and added from the list of items by click, keyboard and drag."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu

from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.nodes import Level
from batchwright.local.library import Library
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.editor.core import commands
from batchwright.ui.editor.dnd.external_drops import LayoutMimeData
from batchwright.ui.editor.dnd.payload import BlockPayload
from batchwright.ui.editor.palette.palette import PaletteRow
from batchwright.ui.editor.stage import EditorStage
from batchwright.ui.study.library import LibraryEntryDialog
from tests.ui.conftest import until
from tests.ui.editor.conftest import drawing, selected, settle
from tests.ui.editor.interaction import SimulatedDrag

pytestmark = pytest.mark.gui


async def save(stage: EditorStage, keys: list[str], name: str) -> None:
    """Save nodes as a block, as the command does."""
    stage.state.select(keys)
    settle()
    stage.context.actions.run(ActionId.LAYOUT_SAVE_BLOCK)
    window = stage.window()
    await until(lambda: window.findChild(LibraryEntryDialog) is not None)
    dialog = window.findChild(LibraryEntryDialog)
    assert dialog is not None
    dialog.findChildren(QLineEdit)[0].selectAll()
    QTest.keyClicks(dialog.findChildren(QLineEdit)[0], name)
    QTest.keyClick(dialog.findChildren(QLineEdit)[0], Qt.Key.Key_Return)
    await until(lambda: any(row.item.block for row in stage.panels.palette_panel.rows()))
    settle()


def row_of(stage: EditorStage, name: str) -> PaletteRow:
    (matches,) = [row for row in stage.panels.palette_panel.rows() if row.item.label.title == name]
    return matches


async def test_selected_items_become_a_block_that_a_click_adds_as_one_step(stage: EditorStage) -> None:
    before = {node.key for node in stage.state.layout.walk_all()}
    await save(stage, ["a", "b"], "Both")
    row = row_of(stage, "Both")
    assert row.accessibleDescription() == "2 items"
    assert drawing(stage) == "ab / c|d // e"
    stage.state.reveal("c")
    settle()
    QTest.mouseClick(row, Qt.MouseButton.LeftButton)
    settle()
    assert drawing(stage) == "ab / cab|d // e"
    assert len(selected(stage)) == 2
    assert before.isdisjoint(selected(stage))
    assert stage.state.study.history.undo_label == "Add block"
    QTest.mouseClick(row_of(stage, "Both"), Qt.MouseButton.LeftButton)
    settle()
    assert len({node.key for node in stage.state.layout.walk_all()}) == len(
        list(stage.state.layout.walk_all())
    )
    stage.state.study.undo()
    stage.state.study.undo()
    assert drawing(stage) == "ab / c|d // e"


async def test_rows_and_pages_become_blocks_too(stage: EditorStage) -> None:
    await save(stage, ["rc"], "A row")
    stage.state.reveal("a")
    settle()
    QTest.keyClick(row_of(stage, "A row"), Qt.Key.Key_Return)
    settle()
    assert drawing(stage) == "ab / c|d / c|d // e"
    stage.state.reveal("pe")
    settle()
    stage.context.actions.run(ActionId.LAYOUT_SAVE_BLOCK)
    window = stage.window()
    await until(lambda: window.findChild(LibraryEntryDialog) is not None)
    dialog = window.findChild(LibraryEntryDialog)
    assert dialog is not None
    QTest.keyClick(dialog.findChildren(QLineEdit)[0], Qt.Key.Key_Return)
    await until(lambda: len([row for row in stage.panels.palette_panel.rows() if row.item.block]) == 2)
    settle()
    QTest.mouseClick(row_of(stage, "Page"), Qt.MouseButton.LeftButton)
    settle()
    assert drawing(stage) == "ab / c|d / c|d // e // e"


async def test_the_pages_of_a_block_keep_their_names(stage: EditorStage) -> None:
    study = stage.state.study
    study.set_page_name("pe", "Thanks")
    stage.state.selection.select_pages(["pe"])
    settle()
    await save(stage, [], "End")
    past = len(study.history.past)
    QTest.mouseClick(row_of(stage, "End"), Qt.MouseButton.LeftButton)
    settle()
    assert [study.page_names.get(page.key) for page in study.layout.pages][-2:] == ["Thanks", "Thanks"]
    assert len(study.history.past) == past + 1
    study.undo()
    assert study.page_names == {"pe": "Thanks"}
    item = row_of(stage, "End").item
    assert item.block is not None
    nodes = commands.block_nodes(item.block)
    names = commands.block_page_names(item.block, nodes)
    payload = BlockPayload(item.label, 1, Level.PAGE, nodes, page_names=names)
    study.apply(payload.edit(InsertionPoint(None, 0)))
    assert study.page_names[study.layout.pages[0].key] == "Thanks"


async def test_a_block_is_dragged_onto_the_page(stage: EditorStage, monkeypatch: pytest.MonkeyPatch) -> None:
    await save(stage, ["a", "b"], "Both")
    dragged: list[LayoutMimeData] = []
    monkeypatch.setattr(
        stage._drag_controller,
        "_drag",
        lambda payload, *_rest: dragged.append(LayoutMimeData(payload, stage.state.study)),
    )
    row = row_of(stage, "Both")
    row.drag_requested.emit(row)
    (mime,) = dragged
    assert isinstance(mime.payload, BlockPayload)
    assert mime.payload.name == "2 items"
    card = stage.panels.canvas.page_canvas.card_of("d")
    assert card is not None
    canvas = stage.panels.canvas
    drag = SimulatedDrag(canvas.page_canvas, mime)
    below = card.mapTo(canvas.page_canvas, QPoint(card.width() // 2, card.height() - 2))
    assert drag.over(below)
    assert drag.drop(below)
    assert drawing(stage) == "ab / c|d / ab // e"
    edit = mime.payload.edit(InsertionPoint("cc", 0))
    assert edit.label == "Add block"


async def test_a_damaged_block_is_shown_and_only_removed(stage: EditorStage, tmp_path: Path) -> None:
    await save(stage, ["a"], "One")
    (tmp_path / "library" / "broken.batchwright-block").write_text("[")
    await stage._library.refresh()
    settle()
    row, messages = row_of(stage, "broken"), list[str]()
    assert row.accessibleDescription() == "damaged"
    assert "not valid JSON" in row.toolTip()
    stage.state.edit_rejected.connect(messages.append)
    QTest.mouseClick(row, Qt.MouseButton.LeftButton)
    settle()
    assert "not valid JSON" in messages[0]
    assert drawing(stage) == "ab / c|d // e"
    row_of(stage, "broken").menu_requested.emit(row_of(stage, "broken"), QPoint(50, 50))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert [action.text() for action in menu.actions()] == ["Remove"]
    menu.setActiveAction(menu.actions()[0])
    QTest.keyClick(menu, Qt.Key.Key_Return)
    await until(lambda: [entry.name for entry in Library(tmp_path).entries()] == ["One"])
    await until(lambda: not stage.context.tasks.running)


async def test_blocks_are_found_by_the_search_field(stage: EditorStage) -> None:
    await save(stage, ["a"], "Consent text")
    palette = stage.panels.palette_panel
    palette.focus_search()
    QTest.keyClicks(palette.search, "consent")
    assert [row.item.label.title for row in palette.rows()] == ["Consent text"]
    stage.state.reveal("e")
    QTest.keyClick(palette.search, Qt.Key.Key_Return)
    settle()
    assert drawing(stage) == "ab / c|d // ea"
