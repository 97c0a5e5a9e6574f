"""The selection and the page in view, shared by all panels of the layout editor.

Nodes that an edit created are selected; `created_nodes` finds them.
"""

from collections.abc import Iterable, Iterator

from PySide6.QtCore import QObject, Signal

from batchwright.layout.comparing.changed_pages import changed_pages
from batchwright.layout.editing.edits import Add, ChangeType, Copy, Duplicate, Edit, SplitPage
from batchwright.layout.model import Layout, Page
from batchwright.layout.nodes import InvalidNode, Level, Node, NodePath, ObjectNode


class SelectionModel(QObject):
    """The keys of the selected nodes, all of one level and on one page, and the key of the page in view.

    If no node is selected, commands apply to the page in view and the pages selected with it. The keys are
    not checked here: `EditorState` removes those that are no longer in the layout.
    """

    changed = Signal()
    """The selected nodes or the page in view changed."""
    edit_requested = Signal()
    """Enter or a double click: focus the inspector."""

    def __init__(self) -> None:
        super().__init__()
        self._keys: tuple[str, ...] = ()
        self._pages: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """The selected nodes, in the order in which they were selected."""
        return self._keys

    @property
    def page(self) -> str | None:
        """The page in view; None when there is none."""
        return self._pages[-1] if self._pages else None

    @property
    def pages(self) -> tuple[str, ...]:
        """The selected pages; the page in view is last, and the only one while a node on it is selected."""
        return self._pages

    @property
    def targets(self) -> tuple[str, ...]:
        """What commands apply to: the selection, or else the selected pages."""
        return self._keys or self._pages

    def select(self, keys: Iterable[str], page: str | None = None) -> None:
        """Select these nodes and no others. They are on `page`, by default the page in view."""
        self._set_keys(tuple(dict.fromkeys(keys)), self._pages[-1:] if page is None else (page,))

    def select_pages(self, keys: Iterable[str]) -> None:
        """Select these pages and no nodes, and show the last one."""
        self._set_keys((), tuple(dict.fromkeys(keys)))

    def show_page(self, key: str | None) -> None:
        """Show another page, without a selection."""
        if key != self.page:
            self._set_keys((), () if key is None else (key,))

    def request_edit(self) -> None:
        """Request the focus for the form of the selection."""
        self.edit_requested.emit()

    def _set_keys(self, keys: tuple[str, ...], pages: tuple[str, ...]) -> None:
        if (keys, pages) != (self._keys, self._pages):
            self._keys, self._pages = keys, pages
            self.changed.emit()


def created_nodes(edit: Edit, before: Layout, after: Layout) -> dict[str, NodePath]:
    """The paths of the nodes that an edit created, by key, in reading order; empty when it created none."""
    level = _created_level(edit, before)
    if level is None:
        return {}
    changed = changed_pages(before.pages, after.pages)
    existing_keys = frozenset[str]().union(*(page.keys for page in changed.gone))
    return {
        node.key: path
        for path, node in _nodes_with_paths(changed.new)
        if path.level is level and node.key not in existing_keys
    }


def _created_level(edit: Edit, before: Layout) -> Level | None:
    """The level of the nodes that an edit creates; None when it creates none."""
    if isinstance(edit, Add):
        return next((node.level for node in edit.nodes if isinstance(node, ObjectNode)), None)
    if isinstance(edit, (ChangeType, Copy, Duplicate)):
        return next((path.level for path in before.paths(edit.keys).values()), None)
    return Level.PAGE if isinstance(edit, SplitPage) else None


def _nodes_with_paths(pages: Iterable[tuple[int, Page | InvalidNode]]) -> Iterator[tuple[NodePath, Node]]:
    """Numbered pages and their nodes, with their paths."""
    for number, page in pages:
        yield NodePath(number), page
        if isinstance(page, Page):
            for path, node in page.nodes_with_paths():
                yield path._replace(page=number), node
