"""Rules on single attributes: the type of an item, and what the table of attributes has (wire.md 6)."""

from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches

from batchwright.base.i18n import N_, _
from batchwright.layout.items import ITEM_TYPES, NEWER_TYPES
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
    one_item_layouts,
    option,
    options,
    units,
    with_attributes,
    without,
)
from batchwright.layout.rules.page_index import ItemFlaw, PageIndex
from batchwright.layout.rules.problems import RefusalStatus
from batchwright.layout.rules.quick_fixes import set_attribute_fix
from batchwright.layout.rules.registry import Finding, rule
from batchwright.layout.rules.suggested_fixes import suggest_fix

_ALL = one_item_layouts(PROMPT, IMAGE, TEXT, WHY, DURATION, BETTER, FAULTS, UPLOAD)


@rule(
    "LY32",
    N_("The type of an item is a known one"),
    RefusalStatus.ITEM,
    passes=[*_ALL, *one_item_layouts({"type": "video_narration", "description": "Tell us."})],
    fails=one_item_layouts(
        with_attributes(BETTER, type="multiple_choise"),
        with_attributes(WHY, type="Free_Text"),
        {"type": "hologram", "depth": 3.0},
        {"type": ""},
    ),
)
def known_type(sheet: PageIndex) -> Iterator[Finding]:
    """A type is one of the specification's, or a newer one that services are known to accept."""
    for place, item in sheet.items:
        if item.kind is None or item.kind in ITEM_TYPES or item.kind in NEWER_TYPES:
            continue
        similar = get_close_matches(item.kind.lower(), ITEM_TYPES, 1, 0.8)
        if similar:
            sentence = _("There is no item type “{type}”. Did you mean “{similar}”?")
            fix = set_attribute_fix(item, _("Change it to “{type}”").format(type=similar[0]), type=similar[0])
            values = {"type": item.kind, "similar": similar[0]}
            yield Finding(place, item, sentence, values, replace(fix, sure=False))
        else:
            sentence = _(
                "There is no item type “{type}”, so participants would not see this item. Correct the"
                " type in the file, or remove the item."
            )
            yield Finding(place, item, sentence, {"type": item.kind})


@rule(
    "LY11",
    N_("What an item needs is there"),
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
def required_present(sheet: PageIndex) -> Iterator[Finding]:
    """No required attribute is absent or null; 0 and false are there."""
    for place, item, flaw in _of(sheet, FaultKind.MISSING):
        sentence = _("Missing: {what}. Fill it in.")
        yield Finding(place, item, sentence, {"what": flaw.words}, suggest_fix(item, flaw), flaw.path)


@rule(
    "LY12",
    N_("What an item needs is not empty"),
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
def required_not_empty(sheet: PageIndex) -> Iterator[Finding]:
    """No required text or list is empty."""
    for place, item, flaw in _of(sheet, FaultKind.EMPTY):
        sentence = _("Empty: {what}. Fill it in.")
        yield Finding(place, item, sentence, {"what": flaw.words}, suggest_fix(item, flaw), flaw.path)


@rule(
    "LY13",
    N_("Each attribute has the kind of value it needs"),
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
def attribute_type(sheet: PageIndex) -> Iterator[Finding]:
    """Texts are strings, counts are integers (2.0 and true are none), lists are arrays, and so on."""
    for place, item, flaw in _of(sheet, FaultKind.KIND):
        yield Finding(
            place,
            item,
            _("Wrong kind of value: {what}. It has to be {kind}."),
            {"what": flaw.words, "kind": _kind_words(flaw)},
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
def allowed_value(sheet: PageIndex) -> Iterator[Finding]:
    """Formats, positions and kinds of validation are known ones."""
    for place, item, flaw in _of(sheet, FaultKind.NOT_ALLOWED):
        allowed = ", ".join(flaw.attribute.allowed)
        yield Finding(
            place,
            item,
            _("Not allowed: {what} is “{value}”. Use one of these: {allowed}."),
            {"what": flaw.words, "value": flaw.holder[flaw.attribute.name], "allowed": allowed},
            suggest_fix(item, flaw),
            flaw.path,
        )


def _of(sheet: PageIndex, wrong: FaultKind) -> Iterator[ItemFlaw]:
    return (found for found in sheet.flaws if found.flaw.wrong is wrong)


def _kind_words(flaw: AttributeProblem) -> str:
    if flaw.entry is None:
        return _(flaw.attribute.kind.title)
    return _(flaw.attribute.kind.entry_title)
