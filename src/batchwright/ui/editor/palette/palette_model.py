"""The content of the palette: the fields of the dataset, and the other item types."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from batchwright.base.i18n import _, ngettext
from batchwright.base.local_formats import joined
from batchwright.layout.item_types.registry import DatasetField, Item
from batchwright.layout.nodes import Level
from batchwright.local.library import LibraryEntry
from batchwright.schema.model import Schema
from batchwright.ui.editor.core.item_labels import (
    LEVELS,
    ItemLabel,
    count_phrase,
    field_glyph,
    insertable_types,
    item_type_label,
)

_MAX_PAGES_NAMED = 3
"""Up to this many pages are listed by number; for more, only their count is shown."""


@dataclass(frozen=True)
class PaletteItem:
    """An item that can be dragged from the palette onto a page."""

    label: ItemLabel
    item_type: type[Item]
    field: str = ""
    usage: str = ""
    """The pages that use the field."""
    is_on_page: bool = False
    """Whether the current page shows the field."""
    block: LibraryEntry | None = None
    """The block of the user, in place of an item of a type."""

    @property
    def key(self) -> object:
        """Identifies the item among the others."""
        return (self.item_type, self.field) if self.block is None else self.block.path


@dataclass(frozen=True)
class PaletteSection:
    """The palette items of one family."""

    title: str
    items: tuple[PaletteItem, ...]
    empty_text: str = ""
    """The hint for an empty section."""


def palette_sections(
    schema: Schema | None,
    uses: Mapping[str, Sequence[int]],
    page: int | None,
    *,
    has_fields: bool = True,
    blocks: Sequence[LibraryEntry] = (),
) -> list[PaletteSection]:
    """The sections of the palette: the fields that may be shown, the other types, and the user's blocks.

    Without `has_fields`, as in a collection, there is no section of fields.
    """
    fields = () if schema is None else schema.fields.items()
    shown = tuple(
        PaletteItem(
            ItemLabel(key, *field_glyph(key, schema)),
            DatasetField,
            key,
            *_usage_note(uses.get(key, ()), page),
        )
        for key, field in fields
        if field.type.referable
    )
    others = [(item_type_label(item_type), item_type) for item_type in insertable_types()]
    fields_section = PaletteSection(
        _("Dataset fields"),
        shown,
        _("Dataset fields come from the data. Choose a file on the Data stage."),
    )
    return [
        *((fields_section,) if has_fields else ()),
        *(
            PaletteSection(
                title,
                tuple(PaletteItem(label, item_type) for label, item_type in others if label.family == family),
            )
            for title, family in ((_("Content"), "content"), (_("Questions"), "question"))
        ),
        *([PaletteSection(_("My blocks"), tuple(map(_block_item, blocks)))] if blocks else ()),
    ]


def _block_item(block: LibraryEntry) -> PaletteItem:
    if block.nodes is None:
        label = ItemLabel(block.name, "warning-fill", "err")
        return PaletteItem(label, Item, usage=_("damaged"), block=block)
    glyph = "stack" if block.nodes.level is Level.ITEM else LEVELS[block.nodes.level][1]
    label = ItemLabel(block.name, glyph, "content")
    return PaletteItem(
        label, Item, usage=count_phrase(block.nodes.level, len(block.nodes.nodes)), block=block
    )


def _usage_note(pages: Sequence[int], page: int | None) -> tuple[str, bool]:
    if page in pages:
        return _("here"), True
    if not pages:
        return "", False
    if len(pages) > _MAX_PAGES_NAMED:
        return ngettext("on {count} page", "on {count} pages", len(pages)).format(count=len(pages)), False
    return _("on {pages}").format(pages=joined(str(number + 1) for number in pages)), False
