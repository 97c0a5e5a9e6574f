"""The content of the palette: the fields of the dataset, and the other item types."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from batchwright.base.i18n import _, ngettext
from batchwright.layout.item_types.registry import DatasetField, Item
from batchwright.schema.model import Schema
from batchwright.ui.editor.item_labels import ItemLabel, field_glyph, insertable_types, item_type_label

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
) -> list[PaletteSection]:
    """The sections of the palette: the fields of the schema that may be shown, and the other types.

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
    ]


def _usage_note(pages: Sequence[int], page: int | None) -> tuple[str, bool]:
    if page in pages:
        return _("here"), True
    if not pages:
        return "", False
    if len(pages) > _MAX_PAGES_NAMED:
        return ngettext("on {count} page", "on {count} pages", len(pages)).format(count=len(pages)), False
    return _("on {pages}").format(pages=", ".join(str(number + 1) for number in pages)), False
