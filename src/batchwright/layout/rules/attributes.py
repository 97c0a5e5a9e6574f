"""Rules on single attributes: the type of an item, and what the table of attributes has (wire.md 6)."""

from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches

from batchwright.base.i18n import _
from batchwright.layout.items import ITEM_TYPES, NEWER_TYPES
from batchwright.layout.rules.attribute_errors import Flaw, Wrong
from batchwright.layout.rules.examples import (
    BETTER,
    DURATION,
    FAULTS,
    IMAGE,
    PROMPT,
    TEXT,
    UPLOAD,
    WHY,
    asks,
    changed,
    option,
    options,
    units,
    without,
)
from batchwright.layout.rules.page_index import Flawed, Sheet
from batchwright.layout.rules.problems import Refusal
from batchwright.layout.rules.quick_fixes import put
from batchwright.layout.rules.registry import Finding, rule
from batchwright.layout.rules.suggested_fixes import meant

_ALL = asks(PROMPT, IMAGE, TEXT, WHY, DURATION, BETTER, FAULTS, UPLOAD)


@rule(
    "LY32",
    "The type of an item is a known one",
    Refusal.ITEM,
    passes=[*_ALL, *asks({"type": "video_narration", "description": "Tell us."})],
    fails=asks(
        changed(BETTER, type="multiple_choise"),
        changed(WHY, type="Free_Text"),
        {"type": "hologram", "depth": 3.0},
        {"type": ""},
    ),
)
def known_type(sheet: Sheet) -> Iterator[Finding]:
    """A type is one of the specification's, or a newer one that services are known to accept."""
    for place, item in sheet.items:
        if item.kind is None or item.kind in ITEM_TYPES or item.kind in NEWER_TYPES:
            continue
        similar = get_close_matches(item.kind.lower(), ITEM_TYPES, 1, 0.8)
        if similar:
            sentence = _("There is no item type “{type}”. Did you mean “{similar}”?")
            fix = put(item, _("Change it to “{type}”").format(type=similar[0]), type=similar[0])
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
    "What an item needs is there",
    Refusal.ITEM,
    passes=[*_ALL, *asks(changed(WHY, helper_text=None, validation=None))],
    fails=asks(
        {"type": "dataset_field"},
        without(IMAGE, "url"),
        without(IMAGE, "alt_text"),
        changed(TEXT, content=None),
        without(WHY, "description"),
        without(DURATION, "unit_options"),
        without(DURATION, "unit_position"),
        units({"label": "minutes"}, option("h")),
        without(BETTER, "answer_limit"),
        changed(BETTER, options=None),
        options({"value": "a"}, option("b")),
        options({"label": "A"}, option("b")),
        changed(FAULTS, options=[option(0), option(1, heading="Why?")]),
        without(UPLOAD, "description"),
        changed(WHY, validation={}),
        changed(WHY, validation={"min": 3}),
    ),
    is_unfilled=True,
)
def required_there(sheet: Sheet) -> Iterator[Finding]:
    """No required attribute is absent or null; 0 and false are there."""
    for place, item, flaw in _of(sheet, Wrong.MISSING):
        sentence = _("Missing: {what}. Fill it in.")
        yield Finding(place, item, sentence, {"what": flaw.words}, meant(item, flaw), flaw.path)


@rule(
    "LY12",
    "What an item needs is not empty",
    Refusal.ITEM,
    passes=[*asks(changed(WHY, helper_text=""), options(option(0), option(False)))],
    fails=asks(
        changed(PROMPT, field=""),
        changed(IMAGE, url=""),
        changed(IMAGE, alt_text=""),
        changed(TEXT, content=""),
        changed(WHY, description=""),
        changed(DURATION, unit_options=[]),
        units({"label": "", "value": "min"}),
        changed(BETTER, options=[]),
        options(option("", label="None"), option("b")),
        changed(FAULTS, options=[option(0, heading="")]),
        changed(UPLOAD, description=""),
    ),
    is_unfilled=True,
)
def required_filled(sheet: Sheet) -> Iterator[Finding]:
    """No required text or list is empty."""
    for place, item, flaw in _of(sheet, Wrong.EMPTY):
        sentence = _("Empty: {what}. Fill it in.")
        yield Finding(place, item, sentence, {"what": flaw.words}, meant(item, flaw), flaw.path)


@rule(
    "LY13",
    "Each attribute has the kind of value it needs",
    Refusal.ITEM,
    passes=[
        *asks(
            options(option("a"), option(2), option(2.5), option(True), limit=-1),
            changed(UPLOAD, max_file_size_mb=0.5, max_file_count=3, accepted_file_types=[".pdf"]),
            changed(WHY, order={"any": "thing"}),
            {"type": "video_narration", "description": 7},
        )
    ],
    fails=asks(
        changed(PROMPT, field=["prompt"]),
        changed(IMAGE, caption=5),
        changed(TEXT, content={"html": "x"}),
        changed(WHY, description=True),
        changed(WHY, helper_text=1),
        changed(WHY, placeholder_text_input=[]),
        changed(WHY, validation=True),
        changed(WHY, validation={"type": "number", "min": "1"}),
        changed(WHY, validation={"type": "number", "max": False}),
        changed(DURATION, unit_options={"min": "minutes"}),
        changed(DURATION, default_unit=1),
        units("minutes"),
        units({"label": "minutes", "value": ["min"]}),
        options(option("a"), option("b"), limit="1"),
        options(option("a"), option("b"), limit=2.0),
        options(option("a"), option("b"), limit=True),
        options("A", option("b")),
        options(option("a", exclusive="yes"), option("b"), limit=-1),
        changed(FAULTS, options=[option(0, heading="Why?", exclusive=1), option(1, heading="Why?")]),
        changed(BETTER, disable_dropdown=0),
        changed(UPLOAD, accepted_file_types=".pdf"),
        changed(UPLOAD, accepted_file_types=[".pdf", 7]),
        changed(UPLOAD, max_file_size_mb="25"),
        changed(UPLOAD, min_file_count=1.0),
        changed(UPLOAD, max_file_count=2.5),
    ),
)
def right_kind(sheet: Sheet) -> Iterator[Finding]:
    """Texts are strings, counts are integers (2.0 and true are none), lists are arrays, and so on."""
    for place, item, flaw in _of(sheet, Wrong.KIND):
        yield Finding(
            place,
            item,
            _("Wrong kind of value: {what}. It has to be {kind}."),
            {"what": flaw.words, "kind": _kind_words(flaw)},
            meant(item, flaw),
            flaw.path,
        )


@rule(
    "LY14",
    "A value is one of those allowed",
    Refusal.ITEM,
    passes=[
        *asks(
            changed(TEXT, content_format="markdown"),
            changed(DURATION, unit_position="prefix"),
            changed(WHY, validation={"type": "number", "min": None}),
        )
    ],
    fails=asks(
        changed(TEXT, content_format="text"),
        changed(TEXT, content_format="HTML"),
        changed(DURATION, unit_position="left"),
        changed(WHY, validation={"type": "integer"}),
        units(option("min", validation={"type": "text"})),
    ),
)
def allowed_value(sheet: Sheet) -> Iterator[Finding]:
    """Formats, positions and kinds of validation are known ones."""
    for place, item, flaw in _of(sheet, Wrong.NOT_ALLOWED):
        allowed = ", ".join(flaw.attribute.allowed)
        yield Finding(
            place,
            item,
            _("Not allowed: {what} is “{value}”. Use one of these: {allowed}."),
            {"what": flaw.words, "value": flaw.holder[flaw.attribute.name], "allowed": allowed},
            meant(item, flaw),
            flaw.path,
        )


def _of(sheet: Sheet, wrong: Wrong) -> Iterator[Flawed]:
    return (found for found in sheet.flaws if found.flaw.wrong is wrong)


def _kind_words(flaw: Flaw) -> str:
    if flaw.entry is None:
        return _(flaw.attribute.kind.title)
    return _(flaw.attribute.kind.entry_title)
