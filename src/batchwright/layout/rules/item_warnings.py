"""Advice on items: what the service takes, and is probably not meant."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from batchwright.base.i18n import N_, _
from batchwright.base.json_values import JsonObject, is_array
from batchwright.layout.answer_constraints import LengthLimits, text_limits
from batchwright.layout.items import NEWER_TYPES
from batchwright.layout.model import FileUpload, FreeText
from batchwright.layout.option_values import as_text, comparison_key
from batchwright.layout.rules.attribute_errors import FaultKind
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
)
from batchwright.layout.rules.page_index import ItemOptions, PageIndex
from batchwright.layout.rules.problems import AttributePath, Fix
from batchwright.layout.rules.quick_fixes import set_attribute_fix, unique_values_fix, unset_attribute_fix
from batchwright.layout.rules.registry import Finding, rule
from batchwright.layout.rules.suggested_fixes import suggest_fix as obvious

_LONG = 5000
"""A length in characters that hardly anybody types."""


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
def distinct_labels(sheet: PageIndex) -> Iterator[Finding]:
    """People, and the report, tell options and units apart by their labels."""
    for name, lists in (("options", sheet.choices), ("unit_options", sheet.units)):
        for place, item, given, _count in lists:
            labels = [label.strip() for one in given if isinstance(label := one.get("label"), str)]
            for label in _repeated([label for label in labels if label]):
                sentence = _("More than one of the choices is called “{label}”. Give each its own label.")
                yield Finding(place, item, sentence, {"label": label}, attribute=AttributePath(name))


@rule(
    "LY53",
    N_("No two option values read alike"),
    passes=one_item_layouts(BETTER, options(option(1), option("one"))),
    fails=one_item_layouts(
        options(option(1), option("1", "One")), options(option(True), option("true", "Yes"))
    ),
)
def values_distinguishable(sheet: PageIndex) -> Iterator[Finding]:
    """`1` and `"1"` are two values that no table of results tells apart."""
    for found in sheet.choices:
        if len({type(one.get("value")) for one in found.options}) > 1:
            different = {comparison_key(one.get("value")): one for one in found.options}.values()
            yield from _alike(found, "options", different)


@rule(
    "LY54",
    N_("No two units have the same value"),
    passes=one_item_layouts(DURATION),
    fails=one_item_layouts(
        units(option("min", "minutes"), option("min", "hours")),
        units(option(1, "one"), option("1", "two")),
    ),
)
def unit_values_distinct(sheet: PageIndex) -> Iterator[Finding]:
    """An answer holds the value of its unit, compared as text."""
    for found in sheet.units:
        yield from _alike(found, "unit_options", found.options)


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
def texts_not_blank(sheet: PageIndex) -> Iterator[Finding]:
    """A required text of nothing but blanks is taken by the service, and shows nothing."""
    for place, item, flaw in sheet.flaws:
        if flaw.wrong is FaultKind.BLANK:
            sentence = _("Only white space: {what}. Write something people can read.")
            yield Finding(place, item, sentence, {"what": flaw.words}, obvious(item, flaw), flaw.path)


@rule(
    "LY56",
    N_("A list of accepted file types is not empty"),
    passes=one_item_layouts(UPLOAD, with_attributes(UPLOAD, accepted_file_types=[".pdf"])),
    fails=one_item_layouts(with_attributes(UPLOAD, accepted_file_types=[])),
    attribute="accepted_file_types",
)
def file_types_not_empty(sheet: PageIndex) -> Iterator[Finding]:
    """An empty list does not mean "anything": the default types are accepted."""
    for place, item in sheet.of(FileUpload):
        given = item.attributes.get("accepted_file_types")
        if is_array(given) and not given:
            sentence = _("No file type is listed, so only images are accepted. List the types you want.")
            fix = unset_attribute_fix(item, _("Accept images, as usual"), "accepted_file_types")
            yield Finding(place, item, sentence, fix=fix)


@rule(
    "LY57",
    N_("Accepted file types look like file endings"),
    passes=one_item_layouts(
        UPLOAD, with_attributes(UPLOAD, accepted_file_types=[".pdf", ".tar.gz", ".7z", ".C++"])
    ),
    fails=one_item_layouts(
        with_attributes(UPLOAD, accepted_file_types=["."]),
        with_attributes(UPLOAD, accepted_file_types=[".pdf, .doc"]),
        with_attributes(UPLOAD, accepted_file_types=[".image/png"]),
    ),
    attribute="accepted_file_types",
)
def plausible_types(sheet: PageIndex) -> Iterator[Finding]:
    """An accepted type is what the name of a file ends with, so it needs letters, and no blank or slash."""
    for place, item in sheet.of(FileUpload):
        given = item.attributes.get("accepted_file_types")
        types = [one for one in given if isinstance(one, str)] if is_array(given) else []
        odd = [one for one in types if one.startswith(".") and (len(one) == 1 or set(one) & set(" ,;/\\*"))]
        if odd:
            sentence = _("No file name ends with {types}. List endings like .pdf, each by itself.")
            values = {"types": ", ".join(f"“{one}”" for one in odd)}
            yield Finding(place, item, sentence, values, _each_by_itself(item, types))


@rule(
    "LY59",
    N_("Batchwright can edit the item"),
    passes=one_item_layouts(WHY, PROMPT),
    fails=one_item_layouts({"type": "video_narration", "description": "Tell us."}),
)
def editable_type(sheet: PageIndex) -> Iterator[Finding]:
    """Services accept some item types that are newer than Batchwright."""
    for place, item in sheet.items:
        if item.kind in NEWER_TYPES:
            sentence = _(
                "The item type “{type}” is newer than Batchwright. The item is kept as it is, unchecked."
            )
            yield Finding(place, item, sentence, {"type": item.kind})


@rule(
    "LY62",
    N_("The length asked for can be typed"),
    passes=one_item_layouts(
        with_attributes(WHY, validation={"type": "string", "min": 20, "max": 400}),
        with_attributes(WHY, validation={"type": "number", "max": 0}),
    ),
    fails=one_item_layouts(
        with_attributes(WHY, validation={"type": "string", "max": 0}),
        with_attributes(WHY, validation={"type": "string", "min": 100_000}),
    ),
    attribute="validation",
)
def length_can_be_typed(sheet: PageIndex) -> Iterator[Finding]:
    """A text question that allows no character, or asks for a book, is a mistake."""
    for place, item in sheet.of(FreeText):
        limits = text_limits(item.attributes)
        if not isinstance(limits, LengthLimits):
            continue
        if limits.most == 0:
            sentence = _(
                "No character is allowed here, so nobody can answer. Raise the maximum, or take it away."
            )
            yield Finding(
                place, item, sentence, fix=unset_attribute_fix(item, _("Allow any length"), "validation")
            )
        elif limits.least > _LONG:
            sentence = _("An answer needs at least {least} characters here. Is that meant?")
            yield Finding(place, item, sentence, {"least": limits.least})


@rule(
    "LY63",
    N_("Texts hold whole characters"),
    passes=[layout_with(with_attributes(WHY, description="Why 🙂?"))],
    fails=[
        layout_with(with_attributes(WHY, description="Why \ud83d?")),
        layout_with(with_attributes(WHY, helper_text="\udc00")),
        layout_with(options(option("a\ud83d", "A"), option("b"))),
    ],
)
def no_lone_surrogates(sheet: PageIndex) -> Iterator[Finding]:
    """Half a character (a lone surrogate) comes from a text that was cut in the wrong place."""
    for place, item, flaw in sheet.flaws:
        if flaw.wrong is FaultKind.TORN:
            sentence = _("Half a character stands in the text: {what}. Type the end of it again.")
            yield Finding(place, item, sentence, {"what": flaw.words}, obvious(item, flaw), flaw.path)


def _each_by_itself(item: FileUpload, types: Sequence[str]) -> Fix | None:
    """The endings of a list that was typed as one; none where one is a media type like `image/png`."""
    words = [word.strip("*") for one in types for word in re.split(r"[\s,;]+", one)]
    endings = [f".{word.lstrip('.')}" for word in dict.fromkeys(words) if word.strip(".")]
    if not endings or any(set(one) & set("/\\*") for one in endings):
        return None
    return set_attribute_fix(item, _("List each by itself"), accepted_file_types=endings)


def _alike(found: ItemOptions, name: str, different: Iterable[JsonObject]) -> Iterator[Finding]:
    values = [value for one in different if comparison_key(value := one.get("value")) is not None]
    for text in _repeated([as_text(value) for value in values if value != ""]):
        sentence = _(
            "More than one value reads “{value}”, so results cannot be told apart. Change one of them."
        )
        alike = [n for n, one in enumerate(found.options) if as_text(one.get("value")) == text]
        fix = unique_values_fix(found, name, alike[1:])
        yield Finding(found.place, found.item, sentence, {"value": text}, fix, found.path(name, alike[1]))


def _repeated(texts: Collection[str]) -> Collection[str]:
    """Each text that comes more than once."""
    if len(set(texts)) == len(texts):
        return ()
    return [text for text, times in Counter(texts).items() if times > 1]
