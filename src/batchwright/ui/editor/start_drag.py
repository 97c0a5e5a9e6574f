"""Starts drags of palette items, items, columns, rows and pages."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from batchwright.layout.editing.selection import EditRejected
from batchwright.layout.nodes import Level
from batchwright.ui.editor.core import commands
from batchwright.ui.editor.core.state import EditorState
from batchwright.ui.editor.dnd.drag_source import run_drag
from batchwright.ui.editor.dnd.external_drops import LayoutMimeData
from batchwright.ui.editor.dnd.payload import BlockPayload, DragPayload, NewItemPayload, payload_for_nodes
from batchwright.ui.editor.editor_panels import EditorPanels
from batchwright.ui.editor.palette.palette import PaletteRow
from batchwright.ui.shell.state import ShellState
from batchwright.ui.widgets.accessibility.announcements import announce


class DragController(QObject):
    """Starts drags from every panel and shows in the status bar what a drop would do."""

    drag_rejected = Signal(str)

    def __init__(self, panels: EditorPanels, state: EditorState, shell: ShellState) -> None:
        super().__init__(panels)
        self._panels, self._state, self._shell = panels, state, shell
        for target in panels.drop_targets:
            target.hint_changed.connect(self._on_hint_changed)
        panels.canvas.page_canvas.drag_requested.connect(
            lambda key: self._on_node_dragged(key, panels.canvas)
        )
        panels.pages.drag_requested.connect(lambda key: self._on_node_dragged(key, panels.pages))
        panels.outline.drag_requested.connect(lambda key: self._on_node_dragged(key, panels.outline))
        panels.palette_panel.drag_requested.connect(self._on_palette_row_dragged)

    def _on_node_dragged(self, key: str, source: QWidget) -> None:
        """Drag a node; if it is part of the selection, drag all selected nodes."""
        selection = self._state.targets
        keys = selection if key in selection else (key,)
        try:
            payload = payload_for_nodes(self._state.layout, keys, self._state.schema)
        except EditRejected as error:
            self.drag_rejected.emit(error.reason)
            return
        self._drag(payload, keys, source)

    def _on_palette_row_dragged(self, row: PaletteRow) -> None:
        item = row.item
        payload: DragPayload
        if item.block is None:
            node = commands.new_item(item.item_type, item.field)
            payload = NewItemPayload(item.label, level=Level.ITEM, node=node)
        elif item.block.nodes is not None:
            nodes = commands.block_nodes(item.block)
            names = commands.block_page_names(item.block, nodes)
            payload = BlockPayload(item.label, len(nodes), item.block.nodes.level, nodes, page_names=names)
        else:
            self.drag_rejected.emit(item.block.error)
            return
        row.show_dragged(is_dragged=True)
        try:
            self._drag(payload, (), row)
        finally:
            row.show_dragged(is_dragged=False)

    def _drag(self, payload: DragPayload, keys: Sequence[str], source: QWidget) -> None:
        mime = LayoutMimeData(payload, self._state.study)
        with self._panels.showing_dragged(keys):
            run_drag(source, mime)
        self._shell.set_hint("")

    def _on_hint_changed(self, message: str) -> None:
        """Show what a drop would do, and announce it to screen readers when it changes."""
        if message and message != self._shell.hint:
            announce(self._panels, message)
        self._shell.set_hint(message)
