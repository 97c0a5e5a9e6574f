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
from batchwright.layout.rules.page_index import LayoutIndex, PageIndex
from batchwright.layout.rules.problems import Fields, Fix, Problem, RefusalStatus, SchemaUnavailable, Severity
from batchwright.layout.rules.registry import Rule

__all__ = [
    "LAYOUT_RULES",
    "PAGE_RULES",
    "RULES",
    "Fields",
    "Fix",
    "Problem",
    "RefusalStatus",
    "Rule",
    "SchemaUnavailable",
    "Severity",
]

LAYOUT_RULES: tuple[Rule[LayoutIndex], ...] = (
    structure.list_of_pages,
    structure.has_pages,
    ids.id_once,
    sizes.layout_fits_into_request,
    page_warnings.has_body_page,
)

PAGE_RULES: tuple[Rule[PageIndex], ...] = (
    structure.page_of_rows,
    structure.row_of_columns,
    structure.column_of_items,
    structure.item_with_type,
    attributes.known_type,
    choices.limit_within_options,
    ids.id_is_text,
    ids.id_of_the_batch,
    attributes.required_present,
    attributes.required_not_empty,
    attributes.attribute_type,
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
    validation_attribute.integer_lengths,
    validation_attribute.min_not_above_max,
    files.file_types_start_with_dot,
    files.positive_file_size,
    files.at_least_one_file,
    files.min_files_not_above_max,
    content.intro_outro_content_only,
    sizes.rich_text_within_limits,
    page_warnings.page_has_question,
    item_warnings.distinct_labels,
    item_warnings.values_distinguishable,
    item_warnings.unit_values_distinct,
    item_warnings.texts_not_blank,
    item_warnings.file_types_not_empty,
    item_warnings.plausible_types,
    page_warnings.known_position,
    item_warnings.editable_type,
    page_warnings.no_order_key,
    item_warnings.length_can_be_typed,
    item_warnings.no_lone_surrogates,
    page_warnings.distinct_questions,
)

RULES: tuple[Rule[LayoutIndex] | Rule[PageIndex], ...] = tuple(
    sorted((*LAYOUT_RULES, *PAGE_RULES), key=lambda one: one.code)
)
"""All of them by code: those below LY50 are errors, the others advice."""
