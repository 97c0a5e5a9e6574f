"""The rules on dataset fields: they exist, can be shown, and give nothing away in a comparison."""

from collections.abc import Container, Iterator, Sequence
from functools import partial
from operator import itemgetter

from batchwright.base.i18n import N_, _
from batchwright.layout.item_types.choice import Choice
from batchwright.layout.item_types.comparisons import compared_fields
from batchwright.layout.item_types.dataset_field import DatasetField
from batchwright.layout.model import Layout
from batchwright.layout.rules.examples import (
    CHOICE,
    DATASET_FIELD,
    FREE_TEXT,
    RICH_TEXT,
    SCHEMA,
    Example,
    layout_with,
    page,
    with_attributes,
)
from batchwright.layout.rules.page_index import PageIndex
from batchwright.layout.rules.problems import Fix, RejectionStatus, SchemaUnavailable
from batchwright.layout.rules.quick_fixes import remove_from_page_fix, set_attribute_fix
from batchwright.layout.rules.registry import Finding, rule
from batchwright.schema.model import Field, FieldType, Schema


@rule(
    "LY16",
    N_("A dataset with a schema is attached where a field is shown"),
    RejectionStatus.ITEM,
    passes=[
        layout_with(DATASET_FIELD, fields=SCHEMA),
        layout_with(DATASET_FIELD, fields=SchemaUnavailable.UNKNOWN),
        layout_with(RICH_TEXT, fields=SchemaUnavailable.NONE),
    ],
    fails=[
        layout_with(DATASET_FIELD, fields=SchemaUnavailable.NONE),
        layout_with(DATASET_FIELD, fields=Schema(strict=True, fields={})),
    ],
    attribute="field",
)
def dataset_attached(index: PageIndex) -> Iterator[Finding]:
    """A `dataset_field` needs a V4 dataset with a populated schema."""
    fields = index.fields
    if fields is not SchemaUnavailable.NONE and not (isinstance(fields, Schema) and not fields.fields):
        return
    for path, item in index.of(DatasetField):
        yield Finding(
            path,
            item,
            _("No dataset with a schema is attached. Attach one, or remove the field “{field}”."),
            {"field": item.field},
        )


@rule(
    "LY17",
    N_("A field that is shown is in the schema"),
    RejectionStatus.ITEM,
    passes=[
        layout_with(DATASET_FIELD, fields=SCHEMA),
        layout_with(with_attributes(DATASET_FIELD, field="other")),
    ],
    fails=[
        layout_with(with_attributes(DATASET_FIELD, field="other"), fields=SCHEMA),
        layout_with(with_attributes(DATASET_FIELD, field="Prompt"), fields=SCHEMA),
        layout_with(with_attributes(DATASET_FIELD, field=" "), fields=SCHEMA),
    ],
    attribute="field",
)
def field_in_schema(index: PageIndex) -> Iterator[Finding]:
    """A `dataset_field` names a key of the schema, in exactly its spelling."""
    if not isinstance(index.fields, Schema) or not index.fields.fields:
        return
    shown = {item.field for _path, item in index.of(DatasetField)}
    for path, item in index.of(DatasetField):
        if item.field and item.field not in index.fields.fields:
            message = _("The dataset has no field “{field}”. Choose one of its fields.")
            fix = _similar_field_fix(item, shown, index.fields)
            yield Finding(path, item, message, {"field": item.field}, fix)


@rule(
    "LY18",
    N_("A displayed field contains text, an image, audio or video"),
    RejectionStatus.ITEM,
    passes=[
        layout_with(
            *(with_attributes(DATASET_FIELD, field=key) for key in ("prompt", "photo", "clip", "sound")),
            fields=SCHEMA,
        )
    ],
    fails=[
        layout_with(FREE_TEXT, with_attributes(DATASET_FIELD, field=key), fields=SCHEMA)
        for key in ("source", "bundle")
    ],
    attribute="field",
)
def field_can_be_shown(index: PageIndex) -> Iterator[Finding]:
    """A `dataset_field` names no field of type `metadata` or `task_group_id`."""
    if not isinstance(index.fields, Schema):
        return
    for path, item in index.of(DatasetField):
        field = index.fields.fields.get(item.field)
        if field is not None and not field.type.referable:
            yield Finding(
                path,
                item,
                _("The field “{field}” is of type {type}, which is never shown. Choose another field."),
                {"field": item.field, "type": field.type.value},
                remove_from_page_fix(index, item),
            )


@rule(
    "LY19",
    N_("A field is shown once on a page"),
    RejectionStatus.ITEM,
    passes=[
        Example([page(DATASET_FIELD), page(DATASET_FIELD)]),
        layout_with(DATASET_FIELD, with_attributes(DATASET_FIELD, field="answer")),
    ],
    fails=[
        layout_with(DATASET_FIELD, DATASET_FIELD),
        layout_with(DATASET_FIELD, DATASET_FIELD, fields=SCHEMA),
        Example(
            [{"rows": [{"columns": [{"items": [DATASET_FIELD]}, {"items": [RICH_TEXT, DATASET_FIELD]}]}]}]
        ),
    ],
    attribute="field",
)
def field_once_a_page(index: PageIndex) -> Iterator[Finding]:
    """No second `dataset_field` of a page names the same field; the first one may stay."""
    if index.fields is SchemaUnavailable.COLLECTION:
        return
    fields = set[str]()
    for path, item in index.of(DatasetField):
        if item.field and item.field in fields:
            message = _(
                "The field “{field}” is on this page already. Remove one, or move it to another page."
            )
            yield Finding(path, item, message, {"field": item.field}, remove_from_page_fix(index, item))
        fields.add(item.field)


@rule(
    "LY45",
    N_("A collection shows no dataset field"),
    RejectionStatus.ITEM,
    passes=[layout_with(RICH_TEXT, FREE_TEXT, fields=SchemaUnavailable.COLLECTION)],
    fails=[
        layout_with(DATASET_FIELD, FREE_TEXT, fields=SchemaUnavailable.COLLECTION),
        layout_with(DATASET_FIELD, fields=SchemaUnavailable.COLLECTION),
    ],
)
def no_field_in_collection(index: PageIndex) -> Iterator[Finding]:
    """A collection has no dataset (specification, Collections)."""
    if index.fields is not SchemaUnavailable.COLLECTION:
        return
    for path, item in index.of(DatasetField):
        message = _("A collection has no dataset, so it cannot show a dataset field. Remove this item.")
        yield Finding(path, item, message, fix=remove_from_page_fix(index, item))


_NAMED = Schema(
    strict=False,
    fields={
        "prompt": Field(FieldType.TEXT, "Question"),
        "answer_gpt": Field(FieldType.TEXT, "answer of gpt"),
        "reply": Field(FieldType.TEXT, "reply"),
        "ours": Field(FieldType.TEXT),
        "answer_2": Field(FieldType.TEXT),
    },
)


_A_OR_B = with_attributes(CHOICE, options=[{"label": text, "value": text} for text in "AB"])


@rule(
    "LY65",
    N_("Labels of fields name no system"),
    passes=[
        layout_with(DATASET_FIELD, FREE_TEXT, fields=_NAMED),
        layout_with(DATASET_FIELD, FREE_TEXT, fields=SCHEMA),
        layout_with(with_attributes(DATASET_FIELD, field="ours"), FREE_TEXT, fields=_NAMED),
        layout_with(DATASET_FIELD, with_attributes(DATASET_FIELD, field="answer_2"), _A_OR_B, fields=_NAMED),
    ],
    fails=[
        *(
            layout_with(with_attributes(DATASET_FIELD, field=key), FREE_TEXT, fields=_NAMED)
            for key in ("answer_gpt", "reply")
        ),
        layout_with(DATASET_FIELD, with_attributes(DATASET_FIELD, field="ours"), _A_OR_B, fields=_NAMED),
    ],
    attribute="field",
)
def neutral_field_label(index: PageIndex) -> Iterator[Finding]:
    """Participants read the label of a field; it should not say which model has written the value."""
    if not isinstance(index.fields, Schema):
        return
    fields = index.of(DatasetField)
    compared = compared_fields(
        [(path, item.field) for path, item in fields], map(itemgetter(1), index.of(Choice))
    )
    better = index.fields.better_labels(compared)
    for path, item in fields:
        if (label := better.get(item.field)) is not None:
            message = _("Participants read the label “{label}”. Use one that does not name its source.")
            shown = index.fields.fields[item.field].label or item.field
            fix = Fix(
                _("Use “{label}”").format(label=label),
                _unchanged,
                schema_edit=partial(_with_neutral_label, key=item.field, compared=compared),
            )
            yield Finding(path, item, message, {"label": shown}, fix)


RULES = (
    dataset_attached,
    field_in_schema,
    field_can_be_shown,
    field_once_a_page,
    no_field_in_collection,
    neutral_field_label,
)


def _with_neutral_label(schema: Schema, key: str, compared: Sequence[str]) -> Schema:
    """The schema with a neutral label of a field, which no other field has."""
    label = schema.better_labels(compared).get(key)
    return schema if label is None else schema.with_label(key, label)


def _unchanged(layout: Layout) -> Layout:
    return layout


def _similar_field_fix(item: DatasetField, shown: Container[str], schema: Schema) -> Fix | None:
    """A fix for a misspelled field, if exactly one similar field can be shown and is not on the page."""
    free = [key for key in schema.similar_keys.find(item.field) if key not in shown]
    if len(free) != 1:
        return None
    return set_attribute_fix(item, _("Use “{field}”").format(field=free[0]), field=free[0])
