"""Rules that the descriptions of attributes state for every item type (specification, batch_items)."""

from collections.abc import Iterator

from batchwright.base.i18n import N_, _
from batchwright.layout.attributes import LABEL
from batchwright.layout.item_types.base import NEWER_TYPES
from batchwright.layout.rules.attribute_errors import AttributeProblem, FaultKind
from batchwright.layout.rules.examples import (
    BETTER,
    DURATION,
    FAULTS,
    IMAGE,
    PROMPT,
    TEXT,
    UPLOAD,
    WHY,
    layout_with,
    one_item_layouts,
    option,
    options,
    units,
    with_attributes,
    without,
)
from batchwright.layout.rules.page_index import ItemFlaw, PageIndex, repeated
from batchwright.layout.rules.problems import AttributePath, RefusalStatus
from batchwright.layout.rules.registry import Finding, rule
from batchwright.layout.rules.suggested_fixes import suggest_fix

_ALL = one_item_layouts(PROMPT, IMAGE, TEXT, WHY, DURATION, BETTER, FAULTS, UPLOAD)


@rule(
    "LY11",
    N_("Required attributes are present"),
    RefusalStatus.ITEM,
    passes=[*_ALL, *one_item_layouts(with_attributes(WHY, helper_text=None, validation=None))],
    fails=one_item_layouts(
        {"type": "dataset_field"},
        without(IMAGE, "url"),
        without(IMAGE, "alt_text"),
        with_attributes(TEXT, content=None),
        without(WHY, "description"),
        without(DURATION, "unit_options"),
        without(DURATION, "unit_position"),
        units({"label": "minutes"}, option("h")),
        without(BETTER, "answer_limit"),
        with_attributes(BETTER, options=None),
        options({"value": "a"}, option("b")),
        options({"label": "A"}, option("b")),
        with_attributes(FAULTS, options=[option(0), option(1, heading="Why?")]),
        without(UPLOAD, "description"),
        with_attributes(WHY, validation={}),
        with_attributes(WHY, validation={"min": 3}),
    ),
    is_unfilled=True,
)
def required_present(index: PageIndex) -> Iterator[Finding]:
    """No required attribute is absent or null; 0 and false are there."""
    for place, item, flaw in _of(index, FaultKind.MISSING):
        sentence = _("Missing: {what}. Fill it in.")
        yield Finding(place, item, sentence, {"what": flaw.label}, suggest_fix(item, flaw), flaw.path)


@rule(
    "LY12",
    N_("Required attributes are not empty"),
    RefusalStatus.ITEM,
    passes=[*one_item_layouts(with_attributes(WHY, helper_text=""), options(option(0), option(False)))],
    fails=one_item_layouts(
        with_attributes(PROMPT, field=""),
        with_attributes(IMAGE, url=""),
        with_attributes(IMAGE, alt_text=""),
        with_attributes(TEXT, content=""),
        with_attributes(WHY, description=""),
        with_attributes(DURATION, unit_options=[]),
        units({"label": "", "value": "min"}),
        with_attributes(BETTER, options=[]),
        options(option("", label="None"), option("b")),
        with_attributes(FAULTS, options=[option(0, heading="")]),
        with_attributes(UPLOAD, description=""),
    ),
    is_unfilled=True,
)
def required_not_empty(index: PageIndex) -> Iterator[Finding]:
    """No required text or list is empty."""
    for place, item, flaw in _of(index, FaultKind.EMPTY):
        sentence = _("Empty: {what}. Fill it in.")
        yield Finding(place, item, sentence, {"what": flaw.label}, suggest_fix(item, flaw), flaw.path)


@rule(
    "LY13",
    N_("Each attribute has the right type of value"),
    RefusalStatus.ITEM,
    passes=[
        *one_item_layouts(
            options(option("a"), option(2), option(2.5), option(True), limit=-1),
            with_attributes(UPLOAD, max_file_size_mb=0.5, max_file_count=3, accepted_file_types=[".pdf"]),
            with_attributes(WHY, order={"any": "thing"}),
            {"type": "video_narration", "description": 7},
        )
    ],
    fails=one_item_layouts(
        with_attributes(PROMPT, field=["prompt"]),
        with_attributes(IMAGE, caption=5),
        with_attributes(TEXT, content={"html": "x"}),
        with_attributes(WHY, description=True),
        with_attributes(WHY, helper_text=1),
        with_attributes(WHY, placeholder_text_input=[]),
        with_attributes(WHY, validation=True),
        with_attributes(WHY, validation={"type": "number", "min": "1"}),
        with_attributes(WHY, validation={"type": "number", "max": False}),
        with_attributes(DURATION, unit_options={"min": "minutes"}),
        with_attributes(DURATION, default_unit=1),
        units("minutes"),
        units({"label": "minutes", "value": ["min"]}),
        options(option("a"), option("b"), limit="1"),
        options(option("a"), option("b"), limit=2.0),
        options(option("a"), option("b"), limit=True),
        options("A", option("b")),
        options(option("a", exclusive="yes"), option("b"), limit=-1),
        with_attributes(FAULTS, options=[option(0, heading="Why?", exclusive=1), option(1, heading="Why?")]),
        with_attributes(BETTER, disable_dropdown=0),
        with_attributes(UPLOAD, accepted_file_types=".pdf"),
        with_attributes(UPLOAD, accepted_file_types=[".pdf", 7]),
        with_attributes(UPLOAD, max_file_size_mb="25"),
        with_attributes(UPLOAD, min_file_count=1.0),
        with_attributes(UPLOAD, max_file_count=2.5),
    ),
)
def attribute_type(index: PageIndex) -> Iterator[Finding]:
    """Texts are strings, counts are integers (2.0 and true are none), lists are arrays, and so on."""
    for place, item, flaw in _of(index, FaultKind.WRONG_TYPE):
        yield Finding(
            place,
            item,
            _("Wrong type of value: {what}. It must be {kind}."),
            {"what": flaw.label, "kind": _kind_words(flaw)},
            suggest_fix(item, flaw),
            flaw.path,
        )


@rule(
    "LY14",
    N_("A value is one of those allowed"),
    RefusalStatus.ITEM,
    passes=[
        *one_item_layouts(
            with_attributes(TEXT, content_format="markdown"),
            with_attributes(DURATION, unit_position="prefix"),
            with_attributes(WHY, validation={"type": "number", "min": None}),
        )
    ],
    fails=one_item_layouts(
        with_attributes(TEXT, content_format="text"),
        with_attributes(TEXT, content_format="HTML"),
        with_attributes(DURATION, unit_position="left"),
        with_attributes(WHY, validation={"type": "integer"}),
        units(option("min", validation={"type": "text"})),
    ),
)
def allowed_value(index: PageIndex) -> Iterator[Finding]:
    """Formats, positions and kinds of validation are known ones."""
    for place, item, flaw in _of(index, FaultKind.NOT_ALLOWED):
        allowed = ", ".join(flaw.attribute.allowed)
        yield Finding(
            place,
            item,
            _("Not allowed: {what} is “{value}”. Use one of these: {allowed}."),
            {"what": flaw.label, "value": flaw.holder[flaw.attribute.name], "allowed": allowed},
            suggest_fix(item, flaw),
            flaw.path,
        )


@rule(
    "LY52",
    N_("No two options have the same label"),
    passes=one_item_layouts(BETTER, FAULTS, DURATION),
    fails=one_item_layouts(
        options(option("a", "Same"), option("b", "Same")),
        options(option("a", "Same"), option("b", " Same ")),
        units(option("min", "minutes"), option("h", "minutes")),
    ),
)
def distinct_labels(index: PageIndex) -> Iterator[Finding]:
    """People, and the report, tell options and units apart by their labels."""
    for place, item, holder in index.holders(LABEL):
        options = item.objects(holder.name)
        labels = [label.strip() for one in options if isinstance(label := one.get("label"), str)]
        for label in repeated([label for label in labels if label]):
            sentence = _("More than one of the choices is called “{label}”. Give each its own label.")
            yield Finding(place, item, sentence, {"label": label}, attribute=AttributePath(holder.name))


@rule(
    "LY55",
    N_("Texts are more than white space"),
    passes=one_item_layouts(WHY, with_attributes(WHY, helper_text=" ")),
    fails=one_item_layouts(
        with_attributes(WHY, description=" "),
        with_attributes(TEXT, content="\n\t"),
        with_attributes(IMAGE, alt_text="\u00a0"),
        options(option("a", label=" "), option("b")),
    ),
)
def texts_not_blank(index: PageIndex) -> Iterator[Finding]:
    """A required text of nothing but blanks is taken by the service, and shows nothing."""
    for place, item, flaw in index.attribute_problems:
        if flaw.kind is FaultKind.BLANK:
            sentence = _("Only white space: {what}. Write something people can read.")
            yield Finding(place, item, sentence, {"what": flaw.label}, suggest_fix(item, flaw), flaw.path)


@rule(
    "LY59",
    N_("Batchwright can edit the item"),
    passes=one_item_layouts(WHY, PROMPT),
    fails=one_item_layouts({"type": "video_narration", "description": "Tell us."}),
)
def editable_type(index: PageIndex) -> Iterator[Finding]:
    """Services accept some item types that are newer than Batchwright."""
    for place, item in index.items:
        if item.kind in NEWER_TYPES:
            sentence = _(
                "The item type “{type}” is newer than Batchwright. The item is kept as it is, unchecked."
            )
            yield Finding(place, item, sentence, {"type": item.kind})


@rule(
    "LY63",
    N_("Texts have no broken characters"),
    passes=[layout_with(with_attributes(WHY, description="Why 🙂?"))],
    fails=[
        layout_with(with_attributes(WHY, description="Why \ud83d?")),
        layout_with(with_attributes(WHY, helper_text="\udc00")),
        layout_with(options(option("a\ud83d", "A"), option("b"))),
    ],
)
def no_lone_surrogates(index: PageIndex) -> Iterator[Finding]:
    """A lone surrogate comes from a text that was cut within a character."""
    for place, item, flaw in index.attribute_problems:
        if flaw.kind is FaultKind.LONE_SURROGATE:
            sentence = _("Broken character in the text: {what}. Type it again.")
            yield Finding(place, item, sentence, {"what": flaw.label}, suggest_fix(item, flaw), flaw.path)


RULES = (
    required_present,
    required_not_empty,
    attribute_type,
    allowed_value,
    distinct_labels,
    texts_not_blank,
    editable_type,
    no_lone_surrogates,
)


def _of(index: PageIndex, wrong: FaultKind) -> Iterator[ItemFlaw]:
    return (found for found in index.attribute_problems if found.problem.kind is wrong)


def _kind_words(flaw: AttributeProblem) -> str:
    if flaw.entry is None:
        return _(flaw.attribute.kind.title)
    return _(flaw.attribute.kind.entry_title)
