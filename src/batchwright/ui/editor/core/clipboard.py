"""The system clipboard: `batch_items` JSON for all programs, and the nodes themselves within this one."""

from collections.abc import Collection

from PySide6.QtGui import QClipboard

from batchwright.base.i18n import _
from batchwright.layout.editing.clipboard import (
    ClipboardNodes,
    clipboard_nodes,
    nodes_to_paste,
    parse_clipboard,
)
from batchwright.layout.editing.edits import Edit, Paste
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.file_format import InvalidLayoutFile
from batchwright.layout.model import Layout
from batchwright.layout.serialization import random_keys


class LayoutClipboard:
    """Copies nodes to the system clipboard and reads nodes from it.

    Other programs get the JSON of the nodes, without ids. As long as nothing else is copied, the
    nodes themselves are remembered too: nodes that were cut are pasted with their keys, and so with the ids
    and answers that belong to them.
    """

    def __init__(self, clipboard: QClipboard) -> None:
        self._clipboard = clipboard
        self._last: tuple[str, ClipboardNodes] | None = None

    def copy(self, layout: Layout, keys: Collection[str]) -> None:
        """Copy nodes of one level to the clipboard.

        Raises:
            EditRejected: one no longer exists, or they are of several levels.
        """
        clipped = clipboard_nodes(layout, keys)
        text = clipped.text
        self._last = (text, clipped)
        self._clipboard.setText(text)

    def read(self) -> ClipboardNodes:
        """The nodes on the clipboard.

        Raises:
            InvalidLayoutFile: the clipboard has other content; the reason says what can be pasted.
        """
        text = self._clipboard.text()
        if self._last is not None and self._last[0] == text:
            return self._last[1]
        if not text.strip():
            raise InvalidLayoutFile(self._nothing())
        try:
            return parse_clipboard(text, random_keys())
        except InvalidLayoutFile:
            if text.lstrip()[:1] in {"[", "{"}:
                raise
            raise InvalidLayoutFile(
                _("The clipboard contains text. Paste it into a field, or copy items, rows or pages.")
            ) from None

    def _nothing(self) -> str:
        mime = self._clipboard.mimeData()
        if mime is not None and mime.hasImage():
            return _(
                "The clipboard contains a picture. Images need an https address: add an image and enter it."
            )
        return _("The clipboard is empty. Copy items, rows or pages first.")


def paste_edit(clipped: ClipboardNodes, layout: Layout, insertion_point: InsertionPoint) -> Edit:
    """The edit that inserts the nodes of the clipboard."""
    return Paste(nodes_to_paste(clipped, layout, random_keys()), insertion_point)
