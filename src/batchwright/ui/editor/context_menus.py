"""The context menus of nodes and pages, on the canvas, in the list of pages and in the outline."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QMenu, QWidget

from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.actions import Actions
from batchwright.ui.editor.actions import type_changes
from batchwright.ui.editor.core.state import EditorState
from batchwright.ui.editor.editor_panels import EditorPanels

_TYPE_CHANGES = tuple(action.id for action in type_changes({}))
_CLIPBOARD = (
    ActionId.LAYOUT_CUT,
    ActionId.LAYOUT_COPY,
    ActionId.LAYOUT_PASTE,
    ActionId.LAYOUT_DUPLICATE,
    ActionId.LAYOUT_REMOVE,
)

_ONLY_POSSIBLE = frozenset({ActionId.LAYOUT_EDIT_LABEL, *_TYPE_CHANGES})
"""Actions that a context menu has only when they are possible."""

NODE_MENU: Sequence[str | None] = (
    *_CLIPBOARD,
    None,
    ActionId.LAYOUT_EDIT_LABEL,
    ActionId.LAYOUT_SELECT_OUTER,
    ActionId.LAYOUT_SPLIT_ROW,
    ActionId.LAYOUT_MERGE_COLUMNS,
    ActionId.LAYOUT_SPLIT_PAGE,
    None,
    *_TYPE_CHANGES,
    None,
    ActionId.LAYOUT_SAVE_BLOCK,
    None,
    ActionId.LAYOUT_FIX_HERE,
    ActionId.LAYOUT_FIX_ALL_HERE,
)
"""For an item, a column or a row."""

PAGE_MENU: Sequence[str | None] = (
    *_CLIPBOARD,
    None,
    ActionId.LAYOUT_ADD_PAGE,
    ActionId.LAYOUT_RENAME_PAGE,
    ActionId.LAYOUT_MERGE_PAGES,
    ActionId.LAYOUT_SAVE_BLOCK,
    None,
    ActionId.LAYOUT_PREVIEW,
)
"""For a page of the list."""


class ContextMenus(QObject):
    """Opens a context menu; the node under the pointer is selected first."""

    def __init__(self, host: QWidget, panels: EditorPanels, state: EditorState, actions: Actions) -> None:
        super().__init__(host)
        self._host, self._panels, self._state, self._actions = host, panels, state, actions
        for view in (panels.canvas, panels.pages, panels.outline):
            view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        panels.canvas.customContextMenuRequested.connect(self._on_canvas)
        panels.pages.customContextMenuRequested.connect(self._on_pages)
        panels.outline.customContextMenuRequested.connect(self._on_outline)

    def _on_canvas(self, at: QPoint) -> None:
        canvas = self._panels.canvas
        key = canvas.page_canvas.key_at(canvas.page_canvas.mapFrom(canvas, at))
        self._select(key)
        self._open(PAGE_MENU if not self._state.keys else NODE_MENU, canvas.mapToGlobal(at))

    def _on_pages(self, at: QPoint) -> None:
        pages = self._panels.pages
        if self._state.keys:
            self._state.selection.select(())
        self._open(PAGE_MENU, pages.viewport().mapToGlobal(at))

    def _on_outline(self, at: QPoint) -> None:
        outline = self._panels.outline
        self._open(NODE_MENU if self._state.keys else PAGE_MENU, outline.viewport().mapToGlobal(at))

    def _select(self, key: str | None) -> None:
        if key is None:
            self._state.selection.select(())
        elif key not in self._state.keys:
            self._state.reveal(key)

    def _open(self, action_ids: Sequence[str | None], at: QPoint) -> None:
        self._actions.refresh()
        menu = QMenu(self._host)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for name in action_ids:
            if name is None:
                menu.addSeparator()
            elif name not in _ONLY_POSSIBLE or self._actions.qaction(name).isEnabled():
                menu.addAction(self._actions.qaction(name))
        menu.popup(at)
