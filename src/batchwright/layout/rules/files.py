"""Rules on file uploads (wire.md 2.3, 6)."""

from collections.abc import Iterator, Sequence

from batchwright.base.i18n import N_, _
from batchwright.base.json_values import Json, is_array
from batchwright.layout.attributes import AttributeType, value_or_default
from batchwright.layout.model import FileUpload
from batchwright.layout.rules.examples import UPLOAD, one_item_layouts, with_attributes
from batchwright.layout.rules.page_index import PageIndex
from batchwright.layout.rules.problems import Fix, RefusalStatus
from batchwright.layout.rules.quick_fixes import set_attribute_fix, unset_attribute_fix
from batchwright.layout.rules.registry import Finding, rule


@rule(
    "LY27",
    N_("An accepted file type begins with a dot"),
    RefusalStatus.ITEM,
    passes=one_item_layouts(UPLOAD, with_attributes(UPLOAD, accepted_file_types=[".pdf", ".tar.gz"])),
    fails=one_item_layouts(
        with_attributes(UPLOAD, accepted_file_types=["pdf"]),
        with_attributes(UPLOAD, accepted_file_types=[".pdf", "image/png"]),
        with_attributes(UPLOAD, accepted_file_types=[""]),
    ),
    attribute="accepted_file_types",
)
def file_types_start_with_dot(sheet: PageIndex) -> Iterator[Finding]:
    """Each of `accepted_file_types` is an extension with its dot."""
    for place, item in sheet.of(FileUpload):
        given = item.attributes.get("accepted_file_types")
        types = given if is_array(given) else ()
        wrong = [one for one in types if isinstance(one, str) and not one.startswith(".")]
        if wrong:
            yield Finding(
                place,
                item,
                _("An accepted file type begins with a dot, like .pdf. Change: {types}."),
                {"types": ", ".join(f"“{one}”" for one in wrong)},
                _dotted(item, types),
            )


@rule(
    "LY28",
    N_("The largest file is larger than nothing"),
    RefusalStatus.ITEM,
    passes=one_item_layouts(
        UPLOAD, with_attributes(UPLOAD, max_file_size_mb=0.25), with_attributes(UPLOAD, max_file_size_mb=None)
    ),
    fails=one_item_layouts(
        with_attributes(UPLOAD, max_file_size_mb=0), with_attributes(UPLOAD, max_file_size_mb=-3.5)
    ),
    attribute="max_file_size_mb",
)
def positive_file_size(sheet: PageIndex) -> Iterator[Finding]:
    """`max_file_size_mb` is above 0."""
    for place, item in sheet.of(FileUpload):
        size = item.attributes.get("max_file_size_mb")
        if isinstance(size, int | float) and not isinstance(size, bool) and size <= 0:
            yield Finding(
                place,
                item,
                _("The largest file allowed has {size} MB. Allow more than 0."),
                {"size": size},
                unset_attribute_fix(item, _("Allow 25 MB, the usual size"), "max_file_size_mb"),
            )


@rule(
    "LY29",
    N_("At least one file is asked for"),
    RefusalStatus.ITEM,
    passes=one_item_layouts(UPLOAD, with_attributes(UPLOAD, min_file_count=2)),
    fails=one_item_layouts(
        with_attributes(UPLOAD, min_file_count=0),
        with_attributes(UPLOAD, min_file_count=-1, max_file_count=3),
    ),
    attribute="min_file_count",
)
def at_least_one_file(sheet: PageIndex) -> Iterator[Finding]:
    """`min_file_count` is 1 or more."""
    for place, item in sheet.of(FileUpload):
        fewest = item.integer("min_file_count")
        if fewest is not None and fewest < 1:
            yield Finding(
                place,
                item,
                _("The fewest files asked for are {fewest}. Ask for 1 or more."),
                {"fewest": fewest},
                _ask_for_one(item),
            )


@rule(
    "LY30",
    N_("The fewest files are not more than the most"),
    RefusalStatus.ITEM,
    passes=one_item_layouts(
        with_attributes(UPLOAD, min_file_count=3, max_file_count=3),
        with_attributes(UPLOAD, min_file_count=10),
        with_attributes(UPLOAD, max_file_count=1),
    ),
    fails=one_item_layouts(
        with_attributes(UPLOAD, min_file_count=3, max_file_count=2),
        with_attributes(UPLOAD, min_file_count=11),
        with_attributes(UPLOAD, max_file_count=0),
    ),
    attribute="max_file_count",
)
def min_files_not_above_max(sheet: PageIndex) -> Iterator[Finding]:
    """`min_file_count` (1 when absent) is not above `max_file_count` (10 when absent)."""
    for place, item in sheet.of(FileUpload):
        if not all(_fits(item, name) for name in ("min_file_count", "max_file_count")):
            continue
        fewest, most = value_or_default(item, "min_file_count"), value_or_default(item, "max_file_count")
        if isinstance(fewest, int) and isinstance(most, int) and fewest > most:
            yield Finding(
                place,
                item,
                _("The fewest files, {fewest}, are more than the most, {most}. Raise the most."),
                {"fewest": fewest, "most": most},
                set_attribute_fix(item, _("Allow {count}").format(count=fewest), max_file_count=fewest),
            )


def _dotted(item: FileUpload, types: Sequence[Json]) -> Fix | None:
    """The types with their dots; none where one is a media type like `image/png`."""
    texts = [one for one in types if isinstance(one, str)]
    if len(texts) < len(types) or any("/" in one for one in texts):
        return None
    dotted = [f".{one.lstrip('*.')}" if one.strip("*.") else "" for one in texts]
    kept = [one for one in dict.fromkeys(dotted) if one]
    return set_attribute_fix(item, _("Put the dot before"), accepted_file_types=kept) if kept else None


def _ask_for_one(item: FileUpload) -> Fix:
    """Ask for one file or more; where none may be given at all, take that away, too."""
    names = ["min_file_count"]
    most = item.integer("max_file_count")
    if most is not None and most < 1:
        names.append("max_file_count")
    return unset_attribute_fix(item, _("Ask for at least 1"), *names)


def _fits(item: FileUpload, name: str) -> bool:
    value = item.attributes.get(name)
    return value is None or AttributeType.INTEGER.holds(value)
