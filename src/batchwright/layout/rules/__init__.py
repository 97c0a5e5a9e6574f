"""Every rule on layouts, with code, title and examples (specification, batch_items layout; wire.md 6).

Rules on pages are given one page at a time, rules on layouts the whole.
"""

from batchwright.layout.rules import (
    attributes,
    choices,
    content,
    fields,
    files,
    ids,
    item_warnings,
    page_warnings,
    sizes,
    structure,
    validation_attribute,
)
from batchwright.layout.rules.page_index import Sheet, Whole
from batchwright.layout.rules.problems import Fields, Fix, Missing, Problem, Refusal, Severity
from batchwright.layout.rules.registry import Rule

__all__ = [
    "LAYOUT_RULES",
    "PAGE_RULES",
    "RULES",
    "Fields",
    "Fix",
    "Missing",
    "Problem",
    "Refusal",
    "Rule",
    "Severity",
]

LAYOUT_RULES: tuple[Rule[Whole], ...] = (
    structure.list_of_pages,
    structure.some_page,
    ids.id_once,
    sizes.layout_fits_into_request,
    page_warnings.some_page_repeated,
)

PAGE_RULES: tuple[Rule[Sheet], ...] = (
    structure.page_of_rows,
    structure.row_of_columns,
    structure.column_of_items,
    structure.item_with_type,
    attributes.known_type,
    choices.limit_within_options,
    ids.id_is_text,
    ids.id_of_the_batch,
    attributes.required_there,
    attributes.required_filled,
    attributes.right_kind,
    attributes.allowed_value,
    content.image_over_https,
    fields.dataset_attached,
    fields.field_in_schema,
    fields.field_can_be_shown,
    fields.field_once_a_page,
    choices.limit_allows_something,
    choices.distinct_values,
    choices.exclusive_among_several,
    choices.not_all_exclusive,
    validation_attribute.default_among_units,
    validation_attribute.whole_lengths,
    validation_attribute.ordered_bounds,
    files.dotted_types,
    files.some_size,
    files.some_file,
    files.ordered_counts,
    content.content_at_the_edge,
    sizes.rich_text_within_limits,
    page_warnings.page_asks,
    item_warnings.distinct_labels,
    item_warnings.values_read_apart,
    item_warnings.units_apart,
    item_warnings.texts_not_blank,
    item_warnings.some_types,
    item_warnings.plausible_types,
    page_warnings.known_position,
    item_warnings.editable_type,
    page_warnings.no_order_key,
    item_warnings.length_can_be_typed,
    item_warnings.whole_characters,
    page_warnings.distinct_questions,
)

RULES: tuple[Rule[Whole] | Rule[Sheet], ...] = tuple(
    sorted((*LAYOUT_RULES, *PAGE_RULES), key=lambda one: one.code)
)
"""All of them by code: those below LY50 are errors, the others advice."""
