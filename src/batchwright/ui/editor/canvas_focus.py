"""The focus in the canvas and the selection: the focus is on what is selected, or on the page itself.

Only the arrow keys with Ctrl move the focus alone, to add further nodes to the selection.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from batchwright.ui.editor.canvas.canvas import Canvas
from batchwright.ui.editor.core.state import EditorState


class CanvasFocus(QObject):
    """Selects the node that gets the focus, and focuses what is selected after a change."""

    def __init__(self, canvas: Canvas, state: EditorState) -> None:
        super().__init__(canvas)
        self._canvas, self._state = canvas, state
        self._keeps_selection = False
        self._moved_key: str | None = None
        """The key of the node to which the focus was moved alone, as long as it is there."""
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus_changed)

    @contextmanager
    def selection_kept(self) -> Iterator[None]:
        """Select nothing because of the focus that widgets get in the block."""
        before, self._keeps_selection = self._keeps_selection, True
        try:
            yield
        finally:
            self._keeps_selection = before

    def move(self, key: str) -> None:
        """Focus a node without selecting it."""
        with self.selection_kept():
            self._canvas.focus_node(key)
        self._moved_key = key

    def restore(self, focused: str | None) -> None:
        """Focus the node that had the focus in the canvas; if it cannot have it, a selected one, or the page.

        A card loses the focus when it moves to another column, and when it disappears.
        """
        if self._is_kept(focused):
            return
        key = self._key_to_focus(focused)
        self._canvas.focus_node(key)
        self._canvas.scroll_to(key)

    def _is_kept(self, focused: str | None) -> bool:
        if not self._canvas.has_focus_within() or self._canvas.focused_key() != focused:
            return False
        return focused is None or self._can_have_focus(focused)

    def _can_have_focus(self, key: str) -> bool:
        keys = self._state.keys
        is_shown = self._canvas.page_canvas.widget_of(key) is not None
        return is_shown and (key in keys or (bool(keys) and key == self._moved_key))

    def _key_to_focus(self, focused: str | None) -> str:
        """A key; "" is the page itself."""
        if focused is not None and self._can_have_focus(focused):
            return focused
        return next(reversed(self._state.keys), "")

    def _on_focus_changed(self, before: QWidget | None, _now: QWidget | None) -> None:
        """Select the node that gets the focus by Tab or from a screen reader, as by a click.

        The focus of a widget that disappears goes anywhere; that selects nothing.
        """
        key = self._canvas.focused_key()
        if key != self._moved_key:
            self._moved_key = None
        is_moved = before is not None and isValid(before) and before.isVisible()
        is_click = QApplication.mouseButtons() != Qt.MouseButton.NoButton
        if key is None or key in self._state.keys or self._keeps_selection or is_click or not is_moved:
            return
        self._state.reveal(key)
