"""The rules on free text."""

from collections.abc import Iterator

from batchwright.base.i18n import N_, _
from batchwright.layout.item_types.free_text import FreeText
from batchwright.layout.item_types.typed_text import (
    LengthLimits,
    text_limits,
)
from batchwright.layout.rules.examples import FREE_TEXT, one_item_layouts, with_attributes
from batchwright.layout.rules.page_index import PageIndex
from batchwright.layout.rules.quick_fixes import unset_attribute_fix
from batchwright.layout.rules.registry import Finding, rule

_LONG_CHARACTERS = 5000
"""A maximum length in characters that hardly any participant would use."""


@rule(
    "LY62",
    N_("The required length can be typed"),
    passes=one_item_layouts(
        with_attributes(FREE_TEXT, validation={"type": "string", "min": 20, "max": 400}),
        with_attributes(FREE_TEXT, validation={"type": "number", "max": 0}),
    ),
    fails=one_item_layouts(
        with_attributes(FREE_TEXT, validation={"type": "string", "max": 0}),
        with_attributes(FREE_TEXT, validation={"type": "string", "min": 100_000}),
    ),
    attribute="validation",
)
def length_can_be_typed(index: PageIndex) -> Iterator[Finding]:
    """A maximum length of 0 or of a whole book is probably not intended."""
    for path, item in index.of(FreeText):
        limits = text_limits(item.attributes)
        if not isinstance(limits, LengthLimits):
            continue
        if limits.maximum == 0:
            message = _(
                "No character is allowed here, so no one can answer. Raise the maximum, or remove it."
            )
            yield Finding(
                path, item, message, fix=unset_attribute_fix(item, _("Allow any length"), "validation")
            )
        elif limits.minimum > _LONG_CHARACTERS:
            message = _("An answer needs at least {least} characters here. Is that intended?")
            yield Finding(path, item, message, {"least": limits.minimum})


RULES = (length_can_be_typed,)
