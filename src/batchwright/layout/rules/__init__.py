"""Every rule on layouts, with code, title and examples (specification, batch_items layout; wire.md 6).

Rules on pages are given one page at a time, rules on layouts the whole.
"""

from batchwright.layout.rules import (
    advice_on_items,
    advice_on_pages,
    attributes,
    choices,
    content,
    fields,
    files,
    ids,
    shape,
    sizes,
    typed_answers,
)
from batchwright.layout.rules.problems import Fields, Fix, Missing, Problem, Refusal, Severity
from batchwright.layout.rules.registry import Rule
from batchwright.layout.rules.sheet import Sheet, Whole

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
    shape.list_of_pages,
    shape.some_page,
    ids.id_once,
    sizes.layout_fits_into_request,
    advice_on_pages.some_page_repeated,
)

PAGE_RULES: tuple[Rule[Sheet], ...] = (
    shape.page_of_rows,
    shape.row_of_columns,
    shape.column_of_items,
    shape.item_with_type,
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
    typed_answers.default_among_units,
    typed_answers.whole_lengths,
    typed_answers.ordered_bounds,
    files.dotted_types,
    files.some_size,
    files.some_file,
    files.ordered_counts,
    content.content_at_the_edge,
    sizes.rich_text_within_limits,
    advice_on_pages.page_asks,
    advice_on_items.distinct_labels,
    advice_on_items.values_read_apart,
    advice_on_items.units_apart,
    advice_on_items.texts_not_blank,
    advice_on_items.some_types,
    advice_on_items.plausible_types,
    advice_on_pages.known_position,
    advice_on_items.editable_type,
    advice_on_pages.no_order_key,
    advice_on_items.length_can_be_typed,
    advice_on_items.whole_characters,
    advice_on_pages.distinct_questions,
)

RULES: tuple[Rule[Whole] | Rule[Sheet], ...] = tuple(
    sorted((*LAYOUT_RULES, *PAGE_RULES), key=lambda one: one.code)
)
"""All of them by code: those below LY50 are errors, the others advice."""
