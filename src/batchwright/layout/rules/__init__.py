"""The rules on layouts, with code, title and examples (specification, batch_items layout).

There is one set of rules: it marks the canvas, checks files on the command line, and produces the 422
responses of the service. Rules on pages receive one page at a time, so that results can be cached by page
(`layout.validator`); rules on layouts receive the whole layout. Each item type adds its own rules.
"""

from collections.abc import Sequence

from batchwright.layout.rules import attributes, page_warnings, structure
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
    "add_page_rules",
]

LAYOUT_RULES: Sequence[Rule[LayoutIndex]] = (
    *structure.LAYOUT_RULES,
    *attributes.LAYOUT_RULES,
    page_warnings.has_body_page,
    page_warnings.shown_order,
)

PAGE_RULES: list[Rule[PageIndex]] = []
"""The rules on pages: those on structure first, all others by code."""

RULES: list[Rule[LayoutIndex] | Rule[PageIndex]] = [*LAYOUT_RULES]
"""All rules by code: those below LY50 are errors, the others hints."""


def add_page_rules(rules: Sequence[Rule[PageIndex]]) -> None:
    """Add rules on pages, unless they are there already."""
    PAGE_RULES.extend(rule for rule in rules if rule not in PAGE_RULES)
    PAGE_RULES.sort(key=lambda rule: (rule not in structure.STRUCTURE_RULES, rule.code))
    RULES[:] = [*LAYOUT_RULES, *PAGE_RULES]
    RULES.sort(key=lambda rule: rule.code)


add_page_rules((*structure.PAGE_RULES, *attributes.PAGE_RULES, *page_warnings.PAGE_RULES))
