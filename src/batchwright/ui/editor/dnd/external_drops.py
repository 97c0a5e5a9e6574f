"""Drags from other windows and other programs. Dropped files are handled by the window.

All windows run in one process, so a drag between them carries its payload as an object. Other programs
provide `batch_items` JSON, as on the clipboard, or a link to an image. Anything else is rejected with a
message that says what can be dropped.
"""

from PySide6.QtCore import QMimeData, QUrl

from batchwright.base.i18n import _
from batchwright.layout.editing.clipboard import ClipboardNodes, clipboard_nodes, parse_clipboard
from batchwright.layout.file_format import InvalidLayoutFile
from batchwright.layout.item_types.registry import Image
from batchwright.layout.nodes import Node
from batchwright.layout.serialization import random_keys, read_item
from batchwright.ui.editor.core.item_labels import ItemLabel, item_label
from batchwright.ui.editor.dnd.payload import (
    DragPayload,
    MovedNodesPayload,
    NewItemPayload,
    RejectedPayload,
    payload_from_outside,
)
from batchwright.ui.study.study_model import Study

_IMAGE_SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg")


class LayoutMimeData(QMimeData):
    """The MIME data of a drag: the payload, the study that it is from, and its JSON as text."""

    def __init__(self, payload: DragPayload, study: Study) -> None:
        super().__init__()
        self.payload, self.study = payload, study
        self.setText(self._clipboard_nodes().text)

    def _clipboard_nodes(self) -> ClipboardNodes:
        if isinstance(self.payload, MovedNodesPayload):
            return clipboard_nodes(self.study.layout, self.payload.keys)
        nodes: tuple[Node, ...] = ()
        if isinstance(self.payload, NewItemPayload) and self.payload.node is not None:
            nodes = (self.payload.node,)
        return ClipboardNodes(self.payload.level, nodes)


def payload_from_mime(mime: QMimeData, study: Study) -> DragPayload:
    """The payload of MIME data for this study. Nodes of another one are copied: it may have the same keys."""
    if isinstance(mime, LayoutMimeData):
        if mime.study is study or not isinstance(mime.payload, MovedNodesPayload):
            return mime.payload
        return payload_from_outside(parse_clipboard(mime.text(), random_keys()).nodes, study.schema)
    if mime.hasUrls():
        return _linked_image(mime.urls()[0]) or _rejected("file-text", _reason_against(mime.urls()[0]))
    text = mime.text()
    try:
        nodes = parse_clipboard(text, random_keys()).nodes
    except InvalidLayoutFile:
        nodes = ()
    if nodes:
        return payload_from_outside(nodes, study.schema)
    address = QUrl(text.strip(), QUrl.ParsingMode.StrictMode)
    return _linked_image(address) or _rejected(
        "text-t", _("Text belongs in an item: add a rich text and paste it there.")
    )


def _linked_image(address: QUrl) -> DragPayload | None:
    """An image item for an https URL, as browsers provide it; None for any other URL."""
    if (
        address.scheme() != "https"
        or not address.host()
        or not address.path().lower().endswith(_IMAGE_SUFFIXES)
    ):
        return None
    node = read_item({**Image.new_attributes(), "url": address.toString()}, random_keys())
    return NewItemPayload(item_label(node), node=node)


def _reason_against(address: QUrl) -> str:
    name = address.path().lower()
    if name.endswith(_IMAGE_SUFFIXES):
        return _("Images need an https address. Upload the file to a website, then add an image.")
    return _("A layout cannot contain files. Drop items, rows or pages here.")


def _rejected(glyph: str, reason: str) -> RejectedPayload:
    return RejectedPayload(ItemLabel("", glyph, "content"), reason=reason)
