"""Rules on references to dataset fields (specification, batch_items rules 1 to 3)."""

from collections.abc import Iterator
from difflib import get_close_matches

from batchwright.base.i18n import N_, _
from batchwright.layout.model import DatasetField
from batchwright.layout.rules.examples import (
    PROMPT,
    SCHEMA,
    TEXT,
    WHY,
    Example,
    layout_with,
    page,
    with_attributes,
)
from batchwright.layout.rules.page_index import PageIndex
from batchwright.layout.rules.problems import Fix, RefusalStatus, SchemaUnavailable
from batchwright.layout.rules.quick_fixes import remove_from, set_attribute_fix
from batchwright.layout.rules.registry import Finding, rule
from batchwright.schema.model import Schema

_ALIKE = 0.8
"""How alike two names are, at the most 1, when one is taken for the other misspelt."""


@rule(
    "LY16",
    N_("A dataset with a schema is attached where a field is shown"),
    RefusalStatus.ITEM,
    passes=[
        layout_with(PROMPT, fields=SCHEMA),
        layout_with(PROMPT, fields=SchemaUnavailable.UNKNOWN),
        layout_with(TEXT, fields=SchemaUnavailable.NONE),
    ],
    fails=[
        layout_with(PROMPT, fields=SchemaUnavailable.NONE),
        layout_with(PROMPT, fields=Schema(strict=True, fields={})),
    ],
    attribute="field",
)
def dataset_attached(sheet: PageIndex) -> Iterator[Finding]:
    """A `dataset_field` needs a V4 dataset with a populated schema."""
    fields = sheet.fields
    if fields is SchemaUnavailable.UNKNOWN or (isinstance(fields, Schema) and fields.fields):
        return
    for place, item in sheet.of(DatasetField):
        yield Finding(
            place,
            item,
            _("No dataset with a schema is attached. Attach one, or remove the field “{field}”."),
            {"field": item.field},
        )


@rule(
    "LY17",
    N_("A field that is shown is in the schema"),
    RefusalStatus.ITEM,
    passes=[layout_with(PROMPT, fields=SCHEMA), layout_with(with_attributes(PROMPT, field="other"))],
    fails=[
        layout_with(with_attributes(PROMPT, field="other"), fields=SCHEMA),
        layout_with(with_attributes(PROMPT, field="Prompt"), fields=SCHEMA),
        layout_with(with_attributes(PROMPT, field=" "), fields=SCHEMA),
    ],
    attribute="field",
)
def field_in_schema(sheet: PageIndex) -> Iterator[Finding]:
    """A `dataset_field` names a key of the schema, in exactly its spelling."""
    if not isinstance(sheet.fields, Schema) or not sheet.fields.fields:
        return
    for place, item in sheet.of(DatasetField):
        if item.field and item.field not in sheet.fields.fields:
            sentence = _("The dataset has no field “{field}”. Choose one of its fields.")
            yield Finding(place, item, sentence, {"field": item.field}, _respelt(item, sheet, sheet.fields))


@rule(
    "LY18",
    N_("A field that is shown holds text, an image, sound or video"),
    RefusalStatus.ITEM,
    passes=[
        layout_with(
            *(with_attributes(PROMPT, field=key) for key in ("prompt", "photo", "clip", "sound")),
            fields=SCHEMA,
        )
    ],
    fails=[
        layout_with(WHY, with_attributes(PROMPT, field=key), fields=SCHEMA) for key in ("source", "bundle")
    ],
    attribute="field",
)
def field_can_be_shown(sheet: PageIndex) -> Iterator[Finding]:
    """A `dataset_field` names no field of type `metadata` or `task_group_id`."""
    if not isinstance(sheet.fields, Schema):
        return
    for place, item in sheet.of(DatasetField):
        field = sheet.fields.fields.get(item.field)
        if field is not None and not field.type.referable:
            yield Finding(
                place,
                item,
                _("The field “{field}” is of type {type}, which is never shown. Choose another field."),
                {"field": item.field, "type": field.type.value},
                remove_from(sheet, item),
            )


@rule(
    "LY19",
    N_("A field is shown once on a page"),
    RefusalStatus.ITEM,
    passes=[
        Example([page(PROMPT), page(PROMPT)]),
        layout_with(PROMPT, with_attributes(PROMPT, field="answer")),
    ],
    fails=[
        layout_with(PROMPT, PROMPT),
        layout_with(PROMPT, PROMPT, fields=SCHEMA),
        Example([{"rows": [{"columns": [{"items": [PROMPT]}, {"items": [TEXT, PROMPT]}]}]}]),
    ],
    attribute="field",
)
def field_once_a_page(sheet: PageIndex) -> Iterator[Finding]:
    """No second `dataset_field` of a page names the same field; the first one may stay."""
    met = set[str]()
    for place, item in sheet.of(DatasetField):
        if item.field and item.field in met:
            sentence = _(
                "The field “{field}” is on this page already. Remove one, or move it to another page."
            )
            yield Finding(place, item, sentence, {"field": item.field}, remove_from(sheet, item))
        met.add(item.field)


def _respelt(item: DatasetField, sheet: PageIndex, schema: Schema) -> Fix | None:
    """The one field that is meant, if it can be shown and the page does not show it already."""
    shown = {one.field for _place, one in sheet.of(DatasetField)}
    free = [key for key, field in schema.fields.items() if field.type.referable and key not in shown]
    alike = [key for key in free if key.strip().casefold() == item.field.strip().casefold()]
    meant = alike or get_close_matches(item.field, free, 2, _ALIKE)
    if len(meant) != 1:
        return None
    return set_attribute_fix(item, _("Use “{field}”").format(field=meant[0]), field=meant[0])
