"""What a drag brings from elsewhere: another window or another program. Files are left to the window.

All windows live in one process (design.md D2a), so a drag between them carries its cargo as it is; from other
programs comes the `batch_items` JSON of the clipboard. Most else cannot be in a layout, and says what could.
"""

from PySide6.QtCore import QMimeData, QUrl

from batchwright.base.i18n import _
from batchwright.layout.attributes import new_attributes
from batchwright.layout.clipboard import Clip, clip, read_clip
from batchwright.layout.file_format import NotALayout
from batchwright.layout.model import Image, Layout
from batchwright.layout.nodes import Entry
from batchwright.layout.serialization import fresh_keys, read_item
from batchwright.schema.model import Schema
from batchwright.ui.editor.dnd.payload import Cargo, NewPart, Taken, Unfit, bring
from batchwright.ui.editor.item_labels import ItemKind, kind_of

_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg")


class CargoMime(QMimeData):
    """The cargo of a drag, with the layout it was taken from, and its JSON as text."""

    def __init__(self, cargo: Cargo, layout: Layout) -> None:
        super().__init__()
        self.cargo, self.layout = cargo, layout
        self.setText(self._clip().text)

    def _clip(self) -> Clip:
        if isinstance(self.cargo, Taken):
            return clip(self.layout, self.cargo.keys)
        entries: tuple[Entry, ...] = ()
        if isinstance(self.cargo, NewPart) and self.cargo.entry is not None:
            entries = (self.cargo.entry,)
        return Clip(self.cargo.level, entries)


def cargo_of(mime: QMimeData, layout: Layout, schema: Schema | None) -> Cargo:
    """What a drag carries, as this layout sees it."""
    if isinstance(mime, CargoMime):
        cargo = mime.cargo
        if not isinstance(cargo, Taken) or len(layout.places(cargo.keys)) == len(cargo.keys):
            return cargo
        return bring(read_clip(mime.text(), fresh_keys()).entries, schema)
    if mime.hasUrls():
        return _linked(mime.urls()[0]) or _unfit("file-text", _reason_against(mime.urls()[0]))
    text = mime.text()
    try:
        entries = read_clip(text, fresh_keys()).entries
    except NotALayout:
        entries = ()
    if entries:
        return bring(entries, schema)
    address = QUrl(text.strip(), QUrl.ParsingMode.StrictMode)
    return _linked(address) or _unfit(
        "text-t", _("Text goes into an item: add a rich text and paste it there.")
    )


def _linked(address: QUrl) -> Cargo | None:
    """An image at its https address, as a browser gives it; None for any other address."""
    if address.scheme() != "https" or not address.host() or not address.path().lower().endswith(_PICTURES):
        return None
    entry = read_item({**new_attributes(Image), "url": address.toString()}, fresh_keys())
    return NewPart(kind_of(entry), entry=entry)


def _reason_against(address: QUrl) -> str:
    name = address.path().lower()
    if name.endswith(_PICTURES):
        return _("Images need an https address. Put the file on the web, then add an image.")
    return _("A layout holds no files. Drop items, rows or pages here.")


def _unfit(glyph: str, reason: str) -> Unfit:
    return Unfit(ItemKind("", glyph, "content"), reason=reason)
