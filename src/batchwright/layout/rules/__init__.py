"""The rules on layouts, with code, title and examples (specification, batch_items layout).

There is one set of rules: it marks the canvas, checks files on the command line, and produces the 422
responses of the service. Rules on pages receive one page at a time, so that results can be cached by page
(`layout.checking.validator`); rules on layouts receive the whole layout. Each item type may have rules
of its own, in `items`.
"""

from collections.abc import Sequence

from batchwright.layout.rules import attributes, page_warnings, structure
from batchwright.layout.rules.items import (
    choice,
    dataset_field,
    file_upload,
    free_text,
    free_text_with_unit,
    image,
    rich_text,
    typed_text,
)
from batchwright.layout.rules.page_index import LayoutIndex, PageIndex
from batchwright.layout.rules.problems import (
    Fields,
    Fix,
    Problem,
    RejectionStatus,
    SchemaUnavailable,
    Severity,
)
from batchwright.layout.rules.registry import Rule

__all__ = [
    "LAYOUT_RULES",
    "PAGE_RULES",
    "RULES",
    "Fields",
    "Fix",
    "Problem",
    "RejectionStatus",
    "Rule",
    "SchemaUnavailable",
    "Severity",
]

LAYOUT_RULES: Sequence[Rule[LayoutIndex]] = (
    *structure.LAYOUT_RULES,
    *attributes.LAYOUT_RULES,
    page_warnings.has_body_page,
    page_warnings.shown_order,
)

PAGE_RULES: Sequence[Rule[PageIndex]] = sorted(
    (
        *structure.PAGE_RULES,
        *attributes.PAGE_RULES,
        *page_warnings.PAGE_RULES,
        *dataset_field.RULES,
        *image.RULES,
        *rich_text.RULES,
        *typed_text.RULES,
        *free_text.RULES,
        *free_text_with_unit.RULES,
        *choice.RULES,
        *file_upload.RULES,
    ),
    key=lambda rule: (rule not in structure.STRUCTURE_RULES, rule.code),
)
"""The rules on pages: those on structure first, all others by code."""

RULES: Sequence[Rule[LayoutIndex] | Rule[PageIndex]] = sorted(
    (*LAYOUT_RULES, *PAGE_RULES), key=lambda rule: rule.code
)
"""All rules by code: those below LY50 are errors, the others hints."""
