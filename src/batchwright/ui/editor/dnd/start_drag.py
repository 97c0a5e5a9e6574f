"""Taking things up with the pointer: parts, items, columns, rows and pages begin to follow it."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from batchwright.layout.edits import EditRefused
from batchwright.layout.nodes import Level
from batchwright.ui.editor import commands
from batchwright.ui.editor.dnd.drag_source import run_drag
from batchwright.ui.editor.dnd.external_drops import LayoutMimeData
from batchwright.ui.editor.dnd.payload import DragPayload, NewItemPayload, payload_for_nodes
from batchwright.ui.editor.palette_row import PaletteRow
from batchwright.ui.editor.panels import EditorPanels
from batchwright.ui.editor.state import EditorState
from batchwright.ui.shell.state import ShellState
from batchwright.ui.widgets.accessibility import announce


class DragController(QObject):
    """Begins drags from every panel, and says in the status line what their release would do."""

    refused = Signal(str)

    def __init__(self, panels: EditorPanels, model: EditorState, shell: ShellState) -> None:
        super().__init__(panels)
        self._panels, self._model, self._shell = panels, model, shell
        for target in panels.targets:
            target.hinted.connect(self._say_landing)
        panels.canvas.sheet.taken.connect(lambda key: self._take(key, panels.canvas))
        panels.pages.taken.connect(lambda key: self._take(key, panels.pages))
        panels.outline.taken.connect(lambda key: self._take(key, panels.outline))
        panels.parts.part_taken.connect(self._take_part)

    def _take(self, key: str, source: QWidget) -> None:
        """Take an entry, with all others that are selected when it is one of them."""
        chosen = self._model.subjects
        keys = chosen if key in chosen else (key,)
        try:
            cargo = payload_for_nodes(self._model.layout, keys, self._model.schema)
        except EditRefused as refusal:
            self.refused.emit(refusal.reason)
            return
        self._drag(cargo, keys, source)

    def _take_part(self, shown: PaletteRow) -> None:
        part = shown.part
        cargo = NewItemPayload(part.kind, level=Level.ITEM, entry=commands.new_item(part.item, part.field))
        shown.show_dragged(is_dragged=True)
        try:
            self._drag(cargo, (), shown)
        finally:
            shown.show_dragged(is_dragged=False)

    def _drag(self, cargo: DragPayload, keys: Sequence[str], source: QWidget) -> None:
        mime = LayoutMimeData(cargo, self._model.layout)
        with self._panels.showing_taken(keys):
            run_drag(source, mime)
        self._shell.set_hint("")

    def _say_landing(self, sentence: str) -> None:
        """Show what release would do, and have it read out when it changes (look.md 15)."""
        if sentence and sentence != self._shell.hint:
            announce(self._panels, sentence)
        self._shell.set_hint(sentence)
