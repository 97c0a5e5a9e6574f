"""Rules on ids, and on attributes that apply to every item type, derived from the attribute descriptions.

They implement the specification, batch_items. An invalid id is a bad request (Batches rule 2; wire reference,
section 6).
"""

from collections.abc import Iterator

from batchwright.base.i18n import N_, _
from batchwright.base.local_formats import joined
from batchwright.layout.attributes import LABEL
from batchwright.layout.item_types.base import UNSUPPORTED_TYPES
from batchwright.layout.rules.attribute_errors import AttributeProblem, AttributeProblemKind
from batchwright.layout.rules.examples import (
    CHOICE,
    CHOICE_WITH_TEXT,
    DATASET_FIELD,
    FILE_UPLOAD,
    FREE_TEXT,
    IMAGE,
    RICH_TEXT,
    TEXT_WITH_UNIT,
    layout_with,
    one_item_layouts,
    option,
    options,
    page,
    pages,
    units,
    with_attributes,
    without,
)
from batchwright.layout.rules.page_index import ItemProblem, LayoutIndex, PageIndex, repeated
from batchwright.layout.rules.problems import AttributePath, RejectionStatus
from batchwright.layout.rules.quick_fixes import suggest_fix, unset_attribute_fix
from batchwright.layout.rules.registry import Finding, rule

_ALL = one_item_layouts(
    DATASET_FIELD, IMAGE, RICH_TEXT, FREE_TEXT, TEXT_WITH_UNIT, CHOICE, CHOICE_WITH_TEXT, FILE_UPLOAD
)


@rule(
    "LY08",
    N_("An id is text"),
    RejectionStatus.SHAPE,
    passes=[pages(page(FREE_TEXT, id="p1")), pages(page(with_attributes(FREE_TEXT, id=None)))],
    fails=[
        pages(page(FREE_TEXT, id=1)),
        pages({"rows": [{"id": False, "columns": [{"items": [FREE_TEXT]}]}]}),
        pages({"rows": [{"columns": [{"id": ["c"], "items": [FREE_TEXT]}]}]}),
        pages(page(with_attributes(FREE_TEXT, id={}))),
    ],
)
def id_is_text(index: PageIndex) -> Iterator[Finding]:
    """An `id` is a string, or null or absent for a new node."""
    for path, node, node_id in index.ids:
        if not isinstance(node_id, str):
            message = _("The id must be text. Remove it to get a new one.")
            yield Finding(path, node, message, fix=unset_attribute_fix(node, _("Remove the id"), "id"))


@rule(
    "LY09",
    N_("An id belongs to the batch"),
    RejectionStatus.SHAPE,
    passes=[
        pages(page(FREE_TEXT, id="p1"), ids=frozenset({"p1", "p2"})),
        pages(page(FREE_TEXT, id="p9")),
        pages(page(FREE_TEXT), ids=frozenset()),
    ],
    fails=[
        pages(page(FREE_TEXT, id="p9"), ids=frozenset({"p1", "p2"})),
        pages(page(with_attributes(FREE_TEXT, id="i1")), ids=frozenset()),
    ],
)
def id_of_the_batch(index: PageIndex) -> Iterator[Finding]:
    """Each id belongs to the batch; not checked when the ids of the batch are unknown."""
    if index.batch_ids is None:
        return
    for path, node, node_id in index.ids:
        if isinstance(node_id, str) and node_id not in index.batch_ids:
            yield Finding(
                path,
                node,
                _("The id “{id}” does not belong to this batch. Remove it to get a new one."),
                {"id": node_id},
                unset_attribute_fix(node, _("Remove the id"), "id"),
            )


@rule(
    "LY10",
    N_("An id is used only once"),
    RejectionStatus.SHAPE,
    passes=[
        pages(
            page(with_attributes(FREE_TEXT, id="i1"), id="p1"),
            page(with_attributes(CHOICE, id="i2"), id="p2"),
        )
    ],
    fails=[
        pages(page(FREE_TEXT, id="p1"), page(CHOICE, id="p1")),
        pages(page(with_attributes(FREE_TEXT, id="same"), id="same")),
        pages(page(FREE_TEXT), page(with_attributes(FREE_TEXT, id="x"), with_attributes(CHOICE, id="x"))),
    ],
)
def id_once(layout_index: LayoutIndex) -> Iterator[Finding]:
    """No id is used twice in the layout; the first node keeps it."""
    ids = set[str]()
    for number, index in layout_index.duplicates:
        for path, node, node_id in index.ids:
            if isinstance(node_id, str) and node_id in ids:
                yield Finding(
                    path._replace(page=number),
                    node,
                    _("The id “{id}” is used twice. Remove it to get a new one."),
                    {"id": node_id},
                    unset_attribute_fix(node, _("Remove the id"), "id"),
                )
            elif isinstance(node_id, str):
                ids.add(node_id)


@rule(
    "LY11",
    N_("Required attributes are present"),
    RejectionStatus.ITEM,
    passes=[*_ALL, *one_item_layouts(with_attributes(FREE_TEXT, helper_text=None, validation=None))],
    fails=one_item_layouts(
        {"type": "dataset_field"},
        without(IMAGE, "url"),
        without(IMAGE, "alt_text"),
        with_attributes(RICH_TEXT, content=None),
        without(FREE_TEXT, "description"),
        without(TEXT_WITH_UNIT, "unit_options"),
        without(TEXT_WITH_UNIT, "unit_position"),
        units({"label": "minutes"}, option("h")),
        without(CHOICE, "answer_limit"),
        with_attributes(CHOICE, options=None),
        options({"value": "a"}, option("b")),
        options({"label": "A"}, option("b")),
        with_attributes(CHOICE_WITH_TEXT, options=[option(0), option(1, heading="Why?")]),
        without(FILE_UPLOAD, "description"),
        with_attributes(FREE_TEXT, validation={}),
        with_attributes(FREE_TEXT, validation={"min": 3}),
    ),
    is_unfilled=True,
)
def required_present(index: PageIndex) -> Iterator[Finding]:
    """No required attribute is absent or null; 0 and false count as present."""
    for path, item, problem in _of(index, AttributeProblemKind.MISSING):
        message = _("Missing: {what}. Fill it in.")
        yield Finding(path, item, message, {"what": problem.label}, suggest_fix(item, problem), problem.path)


@rule(
    "LY12",
    N_("Required attributes are not empty"),
    RejectionStatus.ITEM,
    passes=[*one_item_layouts(with_attributes(FREE_TEXT, helper_text=""), options(option(0), option(False)))],
    fails=one_item_layouts(
        with_attributes(DATASET_FIELD, field=""),
        with_attributes(IMAGE, url=""),
        with_attributes(IMAGE, alt_text=""),
        with_attributes(RICH_TEXT, content=""),
        with_attributes(FREE_TEXT, description=""),
        with_attributes(TEXT_WITH_UNIT, unit_options=[]),
        units({"label": "", "value": "min"}),
        with_attributes(CHOICE, options=[]),
        options(option("", label="None"), option("b")),
        with_attributes(CHOICE_WITH_TEXT, options=[option(0, heading="")]),
        with_attributes(FILE_UPLOAD, description=""),
    ),
    is_unfilled=True,
)
def required_not_empty(index: PageIndex) -> Iterator[Finding]:
    """No required text or list is empty."""
    for path, item, problem in _of(index, AttributeProblemKind.EMPTY):
        message = _("Empty: {what}. Fill it in.")
        yield Finding(path, item, message, {"what": problem.label}, suggest_fix(item, problem), problem.path)


@rule(
    "LY13",
    N_("Each attribute has the right type of value"),
    RejectionStatus.ITEM,
    passes=[
        *one_item_layouts(
            options(option("a"), option(2), option(2.5), option(True), limit=-1),
            with_attributes(
                FILE_UPLOAD, max_file_size_mb=0.5, max_file_count=3, accepted_file_types=[".pdf"]
            ),
            with_attributes(FREE_TEXT, order={"any": "thing"}),
            {"type": "video_narration", "description": 7},
        )
    ],
    fails=one_item_layouts(
        with_attributes(DATASET_FIELD, field=["prompt"]),
        with_attributes(IMAGE, caption=5),
        with_attributes(RICH_TEXT, content={"html": "x"}),
        with_attributes(FREE_TEXT, description=True),
        with_attributes(FREE_TEXT, helper_text=1),
        with_attributes(FREE_TEXT, placeholder_text_input=[]),
        with_attributes(FREE_TEXT, validation=True),
        with_attributes(FREE_TEXT, validation={"type": "number", "min": "1"}),
        with_attributes(FREE_TEXT, validation={"type": "number", "max": False}),
        with_attributes(TEXT_WITH_UNIT, unit_options={"min": "minutes"}),
        with_attributes(TEXT_WITH_UNIT, default_unit=1),
        units("minutes"),
        units({"label": "minutes", "value": ["min"]}),
        options(option("a"), option("b"), limit="1"),
        options(option("a"), option("b"), limit=2.0),
        options(option("a"), option("b"), limit=True),
        options("A", option("b")),
        options(option("a", exclusive="yes"), option("b"), limit=-1),
        with_attributes(
            CHOICE_WITH_TEXT, options=[option(0, heading="Why?", exclusive=1), option(1, heading="Why?")]
        ),
        with_attributes(CHOICE, disable_dropdown=0),
        with_attributes(FILE_UPLOAD, accepted_file_types=".pdf"),
        with_attributes(FILE_UPLOAD, accepted_file_types=[".pdf", 7]),
        with_attributes(FILE_UPLOAD, max_file_size_mb="25"),
        with_attributes(FILE_UPLOAD, min_file_count=1.0),
        with_attributes(FILE_UPLOAD, max_file_count=2.5),
    ),
)
def attribute_type(index: PageIndex) -> Iterator[Finding]:
    """Attributes have the right type. Counts are integers: 2.0 and true are rejected."""
    for path, item, problem in _of(index, AttributeProblemKind.WRONG_TYPE):
        yield Finding(
            path,
            item,
            _("Wrong type of value: {what}. It must be {kind}."),
            {"what": problem.label, "kind": _type_title(problem)},
            suggest_fix(item, problem),
            problem.path,
        )


@rule(
    "LY14",
    N_("A value is one of those allowed"),
    RejectionStatus.ITEM,
    passes=[
        *one_item_layouts(
            with_attributes(RICH_TEXT, content_format="markdown"),
            with_attributes(TEXT_WITH_UNIT, unit_position="prefix"),
            with_attributes(FREE_TEXT, validation={"type": "number", "min": None}),
        )
    ],
    fails=one_item_layouts(
        with_attributes(RICH_TEXT, content_format="text"),
        with_attributes(RICH_TEXT, content_format="HTML"),
        with_attributes(TEXT_WITH_UNIT, unit_position="left"),
        with_attributes(FREE_TEXT, validation={"type": "integer"}),
        units(option("min", validation={"type": "text"})),
    ),
)
def allowed_value(index: PageIndex) -> Iterator[Finding]:
    """Values of formats, positions and validation types are among the allowed ones."""
    for path, item, problem in _of(index, AttributeProblemKind.NOT_ALLOWED):
        allowed = joined(problem.attribute.allowed)
        yield Finding(
            path,
            item,
            _("Not allowed: {what} is “{value}”. Use one of these: {allowed}."),
            {"what": problem.label, "value": problem.holder[problem.attribute.name], "allowed": allowed},
            suggest_fix(item, problem),
            problem.path,
        )


@rule(
    "LY52",
    N_("No two options have the same label"),
    passes=one_item_layouts(CHOICE, CHOICE_WITH_TEXT, TEXT_WITH_UNIT),
    fails=one_item_layouts(
        options(option("a", "Same"), option("b", "Same")),
        options(option("a", "Same"), option("b", " Same ")),
        units(option("min", "minutes"), option("h", "minutes")),
    ),
)
def distinct_labels(index: PageIndex) -> Iterator[Finding]:
    """Labels differ: participants and the report distinguish options and units by their labels."""
    for path, item, holder in index.holders(LABEL):
        options = item.objects(holder.name)
        labels = [label.strip() for entry in options if isinstance(label := entry.get("label"), str)]
        for label in repeated([label for label in labels if label]):
            message = _("More than one of the choices is called “{label}”. Give each its own label.")
            yield Finding(path, item, message, {"label": label}, attribute=AttributePath(holder.name))


@rule(
    "LY55",
    N_("Texts are more than white space"),
    passes=one_item_layouts(FREE_TEXT, with_attributes(FREE_TEXT, helper_text=" ")),
    fails=one_item_layouts(
        with_attributes(FREE_TEXT, description=" "),
        with_attributes(RICH_TEXT, content="\n\t"),
        with_attributes(IMAGE, alt_text="\u00a0"),
        options(option("a", label=" "), option("b")),
    ),
)
def texts_not_blank(index: PageIndex) -> Iterator[Finding]:
    """No required text is blank: the service accepts it, but it shows nothing."""
    for path, item, problem in index.attribute_problems:
        if problem.kind is AttributeProblemKind.BLANK:
            message = _("Only spaces or invisible characters: {what}. Write something people can read.")
            yield Finding(
                path, item, message, {"what": problem.label}, suggest_fix(item, problem), problem.path
            )


@rule(
    "LY59",
    N_("Batchwright can edit the item"),
    passes=one_item_layouts(FREE_TEXT, DATASET_FIELD),
    fails=one_item_layouts({"type": "video_narration", "description": "Tell us."}),
)
def editable_type(index: PageIndex) -> Iterator[Finding]:
    """The editor knows the item type: services accept some types that are newer than Batchwright."""
    for path, item in index.untyped_items:
        if item.kind in UNSUPPORTED_TYPES:
            message = _(
                "The item type “{type}” is newer than Batchwright. It is kept unchanged and not checked."
            )
            yield Finding(path, item, message, {"type": item.kind})


@rule(
    "LY63",
    N_("Texts have no broken characters"),
    passes=[layout_with(with_attributes(FREE_TEXT, description="Why 🙂?"))],
    fails=[
        layout_with(with_attributes(FREE_TEXT, description="Why \ud83d?")),
        layout_with(with_attributes(FREE_TEXT, helper_text="\udc00")),
        layout_with(options(option("a\ud83d", "A"), option("b"))),
    ],
)
def no_lone_surrogates(index: PageIndex) -> Iterator[Finding]:
    """Texts contain no lone surrogates, which result from cutting a text in the middle of a character."""
    for path, item, problem in index.attribute_problems:
        if problem.kind is AttributeProblemKind.LONE_SURROGATE:
            message = _("Broken character in the text: {what}. Type it again.")
            yield Finding(
                path, item, message, {"what": problem.label}, suggest_fix(item, problem), problem.path
            )


LAYOUT_RULES = (id_once,)
PAGE_RULES = (
    id_is_text,
    id_of_the_batch,
    required_present,
    required_not_empty,
    attribute_type,
    allowed_value,
    distinct_labels,
    texts_not_blank,
    editable_type,
    no_lone_surrogates,
)


def _of(index: PageIndex, kind: AttributeProblemKind) -> Iterator[ItemProblem]:
    return (entry for entry in index.attribute_problems if entry.problem.kind is kind)


def _type_title(problem: AttributeProblem) -> str:
    if problem.entry is None:
        return _(problem.attribute.kind.title)
    return _(problem.attribute.kind.entry_title)
