"""The clipboard as the layout uses it: `batch_items` JSON for every program, and more for this one."""

from collections.abc import Collection

from PySide6.QtGui import QClipboard

from batchwright.base.i18n import _
from batchwright.layout.clipboard import ClipboardNodes, clipboard_nodes, nodes_to_paste, parse_clipboard
from batchwright.layout.edits import Edit, InsertionPoint, Paste
from batchwright.layout.file_format import InvalidLayoutFile
from batchwright.layout.model import Layout
from batchwright.layout.serialization import random_keys


class LayoutClipboard:
    """Copies entries to the clipboard of the system, and reads from there what can be pasted.

    Every program is given the JSON of the entries, without their ids. As long as nothing else is copied, the
    entries themselves are remembered as well: what was cut comes back with its keys, and so with the ids and
    answers that go with them.
    """

    def __init__(self, clipboard: QClipboard) -> None:
        self._clipboard = clipboard
        self._last: tuple[str, ClipboardNodes] | None = None

    def copy(self, layout: Layout, keys: Collection[str]) -> None:
        """Put entries of one level on the clipboard.

        Raises:
            EditRejected: one of them is gone, or they are not of one level.
        """
        clipped = clipboard_nodes(layout, keys)
        text = clipped.text
        self._last = (text, clipped)
        self._clipboard.setText(text)

    def read(self) -> ClipboardNodes:
        """What can be pasted.

        Raises:
            InvalidLayoutFile: the clipboard holds something else; the reason says what, and what can be pasted.
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
                _("The clipboard holds text. Paste it into a field, or copy items, rows or pages.")
            ) from None

    def _nothing(self) -> str:
        mime = self._clipboard.mimeData()
        if mime is not None and mime.hasImage():
            return _(
                "The clipboard holds a picture. Images need an https address: add an image and enter it."
            )
        return _("The clipboard is empty. Copy items, rows or pages first.")


def paste_edit(clipped: ClipboardNodes, layout: Layout, gap: InsertionPoint) -> Edit:
    """The edit that puts what was read into a gap."""
    return Paste(nodes_to_paste(clipped, layout, random_keys()), gap)
